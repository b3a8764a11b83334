"""Pieces that go the same way together."""

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.search import WORTH
from bridge.compare.tracking.weighing import WeighedFrame

__all__ = ["gone_together"]

_Array = NDArray[np.float64]
_Flags = NDArray[np.bool_]


def gone_together(
    frame: WeighedFrame, poses: _Array, there: _Flags, before: _Array, held: _Flags
) -> _Array:
    """Pieces that went about the same way went the same way, if that looks as good.

    Args:
        poses: (P, 4, 4) where pieces are taken to be.
        there: (P,) which are there at all.
        before: (P, 4, 4) where they were in the frame before.
        held: (P,) which go along the axes of the lattice.
    """
    steps = poses[:, :3, 3] - before[:, :3, 3]
    moving = [i for i in np.flatnonzero(np.abs(steps).max(axis=1) > 0.03).tolist() if held[i]]
    while len(moving) > 1:
        first = moving[0]
        mates = [i for i in moving if np.abs(steps[i] - steps[first]).max() < 0.3]
        moving = [i for i in moving if i not in mates]
        if len(mates) > 1:
            poses = _agreed(frame, poses, there, before, mates, steps[mates])
    return poses


def _agreed(
    frame: WeighedFrame,
    poses: _Array,
    there: _Flags,
    before: _Array,
    mates: list[int],
    steps: _Array,
) -> _Array:
    best, found = frame.total(poses, there) + WORTH, poses
    axis = int(np.abs(steps).sum(axis=0).argmax())
    for size in {*steps[:, axis].tolist(), float(np.median(steps[:, axis]))}:
        tried = found.copy()
        tried[mates, :3, 3] = before[mates, :3, 3] + size * np.eye(3)[axis]
        value = frame.total(tried, there)
        if value < best:
            best, found = value, tried
    return found
