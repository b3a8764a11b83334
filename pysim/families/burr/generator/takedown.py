"""Quick takedown of an assembly, for the search for hard locks.

Breadth first, as :mod:`pysim.families.burr.solver.separation`, over pieces that are held as rows of
bits, in tables that are made once and used for every assembly. A move one way with some pieces is
one the other way with all others, so +x, +y and +z are enough.

Pieces in the way of others are bits of words. A set can move if none of its pieces has one outside
it in the way. There is no such set, and so no need to look for any, if each piece is pushed by each
other one: from any one of them all others are reached, forward and backward.

A move changes what is between those that move and those that stay. All else is kept with each
configuration, and copied.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.rows import measure_pieces, measure_rows
from pysim.families.burr.solver.movement import FAR, close_sets, has_set, move_set, unite_sets
from pysim.kernels import kernel

__all__ = ["SearchBuffers", "Takedown", "count_left", "create_buffers", "explore", "take_down"]

_MAX_SETS = 128
"""Sets of pieces that are tried in one direction and distance."""
_MOST_PAIRS = 1 << 15
"""Pairs that are kept at most, so that the table stays in a processor's cache."""
_PER_PIECE, _PER_AXIS = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
"""Factors of the hash of a configuration."""
_NEVER = 1 << 14
"""Units that no piece goes before it hits another."""


class _Obstacles(NamedTuple):
    """Pieces in the way of others, in the configurations of a group of up to n pieces.

    Attributes:
        ahead: (limit, 3, n, n) int16, units that a piece can go along +x, +y and +z before it hits
            another; :data:`_NEVER` if it never does.
        ever: (limit, 6, n) uint64, for each direction (+x -x +y -y +z -z) and piece the others that
            it hits at last, as bits.
        now: (limit, 6, n) uint64, the same for those that it touches.
        soon: (2, n) uint64, for each piece the others that it hits within some units along an axis,
            and those that hit it.
        sets: (k,) uint64, sets of pieces that can move.
        relative: (3,) scratch.
    """

    ahead: NDArray[np.int16]
    ever: NDArray[np.uint64]
    now: NDArray[np.uint64]
    soon: NDArray[np.uint64]
    sets: NDArray[np.uint64]
    relative: NDArray[np.int32]


class SearchBuffers(NamedTuple):
    """Room for one search, used again and again.

    Configurations in the hash table are valid only if they bear the stamp of the present group. The
    next assembly mostly has the pieces of this one but for one or two, so what is known of a pair
    is kept until another pair takes its place.

    Attributes:
        nodes: (limit, n, 3) int32 offsets of configurations, with room for those of one more step.
        depths: (limit,) int32.
        hashes: (limit,) uint64, which are sums over pieces, so that a move changes a few terms.
        parents, moved: (limit,) int32 and uint64, the configuration before, and the pieces that
            were moved in it.
        table, table_stamps: configurations by hash.
        stamp: (1,) the present group.
        keys, values: (places,) uint64 and (places, 6) int32, pairs in a relative position by hash.
        digests: (n,) uint64 of the pieces of the present assembly.
        boxes: (n, 3, 2) around them.
        obstacles: of all configurations that were looked at.
    """

    nodes: NDArray[np.int32]
    depths: NDArray[np.int32]
    hashes: NDArray[np.uint64]
    parents: NDArray[np.int32]
    moved: NDArray[np.uint64]
    table: NDArray[np.int32]
    table_stamps: NDArray[np.int64]
    stamp: NDArray[np.int64]
    keys: NDArray[np.uint64]
    values: NDArray[np.int32]
    digests: NDArray[np.uint64]
    boxes: NDArray[np.int32]
    obstacles: _Obstacles


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
    pairs = min(_MOST_PAIRS, 1 << max(8, (4 * limit * pieces - 1).bit_length()))
    return SearchBuffers(
        np.zeros((limit + 1, pieces, 3), np.int32),
        np.zeros(limit + 1, np.int32),
        np.zeros(limit + 1, np.uint64),
        np.zeros(limit + 1, np.int32),
        np.zeros(limit + 1, np.uint64),
        np.zeros(places, np.int32),
        np.zeros(places, np.int64),
        np.zeros(1, np.int64),
        np.zeros(pairs, np.uint64),
        np.zeros((pairs, 6), np.int32),
        np.zeros(pieces, np.uint64),
        np.zeros((pieces, 3, 2), np.int32),
        _Obstacles(
            np.full((limit + 1, 3, pieces, pieces), _NEVER, np.int16),
            np.zeros((limit + 1, 6, pieces), np.uint64),
            np.zeros((limit + 1, 6, pieces), np.uint64),
            np.zeros((2, pieces), np.uint64),
            np.zeros(_MAX_SETS, np.uint64),
            np.zeros(3, np.int32),
        ),
    )


@kernel
def take_down(rows: NDArray[np.uint64], bench: SearchBuffers) -> Takedown:
    """Take an assembly apart: each group at the first possibility, then the parts.

    Args:
        rows: the pieces, see :func:`~pysim.families.burr.generator.rows.create_rows`.
        bench: room for so many pieces; changed.
    """
    n = len(rows)
    measure_pieces(rows, bench.boxes, bench.digests)
    members = np.arange(n)
    offsets = np.zeros((n, 3), np.int32)
    level, depth, visited, bits, exits = explore(rows, members, offsets, bench)
    apart = level > 0 and count_left(rows, members, offsets, bits, 0.0, bench) == 0
    return Takedown(level, apart, depth, visited, exits)


@kernel
def count_left(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int32],
    bits: np.uint64,
    most: float,
    bench: SearchBuffers,
) -> int:
    """Count pieces that stay together after a separation, up to more than ``most``."""
    groups = [split(members, offsets, bits, True), split(members, offsets, bits, False)]
    left = 0
    while len(groups) > 0 and left <= most:
        group, where = groups.pop()
        if len(group) == 1:
            continue
        level, _, _, bits, _ = explore(rows, group, where, bench)
        if level <= 0:
            left += len(group)
            continue
        groups.append(split(group, where, bits, True))
        groups.append(split(group, where, bits, False))
    return left


@kernel
def split(
    members: NDArray[np.int64], offsets: NDArray[np.int32], bits: np.uint64, moving: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the pieces that a move takes out, or those that it leaves, and their offsets."""
    inside = np.array(
        [bool(bits >> np.uint64(i) & np.uint64(1)) == moving for i in range(len(members))]
    )
    return members[inside], offsets[inside]


@kernel(borrowing=True)
def explore(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    offsets: NDArray[np.int32],
    bench: SearchBuffers,
) -> tuple[int, int, int, np.uint64, int]:
    """Level, depth, configurations, the set that can be taken out, and ways out.

    The offsets from which it is taken out are written into ``offsets``. ``bench`` holds the extents
    and digests of the pieces (see :func:`~pysim.families.burr.generator.rows.measure_pieces`).
    """
    n = len(members)
    nodes, depths = bench.nodes, bench.depths
    bench.stamp[0] += 1
    obstacles, sets = bench.obstacles, bench.obstacles.sets
    for i in range(n):
        for a in range(3):
            nodes[0, i, a] = offsets[i, a] - offsets[0, a]
    depths[0] = 0
    count, head = 1, 0
    bench.hashes[0] = 0
    place, _ = _find_place(bench, 0, np.uint64(0), 0, 0, n)
    bench.table_stamps[place], bench.table[place] = bench.stamp[0], 0
    while head < count:
        _find_obstacles(rows, members, head, bench)
        exits, out = _find_exits(obstacles.ever[head], n)
        if exits:
            for i in range(n):
                for a in range(3):
                    offsets[i, a] = nodes[head, i, a]
            return depths[head] + 1, depths[head], count, out, exits
        for axis in range(3):
            distance = 1
            while True:
                number = _list_sets(obstacles, head, axis, distance, n)
                if number == 0:
                    break
                for s in range(number):
                    if _enter(bench, head, count, sets[s], axis, distance, n):
                        depths[count] = depths[head] + 1
                        bench.parents[count], bench.moved[count] = head, sets[s]
                        count += 1
                        if count == len(nodes):
                            return -1, depths[head], count, out, 0
                distance += 1
        head += 1
    return 0, depths[count - 1], count, np.uint64(0), 0


@kernel(borrowing=True)
def _close(hits: NDArray[np.uint64], line: int, piece: int, n: int) -> np.uint64:
    """Return the smallest set with a piece that has nothing else in its way, as bits."""
    moving = np.uint64(1) << np.uint64(piece)
    frontier = moving
    while frontier:
        added = np.uint64(0)
        for i in range(n):
            if frontier >> np.uint64(i) & np.uint64(1):
                added |= hits[line, i]
        frontier = added & ~moving
        moving |= added
    return moving


@kernel(borrowing=True)
def _find_exits(ever: NDArray[np.uint64], n: int) -> tuple[int, np.uint64]:
    """Return the number of pieces and directions to take something out, and the last such set."""
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    exits, out = 0, full
    for d in range(6):
        if _close(ever, d, 0, n) == full and _close(ever, d ^ 1, 0, n) == full:
            continue
        for piece in range(n):
            bits = _close(ever, d, piece, n)
            if bits != full:
                exits += 1
                out = bits
    return exits, out


@kernel(borrowing=True)
def _list_sets(obstacles: _Obstacles, node: int, axis: int, distance: int, n: int) -> int:
    """Write the sets that can go some units along an axis, smallest ones first; their number.

    As :func:`~pysim.families.burr.solver.movement.list_movable_sets`, as long as there is room.
    """
    soon, sets, one = obstacles.soon, obstacles.sets, np.uint64(1)
    full = (one << np.uint64(n)) - one
    for i in range(n):
        soon[0, i] = obstacles.now[node, 2 * axis, i]
        soon[1, i] = obstacles.now[node, 2 * axis + 1, i]
    if distance > 1:
        for i in range(n):
            for j in range(n):
                if obstacles.ahead[node, axis, i, j] < distance:
                    soon[0, i] |= one << np.uint64(j)
                    soon[1, j] |= one << np.uint64(i)
    if _close(soon, 0, 0, n) == full and _close(soon, 1, 0, n) == full:
        return 0
    for i in range(n):
        soon[0, i] |= one << np.uint64(i)
    close_sets(soon[0], n)
    count = 0
    for i in range(n):
        if soon[0, i] != full and not has_set(sets, count, soon[0, i]):
            sets[count] = soon[0, i]
            count += 1
    return unite_sets(sets, count, full)[0]


@kernel(borrowing=True)
def _enter(
    bench: SearchBuffers, source: int, node: int, bits: np.uint64, axis: int, by: int, n: int
) -> bool:
    """Write the configuration after a move, and put it into the hash table, if it is new."""
    place, hashed = _find_place(bench, source, bits, axis, by, n)
    if bench.table_stamps[place] == bench.stamp[0]:
        return False
    move_set(bench.nodes, source, node, n, bits, axis, by)
    bench.hashes[node], bench.table[place] = hashed, node
    bench.table_stamps[place] = bench.stamp[0]
    return True


@kernel(borrowing=True)
def _find_place(
    bench: SearchBuffers, source: int, bits: np.uint64, axis: int, by: int, n: int
) -> tuple[int, np.uint64]:
    """Return the place in the hash table of the configuration after a move, and its hash."""
    # Offsets are relative to the first piece: where that moves, all others go back.
    back, hashed, weight = bits & np.uint64(1), np.uint64(0), np.uint64(_PER_PIECE)
    for i in range(1, n):
        hashed += ((bits >> np.uint64(i) & np.uint64(1)) - back) * weight
        weight *= np.uint64(_PER_PIECE)
    hashed *= np.uint64(by)
    for _ in range(axis):
        hashed *= np.uint64(_PER_AXIS)
    hashed += bench.hashes[source]
    mixed = (hashed ^ hashed >> np.uint64(31)) * np.uint64(_PER_PIECE)
    last = np.uint64(len(bench.table) - 1)
    place = (mixed ^ mixed >> np.uint64(29)) & last
    while bench.table_stamps[place] == bench.stamp[0]:
        other = bench.table[place]
        if bench.hashes[other] == hashed and _is_after(
            bench.nodes, source, other, bits, axis, by, n
        ):
            break
        place = (place + np.uint64(1)) & last
    return int(place), hashed


@kernel(borrowing=True)
def _is_after(
    nodes: NDArray[np.int32],
    source: int,
    other: int,
    bits: np.uint64,
    axis: int,
    by: int,
    n: int,
) -> bool:
    """Return whether a configuration is that after a move."""
    base = by if bits & np.uint64(1) else 0
    for i in range(1, n):
        moves = by if bits >> np.uint64(i) & np.uint64(1) else 0
        for a in range(3):
            way = nodes[other, i, a] - nodes[source, i, a]
            if way != (moves - base if a == axis else 0):
                return False
    return True


@kernel(borrowing=True)
def _find_obstacles(
    rows: NDArray[np.uint64], members: NDArray[np.int64], node: int, bench: SearchBuffers
) -> None:
    """Write the obstacles of the pieces ``members`` in a configuration."""
    n, parent, moved = len(members), bench.parents[node], bench.moved[node]
    ahead, ever, now, _, _, _ = bench.obstacles
    for i in range(n):
        for d in range(6):
            ever[node, d, i] = ever[parent, d, i] if node else np.uint64(0)
            now[node, d, i] = now[parent, d, i] if node else np.uint64(0)
        if node:
            for axis in range(3):
                for j in range(n):
                    ahead[node, axis, i, j] = ahead[parent, axis, i, j]
    for i in range(n):
        for j in range(i + 1, n):
            if node == 0 or (moved >> np.uint64(i) ^ moved >> np.uint64(j)) & np.uint64(1):
                _find_obstacle(rows, members, node, i, j, bench)


@kernel(borrowing=True)
def _find_obstacle(
    rows: NDArray[np.uint64],
    members: NDArray[np.int64],
    node: int,
    i: int,
    j: int,
    bench: SearchBuffers,
) -> None:
    """Write how two of the pieces ``members`` are in each other's way in a configuration."""
    ahead, ever, now, _, _, relative = bench.obstacles
    for a in range(3):
        relative[a] = bench.nodes[node, j, a] - bench.nodes[node, i, a]
    reach = bench.values[_find_pair(rows, members[i], members[j], relative, bench)]
    for axis in range(3):
        ahead[node, axis, i, j] = min(reach[2 * axis], _NEVER)
        ahead[node, axis, j, i] = min(reach[2 * axis + 1], _NEVER)
    for d in range(6):
        _note(ever, node, d, i, j, reach[d] < FAR)
        _note(now, node, d, i, j, reach[d] < 1)


@kernel(borrowing=True)
def _note(
    hits: NDArray[np.uint64], node: int, direction: int, i: int, j: int, is_hit: bool
) -> None:
    """Write whether piece i hits piece j in a direction, and so j hits i in the other one."""
    one = np.uint64(1)
    if is_hit:
        hits[node, direction, i] |= one << np.uint64(j)
        hits[node, direction ^ 1, j] |= one << np.uint64(i)
    else:
        hits[node, direction, i] &= ~(one << np.uint64(j))
        hits[node, direction ^ 1, j] &= ~(one << np.uint64(i))


@kernel(borrowing=True)
def _find_pair(
    rows: NDArray[np.uint64], i: int, j: int, relative: NDArray[np.int32], bench: SearchBuffers
) -> int:
    """Return the line of the table that tells how far piece i can go before it hits piece j."""
    digests, keys = bench.digests, bench.keys
    key = np.uint64(((relative[0] + 2048) * 4096 + relative[1] + 2048) * 4096 + relative[2] + 2048)
    key = key * np.uint64(0x9E3779B97F4A7C15) ^ digests[i]
    key = (key ^ key >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93) + digests[j]
    place = (key * np.uint64(0x94D049BB133111EB)) >> np.uint64(20) & np.uint64(len(keys) - 1)
    if keys[place] != key:
        keys[place] = key
        measure_rows(rows, bench.boxes, i, j, relative, bench.values[place])
    return int(place)
