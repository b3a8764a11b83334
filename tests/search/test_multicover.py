"""Exact cover with pieces, against trying all, interpreted and compiled."""

import math
import random
from itertools import combinations, islice

import numpy as np
import pytest

from pysim.search.multicover import Rows, enumerate_covers
from tests.interpreting import interpreting
from tests.sampling import by_day

Problem = tuple[list[list[int]], list[int], int, int, list[int], list[int]]


def random_problem(seed: int) -> Problem:
    rng = random.Random(seed)
    width = rng.randint(2, 7)
    primary = rng.randint(1, width)
    rows = [
        sorted(rng.sample(range(width), rng.randint(1, min(3, width))))
        for _ in range(rng.randint(1, 9))
    ]
    kinds = [rng.randrange(3) for _ in rows]
    least = [rng.randint(0, 1) for _ in range(3)]
    most = [low + rng.randint(0, 2) for low in least]
    return rows, kinds, width, primary, least, most


def by_brute_force(problem: Problem, first: int) -> set[frozenset[int]]:
    rows, kinds, _, primary, least, most = problem
    found = set()
    for size in range(1, len(rows) + 1):
        for chosen in combinations(range(len(rows)), size):
            columns = [column for row in chosen for column in rows[row]]
            used = [sum(kinds[row] == kind for row in chosen) for kind in range(3)]
            if (
                first in chosen
                and len(set(columns)) == len(columns)
                and set(range(primary)) <= set(columns)
                and all(a <= u <= b for a, u, b in zip(least, used, most, strict=True))
            ):
                found.add(frozenset(chosen))
    return found


def covers_of(problem: Problem, first: int) -> list[list[int]]:
    rows, kinds, width, primary, least, most = problem
    batches = enumerate_covers(
        Rows.from_rows(rows, kinds, width),
        np.arange(len(rows), dtype=np.int32),
        first,
        np.array(least),
        np.array(most),
        primary,
    )
    return [[int(row) for row in line if row >= 0] for batch in batches for line in batch]


@pytest.mark.parametrize("part", by_day(range(4), each=2))
@pytest.mark.parametrize("seconds", [0, math.inf], ids=["compiled", "interpreted"])
def test_every_cover_is_found_once(part: int, seconds: float) -> None:
    covered = 0
    for seed in range(100 * part, 100 * part + 100):
        problem = random_problem(seed)
        rows, kinds, _, _, _, most = problem
        for first in range(len(rows)):
            if most[kinds[first]] == 0:
                continue
            with interpreting(seconds):
                lines = covers_of(problem, first)
            sets = [frozenset(line) for line in lines]
            assert len(set(sets)) == len(sets)
            assert set(sets) == by_brute_force(problem, first)
            covered += len(sets)
    assert covered > 50


def widen(problem: Problem, times: int) -> Problem:
    """Return the problem with several columns in the place of each."""
    rows, kinds, width, primary, least, most = problem
    wide = [[times * c + k for c in row for k in range(times)] for row in rows]
    return wide, kinds, times * width, times * primary, least, most


@pytest.mark.parametrize("times", [8, 9, 10, 20, 30, 60])
def test_columns_in_several_words_leave_the_covers_as_they_are(times: int) -> None:
    covered = 0
    for seed in range(40):
        problem = random_problem(seed)
        rows, kinds, _, _, _, most = problem
        for first in range(len(rows)):
            if most[kinds[first]]:
                with interpreting(0):
                    wanted = covers_of(problem, first)
                    assert covers_of(widen(problem, times), first) == wanted
                covered += len(wanted)
    assert covered > 20


@pytest.mark.parametrize("seed", range(3))
def test_going_over_to_compiled_code_on_the_way_changes_no_cover(seed: int) -> None:
    rng = random.Random(seed)
    rows = [[column] for column in range(14)]
    rows += [sorted(rng.sample(range(14), rng.randint(2, 4))) for _ in range(50)]
    problem = (rows, [0] * len(rows), 14, 14, [1], [14])
    with interpreting(0):
        wanted = covers_of(problem, 20)
    assert len(wanted) > 100
    for seconds in (0.01, 0.1, math.inf):
        with interpreting(seconds):
            assert covers_of(problem, 20) == wanted


def test_covers_come_in_batches() -> None:
    rows = [[column] for column in range(14)]
    batches = enumerate_covers(
        Rows.from_rows(rows, [0] * 14, 14),
        np.arange(14, dtype=np.int32),
        0,
        np.array([1]),
        np.array([14]),
        1,
    )
    sizes = [len(batch) for batch in batches]
    assert sum(sizes) == 2**13 and len(sizes) > 1


def test_columns_that_no_row_covers_end_the_search_at_once() -> None:
    """The bits of these columns hold indices of rows, which don't count as cover."""
    rows = [[column] for column in range(57) for _ in range(2)]
    kinds, count = list(range(len(rows))), len(rows)
    least, most = np.zeros(count, np.int64), np.ones(count, np.int64)
    live = np.arange(count, dtype=np.int32)
    with interpreting(0):
        batches = enumerate_covers(Rows.from_rows(rows, kinds, 60), live, 0, least, most, 60)
        assert [len(batch) for batch in islice(batches, 2)] == [0]
