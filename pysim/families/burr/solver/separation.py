"""The first separation of interlocked pieces, breadth first, compiled.

A configuration is one place per piece, relative to the first. From each, every set of pieces that
can move along an axis by k units without another one in its way is tried: the smallest such set
with a given piece, and unions of these. No more than half of the pieces are moved. Order decides
between equally short ways, and with it the levels of the parts that remain: single pieces that can
be taken out come before groups, groups before other moves, directions go +x -x +y -y +z -z, pieces
by number, distances upwards, unions after the set that makes them, the latest first. That is the
order of BurrTools, whose counts are the reference. Directions and numbers belong to the drawing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.gaps import Gaps, Stock, create_gaps, fill_gaps
from pysim.families.burr.solver.limits import (
    FAR,
    MAX_SETS,
    SearchTooLarge,
    check_spread,
    describe_too_many,
)
from pysim.families.burr.solver.movement import move_set
from pysim.kernels import kernel

__all__ = [
    "APART",
    "TOGETHER",
    "TOO_LARGE",
    "Separation",
    "find_blocked",
    "find_first_separation",
    "find_removable",
    "search_separation",
]

APART, TOGETHER, TOO_LARGE = range(3)
"""What became of a group."""


@dataclass(frozen=True, slots=True)
class Separation:
    """First separation of a group.

    Attributes:
        moves: moves that it takes, the separating one included.
        offsets: (n, 3) int32, of the pieces just before that move, relative to the first.
        moved: for each piece whether it is taken away.
    """

    moves: int
    offsets: NDArray[np.int32]
    moved: tuple[bool, ...]


def find_first_separation(
    cells: list[NDArray[np.int32]],
    offsets: NDArray[np.int32],
    weights: NDArray[np.int64],
    limit: int,
) -> Separation | None:
    """Return the first separation of a group, or None if it stays together.

    Args:
        cells: for each piece its cells, (m, 3).
        offsets: (n, 3), added to the cells.
        weights: for each piece; where the pieces that would move hold the heaviest, the others
            count as taken away.
        limit: configurations to visit.

    Raises:
        SearchTooLarge: the limit was reached.
    """
    stock = Stock.from_shapes(cells)
    check_spread(stock.lengths.tolist())
    corners = np.array([piece.min(axis=0) for piece in cells], np.int32)
    found, moves, where, bits, _ = search_separation(
        stock,
        create_gaps(),
        np.arange(len(cells)),
        corners + offsets.astype(np.int32),
        weights,
        limit,
    )
    if found == TOO_LARGE:
        raise SearchTooLarge(describe_too_many(len(cells), limit))
    if found == TOGETHER:
        return None
    moved = tuple(bool(int(bits) >> i & 1) for i in range(len(cells)))
    low = corners - corners[0]
    return Separation(int(moves), where - low, moved)


@kernel
def _slot(nodes: NDArray[np.int32], k: int, n: int, table: NDArray[np.int64]) -> int:
    """Return the slot of configuration k in the hash table: its own or an empty one."""
    mixed = np.uint64(1469598103934665603)
    for i in range(n):
        for a in range(3):
            mixed = (mixed ^ np.uint64(nodes[k, i, a] + 4096)) * np.uint64(1099511628211)
    last = np.uint64(len(table) - 1)
    place = (mixed ^ mixed >> np.uint64(29)) & last
    while table[place] >= 0:
        if _equal(nodes, table[place], k, n):
            break
        place = (place + np.uint64(1)) & last
    return int(place)


@kernel
def _equal(nodes: NDArray[np.int32], one: int, other: int, n: int) -> bool:
    for i in range(n):
        for a in range(3):
            if nodes[one, i, a] != nodes[other, i, a]:
                return False
    return True


@kernel
def _hinder(
    reach: NDArray[np.int32], d: int, units: int, n: int, hindered: NDArray[np.uint64]
) -> None:
    """Write for each piece those that it would hit if it went so far, as bits."""
    for i in range(n):
        bits = np.uint64(0)
        for j in range(n):
            if reach[d, i, j] < units:
                bits |= np.uint64(1) << np.uint64(j)
        hindered[i] = bits


@kernel
def _closure(hindered: NDArray[np.uint64], piece: int, most: int, group: np.uint64) -> np.uint64:
    """The smallest set of a group that can go with a piece; none if it has more than ``most``."""
    one = np.uint64(1)
    moving, reached, size = np.uint64(0), one << np.uint64(piece), 0
    while reached:
        size += 1
        if size > most:
            return np.uint64(0)
        i = 0
        while not reached >> np.uint64(i) & one:
            i += 1
        moving |= one << np.uint64(i)
        reached = (reached | hindered[i] & group) & ~moving
    return moving


@kernel
def find_blocked(reach: NDArray[np.int32], n: int, blocked: NDArray[np.uint64]) -> None:
    """Write for each direction and piece those that are in its way however far, as bits."""
    for d in range(6):
        _hinder(reach, d, FAR, n, blocked[d])


@kernel
def find_removable(
    blocked: NDArray[np.uint64], group: np.uint64, size: int, weights: NDArray[np.int64]
) -> np.uint64:
    """Return the pieces of a group that can be taken out now, as bits; none if nothing can.

    Args:
        blocked: (6, n), see :func:`find_blocked`.
        group: the pieces that are there, as bits.
        size: how many these are.
        weights: (n,), see :func:`find_first_separation`.
    """
    one = np.uint64(1)
    for most in (1, size // 2):
        for d in range(6):
            for piece in range(len(weights)):
                if not group >> np.uint64(piece) & one:
                    continue
                bits = _closure(blocked[d], piece, most, group)
                if not bits:
                    continue
                rest = group & ~bits
                return rest if _heaviest(weights, rest) < _heaviest(weights, bits) else bits
    return np.uint64(0)


@kernel
def _heaviest(weights: NDArray[np.int64], pieces: np.uint64) -> int:
    """Return the largest weight of some pieces; 0 if none has more."""
    largest = 0
    for i in range(len(weights)):
        if pieces >> np.uint64(i) & np.uint64(1):
            largest = max(largest, weights[i])
    return largest


@kernel
def _moves(
    reach: NDArray[np.int32],
    d: int,
    n: int,
    sets: NDArray[np.uint64],
    by: NDArray[np.int64],
    hindered: NDArray[np.uint64],
) -> int:
    """Write the sets that can move along d, and how far; their number."""
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    count = 0
    for piece in range(n):
        distance = 0
        while count < MAX_SETS:
            distance += 1
            _hinder(reach, d, distance, n, hindered)
            bits = _closure(hindered, piece, n // 2, full)
            if not bits:
                break
            known = count
            if not _add(sets, by, count, bits, distance):
                continue
            count += 1
            for s in range(known - 1, -1, -1):
                union = sets[s] | bits
                if by[s] != distance or union in (full, bits) or union == sets[s]:
                    continue
                if count < MAX_SETS and _add(sets, by, count, union, distance):
                    count += 1
    return count


@kernel
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


@kernel
def search_separation(
    stock: Stock,
    gaps: Gaps,
    shapes: NDArray[np.int64],
    places: NDArray[np.int32],
    weights: NDArray[np.int64],
    limit: int,
) -> tuple[int, int, NDArray[np.int32], np.uint64, Gaps]:
    """Search a group; return moves, configuration and bits where it came apart, and the table."""
    n = len(shapes)
    reach = np.full((6, n, n), FAR, np.int32)
    nodes = np.empty((64, n, 3), np.int32)
    for i in range(n):
        for a in range(3):
            nodes[0, i, a] = places[i, a] - places[0, a]
    depths = np.zeros(64, np.int32)
    table = np.full(256, -1, np.int64)
    sets = np.empty(MAX_SETS, np.uint64)
    by = np.empty(MAX_SETS, np.int64)
    hindered = np.empty(n, np.uint64)
    blocked = np.empty((6, n), np.uint64)
    group = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    table[_slot(nodes, 0, n, table)] = 0
    count, head = 1, 0
    while head < count:
        if count > limit:
            return TOO_LARGE, 0, nodes[0], np.uint64(0), gaps
        gaps = fill_gaps(stock, gaps, shapes, nodes[head], reach)
        find_blocked(reach, n, blocked)
        bits = find_removable(blocked, group, n, weights)
        if bits:
            return APART, depths[head] + 1, nodes[head].copy(), bits, gaps
        for d in range(6):
            for s in range(_moves(reach, d, n, sets, by, hindered)):
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
    return TOGETHER, 0, nodes[0], np.uint64(0), gaps
