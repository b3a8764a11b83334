"""The compiled part of the exact cover search: depth first, with a stack of its own.

The live rows of all levels lie one level behind the other in one array, so that a search can come
back at any node and go on there later. A level is entered only if every open primary column still
has a row. Further tests of what is left open, by the sizes of its connected parts and by colouring,
were measured on polycube packings and left out: they spare a hundredth of the nodes at most.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel
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

__all__ = ["Advance", "Stack", "Status", "search_until_limit"]

# Depths of a search that has not begun, and of one that has ended.
_BEFORE = -1
_DONE = -2


class Status(IntEnum):
    """Why the kernel came back."""

    EXHAUSTED = 0
    COVERS = 1
    NODES = 2
    ROWS = 3
    ROOM = 4


@dataclass(slots=True)
class Stack:
    """Position of a search. Level d lies at ``starts[d]:starts[d + 1]`` of the live rows.

    Attributes:
        words: (W, C) uint64, the live rows: their columns from the lowest bit of the first word on,
            their indices in the top bits of the last word.
        index_shift: the lowest bit of the indices.
        starts: (D + 2,) int64.
        opened: (D + 1, W) uint64, primary columns that are open at each level.
        item: (D + 1, 2) uint64, word and bit of the column that each level branches on.
        cursor: (D + 1,) int64, the live row behind the one that was tried last.
        clash: (R,) uint64, scratch.
        depth: (1,) int64, the level, or that the search has not begun or has ended.
    """

    words: Words64
    index_shift: int
    starts: NDArray[np.int64]
    opened: Words64
    item: Words64
    cursor: NDArray[np.int64]
    clash: Words64
    depth: NDArray[np.int64]

    @staticmethod
    def create(masks: Words64, primary: int, optional: int) -> "Stack":
        """Before the first level, with all rows that cover a primary column.

        Args:
            masks: (R, W) uint64, the columns of each row.
            primary: how many columns must be covered.
            optional: how many columns follow.
        """
        masks, index_shift = make_room(masks, primary + optional)
        count, width = masks.shape
        opened = np.zeros((primary + 1, width), np.uint64)
        opened[0] = pack_rows([range(primary)], 64 * width)[0]
        live = np.nonzero((masks & opened[0]).any(axis=1))[0]
        starts = np.zeros(primary + 2, np.int64)
        starts[1] = len(live)
        return Stack(
            words=tag_rows(masks, live, index_shift),
            index_shift=index_shift,
            starts=starts,
            opened=opened,
            item=np.zeros((primary + 1, 2), np.uint64),
            cursor=np.zeros(primary + 1, np.int64),
            clash=np.zeros(count, np.uint64),
            depth=np.full(1, _BEFORE, np.int64),
        )

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing left to try."""
        return bool(self.depth[0] == _DONE)

    def expand(self) -> None:
        """Make room for twice as many live rows."""
        self.words = expand_words(self.words)


@dataclass(frozen=True, slots=True)
class Advance:
    """Result of ``advance``.

    Attributes:
        status: why it came back.
        covers: (n, D) int32, the rows of each cover, then -1. n is 0 if they were only counted.
        count: number of covers.
        nodes: number of rows that were tried.
    """

    status: Status
    covers: NDArray[np.int32]
    count: int
    nodes: int


def search_until_limit(
    stack: Stack, *, max_covers: int, max_nodes: int, max_rows: int, keep: bool
) -> Advance:
    """Search until one of the limits is met.

    Args:
        max_rows: about how many live rows to look at; at least one is tried.
        keep: whether to return the covers.
    """
    covers = np.full((max_covers if keep else 0, len(stack.cursor) - 1), -1, np.int32)
    found = nodes = 0
    status = int(Status.ROOM)
    while status == Status.ROOM:
        status, more, tried = _search(
            stack.words, stack.index_shift, stack.starts, stack.opened, stack.item, stack.cursor,
            stack.clash, stack.depth,
            covers[found:], max_covers - found, max_nodes - nodes, max_rows,
        )  # fmt: skip
        found += more
        nodes += tried
        if status == Status.ROOM:
            stack.expand()
    return Advance(Status(status), covers[:found], found, nodes)


@kernel
def _search(
    words: Words64,
    index_shift: int,
    starts: NDArray[np.int64],
    opened: Words64,
    item: Words64,
    cursor: NDArray[np.int64],
    clash: Words64,
    state: NDArray[np.int64],
    covers: NDArray[np.int32],
    max_covers: int,
    max_nodes: int,
    max_rows: int,
) -> tuple[int, int, int]:
    """As ``advance``, but comes back with ``ROOM`` where the stack is full.

    A row is tried only if the search can also go on behind it, so that coming back and going on
    change nothing.
    """
    found, nodes, looked = 0, 0, 0
    depth = state[0]
    if depth == _DONE:
        return Status.EXHAUSTED, 0, 0
    if depth == _BEFORE and max_covers == 0:
        return Status.COVERS, 0, 0
    if depth == _BEFORE and not opened[0].any():
        state[0] = _DONE
        return Status.EXHAUSTED, 1, 0
    entering = depth == _BEFORE
    depth = max(depth, 0)
    width = len(words)
    row, planes = np.empty(width, np.uint64), np.empty(32, np.uint64)
    status = -1
    while status < 0:
        start, end = np.uint64(starts[depth]), np.uint64(starts[depth + 1])
        if entering:
            entering = False
            cursor[depth] = starts[depth]
            fewest = 1 << 60
            for w in range(width):
                if opened[depth, w]:
                    count, bit = find_rarest(words, np.uint64(w), start, end, opened[depth, w])
                    if not bit:
                        count, bit = find_rarest_of_many(
                            words, np.uint64(w), start, end, opened[depth, w], planes
                        )
                    if count < fewest:
                        fewest, item[depth, 0], item[depth, 1] = count, w, bit
                        if count <= 1:
                            break
        at = _next(words, end, item, depth, cursor[depth])
        cursor[depth] = at
        if at == starts[depth + 1]:
            depth -= 1
            if depth < 0:
                depth, status = _DONE, Status.EXHAUSTED
            continue
        alive = starts[depth + 1] - starts[depth]
        if found == max_covers:
            status = Status.COVERS
        elif nodes == max_nodes:
            status = Status.NODES
        elif looked >= max_rows:
            status = Status.ROWS
        elif starts[depth + 1] + alive > words.shape[1]:
            status = Status.ROOM
        if status >= 0:
            continue
        cursor[depth] = at + 1
        nodes += 1
        looked += alive
        if _close(words, index_shift, at, opened, depth, row):
            if len(covers) > 0:
                _record(words, index_shift, cursor, depth, covers[found])
            found += 1
            continue
        if width == 1:
            missing = find_missing_1(words, start, end, row, opened, depth + 1)
        elif width == 2:
            missing = find_missing_2(words, start, end, row, opened, depth + 1)
        elif width == 3:
            missing = find_missing_3(words, start, end, row, opened, depth + 1)
        else:
            mark_clashes(words, start, end, row, clash)
            missing = find_missing_unmarked(words, start, end, opened, depth + 1, clash)
        if missing:
            continue
        if width == 1:
            kept = keep_1(words, start, end, row)
        elif width == 2:
            kept = keep_2(words, start, end, row)
        elif width == 3:
            kept = keep_3(words, start, end, row)
        else:
            kept = keep_unmarked(words, start, end, clash)
        depth += 1
        starts[depth + 1] = kept
        entering = True
    state[0] = depth
    return status, found, nodes


@kernel
def _next(words: Words64, end: np.uint64, item: Words64, depth: int, at: np.int64) -> np.int64:
    """Return the first live row from ``at`` on that covers the item; ``end`` if there is none."""
    w, bit = item[depth, 0], item[depth, 1]
    here = np.uint64(at)
    while here < end and not words[w, here] & bit:
        here += np.uint64(1)
    return np.int64(here)


@kernel
def _close(
    words: Words64, index_shift: int, at: np.int64, opened: Words64, depth: int, row: Words64
) -> bool:
    """Set the columns of live row ``at``, and those left open; whether there are none."""
    last = len(words) - 1
    left = np.uint64(0)
    for w in range(len(words)):
        row[w] = words[w, at]
        if w == last:
            row[w] &= (np.uint64(1) << np.uint64(index_shift)) - np.uint64(1)
        opened[depth + 1, w] = opened[depth, w] & ~row[w]
        left |= opened[depth + 1, w]
    return bool(left == np.uint64(0))


@kernel
def _record(
    words: Words64,
    index_shift: int,
    cursor: NDArray[np.int64],
    depth: int,
    cover: NDArray[np.int32],
) -> None:
    """Write the indices of the rows that are chosen."""
    for level in range(depth + 1):
        cover[level] = words[len(words) - 1, cursor[level] - 1] >> np.uint64(index_shift)
