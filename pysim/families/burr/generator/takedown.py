"""Quick takedown of an assembly, for the search for hard locks.

Breadth first, as :mod:`pysim.families.burr.solver.separation`, over pieces that are held as rows of
bits, in tables that are made once and used for every assembly. A move one way with some pieces is
one the other way with all others, so +x, +y and +z are enough.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.rows import measure_rows
from pysim.families.burr.solver.movement import FAR, compute_closure, list_movable_sets, move_set
from pysim.kernels import kernel

__all__ = ["SearchBuffers", "Takedown", "create_buffers", "take_down"]

_MAX_SETS = 128
"""Sets of pieces that are tried in one direction and distance."""


class SearchBuffers(NamedTuple):
    """Room for one search, used again and again.

    Entries of the two hash tables are valid only if they bear the stamp of the present assembly.

    Attributes:
        nodes: (limit, n, 3) int32 offsets of configurations, with room for those of one more step.
        depths: (limit,) int32.
        table, table_stamps: configurations by hash.
        keys, key_stamps, values: (places, 6) pairs of pieces in a relative position by hash.
        stamp: (1,) the present assembly, and the present group of it.
    """

    nodes: NDArray[np.int32]
    depths: NDArray[np.int32]
    table: NDArray[np.int32]
    table_stamps: NDArray[np.int64]
    keys: NDArray[np.int64]
    key_stamps: NDArray[np.int64]
    values: NDArray[np.int32]
    stamp: NDArray[np.int64]


class Takedown(NamedTuple):
    """Result of a takedown.

    Attributes:
        level: moves to the first separation; 0 if there is none, -1 if the limit was reached.
        apart: whether the parts come apart to the last piece too.
        depth: moves to the remotest configuration that was looked at before a separation.
        visited: number of configurations up to the first separation.
        exits: pieces and directions in which something can be taken out first.
    """

    level: int
    apart: bool
    depth: int
    visited: int
    exits: int


def create_buffers(pieces: int, limit: int) -> SearchBuffers:
    """Room for assemblies of some pieces, and ``limit`` configurations of each group."""
    places = 1 << max(8, (4 * limit - 1).bit_length())
    pairs = 1 << max(8, (4 * limit * pieces - 1).bit_length())
    return SearchBuffers(
        np.zeros((limit + 1, pieces, 3), np.int32),
        np.zeros(limit + 1, np.int32),
        np.zeros(places, np.int32),
        np.zeros(places, np.int64),
        np.zeros(pairs, np.int64),
        np.zeros(pairs, np.int64),
        np.zeros((pairs, 6), np.int32),
        np.zeros(2, np.int64),
    )


@kernel
def take_down(rows: NDArray[np.uint64], bench: SearchBuffers) -> Takedown:
    """Take an assembly apart: each group at the first possibility, then the parts.

    Args:
        rows: the pieces, see :func:`~pysim.families.burr.generator.rows.create_rows`.
        bench: room for so many pieces; changed.
    """
    n = len(rows)
    bench.stamp[0] += 1
    members = np.arange(n)
    offsets = np.zeros((n, 3), np.int32)
    level, depth, visited, bits, exits = _explore(rows, members, offsets, bench)
    apart = level > 0 and _rest_comes_apart(rows, members, offsets, bits, bench)
    return Takedown(level, apart, depth, visited, exits)


@kernel
def _rest_comes_apart(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int32],
    bits: np.uint64,
    bench: SearchBuffers,
) -> bool:
    """Return whether the two parts of a separation come apart to the last piece."""
    groups = [_part(members, offsets, bits, True), _part(members, offsets, bits, False)]
    while len(groups) > 0:
        group, where = groups.pop()
        if len(group) == 1:
            continue
        level, _, _, bits, _ = _explore(rows, group, where, bench)
        if level <= 0:
            return False
        groups.append(_part(group, where, bits, True))
        groups.append(_part(group, where, bits, False))
    return True


@kernel
def _part(
    members: NDArray[np.int64], offsets: NDArray[np.int32], bits: np.uint64, moving: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    inside = np.array(
        [bool(bits >> np.uint64(i) & np.uint64(1)) == moving for i in range(len(members))]
    )
    return members[inside], offsets[inside]


@kernel
def _explore(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int32],
    bench: SearchBuffers,
) -> tuple[int, int, int, np.uint64, int]:
    """Level, depth, configurations, the set that can be taken out, and ways out.

    The offsets from which it is taken out are written into ``offsets``.
    """
    n = len(members)
    nodes, depths = bench.nodes, bench.depths
    bench.stamp[1] += 1
    reach = np.full((6, n, n), FAR, np.int32)
    sets = np.empty(_MAX_SETS, np.uint64)
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    for i in range(n):
        for a in range(3):
            nodes[0, i, a] = offsets[i, a] - offsets[0, a]
    depths[0] = 0
    count, head = 1, 0
    _enter(bench, 0, n)
    while head < count:
        _fill_reach(rows, members, nodes[head], bench, reach)
        exits, out = 0, full
        for d in range(6):
            for piece in range(n):
                bits = compute_closure(reach, d, piece, FAR, n)
                if bits != full:
                    exits += 1
                    out = bits
        if exits:
            for i in range(n):
                for a in range(3):
                    offsets[i, a] = nodes[head, i, a]
            return depths[head] + 1, depths[head], count, out, exits
        for axis in range(3):
            distance = 1
            while True:
                number, _ = list_movable_sets(reach, 2 * axis, distance, n, sets)
                if number == 0:
                    break
                for s in range(number):
                    move_set(nodes, head, count, n, sets[s], axis, distance)
                    if _enter(bench, count, n):
                        depths[count] = depths[head] + 1
                        count += 1
                        if count == len(nodes):
                            return -1, depths[head], count, full, 0
                distance += 1
        head += 1
    return 0, depths[count - 1], count, full, 0


@kernel
def _enter(bench: SearchBuffers, node: int, n: int) -> bool:
    """Put a configuration into the hash table; whether it is new."""
    nodes, table, stamps = bench.nodes, bench.table, bench.table_stamps
    mixed = np.uint64(1469598103934665603)
    for i in range(1, n):
        for a in range(3):
            mixed = (mixed ^ np.uint64(nodes[node, i, a] + 4096)) * np.uint64(1099511628211)
    last = np.uint64(len(table) - 1)
    place = (mixed ^ mixed >> np.uint64(29)) & last
    while stamps[place] == bench.stamp[1]:
        if _same(nodes, table[place], node, n):
            return False
        place = (place + np.uint64(1)) & last
    stamps[place] = bench.stamp[1]
    table[place] = node
    return True


@kernel
def _same(nodes: NDArray[np.int32], one: int, other: int, n: int) -> bool:
    for i in range(1, n):
        for a in range(3):
            if nodes[one, i, a] != nodes[other, i, a]:
                return False
    return True


@kernel
def _fill_reach(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int32],
    bench: SearchBuffers,
    reach: NDArray[np.int32],
) -> None:
    """As :func:`~pysim.families.burr.solver.movement.fill_reach`, for the pieces ``members``."""
    keys, stamps, values = bench.keys, bench.key_stamps, bench.values
    last = np.uint64(len(keys) - 1)
    n = len(members)
    relative = np.empty(3, np.int32)
    for i in range(n):
        for j in range(i + 1, n):
            key = members[i] * 64 + members[j]
            for a in range(3):
                relative[a] = offsets[j, a] - offsets[i, a]
                key = key * 4096 + relative[a] + 2048
            place = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & last
            while stamps[place] == bench.stamp[0] and keys[place] != key:
                place = (place + np.uint64(1)) & last
            if stamps[place] != bench.stamp[0]:
                stamps[place] = bench.stamp[0]
                keys[place] = key
                measure_rows(rows, members[i], members[j], relative, values[place])
            for d in range(6):
                reach[d, i, j] = values[place, d]
                reach[d ^ 1, j, i] = values[place, d]
