"""The way on which a carried body is shown: up, over everything, down, turning as it goes."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Voxels
from pysim.motion import Transform

__all__ = ["Arc"]

_SPEED = 36.0
"""Units a second that no cell of a carried body exceeds: 1.2 units between frames at 30 Hz."""
_SHORTEST = 0.7
"""Seconds that a carry takes at least."""
_ROUND = 0.8
"""Units before and after a corner of the way that are cut."""
_TURN = (0.15, 0.85)
"""The stretch of the way on which the body turns."""


@dataclass(frozen=True, eq=False)
class Arc:
    """A way from one pose to another. It is for show only: nothing is checked along it.

    Attributes:
        start: where the body is.
        end: where it goes.
        shape: its cells.
        top: height of the highest point of all other bodies (-inf if there are none).
    """

    start: Transform
    end: Transform
    shape: Voxels
    top: float

    @cached_property
    def duration(self) -> float:
        """Seconds for the whole way, so that no point of the body is too fast to follow."""
        span = _TURN[1] - _TURN[0]
        # The ease makes it at most 1.25 times as fast as evenly.
        way = 1.25 * (float(self._marks[-1]) + self._angle * self._reach / span)
        return max(_SHORTEST, way / _SPEED)

    def at(self, share: float) -> Transform:
        """Where the body is after a fraction ``share`` of the way; exact at 0 and 1."""
        if share <= 0.0 or share >= 1.0:
            return (self.start if share <= 0.0 else self.end).copy()
        result = np.eye(4)
        result[:3, :3] = self._turned(share)
        result[:3, 3] = self._centre_at(share) - result[:3, :3] @ self._centre
        return result

    @cached_property
    def _centre(self) -> NDArray[np.float64]:
        """The middle of the body, in body coordinates; it goes along the way."""
        bounds = self.shape.bounds
        low, high = (np.array(corner, np.float64) for corner in (bounds.low, bounds.high))
        return low + (high - low) / 2.0

    @cached_property
    def _reach(self) -> float:
        """Distance of the body's farthest corner, or of its origin, from its middle."""
        corner = float(np.linalg.norm(np.array(self.shape.bounds.size) / 2.0))
        return max(corner, float(np.linalg.norm(self._centre)))

    @cached_property
    def _axis_angle(self) -> tuple[NDArray[np.float64], float]:
        """The turn from start to end: unit axis in body coordinates, and radians."""
        from scipy.spatial.transform import Rotation

        turn = Rotation.from_matrix(self.start[:3, :3].T @ self.end[:3, :3]).as_rotvec()
        angle = float(np.linalg.norm(turn))
        return (turn / angle, angle) if angle > 1e-9 else (np.zeros(3), 0.0)

    @property
    def _angle(self) -> float:
        cosine = (float(np.sum(self.start[:3, :3] * self.end[:3, :3])) - 1.0) / 2.0
        return math.acos(min(1.0, max(-1.0, cosine)))

    @cached_property
    def _corners(self) -> NDArray[np.float64]:
        """(4, 3): start, above the start, above the end, end."""
        first = self.start[:3, :3] @ self._centre + self.start[:3, 3]
        last = self.end[:3, :3] @ self._centre + self.end[:3, 3]
        highest = max(float(first[2]), float(last[2])) + 1.0
        # Clear of the others by its own reach, however it is turned.
        clearance = float(np.linalg.norm(self.shape.bounds.size)) / 2.0 + _ROUND
        height = max(highest, self.top + clearance)
        over_first, over_last = first.copy(), last.copy()
        over_first[2] = over_last[2] = height
        return np.stack([first, over_first, over_last, last])

    @cached_property
    def _marks(self) -> NDArray[np.float64]:
        """(4,): length of the way from the start to each corner."""
        legs = np.linalg.norm(np.diff(self._corners, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(legs)])

    def _centre_at(self, share: float) -> NDArray[np.float64]:
        length = float(self._marks[-1])
        gone = share * length
        cut = min(_ROUND, gone, length - gone)
        return (self._on_way(gone - cut) + self._on_way(gone) + self._on_way(gone + cut)) / 3.0

    def _on_way(self, gone: float) -> NDArray[np.float64]:
        return np.array([np.interp(gone, self._marks, self._corners[:, i]) for i in range(3)])

    def _turned(self, share: float) -> NDArray[np.float64]:
        from scipy.spatial.transform import Rotation

        axis, angle = self._axis_angle
        if not angle:
            return self.start[:3, :3]
        part = min(1.0, max(0.0, (share - _TURN[0]) / (_TURN[1] - _TURN[0])))
        turned: NDArray[np.float64] = (
            self.start[:3, :3] @ Rotation.from_rotvec(axis * angle * part).as_matrix()
        )
        return turned
