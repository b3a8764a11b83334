"""The referee of boxes: what a level claims of its plan, its fillings, tier and budget."""

from collections.abc import Mapping
from itertools import accumulate

from bridge.referee.documents import Plan, budget_of, plan_of, tier_of
from bridge.referee.findings import Docket, Judgement
from bridge.referee.ladders import is_rung, judge_rung

from .fillings import Fillings, building_order
from .making import judge_making, mode_of
from .placing import Box, Places, Replayed, after, read_box, replay
from .statics import StaticsError, stays
from .tallies import judge_facts

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
    box, plan, docket = read_box(document), plan_of(document), Docket()
    judge_facts(document, box, docket, deep=deep)
    try:
        judge_making(document, box, docket)
        if plan is not None:
            _judge_plan(document, box, plan, docket)
    except StaticsError as error:
        docket.leave("plan", f"the statics could not be decided: {error}")
    if is_rung(document):
        judge_rung(document, plan, _LADDER, docket)
    else:
        _judge_tier(document, docket)
        _judge_budget(document, box, plan, docket)
    return docket.judgement()


def _judge_plan(document: Mapping[str, object], box: Box, plan: Plan, docket: Docket) -> None:
    flaw = _flaw(plan, replay(document, plan.steps))
    docket.decide("plan", not flaw, flaw)
    _judge_proof(box, plan, valid=not flaw, docket=docket)
    if not flaw and box.gravity:
        _judge_spare(document, box, plan, docket)


def _flaw(plan: Plan, played: Replayed) -> str:
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


def _judge_proof(box: Box, plan: Plan, *, valid: bool, docket: Docket) -> None:
    """An action puts one piece into the box, so that no plan is shorter than their number."""
    pieces, length = len(box.pieces), len(plan.steps)
    if plan.lower_bound <= pieces:
        docket.confirm("lower_bound")
    elif _can_be_built(box):
        docket.refute("lower_bound", f"{pieces} actions are enough")
    else:
        docket.leave("lower_bound", f"no plan has fewer than {pieces} actions; more is not known")
    if plan.proof == "UPPER_BOUND":
        docket.decide("proof", plan.lower_bound <= length, "the lower bound is above the plan")
    elif plan.lower_bound != length:
        docket.refute("proof", f"{length} actions, but a lower bound of {plan.lower_bound}")
    elif not valid:
        docket.refute("proof", "the plan does not solve the level")
    elif length == pieces:
        docket.confirm("proof")
    elif _can_be_built(box):
        docket.refute("proof", f"the plan has {length} actions, {pieces} are enough")
    else:
        docket.leave("proof", f"no plan has fewer than {pieces} actions; more is not known")


def _can_be_built(box: Box) -> bool:
    """Whether some filling can be built with one action for each piece."""
    return any(building_order(box, filling) is not None for filling in Fillings(box).oriented())


def _judge_spare(document: Mapping[str, object], box: Box, plan: Plan, docket: Docket) -> None:
    """Generated levels keep a twentieth of a cell to spare; others where the planner could."""
    empty: Places = {}
    stages = accumulate(plan.steps, lambda places, step: after(box, places, step), initial=empty)
    tight = [k for k, places in enumerate(stages) if not stays(list(places.values()), spare=True)]
    if not tight:
        docket.confirm("plan.spare")
    elif mode_of(document) is None:
        docket.leave("plan.spare", f"after action {tight[0]} a piece stands at the very edge")
    else:
        docket.refute("plan.spare", f"after action {tight[0]} a piece stands at the very edge")


def _judge_tier(document: Mapping[str, object], docket: Docket) -> None:
    """A generated level has the tier of its mode; the others' is their designer's choice."""
    tier, mode = tier_of(document), mode_of(document)
    if mode is not None:
        docket.decide("tier", tier == _TIERS[mode], f"the mode {mode} makes {_TIERS[mode]} levels")


def _judge_budget(
    document: Mapping[str, object], box: Box, plan: Plan | None, docket: Docket
) -> None:
    budget, pieces = budget_of(document), len(box.pieces)
    if mode_of(document) is not None:
        right = max(_LEAST_BUDGET, 3 * pieces)
        docket.decide("budget", budget == right, f"{pieces} pieces have a budget of {right}")
    else:
        needed = pieces if plan is None else len(plan.steps)
        docket.decide("budget", budget >= needed, f"the level takes {needed} actions")
