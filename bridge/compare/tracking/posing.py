"""Poses of pieces, moved, turned and stretched."""

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["moved", "rigid", "stretched", "turned"]

_Array = NDArray[np.float64]


def moved(pose: _Array, by: _Array) -> _Array:
    """A pose, translated in the world."""
    there = pose.copy()
    there[:3, 3] += by
    return there


def turned(pose: _Array, middle: _Array, spin: _Array) -> _Array:
    """A pose, turned in the world by a rotation vector about the middle of the piece."""
    rotation, _ = cv2.Rodrigues(spin)
    there = pose.copy()
    centre = pose[:3, :3] @ middle + pose[:3, 3]
    there[:3, :3] = rotation @ pose[:3, :3]
    there[:3, 3] = centre - there[:3, :3] @ middle
    return there


def stretched(pose: _Array, fixed: _Array, axis: int, times: float) -> _Array:
    """A pose in which a piece is so many times as long along an axis of its own.

    Args:
        fixed: (3,) the point of the piece, in body coordinates, that stays where it is.
    """
    there = pose.copy()
    there[:3, axis] *= times
    there[:3, 3] += (pose[:3, :3] - there[:3, :3]) @ fixed
    return there


def rigid(pose: _Array, middle: _Array) -> _Array:
    """A pose without its stretching; the middle of the piece stays."""
    u, _, v = np.linalg.svd(pose[:3, :3])
    there = pose.copy()
    there[:3, :3] = u @ v
    there[:3, 3] += (pose[:3, :3] - there[:3, :3]) @ middle
    return there
