"""Burrs of square rods, 2 x 2 cells thick, that cross in three directions.

The rods of each direction lie side by side in two layers around the middle: two rods in each
direction are the classic six-piece burr, four the 12-piece, six the 18-piece one.
"""

from collections.abc import Mapping, Sequence
from random import Random

from pysim.families.burr.generator.annealing import Cooling
from pysim.families.burr.generator.canvas import Canvas, Filling
from pysim.families.burr.generator.crossing import (
    count_by_axis,
    find_owners,
    make_block,
    share_cells,
    to_origin,
)
from pysim.geometry import Bounds, Cell

__all__ = ["list_places", "make_canvas", "measure_core"]


PITCH = 4
"""Cells from one rod to the next in a layer."""

EMPTY = 0.9
"""Share of the crossing cells that are empty at first: rods cut so deep can move."""


def make_canvas(pieces: int, length: int) -> Canvas:
    """Return the places of ``pieces`` rods, their crossing cells to be shared out."""
    slots = list_places(pieces, length)

    def start(rng: Random) -> Mapping[Cell, int] | None:
        return share_cells(slots, _spines(slots, rng), EMPTY, rng)

    cooling = choose_cooling(pieces)
    return Canvas(pieces, find_owners(slots), start, cooling=cooling, filling=Filling.ALWAYS)


def choose_cooling(pieces: int) -> Cooling:
    """A loose assembly of many pieces has more configurations than one cares to look at."""
    return Cooling(steps=60_000, configurations=max(200, 6000 // pieces))


def measure_core(pieces: int) -> int:
    """Return cells over which the rods of one direction extend at most: what a rod has to span."""
    return max(4, max(PITCH * (max(_layers(n)) - 1) + 2 for n in count_by_axis(pieces)))


def list_places(pieces: int, length: int) -> list[frozenset[Cell]]:
    """Return the full rods, the low corner of the whole at the origin."""
    slots = []
    for along, count in enumerate(count_by_axis(pieces)):
        layers = _layers(count)
        for layer, number in enumerate(layers):
            for k in range(number):
                across = PITCH * k - PITCH * (number - 1) // 2 - 1
                up = 2 * layer - 2 * (len(layers) // 2)
                slots.append(make_block((-length // 2, across, up), (length, 2, 2), along))
    return to_origin(slots)


def _spines(slots: Sequence[frozenset[Cell]], rng: Random) -> dict[Cell, int]:
    """For each rod one line of cells from end to end, such that no two lines meet.

    A rod along x keeps its cells with even y and odd z, and so on in turn: lines along x and y then
    differ in z. Which of two neighbouring coordinates counts as even is drawn for each axis.
    """
    odd = [rng.randrange(2) for _ in range(3)]
    kept: dict[Cell, int] = {}
    for rod, slot in enumerate(slots):
        size = Bounds.cover(Bounds(cell, cell) for cell in slot).size
        along = size.index(max(size))
        y, z = (along + 1) % 3, (along + 2) % 3
        for cell in slot:
            if cell[y] % 2 == odd[y] and cell[z] % 2 != odd[z]:
                kept[cell] = rod
    return kept


def _layers(count: int) -> list[int]:
    """Rods of one direction, in each of their layers."""
    return [count] if count == 1 else [(count + 1) // 2, count // 2]
