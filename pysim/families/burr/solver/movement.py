"""Distances that pieces of a group can move: the compiled parts that searches share.

A configuration is one offset per piece. Pairs of pieces meet in the same relative positions again
and again, so what a pair can do is measured once and kept in a :class:`PairCache`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.limits import FAR, MAX_PIECES, MAX_SPREAD
from pysim.kernels import kernel

__all__ = [
    "FAR",
    "MAX_PIECES",
    "MAX_SPREAD",
    "PairCache",
    "close_sets",
    "compute_closure",
    "create_cache",
    "expand_set",
    "fill_reach",
    "has_set",
    "list_movable_sets",
    "measure",
    "move_set",
    "unite_sets",
]


class PairCache(NamedTuple):
    """A hash table of how far pairs of pieces can go in a relative position.

    Attributes:
        keys: (places,) int64, pair and relative position packed; -1 where a place is empty.
        values: (places, 6) int32, what :func:`measure` says.
        known: number of places that are filled.
    """

    keys: NDArray[np.int64]
    values: NDArray[np.int32]
    known: int


@kernel
def create_cache() -> PairCache:
    """Return a cache that knows of no pair."""
    return PairCache(np.full(1024, -1, np.int64), np.empty((1024, 6), np.int32), 0)


@kernel
def measure(
    mine: NDArray[np.int32],
    other: NDArray[np.int32],
    relative: NDArray[np.int32],
    free: NDArray[np.int32],
) -> None:
    """Write the units that the first piece can go in each direction before it hits the second."""
    for d in range(6):
        free[d] = FAR
    for p in range(len(mine)):
        x, y, z = mine[p, 0] - relative[0], mine[p, 1] - relative[1], mine[p, 2] - relative[2]
        for q in range(len(other)):
            dx, dy, dz = other[q, 0] - x, other[q, 1] - y, other[q, 2] - z
            if dy == 0 and dz == 0:
                d, gap = 0, dx
            elif dx == 0 and dz == 0:
                d, gap = 2, dy
            elif dx == 0 and dy == 0:
                d, gap = 4, dz
            else:
                continue
            if gap < 0:
                d, gap = d + 1, -gap
            if gap - 1 < free[d]:
                free[d] = gap - 1


@kernel
def find_key(keys: NDArray[np.int64], key: int | np.int64) -> int:
    """Return the slot of a key in the hash table ``keys``: its own or an empty one."""
    last = np.uint64(len(keys) - 1)
    place = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & last
    while keys[place] >= 0 and keys[place] != key:
        place = (place + np.uint64(1)) & last
    return int(place)


@kernel
def expand_cache(cache: PairCache) -> PairCache:
    """Return the same cache with four times as many places."""
    keys = np.full(4 * len(cache.keys), -1, np.int64)
    values = np.empty((4 * len(cache.keys), 6), np.int32)
    for k in range(len(cache.keys)):
        if cache.keys[k] >= 0:
            place = find_key(keys, cache.keys[k])
            keys[place] = cache.keys[k]
            for d in range(6):
                values[place, d] = cache.values[k, d]
    return PairCache(keys, values, cache.known)


@kernel
def fill_reach(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    pieces: NDArray[np.int64],
    offsets: NDArray[np.int32],
    cache: PairCache,
    reach: NDArray[np.int32],
) -> PairCache:
    """Write how far each piece of a configuration can go before it hits each other one.

    Args:
        cells: (m, 3), cells of all pieces that there are, one piece after another.
        starts: where each of them begins in ``cells``; the end of the last one after these.
        pieces: (n,), numbers of those that are in the configuration, each below 2048.
        offsets: (n, 3), added to their cells.
        cache: what is known of pairs of all these pieces.
        reach: (6, n, n), written: ``reach[d, i, j]`` is the number of units that piece i can go
            along direction d (+x -x +y -y +z -z) before it hits piece j, :data:`FAR` if it never
            does. The diagonal is left as it is.

    Returns:
        The cache to go on with; the one that was given may be out of date.
    """
    keys, values, known = cache.keys, cache.values, cache.known
    n = len(pieces)
    for i in range(n):
        for j in range(i + 1, n):
            one, other = pieces[i], pieces[j]
            relative = offsets[j] - offsets[i]
            key = np.int64(one * 2048 + other)
            for a in range(3):
                key = key * 4096 + relative[a] + 2048
            place = find_key(keys, key)
            if keys[place] < 0:
                if 2 * known > len(keys):
                    keys, values, known = expand_cache(PairCache(keys, values, known))
                    place = find_key(keys, key)
                mine = cells[starts[one] : starts[one + 1]]
                measure(mine, cells[starts[other] : starts[other + 1]], relative, values[place])
                keys[place] = key
                known += 1
            for d in range(6):
                reach[d, i, j] = values[place, d]
                reach[d ^ 1, j, i] = values[place, d]
    return PairCache(keys, values, known)


@kernel
def compute_closure(
    reach: NDArray[np.int32], d: int, piece: int, distance: int, n: int
) -> np.uint64:
    """The smallest set with ``piece`` that can go ``distance`` along direction d, as bits."""
    return expand_set(reach, d, np.uint64(1) << np.uint64(piece), distance, n)


@kernel
def expand_set(
    reach: NDArray[np.int32], d: int, moving: np.uint64, distance: int, n: int
) -> np.uint64:
    """As :func:`compute_closure`, of a set with all of some pieces."""
    one = np.uint64(1)
    frontier = moving
    while frontier:
        added = np.uint64(0)
        for i in range(n):
            if frontier >> np.uint64(i) & one:
                for j in range(n):
                    bit = one << np.uint64(j)
                    if not moving & bit and reach[d, i, j] < distance:
                        moving |= bit
                        added |= bit
        frontier = added
    return moving


@kernel(borrowing=True)
def close_sets(closed: NDArray[np.uint64], n: int) -> None:
    """Write the transitive closure of n sets, as bits, by Warshall's algorithm."""
    for k in range(n):
        for i in range(n):
            closed[i] |= closed[k] & (np.uint64(0) - (closed[i] >> np.uint64(k) & np.uint64(1)))


@kernel(borrowing=True)
def has_set(sets: NDArray[np.uint64], count: int, bits: np.uint64) -> bool:
    """Return whether a set is among the first ``count``."""
    for s in range(count):  # noqa: SIM110 - numba compiles loops, not generators
        if sets[s] == bits:
            return True
    return False


@kernel
def list_movable_sets(
    reach: NDArray[np.int32], d: int, units: int, n: int, sets: NDArray[np.uint64]
) -> tuple[int, bool]:
    """Write every set that can go some units along direction d, smallest ones first.

    Returns:
        How many were written, and whether there was room for all.
    """
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    count = 0
    for piece in range(n):
        bits = compute_closure(reach, d, piece, units, n)
        if bits != full and not has_set(sets, count, bits):
            sets[count] = bits
            count += 1
    return unite_sets(sets, count, full)


@kernel(borrowing=True)
def unite_sets(sets: NDArray[np.uint64], count: int, full: np.uint64) -> tuple[int, bool]:
    """Write all unions of the first ``count`` sets but the full one behind them.

    Returns:
        How many sets there are, and whether there was room for all.
    """
    smallest = count
    for m in range(smallest):
        for s in range(count):
            union = sets[s] | sets[m]
            if union == full or has_set(sets, count, union):
                continue
            if count == len(sets):
                return count, False
            sets[count] = union
            count += 1
    return count, True


@kernel(borrowing=True)
def move_set(
    nodes: NDArray[np.int32] | NDArray[np.int16],
    source: int,
    target: int,
    n: int,
    bits: np.uint64,
    axis: int,
    by: int,
) -> None:
    """Write the configuration after a move, relative to the first of its n pieces again."""
    base = by if bits & np.uint64(1) else 0
    for i in range(n):
        for a in range(3):
            nodes[target, i, a] = nodes[source, i, a]
        if bits >> np.uint64(i) & np.uint64(1):
            nodes[target, i, axis] += by
        nodes[target, i, axis] -= base
