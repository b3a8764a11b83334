"""Playing any level of any family at random, without knowing the family."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bridge.agents.random_calls import random_call
from bridge.episode.tools import ActionSpace
from pysim.catalog import AnyLevel, find_family
from pysim.puzzle import Action, ActionError, Transition

__all__ = ["TriedAction", "attempts", "first_legal"]


@dataclass(frozen=True)
class TriedAction:
    """An action that was tried in a state, and what came of it.

    Attributes:
        result: the transition, or why there was none.
        listed: whether the action came from ``legal``.
    """

    state: Any
    action: Action
    result: Transition[Any] | ActionError
    listed: bool


def first_legal(level: AnyLevel, state: Any, most: int = 100) -> list[Action]:
    """Return the first of the legal actions: some levels list tens of thousands."""
    return list(islice(find_family(level).rules.legal(level, state), most))


def attempts(level: AnyLevel, seed: int, count: int, share: float = 0.5) -> Iterator[TriedAction]:
    """Yield random actions, a ``share`` of them legal ones, from the level's start."""
    rng = random.Random(f"{level.id} {seed}")
    family = find_family(level)
    space = ActionSpace(family.actions, level.colours)
    state = family.rules.initial(level)
    for _ in range(count):
        legal = first_legal(level, state) if rng.random() < share else []
        action = rng.choice(legal) if legal else space.parse(random_call(rng, space.schemas()))
        result: Transition[Any] | ActionError
        try:
            result = family.rules.apply(level, state, action)
        except ActionError as error:
            result = error
        yield TriedAction(state, action, result, bool(legal))
        if isinstance(result, Transition):
            state = result.state
