"""Every batch of every family makes the same steps as the rules.

A new family's batches are found by the catalog and tested here without a change to this file.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from pysim.catalog import (
    AnyLevel,
    discover_families,
    find_family,
    list_shipped_levels,
)
from pysim.catalog.spaces import list_spaces
from pysim.errors import InputError
from pysim.learning.batches import PuzzleBatch
from pysim.puzzle import ActionError
from pysim.tasks.pool import find_pool
from tests.sampling import more

Batch = PuzzleBatch[Any, Any]
FAMILIES = [name for name in discover_families() if discover_families()[name].batch]


def make(family: str, name: str, count: int) -> Batch:
    create: Any = discover_families()[family].batch
    return create()(list_spaces(family)[name], count)  # type: ignore[no-any-return]


def list_classes() -> Iterator[tuple[str, str]]:
    for family in FAMILIES:
        for name in list_spaces(family):
            try:
                make(family, name, 1)
            except InputError:
                continue
            yield family, name


FIRST = dict(reversed(list(list_classes())))
CLASSES = [
    pytest.param(family, name, marks=() if FIRST[family] == name else pytest.mark.slow)
    for family, name in list_classes()
]
"""By day one of each family: kernels are compiled anew for the longer words of larger classes."""
LEVELS = more(8, night=25)
"""Levels of a class, of each difficulty."""


@cache
def list_levels(family: str, name: str, count: int) -> list[AnyLevel]:
    """Return levels that the batches of a class take: tasks of the pool, and shipped ones."""
    pool, batch = find_pool(family), make(family, name, 1)
    assert pool is not None
    candidates: list[int | AnyLevel] = [*range(0, len(pool), 7), *list_shipped_levels(family)]
    found = []
    for one in candidates[:: max(1, len(candidates) // (2 * count))]:
        level = pool.read_task(one, f"{family}-{one}")[0] if isinstance(one, int) else one
        try:
            batch.load(level)
        except InputError:
            continue
        found.append(level)
    return found[:: max(1, len(found) // count)][:count]


def follow(family: str, name: str, *, levels: int, rows: int, steps: int, seed: int) -> list[int]:
    """Hold random steps against the rules; return the number of legal, refused and last ones.

    Two of three actions are legal; an episode ends when its level is solved, and once in 60 steps.
    """
    rng, chosen = np.random.default_rng(seed), list_levels(family, name, levels)
    rules = discover_families()[family].rules
    batch, counts = make(family, name, rows), [0, 0, 0]
    numbers = np.array([batch.load(level) for level in chosen])
    playing = rng.integers(len(chosen), size=rows)
    batch.begin(np.arange(rows), numbers[playing])
    states = [rules.initial(chosen[k]) for k in playing]
    for _ in range(steps):
        actions = batch.draw(rng)
        actions[actions < 0] = 0
        wild = rng.random(rows) < 1 / 3
        actions[wild] = rng.integers(batch.space.actions.count, size=int(wild.sum()))
        batch.step(actions)
        ended = []
        for row in range(rows):
            level, number = chosen[playing[row]], int(actions[row])
            try:
                action = batch.space.make_action(level, states[row], number)
                states[row] = rules.apply(level, states[row], action).state
                refused = False
            except ActionError:
                refused = True
            where = (level.id, rules.encode(states[row]), number)
            assert batch.legal.refused[row] == refused, where
            solved = rules.outcome(level, states[row]) is not None
            check_row(batch, row, level, states[row], solved, where)
            counts[refused] += 1
            if solved or rng.random() < 1 / 60:
                ended.append(row)
        counts[2] += len(ended)
        playing[ended] = rng.integers(len(chosen), size=len(ended))
        batch.begin(np.array(ended, np.int64), numbers[playing[ended]])
        for row in ended:
            states[row] = rules.initial(chosen[playing[row]])
            check_row(batch, row, chosen[playing[row]], states[row], False, "begun")
    return counts


def check_row(
    batch: Batch, row: int, level: AnyLevel, state: Any, solved: bool, where: object
) -> None:
    encode = find_family(level).rules.encode
    assert encode(batch.read_state(row)) == encode(state), where
    legal = sorted(batch.space.list_exactly(level, state).tolist())
    assert np.flatnonzero(batch.legal.mask[row]).tolist() == legal, where
    assert batch.legal.solved[row] == solved, where
    assert batch.get_level(row).hash == level.hash  # Two levels may have one puzzle.


@pytest.mark.parametrize(("family", "name"), CLASSES)
def test_certified_plans_solve_every_row(family: str, name: str) -> None:
    levels = [level for level in list_levels(family, name, LEVELS) if level.plan is not None]
    batch = make(family, name, len(levels))
    batch.begin(np.arange(len(levels)), np.array([batch.load(level) for level in levels]))
    for row, level in enumerate(levels):
        assert level.plan is not None and not batch.legal.solved[row]
        for action in level.plan.actions:
            for number in batch.space.find_numbers(level, batch.read_state(row), action):
                numbers = np.full(len(levels), -1)
                numbers[row] = number
                batch.step(numbers)
                assert not batch.legal.refused[row]
    assert batch.legal.solved.all()


@pytest.mark.parametrize(("family", "name"), CLASSES)
def test_features_follow_from_the_state(family: str, name: str) -> None:
    """Rows in the same state of the same level look alike, however they came there."""
    level, rng = list_levels(family, name, 3)[0], np.random.default_rng(2)
    batch = make(family, name, 64)
    batch.begin(np.arange(64), np.full(64, batch.load(level)))
    encode, seen = find_family(level).rules.encode, dict[str, bytes]()
    for _ in range(12):
        batch.step(batch.draw(rng))
        for row, features in enumerate(batch.observe()):
            text = encode(batch.read_state(row))
            assert seen.setdefault(text, features.tobytes()) == features.tobytes()
    assert len(set(seen.values())) == len(seen) > 10, "other states look otherwise"


@pytest.mark.parametrize(("family", "name"), CLASSES)
def test_random_steps_are_those_of_the_rules(family: str, name: str) -> None:
    legal, refused, ended = follow(family, name, levels=LEVELS, rows=16, steps=30, seed=1)
    assert legal + refused == 480 and min(legal, refused, ended) > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize(("family", "name"), CLASSES)
def test_a_million_random_steps_are_those_of_the_rules(family: str, name: str, part: int) -> None:
    made = 0
    for seed in range(10):
        counts = follow(family, name, levels=400, rows=100, steps=100, seed=10 * part + seed)
        made += counts[0] + counts[1]
    assert made == 100_000
