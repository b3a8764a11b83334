"""Compute the level of an assembled lock, in the notation of designers."""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.lock import Lock
from pysim.families.burr.solver.exploration import index_cells
from pysim.families.burr.solver.separation import find_first_separation
from pysim.families.burr.solver.solve import BurrLevel

__all__ = ["compute_level"]

MAX_CONFIGURATIONS = 5_000_000
"""Maximum number of configurations of one group."""


def compute_level(lock: Lock, limit: int = MAX_CONFIGURATIONS) -> BurrLevel | None:
    """Return the moves to the first separation, then those of the parts; None if there is none.

    Parts are ordered as in :mod:`pysim.families.burr.solver.solve`: the remaining part comes before
    the removed one, and parts that need only single moves are omitted. Ties between equally short
    separations are broken by the lock's axes and the order of its pieces.

    Raises:
        SearchTooLarge: a group has more than ``limit`` configurations.
    """
    cells = [index_cells(piece.home.place(piece.shape).cells) for piece in lock.pieces]
    offsets = np.zeros((len(cells), 3), np.int32)
    return _compute_group_level(lock, cells, list(range(len(cells))), offsets, limit)


def _compute_group_level(
    lock: Lock,
    cells: list[NDArray[np.int32]],
    group: list[int],
    offsets: NDArray[np.int32],
    limit: int,
) -> BurrLevel | None:
    """Return the level of a group of pieces at ``offsets`` from their places in the lock."""
    if lock.may_stay(group):
        return ()
    weights = np.ones(len(group), np.int64)
    separation = find_first_separation([cells[piece] for piece in group], offsets, weights, limit)
    if separation is None:
        return None
    level: BurrLevel = (separation.moves,)
    for is_removed in (False, True):
        part = [i for i, moved in enumerate(separation.moved) if moved == is_removed]
        part_level = _compute_group_level(
            lock, cells, [group[i] for i in part], separation.offsets[part], limit
        )
        if part_level is None:
            return None
        if any(moves > 1 for moves in part_level):
            level += part_level
    return level
