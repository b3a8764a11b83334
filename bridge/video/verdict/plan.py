"""Plan of a video that follows a course: the course's steps, as far as they are shown."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.course import Course
from bridge.video.verdict.reading import ReadMove, ReadPlan

__all__ = ["StepFrames", "find_steps", "read_plan"]


@dataclass(frozen=True, slots=True)
class StepFrames:
    """Frames of a video in which a step of a course begins and ends.

    Attributes:
        step: its place among the steps.
        first, last: the frames.
        is_shown: whether the course shows anything of it.
    """

    step: int
    first: int
    last: int
    is_shown: bool


def read_plan(course: Course, aligned: AlignedFrames, unlike: NDArray[np.bool_]) -> ReadPlan:
    """Return the steps of a course that a video shows.

    Args:
        unlike: (F,) frames that the course does not explain.
    """
    moves: list[ReadMove] = []
    for one in find_steps(course, aligned, LIMITS.step_slack):
        if one.is_shown and unlike[one.first : one.last + 1].mean() > 1.0 - LIMITS.step_seen:
            break
        step = course.steps[one.step]
        moves.append(ReadMove(step.action, step.arguments, one.first, one.last, legal=True))
    solved = course.solved and len(moves) == len(course.steps)
    return ReadPlan(tuple(moves), prefix=len(moves), solved=solved)


def find_steps(course: Course, aligned: AlignedFrames, slack: float = 0.0) -> list[StepFrames]:
    """Return the steps that are over at the end of the video.

    A step of which the course shows nothing is over when a later one is that is seen, or, at the
    end of the course, when all that is seen of it is over.

    Args:
        slack: units before its end at which a step is over.
    """
    positions = aligned.positions
    reached = np.maximum.accumulate(positions)
    found: list[StepFrames] = []
    first = seen = over = 0
    for place, (begin, own, end) in enumerate(course.list_ends(slack)):
        over = own if end >= begin else over
        if positions[-1] < over:
            break
        last = int(np.searchsorted(reached, over, side="left"))
        start = int(np.searchsorted(reached, begin, side="left"))
        found.append(StepFrames(place, max(first, min(start, last)), last, end >= begin))
        first, seen = last, len(found) if end >= begin else seen
    return found if seen and len(found) == len(course.steps) else found[:seen]
