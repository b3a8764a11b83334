"""From a lock to the level that ships."""

from dataclasses import dataclass, replace

from pysim.catalog import compute_content_hash
from pysim.families.burr.family import FAMILY
from pysim.families.burr.grading import add_grade, compute_budget
from pysim.families.burr.lock import Lock
from pysim.puzzle import Level, Source, Tier

__all__ = ["Draft", "finished"]


@dataclass(frozen=True)
class Draft:
    """A level before it is planned and measured."""

    id: str
    name: str
    source: Source
    lock: Lock


def finished(draft: Draft) -> Level[Lock]:
    """Return the level with its plan, budget, facts, tier and hash.

    Raises:
        ValueError: no plan is found.
    """
    level = Level(
        id=draft.id,
        family=FAMILY.name,
        name=draft.name,
        tier=Tier.HARD,
        budget=compute_budget(None),
        puzzle=draft.lock,
        colours=FAMILY.colours(draft.lock),
        plan=None,
        source=draft.source,
        hash="",
    )
    plan = FAMILY.rules.plan(level)
    if plan is None:
        raise ValueError(f"{draft.id}: no plan is found for the goal {draft.lock.goal}")
    budget = compute_budget(plan)
    hash_ = compute_content_hash(FAMILY, draft.lock, budget)
    return add_grade(replace(level, plan=plan, budget=budget, hash=hash_))
