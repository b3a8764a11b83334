"""Playing any level of any family at random, without knowing the family."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from bridge.episode.tools import ActionSpace, ToolCall
from pysim.catalog import AnyLevel, family_of, levels
from pysim.motion import Turn
from pysim.puzzle import Action, ActionError, Tier, Transition
from tests.contract.schemas import random_value

__all__ = [
    "Attempt",
    "all_levels",
    "attempts",
    "every_level",
    "first_legal",
    "random_call",
    "turns",
]


@dataclass(frozen=True)
class Attempt:
    """An action that was tried in a state, and what came of it.

    Attributes:
        result: the transition, or why there was none.
        listed: whether the action came from ``legal``.
    """

    state: Any
    action: Action
    result: Transition[Any] | ActionError
    listed: bool


def random_call(chance: random.Random, space: ActionSpace) -> ToolCall:
    """A call that conforms to its schema, and may be anything else."""
    tool: Any = chance.choice(space.schemas())
    function = tool["function"]
    return ToolCall(function["name"], random_value(chance, function["parameters"]))


def first_legal(level: AnyLevel, state: Any, most: int = 100) -> list[Action]:
    """The first of the legal actions: some levels list tens of thousands."""
    return list(islice(family_of(level).rules.legal(level, state), most))


FEW = 4
"""Levels of each tier of each family that every run of the tests plays, no two of a kind."""


def _parameters() -> Iterator[ParameterSet]:
    seen: Counter[tuple[str, Tier]] = Counter()
    kinds: set[object] = set()
    for level in levels():
        early = seen[level.family, level.tier] < FEW and (kind := _kind(level)) not in kinds
        if early:
            seen[level.family, level.tier] += 1
            kinds.add(kind)
        yield pytest.param(level, id=level.id, marks=[] if early else [pytest.mark.slow])


def _kind(level: AnyLevel) -> object:
    """Equal for levels of a tier that differ in their start only, such as two scrambled cubes."""
    rules = family_of(level).rules
    start = rules.initial(level)
    shapes = tuple(body.shape for body in rules.scene(level, start).bodies)
    return level.family, level.tier, shapes, len(first_legal(level, start, 20))


all_levels = pytest.mark.parametrize("level", levels(), ids=[level.id for level in levels()])
"""For tests that take milliseconds."""
every_level = pytest.mark.parametrize("level", list(_parameters()))
"""For tests that play: a few levels of each kind now, all others in the slow run."""


def attempts(level: AnyLevel, seed: int, count: int, share: float = 0.5) -> Iterator[Attempt]:
    """Random actions, a ``share`` of them legal ones, from the level's start."""
    chance = random.Random(f"{level.id} {seed}")
    family = family_of(level)
    space = ActionSpace(family.actions, level.colours)
    state = family.rules.initial(level)
    for _ in range(count):
        legal = first_legal(level, state) if chance.random() < share else []
        action = chance.choice(legal) if legal else space.parse(random_call(chance, space))
        result: Transition[Any] | ActionError
        try:
            result = family.rules.apply(level, state, action)
        except ActionError as error:
            result = error
        yield Attempt(state, action, result, bool(legal))
        if isinstance(result, Transition):
            state = result.state


def turns(level: AnyLevel) -> bool:
    """Whether its plan turns bodies, which players of the Unity wire can't."""
    rules = family_of(level).rules
    first = level.plan.actions[0] if level.plan else None
    motions = rules.apply(level, rules.initial(level), first).motions if first else ()
    return any(isinstance(motion, Turn) for motion in motions)
