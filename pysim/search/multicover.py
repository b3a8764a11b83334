"""Exact cover with pieces: rows belong to kinds, and each kind is used a number of times.

A row covers columns. Primary columns must be covered once, all others at most once; kind k must be
used between ``least[k]`` and ``most[k]`` times. The search goes depth first, always on the column
or kind with the fewest rows left. The live rows of all levels lie one level behind the other in one
array, as words of bits (see :mod:`pysim.search.live_rows`). Exponential in the worst case; memory
O(depth * rows).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import is_interpreting, kernel
from pysim.search.bits import find_lowest
from pysim.search.live_rows import (
    Words64,
    expand_words,
    find_missing_1,
    find_missing_2,
    find_missing_3,
    find_missing_unmarked,
    find_rarest,
    find_rarest_of_many,
    keep_1,
    keep_2,
    keep_3,
    keep_unmarked,
    make_room,
    mark_clashes,
    pack_rows,
    tag_rows,
)

__all__ = ["MAX_DEPTH", "Rows", "enumerate_covers"]

MAX_DEPTH = 62
"""No cover may have more rows than this."""
_COVERS_PER_CALL = 4096
_NODES_PER_CALL = 1 << 14
_INTERPRETED = 1 << 12
"""Rows that fit, over all nodes of a call, while kernels are interpreted."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a cover problem, ready for the search.

    Attributes:
        masks: (R, W) uint64, the columns that each row covers, as bits.
        kinds: (R,) int64.
        columns: how many columns there are.
    """

    masks: Words64
    kinds: NDArray[np.int64]
    columns: int

    @staticmethod
    def from_rows(rows: Sequence[Sequence[int]], kinds: list[int], width: int) -> "Rows":
        """Return rows given as lists of columns below ``width``."""
        return Rows(pack_rows(rows, width), np.array(kinds, np.int64), width)


class _Stack(NamedTuple):
    """Position of a search, to resume it; one line for each row chosen so far.

    Level d lies at ``starts[d]:starts[d + 1]`` of the live rows, and begins with level 1.

    Attributes:
        masks: (R, W) the columns of each row.
        words: (W, C) the live rows: their columns from the lowest bit of the first word on, their
            indices in the top bits of the last word.
        index_shift: the lowest bit of the indices.
        starts: (depth + 1,) where each level begins.
        options: (depth, R) rows that serve the item that is branched on.
        item: that item; see :func:`_choose`.
        available: how many rows serve it.
        tried: how many of them were tried.
        chosen: the row chosen.
        opened: (depth, W) primary columns that are not covered.
        used: (K,) how often each kind is used.
        excluded: (R,) rows that were tried before at a lower depth.
        here: (3,) the depth, 0 when all is done; whether it is new; whether there is no more room.
    """

    masks: Words64
    words: Words64
    index_shift: int
    starts: NDArray[np.int64]
    options: NDArray[np.int32]
    item: NDArray[np.int64]
    available: NDArray[np.int64]
    tried: NDArray[np.int64]
    chosen: NDArray[np.int64]
    opened: Words64
    used: NDArray[np.int64]
    excluded: NDArray[np.bool_]
    here: NDArray[np.int64]

    @staticmethod
    def create(
        rows: Rows, live: NDArray[np.int32], first: int, most: NDArray[np.int64], primary: int
    ) -> "_Stack":
        """Return the start of a search for covers that contain row ``first``."""
        masks, index_shift = make_room(rows.masks, rows.columns)
        (count, width), depth = masks.shape, MAX_DEPTH + 1
        used = np.bincount([rows.kinds[first]], minlength=len(most)).astype(np.int64)
        fits = ~(masks[live] & masks[first]).any(axis=1) & (used < most)[rows.kinds[live]]
        live = live[fits & (live != first)]
        stack = _Stack(
            masks=masks,
            words=tag_rows(masks, live, index_shift),
            index_shift=index_shift,
            starts=np.zeros(depth + 1, np.int64),
            options=np.empty((depth, count), np.int32),
            item=np.zeros(depth, np.int64),
            available=np.zeros(depth, np.int64),
            tried=np.zeros(depth, np.int64),
            chosen=np.full(depth, -1, np.int64),
            opened=np.zeros((depth, width), np.uint64),
            used=used,
            excluded=np.zeros(count, np.bool_),
            here=np.array([1, 1, 0]),
        )
        stack.chosen[0] = first
        stack.starts[2] = len(live)
        stack.opened[1] = pack_rows([range(primary)], 64 * width)[0] & ~masks[first]
        return stack.expand()

    def expand(self) -> "_Stack":
        """Return the same with room for twice as many live rows."""
        self.here[2] = 0
        return self._replace(words=expand_words(self.words))


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
    stack = _Stack.create(rows, live, first, most, primary)
    needed = np.nonzero(least)[0]
    depth = min(MAX_DEPTH, int(most.sum()))
    # The compiled part comes back often, so that an interrupt is heard soon.
    while stack.here[0] > 0:
        batch = np.full((_COVERS_PER_CALL, depth), -1, np.int32)
        nodes = 1 + _INTERPRETED // len(rows.kinds) if is_interpreting() else _NODES_PER_CALL
        count = _search.run(rows.kinds, least, needed, most, primary, stack, batch, nodes)
        if stack.here[2]:
            stack = stack.expand()
        yield batch[:count]


@kernel
def _choose(
    stack: _Stack,
    depth: int,
    kinds: NDArray[np.int64],
    least: NDArray[np.int64],
    needed: NDArray[np.int64],
    primary: int,
    planes: Words64,
    by_kind: NDArray[np.int64],
) -> int:
    """The open column, or ``primary`` + the unmet kind, with the fewest rows; -1 if none is."""
    words, opened, used = stack.words, stack.opened, stack.used
    start, end = np.uint64(stack.starts[depth]), np.uint64(stack.starts[depth + 1])
    best, fewest = -1, 1 << 60
    for w in range(len(words)):
        if opened[depth, w] and fewest > 0:
            count, bit = find_rarest(words, np.uint64(w), start, end, opened[depth, w])
            if not bit:
                count, bit = find_rarest_of_many(
                    words, np.uint64(w), start, end, opened[depth, w], planes
                )
            if count < fewest:
                best, fewest = 64 * w + find_lowest(bit), count
    is_met = True
    for kind in needed:
        is_met = is_met and used[kind] >= least[kind]
    if is_met:
        return best
    by_kind[:] = 0
    for i in range(start, end):
        by_kind[kinds[words[len(words) - 1, i] >> np.uint64(stack.index_shift)]] += 1
    for kind in needed:
        missing = least[kind] - used[kind]
        if missing > 0 and (by_kind[kind] < fewest or by_kind[kind] < missing):
            best = primary + kind
            fewest = by_kind[kind] if by_kind[kind] >= missing else 0
    return best


@kernel
def _list_options(
    stack: _Stack, depth: int, kinds: NDArray[np.int64], item: int, primary: int
) -> int:
    """Write the live rows that serve ``item`` (all of them if it is -1); their number."""
    words, out = stack.words, stack.options[depth]
    last, shift = len(words) - 1, np.uint64(stack.index_shift)
    kept = 0
    for i in range(stack.starts[depth], stack.starts[depth + 1]):
        row = words[last, i] >> shift
        if item < 0:
            serves = True
        elif item >= primary:
            serves = kinds[row] == item - primary
        else:
            serves = (words[item >> 6, i] >> np.uint64(item & 63)) & np.uint64(1) != 0
        if serves:
            out[kept] = row
            kept += 1
    return kept


@kernel
def _drop(
    stack: _Stack,
    start: int | np.integer,
    end: int | np.integer,
    kinds: NDArray[np.int64],
    full: int | np.integer,
) -> int:
    """Leave only live rows that are neither excluded nor of a kind that is used up; their end."""
    words, excluded = stack.words, stack.excluded
    last, shift = len(words) - 1, np.uint64(stack.index_shift)
    kept = int(start)
    for i in range(start, end):
        row = words[last, i] >> shift
        if not excluded[row] and kinds[row] != full:
            for w in range(len(words)):
                words[w, kept] = words[w, i]
            kept += 1
    return kept


@kernel
def _search(
    kinds: NDArray[np.int64],
    least: NDArray[np.int64],
    needed: NDArray[np.int64],
    most: NDArray[np.int64],
    primary: int,
    stack: _Stack,
    found: NDArray[np.int32],
    nodes: int,
) -> int:
    """Go on until ``found`` is full, ``nodes`` rows were chosen or all is done; covers found.

    Comes back sooner where the stack is full.
    """
    masks, words, starts, opened = stack.masks, stack.words, stack.starts, stack.opened
    options, tried, chosen = stack.options, stack.tried, stack.chosen
    used, excluded, here = stack.used, stack.excluded, stack.here
    width = len(words)
    planes, by_kind = np.empty(32, np.uint64), np.empty(len(least), np.int64)
    clash = np.empty(len(masks) if width > 3 else 0, np.uint64)
    count, depth, entering = 0, here[0], here[1] == 1
    while depth > 0 and count < len(found) and nodes > 0:
        if entering:
            entering = False
            item = _choose(stack, depth, kinds, least, needed, primary, planes, by_kind)
            if item < 0:
                # Complete. What is left over are pieces that may be used but need not.
                for k in range(depth):
                    found[count, k] = chosen[k]
                count += 1
            tried[depth], stack.item[depth] = 0, item
            stack.available[depth] = _list_options(stack, depth, kinds, item, primary)
        if tried[depth] == stack.available[depth] or depth == MAX_DEPTH - 1:
            for i in range(tried[depth]):
                excluded[options[depth, i]] = False
            depth -= 1
            if depth > 0:
                used[kinds[chosen[depth]]] -= 1
                excluded[chosen[depth]] = True
            continue
        if 2 * starts[depth + 1] - starts[depth] > words.shape[1]:
            here[2] = 1
            break
        row = options[depth, tried[depth]]
        tried[depth] += 1
        nodes -= 1
        for w in range(width):
            opened[depth + 1, w] = opened[depth, w] & ~masks[row, w]
        start, end = np.uint64(starts[depth]), np.uint64(starts[depth + 1])
        if width == 1:
            missing = find_missing_1(words, start, end, masks[row], opened, depth + 1)
        elif width == 2:
            missing = find_missing_2(words, start, end, masks[row], opened, depth + 1)
        elif width == 3:
            missing = find_missing_3(words, start, end, masks[row], opened, depth + 1)
        else:
            mark_clashes(words, start, end, masks[row], clash)
            missing = find_missing_unmarked(words, start, end, opened, depth + 1, clash)
        if missing:
            excluded[row] = True
            continue
        if width == 1:
            kept = keep_1(words, start, end, masks[row])
        elif width == 2:
            kept = keep_2(words, start, end, masks[row])
        elif width == 3:
            kept = keep_3(words, start, end, masks[row])
        else:
            kept = keep_unmarked(words, start, end, clash)
        chosen[depth] = row
        used[kinds[row]] += 1
        full = kinds[row] if used[kinds[row]] >= most[kinds[row]] else -1
        if full >= 0 or stack.item[depth] < 0 or stack.item[depth] >= primary:
            starts[depth + 2] = _drop(stack, starts[depth + 1], np.int64(kept), kinds, full)
        else:
            starts[depth + 2] = kept
        depth += 1
        entering = True
    here[0], here[1] = depth, 1 if entering else 0
    return count
