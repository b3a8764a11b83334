"""Levels of a ladder: suites whose tiers part by the length of the plan.

Such a level has the fact ``ladder``, the version of the recipe. Its tier and its budget follow from
the length of its plan, whatever its generator makes of them by itself.
"""

from collections.abc import Mapping

from bridge.referee.documents import Plan, get_budget, get_facts, get_tier
from bridge.referee.findings import JudgementBuilder

__all__ = ["Lengths", "is_rung", "judge_rung"]

Lengths = Mapping[str, tuple[int, int]]
"""Tier -> the fewest and the most actions of a plan."""
_STEPS = 2
"""Steps of the budget for each action."""


def is_rung(document: Mapping[str, object]) -> bool:
    """Return whether a level is of a ladder."""
    return "ladder" in get_facts(document)


def judge_rung(
    document: Mapping[str, object], plan: Plan | None, lengths: Lengths, builder: JudgementBuilder
) -> None:
    """Decide tier and budget of a level of a ladder."""
    length, tier = 0 if plan is None else len(plan.steps), get_tier(document)
    builder.decide("facts.ladder", get_facts(document)["ladder"] == 1, "there is version 1 only")
    least, most = lengths[tier]
    words = f"a plan of {length} actions, where {tier} has {least} to {most}"
    builder.decide("tier", least <= length <= most, words)
    right = _STEPS * length
    builder.decide("budget", get_budget(document) == right, f"it is {right}")
