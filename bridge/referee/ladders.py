"""Levels whose tiers follow from a rule for all families: those of a ladder, and tasks.

A level of a ladder has the fact ``ladder``, the version of the recipe. Its tier and its budget
follow from the length of its plan. A task has the fact ``task_difficulty``, from which its tier
follows. Whatever their generators make of tiers and budgets by themselves does not count.
"""

from collections.abc import Mapping

from bridge.referee.documents import Plan, get_budget, get_facts, get_tier, read_int
from bridge.referee.findings import JudgementBuilder

__all__ = ["Lengths", "is_rung", "judge_rung"]

Lengths = Mapping[str, tuple[int, int]]
"""Tier -> the fewest and the most actions of a plan."""
_STEPS = 2
"""Steps of the budget for each action."""
_TASK_TIERS = {1: "easy", 2: "medium", 3: "hard"}
"""Difficulty of a task -> its tier; all others are expert."""


def is_rung(document: Mapping[str, object]) -> bool:
    """Return whether a level is of a ladder, or a task."""
    return bool({"ladder", "task_difficulty"} & set(get_facts(document)))


def judge_rung(
    document: Mapping[str, object], plan: Plan | None, lengths: Lengths, builder: JudgementBuilder
) -> None:
    """Decide tier and budget of a level of a ladder, or of a task."""
    if "ladder" not in get_facts(document):
        _judge_task(document, plan, builder)
        return
    length, tier = 0 if plan is None else len(plan.steps), get_tier(document)
    builder.decide("facts.ladder", get_facts(document)["ladder"] == 1, "there is version 1 only")
    least, most = lengths[tier]
    words = f"a plan of {length} actions, where {tier} has {least} to {most}"
    builder.decide("tier", least <= length <= most, words)
    right = _STEPS * length
    builder.decide("budget", get_budget(document) == right, f"it is {right}")


def _judge_task(
    document: Mapping[str, object], plan: Plan | None, builder: JudgementBuilder
) -> None:
    difficulty = read_int(get_facts(document)["task_difficulty"], "task_difficulty")
    right, needed = _TASK_TIERS.get(difficulty, "expert"), 1 if plan is None else len(plan.steps)
    builder.decide("tier", get_tier(document) == right, f"difficulty {difficulty} is {right}")
    builder.decide("budget", get_budget(document) >= needed, f"the plan has {needed} actions")
