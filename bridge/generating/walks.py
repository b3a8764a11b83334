"""Players that know nothing: how often they pass a level within its budget."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2
from random import Random
from statistics import mean
from typing import Any

from pysim.catalog import AnyLevel, find_family
from pysim.puzzle import Action, Rules

__all__ = [
    "PlanShape",
    "count_explorer_passes",
    "is_solved_by_first_legal",
    "plan_shape",
    "random_passes",
]


@dataclass(frozen=True, slots=True)
class PlanShape:
    """The plan of a level, measured.

    Attributes:
        moves: its number of actions.
        branching: mean number of legal actions in the states along it.
        bits: to pick it among the legal actions, the sum of their base-2 logarithms.
    """

    moves: int
    branching: float
    bits: float


def plan_shape(level: AnyLevel) -> PlanShape:
    """Measure a level's plan.

    Raises:
        ValueError: the level has none.
    """
    if level.plan is None:
        raise ValueError(f"{level.id} has no plan")
    rules: Rules[Any, Any] = find_family(level).rules
    state, counts = rules.initial(level), []
    for action in level.plan.actions:
        counts.append(max(1, sum(1 for _ in rules.legal(level, state))))
        state = rules.apply(level, state, action).state
    return PlanShape(len(counts), round(mean(counts), 1), round(sum(map(log2, counts)), 1))


def random_passes(level: AnyLevel, attempts: int, seed: int = 0) -> int:
    """Count the attempts that solve a level by actions drawn evenly among the legal ones.

    Args:
        seed: of the attempts, together with the level's hash.
    """
    rngs = (Random(f"{seed}/{number}/{level.hash}") for number in range(attempts))
    return sum(_passes(level, rng) for rng in rngs)


def count_explorer_passes(level: AnyLevel, attempts: int, seed: int = 0) -> int:
    """Count the attempts that solve a level by random legal actions to states not seen before.

    A blind agent can do no more than that: what it has seen before follows from its own steps, and
    to learn what is legal costs it a step that is given here.
    """
    rngs = (Random(f"explorer/{seed}/{number}/{level.hash}") for number in range(attempts))
    return sum(_explores(level, rng) for rng in rngs)


def is_solved_by_first_legal(level: AnyLevel) -> bool:
    """Return whether taking the first legal action in every state solves a level."""
    return _passes(level, None)


def _passes(level: AnyLevel, rng: Random | None) -> bool:
    rules: Rules[Any, Any] = find_family(level).rules
    state = rules.initial(level)
    for _ in range(level.budget):
        action = _choice(rules.legal(level, state), rng)
        if action is None:
            return False
        state = rules.apply(level, state, action).state
        if rules.outcome(level, state) is not None:
            return True
    return False


def _explores(level: AnyLevel, rng: Random) -> bool:
    rules: Rules[Any, Any] = find_family(level).rules
    state = rules.initial(level)
    seen = {rules.encode(state)}
    for _ in range(level.budget):
        legal = list(rules.legal(level, state))
        rng.shuffle(legal)
        states = (rules.apply(level, state, action).state for action in legal)
        state = next((one for one in states if rules.encode(one) not in seen), state)
        seen.add(rules.encode(state))
        if rules.outcome(level, state) is not None:
            return True
    return False


def _choice(legal: Iterator[Action], rng: Random | None) -> Action | None:
    if rng is None:
        return next(legal, None)
    found = list(legal)
    return rng.choice(found) if found else None
