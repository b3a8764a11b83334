"""Burrs of 18 square rods, 2 x 2 cells thick, that cross in three directions.

The rods of each direction stand in two stacks of three, without gaps. Rods of the next direction
lie in the middle between two of a stack: each crosses rods of both other directions. Of rods that
lie side by side in two layers only the middle ones do (see
:mod:`pysim.families.burr.generator.rods`). The outer ones of three in a layer can always be lifted
by one unit and drawn out, so that those burrs have no level above 2.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

from pysim.families.burr.generator.annealing import Cooling
from pysim.families.burr.generator.canvas import NOBODY, Canvas, Filling
from pysim.families.burr.generator.carving import Bar, carve
from pysim.families.burr.generator.crossing import find_owners, make_block
from pysim.families.burr.generator.graded import COLD, HOT
from pysim.geometry import Cell

__all__ = ["LENGTH", "RODS", "crossing_bars", "make_canvas"]

RODS = 18
"""Lower stacks do not cross both of the next direction, and of higher ones no start is found."""
LENGTH = 8
COOLING = Cooling(steps=6000, hot=HOT, cold=COLD, configurations=5000)


def make_canvas() -> Canvas:
    """Return the places of the rods; a start has notches that let all be taken out."""
    bars = crossing_bars((2, 2, 2), (3, 3, 3))
    owners = find_owners(bars)

    def start(rng: Random) -> Mapping[Cell, int] | None:
        carved = carve(bars, rng)
        if carved is None:
            return None
        owned = {cell: piece for piece, cells in enumerate(carved) for cell in cells}
        return dict.fromkeys(owners, NOBODY) | owned

    return Canvas(RODS, owners, start, cooling=COOLING, filling=Filling.ALWAYS)


def crossing_bars(rows: Cell, stacked: Cell) -> tuple[Bar, ...]:
    """Bars of 2 x 2 cells along x, y and z that cross as those of a six-piece burr do.

    Bars along one axis stand in rows 4 units apart, each row a stack without gaps; bars along the
    next axis lie in the middle between two of the stack. ``(1, 1, 1), (2, 2, 2)`` is the six-piece
    burr.

    Args:
        rows: for the bars along x, y, z the number of rows, side by side along y, z, x.
        stacked: for the bars along x, y, z the bars in each row, stacked along z, x, y.
    """
    return tuple(bar for axis in range(3) for bar in _along(axis, rows, stacked))


def _along(axis: int, rows: Cell, stacked: Cell) -> Iterator[Bar]:
    length = 2 * stacked[(axis + 1) % 3] + 2
    for row, level in product(range(rows[axis]), range(stacked[axis])):
        yield make_block((0, 4 * row + 2, 2 * level + 1), (length, 2, 2), axis)
