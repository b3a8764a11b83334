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
    MOST_CELLS,
    PER_DOUBLING,
    PER_EXIT,
    Annealed,
    Cooling,
    Sharing,
    change,
    keeps_together,
    undo,
)
from pysim.families.burr.generator.rng import draw_unit
from pysim.families.burr.generator.rows import measure_pieces
from pysim.families.burr.generator.takedown import (
    SearchBuffers,
    count_left,
    create_buffers,
    explore,
)
from pysim.kernels import kernel

__all__ = ["COLD", "HOT", "anneal_graded"]

HOT, COLD = 0.7, 0.2
"""Temperatures at which such a search begins and ends, in moves."""

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
        count = change(sharing, rng, changed, True)
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
    worth = level + PER_DOUBLING * np.log2(visited) - PER_EXIT * exits
    if worth < needed:
        return 0, worth
    left = count_left(rows, members, offsets, bits, (worth - needed) / _PER_PIECE, room)
    return (0 if left else level), worth - _PER_PIECE * left
