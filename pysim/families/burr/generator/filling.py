"""Filling of empty cells: a lock with fewer voids has fewer solutions.

Locks that annealing finds for a low level are loose, and can be built in many ways. Of 60 six-piece
burrs of level 3 or more 7 had one solution, and 31 once their voids were filled.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.annealing import Annealed, Sharing, give, is_touching
from pysim.families.burr.generator.rng import draw_below
from pysim.families.burr.generator.takedown import SearchBuffers, create_buffers, take_down
from pysim.kernels import kernel

__all__ = ["fill"]


def fill(
    sharing: Sharing, found: Annealed, configurations: int, rng: NDArray[np.uint64]
) -> NDArray[np.int32]:
    """Give empty cells of a lock to pieces beside them, as long as its level does not fall.

    Args:
        sharing: the cells, however they are shared out.
        found: the lock.
        configurations: most configurations that are looked at of one assembly.
        rng: see :mod:`pysim.families.burr.generator.rng`; changed.

    Returns:
        (m,) owners of the cells.
    """
    filled = sharing.share(found.label)
    _fill(filled, found.level, rng, create_buffers(len(sharing.rows), configurations))
    return filled.label


@kernel
def _fill(sharing: Sharing, level: int, rng: NDArray[np.uint64], room: SearchBuffers) -> None:
    """Go through all cells in random order until none can be given away."""
    order, nobody = sharing.free.copy(), len(sharing.rows)
    is_changed = True
    while is_changed:
        is_changed = False
        for last in range(len(order) - 1, 0, -1):
            other = draw_below(rng, last + 1)
            order[last], order[other] = order[other], order[last]
        for cell in order:
            if sharing.label[cell] == nobody and _give_away(sharing, cell, level, rng, room):
                is_changed = True


@kernel
def _give_away(
    sharing: Sharing,
    cell: int | np.integer,
    level: int,
    rng: NDArray[np.uint64],
    room: SearchBuffers,
) -> bool:
    """Give a cell to one of the pieces beside it that leaves the level; False if none does."""
    nobody = len(sharing.rows)
    first = draw_below(rng, nobody)
    for turn in range(nobody):
        owner = (first + turn) % nobody
        may = sharing.allowed[cell] >> np.uint64(owner) & np.uint64(1)
        if may and is_touching(sharing, cell, owner):
            give(sharing, cell, owner)
            found = take_down(sharing.rows, room)
            if found.apart and found.level >= level:
                return True
            give(sharing, cell, nobody)
    return False
