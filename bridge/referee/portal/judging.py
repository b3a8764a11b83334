"""Referee of chambers: judges a level's plan, its optimality, tier, budget and facts.

Optimality is decided by :mod:`~bridge.referee.portal.search`, which tries all actions in all states
that may differ.
"""

from collections.abc import Mapping

from bridge.referee.documents import (
    Plan,
    get_budget,
    get_facts,
    get_generator,
    get_tier,
    plan_of,
    read_int,
    read_text,
)
from bridge.referee.findings import Judgement, JudgementBuilder
from bridge.referee.ladders import is_rung, judge_rung

from .play import IllegalAction, play
from .room import Room, read_room
from .search import find_shortest

__all__ = ["find_shortest", "judge"]

_QUICK_STATES, _DEEP_STATES = 3_000, 100_000
"""Limits of expanded settings; beyond them, optimality is left undecided."""
_TIERS = {1: "easy", 2: "easy", 3: "medium", 4: "medium", 5: "hard"}
_CHAIN_LENGTHS = {1: 1, 2: 2, 3: 3, 4: 5, 5: 7}

_LADDER = {"easy": (7, 8), "medium": (10, 12), "hard": (15, 18), "expert": (22, 27)}
"""Shortest and longest plan of each ladder tier, in actions."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Judge the claims of a chamber's level document.

    Args:
        deep: expand thirty times as much.

    Raises:
        ValueError: the document is malformed; the message says where.
    """
    room, plan, builder = read_room(document), plan_of(document), JudgementBuilder()
    if plan is not None:
        _judge_plan(room, plan, builder, _DEEP_STATES if deep else _QUICK_STATES)
        is_enough = get_budget(document) >= len(plan.steps)
        builder.decide("budget", is_enough, f"the plan takes {len(plan.steps)} actions")
    _judge_facts(document, plan, builder)
    return builder.build()


def _judge_plan(room: Room, plan: Plan, builder: JudgementBuilder, max_states: int) -> None:
    flaw, length = _find_flaw(room, plan), len(plan.steps)
    builder.decide("plan", not flaw, flaw)
    shortest, lower_bound = find_shortest(room, length - 1, max_states)
    if shortest is None and not flaw:
        shortest = length
    for claim, bound in (("lower_bound", plan.lower_bound), ("proof", length)):
        if claim == "proof" and plan.proof == "UPPER_BOUND":
            builder.decide(claim, plan.lower_bound <= length, "the lower bound is above the plan")
        elif claim == "proof" and (flaw or plan.lower_bound != length):
            builder.refute(claim, flaw or f"{length} actions, lower bound {plan.lower_bound}")
        elif shortest is not None and shortest < bound:
            builder.refute(claim, f"{shortest} actions are enough")
        elif lower_bound >= bound:
            builder.confirm(claim)
        else:
            builder.mark_undecided(
                claim, f"no plan has fewer than {lower_bound} actions; more is not known"
            )


def _find_flaw(room: Room, plan: Plan) -> str:
    """Return why a plan fails; empty if its last action is the first to reach the exit."""
    state = room.make_initial()
    for number, step in enumerate(plan.steps, 1):
        if state.agent == room.exit:
            return f"the exit is reached after {number - 1} of {len(plan.steps)} actions"
        try:
            state = play(room, state, step)
        except IllegalAction as refused:
            return f"action {number} of {len(plan.steps)} is refused, {refused}"
    return (
        ""
        if state.agent == room.exit
        else f"it ends at {room.get_coordinates(state.agent)}, not in the exit"
    )


def _judge_facts(
    document: Mapping[str, object], plan: Plan | None, builder: JudgementBuilder
) -> None:
    facts, tier = get_facts(document), get_tier(document)
    if "moves" in facts and plan is not None:
        is_correct = read_int(facts["moves"], "moves") == len(plan.steps)
        builder.decide("facts.moves", is_correct, f"the plan has {len(plan.steps)} actions")
    if "difficulty" not in facts:
        return
    difficulty = read_int(facts["difficulty"], "difficulty")
    if is_rung(document):
        judge_rung(document, plan, _LADDER, builder)
    else:
        is_correct = _TIERS.get(difficulty) == tier
        builder.decide("tier", is_correct, f"difficulty {difficulty} is not {tier}")
    if get_generator(document).startswith("portal/"):
        chain = read_text(facts.get("chain"), "the chain").split()
        is_correct = len(chain) == _CHAIN_LENGTHS[difficulty]
        builder.decide("facts.chain", is_correct, f"{len(chain)} mechanics")
