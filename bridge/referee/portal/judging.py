"""The referee of chambers: a level's plan, that none is shorter, its tier, budget and facts.

That none is shorter is found by brute force: every action from every cell, in all states.
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

from .play import IllegalAction, enumerate_actions, play
from .room import Room, State, read_room

__all__ = ["find_shortest", "judge"]

QUICK, DEEP = 300, 30_000
"""States that are gone on from before it is left open whether a plan is shortest."""
_TIERS = {1: "easy", 2: "easy", 3: "medium", 4: "medium", 5: "hard"}
_CHAIN = {1: 1, 2: 2, 3: 3, 4: 5, 5: 7}

_LADDER = {"easy": (7, 8), "medium": (10, 12), "hard": (15, 18), "expert": (22, 27)}
"""Actions of the plans of a ladder's tiers."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Decide the claims of a level with a chamber.

    Args:
        deep: looks at a hundred times as many states.

    Raises:
        ValueError: the document is malformed; the message says where.
    """
    room, plan, builder = read_room(document), plan_of(document), JudgementBuilder()
    if plan is not None:
        _judge_plan(room, plan, builder, DEEP if deep else QUICK)
        enough = get_budget(document) >= len(plan.steps)
        builder.decide("budget", enough, f"the plan takes {len(plan.steps)} actions")
    _judge_facts(document, plan, builder)
    return builder.build()


def _judge_plan(room: Room, plan: Plan, builder: JudgementBuilder, most: int) -> None:
    flaw, length = _flaw(room, plan), len(plan.steps)
    builder.decide("plan", not flaw, flaw)
    found, least = find_shortest(room, length, most)
    for claim, bound in (("lower_bound", plan.lower_bound), ("proof", length)):
        if claim == "proof" and plan.proof == "UPPER_BOUND":
            builder.decide(claim, plan.lower_bound <= length, "the lower bound is above the plan")
        elif claim == "proof" and (flaw or plan.lower_bound != length):
            builder.refute(claim, flaw or f"{length} actions, lower bound {plan.lower_bound}")
        elif found is not None and found < bound:
            builder.refute(claim, f"{found} actions are enough")
        elif least >= bound:
            builder.confirm(claim)
        else:
            builder.mark_undecided(
                claim, f"no plan has fewer than {least} actions; more is not known"
            )


def _flaw(room: Room, plan: Plan) -> str:
    """Why a plan does not lead out; empty if it does, and not before its last action."""
    state = room.make_initial()
    for number, step in enumerate(plan.steps, 1):
        if state.agent == room.exit:
            return f"the exit is reached after {number - 1} of {len(plan.steps)} actions"
        try:
            state = play(room, state, step)
        except IllegalAction as refused:
            return f"action {number} of {len(plan.steps)} is refused, {refused}"
    return "" if state.agent == room.exit else f"it ends at {state.agent}, not in the exit"


def find_shortest(room: Room, depth: int, most: int) -> tuple[int | None, int]:
    """Return the length of a shortest plan of at most ``depth`` actions, by brute force.

    Returns:
        It, or None if none was found; and a number of actions that no plan has fewer of.
    """
    layer: list[State] = [room.make_initial()]
    seen = set(layer)
    tried = 0
    for length in range(1, depth + 1):
        following = []
        for state in layer:
            tried += 1
            if tried > most:
                return None, length
            for step in enumerate_actions(room, state):
                try:
                    after = play(room, state, step)
                except IllegalAction:
                    continue
                if after.agent == room.exit:
                    return length, length
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        layer = following
    return None, depth + 1


def _judge_facts(
    document: Mapping[str, object], plan: Plan | None, builder: JudgementBuilder
) -> None:
    facts, tier = get_facts(document), get_tier(document)
    if "moves" in facts and plan is not None:
        right = read_int(facts["moves"], "moves") == len(plan.steps)
        builder.decide("facts.moves", right, f"the plan has {len(plan.steps)} actions")
    if "difficulty" not in facts:
        return
    difficulty = read_int(facts["difficulty"], "difficulty")
    if is_rung(document):
        judge_rung(document, plan, _LADDER, builder)
    else:
        right = _TIERS.get(difficulty) == tier
        builder.decide("tier", right, f"difficulty {difficulty} is not {tier}")
    if get_generator(document).startswith("portal/"):
        chain = read_text(facts.get("chain"), "the chain").split()
        fits = len(chain) == _CHAIN[difficulty]
        builder.decide("facts.chain", fits, f"{len(chain)} mechanics")
