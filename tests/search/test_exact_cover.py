"""Exact covers, against trying every subset of rows."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.search.exact_cover import exact_covers


def by_brute_force(rows: list[int], primary: int) -> set[frozenset[int]]:
    """Subsets of useful rows: a cover never needs a row that covers no primary column."""
    useful = [i for i, row in enumerate(rows) if row & primary]
    subsets = chain.from_iterable(combinations(useful, n) for n in range(len(useful) + 1))
    found = set()
    for subset in subsets:
        counts = [sum(rows[i] >> c & 1 for i in subset) for c in range(12)]
        if all(n <= 1 for n in counts) and all(
            counts[c] == 1 for c in range(12) if primary >> c & 1
        ):
            found.add(frozenset(subset))
    return found


@given(st.lists(st.integers(1, 2**6 - 1), max_size=11), st.integers(0, 2**6 - 1))
def test_covers_are_those_that_brute_force_finds(rows: list[int], primary: int) -> None:
    found = [frozenset(cover) for cover in exact_covers(rows, primary)]
    assert len(found) == len(set(found)), "the same cover twice"
    assert set(found) == by_brute_force(rows, primary)


@given(st.lists(st.integers(1, 2**12 - 1), max_size=10), st.integers(1, 2**12 - 1))
def test_covers_of_wide_sparse_rows_too(rows: list[int], primary: int) -> None:
    found = {frozenset(cover) for cover in exact_covers(rows, primary)}
    assert found == by_brute_force(rows, primary)


def test_knuths_example_has_its_one_cover() -> None:
    # Dancing Links, section 1: columns A to G from the left.
    rows = [0b0010110, 0b1001001, 0b0110010, 0b1001000, 0b0100001, 0b0001101]
    (cover,) = exact_covers(rows, 0b1111111)
    assert set(cover) == {0, 3, 4}


def test_without_primary_columns_the_empty_cover_is_the_only_one() -> None:
    assert list(exact_covers([1, 2], 0)) == [()]


def test_a_column_that_no_row_covers_leaves_none() -> None:
    assert list(exact_covers([0b01], 0b11)) == []
    assert list(exact_covers([], 1)) == []


@pytest.mark.parametrize(("width", "height", "count"), [(2, 3, 3), (4, 4, 36), (4, 6, 281)])
def test_domino_tilings_come_in_their_published_numbers(
    width: int, height: int, count: int
) -> None:
    # Kasteleyn (1961), OEIS A099390.
    cells = [(x, y) for x in range(width) for y in range(height)]
    bit = {cell: 1 << i for i, cell in enumerate(cells)}
    rows = [
        bit[x, y] | bit[other]
        for x, y in cells
        for other in ((x + 1, y), (x, y + 1))
        if other in bit
    ]
    assert sum(1 for _ in exact_covers(rows, 2 ** len(cells) - 1)) == count


def test_eight_queens_stand_in_92_ways() -> None:
    # Ranks and files are primary columns, diagonals may stay empty.
    rows = [
        1 << x | 1 << 8 + y | 1 << 16 + x + y | 1 << 31 + 7 + x - y
        for x in range(8)
        for y in range(8)
    ]
    assert sum(1 for _ in exact_covers(rows, 2**16 - 1)) == 92
