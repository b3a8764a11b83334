"""The first separation of interlocked pieces, breadth first, compiled.

A configuration is one offset per piece, relative to the first. From each, every set of pieces that
can move along an axis by k units without another one in its way is tried: the smallest such set
with a given piece, and unions of these. No more than half of the pieces are moved. Order decides
between equally short ways, and with it the levels of the parts that remain: single pieces that can
be taken out come before groups, groups before other moves, directions go +x -x +y -y +z -z, pieces
by number, distances upwards, unions after the set that makes them, the latest first. That is the
order of BurrTools, whose counts are the reference. Directions and numbers belong to the drawing;
for what does not depend on it, see :mod:`pysim.families.burr.solver.standing`.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pysim.families.burr.design import DesignError
from pysim.families.burr.solver.movement import (
    FAR,
    MAX_PIECES,
    MAX_SPREAD,
    closure,
    empty_cache,
    fill_reach,
    move_set,
)

__all__ = ["SearchTooLarge", "Separation", "first_separation"]

_MAX_SETS = 4096
"""Sets of pieces that may move in one direction from one configuration."""


@dataclass(frozen=True, slots=True)
class Separation:
    """How a group first comes apart.

    Attributes:
        moves: moves that it takes, the separating one included.
        offsets: (n, 3) int32, of the pieces just before that move.
        moved: for each piece whether it is taken away.
    """

    moves: int
    offsets: NDArray[np.int32]
    moved: tuple[bool, ...]


class SearchTooLarge(DesignError):
    """A group has more configurations than the search may visit."""


def first_separation(
    cells: list[NDArray[np.int32]],
    offsets: NDArray[np.int32],
    weights: NDArray[np.int64],
    limit: int,
) -> Separation | None:
    """The first separation of a group, or None if it stays together.

    Args:
        cells: for each piece its cells, (m, 3).
        offsets: (n, 3), added to the cells.
        weights: for each piece; where the pieces that would move hold the heaviest, the others
            count as taken away.
        limit: configurations to visit.

    Raises:
        SearchTooLarge: the limit was reached.
    """
    count = len(cells)
    spread = sum(int(np.ptp(piece, axis=0).max()) + 1 for piece in cells)
    if count > MAX_PIECES or spread > MAX_SPREAD:
        raise SearchTooLarge(f"{count} pieces that can spread over {spread} units")
    starts = np.cumsum([0] + [len(piece) for piece in cells]).astype(np.int64)
    found, moves, where, mask = _explore(
        np.concatenate(cells), starts, offsets.astype(np.int32), count, weights, limit
    )
    if found < 0:
        raise SearchTooLarge(f"more than {limit:,} configurations of {count} pieces")
    if found == 0:
        return None
    return Separation(int(moves), where, tuple(bool(int(mask) >> i & 1) for i in range(count)))


@njit(cache=True)
def _size(bits: np.uint64) -> int:
    count = 0
    while bits:
        bits &= bits - np.uint64(1)
        count += 1
    return count


@njit(cache=True)
def _slot(nodes: NDArray[np.int32], k: int, n: int, table: NDArray[np.int64]) -> int:
    """Where configuration k stands in the hash table: its own or an empty place."""
    mixed = np.uint64(1469598103934665603)
    for i in range(n):
        for a in range(3):
            mixed = (mixed ^ np.uint64(nodes[k, i, a] + 1000)) * np.uint64(1099511628211)
    last = np.uint64(len(table) - 1)
    place = mixed & last
    while table[place] >= 0:
        if np.array_equal(nodes[table[place]], nodes[k]):
            break
        place = (place + np.uint64(1)) & last
    return int(place)


@njit(cache=True)
def _taken(reach: NDArray[np.int32], weights: NDArray[np.int64], n: int) -> np.uint64:
    """The pieces that can be taken out now, as bits; none if nothing can."""
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    for most in (1, n // 2):
        for d in range(6):
            for piece in range(n):
                bits = closure(reach, d, piece, FAR, n)
                if bits == full or _size(bits) > most:
                    continue
                moving, staying = 0, 0
                for i in range(n):
                    if bits >> np.uint64(i) & np.uint64(1):
                        moving = max(moving, weights[i])
                    else:
                        staying = max(staying, weights[i])
                return full & ~bits if staying < moving else bits
    return np.uint64(0)


@njit(cache=True)
def _moves(
    reach: NDArray[np.int32], d: int, n: int, sets: NDArray[np.uint64], by: NDArray[np.int64]
) -> int:
    """Write the sets that can move along d, and how far; their number."""
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    count = 0
    for piece in range(n):
        distance = 0
        while True:
            distance += 1
            bits = closure(reach, d, piece, distance, n)
            if bits == full or _size(bits) > n // 2:
                break
            known = count
            if not _add(sets, by, count, bits, distance):
                continue
            count += 1
            for s in range(known - 1, -1, -1):
                union = sets[s] | bits
                if by[s] != distance or union in (full, bits) or union == sets[s]:
                    continue
                if count < _MAX_SETS and _add(sets, by, count, union, distance):
                    count += 1
    return count


@njit(cache=True)
def _add(
    sets: NDArray[np.uint64], by: NDArray[np.int64], count: int, bits: np.uint64, distance: int
) -> bool:
    """Write a set behind the first ``count`` unless it is among them."""
    for s in range(count):
        if sets[s] == bits and by[s] == distance:
            return False
    sets[count] = bits
    by[count] = distance
    return True


@njit(cache=True)
def _explore(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    offsets: NDArray[np.int32],
    n: int,
    weights: NDArray[np.int64],
    limit: int,
) -> tuple[int, int, NDArray[np.int32], np.uint64]:
    """1 with depth, configuration and bits; 0 if nothing comes apart; -1 at the limit."""
    nodes = np.empty((64, n, 3), np.int32)
    depths = np.zeros(64, np.int32)
    table = np.full(256, -1, np.int64)
    reach = np.full((6, n, n), FAR, np.int32)
    cache = empty_cache()
    sets = np.empty(_MAX_SETS + 1, np.uint64)
    by = np.empty(_MAX_SETS + 1, np.int64)
    for i in range(n):
        for a in range(3):
            nodes[0, i, a] = offsets[i, a] - offsets[0, a]
    table[_slot(nodes, 0, n, table)] = 0
    count, head = 1, 0
    while head < count:
        if count > limit:
            return -1, 0, nodes[0], np.uint64(0)
        cache = fill_reach(cells, starts, nodes[head], cache, reach)
        bits = _taken(reach, weights, n)
        if bits:
            return 1, depths[head] + 1, nodes[head].copy(), bits
        for d in range(6):
            for s in range(_moves(reach, d, n, sets, by)):
                if count == len(nodes):
                    nodes = np.concatenate((nodes, np.empty_like(nodes)))
                    depths = np.concatenate((depths, np.empty_like(depths)))
                move_set(nodes, head, count, n, sets[s], d >> 1, by[s] if d % 2 == 0 else -by[s])
                place = _slot(nodes, count, n, table)
                if table[place] >= 0:
                    continue
                table[place] = count
                depths[count] = depths[head] + 1
                count += 1
                if 2 * count > len(table):
                    table = np.full(4 * len(table), -1, np.int64)
                    for k in range(count):
                        table[_slot(nodes, k, n, table)] = k
        head += 1
    return 0, 0, nodes[0], np.uint64(0)
