"""Rows of a cover problem that still fit, as 64-bit words: the inner loops of the search.

``words`` is (W, C), uint64, and the live rows of a level are ``words[:, start:end]``. The loops run
without branches along one word of many rows, so that the compiler can make vector instructions of
them. One to three words have loops of their own: the general ones take 1.4 times as long.

``missing_*`` say which columns, of those open at a depth, no live row covers that fits beside
``row``, (W,). ``keep_*`` copy the live rows that fit to behind ``end`` and say where the copies
end. For any number of words ``mark_clashes`` comes first; ``clash`` is (R,).

Two habits of numba shape this code. It asks of signed indices whether they are negative, so these
are unsigned. And it counts references to arrays wherever a function with branches passes them on,
which took a third of the time, so these functions are leaves, and the search itself branches.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = [
    "Words64",
    "expand_words",
    "find_missing_1",
    "find_missing_2",
    "find_missing_3",
    "find_missing_unmarked",
    "find_rarest",
    "find_rarest_of_many",
    "keep_1",
    "keep_2",
    "keep_3",
    "keep_unmarked",
    "make_room",
    "mark_clashes",
    "pack_rows",
    "tag_rows",
]

Words64 = NDArray[np.uint64]

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)


def pack_rows(rows: Sequence[Sequence[int]], width: int) -> Words64:
    """Return (R, W) bits of rows given by their columns: bit c % 64 of word c // 64."""
    words = -(-width // 64)
    masks = (reduce(or_, (1 << column for column in row), 0) for row in rows)
    packed = b"".join(mask.to_bytes(8 * words, "little") for mask in masks)
    return np.frombuffer(packed, "<u8").astype(np.uint64).reshape(len(rows), words)


def make_room(masks: Words64, columns: int) -> tuple[Words64, int]:
    """Return rows (R, W) with room for their indices, and the lowest bit of these.

    Indices take the top bits of the last word. There is one word more if columns stand there.
    """
    count, width = masks.shape
    index_bits = max(1, count.bit_length())
    if columns + index_bits > 64 * width:
        masks = np.pad(masks, ((0, 0), (0, 1)))
    return masks, 64 - index_bits


def tag_rows(masks: Words64, live: NDArray[np.integer], index_shift: int) -> Words64:
    """Return the words (W, n) of some rows, with their indices in the last one."""
    words = np.ascontiguousarray(masks[live].T)
    words[-1] |= live.astype(np.uint64) << np.uint64(index_shift)
    return words


def expand_words(words: Words64) -> Words64:
    """Return live rows with room for as many more behind them."""
    return np.concatenate((words, np.empty_like(words)), axis=1)


@kernel
def find_rarest(
    words: Words64, w: np.uint64, start: np.uint64, end: np.uint64, opened: np.uint64
) -> tuple[int, np.uint64]:
    """The fewest rows that any open column of word w has, and the lowest such column as a bit.

    Counts the rows of all 64 columns at once, four rows in one step, in planes of bits (carry-save
    adders): bit c of plane k is bit k of the count of column c.

    Args:
        words: (W, C), the rows are ``start:end``.
        opened: columns to choose from, at least one.

    Returns:
        The bit is 0 if all counts are above 31: then ``find_rarest_of_many`` tells.
    """
    ones = twos = fours = eights = sixteens = many = _NONE
    at = start
    while at + _FOUR <= end:
        a, b, c, d = words[w, at], words[w, at + _ONE], words[w, at + _TWO], words[w, at + _THREE]
        at += _FOUR
        half = ones ^ a
        carry_ab = (ones & a) | (half & b)
        ones = half ^ b
        half = ones ^ c
        carry_cd = (ones & c) | (half & d)
        ones = half ^ d
        half = twos ^ carry_ab
        carry = (twos & carry_ab) | (half & carry_cd)
        twos = half ^ carry_cd
        fours, carry = fours ^ carry, fours & carry
        eights, carry = eights ^ carry, eights & carry
        sixteens, carry = sixteens ^ carry, sixteens & carry
        many |= carry
    for i in range(at, end):
        carry = words[w, i]
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        fours, carry = fours ^ carry, fours & carry
        eights, carry = eights ^ carry, eights & carry
        sixteens, carry = sixteens ^ carry, sixteens & carry
        many |= carry
    left = opened & ~many
    count = 0
    for plane, value in ((sixteens, 16), (eights, 8), (fours, 4), (twos, 2), (ones, 1)):
        if left & ~plane:
            left &= ~plane
        else:
            count += value
    return count, left & (~left + _ONE)


@kernel
def find_rarest_of_many(
    words: Words64,
    w: np.uint64,
    start: np.uint64,
    end: np.uint64,
    opened: np.uint64,
    planes: Words64,
) -> tuple[int, np.uint64]:
    """As ``rarest``, for any counts, with (32,) scratch."""
    planes[:] = _NONE
    for i in range(start, end):
        carry, k = words[w, i], 0
        while carry:
            planes[k], carry = planes[k] ^ carry, planes[k] & carry
            k += 1
    count, left = 0, opened
    for k in range(len(planes) - 1, -1, -1):
        if left & ~planes[k]:
            left &= ~planes[k]
        else:
            count += 1 << k
    return count, left & (~left + _ONE)


@kernel
def find_missing_1(
    words: Words64, start: np.uint64, end: np.uint64, row: Words64, opened: Words64, depth: int
) -> np.uint64:
    """Open columns that no fitting live row covers, with one word."""
    row_0 = row[0]
    union = _NONE
    for i in range(start, end):
        union |= words[0, i] if words[0, i] & row_0 == _NONE else _NONE
    missing: np.uint64 = opened[depth, 0] & ~union
    return missing


@kernel
def find_missing_2(
    words: Words64, start: np.uint64, end: np.uint64, row: Words64, opened: Words64, depth: int
) -> np.uint64:
    """Open columns that no fitting live row covers, with two words, or-ed."""
    row_0, row_1 = row[0], row[1]
    union_0 = union_1 = _NONE
    for i in range(start, end):
        fits = (words[0, i] & row_0) | (words[1, i] & row_1) == _NONE
        union_0 |= words[0, i] if fits else _NONE
        union_1 |= words[1, i] if fits else _NONE
    missing: np.uint64 = (opened[depth, 0] & ~union_0) | (opened[depth, 1] & ~union_1)
    return missing


@kernel
def find_missing_3(
    words: Words64, start: np.uint64, end: np.uint64, row: Words64, opened: Words64, depth: int
) -> np.uint64:
    """Open columns that no fitting live row covers, with three words, or-ed."""
    row_0, row_1, row_2 = row[0], row[1], row[2]
    union_0 = union_1 = union_2 = _NONE
    for i in range(start, end):
        fits = (words[0, i] & row_0) | (words[1, i] & row_1) | (words[2, i] & row_2) == _NONE
        union_0 |= words[0, i] if fits else _NONE
        union_1 |= words[1, i] if fits else _NONE
        union_2 |= words[2, i] if fits else _NONE
    missing: np.uint64 = (
        (opened[depth, 0] & ~union_0)
        | (opened[depth, 1] & ~union_1)
        | (opened[depth, 2] & ~union_2)
    )
    return missing


@kernel
def mark_clashes(
    words: Words64, start: np.uint64, end: np.uint64, row: Words64, clash: Words64
) -> None:
    """Set ``clash`` to something other than 0 for live rows that do not fit."""
    for i in range(end - start):
        clash[i] = words[0, start + i] & row[0]
    for w in range(1, len(row)):
        mask = row[w]
        for i in range(end - start):
            clash[i] |= words[w, start + i] & mask


@kernel
def find_missing_unmarked(
    words: Words64, start: np.uint64, end: np.uint64, opened: Words64, depth: int, clash: Words64
) -> np.uint64:
    """Open columns that no unmarked live row covers; of the first word that has any."""
    missing = _NONE
    for w in range(len(words)):
        union = _NONE
        for i in range(end - start):
            union |= words[w, start + i] if clash[i] == _NONE else _NONE
        missing |= opened[depth, w] & ~union
        if missing:
            break
    return missing


# The next four write every row and step on only behind those that fit: no branch to mispredict.


@kernel
def keep_1(words: Words64, start: np.uint64, end: np.uint64, row: Words64) -> np.uint64:
    """Copy the live rows that fit, with one word."""
    row_0 = row[0]
    kept = end
    for i in range(start, end):
        a = words[0, i]
        words[0, kept] = a
        kept += np.uint64(a & row_0 == _NONE)
    return kept


@kernel
def keep_2(words: Words64, start: np.uint64, end: np.uint64, row: Words64) -> np.uint64:
    """Copy the live rows that fit, with two words."""
    row_0, row_1 = row[0], row[1]
    kept = end
    for i in range(start, end):
        a, b = words[0, i], words[1, i]
        words[0, kept], words[1, kept] = a, b
        kept += np.uint64((a & row_0) | (b & row_1) == _NONE)
    return kept


@kernel
def keep_3(words: Words64, start: np.uint64, end: np.uint64, row: Words64) -> np.uint64:
    """Copy the live rows that fit, with three words."""
    row_0, row_1, row_2 = row[0], row[1], row[2]
    kept = end
    for i in range(start, end):
        a, b, c = words[0, i], words[1, i], words[2, i]
        words[0, kept], words[1, kept], words[2, kept] = a, b, c
        kept += np.uint64((a & row_0) | (b & row_1) | (c & row_2) == _NONE)
    return kept


@kernel
def keep_unmarked(words: Words64, start: np.uint64, end: np.uint64, clash: Words64) -> np.uint64:
    """Copy the live rows that are not marked."""
    kept = end
    for w in range(len(words)):
        kept = end
        for i in range(end - start):
            words[w, kept] = words[w, start + i]
            kept += np.uint64(clash[i] == _NONE)
    return kept
