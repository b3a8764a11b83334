"""Taking assemblies apart, compiled: separation after separation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.gaps import Gaps, Stock, fill_gaps
from pysim.families.burr.solver.limits import FAR, MAX_SPREAD
from pysim.families.burr.solver.separation import (
    APART,
    TOGETHER,
    TOO_LARGE,
    find_blocked,
    find_removable,
    search_separation,
)
from pysim.kernels import kernel

__all__ = ["TOO_WIDE", "PartRules", "take_down"]

TOO_WIDE = 3
"""What became of an assembly, beside what can become of a group."""


class PartRules(NamedTuple):
    """Rules of a problem about its parts.

    Attributes:
        weights: (p,) int64.
        rooms: (p, g) int64, how many copies of a part each group takes.
        alone: (p,) bool, whether the part belongs to one group and no more.
        limit: configurations of a group to visit.
    """

    weights: NDArray[np.int64]
    rooms: NDArray[np.int64]
    alone: NDArray[np.bool_]
    limit: int


@kernel
def _size(bits: np.uint64) -> int:
    count = 0
    while bits:
        bits &= bits - np.uint64(1)
        count += 1
    return count


@kernel
def _may_stay(rules: PartRules, parts: NDArray[np.int64], members: np.uint64) -> bool:
    """Return whether there is a group that takes as many copies of each part as there are."""
    one = np.uint64(1)
    for group in range(rules.rooms.shape[1]):
        takes = True
        for i in range(len(parts)):
            if members >> np.uint64(i) & one:
                copies = 0
                for j in range(len(parts)):
                    if members >> np.uint64(j) & one and parts[j] == parts[i]:
                        copies += 1
                takes = takes and copies <= rules.rooms[parts[i], group]
        if takes:
            return True
    return False


@kernel
def _left(rules: PartRules, parts: NDArray[np.int64], members: np.uint64) -> bool:
    """Return whether pieces that were separated from others are left together without a try."""
    for i in range(len(parts)):
        if members >> np.uint64(i) & np.uint64(1) and not rules.alone[parts[i]]:
            return False
    return _may_stay(rules, parts, members)


@kernel
def take_down(
    stock: Stock,
    gaps: Gaps,
    rules: PartRules,
    shapes: NDArray[np.int64],
    places: NDArray[np.int32],
    parts: NDArray[np.int64],
    level: NDArray[np.int32],
) -> tuple[int, int, Gaps]:
    """Take an assembly apart: what became of it, the length of its level, and the table.

    If it became :data:`TOO_LARGE` or :data:`TOO_WIDE` the length is the number of pieces of the
    group that did.

    Args:
        stock: the shapes.
        gaps: what is known of them.
        rules: what the problem says.
        shapes: (n,), for each piece.
        places: (n, 3), the low corner of each piece.
        parts: (n,), for each piece.
        level: (n,) or more, written.
    """
    n, one = len(shapes), np.uint64(1)
    # A line for each group that is being taken apart, each a part of the one before it.
    members = np.zeros(n + 1, np.uint64)
    taken = np.zeros(n + 1, np.uint64)
    begun = np.zeros(n + 1, np.int64)
    phase = np.zeros(n + 1, np.int64)
    stands = np.zeros((n + 1, n, 3), np.int32)
    # Whether the group stands as it did in the assembly, where it is known what is in the way.
    as_placed = np.zeros(n + 2, np.bool_)
    as_placed[0] = True
    reach = np.full((6, n, n), FAR, np.int32)
    blocked = np.empty((6, n), np.uint64)
    weights = rules.weights[parts]
    members[0] = (one << np.uint64(n)) - one
    for i in range(n):
        for a in range(3):
            stands[0, i, a] = places[i, a]
    depth, length = 0, 0
    while depth >= 0:
        group = members[depth]
        if phase[depth] == 0:
            done = _size(group) == 1 or (depth > 0 and _left(rules, parts, group))
            if not done:
                own = np.empty(_size(group), np.int64)
                count, spread = 0, 0
                for i in range(n):
                    if group >> np.uint64(i) & one:
                        own[count] = i
                        spread += stock.lengths[shapes[i]]
                        count += 1
                if spread > MAX_SPREAD:
                    return TOO_WIDE, count, gaps
                if depth == 0:
                    gaps = fill_gaps(stock, gaps, shapes, places, reach)
                    find_blocked(reach, n, blocked)
                removed = np.uint64(0)
                if as_placed[depth]:
                    removed = find_removable(blocked, group, count, weights)
                if removed:
                    level[length] = 1
                    length += 1
                    taken[depth] = removed
                    as_placed[depth + 1] = True
                    phase[depth] = 1
                    continue
                as_placed[depth + 1] = False
                found, moves, where, bits, gaps = search_separation(
                    stock, gaps, shapes[own], stands[depth][own], weights[own], rules.limit
                )
                if found == TOO_LARGE:
                    return TOO_LARGE, count, gaps
                if found == TOGETHER:
                    # The group stays together: so does every one around it that may not.
                    while depth >= 0 and not _may_stay(rules, parts, members[depth]):
                        depth -= 1
                    if depth < 0:
                        return TOGETHER, 0, gaps
                    length = begun[depth]
                    phase[depth] = 3
                    continue
                level[length] = moves
                length += 1
                taken[depth] = np.uint64(0)
                for k in range(count):
                    for a in range(3):
                        stands[depth, own[k], a] = where[k, a]
                    if bits >> np.uint64(k) & one:
                        taken[depth] |= one << np.uint64(own[k])
                phase[depth] = 1
                continue
            phase[depth] = 3
        if phase[depth] == 3:
            told = depth == 0
            for k in range(begun[depth], length):
                told = told or level[k] > 1
            if not told:
                length = begun[depth]
            depth -= 1
            continue
        side = group & ~taken[depth] if phase[depth] == 1 else taken[depth]
        phase[depth] += 1
        members[depth + 1] = side
        for i in range(n):
            for a in range(3):
                stands[depth + 1, i, a] = stands[depth, i, a]
        begun[depth + 1] = length
        phase[depth + 1] = 0
        depth += 1
    return APART, length, gaps
