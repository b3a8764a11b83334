"""Levels of a ladder: suites whose tiers part by the length of the plan.

Such a level has the fact ``ladder``, the version of the recipe. Its tier and its budget follow from
the length of its plan, whatever its generator makes of them by itself.
"""

from collections.abc import Mapping

from bridge.referee.documents import Plan, budget_of, facts_of, tier_of
from bridge.referee.findings import Docket

__all__ = ["Lengths", "is_rung", "judge_rung"]

Lengths = Mapping[str, tuple[int, int]]
"""Tier -> the fewest and the most actions of a plan."""
_STEPS = 2
"""Steps of the budget for each action."""


def is_rung(document: Mapping[str, object]) -> bool:
    """Return whether a level is of a ladder."""
    return "ladder" in facts_of(document)


def judge_rung(
    document: Mapping[str, object], plan: Plan | None, lengths: Lengths, docket: Docket
) -> None:
    """Decide tier and budget of a level of a ladder."""
    length, tier = 0 if plan is None else len(plan.steps), tier_of(document)
    docket.decide("facts.ladder", facts_of(document)["ladder"] == 1, "there is version 1 only")
    least, most = lengths[tier]
    words = f"a plan of {length} actions, where {tier} has {least} to {most}"
    docket.decide("tier", least <= length <= most, words)
    right = _STEPS * length
    docket.decide("budget", budget_of(document) == right, f"it is {right}")
