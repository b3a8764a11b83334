"""The referee of jigsaw cubes: what a level claims of its plan, its solutions, tier and budget."""

from collections.abc import Mapping
from math import factorial

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

from .counting import count_answers, count_distinct_cubes, enumerate_solutions, is_solvable_unturned
from .placement import Puzzle, read_puzzle, replay

__all__ = ["judge"]

_BUDGET = 30
_GIVEN = {"easy": 4, "medium": 0, "hard": 0}
"""Pieces that are in place from the start, by tier of the generator."""

_LADDER = {"easy": (3, 3), "medium": (4, 4), "hard": (5, 5), "expert": (6, 6)}
"""Actions of the plans of a ladder's tiers."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Decide the claims of a level with a jigsaw cube.

    Args:
        deep: makes no difference: everything is decided anyway.

    Raises:
        ValueError: the document is malformed; the message says where.
    """
    puzzle, plan, builder = read_puzzle(document), plan_of(document), JudgementBuilder()
    if plan is not None:
        _judge_plan(puzzle, plan, builder)
    _judge_facts(document, puzzle, builder)
    if is_rung(document):
        judge_rung(document, plan, _LADDER, builder)
    else:
        _judge_making(document, puzzle, builder)
    budget, needed = get_budget(document), _missing(puzzle) if plan is None else len(plan.steps)
    builder.decide("budget", budget >= needed, f"the level takes {needed} actions")
    return builder.build()


def _missing(puzzle: Puzzle) -> int:
    return len(puzzle.pieces) - len(puzzle.start)


def _judge_plan(puzzle: Puzzle, plan: Plan, builder: JudgementBuilder) -> None:
    flaw = _flaw(puzzle, plan)
    builder.decide("plan", not flaw, flaw)
    fewest = _missing(puzzle)
    enough = next(enumerate_solutions(puzzle, puzzle.start), None) is not None
    for claim, length in (("lower_bound", plan.lower_bound), ("proof", len(plan.steps))):
        if claim == "proof" and plan.proof == "UPPER_BOUND":
            builder.decide(claim, plan.lower_bound <= length, "the lower bound is above the plan")
        elif claim == "proof" and (flaw or plan.lower_bound != length):
            builder.refute(claim, flaw or f"{length} actions, lower bound {plan.lower_bound}")
        elif length <= fewest:
            builder.confirm(claim)  # An action puts one piece onto the cube.
        elif enough:
            builder.refute(claim, f"{fewest} actions are enough")
        else:
            builder.mark_undecided(
                claim, f"no plan has fewer than {fewest} actions; more is not known"
            )


def _flaw(puzzle: Puzzle, plan: Plan) -> str:
    """Why a plan does not solve its level; empty if it does, and not before its last action."""
    played, total = replay(puzzle, plan.steps), len(plan.steps)
    if played.refusal:
        return f"action {played.done + 1} of {total} is refused, {played.refusal}"
    if played.whole_after is None:
        return f"after all {total} actions the cube is not whole"
    if played.whole_after < total:
        return f"the cube is whole after {played.whole_after} of {total} actions"
    return ""


def _judge_facts(document: Mapping[str, object], puzzle: Puzzle, builder: JudgementBuilder) -> None:
    facts, missing = get_facts(document), _missing(puzzle)
    found = {
        "missing": lambda: missing,
        "solutions": lambda: count_distinct_cubes(puzzle),
        "right_answers": lambda: count_answers(puzzle),
        "search_space": lambda: _space(missing),
    }
    for name in found.keys() & facts.keys():
        claimed, true = read_int(facts[name], name), found[name]()
        builder.decide(f"facts.{name}", claimed == true, f"it is {true}")
    if "teeth" in facts:
        counts = sorted(len(shape) - 9 for shape in puzzle.pieces.values())
        true_teeth = "+".join(map(str, counts))
        builder.decide("facts.teeth", read_text(facts["teeth"], "teeth") == true_teeth, true_teeth)


def _space(missing: int) -> int:
    """Return ways to lay the missing pieces on the open faces; all six up to the 24 rotations."""
    size = int(factorial(missing) * 8**missing)
    return size // 24 if missing == 6 else size


def _judge_making(
    document: Mapping[str, object], puzzle: Puzzle, builder: JudgementBuilder
) -> None:
    """A generated level has as many pieces in place as its tier says, and the usual budget."""
    generator, tier = get_generator(document), get_tier(document)
    if not generator.startswith("jigsaw/"):
        return
    given = _GIVEN[tier]
    if len(puzzle.start) != given:
        builder.refute(
            "tier", f"{len(puzzle.start)} pieces are in place, {tier} levels have {given}"
        )
    elif tier == "medium" and not is_solvable_unturned(puzzle):
        builder.refute("tier", "pieces have to be turned over")
    else:
        builder.decide("tier", generator.split()[0] == f"jigsaw/{tier}", f"{generator} made it")
    right = get_budget(document) == _BUDGET
    builder.decide("budget.generated", right, f"generated levels have a budget of {_BUDGET}")
