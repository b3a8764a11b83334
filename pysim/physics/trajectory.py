"""Trajectories of motions: keyframes at about 30 Hz, the same from every world in this package.

Times are seconds, lengths units of a cell edge, transforms 4x4 from body to world. Matrices are
only made when a keyframe is read, since most steps are never watched.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from pysim.geometry import Axis, Bounds, Cell, Direction, Pose
from pysim.motion import Turn
from pysim.path import Segment
from pysim.physics.carry_animation import measure_alignment, sample_path
from pysim.trajectory import Keyframe, Trajectory, Transform

__all__ = ["FRAME", "Film", "PoseTransforms", "make_turn_matrix"]

FRAME = 1.0 / 30.0
"""Seconds between keyframes, at most."""

NUDGE = 0.04
"""Units that a body which can't move at all is shown to try."""

_TRY = 3.0
"""Degrees by which bodies that can't turn are shown to try."""
_SECONDS_PER_QUARTER = 0.42
"""The least; the corners of a cube of three layers stay below 12 units a second."""
_FASTEST = 11.97
"""Units a second that no corner exceeds."""
_PEAK = 1.5
"""How much faster than evenly a motion is in its middle."""


class PoseTransforms(Mapping[str, Transform]):
    """The transforms of lattice poses; each is made anew when asked for."""

    __slots__ = ("_poses",)

    def __init__(self, poses: Mapping[str, Pose]) -> None:
        self._poses = poses

    def __getitem__(self, name: str) -> Transform:
        return self._poses[name].transform()

    def __iter__(self) -> Iterator[str]:
        return iter(self._poses)

    def __len__(self) -> int:
        return len(self._poses)


class _Shifted(Mapping[str, Transform]):
    """``starts``, all translated by ``shift`` units along ``vector``."""

    __slots__ = ("_shift", "_starts", "_vector")

    def __init__(self, starts: Mapping[str, Transform], vector: Cell, shift: float) -> None:
        self._starts = starts
        self._vector = vector
        self._shift = shift

    def __getitem__(self, name: str) -> Transform:
        transform = self._starts[name].copy()
        for i in range(3):
            transform[i, 3] += self._shift * self._vector[i]
        return transform

    def __iter__(self) -> Iterator[str]:
        return iter(self._starts)

    def __len__(self) -> int:
        return len(self._starts)


class _Moved(Mapping[str, Transform]):
    """``starts``, all after one rigid motion of the world."""

    __slots__ = ("_motion", "_starts")

    def __init__(self, starts: Mapping[str, Transform], motion: Transform) -> None:
        self._starts = starts
        self._motion = motion

    def __getitem__(self, name: str) -> Transform:
        moved: Transform = self._motion @ self._starts[name]
        return moved

    def __iter__(self) -> Iterator[str]:
        return iter(self._starts)

    def __len__(self) -> int:
        return len(self._starts)


def make_turn_matrix(axis: Axis, centre: Cell, degrees: float) -> Transform:
    """The 4x4 matrix that turns, right-handed, about an axis through the middle of a cell."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    u, v = (axis.number + 1) % 3, (axis.number + 2) % 3
    matrix = np.eye(4)
    matrix[[u, u, v, v], [u, v, u, v]] = cosine, -sine, sine, cosine
    matrix[:3, 3] = np.array(centre) - matrix[:3, :3] @ np.array(centre)
    return matrix


class Film:
    """Motions of one step, one by one; the keyframes are made when they are read.

    The mappings that it is given are kept, not copied: they must not change afterwards.
    """

    def __init__(self) -> None:
        self._scenes: list[Callable[[list[Keyframe]], Iterable[Keyframe]]] = []

    def sweep(
        self, starts: Mapping[str, Transform], direction: Direction, travel: int, *, free: bool
    ) -> None:
        """Bodies go ``travel`` units together, starting and ending gently.

        Bodies that aren't ``free`` to move at all are shown to try.
        """

        def scene(so_far: list[Keyframe]) -> Iterable[Keyframe]:
            length = float(travel) if free or travel else NUDGE
            begin, vector = _begin(so_far), direction.vector
            for time, shift in _eased(length):
                yield Keyframe(begin + time, _Shifted(starts, vector, shift))

        self._scenes.append(scene)

    def carry(
        self, starts: Mapping[str, Transform], block: Bounds, legs: Sequence[Segment]
    ) -> None:
        """Bodies go together along some legs; ``block`` is the one around them at the start."""

        def scene(so_far: list[Keyframe]) -> Iterable[Keyframe]:
            begin = _begin(so_far)
            for time, motion in sample_path(legs, block, FRAME):
                yield Keyframe(begin + time, _Moved(starts, motion), carried=True)

        self._scenes.append(scene)

    def add_alignment(
        self, starts: Mapping[str, Transform], ends: Mapping[str, Transform], reach: float
    ) -> None:
        """Bodies that lie a little off their poses get straight as they are taken up.

        ``reach`` is the distance of their farthest point from their origins.
        """
        duration = measure_alignment(starts, ends, reach)
        if duration:
            self._scenes.append(
                lambda so_far: (
                    Keyframe(_begin(so_far), starts, carried=True),
                    Keyframe(_begin(so_far) + duration, ends, carried=True),
                )
            )

    def turn(
        self, starts: Mapping[str, Transform], turn: Turn, reach: float, *, free: bool
    ) -> None:
        """Bodies turn together, starting and ending gently; blocked ones are shown to try.

        ``reach`` is the distance of their farthest point from the axis.
        """

        def scene(so_far: list[Keyframe]) -> Iterable[Keyframe]:
            whole = float(turn.degrees) if free else math.copysign(_TRY, turn.degrees)
            length = reach * math.radians(abs(whole))
            duration = max(
                _SECONDS_PER_QUARTER * max(1.0, abs(whole) / 90.0), _PEAK * length / _FASTEST
            )
            begin, count = _begin(so_far), math.ceil(duration / FRAME)
            for k in range(count + 1):
                degrees = whole * _smooth(k / count)
                yield Keyframe(
                    begin + duration * k / count,
                    _Moved(starts, make_turn_matrix(turn.axis, turn.centre, degrees)),
                )

        self._scenes.append(scene)

    def add_samples(self, frames: Sequence[Mapping[str, Transform]]) -> None:
        """Frames that an engine computed, ``FRAME`` seconds apart."""

        def scene(so_far: list[Keyframe]) -> Iterable[Keyframe]:
            begin = _begin(so_far)
            return [Keyframe(begin + k * FRAME, frame) for k, frame in enumerate(frames)]

        self._scenes.append(scene)

    def add_reverse(self) -> None:
        """Everything so far, backwards: the way back of an attempt that failed."""

        def scene(so_far: list[Keyframe]) -> Iterable[Keyframe]:
            end = so_far[-1].time if so_far else 0.0
            return [replace(k, time=2.0 * end - k.time) for k in so_far[-2::-1]]

        self._scenes.append(scene)

    def build_trajectory(self) -> Trajectory:
        """Return all keyframes."""
        return Trajectory(self._develop)

    def _develop(self) -> list[Keyframe]:
        keyframes: list[Keyframe] = []
        for scene in self._scenes:
            keyframes += list(scene(keyframes))
        return keyframes


def _begin(so_far: list[Keyframe]) -> float:
    """Return the start of the next motion: a frame later, so that no two keyframes share a time."""
    return so_far[-1].time + FRAME if so_far else 0.0


@lru_cache(maxsize=256)
def _eased(length: float) -> tuple[tuple[float, float], ...]:
    """Moments of a straight move and the length gone by then; always below 12 units a second."""
    duration = 0.25 + 0.125 * length
    count = math.ceil(duration / FRAME)
    return tuple((duration * k / count, length * _smooth(k / count)) for k in range(count + 1))


def _smooth(share: float) -> float:
    """Smoothstep: from 0 to 1, at rest at both ends, at most 1.5 times as fast as evenly."""
    return share * share * (3.0 - 2.0 * share)
