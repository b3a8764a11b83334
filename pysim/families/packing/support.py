"""Whether pieces in a box stay where they are: static equilibrium, decided exactly.

Every piece weighs as much as it has cells. Forces are vertical and push only: they act anywhere on
the horizontal faces in which a piece touches another one, or the floor, below it. Walls and faces
that touch sideways carry nothing, as without friction. The pieces stay if there are such forces
that balance weight and torque of every piece. A force on a face is a sum of forces at its corners,
so that this is a question about finitely many unknowns (see :mod:`pysim.search.feasibility`).

``find_falling`` tests just that, so a piece whose centre of mass is above the very edge of what
carries it stays. ``is_steady`` tests it with contact faces that are a little smaller: what is
steady also stays where real bodies are not exactly in their places.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from pysim.families.packing.grid import list_cells
from pysim.geometry import Cell, add
from pysim.geometry.hulls import Point, compute_convex_hull, is_inside
from pysim.search.feasibility import find_farkas_certificate

__all__ = ["find_falling", "is_above", "is_steady"]

_UNIT = 20
"""Units of length in an edge of a cell: everything is a whole number of these."""
_EXACT, _STEADY = 10, 9
"""Half the width of the contact face of one cell."""
_FLOOR = -1

Load = tuple[int, int, int]
"""Weight, and weight times x and y of the point where it acts."""
Faces = dict[tuple[int, int], set[Point]]
"""(upper piece, lower piece or ``_FLOOR``) -> the columns in which they touch."""


def is_steady(size: Cell, masks: Sequence[int]) -> bool:
    """Return whether pieces stay, with a twentieth of a cell to spare at every edge.

    Args:
        size: of the box.
        masks: each piece's cells.
    """
    return not _falling(size, tuple(sorted(masks)), _STEADY)


def find_falling(size: Cell, masks: Sequence[int]) -> frozenset[int]:
    """Return the pieces, as places in ``masks``, that begin to move; none if all are supported.

    Which ones is not always beyond doubt: they are some that can move, by tilting and sinking each
    a little without entering what is below, so that their weight does work.
    """
    order = sorted(range(len(masks)), key=lambda i: masks[i])
    found = _falling(size, tuple(masks[i] for i in order), _EXACT)
    return frozenset(order[i] for i in found)


@lru_cache(maxsize=1 << 16)
def _falling(size: Cell, masks: tuple[int, ...], half: int) -> frozenset[int]:
    pieces = [list_cells(size, mask) for mask in masks]
    owners = {cell: i for i, cells in enumerate(pieces) for cell in cells}
    faces = _faces(pieces, owners)
    grounded = _grounded(owners)
    doubtful = [i for i in range(len(pieces)) if not _stands(pieces[i], grounded, half)]
    if not doubtful:
        return frozenset()
    loaded = {lower for _, lower in faces}
    toppling = {i for i in doubtful if i not in loaded and not _rests(i, pieces[i], faces, half)}
    if toppling:
        return frozenset(toppling)
    mattering = set(doubtful)
    fewer = _faces_that_matter(pieces, owners, grounded, mattering)
    if _passes_on(pieces, fewer, mattering, half):
        return frozenset()
    if _certify(pieces, fewer, mattering, half)[2] is None:
        return frozenset()
    return _unbalanced(pieces, faces, half)


def is_above(cells: tuple[Cell, ...], columns: set[Point]) -> bool:
    """Return whether a piece is balanced on the faces of some columns."""
    return _above(cells, columns, _EXACT)


def _faces(pieces: Sequence[tuple[Cell, ...]], owners: dict[Cell, int]) -> Faces:
    faces: Faces = {}
    for i, cells in enumerate(pieces):
        for x, y, z in cells:
            below = owners.get((x, y, z - 1), _FLOOR if z == 0 else i)
            if below != i:
                faces.setdefault((i, below), set()).add((x, y))
    return faces


def _grounded(owners: dict[Cell, int]) -> dict[Point, int]:
    """Column -> height up to which it is filled without a gap."""
    heights: dict[Point, int] = {}
    for x, y, z in sorted(owners, key=lambda cell: cell[2]):
        if heights.get((x, y), 0) == z:
            heights[x, y] = z + 1
    return heights


def _faces_that_matter(
    pieces: Sequence[tuple[Cell, ...]],
    owners: dict[Cell, int],
    grounded: dict[Point, int],
    mattering: set[int],
) -> Faces:
    """Return the faces below pieces that matter: to those that are given others are added.

    Those are all that lie on such pieces, and all below them that they touch above a gap. Whatever
    else they touch is as good as the floor: the column is filled down to it.
    """
    met = [
        (upper, owners.get((x, y, z - 1), _FLOOR), (x, y), grounded.get((x, y), 0) >= z)
        for upper, cells in enumerate(pieces)
        for x, y, z in cells
    ]
    met = [face for face in met if face[1] != face[0] and (face[1] != _FLOOR or face[3])]
    before = 0
    while before != len(mattering):
        before = len(mattering)
        for upper, lower, _, is_filled in met:
            if lower in mattering:
                mattering.add(upper)
            elif upper in mattering and not is_filled:
                mattering.add(lower)
    faces: Faces = {}
    for upper, lower, column, _ in met:
        if upper in mattering:
            faces.setdefault((upper, lower if lower in mattering else _FLOOR), set()).add(column)
    return faces


def _stands(cells: tuple[Cell, ...], grounded: dict[Point, int], half: int) -> bool:
    """Return whether a piece stands on columns that are filled down to the floor.

    Such a column passes a force on straight down, whatever pieces it is made of, and turns none of
    them. If this is so of every piece, all are supported.
    """
    own = set(cells)
    feet = {(x, y) for x, y, z in cells if (x, y, z - 1) not in own and grounded.get((x, y), 0) > z}
    return _above(cells, feet, half)


def _rests(piece: int, cells: tuple[Cell, ...], faces: Faces, half: int) -> bool:
    """Return whether a piece with nothing on it stays if all that is below it does not move."""
    feet = {column for (upper, _), columns in faces.items() if upper == piece for column in columns}
    return _above(cells, feet, half)


def _above(cells: tuple[Cell, ...], feet: set[Point], half: int) -> bool:
    """Return whether the centre of mass is above the hull of some columns' faces."""
    return bool(feet) and _carries(feet, _weigh(cells), half)


def _carries(columns: set[Point], load: Load, half: int) -> bool:
    """Return whether a load is above the hull of some columns' faces."""
    weight, x, y = load
    reach = half * weight
    near = [(_UNIT * weight * a - x, _UNIT * weight * b - y) for a, b in columns]
    if any(-reach <= a <= reach and -reach <= b <= reach for a, b in near):
        return True  # It is above one of them.
    if len(near) == 1:
        return False
    corners = [(a + c, b + d) for a, b in near for c in (-reach, reach) for d in (-reach, reach)]
    return is_inside(compute_convex_hull(corners), (0, 0), edge=True)


def _passes_on(
    pieces: Sequence[tuple[Cell, ...]], faces: Faces, mattering: set[int], half: int
) -> bool:
    """Return whether each piece that matters can pass its load on to a single thing below it.

    Then all stay, and no equations are needed: a contact takes any load that is above it. If not,
    they may stay all the same, by loads that are parted.
    """
    below: dict[int, dict[int, set[Point]]] = {i: {} for i in mattering}
    for (upper, lower), columns in faces.items():
        below[upper][lower] = columns
    loads = {i: _weigh(pieces[i]) for i in mattering}
    while below:
        loaded = set(chain.from_iterable(below.values()))
        free = [i for i in below if i not in loaded]
        for upper in free:
            carrier = _find_carrier(below.pop(upper), loads[upper], half)
            if carrier is None:
                return False
            if carrier != _FLOOR:
                loads[carrier] = add(loads[carrier], loads[upper])
        if not free:
            return False
    return True


def _find_carrier(below: Mapping[int, set[Point]], load: Load, half: int) -> int | None:
    """Return the first thing below a piece that carries its load alone, the floor before others."""
    carriers = (lower for lower in sorted(below) if _carries(below[lower], load, half))
    return next(carriers, None)


def _corners(columns: set[Point], half: int) -> Iterator[Point]:
    for x, y in columns:
        for dx in (-half, half):
            for dy in (-half, half):
                yield (_UNIT * x + dx, _UNIT * y + dy)


def _weigh(cells: tuple[Cell, ...]) -> Load:
    return (
        len(cells),
        _UNIT * sum([x for x, _, _ in cells]),
        _UNIT * sum([y for _, y, _ in cells]),
    )


def _unbalanced(pieces: Sequence[tuple[Cell, ...]], faces: Faces, half: int) -> frozenset[int]:
    """The general case: three equations for each piece (weight, and the torque about y and x).

    The unknowns are the forces at the corners of the contact between two pieces: as large below as
    above. A proof that there are none is a motion (principle of virtual work): the speeds with
    which pieces sink and tilt.
    """
    columns, target, proof = _certify(pieces, faces, range(len(pieces)), half)
    return frozenset() if proof is None else _moving(columns, target, list(proof))


def _certify(
    pieces: Sequence[tuple[Cell, ...]], faces: Faces, weighing: Iterable[int], half: int
) -> tuple[list[dict[int, int]], list[int], tuple[int, ...] | None]:
    """Return columns and right side of the equations of pieces with faces, and Farkas' proof."""
    columns: list[dict[int, int]] = []
    for (upper, lower), touching in faces.items():
        for x, y in compute_convex_hull(_corners(touching, half)):
            column = {3 * upper: 1, 3 * upper + 1: x, 3 * upper + 2: y}
            if lower != _FLOOR:
                column |= {3 * lower: -1, 3 * lower + 1: -x, 3 * lower + 2: -y}
            columns.append(column)
    target = [0] * (3 * len(pieces))
    for i in weighing:
        target[3 * i : 3 * i + 3] = _weigh(pieces[i])
    return columns, target, find_farkas_certificate(columns, target)


def _moving(columns: list[dict[int, int]], target: list[int], proof: list[int]) -> frozenset[int]:
    """Return the pieces that the proof needs: the others are held fast, one after the other."""
    for piece in range(len(target) // 3):
        held = proof.copy()
        held[3 * piece : 3 * piece + 3] = (0, 0, 0)
        if _proves(columns, target, held):
            proof = held
    return frozenset(i // 3 for i, value in enumerate(proof) if value)


def _proves(columns: list[dict[int, int]], target: list[int], proof: list[int]) -> bool:
    return sum(y * value for y, value in zip(proof, target, strict=True)) > 0 and all(
        sum(proof[i] * value for i, value in column.items()) <= 0 for column in columns
    )
