"""Exact cover with pieces: rows belong to kinds, and each kind is used a number of times.

A row covers columns. Primary columns must be covered once, all others at most once; kind k must be
used between ``least[k]`` and ``most[k]`` times. The search goes depth first, always on the column
or kind with the fewest rows left, over live lists that are copied from level to level. Exponential
in the worst case; memory O(depth * rows).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import is_interpreting, kernel

__all__ = ["MAX_DEPTH", "Rows", "enumerate_covers", "pack_rows"]

MAX_DEPTH = 62
"""No cover may have more rows than this."""
_COVERS_PER_CALL = 4096
_NODES_PER_CALL = 1 << 14
_INTERPRETED = 1 << 12
"""Rows that fit, over all nodes of a call, while kernels are interpreted."""


def pack_rows(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.uint64]:
    """Return (R, W) bits of rows given by their columns: bit c % 64 of word c // 64."""
    words = -(-width // 64)
    masks = (reduce(or_, (1 << column for column in row), 0) for row in rows)
    packed = b"".join(mask.to_bytes(8 * words, "little") for mask in masks)
    return np.frombuffer(packed, "<u8").astype(np.uint64).reshape(len(rows), words)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a cover problem, ready for the search.

    Attributes:
        columns: (R, L) int32, each row's columns, padded.
        lengths: (R,) int32, how many columns each row covers.
        masks: (R, W) uint64, the same as bits.
        kinds: (R,) int64.
    """

    columns: NDArray[np.int32]
    lengths: NDArray[np.int32]
    masks: NDArray[np.uint64]
    kinds: NDArray[np.int64]

    @staticmethod
    def from_rows(rows: Sequence[Sequence[int]], kinds: list[int], width: int) -> "Rows":
        """Return rows given as lists of columns below ``width``."""
        longest = max((len(row) for row in rows), default=1)
        columns = np.zeros((len(rows), longest), np.int32)
        for i, row in enumerate(rows):
            columns[i, : len(row)] = row
        lengths = np.array([len(row) for row in rows], np.int32)
        return Rows(columns, lengths, pack_rows(rows, width), np.array(kinds, np.int64))


class _Stack(NamedTuple):
    """Position of a search, to resume it; one line for each row chosen so far.

    Attributes:
        live: (depth, R) rows that still fit.
        alive: how many these are.
        options: (depth, R) rows that serve the item that is branched on.
        available: how many these are.
        tried: how many of them were tried.
        chosen: the row chosen.
        covered: (depth, W) columns that are covered, as bits.
        used: (K,) how often each kind is used.
        excluded: (R,) rows that were tried before at a lower depth.
        here: (2,) the depth, 0 when all is done; and whether it is new.
    """

    live: NDArray[np.int32]
    alive: NDArray[np.int64]
    options: NDArray[np.int32]
    available: NDArray[np.int64]
    tried: NDArray[np.int64]
    chosen: NDArray[np.int64]
    covered: NDArray[np.uint64]
    used: NDArray[np.int64]
    excluded: NDArray[np.bool_]
    here: NDArray[np.int64]

    @staticmethod
    def create(
        rows: Rows, live: NDArray[np.int32], first: int, most: NDArray[np.int64]
    ) -> "_Stack":
        """Return the start of a search for covers that contain row ``first``."""
        count, words = rows.masks.shape
        depth = MAX_DEPTH + 1
        stack = _Stack(
            live=np.empty((depth, count), np.int32),
            alive=np.zeros(depth, np.int64),
            options=np.empty((depth, count), np.int32),
            available=np.zeros(depth, np.int64),
            tried=np.zeros(depth, np.int64),
            chosen=np.full(depth, -1, np.int64),
            covered=np.zeros((depth, words), np.uint64),
            used=np.zeros(len(most), np.int64),
            excluded=np.zeros(count, np.bool_),
            here=np.array([1, 1]),
        )
        stack.chosen[0] = first
        stack.used[rows.kinds[first]] += 1
        stack.alive[1] = _filter.run(
            live, len(live), first, rows.masks, rows.kinds, stack.used, most, stack.excluded,
            stack.live[1],
        )  # fmt: skip
        stack.covered[1] = rows.masks[first]
        return stack


def enumerate_covers(
    rows: Rows,
    live: NDArray[np.int32],
    first: int,
    least: NDArray[np.int64],
    most: NDArray[np.int64],
    primary: int,
) -> Iterator[NDArray[np.int32]]:
    """Yield every cover that contains row ``first`` and otherwise rows of ``live``, in batches.

    Args:
        primary: columns below this number are primary.

    Yields:
        (n, depth) int32, each cover's rows followed by -1; n may be 0.
    """
    stack = _Stack.create(rows, live, first, most)
    depth = min(MAX_DEPTH, int(most.sum()))
    # The compiled part comes back often, so that an interrupt is heard soon.
    while stack.here[0] > 0:
        batch = np.full((_COVERS_PER_CALL, depth), -1, np.int32)
        nodes = 1 + _INTERPRETED // len(rows.kinds) if is_interpreting() else _NODES_PER_CALL
        count = _search.run(
            rows.columns, rows.lengths, rows.masks, rows.kinds,
            least, most, primary, stack, batch, nodes,
        )  # fmt: skip
        yield batch[:count]


@kernel
def _filter(
    live: NDArray[np.int32],
    count: int,
    row: int,
    masks: NDArray[np.uint64],
    kinds: NDArray[np.int64],
    used: NDArray[np.int64],
    most: NDArray[np.int64],
    excluded: NDArray[np.bool_],
    out: NDArray[np.int32],
) -> int:
    """Write the rows that still fit beside ``row`` into ``out``; their number."""
    kept = 0
    for i in range(count):
        other = live[i]
        if other == row or excluded[other] or used[kinds[other]] >= most[kinds[other]]:
            continue
        fits = True
        for w in range(masks.shape[1]):
            if masks[other, w] & masks[row, w]:
                fits = False
                break
        if fits:
            out[kept] = other
            kept += 1
    return kept


@kernel
def _choose(
    columns: NDArray[np.int32],
    lengths: NDArray[np.int32],
    kinds: NDArray[np.int64],
    live: NDArray[np.int32],
    count: int,
    covered: NDArray[np.uint64],
    used: NDArray[np.int64],
    least: NDArray[np.int64],
    primary: int,
) -> int:
    """The open column, or ``primary`` + the unmet kind, with the fewest rows; -1 if none is."""
    tally = np.zeros(primary, np.int64)
    by_kind = np.zeros(len(least), np.int64)
    for i in range(count):
        row = live[i]
        by_kind[kinds[row]] += 1
        for k in range(lengths[row]):
            if columns[row, k] < primary:
                tally[columns[row, k]] += 1
    best, fewest = -1, 1 << 60
    for c in range(primary):
        is_open = not (covered[c >> 6] >> np.uint64(c & 63)) & np.uint64(1)
        if is_open and tally[c] < fewest:
            best, fewest = c, tally[c]
    for kind in range(len(least)):
        missing = least[kind] - used[kind]
        if missing > 0 and (by_kind[kind] < fewest or by_kind[kind] < missing):
            best = primary + kind
            fewest = by_kind[kind] if by_kind[kind] >= missing else 0
    return best


@kernel
def _options(
    masks: NDArray[np.uint64],
    kinds: NDArray[np.int64],
    live: NDArray[np.int32],
    count: int,
    item: int,
    primary: int,
    out: NDArray[np.int32],
) -> int:
    """Write the live rows that serve ``item`` (all of them if it is -1); their number."""
    kept = 0
    for i in range(count):
        row = live[i]
        if item < 0:
            serves = True
        elif item >= primary:
            serves = kinds[row] == item - primary
        else:
            serves = (masks[row, item >> 6] >> np.uint64(item & 63)) & np.uint64(1) != 0
        if serves:
            out[kept] = row
            kept += 1
    return kept


@kernel
def _search(
    columns: NDArray[np.int32],
    lengths: NDArray[np.int32],
    masks: NDArray[np.uint64],
    kinds: NDArray[np.int64],
    least: NDArray[np.int64],
    most: NDArray[np.int64],
    primary: int,
    stack: _Stack,
    found: NDArray[np.int32],
    nodes: int,
) -> int:
    """Go on until ``found`` is full, ``nodes`` rows were chosen or all is done; covers found."""
    live, alive, options, available, tried, chosen, covered, used, excluded, here = stack
    count, depth, entering = 0, here[0], here[1] == 1
    while depth > 0 and count < len(found) and nodes > 0:
        if entering:
            entering = False
            item = _choose(
                columns, lengths, kinds, live[depth], alive[depth],
                covered[depth], used, least, primary,
            )  # fmt: skip
            if item < 0:
                # Complete. What is left over are pieces that may be used but need not.
                for k in range(depth):
                    found[count, k] = chosen[k]
                count += 1
            tried[depth] = 0
            available[depth] = _options(
                masks, kinds, live[depth], alive[depth], item, primary, options[depth]
            )
        if tried[depth] == available[depth] or depth == MAX_DEPTH - 1:
            for i in range(tried[depth]):
                excluded[options[depth, i]] = False
            depth -= 1
            if depth > 0:
                used[kinds[chosen[depth]]] -= 1
                excluded[chosen[depth]] = True
            continue
        row = options[depth, tried[depth]]
        tried[depth] += 1
        nodes -= 1
        chosen[depth] = row
        used[kinds[row]] += 1
        alive[depth + 1] = _filter(
            live[depth], alive[depth], row, masks, kinds, used, most, excluded, live[depth + 1]
        )
        for w in range(masks.shape[1]):
            covered[depth + 1, w] = covered[depth, w] | masks[row, w]
        depth += 1
        entering = True
    here[0], here[1] = depth, 1 if entering else 0
    return count
