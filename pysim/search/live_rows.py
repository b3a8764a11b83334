"""Rows of a cover problem that still fit, as 64-bit words: the inner loops of the search.

Words lie by columns, (W, C) uint64, and the live rows of a level are a range of them. The loops run
without branches along one word of many rows, so that the compiler makes vector instructions of
them. One to three words have loops of their own: the general ones take 1.4 times as long.

Indices are unsigned, since numba asks of signed ones whether they are negative, and arrays are
passed whole with a range, since it counts the references to slices. Each costs a third of the time.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["Words", "all_reachable", "keep_fitting", "rarest"]

Words = NDArray[np.uint64]

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)


@njit(cache=True, inline="always")
def all_reachable(
    words: Words,
    start: np.uint64,
    end: np.uint64,
    row: Words,
    opened: Words,
    depth: int,
    clash: Words,
) -> bool:
    """Whether the live rows that fit beside a row cover all columns that it leaves open.

    Args:
        words: (W, C), the live rows are ``start:end``.
        row: (W,) the row, without its index.
        opened: (D, W), columns left open are ``opened[depth]``.
        clash: (R,) scratch; from four words on it tells ``keep_fitting`` which rows do not fit.
    """
    if len(row) == 1:
        missing = _missing_1(words, start, end, row, opened, depth)
    elif len(row) == 2:
        missing = _missing_2(words, start, end, row, opened, depth)
    elif len(row) == 3:
        missing = _missing_3(words, start, end, row, opened, depth)
    else:
        _mark_clashes(words, start, end, row, clash)
        missing = _missing_unmarked(words, start, end, opened, depth, clash)
    return bool(missing == _NONE)


@njit(cache=True, inline="always")
def keep_fitting(
    words: Words, start: np.uint64, end: np.uint64, row: Words, clash: Words
) -> np.uint64:
    """Copy the live rows that fit beside a row to behind ``end``; where the copies end.

    The arguments are those of ``all_reachable``, which comes first.
    """
    if len(row) == 1:
        return _keep_1(words, start, end, row)
    if len(row) == 2:
        return _keep_2(words, start, end, row)
    if len(row) == 3:
        return _keep_3(words, start, end, row)
    return _keep_unmarked(words, start, end, clash)


@njit(cache=True)
def rarest(
    words: Words, w: np.uint64, start: np.uint64, end: np.uint64, opened: np.uint64
) -> tuple[int, np.uint64]:
    """The fewest rows that any open column of word w has, and the lowest such column as a bit.

    Counts the rows of all 64 columns at once, four rows in one step, in planes of bits (carry-save
    adders): bit c of plane k is bit k of the count of column c.

    Args:
        words: (W, C), the rows are ``start:end``.
        opened: columns to choose from, at least one.
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
    if left == _NONE:
        return _rarest_of_many(words, w, start, end, opened)
    count = 0
    for plane, value in ((sixteens, 16), (eights, 8), (fours, 4), (twos, 2), (ones, 1)):
        if left & ~plane:
            left &= ~plane
        else:
            count += value
    return count, left & (~left + _ONE)


@njit(cache=True)
def _rarest_of_many(
    words: Words, w: np.uint64, start: np.uint64, end: np.uint64, opened: np.uint64
) -> tuple[int, np.uint64]:
    """As ``rarest``, for any counts."""
    planes = np.zeros(32, np.uint64)
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


@njit(cache=True)
def _missing_1(
    words: Words, start: np.uint64, end: np.uint64, row: Words, opened: Words, depth: int
) -> np.uint64:
    row_0 = row[0]
    union = _NONE
    for i in range(start, end):
        union |= words[0, i] if words[0, i] & row_0 == _NONE else _NONE
    missing: np.uint64 = opened[depth, 0] & ~union
    return missing


@njit(cache=True)
def _missing_2(
    words: Words, start: np.uint64, end: np.uint64, row: Words, opened: Words, depth: int
) -> np.uint64:
    row_0, row_1 = row[0], row[1]
    union_0 = union_1 = _NONE
    for i in range(start, end):
        fits = (words[0, i] & row_0) | (words[1, i] & row_1) == _NONE
        union_0 |= words[0, i] if fits else _NONE
        union_1 |= words[1, i] if fits else _NONE
    missing: np.uint64 = (opened[depth, 0] & ~union_0) | (opened[depth, 1] & ~union_1)
    return missing


@njit(cache=True)
def _missing_3(
    words: Words, start: np.uint64, end: np.uint64, row: Words, opened: Words, depth: int
) -> np.uint64:
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


@njit(cache=True)
def _mark_clashes(words: Words, start: np.uint64, end: np.uint64, row: Words, clash: Words) -> None:
    for i in range(end - start):
        clash[i] = words[0, start + i] & row[0]
    for w in range(1, len(row)):
        mask = row[w]
        for i in range(end - start):
            clash[i] |= words[w, start + i] & mask


@njit(cache=True)
def _missing_unmarked(
    words: Words, start: np.uint64, end: np.uint64, opened: Words, depth: int, clash: Words
) -> np.uint64:
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


@njit(cache=True)
def _keep_1(words: Words, start: np.uint64, end: np.uint64, row: Words) -> np.uint64:
    row_0 = row[0]
    kept = end
    for i in range(start, end):
        a = words[0, i]
        words[0, kept] = a
        kept += np.uint64(a & row_0 == _NONE)
    return kept


@njit(cache=True)
def _keep_2(words: Words, start: np.uint64, end: np.uint64, row: Words) -> np.uint64:
    row_0, row_1 = row[0], row[1]
    kept = end
    for i in range(start, end):
        a, b = words[0, i], words[1, i]
        words[0, kept], words[1, kept] = a, b
        kept += np.uint64((a & row_0) | (b & row_1) == _NONE)
    return kept


@njit(cache=True)
def _keep_3(words: Words, start: np.uint64, end: np.uint64, row: Words) -> np.uint64:
    row_0, row_1, row_2 = row[0], row[1], row[2]
    kept = end
    for i in range(start, end):
        a, b, c = words[0, i], words[1, i], words[2, i]
        words[0, kept], words[1, kept], words[2, kept] = a, b, c
        kept += np.uint64((a & row_0) | (b & row_1) | (c & row_2) == _NONE)
    return kept


@njit(cache=True)
def _keep_unmarked(words: Words, start: np.uint64, end: np.uint64, clash: Words) -> np.uint64:
    kept = end
    for w in range(len(words)):
        kept = end
        for i in range(end - start):
            words[w, kept] = words[w, start + i]
            kept += np.uint64(clash[i] == _NONE)
    return kept
