"""Locks with pictures for a policy that learns by sight, of examples/."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="NOT TESTED: no gymnasium")

import luban
from pysim.catalog import discover_families

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("actor_critic", "pictured_rows")


@pytest.fixture(scope="module")
def pictured() -> Iterator[Any]:
    """The module, which imports the learner beside it."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        importlib.import_module("actor_critic")
        yield importlib.import_module("pictured_rows")
    finally:
        sys.path.remove(str(EXAMPLES))
        for name in NAMES:
            sys.modules.pop(name, None)


@pytest.fixture
def levels() -> list[luban.Level[Any]]:
    return [task.level for task in luban.tasks("burr:test", difficulty=3)[:2]]


def find_reverse(rows: Any, number: int) -> int:
    """Return the number of the same push of the first row the other way."""
    sizes = tuple(luban.find_space("burr").actions.sizes.values())
    direction, piece, distance = np.unravel_index(number, sizes)
    back = int(np.ravel_multi_index((direction ^ 1, piece, distance), sizes))
    assert rows.legal[0, back]
    return back


def test_rows_draw_what_moves_and_remember_what_was_made(
    pictured: Any, levels: list[luban.Level[Any]]
) -> None:
    rows = pictured.PicturedRows(2)
    rows.play(levels)
    first = rows.pictures.copy()
    assert len(np.unique(first[0].reshape(-1, 3), axis=0)) > 20
    assert not np.array_equal(first[0], first[1])
    assert rows.left.tolist() == [level.budget for level in levels]
    assert not rows.tried.any()

    sizes = tuple(luban.find_space("burr").actions.sizes.values())
    legal = np.flatnonzero(rows.legal[0])
    push = next(int(n) for n in legal if np.unravel_index(n, sizes)[2] == 0)
    rows.step(np.array([push, -1]))
    assert not np.array_equal(rows.pictures[0], first[0])
    assert np.array_equal(rows.pictures[1], first[1])
    assert not rows.tried[0].any()

    rows.step(np.array([find_reverse(rows, push), -1]))
    assert np.array_equal(rows.pictures[0], first[0])
    assert rows.tried[0].nonzero()[0].tolist() == [push]
    assert rows.left[0] == levels[0].budget - 2
    rows.close()


def test_solved_row_earns_one_and_begins_the_next_level(
    pictured: Any, levels: list[luban.Level[Any]]
) -> None:
    rows = pictured.PicturedRows(1, blind=True)
    rows.train(iter(levels))
    space, rules = luban.find_space("burr"), discover_families()["burr"].rules
    assert levels[0].plan is not None
    earned, ends, state = 0.0, 0, rules.initial(levels[0])
    for action in levels[0].plan.actions:
        (number,) = space.find_numbers(levels[0], state, action)
        state = rules.apply(levels[0], state, action).state
        assert rows.legal[0, number]
        rows.step(np.array([number]))
        earned, ends = earned + float(rows.rewards[0]), ends + int(rows.ends[0])
    assert (earned, ends) == (1.0, 1)
    assert rows.left[0] == levels[1].budget
    assert not rows.pictures.any()
    rows.close()
