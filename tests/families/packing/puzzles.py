"""Packing puzzles to test with."""

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from pysim.catalog import compute_content_hash, discover_families
from pysim.families.packing.box import Packing, Piece
from pysim.families.packing.grid import mask_of
from pysim.families.packing.state import PackingState
from pysim.geometry import Cell, Direction, Voxels, add
from pysim.puzzle import Action, Level, Source, Tier
from pysim.render.palette import PALETTE
from pysim.scene import Colour

__all__ = ["COLOURS", "PackingLevel", "after", "box", "drawn", "level_of", "packed_boxes", "split"]

COLOURS = tuple(map(Colour, PALETTE))
PackingLevel = Level[Packing]
TOP = frozenset({Direction.PLUS_Z})


def level_of(packing: Packing, budget: int = 60) -> PackingLevel:
    return Level(
        id="packing-test",
        family="packing",
        name="Test",
        tier=Tier.EASY,
        budget=budget,
        puzzle=packing,
        colours=packing.colours,
        plan=None,
        source=Source("luban", "made by a test"),
        hash=compute_content_hash(discover_families()["packing"], packing, budget),
    )


def drawn(
    size: Cell,
    *pieces: Sequence[str],
    gravity: bool = True,
    sides: frozenset[Direction] = TOP,
) -> PackingLevel:
    """A level of pieces that are drawn in layers."""
    shapes = (Voxels.parse(layers).move_to_origin() for layers in pieces)
    named = tuple(Piece(c, s) for c, s in zip(COLOURS, shapes, strict=False))
    return level_of(Packing(size, named, gravity, sides))


def after(level: PackingLevel, *actions: Action) -> PackingState:
    rules = discover_families()["packing"].rules
    state = rules.initial(level)
    for action in actions:
        state = rules.apply(level, state, action).state
    return state  # type: ignore[no-any-return]


def box(*size: int) -> list[Cell]:
    """All cells of a box."""
    return list(Voxels.make_block((size[0], size[1], size[2])).cells)


def split(rng: random.Random, size: Cell, count: int) -> list[list[Cell]]:
    """A box grown full of at most ``count`` winding pieces."""
    free = set(box(*size))
    grown = [[cell] for cell in rng.sample(sorted(free), min(count, len(free)))]
    free -= {cells[0] for cells in grown}
    while free:
        cells = rng.choice(grown)
        cell = add(rng.choice(cells), rng.choice(list(Direction)).vector)
        if cell in free:
            free.discard(cell)
            cells.append(cell)
    return grown


@st.composite
def packed_boxes(
    draw: st.DrawFn, sides: Sequence[int] = (2, 3, 4), most: int = 8
) -> tuple[Cell, tuple[int, ...]]:
    """The size of a box, and the masks of the pieces that fill it."""
    size = (
        draw(st.sampled_from(sides)),
        draw(st.sampled_from(sides)),
        draw(st.sampled_from(sides)),
    )
    rng = random.Random(draw(st.integers(0, 2**32)))
    pieces = split(rng, size, draw(st.integers(2, most)))
    return size, tuple(mask_of(size, cells) for cells in pieces)
