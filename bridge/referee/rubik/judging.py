"""The referee of cubes: what a level claims of its plan and of its distance from home."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from bridge.referee.documents import (
    Plan,
    PlanStep,
    get_budget,
    get_facts,
    get_puzzle,
    get_tier,
    plan_of,
    read_int,
    read_text,
)
from bridge.referee.findings import Judgement, JudgementBuilder
from bridge.referee.ladders import is_rung, judge_rung

from .distances import Metric, find_distance
from .stickers import HOME, TURNS, FaceNumbers, apply_turns, is_odd, parse_letters

__all__ = ["REACH", "judge", "read_cube", "replay"]

REACH = {
    (Metric.HTM, False): 12,
    (Metric.QTM, False): 15,
    (Metric.HTM, True): 13,
    (Metric.QTM, True): 17,
}
"""Turns up to which all sequences are searched, in a judgement and in a deep one."""
_GLANCE = {Metric.HTM: 11, Metric.QTM: 13}
"""The same where a claim is out of reach anyway, and only a blunder can be found."""
_DEEP_RADIUS = 8
"""Quarter turns around the solved cube that a deep search remembers: 86 million states."""
_SETTINGS = {"full-symbolic": False, "full-visual": False, "face-view": True, "vertex-view": True}
"""Whether there is another side to go to, by setting."""
_TIERS = {1: "easy", 2: "easy", 3: "easy", 4: "easy", 8: "medium", 12: "medium"}
"""The tiers of the depths in the suite ``cubebench-160``; the others are hard."""
_BUDGET = 200
_SUITE_ID = rf"\w+-d\d\d-\d-({'|'.join(_SETTINGS)})"
"""What levels are called in that suite."""

_LADDER = {"easy": (4, 4), "medium": (6, 6), "hard": (8, 8), "expert": (10, 10)}
"""Actions of the plans of a ladder's tiers."""


def judge(document: Mapping[str, object], *, deep: bool = False) -> Judgement:
    """Decide the claims of a level with a cube.

    Args:
        deep: whether to search as far as some minutes and 1.5 GB of memory go.

    Raises:
        ValueError: the document is malformed, or no turns lead to the cube.
    """
    start, facts, plan, builder = (
        read_cube(document),
        get_facts(document),
        plan_of(document),
        JudgementBuilder(),
    )
    if plan is not None:
        _judge_plan(document, start, plan, builder, deep)
    _judge_face_turns(start, facts, builder, deep)
    _judge_quarter_turns(start, facts, plan, builder, deep)
    if re.fullmatch(_SUITE_ID, str(document.get("id"))):
        _judge_suite(document, facts, builder)
    elif is_rung(document):
        judge_rung(document, plan, _LADDER, builder)
    else:
        needed = 1 if plan is None else len(plan.steps)
        builder.decide("budget", get_budget(document) >= needed, f"the plan has {needed} actions")
    return builder.build()


def read_cube(document: Mapping[str, object]) -> FaceNumbers:
    """Return the cube of a level document: which sticker is at each place.

    Raises:
        ValueError: the document is malformed, or no turns lead to the cube, or it is solved.
    """
    puzzle = get_puzzle(document)
    if read_text(puzzle.get("setting"), "the setting") not in _SETTINGS:
        raise ValueError(f"a setting is one of {', '.join(_SETTINGS)}")
    labels = parse_letters(read_text(puzzle.get("state"), "the state"))
    if labels == HOME:
        raise ValueError("the cube is solved from the start")
    return labels


def replay(document: Mapping[str, object], actions: Iterable[PlanStep]) -> tuple[FaceNumbers, str]:
    """The cube after some actions, and why the next one is refused; empty if none is left."""
    labels, around = read_cube(document), _SETTINGS[_setting(document)]
    for step in actions:
        flaw = _flaw(step, around)
        if flaw:
            return labels, flaw
        if step.name == "make_move":
            labels = apply_turns(labels, [str(step.arguments["move"])])
    return labels, ""


def _setting(document: Mapping[str, object]) -> str:
    return read_text(get_puzzle(document).get("setting"), "the setting")


def _flaw(step: PlanStep, around: bool) -> str:
    """Why an action is refused; empty if it is not."""
    match step.name, dict(step.arguments):
        case "make_move", {"move": str(move), **rest} if not rest:
            known = move in TURNS and not move.endswith("2")
            return "" if known else f"BAD_VALUE: {move:.40} is no quarter turn"
        case "apply_view_transformation", {"direction": str(way), **rest} if not rest:
            if way not in ("up", "down", "left", "right"):
                return f"BAD_VALUE: {way:.40} is no direction"
            return "" if around else "NO_EFFECT: all of the cube is seen"
    return f"no action is {step.name:.40} {dict(step.arguments)!r:.80}"


def _judge_plan(
    document: Mapping[str, object],
    start: FaceNumbers,
    plan: Plan,
    builder: JudgementBuilder,
    deep: bool,
) -> None:
    length, words = len(plan.steps), _why_not(document, plan)
    builder.decide("plan", not words, words)
    _judge_bound("lower_bound", start, Metric.QTM, plan.lower_bound, builder, deep)
    if plan.proof == "UPPER_BOUND":
        builder.decide("proof", plan.lower_bound <= length, "the lower bound is above the plan")
    elif words or plan.lower_bound != length:
        flaw = words or f"{length} actions, and a lower bound of {plan.lower_bound}"
        builder.refute("proof", flaw)
    else:
        _judge_bound("proof", start, Metric.QTM, length, builder, deep)


def _why_not(document: Mapping[str, object], plan: Plan) -> str:
    """Why a plan does not solve its level; empty if it does, and not before its last action."""
    labels, flaw = replay(document, plan.steps)
    early, _ = replay(document, plan.steps[:-1])
    if flaw:
        return f"an action is refused, {flaw}"
    if labels != HOME:
        return f"after all {len(plan.steps)} actions the cube is not solved"
    return "the last action is not needed" if early == HOME else ""


def _judge_face_turns(
    start: FaceNumbers, facts: Mapping[str, object], builder: JudgementBuilder, deep: bool
) -> None:
    if "solution_htm" in facts:
        _judge_solution(start, facts, builder)
    if "certificate_htm" in facts:
        words = read_text(facts["certificate_htm"], "certificate_htm")
        searched = re.search(r"of up to (\d+) face turns", words)
        if searched is None:
            builder.mark_undecided("facts.certificate_htm", "it does not say how far was searched")
        else:
            bound = int(searched[1]) + 1
            _judge_bound("facts.certificate_htm", start, Metric.HTM, bound, builder, deep)
    if "depth_htm" in facts:
        _judge_depth(start, read_int(facts["depth_htm"], "depth_htm"), builder, deep)


def _judge_solution(
    start: FaceNumbers, facts: Mapping[str, object], builder: JudgementBuilder
) -> None:
    names = read_text(facts["solution_htm"], "solution_htm").split()
    wrong = [name for name in names if name not in TURNS]
    depth = facts.get("depth_htm", len(names))
    if wrong:
        builder.refute("facts.solution_htm", f"{wrong[0]:.40} is no turn of a face")
    elif apply_turns(start, names) != HOME:
        builder.refute("facts.solution_htm", "it does not solve the cube")
    else:
        builder.decide("facts.solution_htm", depth == len(names), f"it has {len(names)} turns")


def _judge_depth(start: FaceNumbers, depth: int, builder: JudgementBuilder, deep: bool) -> None:
    """The depth is the distance, not only a bound of it."""
    if depth > REACH[Metric.HTM, deep]:
        _judge_bound("facts.depth_htm", start, Metric.HTM, depth, builder, deep)
        return
    try:
        found = _searched(start, Metric.HTM, depth, deep)
    except ArithmeticError as error:
        builder.mark_undecided("facts.depth_htm", str(error))
        return
    words = f"more than {depth}" if found is None else str(found)
    builder.decide("facts.depth_htm", found == depth, f"the distance is {words} face turns")


def _judge_quarter_turns(
    start: FaceNumbers,
    facts: Mapping[str, object],
    plan: Plan | None,
    builder: JudgementBuilder,
    deep: bool,
) -> None:
    if "quarter_turns" in facts and plan is not None:
        claimed = read_int(facts["quarter_turns"], "quarter_turns")
        length = len(plan.steps)
        builder.decide("facts.quarter_turns", claimed == length, f"the plan has {length} actions")
    if "quarter_turns_at_least" in facts:
        least = read_int(facts["quarter_turns_at_least"], "quarter_turns_at_least")
        _judge_bound("facts.quarter_turns_at_least", start, Metric.QTM, least, builder, deep)


def _judge_suite(
    document: Mapping[str, object], facts: Mapping[str, object], builder: JudgementBuilder
) -> None:
    """Tier and budget in the suite ``cubebench-160``."""
    depth = read_int(facts.get("depth_htm"), "depth_htm")
    right = _TIERS.get(depth, "hard")
    builder.decide("tier", get_tier(document) == right, f"depth {depth} is {right}")
    builder.decide("budget", get_budget(document) == _BUDGET, f"it is {_BUDGET} in this suite")


def _judge_bound(
    claim: str,
    start: FaceNumbers,
    metric: Metric,
    bound: int,
    builder: JudgementBuilder,
    deep: bool,
) -> None:
    """Decide whether no sequence of fewer than ``bound`` turns solves the cube."""
    longest = _longest(start, metric, bound)
    reach = REACH[metric, deep]
    try:
        found = _searched(start, metric, longest if longest <= reach else _GLANCE[metric], deep)
    except ArithmeticError as error:
        builder.mark_undecided(claim, str(error))
        return
    if found is not None and found < bound:
        builder.refute(claim, f"{found} turns solve it ({metric})")
    elif longest <= reach:
        builder.confirm(claim)
    else:
        builder.mark_undecided(
            claim, f"sequences of up to {longest} turns ({metric}) are out of reach"
        )


def _longest(start: FaceNumbers, metric: Metric, bound: int) -> int:
    """The longest sequences below a bound that can solve a cube: parity leaves out every other."""
    longest = bound - 1
    wrong = metric is Metric.QTM and longest % 2 != is_odd(start)
    return longest - 1 if wrong else longest


@cache
def _searched(start: FaceNumbers, metric: Metric, most: int, deep: bool) -> int | None:
    """Return the distance, or None if it is more; kept, for levels share their cubes."""
    if most < 1:
        return None
    far = deep and metric is Metric.QTM and most > REACH[metric, False]
    return find_distance(start, metric, most, radius=_DEEP_RADIUS if far else None)
