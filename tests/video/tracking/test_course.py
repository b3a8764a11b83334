"""Courses: other actions are recorded as fast as a film."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bridge.video.tracking.course import Course
from pysim.catalog import find_level

LEVEL = "packing-medium-08"


def record() -> Course:
    level = find_level(LEVEL)
    assert level.plan is not None
    return Course.record(level, level.plan.actions[:2], fps=12)


def hide(course: Course) -> Course:
    """Leave out most poses of the second step, as a film does while all that moves is hidden."""
    begin, end = course.find_position(
        np.array([course.steps[1].first_frame, course.steps[1].last_frame])
    )
    keep = np.ones(len(course.poses), bool)
    keep[begin + 1 : end] = False
    return replace(course, poses=course.poses[keep], frames=course.frames[keep])


def leap(course: Course) -> Course:
    """Let all bodies leap in one frame, as through a gate."""
    poses = course.poses.copy()
    poses[course.step_ends[0] + 2 :, :, 0, 3] += 9.0
    return replace(course, poses=poses)


@pytest.mark.parametrize("change", [hide, leap])
def test_branch_of_a_film_with_hidden_motion_or_a_leap_is_no_faster(
    change: Callable[[Course], Course],
) -> None:
    course = record()
    changed = change(course)
    assert changed.steps_sizes.max() > 2.0 * course.steps_sizes.max()
    branch = changed.branch(course.list_actions())
    assert np.array_equal(branch.frames, course.frames)


def test_branch_of_a_hurried_film_is_as_fast() -> None:
    level = find_level(LEVEL)
    assert level.plan is not None
    actions = level.plan.actions[:1]
    usual, fast = (Course.record(level, actions, fps=24, speed=speed) for speed in (1.0, 3.0))
    branch = replace(fast, speed=1.0).branch(actions)
    assert branch.frames[-1] < 0.7 * usual.frames[-1]
