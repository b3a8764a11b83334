"""Recutting notches until as little as possible can move: hill climbing.

Cells that several bars could have are given from one to another, one or a few at a time. A change
stays if the pieces stay whole, still come apart, and are no looser than before.
"""

import random
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.carving import Bar
from pysim.families.burr.solver.assembled import compute_level
from pysim.families.burr.solver.limits import SearchTooLarge
from pysim.families.burr.solver.movement import FAR, compute_closure, create_cache, fill_reach
from pysim.geometry import Cell, Voxels
from pysim.kernels import kernel
from tools.locks.building import lock_of

__all__ = ["climb", "depth_cost", "looseness"]

MOST_CONFIGURATIONS = 3000
"""Locks whose parts have more are not wanted by :func:`depth_cost`."""


def looseness(pieces: Sequence[Bar]) -> float:
    """Count sets of pieces that can move, summed over a way of taking them out one by one.

    Pieces, or groups of them, that can leave in a straight line are taken away, first come first
    served. Infinite if that ends before all are apart.
    """
    cells = [np.array(sorted(piece), np.int32) for piece in pieces]
    starts = np.cumsum([0] + [len(piece) for piece in cells]).astype(np.int64)
    reach = np.full((6, len(cells), len(cells)), FAR, np.int32)
    still = np.zeros((len(cells), 3), np.int32)
    numbers = np.arange(len(cells), dtype=np.int64)
    fill_reach(np.concatenate(cells), starts, numbers, still, create_cache(), reach)
    total = _count(reach, len(cells))
    return float("inf") if total < 0 else float(total)


def depth_cost(pieces: Sequence[Bar]) -> float:
    """Lower for more moves to the first separation, then for more moves to the later ones.

    After these, cells that are left to no bar cost something, and what can move does.
    """
    try:
        level = compute_level(lock_of(pieces), MOST_CONFIGURATIONS)
    except (ValueError, SearchTooLarge):
        return float("inf")
    if not level:
        return float("inf")
    depth = 10 * level[0] + 2 * sum(moves - 1 for moves in level[1:])
    return min(looseness(pieces), 900) / 1000 - depth - sum(map(len, pieces)) / 1000


def climb(
    bars: Sequence[Bar],
    pieces: Sequence[Bar],
    cost: Callable[[Sequence[Bar]], float],
    rounds: int,
    rng: random.Random,
    holes: bool = False,
) -> tuple[Bar, ...]:
    """Return pieces of the same bars, of the least ``cost`` that was found.

    Args:
        bars: the bars before they were notched.
        pieces: what is left of them.
        cost: infinite for pieces that are not wanted at all.
        rounds: changes to try.
        rng: decides what is tried.
        holes: whether cells may also be left to no bar.
    """
    best, least = tuple(pieces), cost(pieces)
    shared = sorted(
        {c for i, bar in enumerate(bars) for c in bar for j in range(i) if c in bars[j]}
    )
    for _ in range(rounds):
        changed = _changed(bars, best, _patch(shared, rng), rng, holes)
        if changed is None:
            continue
        found = cost(changed)
        if found <= least:
            best, least = changed, found
    return best


def _patch(shared: Sequence[Cell], rng: random.Random) -> frozenset[Cell]:
    """Return a random block of one to eight neighbouring cells."""
    x, y, z = rng.choice(shared)
    size = [rng.choice((1, 1, 2)) for _ in range(3)]
    block = Voxels.make_block((size[0], size[1], size[2])).translate((x, y, z))
    return block.cell_set.intersection(shared)


def _changed(
    bars: Sequence[Bar],
    pieces: Sequence[Bar],
    patch: frozenset[Cell],
    rng: random.Random,
    holes: bool,
) -> tuple[Bar, ...] | None:
    """The pieces once one bar, or none, has what it covers of a patch; None if that breaks one."""
    takers = [i for i, bar in enumerate(bars) if patch & bar - pieces[i]]
    if holes and patch & frozenset().union(*pieces):
        takers.append(len(bars))
    if not takers:
        return None
    taker = rng.choice(takers)
    taken = patch & bars[taker] if taker < len(bars) else patch
    after = tuple(piece | taken if i == taker else piece - taken for i, piece in enumerate(pieces))
    touched = (i for i, piece in enumerate(pieces) if i == taker or piece & taken)
    whole = all(after[i] and Voxels.from_cells(after[i]).is_connected for i in touched)
    return after if whole else None


@kernel
def _count(reach: NDArray[np.int32], n: int) -> int:
    """Compute :func:`looseness`; -1 if the pieces don't come apart."""
    one = np.uint64(1)
    here = (one << np.uint64(n)) - one
    groups = [here]
    total = 0
    while len(groups) > 0:
        here = groups.pop()
        # Pieces that are gone are in nobody's way.
        near = reach.copy()
        for j in range(n):
            if not here >> np.uint64(j) & one:
                near[:, :, j] = FAR
        out = np.uint64(0)
        for d in range(6):
            seen = [np.uint64(0)]
            for i in range(n):
                if not here >> np.uint64(i) & one:
                    continue
                bits = compute_closure(near, d, i, 1, n)
                if bits != here and bits not in seen:
                    seen.append(bits)
                    total += 1
                bits = compute_closure(near, d, i, FAR, n)
                if bits != here and (out == 0 or bits < out):
                    out = bits
        if out == 0:
            return -1
        for part in (out, here & ~out):
            if part & (part - one):
                groups.append(part)
    return total
