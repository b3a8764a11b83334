"""Order of steps: bodies that move as a later step has them move, before those it waits for."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.course import Course, measure_poses

__all__ = ["find_early"]

_Array = NDArray[np.float64]


def find_early(
    course: Course, positions: NDArray[np.int64], body: int, moves: Mapping[int, _Array]
) -> list[int]:
    """Return a body that moves too early, and those that should have moved before; or nothing.

    If the video was aligned with the later step, it is a body that is left behind which tells.

    Args:
        positions: (F,) of the course in a video.
        body: one that is elsewhere than the course has it.
        moves: frame -> pose of it.
    """
    frames = sorted(moves)
    frames = [
        frames[k]
        for k in np.linspace(0, len(frames) - 1, LIMITS.early_sampled).astype(int).tolist()
    ]
    there = np.stack([moves[k] for k in frames])
    ends = course.step_ends
    way, box = np.nan_to_num(course.poses[:, body]), course.boxes[body]
    near = measure_poses(there[:, None], way[None], box) < LIMITS.early_near
    here = positions[frames]
    places = np.arange(len(way))
    ahead = near & (places > here[:, None])
    behind = near & (places < here[:, None])
    # It is left behind if the course goes on, and the body does not.
    start, late = frames[0], frames[0] + LIMITS.early_frames
    way_then = way[positions[[max(0, start - 1), min(late, len(positions) - 1)]]]
    gone = measure_poses(way_then[0], way_then[1], box)
    waits = late in moves and 2.0 * measure_poses(moves[start], moves[late], box) < gone
    if ahead.any(axis=1).mean() >= LIMITS.mostly:
        first = int(np.median(ahead.argmax(axis=1)[ahead.any(axis=1)]))
        done, now = int(np.searchsorted(ends, here.min(), side="right")), _find(ends, first)
        before = _list_movers(course, ends, range(done, now), body)
        return [body, *before] if before else []
    if waits and behind.any(axis=1).mean() >= LIMITS.mostly:
        last = len(way) - 1 - int(np.median(behind[:, ::-1].argmax(axis=1)[behind.any(axis=1)]))
        own, now = _find(ends, last + 1), _find(ends, int(here.max()))
        early = _list_movers(course, ends, range(own + 1, now + 1), body)
        return [*early, body] if early else []
    return []


def _find(ends: NDArray[np.int64], position: int) -> int:
    """Return the step whose motion leads to a position."""
    return int(np.searchsorted(ends, position, side="left"))


def _list_movers(course: Course, ends: NDArray[np.int64], steps: range, without: int) -> list[int]:
    """Return the bodies that some steps move elsewhere."""
    found: dict[int, None] = {}
    for step in steps:
        if step < len(ends):
            before = course.poses[ends[step - 1] if step else 0]
            far = measure_poses(before, course.poses[ends[step]], course.boxes)
            found |= dict.fromkeys(np.flatnonzero(far > LIMITS.early_near).tolist())
    return [body for body in found if body != without]
