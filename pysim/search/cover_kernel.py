"""The compiled part of the exact cover search.

The live rows of all levels lie one level after the other in one stack, by columns of 64-bit words.
A level is entered only if every open primary column still has a row; the column with the fewest is
found by counting all 64 columns of a word at once, in bit planes.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["Stack", "Status", "Step", "advance"]

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_MANY = 1 << 60
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
    """Where a search is. Level d lies at ``starts[d]:starts[d + 1]`` of the live rows.

    Attributes:
        words: (W, C) uint64, masks of the live rows.
        rows: (C,) int32, their indices.
        starts: (D + 2,) int64.
        opened: (D + 1, W) uint64, primary columns that are open at each level.
        item: (D + 1, 2) uint64, word and bit of the column that each level branches on.
        cursor: (D + 1,) int64, the next live row to look at.
        chosen: (D + 1,) int32, the row that was tried last.
        depth: (1,) int64, the level, or that the search has not begun or has ended.
    """

    words: NDArray[np.uint64]
    rows: NDArray[np.int32]
    starts: NDArray[np.int64]
    opened: NDArray[np.uint64]
    item: NDArray[np.uint64]
    cursor: NDArray[np.int64]
    chosen: NDArray[np.int32]
    depth: NDArray[np.int64]

    @staticmethod
    def of(masks: NDArray[np.uint64], primary: int) -> "Stack":
        """Before the first level, with all rows that cover any of the first ``primary`` columns."""
        width = masks.shape[1]
        opened = np.zeros((primary + 1, width), np.uint64)
        for column in range(primary):
            opened[0, column >> 6] |= np.uint64(1 << (column & 63))
        rows = np.flatnonzero((masks & opened[0]).any(axis=1)).astype(np.int32)
        words = np.ascontiguousarray(masks[rows].T)
        starts = np.zeros(primary + 2, np.int64)
        starts[1] = len(rows)
        return Stack(
            words=words,
            rows=rows,
            starts=starts,
            opened=opened,
            item=np.zeros((primary + 1, 2), np.uint64),
            cursor=np.zeros(primary + 1, np.int64),
            chosen=np.zeros(primary + 1, np.int32),
            depth=np.full(1, _BEFORE, np.int64),
        )

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing left to try."""
        return bool(self.depth[0] == _DONE)

    def grow(self) -> None:
        """Make room for twice as many live rows."""
        self.words = np.concatenate((self.words, np.zeros_like(self.words)), axis=1)
        self.rows = np.concatenate((self.rows, np.zeros_like(self.rows)))


@dataclass(frozen=True, slots=True)
class Step:
    """What ``advance`` did.

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


def advance(stack: Stack, *, max_covers: int, max_nodes: int, max_rows: int, keep: bool) -> Step:
    """Search until one of the limits is met.

    Args:
        max_rows: about how many live rows to look at; at least one is tried.
        keep: whether to return the covers.
    """
    covers = np.full((max_covers if keep else 0, len(stack.chosen) - 1), -1, np.int32)
    found = nodes = 0
    status = int(Status.ROOM)
    while status == Status.ROOM:
        status, more, tried = _search(
            stack.words, stack.rows, stack.starts, stack.opened, stack.item,
            stack.cursor, stack.chosen, stack.depth,
            covers[found:], max_covers - found, max_nodes - nodes, max_rows,
        )  # fmt: skip
        found += more
        nodes += tried
        if status == Status.ROOM:
            stack.grow()
    return Step(Status(status), covers[:found], found, nodes)


@njit(cache=True)
def _search(
    words: NDArray[np.uint64],
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
    opened: NDArray[np.uint64],
    item: NDArray[np.uint64],
    cursor: NDArray[np.int64],
    chosen: NDArray[np.int32],
    state: NDArray[np.int64],
    covers: NDArray[np.int32],
    max_covers: int,
    max_nodes: int,
    max_rows: int,
) -> tuple[int, int, int]:
    """As ``advance``, but comes back with ``ROOM`` where the stack is full."""
    found, nodes, looked = 0, 0, 0
    depth = state[0]
    if depth == _DONE:
        return Status.EXHAUSTED, 0, 0
    if depth == _BEFORE:
        if max_covers == 0:
            return Status.COVERS, 0, 0
        empty = not opened[0].any()
        if empty or not _enter(words, starts, opened, item, cursor, 0):
            state[0] = _DONE
            return Status.EXHAUSTED, int(empty), 0
        depth = 0
    status = -1
    while status < 0:
        at = _next(words, starts[depth + 1], item[depth], cursor[depth])
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
        elif starts[depth + 1] + alive > len(rows):
            status = Status.ROOM
        else:
            cursor[depth] = at + 1
            chosen[depth] = rows[at]
            nodes += 1
            looked += alive
            if _close(words, opened, depth, at):
                if len(covers) > 0:
                    covers[found, : depth + 1] = chosen[: depth + 1]
                found += 1
            else:
                _filter(words, rows, starts, depth, at)
                if _enter(words, starts, opened, item, cursor, depth + 1):
                    depth += 1
    state[0] = depth
    return status, found, nodes


@njit(cache=True)
def _next(words: NDArray[np.uint64], end: int, item: NDArray[np.uint64], at: int) -> int:
    """The first live row from ``at`` on that covers the item; ``end`` if there is none."""
    word = words[np.int64(item[0])]
    while at < end and not word[at] & item[1]:
        at += 1
    return at


@njit(cache=True)
def _close(words: NDArray[np.uint64], opened: NDArray[np.uint64], depth: int, at: int) -> bool:
    """Set the columns that are open at the next level; whether there are none."""
    left = _NONE
    for w in range(len(words)):
        opened[depth + 1, w] = opened[depth, w] & ~words[w, at]
        left |= opened[depth + 1, w]
    return bool(left == _NONE)


@njit(cache=True)
def _filter(
    words: NDArray[np.uint64],
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
    depth: int,
    at: int,
) -> None:
    """Copy the live rows that fit beside row ``at`` to the next level."""
    kept = starts[depth + 1]
    for i in range(starts[depth], starts[depth + 1]):
        both = _NONE
        for w in range(len(words)):
            both |= words[w, i] & words[w, at]
        if both == _NONE:
            for w in range(len(words)):
                words[w, kept] = words[w, i]
            rows[kept] = rows[i]
            kept += 1
    starts[depth + 2] = kept


@njit(cache=True)
def _enter(
    words: NDArray[np.uint64],
    starts: NDArray[np.int64],
    opened: NDArray[np.uint64],
    item: NDArray[np.uint64],
    cursor: NDArray[np.int64],
    depth: int,
) -> bool:
    """Choose what a level branches on; whether every open column still has a row."""
    fewest = _MANY
    for w in range(len(words)):
        if opened[depth, w]:
            count, bit = _rarest(words[w], starts[depth], starts[depth + 1], opened[depth, w])
            if count == 0:
                return False
            if count < fewest:
                fewest = count
                item[depth, 0], item[depth, 1] = w, bit
    cursor[depth] = starts[depth]
    return True


@njit(cache=True)
def _rarest(
    word: NDArray[np.uint64], start: int, end: int, opened: np.uint64
) -> tuple[int, np.uint64]:
    """The fewest live rows that any open column of a word has, and the bit of the lowest such."""
    ones = twos = fours = eights = many = _NONE
    for i in range(start, end):
        carry = word[i]
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours, carry = fours ^ carry, fours & carry
        eights, carry = eights ^ carry, eights & carry
        many |= carry
    rarest = opened & ~many
    if not rarest:
        return _rarest_of_many(word, start, end, opened)
    count = 0
    for plane, value in ((eights, 8), (fours, 4), (twos, 2), (ones, 1)):
        if rarest & ~plane:
            rarest &= ~plane
        else:
            count += value
    return count, rarest & (~rarest + _ONE)


@njit(cache=True)
def _rarest_of_many(
    word: NDArray[np.uint64], start: int, end: int, opened: np.uint64
) -> tuple[int, np.uint64]:
    """As ``_rarest``, one column after the other."""
    fewest, rarest = _MANY, _NONE
    while opened:
        bit = opened & (~opened + _ONE)
        opened ^= bit
        count = 0
        for i in range(start, end):
            if word[i] & bit:
                count += 1
        if count < fewest:
            fewest, rarest = count, bit
    return fewest, rarest
