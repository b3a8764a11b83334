"""Alignment of tracks with a course: by distances of poses, as pictures are by their pixels.

All positions of the course compete: Viterbi's algorithm, of which only those are dropped that a
leap from the best one would reach at less cost. The way that explains all frames best is found at
the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import find_local_speeds
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.course import Course
from pysim.kernels import kernel

__all__ = ["PoseAligner"]

_Array = NDArray[np.float64]
_Index = NDArray[np.int64]
_Beam = tuple[_Index, _Index, NDArray[np.bool_]]
"""Positions that were kept, whence they were reached, and whether by a leap."""

_MOST, _HARDLY = LIMITS.pose_costs


@kernel(nogil=True)
def _spread(
    kept: _Index, totals: _Array, low: _Index, high: _Index, best: _Array, parent: _Index
) -> None:
    """Set the least total of all positions that those that were kept reach, and whence."""
    for k in range(len(kept)):
        for position in range(low[kept[k]], high[kept[k]] + 1):
            if totals[k] < best[position]:
                best[position], parent[position] = totals[k], k


@kernel(nogil=True)
def _measure(seen: _Array, free: _Array, bodies: _Array, positions: _Index, out: _Array) -> None:
    """Set the sum of the distances of bodies (K, 12) from those at positions (P, K, 12).

    Args:
        free: (K,) units that cost hardly anything; infinity for a body that is not known.
    """
    for k in range(len(positions)):
        total = 0.0
        for body in range(len(seen)):
            square = 0.0
            for c in range(12):
                off = seen[body, c] - bodies[positions[k], body, c]
                square += off * off
            if free[body] == np.inf:
                continue
            far = min(_MOST, np.sqrt(square))
            total += _HARDLY * far + (1.0 - _HARDLY) * max(0.0, far - free[body])
        out[k] = total


def _find_local_speed(course: Course) -> _Array:
    """Return units (2, P) that the fastest body goes in a frame before and after each position."""
    frames = course.frames
    passed = np.maximum(np.minimum(np.diff(frames), 1.0), 1e-9)
    return find_local_speeds(frames, course.steps_sizes / passed, LIMITS.near_time * course.fps)


@dataclass(frozen=True, slots=True, eq=False)
class PoseAligner:
    """Aligns poses with a course.

    Attributes:
        course: with poses between its own.
        bodies: (K,) those that are looked at.
    """

    course: Course
    bodies: _Index

    @staticmethod
    def of(course: Course, bodies: Sequence[int]) -> "PoseAligner":
        """Return one for the course of a film."""
        return PoseAligner(course.refine(), np.array(bodies, np.int64))

    def align(self, poses: _Array, free: _Array, fps: float) -> AlignedFrames:
        """Return the positions of frames.

        Args:
            poses: (F, K, 4, 4) of the bodies.
            free: (F, K) units by which each may be elsewhere; infinity for one that is not known.
        """
        boxes = self.course.boxes[self.bodies]
        film = _flatten(np.nan_to_num(self.course.poses[:, self.bodies], nan=1e6) @ boxes)
        seen = _flatten(poses @ boxes)
        low, high = self._find_reachable(self.course.fps / fps)
        sides = self._find_steps()
        begun = sides[1].astype(np.float64)
        for step, (_, over, end) in enumerate(self.course.list_ends(LIMITS.nearly_over)):
            begun[over:end] = step + 0.5
        leaps = np.arange(0, len(film), max(1, len(film) // LIMITS.pose_leaps))
        best, parent = np.empty(len(film)), np.empty(len(film), np.int64)
        beams: list[_Beam] = []
        kept, totals = np.zeros(1, np.int64), np.zeros(1)
        for frame in range(len(seen)):
            best.fill(np.inf)
            _spread(kept, totals, low, high, best, parent)
            costs, whence = _price_leaps(kept, totals, begun[kept], sides)
            far = leaps[best[leaps] > costs[leaps]]
            best[far], parent[far] = costs[far], whence[far]
            positions = np.flatnonzero(np.isfinite(best))
            costs = np.empty(len(positions))
            _measure(seen[frame], free[frame], film, positions, costs)
            summed = best[positions] + costs
            good = summed <= summed.min() + LIMITS.pose_leap_costs[1]
            leapt = np.isin(positions[good], far)
            kept, totals = positions[good], summed[good]
            beams.append((kept, parent[kept], leapt))
        return _trace(beams, int(totals.argmin()))

    def _find_steps(self) -> _Index:
        """Return the steps (2, P) that end at each position or after it, and that begin there."""
        ends = self.course.step_ends
        places = np.arange(len(self.course.poses))
        return np.stack([np.searchsorted(ends, places, side) for side in ("left", "right")])

    def _find_reachable(self, ratio: float) -> tuple[_Index, _Index]:
        """Return the first and the last position to which one frame may lead from each.

        A motion may go back, but not once it is nearly over: only the rules know a way back then.
        """
        course, travel = self.course, self.course.travel
        back, on = LIMITS.haste * ratio * _find_local_speed(course)
        whole = np.cumsum(course.frames == np.round(course.frames))
        few = max(1, round(LIMITS.pose_wait * ratio))
        low = np.minimum(
            np.searchsorted(travel, travel - back, side="left"),
            np.searchsorted(whole, whole - few, side="left"),
        )
        high = np.maximum(
            np.searchsorted(travel, travel + on, side="right"),
            np.searchsorted(whole, whole + few, side="right"),
        )
        self._keep_in_steps(low)
        high = np.minimum(high - 1, len(travel) - 1)
        return low.astype(np.int64), high.astype(np.int64)

    def _keep_in_steps(self, low: _Index) -> None:
        """Let no way back lead out of a step, or away from its end."""
        start = 0
        for _, over, end in self.course.list_ends(LIMITS.nearly_over):
            low[start:over] = np.maximum(low[start:over], start)
            low[over : end + 1] = np.arange(over, end + 1)
            start = end
        low[start:] = np.maximum(low[start:], start)


def _price_leaps(
    kept: _Index, totals: _Array, begun: _Array, sides: _Index
) -> tuple[_Array, _Index]:
    """Return the least total (P,) with which a leap leads to each position, and whence.

    No leap leads back out of a step: what it would undo is elsewhere than it should be.

    Args:
        begun: (K,) the steps that go on at the positions that were kept; a half more if they are
            nearly over.
        sides: (2, P) the first and the last step of which each position may be a part.
    """
    costs = np.full(sides.shape[1], np.inf)
    whence = np.zeros(sides.shape[1], np.int64)
    for step in np.unique(begun).tolist():
        here = np.flatnonzero(begun == step)
        best = int(here[totals[here].argmin()])
        ways = (sides == step).any(axis=0), sides[0] > step
        for targets, price in zip(ways, LIMITS.pose_leap_costs, strict=True):
            better = targets & (totals[best] + price < costs)
            costs[better], whence[better] = totals[best] + price, best
    return costs, whence


def _flatten(poses: _Array) -> _Array:
    """Return the twelve numbers (..., 12) of poses (..., 4, 4)."""
    return np.ascontiguousarray(poses[..., :3, :].reshape(*poses.shape[:-2], 12))


def _trace(beams: Sequence[_Beam], place: int) -> AlignedFrames:
    found, leapt = np.empty(len(beams), np.int64), np.zeros(len(beams), bool)
    for frame in range(len(beams) - 1, -1, -1):
        kept, parents, leaps = beams[frame]
        found[frame], leapt[frame] = kept[place], leaps[place]
        place = int(parents[place])
    return AlignedFrames(found, leapt)
