"""Step budget of a lock, and its tier."""

from dataclasses import replace

from pysim.families.burr.facts import classify_tier, measure
from pysim.families.burr.lock import Lock
from pysim.puzzle import Level, Plan, Tier

__all__ = ["add_grade", "compute_budget"]

LEAST_BUDGET = 30
MOST_BUDGET = 10_000
BUDGET_WITHOUT_PLAN = 60


def compute_budget(plan: Plan | None) -> int:
    """Return three steps for each that is needed, within bounds."""
    if plan is None:
        return BUDGET_WITHOUT_PLAN
    return min(MOST_BUDGET, max(LEAST_BUDGET, 3 * len(plan)))


def add_grade(level: Level[Lock]) -> Level[Lock]:
    """The level with its facts and the tier that follows; hard, without facts, if it has no plan.

    Raises:
        InputError: see :func:`pysim.families.burr.facts.measure`.
    """
    if level.plan is None:
        return replace(level, tier=Tier.HARD)
    facts = measure(level)
    return replace(level, facts=facts, tier=classify_tier(facts))
