"""Animation of carried bodies: segment by segment, at rest at every corner.

What is shown is what was checked, no more: no corner is cut. Every cell stays below ``FASTEST``.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Bounds, Rotation
from pysim.path import Segment, Shift, Spin, double_middle
from pysim.trajectory import Transform

__all__ = ["MAX_SPEED", "interpolate_spin", "measure_alignment", "sample_path"]

MAX_SPEED = 11.75
"""Units a second that no cell of a carried body exceeds: half a unit between pictures at 24 Hz."""
_START = 0.2
"""Seconds that a leg takes besides those for its length."""
_TOP = 1.25
"""How much faster than evenly a leg is gone in its middle."""

TransformAt = Callable[[float], Transform]
"""The motion of the world that a share of a leg, from 0 to 1, makes up; exact at 0 and 1."""


def sample_path(
    legs: Sequence[Segment], block: Bounds, frame: float
) -> Iterator[tuple[float, Transform]]:
    """Seconds from the start of a way, and the motion of the world (4x4) that is done by then.

    Args:
        legs: the way.
        block: the block around what is carried, at its start.
        frame: seconds between two moments, at most.
    """
    before, begin = np.eye(4), 0.0
    yield begin, before
    for leg in legs:
        motion, length = _leg(leg, block)
        duration = _START + _TOP * length / MAX_SPEED
        count = math.ceil(duration / frame)
        for k in range(1, count + 1):
            yield begin + duration * k / count, motion(_ramp(k / count)) @ before
        before, begin = motion(1.0) @ before, begin + duration
        block = leg.apply_to_block(block)


def measure_alignment(
    starts: Mapping[str, Transform], ends: Mapping[str, Transform], reach: float
) -> float:
    """Return seconds in which bodies that are taken up get straight, 0 if they are.

    Args:
        starts, ends: where they are, and where their poses on the lattice are.
        reach: distance of their farthest point from their origins, at most.
    """
    shifts = [np.abs(ends[name] - starts[name]) for name in starts]
    farthest = max(
        (float(np.linalg.norm(s[:3, 3]) + 2.0 * reach * s[:3, :3].max()) for s in shifts),
        default=0.0,
    )
    return _START + farthest / MAX_SPEED if farthest > 1e-9 else 0.0


def _leg(leg: Segment, block: Bounds) -> tuple[TransformAt, float]:
    """Return a leg's motion, and the length of the way of the farthest cell."""
    if isinstance(leg, Shift):
        vector = np.array(leg.vector, np.float64)
        return (lambda share: _moved(share * vector)), float(leg.distance)
    return interpolate_spin(leg, block)


def interpolate_spin(spin: Spin, block: Bounds) -> tuple[TransformAt, float]:
    """The motion of the world (4x4) that a share of a turn in free air makes up, and its length.

    Returns:
        The motion for a share from 0 to 1, exact at 1; and the length of the way of the farthest
        point of ``block``, at most, in units.
    """
    here, there = (_middle(b) for b in (block, spin.apply_to_block(block)))
    turn = _turn_vector(spin.rotation)
    reach = float(np.linalg.norm(block.size)) / 2.0
    whole = _moved(np.array(spin.offset, np.float64))
    whole[:3, :3] = spin.rotation.matrix

    def motion(share: float) -> Transform:
        if share >= 1.0:
            return whole
        from scipy.spatial.transform import Rotation as Turn

        part = np.eye(4)
        part[:3, :3] = Turn.from_rotvec(share * turn).as_matrix()
        part[:3, 3] = here + share * (there - here) - part[:3, :3] @ here
        return part

    return motion, reach * float(np.linalg.norm(turn)) + float(np.linalg.norm(there - here))


def _middle(block: Bounds) -> NDArray[np.float64]:
    return np.array(double_middle(block), np.float64) / 2.0


def _moved(vector: NDArray[np.float64]) -> Transform:
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


@lru_cache(maxsize=24)
def _turn_vector(rotation: Rotation) -> NDArray[np.float64]:
    """(3,): the axis, as long as the angle in radians, at most half a turn."""
    from scipy.spatial.transform import Rotation as Turn

    vector: NDArray[np.float64] = Turn.from_matrix(np.array(rotation.matrix, float)).as_rotvec()
    return vector


def _ramp(share: float) -> float:
    """From 0 to 1 with a fifth of the time to speed up and a fifth to slow down.

    At most ``_TOP`` times as fast as evenly, which keeps long ways short.
    """
    if share > 0.5:
        return 1.0 - _ramp(1.0 - share)
    return 3.125 * share * share if share < 0.2 else 1.25 * share - 0.125
