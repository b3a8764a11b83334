"""The referee of nets: what a level claims of its plan, its turns and its folds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from bridge.referee.documents import (
    Plan,
    PlanStep,
    get_budget,
    get_facts,
    get_generator,
    get_puzzle,
    get_tier,
    plan_of,
    read_int,
    read_mapping,
    read_text,
)
from bridge.referee.findings import Judgement, JudgementBuilder
from bridge.referee.ladders import is_rung, judge_rung

from .plates import Facet, Reals, Sheet, flatten, is_closed, read_facets, read_sheets, turn_matrix

__all__ = ["IllegalAction", "count_folding_orders", "find_fewest_turns", "judge", "replay"]

_TURNS = {"easy": (0, 1), "medium": (2,), "hard": (2,)}
"""How many turns the plans of each tier of the generator take."""
_LEAST_BUDGET = 24
_BENDS = {"mountain": 1, "valley": -1}


class IllegalAction(ValueError):
    """An action that is not allowed; the message says why."""


_LADDER = {"easy": (5, 6), "medium": (7, 7), "hard": (11, 11), "expert": (12, 12)}
"""Actions of the plans of a ladder's tiers."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Decide the claims of a level with nets.

    Args:
        deep: of no account: all is always looked at.

    Raises:
        ValueError: the document is malformed.
    """
    sheets, plan, builder = read_sheets(document), plan_of(document), JudgementBuilder()
    _judge_nets(sheets, builder)
    turns = find_fewest_turns(document, sheets)
    if plan is not None:
        _judge_plan(document, sheets, plan, turns, builder)
    _judge_facts(document, sheets, turns, builder)
    needed = 1 if plan is None else len(plan.steps)
    if is_rung(document):
        judge_rung(document, plan, _LADDER, builder)
    elif get_generator(document).startswith("nets/"):
        tier = get_tier(document)
        builder.decide("tier", turns in _TURNS[tier], f"it takes {turns} turns")
        right = max(_LEAST_BUDGET, 3 * needed)
        builder.decide("budget", get_budget(document) == right, f"it is {right}")
    else:
        builder.decide("budget", get_budget(document) >= needed, f"the plan has {needed} actions")
    return builder.build()


def replay(
    document: Mapping[str, object], steps: Sequence[PlanStep]
) -> tuple[list[Sheet], int | None]:
    """Return the nets after a plan, and after how many actions it was solved first; None for never.

    Raises:
        Refused: an action is not allowed.
    """
    sheets, solved = read_sheets(document), None
    for number, step in enumerate(steps, start=1):
        sheets = _after(sheets, step)
        if solved is None and _is_solved(document, sheets):
            solved = number
    return sheets, solved


def _after(sheets: Sequence[Sheet], step: PlanStep) -> list[Sheet]:
    face = read_text(step.arguments.get("face"), "a face")
    which = next((n for n, sheet in enumerate(sheets) if face in sheet.names), None)
    if which is None:
        raise IllegalAction(f"there is no face {face}")
    sheet = sheets[which]
    match step.name:
        case "turn":
            axis = read_text(step.arguments.get("axis"), "an axis")
            quarters = read_int(step.arguments.get("quarters", 1), "quarter turns")
            after = replace(sheet, held=turn_matrix(axis, quarters) @ sheet.held)
        case "fold":
            after = _bent(sheet, face, _BENDS[read_text(step.arguments.get("way"), "a way")])
        case "unfold":
            after = _bent(sheet, face, 0)
        case _:
            raise IllegalAction(f"there is no action {step.name}")
    return [after if n == which else other for n, other in enumerate(sheets)]


def _bent(sheet: Sheet, face: str, bend: int) -> Sheet:
    plate = sheet.names.index(face)
    by = bend - sheet.bends[plate]
    if plate == 0 or abs(by) != 1:
        raise IllegalAction(f"{face} can't be bent so")
    if hit := sheet.find_blockers(plate, by):
        raise IllegalAction(f"{face} is BLOCKED by {', '.join(hit)}")
    return sheet.set_bend(plate, bend)


def _is_solved(document: Mapping[str, object], sheets: Sequence[Sheet]) -> bool:
    if not all(map(is_closed, sheets)):
        return False
    target = _target(document)
    first = read_facets(sheets[0])
    if target is None:
        return all(read_facets(sheet) == first for sheet in sheets)
    return all(first[side] == facet for side, facet in target.items())


def _target(document: Mapping[str, object]) -> dict[str, Facet] | None:
    said = get_puzzle(document).get("target")
    if said is None:
        return None
    return {
        side: (
            read_text(read_mapping(arrow, side).get("colour"), "a colour"),
            read_text(read_mapping(arrow, side).get("towards"), "where an arrow points"),
        )
        for side, arrow in read_mapping(said, "the target").items()
    }


def find_fewest_turns(document: Mapping[str, object], sheets: Sequence[Sheet]) -> int | None:
    """Return the fewest turns of whole nets after which it can be solved; None if there are none.

    Cubes that are to lie alike are brought there by turning one of them: a turn of the other one
    can be undone by one of this.
    """
    closed = [replace(flatten(s), bends=(0, *(1,) * (len(s.names) - 1))) for s in sheets]
    *others, last = closed
    found = (
        count
        for matrix, count in _rotations()
        if _is_solved(document, [*others, replace(last, held=np.array(matrix, float))])
    )
    return min(found, default=None)


@cache
def _rotations() -> tuple[tuple[tuple[tuple[int, ...], ...], int], ...]:
    """Return the 24 rotations, as rows, each with the fewest turns about axes that make it up."""
    start = _rows(np.eye(3))
    found, queue = {start: 0}, [start]
    for rows in queue:  # It grows while it is gone through.
        for axis, quarters in product("xyz", (1, 2, 3)):
            there = _rows(turn_matrix(axis, quarters) @ np.array(rows, float))
            if there not in found:
                found[there] = found[rows] + 1
                queue.append(there)
    return tuple(found.items())


def _rows(matrix: Reals) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in np.rint(matrix).astype(int).tolist())


def _judge_nets(sheets: Sequence[Sheet], builder: JudgementBuilder) -> None:
    """Each is a net of a cube, and if there are two their cubes are the same."""
    closed = [replace(s, bends=(0, *(1,) * (len(s.names) - 1))) for s in sheets]
    builder.decide(
        "puzzle", all(len(read_facets(s)) == 6 for s in closed), "this is no net of a cube"
    )


def _judge_plan(
    document: Mapping[str, object],
    sheets: Sequence[Sheet],
    plan: Plan,
    turns: int | None,
    builder: JudgementBuilder,
) -> None:
    flaw = _flaw(document, plan)
    builder.decide("plan", not flaw, flaw)
    if turns is None:
        builder.refute("lower_bound", "there is no solution")
        return
    least = turns + sum(len(sheet.names) - 1 for sheet in sheets)
    # Each hinge ends folded and an action bends one; turns bend none, and folds turn nothing.
    builder.decide("lower_bound", plan.lower_bound <= least, f"at least {least} are needed")
    if plan.proof == "UPPER_BOUND":
        builder.decide("proof", plan.lower_bound <= len(plan.steps), "it is above the plan")
    else:
        proven = not flaw and len(plan.steps) == plan.lower_bound == least
        builder.decide("proof", proven, f"{len(plan.steps)} actions, and {least} are needed")


def _flaw(document: Mapping[str, object], plan: Plan) -> str:
    """Why a plan does not solve its level; empty if it does."""
    try:
        _, solved = replay(document, plan.steps)
    except IllegalAction as error:
        return str(error)
    if solved is None:
        return "it does not solve the level"
    total = len(plan.steps)
    return "" if solved == total else f"it is solved after {solved} of {total} actions"


def _judge_facts(
    document: Mapping[str, object],
    sheets: Sequence[Sheet],
    turns: int | None,
    builder: JudgementBuilder,
) -> None:
    facts, plan = get_facts(document), plan_of(document)
    found: dict[str, object] = {
        "nets": " ".join(map(_outline, _squares(document))),
        "turns": turns,
        "moves": None if plan is None else len(plan.steps),
    }
    if "folding_orders" in facts:
        found["folding_orders"] = min(map(count_folding_orders, sheets))
    for name, value in found.items():
        if name in facts:
            builder.decide(f"facts.{name}", facts[name] == value, f"it is {value}")


def count_folding_orders(sheet: Sheet) -> int:
    """In how many orders all hinges can be folded, the prints outside."""
    ways = {(0,) * len(sheet.names): 1}
    for _ in range(len(sheet.names) - 1):
        further: dict[tuple[int, ...], int] = {}
        for bends, count in ways.items():
            here = replace(flatten(sheet), bends=bends)
            for plate in range(1, len(bends)):
                if bends[plate] == 0 and not here.find_blockers(plate, 1):
                    after = here.set_bend(plate, 1).bends
                    further[after] = further.get(after, 0) + count
        ways = further
    return sum(ways.values())


def _squares(document: Mapping[str, object]) -> list[list[tuple[int, int]]]:
    nets = get_puzzle(document)["nets"]
    assert isinstance(nets, list)
    return [[(int(face["square"][0]), int(face["square"][1])) for face in net] for net in nets]


def _outline(squares: Sequence[tuple[int, int]]) -> str:
    """``#`` for squares, rows from the top joined with ``/``."""
    left, low = min(x for x, _ in squares), min(y for _, y in squares)
    right, high = max(x for x, _ in squares), max(y for _, y in squares)
    return "/".join(
        "".join("#" if (x, y) in squares else "." for x in range(left, right + 1))
        for y in range(high, low - 1, -1)
    )
