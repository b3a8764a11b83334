"""Interlocking boxes: pieces that fill a box, seen from outside, with voids only within.

In a box without voids a set of pieces that can move at all can be moved all the way out: what is
behind it in a row is empty or its own, what is in front of it, nothing. So it is the voids that
make locks of a level above 1, and a box less than three cells thick has none.
"""

from collections.abc import Mapping
from random import Random

from pysim.families.burr.generator.annealing import Cooling
from pysim.families.burr.generator.canvas import NOBODY, Canvas, is_whole
from pysim.families.burr.generator.climbing import choose_climb
from pysim.families.burr.generator.graded import COLD, HOT
from pysim.families.burr.generator.sequence import cut
from pysim.geometry import Cell, Direction, Voxels, add

__all__ = ["make_canvas", "make_sequential_canvas"]

LEAST_CELLS = 3
"""Cells that a piece keeps."""


def make_canvas(pieces: int, size: Cell) -> Canvas:
    """Return the box of some size, whose inner cells may stay empty."""

    def start(rng: Random) -> Mapping[Cell, int] | None:
        return _hollowed(_grown(pieces, size, rng), size, rng)

    owners = _list_owners(pieces, size)
    return Canvas(pieces, owners, start, least=LEAST_CELLS, cooling=Cooling())


def make_sequential_canvas(pieces: int, size: Cell) -> Canvas:
    """Return the same for climbs, which begin with a box that comes apart piece by piece."""

    def start(rng: Random) -> Mapping[Cell, int] | None:
        found = cut(pieces, size, rng)
        if found is None:
            return None
        return {cell: number for number, piece in enumerate(found) for cell in piece.cells}

    cooling = choose_climb(pieces)._replace(hot=HOT, cold=COLD)
    return Canvas(pieces, _list_owners(pieces, size), start, least=LEAST_CELLS, cooling=cooling)


def _list_owners(pieces: int, size: Cell) -> dict[Cell, frozenset[int]]:
    """Return who may have each cell: inner ones may stay empty."""
    everyone = frozenset(range(pieces))
    return {
        cell: everyone | {NOBODY} if _is_inner(cell, size) else everyone
        for cell in Voxels.make_block(size).cells
    }


def _is_inner(cell: Cell, size: Cell) -> bool:
    return all(0 < cell[a] < size[a] - 1 for a in range(3))


def _grown(pieces: int, size: Cell, rng: Random) -> dict[Cell, int]:
    """Return pieces that grow from single cells until the box is full."""
    cells = Voxels.make_block(size).cells
    owner = {cell: i for i, cell in enumerate(rng.sample(cells, pieces))}
    steps = [direction.vector for direction in Direction]
    open_cells = [cell for cell in cells if cell not in owner]
    while open_cells:
        place = rng.randrange(len(open_cells))
        near = add(open_cells[place], rng.choice(steps))
        if near in owner:
            owner[open_cells[place]] = owner[near]
            open_cells[place] = open_cells[-1]
            open_cells.pop()
    return owner


def _hollowed(owner: dict[Cell, int], size: Cell, rng: Random) -> dict[Cell, int] | None:
    """Return the same without the inner cells that no piece needs; None if a piece is too small."""
    owned: dict[int, set[Cell]] = {}
    for cell, piece in owner.items():
        owned.setdefault(piece, set()).add(cell)
    inner = [cell for cell in sorted(owner) if _is_inner(cell, size)]
    rng.shuffle(inner)
    for cell in inner:
        left = owned[owner[cell]] - {cell}
        if len(left) >= LEAST_CELLS and is_whole(left):
            owned[owner[cell]] = left
            owner[cell] = NOBODY
    return owner if all(len(cells) >= LEAST_CELLS for cells in owned.values()) else None
