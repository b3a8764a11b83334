"""Plan of a video that follows the true film: the film's steps, as far as they are shown."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.tracking.preparation import PreparedVideo
from bridge.video.verdict.reading import ReadMove, ReadPlan

__all__ = ["StepFrames", "find_steps", "read_film_plan"]

_SEEN = 0.5
"""Share of the frames of a step that have to be explained."""


@dataclass(frozen=True, slots=True)
class StepFrames:
    """Frames of a video in which a step of the film begins and ends; its place among the steps."""

    step: int
    first: int
    last: int


def read_film_plan(prepared: PreparedVideo, unlike: NDArray[np.bool_]) -> ReadPlan:
    """Return the steps of the film that a video shows.

    Args:
        unlike: (F,) frames that the film does not explain.
    """
    manifest = prepared.film.bundle.manifest
    moves: list[ReadMove] = []
    for one in find_steps(prepared):
        if unlike[one.first : one.last + 1].mean() > 1.0 - _SEEN:
            break
        step = manifest.steps[one.step]
        moves.append(ReadMove(step.action, step.arguments, one.first, one.last, legal=True))
    solved = manifest.solved and len(moves) == len(manifest.steps)
    return ReadPlan(tuple(moves), prefix=len(moves), solved=solved)


def find_steps(prepared: PreparedVideo) -> list[StepFrames]:
    """Return the steps that are over at the end of the video.

    A step of which the film shows nothing is over when a later one is that is seen, or, at the
    end of the film, when all that is seen of it is over.
    """
    positions = prepared.aligned.positions
    last_frames = [step.last_frame for step in prepared.film.bundle.manifest.steps]
    ends = prepared.film.find_position(np.array(last_frames, np.int64)).tolist()
    reached = np.maximum.accumulate(positions)
    found: list[StepFrames] = []
    first = seen = 0
    for place, end in enumerate(ends):
        if positions[-1] < end:
            break
        last = int(np.searchsorted(reached, end, side="left"))
        begin = int(np.searchsorted(reached, ends[place - 1] + 1 if place else 1, side="left"))
        found.append(StepFrames(place, max(first, min(begin, last)), last))
        first, seen = last, len(found) if end > (ends[place - 1] if place else 0) else seen
    return found if seen and len(found) == len(ends) else found[:seen]
