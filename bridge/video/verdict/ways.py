"""Ways of bodies that are not where they should be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.tracking.course import measure_turns

__all__ = ["Way"]

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """Way of a body that is not where it should be.

    Attributes:
        body: its number.
        frames: (K,) of the video, in order.
        poses, lawful: (K, 4, 4) where it is then, and where it should be.
        middle: (3,) in its own coordinates.
    """

    body: int
    frames: tuple[int, ...]
    poses: _Array
    lawful: _Array
    middle: _Array

    def measure_turns(self) -> _Array:
        """Return by how many degrees (K,) it is turned."""
        return measure_turns(self.poses[:, :3, :3], self.lawful[:, :3, :3])

    def measure_shifts(self) -> _Array:
        """Return by how many units (K, 3) its middle is off."""
        return np.asarray(self._find_middles(self.poses) - self._find_middles(self.lawful))

    def unturn(self) -> "Way":
        """Return the same way of a body that is not turned."""
        straight = self.lawful.copy()
        straight[:, :3, 3] += self.measure_shifts()
        return Way(self.body, self.frames, straight, self.lawful, self.middle)

    def _find_middles(self, poses: _Array) -> _Array:
        return np.asarray(poses[:, :3, :3] @ self.middle + poses[:, :3, 3])
