"""What small families are given; the example is the puzzle that ``luban init family`` writes."""

import json
import sys
from collections import deque
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.cli.commands.init import InitRequest
from bridge.cli.handlers.init import run_init
from bridge.cli.options import PackageKind
from pysim.catalog import AnyLevel, LevelError, complete_document
from pysim.puzzle import IllegalMove, InvalidAction, Outcome, Proof, Reason

NAME = "plain-toy"
STEPS = {"+x": (1, 0), "-x": (-1, 0), "+y": (0, 1), "-y": (0, -1)}
Spot = tuple[int, int]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package, imported as any other one."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run_init(InitRequest(kind=PackageKind.FAMILY, name=NAME))
        patch.syspath_prepend(str(folder / NAME))
        import importlib

        yield importlib.import_module("plain_toy")
        del sys.modules["plain_toy"]


def draft(size: int, cells: list[Spot], goal: Spot) -> dict[str, Any]:
    return {
        "format": "luban-level/1",
        "id": "drawn",
        "family": NAME,
        "name": "drawn",
        "tier": "easy",
        "budget": 50,
        "source": {"designer": "chance", "reference": "hypothesis", "seed": None},
        "puzzle": {"size": size, "cells": [[*cell, 0] for cell in cells], "goal": [*goal, 0]},
    }


def fewest(size: int, cells: list[Spot], goal: Spot) -> int | None:
    """The length of a shortest plan, by a search that shares nothing with the family's."""
    start = tuple(cells)
    seen, queue = {start: 0}, deque([start])
    while queue:
        now = queue.popleft()
        for piece, (dx, dy) in product(range(len(now)), STEPS.values()):
            x, y = now[piece]
            while 0 <= x + dx < size and 0 <= y + dy < size and (x + dx, y + dy) not in now:
                x, y = x + dx, y + dy
            after = (*now[:piece], (x, y), *now[piece + 1 :])
            if after[0] == goal and after != now:
                return seen[now] + 1
            if after not in seen:
                seen[after] = seen[now] + 1
                queue.append(after)
    return None


@given(data=st.data())
def test_plans_are_as_short_as_an_independent_search_finds(made: ModuleType, data: Any) -> None:
    size = data.draw(st.integers(2, 4))
    spots = [*product(range(size), repeat=2)]
    *cells, goal = data.draw(st.permutations(spots))[: data.draw(st.integers(2, 4))]
    plan = complete_document(draft(size, cells, goal), made.FAMILY)["plan"]
    expected = fewest(size, cells, goal)
    assert (plan is None) == (expected is None)
    if isinstance(plan, dict):
        assert len(plan["actions"]) == expected and plan["proof"] == Proof.OPTIMAL


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        ({}, "has size, cells, goal, not nothing"),
        ({"size": 3, "cells": [], "goal": [0, 0, 0], "more": 1}, "not size, cells, goal, more"),
        ({"size": "3", "cells": [], "goal": [0, 0, 0]}, "size: '3' is no int"),
        ({"size": True, "cells": [], "goal": [0, 0, 0]}, "size: True is no int"),
        ({"size": 3, "cells": 5, "goal": [0, 0, 0]}, "cells: 5 is no list"),
        ({"size": 3, "cells": [[0, 0]], "goal": [0, 0, 0]}, "has not 3 entries"),
        ({"size": 3, "cells": [[0, 0, 0.5]], "goal": [0, 0, 0]}, "0.5 is no int"),
    ],
)
def test_puzzles_that_are_none_are_refused_in_words(
    made: ModuleType, puzzle: dict[str, Any], why: str
) -> None:
    with pytest.raises(LevelError, match=why):
        complete_document(draft(3, [(0, 0)], (1, 1)) | {"puzzle": puzzle}, made.FAMILY)


def level_of(made: ModuleType) -> AnyLevel:
    """A level of the family, which is not installed here."""
    from pysim import catalog

    level, _ = catalog._build(draft(3, [(0, 0), (2, 0)], (2, 2)), made.FAMILY)
    return level


def test_what_is_listed_is_all_that_is_accepted(made: ModuleType) -> None:
    level, rules = level_of(made), made.FAMILY.rules
    every = [made.Push(piece, way) for piece in level.colours for way in made.Way]
    accepted = []
    for push in every:
        try:
            rules.apply(level, rules.initial(level), push)
            accepted.append(push)
        except IllegalMove as error:
            assert error.reason in (Reason.BLOCKED, Reason.OUT_OF_BOUNDS)
    assert list(rules.legal(level, rules.initial(level))) == accepted


def test_refusals_name_what_is_in_the_way_and_what_does_not_exist(made: ModuleType) -> None:
    level, rules = level_of(made), made.FAMILY.rules
    beside = rules.apply(level, rules.initial(level), made.Push("red", made.Way.EAST)).state
    with pytest.raises(IllegalMove) as blocked:
        rules.apply(level, beside, made.Push("red", made.Way.EAST))
    assert (blocked.value.brief, blocked.value.travel) == ("BLOCKED by blue", 0)
    assert len(blocked.value.attempt) == 1
    with pytest.raises(InvalidAction, match="no piece green; there are red, blue"):
        rules.apply(level, beside, made.Push("green", made.Way.EAST))
    assert rules.outcome(level, beside) is None
    won = rules.apply(level, rules.initial(level), made.Push("red", made.Way.NORTH)).state
    won = rules.apply(level, won, made.Push("red", made.Way.EAST)).state
    assert rules.outcome(level, won) is Outcome.SOLVED
    assert rules.describe(level, won) == "red: at (2, 2, 0)\nblue: at (2, 0, 0)"


def test_levels_that_init_writes_are_read_as_they_are_sealed(made: ModuleType) -> None:
    folder = Path(str(made.__file__)).parent / "assets" / NAME
    for path in folder.glob("*.json"):
        document = json.loads(path.read_text())
        assert json.loads(json.dumps(complete_document(document, made.FAMILY))) == document
