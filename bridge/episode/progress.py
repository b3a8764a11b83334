"""Progress of a state along a level's certified plan."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from bridge.episode.episode import state_hash
from pysim.catalog import find_family
from pysim.errors import InputError
from pysim.puzzle import ActionError, Level

__all__ = ["compute_milestones", "measure_progress"]

_KEPT = 64
"""Levels whose milestones are kept: the attempts at one are mostly looked at together."""


def compute_milestones(level: Level[Any]) -> dict[str, float]:
    """State hash -> the share of the certified plan that leads there, above 0, up to 1.

    Raises:
        InputError: the level has no plan.
    """
    if level.plan is None:
        raise InputError(f"{level.id} has no plan to measure progress by")
    rules = find_family(level).rules
    state, found = rules.initial(level), {}
    for number, action in enumerate(level.plan.actions, 1):
        state = rules.apply(level, state, action).state
        found[state_hash(level, state)] = number / len(level.plan)
    return found


def measure_progress(level: Level[Any], hashes: Iterable[str]) -> float | None:
    """The greatest share of the certified plan that leads to a state with one of these hashes.

    None if the level has no plan, or one that can't be carried out.
    """
    if level.plan is None:
        return None
    try:
        shares = _kept(_Known(level))
    except ActionError:
        return None
    return max((shares.get(one, 0.0) for one in hashes), default=0.0)


class _Known:
    """A level, the same as any other with its hash and plan."""

    def __init__(self, level: Level[Any]) -> None:
        self.level = level
        self.key = (level.family, level.hash, level.plan and level.plan.actions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(_KEPT)
def _kept(known: _Known) -> Mapping[str, float]:
    return compute_milestones(known.level)
