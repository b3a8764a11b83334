"""The level of a lock that stands assembled, as designers write it."""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.lock import Lock
from pysim.families.burr.solver.exploration import index_cells
from pysim.families.burr.solver.separation import find_first_separation
from pysim.families.burr.solver.solve import BurrLevel

__all__ = ["compute_level"]

MAX_CONFIGURATIONS = 5_000_000
"""Configurations that one group may have before its search is given up."""


def compute_level(lock: Lock, limit: int = MAX_CONFIGURATIONS) -> BurrLevel | None:
    """Moves to the first separation, then those of the parts; None if the lock stays together.

    Parts are told as in :mod:`pysim.families.burr.solver.solve`: what stays comes before what was
    taken away, and parts that need only single moves are left out. Between equally short ways the
    lock's own axes and the order of its pieces decide.

    Raises:
        SearchTooLarge: a group has more than ``limit`` configurations.
    """
    cells = [index_cells(piece.home.place(piece.shape).cells) for piece in lock.pieces]
    still = np.zeros((len(cells), 3), np.int32)
    return _take(lock, cells, list(range(len(cells))), still, limit)


def _take(
    lock: Lock,
    cells: list[NDArray[np.int32]],
    group: list[int],
    offsets: NDArray[np.int32],
    limit: int,
) -> BurrLevel | None:
    if lock.may_stay(group):
        return ()
    equal = np.ones(len(group), np.int64)
    found = find_first_separation([cells[piece] for piece in group], offsets, equal, limit)
    if found is None:
        return None
    level: BurrLevel = (found.moves,)
    for taken in (False, True):
        part = [i for i, moved in enumerate(found.moved) if moved == taken]
        rest = _take(lock, cells, [group[i] for i in part], found.offsets[part], limit)
        if rest is None:
            return None
        if any(moves > 1 for moves in rest):
            level += rest
    return level
