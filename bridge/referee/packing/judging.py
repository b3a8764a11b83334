"""The referee of boxes: what a level claims of its plan, its fillings, tier and budget."""

from collections.abc import Mapping
from itertools import accumulate

from bridge.referee.documents import Plan, get_budget, get_tier, plan_of
from bridge.referee.findings import Judgement, JudgementBuilder
from bridge.referee.ladders import is_rung, judge_rung

from .counts import judge_facts
from .fillings import Fillings, find_building_order
from .generator_claims import find_mode, judge_making
from .rules import Box, Places, Replay, apply, read_box, replay
from .statics import StaticsError, is_stable

__all__ = ["judge", "read_box", "replay"]

_TIERS = {"easy": "easy", "mid": "medium", "hard": "hard"}
"""The tier of each mode of the generator."""
_LEAST_BUDGET = 30

_LADDER = {"easy": (4, 4), "medium": (5, 5), "hard": (6, 6), "expert": (7, 9)}
"""Actions of the plans of a ladder's tiers."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Decide the claims of a level with a box.

    Args:
        deep: whether to count rows of searches up to a million, not 200,000.

    Raises:
        ValueError: the document is malformed; the message says where.
    """
    box, plan, builder = read_box(document), plan_of(document), JudgementBuilder()
    judge_facts(document, box, builder, deep=deep)
    try:
        judge_making(document, box, builder)
        if plan is not None:
            _judge_plan(document, box, plan, builder)
    except StaticsError as error:
        builder.mark_undecided("plan", f"the statics could not be decided: {error}")
    if is_rung(document):
        judge_rung(document, plan, _LADDER, builder)
    else:
        _judge_tier(document, builder)
        _judge_budget(document, box, plan, builder)
    return builder.build()


def _judge_plan(
    document: Mapping[str, object], box: Box, plan: Plan, builder: JudgementBuilder
) -> None:
    flaw = _flaw(plan, replay(document, plan.steps))
    builder.decide("plan", not flaw, flaw)
    _judge_proof(box, plan, valid=not flaw, builder=builder)
    if not flaw and box.gravity:
        _judge_spare(document, box, plan, builder)


def _flaw(plan: Plan, played: Replay) -> str:
    """Why a plan does not solve its level; empty if it does."""
    total = len(plan.steps)
    if played.refusal is not None:
        reason = f"{played.refusal.reason}: {played.refusal}"
        return f"action {played.done + 1} of {total} is refused, {reason}"
    if played.solved_after is None:
        return f"after all {total} actions the box is not full"
    if played.solved_after < total:
        return f"the box is full after {played.solved_after} of {total} actions"
    return ""


def _judge_proof(box: Box, plan: Plan, *, valid: bool, builder: JudgementBuilder) -> None:
    """An action puts one piece into the box, so that no plan is shorter than their number."""
    pieces, length = len(box.pieces), len(plan.steps)
    if plan.lower_bound <= pieces:
        builder.confirm("lower_bound")
    elif _can_be_built(box):
        builder.refute("lower_bound", f"{pieces} actions are enough")
    else:
        builder.mark_undecided(
            "lower_bound", f"no plan has fewer than {pieces} actions; more is not known"
        )
    if plan.proof == "UPPER_BOUND":
        builder.decide("proof", plan.lower_bound <= length, "the lower bound is above the plan")
    elif plan.lower_bound != length:
        builder.refute("proof", f"{length} actions, but a lower bound of {plan.lower_bound}")
    elif not valid:
        builder.refute("proof", "the plan does not solve the level")
    elif length == pieces:
        builder.confirm("proof")
    elif _can_be_built(box):
        builder.refute("proof", f"the plan has {length} actions, {pieces} are enough")
    else:
        builder.mark_undecided(
            "proof", f"no plan has fewer than {pieces} actions; more is not known"
        )


def _can_be_built(box: Box) -> bool:
    """Return whether some filling can be built with one action for each piece."""
    return any(
        find_building_order(box, filling) is not None
        for filling in Fillings(box).enumerate_oriented()
    )


def _judge_spare(
    document: Mapping[str, object], box: Box, plan: Plan, builder: JudgementBuilder
) -> None:
    """Generated levels keep a twentieth of a cell to spare; others where the planner could."""
    empty: Places = {}
    stages = accumulate(plan.steps, lambda places, step: apply(box, places, step), initial=empty)
    tight = [
        k for k, places in enumerate(stages) if not is_stable(list(places.values()), spare=True)
    ]
    if not tight:
        builder.confirm("plan.spare")
    elif find_mode(document) is None:
        builder.mark_undecided(
            "plan.spare", f"after action {tight[0]} a piece stands at the very edge"
        )
    else:
        builder.refute("plan.spare", f"after action {tight[0]} a piece stands at the very edge")


def _judge_tier(document: Mapping[str, object], builder: JudgementBuilder) -> None:
    """A generated level has the tier of its mode; the others' is their designer's choice."""
    tier, mode = get_tier(document), find_mode(document)
    if mode is not None:
        builder.decide("tier", tier == _TIERS[mode], f"the mode {mode} makes {_TIERS[mode]} levels")


def _judge_budget(
    document: Mapping[str, object], box: Box, plan: Plan | None, builder: JudgementBuilder
) -> None:
    budget, pieces = get_budget(document), len(box.pieces)
    if find_mode(document) is not None:
        right = max(_LEAST_BUDGET, 3 * pieces)
        builder.decide("budget", budget == right, f"{pieces} pieces have a budget of {right}")
    else:
        needed = pieces if plan is None else len(plan.steps)
        builder.decide("budget", budget >= needed, f"the level takes {needed} actions")
