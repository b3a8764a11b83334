"""How far a state is along a level's certified plan."""

from typing import Any

from bridge.episode.episode import state_hash
from pysim.catalog import family_of
from pysim.errors import InputError
from pysim.puzzle import Level

__all__ = ["milestones"]


def milestones(level: Level[Any]) -> dict[str, float]:
    """State hash -> the share of the certified plan that leads there, above 0, up to 1.

    Raises:
        InputError: the level has no plan.
    """
    if level.plan is None:
        raise InputError(f"{level.id} has no plan to measure progress by")
    rules = family_of(level).rules
    state, found = rules.initial(level), {}
    for number, action in enumerate(level.plan.actions, 1):
        state = rules.apply(level, state, action).state
        found[state_hash(level, state)] = number / len(level.plan)
    return found
