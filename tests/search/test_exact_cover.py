"""Exact covers, against trying every subset of rows and against published counts."""

from itertools import chain, combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.search.exact_cover import (
    CoverMatrix,
    CoverResult,
    CoverSearch,
    StopReason,
    enumerate_exact_covers,
    solve,
)

Rows = list[list[int]]
Problem = tuple[Rows, int, int]


@st.composite
def problems(draw: st.DrawFn, most_rows: int = 11) -> Problem:
    """Rows, primary and optional columns. Empty rows and equal rows are among them."""
    primary, optional = draw(st.integers(0, 6)), draw(st.integers(0, 4))
    columns = st.integers(0, max(0, primary + optional - 1))
    row = st.lists(columns, max_size=5 if primary + optional else 0, unique=True)
    return draw(st.lists(row, max_size=most_rows)), primary, optional


@st.composite
def tilings(draw: st.DrawFn) -> Problem:
    """Rows of which some surely form a cover, and others, spread over up to 300 columns."""
    primary = draw(st.integers(1, 9))
    order = draw(st.permutations(range(primary)))
    cuts = sorted(draw(st.sets(st.integers(1, primary), max_size=4)))
    rows = [list(order[a:b]) for a, b in zip([0, *cuts], [*cuts, primary], strict=True) if a < b]
    more = st.lists(st.integers(0, primary - 1), min_size=1, max_size=4, unique=True)
    rows += draw(st.lists(more, max_size=6))
    return [list(row) for row in draw(st.permutations(rows))], primary, 0


def by_brute_force(problem: Problem) -> set[frozenset[int]]:
    """Subsets of the rows that cover a primary column: no cover needs another."""
    rows, primary, _ = problem
    useful = [i for i, row in enumerate(rows) if any(column < primary for column in row)]
    found = set()
    for subset in chain.from_iterable(combinations(useful, n) for n in range(len(useful) + 1)):
        covered = [column for i in subset for column in rows[i]]
        if len(covered) == len(set(covered)) and set(range(primary)) <= set(covered):
            found.add(frozenset(subset))
    return found


def queens(size: int) -> CoverMatrix:
    """Ranks and files are primary columns, diagonals may stay empty."""
    diagonals = 2 * size - 1
    rows = [
        [x, size + y, 2 * size + x + y, 2 * size + diagonals + size - 1 + x - y]
        for x in range(size)
        for y in range(size)
    ]
    return CoverMatrix.from_rows(rows, 2 * size, 2 * diagonals)


def dominoes(width: int, height: int) -> CoverMatrix:
    """Cells of a board as primary columns."""
    rows = [
        [x * height + y, a * height + b]
        for x in range(width)
        for y in range(height)
        for a, b in ((x + 1, y), (x, y + 1))
        if a < width and b < height
    ]
    return CoverMatrix.from_rows(rows, width * height)


def latin_squares(size: int) -> CoverMatrix:
    """One symbol for each cell, each symbol once in each rank and file."""
    n = size
    rows = [
        [x * n + y, n * n + x * n + s, 2 * n * n + y * n + s]
        for x in range(n)
        for y in range(n)
        for s in range(n)
    ]
    return CoverMatrix.from_rows(rows, 3 * n * n)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile before Hypothesis takes the time."""
    solve(queens(4))


@given(problems())
def test_covers_are_those_that_brute_force_finds(problem: Problem) -> None:
    result = solve(CoverMatrix.from_rows(*problem))
    found = [frozenset(cover) for cover in result]
    assert len(found) == len(set(found)) == result.count, "the same cover twice"
    assert set(found) == by_brute_force(problem)
    assert result.exhausted


@given(tilings())
def test_covers_of_rows_that_surely_have_one(problem: Problem) -> None:
    found = {frozenset(cover) for cover in solve(CoverMatrix.from_rows(*problem))}
    assert found == by_brute_force(problem) != set()


@given(tilings(), st.integers(1, 70))
def test_columns_spread_over_many_words_give_the_same_covers(problem: Problem, gap: int) -> None:
    rows, primary, _ = problem
    # Column c moves to c * gap; a row of its own covers every column between.
    spread = [[column * gap for column in row] for row in rows]
    spread += [[c] for c in range((primary - 1) * gap + 1) if c % gap]
    wide = solve(CoverMatrix.from_rows(spread, (primary - 1) * gap + 1))
    found = {frozenset(row for row in cover if row < len(rows)) for cover in wide}
    assert found == by_brute_force(problem)
    assert wide.count == len(found)


@given(problems())
def test_counting_and_iterating_agree_with_keeping(problem: Problem) -> None:
    matrix = CoverMatrix.from_rows(*problem)
    kept = solve(matrix)
    counted = solve(matrix, keep=False)
    assert (counted.count, counted.nodes, len(counted.covers)) == (kept.count, kept.nodes, 0)
    assert list(enumerate_exact_covers(matrix)) == list(kept)


@given(problems(), st.integers(0, 4))
def test_a_limit_on_covers_gives_the_first_of_them(problem: Problem, limit: int) -> None:
    matrix = CoverMatrix.from_rows(*problem)
    everything = list(solve(matrix))
    result = solve(matrix, max_covers=limit)
    assert list(result) == everything[:limit]
    assert result.first == next(iter(everything[:limit]), None)
    if result.ending is StopReason.EXHAUSTED:
        assert result.count == len(everything)
    else:
        assert (result.ending, result.count) == (StopReason.COVERS, limit)
    assert solve(matrix, max_covers=limit, keep=False).count == result.count


@given(problems(), st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_an_interrupted_search_goes_on_where_it_was(problem: Problem, steps: list[int]) -> None:
    matrix = CoverMatrix.from_rows(*problem)
    whole = solve(matrix)
    search = CoverSearch(matrix)
    covers: list[tuple[int, ...]] = []
    nodes = 0
    for limit in [*steps, None]:
        assert not search.exhausted or limit is None or nodes == whole.nodes
        part = search.run(max_nodes=limit)
        assert limit is None or part.nodes <= limit
        covers += part
        nodes += part.nodes
    assert (covers, nodes) == (list(whole), whole.nodes)
    assert search.exhausted


@given(problems())
def test_an_exhausted_search_finds_nothing_more(problem: Problem) -> None:
    search = CoverSearch(CoverMatrix.from_rows(*problem))
    search.run()
    again = search.run()
    assert (again.count, again.nodes, again.ending) == (0, 0, StopReason.EXHAUSTED)


def test_a_limit_on_nodes_is_met_exactly() -> None:
    search = CoverSearch(queens(8))
    for _ in range(3):
        result = search.run(max_nodes=100)
        assert (result.nodes, result.ending) == (100, StopReason.NODES)


def test_a_limit_on_covers_holds_for_one_run_of_many_chunks() -> None:
    # The 12,988,816 domino tilings of a chessboard, which take several chunks.
    search = CoverSearch(dominoes(8, 8))
    for keep in (False, True):
        result = search.run(keep=keep, max_covers=1500 if keep else 1_500_000)
        assert (result.count, result.ending) == (1500 if keep else 1_500_000, StopReason.COVERS)


def test_a_search_told_to_stop_goes_on_later() -> None:
    matrix = queens(8)
    search = CoverSearch(matrix)
    stopped = search.run(stop=lambda: True)
    assert (stopped.count, stopped.nodes, stopped.ending) == (0, 0, StopReason.STOPPED)
    assert not search.exhausted
    assert list(search.run(stop=lambda: False)) == list(solve(matrix))


def test_a_running_search_asks_every_so_often_whether_to_stop() -> None:
    answers = iter([False, False, True])
    search = CoverSearch(dominoes(8, 8))
    result = search.run(keep=False, stop=lambda: next(answers))
    assert result.ending is StopReason.STOPPED
    assert 0 < result.nodes < 5_000_000
    assert search.run(keep=False, max_nodes=10).nodes == 10


def test_an_exception_of_the_caller_passes_through_and_the_search_can_go_on() -> None:
    def interrupt() -> bool:
        raise KeyboardInterrupt

    search = CoverSearch(queens(8))
    with pytest.raises(KeyboardInterrupt):
        search.run(stop=interrupt)
    assert search.run().count == 92


def test_knuths_example_has_its_one_cover() -> None:
    # Dancing Links, section 1: columns A to G.
    rows = [[2, 4, 5], [0, 3, 6], [1, 2, 5], [0, 3], [1, 6], [3, 4, 6]]
    result = solve(CoverMatrix.from_rows(rows, 7))
    assert result.count == 1
    assert set(result.first or ()) == {0, 3, 4}


def test_without_primary_columns_the_empty_cover_is_the_only_one() -> None:
    for matrix in (CoverMatrix.from_rows([], 0), CoverMatrix.from_rows([[0], [1]], 0, 2)):
        assert list(solve(matrix)) == [()]
        assert list(enumerate_exact_covers(matrix)) == [()]
        assert solve(matrix, max_covers=0).count == 0


def test_a_column_that_no_row_covers_leaves_none() -> None:
    for matrix in (
        CoverMatrix.from_rows([[0]], 2),
        CoverMatrix.from_rows([], 1),
        CoverMatrix.from_rows([[]], 1),
    ):
        result = solve(matrix)
        assert (result.count, result.first, result.exhausted) == (0, None, True)


def test_equal_rows_are_different_rows() -> None:
    result = solve(CoverMatrix.from_rows([[0], [1], [0], [1], [1]], 2))
    assert {frozenset(cover) for cover in result} == {
        frozenset((a, b)) for a in (0, 2) for b in (1, 3, 4)
    }


def test_covers_of_different_sizes_are_padded() -> None:
    covers = solve(CoverMatrix.from_rows([[0], [1], [0, 1]], 2)).covers
    assert covers.dtype == np.int32
    assert covers.tolist() == [[0, 1], [2, -1]]


def test_more_covers_than_fit_into_one_chunk_come_in_order() -> None:
    # Two rows for each of 12 columns: the covers count in binary.
    result: CoverResult = solve(CoverMatrix.from_rows([[c // 2] for c in range(24)], 12))
    expected = [[2 * c + (i >> (11 - c) & 1) for c in range(12)] for i in range(4096)]
    assert result.covers.tolist() == expected


def test_columns_with_more_rows_than_the_bit_planes_count_are_still_told_apart() -> None:
    # 40 rows for column 0, 39 for column 1, 38 for column 70: the search begins with the last.
    rows = [[0]] * 40 + [[1]] * 39 + [[70]] * 38 + [[c] for c in range(71) if c not in (0, 1, 70)]
    first = solve(CoverMatrix.from_rows(rows, 71), max_covers=1).first
    # Columns with one row each come before it.
    assert first is not None
    assert first[-3:] == (79, 40, 0)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (3, 0), (4, 2), (6, 4), (8, 92), (10, 724)])
def test_queens_stand_in_their_published_numbers(size: int, count: int) -> None:
    # OEIS A000170.
    assert solve(queens(size), keep=False).count == count


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 2), (3, 12), (4, 576), (5, 161280)])
def test_latin_squares_come_in_their_published_numbers(size: int, count: int) -> None:
    # OEIS A002860.
    assert solve(latin_squares(size), keep=False).count == count


@pytest.mark.slow
def test_a_matrix_of_more_than_192_columns_has_its_covers() -> None:
    # The Latin squares of order 9 have 243 columns; with all but two rows given, few are left.
    n = 9
    given_cells = [(x, y, (x + y) % n) for x in range(n - 2) for y in range(n)]
    taken = {(y, s) for x, y, s in given_cells}
    rows = [
        [x * n + y, n * n + x * n + s, 2 * n * n + y * n + s]
        for x in range(n)
        for y in range(n)
        for s in range(n)
        if ((x, y, s) in given_cells if x < n - 2 else (y, s) not in taken)
    ]
    matrix = CoverMatrix.from_rows(rows, 3 * n * n)
    assert matrix.masks.shape[1] == 4
    left = [{(y - 1) % n, (y - 2) % n} for y in range(n)]
    # Each column has two symbols left: the one in the first open row decides all.
    expected = sum(
        len(set(first)) == n and all(s in left[y] for y, s in enumerate(first))
        for first in permutations(range(n))
    )
    assert solve(matrix).count == expected == 2


@pytest.mark.parametrize(("width", "height", "count"), [(2, 3, 3), (4, 4, 36), (6, 6, 6728)])
def test_domino_tilings_come_in_their_published_numbers(
    width: int, height: int, count: int
) -> None:
    # Kasteleyn (1961), OEIS A099390.
    assert solve(dominoes(width, height), keep=False).count == count


@pytest.mark.parametrize(
    ("rows", "primary", "optional", "message"),
    [
        ([[0]], -1, 0, "-1 primary"),
        ([[0]], 1, -1, "-1 optional"),
        ([[0], [2]], 2, 0, "row 1 covers column 2: there are 2"),
        ([[-1]], 2, 0, "row 0 covers column -1"),
        ([[1, 0, 1]], 2, 0, "row 0 covers a column twice"),
    ],
)
def test_bad_rows_are_refused(rows: Rows, primary: int, optional: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CoverMatrix.from_rows(rows, primary, optional)


def test_negative_limits_are_refused() -> None:
    with pytest.raises(ValueError, match="max_covers is -1"):
        solve(queens(4), max_covers=-1)
    with pytest.raises(ValueError, match="max_nodes is -2"):
        solve(queens(4), max_nodes=-2)
