"""Import of packing boxes in the JSON format of CHAIN's generator (A.5.6).

``{"box": [2, 3, 3], "pieces": [[[0, 0, 0], [1, 0, 0]], ...]}``: only the shapes of pieces count.
The tier is the mode (easy, mid or hard) in the path of a file, or else it is measured.
Pieces start in stable poses. A level has gravity if its box can be built with supported pieces.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bridge.runs.importing import AuthorFile, Imported, PublishedRow, read_rows
from pysim.catalog import AnyLevel, check_id, compute_content_hash
from pysim.errors import InputError
from pysim.families.packing.box import MAX_SIDE, Packing, Piece, check_size
from pysim.families.packing.family import FAMILY
from pysim.families.packing.figures import Figures, measure_figures
from pysim.families.packing.generator.generate import make_facts
from pysim.families.packing.planner import plan_packing
from pysim.field_types import Json
from pysim.geometry import IDENTITY, Cell, Voxels
from pysim.geometry.resting import find_stable_rotation
from pysim.limits import quote
from pysim.options import is_whole
from pysim.puzzle import Level, Source, Tier
from pysim.render.palette import COLOURS

__all__ = ["import_boxes"]

_MIN_BUDGET = 30
_MODES = {"easy": Tier.EASY, "mid": Tier.MEDIUM, "medium": Tier.MEDIUM, "hard": Tier.HARD}
_MAX_NODES = {Tier.EASY: 6, Tier.MEDIUM: 80}
"""Maximum search nodes per solution of a tier, for boxes without a mode."""


def import_boxes(files: Sequence[AuthorFile], name: str) -> Imported:
    """Import boxes as levels, one for each row of each file.

    Raises:
        InputError: a box is malformed, or can't be filled.
    """
    rows = [row for file in files for row in read_rows(file)]
    levels = [_build_level(row, name, number, len(rows)) for number, row in enumerate(rows, 1)]
    without_gravity = sum(not level.puzzle.gravity for level in levels)
    notes = [
        f"{without_gravity} boxes can't be built with every piece supported: they have no gravity"
    ]
    return Imported(levels=tuple(levels), notes=tuple(notes if without_gravity else ()))


def _build_level(row: PublishedRow, name: str, number: int, count: int) -> AnyLevel:
    try:
        size, shapes = _parse_box(row.value)
        packing = Packing(size, _make_pieces(shapes))
    except InputError as error:
        raise row.refuse(str(error)) from None
    figures = measure_figures(size, shapes)
    if not figures.solutions and figures.complete:
        raise row.refuse("the pieces can't be put into the box")
    plan = plan_packing(packing)
    if plan is None:
        packing = replace(packing, gravity=False)
        plan = plan_packing(packing)
    digits = max(2, len(str(count)))
    budget = max(_MIN_BUDGET, 3 * len(shapes))
    return Level(
        id=check_id(f"{name}-box-{number:0{digits}}"),
        family=FAMILY.name,
        name=f"{len(shapes)} pieces into {' x '.join(map(str, size))}",
        tier=_find_tier(row.where, figures),
        budget=budget,
        puzzle=packing,
        colours=packing.colours,
        plan=plan,
        source=Source("unattributed", row.where[:200]),
        hash=compute_content_hash(FAMILY, packing, budget),
        facts=make_facts(figures, packing),
    )


def _parse_box(value: Json) -> tuple[Cell, list[Voxels]]:
    if not isinstance(value, Mapping) or not {"box", "pieces"} <= set(value):
        raise InputError("a box is an object with box and pieces")
    size, pieces = value["box"], value["pieces"]
    if not isinstance(size, list) or len(size) != 3 or not all(map(_is_valid_integer, size)):
        raise InputError(f"a box is three whole numbers, not {quote(size)}")
    a, b, c = (side for side in size if isinstance(side, int))
    check_size((a, b, c))
    if not isinstance(pieces, list) or not 2 <= len(pieces) <= len(COLOURS):
        raise InputError(f"a box has 2 to {len(COLOURS)} pieces")
    return (a, b, c), [_parse_shape(piece, number) for number, piece in enumerate(pieces)]


def _parse_shape(piece: Json, number: int) -> Voxels:
    cells = piece if isinstance(piece, list) else []
    if not cells or not all(_is_cell(cell) for cell in cells):
        raise InputError(f"piece {number} is a list of cells of three whole numbers")
    unique = {(cell[0], cell[1], cell[2]) for cell in cells}
    if len(unique) < len(cells):
        raise InputError(f"piece {number} has a cell twice")
    extents = [max(axis) - min(axis) for axis in zip(*unique, strict=True)]
    if max(extents) >= MAX_SIDE:
        raise InputError(f"piece {number} is longer than {MAX_SIDE} cells")
    return Voxels(tuple(sorted(unique))).move_to_origin()


def _is_cell(cell: Json) -> bool:
    return isinstance(cell, list) and len(cell) == 3 and all(map(_is_valid_integer, cell))


def _is_valid_integer(value: Json) -> bool:
    return is_whole(value, -9_999, 9_999)


def _make_pieces(shapes: Sequence[Voxels]) -> tuple[Piece, ...]:
    stable = (
        shape.rotate(find_stable_rotation(shape, IDENTITY)).move_to_origin() for shape in shapes
    )
    return tuple(Piece(colour, shape) for colour, shape in zip(COLOURS, stable, strict=False))


def _find_tier(path: str, figures: Figures) -> Tier:
    words = re.findall("[a-z]+", path.lower())
    mode = next((_MODES[word] for word in reversed(words) if word in _MODES), None)
    if mode is not None:
        return mode
    tiers = [tier for tier, limit in _MAX_NODES.items() if figures.nodes_per_solution <= limit]
    return next(iter(tiers), Tier.HARD)
