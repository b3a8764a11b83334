"""Lawful solutions that are not the film's: none is a violation, and the plan is the one shown."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from bridge.video.tracking.course import Course
from bridge.video.verdict.reading import Deed
from bridge.video.verdict.ruling import Ruling, rule_on
from bridge.video.verdict.violations import ViolationKind
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.field_types import encode_arguments
from pysim.puzzle import Action, ActionError, Outcome, Transition
from tests.sampling import these_by_day
from tests.video.verdict.test_track_judging import LEVELS, course_of, film, track

FEW = ("burr-chinese-cross", "packing-easy-03", "jigsaw-easy-1", "portal-05", "nets-easy-06")
FIRST = [find_level(name) for name in FEW]
SAMPLE = these_by_day(FIRST, dict.fromkeys([*FIRST, *LEVELS[4::9]]), name=lambda level: level.id)


def is_solution(level: AnyLevel, actions: Sequence[Action]) -> bool:
    rules = find_family(level).rules
    state = rules.initial(level)
    try:
        for action in actions:
            state = rules.apply(level, state, action).state
    except ActionError:
        return False
    return rules.outcome(level, state) is Outcome.SOLVED


def swap(level: AnyLevel) -> Sequence[Action] | None:
    """Another order of two steps of a plan that don't depend on each other."""
    plan = level.plan.actions
    for k in reversed(range(len(plan) - 1)):
        other = [*plan[:k], plan[k + 1], plan[k], *plan[k + 2 :]]
        if plan[k] != plan[k + 1] and is_solution(level, other):
            return other
    return None


def moved(done: Transition[object]) -> set[str]:
    return {name for motion in done.motions for name in motion.bodies}


def detour(level: AnyLevel) -> Sequence[Action] | None:
    """A plan with an action that isn't in it, of pieces that rest then, and one that undoes it."""
    rules, plan = find_family(level).rules, level.plan.actions
    state = rules.initial(level)
    for k, step in enumerate(plan):
        own = moved(rules.apply(level, state, step))
        for away in rules.legal(level, state):
            left = rules.apply(level, state, away)
            is_other = left.motions and not moved(left) & own
            for back in rules.legal(level, left.state) if is_other else ():
                returned = rules.apply(level, left.state, back)
                if returned.motions and rules.encode(returned.state) == rules.encode(state):
                    return [*plan[:k], away, back, *plan[k:]]
        state = rules.apply(level, state, step).state
    return None


def judge(level: AnyLevel, actions: Sequence[Action]) -> Ruling:
    """Judge perfect poses of some actions as a video of the plan's film."""
    course = course_of(level.id)
    other = Course.record(level, actions, names=course.names)
    return rule_on(course, track(course, film(other)))


def told(actions: Sequence[Action]) -> list[tuple[str, object]]:
    return [(type(action).tool, encode_arguments(action)) for action in actions]


@pytest.mark.by_day(2)
@pytest.mark.parametrize("change", [swap, detour], ids=lambda change: change.__name__)
@pytest.mark.parametrize("level", SAMPLE)
def test_other_lawful_solution_breaks_nothing_and_solves(level: AnyLevel, change) -> None:
    actions = change(level)
    if actions is None:
        pytest.skip("the plan can't be changed so")
    ruling = judge(level, actions)
    assert ruling.violations == () and ruling.reading.solved


@pytest.mark.slow
def test_plan_of_another_solution_is_the_one_that_is_shown() -> None:
    level = find_level("burr-chinese-cross")
    for change in (swap, detour):
        actions = change(level)
        assert actions is not None
        moves = judge(level, actions).reading.moves
        assert [(move.tool, move.arguments) for move in moves] == told(actions)


@pytest.mark.slow
def test_lawful_step_that_takes_no_time_is_a_teleport() -> None:
    level = find_level("burr-chinese-cross")
    actions = swap(level)
    assert actions is not None
    course = course_of(level.id)
    other = Course.record(level, actions, names=course.names)
    pairs = zip(actions, level.plan.actions, strict=True)
    shown = next(k for k, (one, planned) in enumerate(pairs) if one != planned)
    step, poses = other.steps[shown], film(other)
    poses = np.delete(poses, slice(step.first_frame, step.last_frame), axis=0)
    (violation,) = rule_on(course, track(course, poses)).violations
    assert violation.kind is ViolationKind.TELEPORT


def test_actions_that_come_with_tracks_are_the_plan_as_far_as_they_are_lawful() -> None:
    level = find_level("burr-piston")
    course = course_of(level.id)
    plan = told(level.plan.actions)
    deeds = [
        Deed(tool, arguments, step.first_frame, step.last_frame)
        for (tool, arguments), step in zip(plan, course.steps, strict=True)
    ]
    tracks = track(course, film(course))
    whole = rule_on(course, replace(tracks, deeds=tuple(deeds))).reading
    assert whole.solved and [(m.tool, m.arguments) for m in whole.moves] == plan
    refused = Deed("slide", {**deeds[0].arguments, "pieces": ["nobody"]}, 3, 5)
    reading = rule_on(course, replace(tracks, deeds=(refused,))).reading
    assert reading.moves[-1].legal is False and "nobody" in reading.moves[-1].reason
    assert reading.prefix == len(reading.moves) - 1
