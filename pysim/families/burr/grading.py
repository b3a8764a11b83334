"""How hard a lock is and how many steps an agent gets, from its plan."""

from pysim.families.burr.lock import Goal, Lock
from pysim.puzzle import Plan, Tier

__all__ = ["budget_for", "tier_of"]

LEAST_BUDGET = 30
MOST_BUDGET = 10_000
BUDGET_WITHOUT_PLAN = 60


def budget_for(plan: Plan | None) -> int:
    """Three steps for each that is needed, within bounds."""
    if plan is None:
        return BUDGET_WITHOUT_PLAN
    return min(MOST_BUDGET, max(LEAST_BUDGET, 3 * len(plan)))


def tier_of(lock: Lock, plan: Plan | None) -> Tier:
    """Easy: at most one action per piece; hard: more than two, or no plan; medium: between.

    Where one piece is to be freed, per two pieces.
    """
    if plan is None:
        return Tier.HARD
    share = len(plan) / (2 if lock.goal is Goal.KEY else len(lock.pieces))
    return Tier.EASY if share <= 1 else Tier.MEDIUM if share <= 2 else Tier.HARD
