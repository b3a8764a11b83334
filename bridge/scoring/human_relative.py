"""Efficiency of an agent beside that of people, as in ARC-AGI-3.

The score of an episode is the square of the people's number of actions at its level, divided by
the agent's, and at most 1. An episode that is not solved has 0. The people's number is the median
of those who solved the level, so levels that nobody solved are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bridge.runs.results import EpisodeResult
from bridge.scoring.metrics import group_by_level
from bridge.scoring.statistics import compute_mean

__all__ = ["HumanRelative", "compute_human_relative", "count_human_actions"]


@dataclass(frozen=True, slots=True)
class HumanRelative:
    """Score of some episodes beside people.

    Attributes:
        score: from 0 to 1, each level weighing the same.
        levels: levels that count.
        left_out: levels that no person solved or played.
    """

    score: float
    levels: int
    left_out: int


def count_human_actions(people: Sequence[EpisodeResult]) -> dict[str, float]:
    """Return the median number of actions of those who solved it, by level."""
    solved = group_by_level(result for result in people if result.solved)
    return {level: median(r.steps for r in group) for level, group in solved.items()}


def compute_human_relative(
    results: Sequence[EpisodeResult], actions: Mapping[str, float]
) -> HumanRelative | None:
    """Return the score of episodes; None if no person solved any of their levels.

    Args:
        results: of an agent.
        actions: of people, by level.
    """
    groups = group_by_level(results)
    scores = [
        compute_mean(_score_episode(result, actions[level]) for result in group) or 0.0
        for level, group in groups.items()
        if level in actions
    ]
    found = compute_mean(scores)
    return None if found is None else HumanRelative(found, len(scores), len(groups) - len(scores))


def _score_episode(result: EpisodeResult, actions: float) -> float:
    return min(1.0, (actions / result.steps) ** 2) if result.solved else 0.0
