"""Simulated annealing for locks of many pieces, from one that comes apart.

A step gives one to three cells to other pieces, as in
:mod:`pysim.families.burr.generator.annealing`, but only to such as may have them: of many pieces,
few may. A change after which some pieces stay together for good costs so much for each of them, so
that the search stays near locks that come apart. Most changes are refused for the first separation
alone, before the rest is taken apart.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.annealing import (
    MORE_CELLS,
    MOST_CELLS,
    Annealed,
    Cooling,
    Sharing,
    give,
    is_touching,
    keeps_together,
    undo,
)
from pysim.families.burr.generator.rng import draw_below, draw_unit
from pysim.families.burr.generator.rows import measure_pieces
from pysim.families.burr.generator.takedown import SearchBuffers, create_buffers, explore, split
from pysim.kernels import kernel

__all__ = ["anneal_graded"]

_PER_DOUBLING = 0.05
"""What twice as many configurations are worth, in moves."""
_PER_EXIT = 0.1
"""What one way out less is worth."""
_PER_PIECE = 1.0
"""Moves that each piece costs which is not separated."""
_REFUSED = -1e9


def anneal_graded(
    sharing: Sharing, least: int, cooling: Cooling, target: int, rng: NDArray[np.uint64]
) -> Annealed:
    """Look for an assembly that comes apart in as many moves as possible, and give the best one.

    Args:
        sharing: where to start; changed.
        least: cells that every piece keeps.
        target: moves that are enough.
        rng: see :mod:`pysim.families.burr.generator.rng`; changed.
    """
    room = create_buffers(len(sharing.rows), cooling.configurations)
    level, label, tried = _anneal(sharing, least, cooling, target, rng, room)
    return Annealed(int(level), label, int(tried))


@kernel
def _anneal(
    sharing: Sharing,
    least: int,
    cooling: Cooling,
    target: int,
    rng: NDArray[np.uint64],
    room: SearchBuffers,
) -> tuple[int, NDArray[np.int32], int]:
    best, current = _grade(sharing.rows, _REFUSED, room)
    best_label, tried = sharing.label.copy(), 1
    changed = np.empty((MOST_CELLS, 2), np.int32)
    for step in range(cooling.steps):
        if best >= target:
            break
        count = _change(sharing, rng, changed)
        if not keeps_together(sharing, changed, count, least):
            undo(sharing, changed, count)
            continue
        heat = cooling.hot * (cooling.cold / cooling.hot) ** (step / cooling.steps)
        needed = current + heat * np.log(1.0 - draw_unit(rng))
        level, worth = _grade(sharing.rows, needed, room)
        tried += 1
        if worth < needed:
            undo(sharing, changed, count)
            continue
        current = worth
        if level >= max(1, best):
            best = level
            for cell in range(len(best_label)):
                best_label[cell] = sharing.label[cell]
    return best, best_label, tried


@kernel
def _change(sharing: Sharing, rng: NDArray[np.uint64], changed: NDArray[np.int32]) -> int:
    """Give some cells away, and write each with its last owner; their number."""
    wanted, count = 1, 0
    while wanted < MOST_CELLS and draw_unit(rng) < MORE_CELLS:
        wanted += 1
    while count < wanted:
        cell = sharing.free[draw_below(rng, len(sharing.free))]
        if count > 0:
            near = sharing.neighbours[changed[count - 1, 0], draw_below(rng, 6)]
            cell = near if near >= 0 else cell
        owner = _draw_owner(sharing, cell, rng)
        if owner < 0 or not is_touching(sharing, cell, owner):
            undo(sharing, changed, count)
            return 0
        changed[count, 0], changed[count, 1] = cell, sharing.label[cell]
        give(sharing, cell, owner)
        count += 1
    return count


@kernel
def _draw_owner(sharing: Sharing, cell: int | np.integer, rng: NDArray[np.uint64]) -> int:
    """Return another owner that a cell may have; -1 if there is none."""
    others = 0
    for owner in range(len(sharing.rows) + 1):
        if owner != sharing.label[cell] and sharing.allowed[cell] >> np.uint64(owner) & np.uint64(
            1
        ):
            others += 1
    if others == 0:
        return -1
    pick = draw_below(rng, others)
    for owner in range(len(sharing.rows) + 1):
        if owner != sharing.label[cell] and sharing.allowed[cell] >> np.uint64(owner) & np.uint64(
            1
        ):
            if pick == 0:
                return owner
            pick -= 1
    return -1


@kernel
def _grade(rows: NDArray[np.uint64], needed: float, room: SearchBuffers) -> tuple[int, float]:
    """Return the level of an assembly, 0 if it does not come apart, and its worth.

    Below ``needed`` the worth may be anything.
    """
    n = len(rows)
    measure_pieces(rows, room.boxes, room.digests)
    members, offsets = np.arange(n), np.zeros((n, 3), np.int32)
    level, _, visited, bits, exits = explore(rows, members, offsets, room)
    if level <= 0:
        return 0, _REFUSED
    worth = level + _PER_DOUBLING * np.log2(visited) - _PER_EXIT * exits
    if worth < needed:
        return 0, worth
    left = _count_left(rows, members, offsets, bits, (worth - needed) / _PER_PIECE, room)
    return (0 if left else level), worth - _PER_PIECE * left


@kernel
def _count_left(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int32],
    bits: np.uint64,
    most: float,
    room: SearchBuffers,
) -> int:
    """Count pieces that stay together after the first separation, up to more than ``most``."""
    groups = [split(members, offsets, bits, True), split(members, offsets, bits, False)]
    left = 0
    while len(groups) > 0 and left <= most:
        group, where = groups.pop()
        if len(group) == 1:
            continue
        level, _, _, bits, _ = explore(rows, group, where, room)
        if level <= 0:
            left += len(group)
            continue
        groups.append(split(group, where, bits, True))
        groups.append(split(group, where, bits, False))
    return left
