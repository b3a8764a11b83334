"""Burrs of boards that cross in three directions, like the six-board burr.

Boards of one direction stand face to face, two cells from one to the next: thin ones with room
between, thick ones touching. Those of the next direction pass through them and around.
"""

from collections.abc import Mapping
from random import Random

from pysim.families.burr.generator.canvas import Canvas
from pysim.families.burr.generator.crossing import (
    count_by_axis,
    find_owners,
    make_block,
    share_cells,
    to_origin,
)
from pysim.families.burr.generator.rods import choose_cooling
from pysim.geometry import Cell

__all__ = ["compute_least_length", "list_places", "make_canvas"]

PITCH = 2
"""Cells from one board to the next of the same direction."""
EMPTY = 0.4
"""Share of the crossing cells that are empty at first: boards cut deeper fall apart."""


def make_canvas(pieces: int, length: int, thickness: int) -> Canvas:
    """Return the places of ``pieces`` boards, their crossing cells to be shared out."""
    slots = list_places(pieces, length, thickness)

    def start(rng: Random) -> Mapping[Cell, int] | None:
        return share_cells(slots, {}, EMPTY, rng)

    return Canvas(pieces, find_owners(slots), start, cooling=choose_cooling(pieces))


def compute_least_length(pieces: int, thickness: int) -> int:
    """Return the shortest boards that reach past those which they cross."""
    least = _stack(max(count_by_axis(pieces)), thickness) + 3
    return least + least % 2


def list_places(pieces: int, length: int, thickness: int) -> list[frozenset[Cell]]:
    """Return the full boards, the low corner of the whole at the origin.

    A board is ``length`` long, ``length`` - 2 wide, and ``thickness`` thick.
    """
    slots = []
    for along, count in enumerate(count_by_axis(pieces)):
        for k in range(count):
            up = PITCH * k - _stack(count, thickness) // 2
            low = (-length // 2, -(length - 2) // 2, up)
            slots.append(make_block(low, (length, length - 2, thickness), along))
    return to_origin(slots)


def _stack(count: int, thickness: int) -> int:
    """Return cells over which the boards of one direction extend across their faces."""
    return PITCH * (count - 1) + thickness
