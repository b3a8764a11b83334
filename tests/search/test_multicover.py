import math
import random
from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np
import pytest

from pysim.search.bit_cover import BitRows, enumerate_bit_covers
from pysim.search.multicover import Rows, enumerate_covers
from pysim.search.work import OutOfWork, WorkBudget

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


@pytest.mark.parametrize("part", range(4))
def test_every_cover_is_found_once(part: int) -> None:
    covered = 0
    for seed in range(100 * part, 100 * part + 100):
        problem = random_problem(seed)
        rows, kinds, width, primary, least, most = problem
        for first in range(len(rows)):
            if most[kinds[first]] == 0:
                continue
            found = np.concatenate(
                list(
                    enumerate_covers(
                        Rows.from_rows(rows, kinds, width),
                        np.arange(len(rows), dtype=np.int32),
                        first,
                        np.array(least),
                        np.array(most),
                        primary,
                    )
                )
            )
            lines = [[int(row) for row in line if row >= 0] for line in found]
            sets = [frozenset(line) for line in lines]
            assert lines == list(in_plain_python(problem, first))
            assert len(set(sets)) == len(sets)
            assert set(sets) == by_brute_force(problem, first)
            covered += len(sets)
    assert covered > 50


def in_plain_python(problem: Problem, first: int) -> Iterator[list[int]]:
    rows, kinds, width, primary, least, most = problem
    return enumerate_bit_covers(
        BitRows.from_rows(rows, kinds, width, 3),
        0,
        first,
        least,
        most,
        primary,
        WorkBudget(math.inf),
    )


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


def test_plain_python_stops_when_its_work_is_done() -> None:
    rows = [[column] for column in range(14)]
    found = enumerate_bit_covers(
        BitRows.from_rows(rows, [0] * 14, 14, 1), 0, 0, [1], [14], 1, WorkBudget(10_000)
    )
    with pytest.raises(OutOfWork):
        list(found)
    again = enumerate_bit_covers(
        BitRows.from_rows(rows, [0] * 14, 14, 1), 0, 0, [1], [14], 1, WorkBudget(10_000)
    )
    assert len(list(islice(again, 20))) == 20
