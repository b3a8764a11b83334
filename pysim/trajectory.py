"""Trajectories of bodies: keyframes, poses between them, and how motions become keyframes.

Times are seconds, lengths units of a cell edge, transforms 4x4 from body to world. Every world of
this package makes the keyframes of its motions with :class:`Film`, at about 30 Hz. Matrices are
only made when a keyframe is read, since most steps are never watched. Carried bodies go segment by
segment, at rest at every corner: the picture shows the way that was checked, and cuts no corner.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.geometry import Axis, Bounds, Cell, Direction, Pose, Rotation
from pysim.geometry.quaternions import (
    compute_rotation_vector,
    interpolate_rotation,
    rotate_by_vector,
)
from pysim.motion import Turn
from pysim.path import Segment, Shift, Spin, double_middle

__all__ = [
    "FRAME",
    "Film",
    "Keyframe",
    "PoseTransforms",
    "Trajectory",
    "Transform",
    "interpolate_spin",
    "make_turn_matrix",
    "sample_frames",
]

Transform = NDArray[np.float64]
"""A 4x4 homogeneous matrix from body to world coordinates, in units of a cell edge."""


@dataclass(frozen=True, slots=True)
class Keyframe:
    """Poses of some bodies at a moment; the others stay as they were.

    Attributes:
        time: seconds from the start of the step.
        transforms: body name -> 4x4 transform.
        carried: whether these bodies are just being carried, as by a hand; a world need not say.
    """

    time: float
    transforms: Mapping[str, Transform]
    carried: bool = False


class Trajectory:
    """Motion of bodies in one step: keyframes in order of time, the first at time 0.

    Args:
        keyframes: the keyframes, or a function that makes them when they are first asked for: most
            steps are never watched.
    """

    __slots__ = ("_keyframes", "_make", "_tracks")

    def __init__(
        self, keyframes: Iterable[Keyframe] | Callable[[], Iterable[Keyframe]] = ()
    ) -> None:
        self._make = keyframes if callable(keyframes) else lambda: keyframes
        self._keyframes: tuple[Keyframe, ...] | None = None
        self._tracks: dict[str, tuple[list[float], list[Keyframe]]] = {}

    @property
    def keyframes(self) -> tuple[Keyframe, ...]:
        """The keyframes."""
        if self._keyframes is None:
            self._keyframes = tuple(self._make())
            for keyframe in self._keyframes:
                for name in keyframe.transforms:
                    times, frames = self._tracks.setdefault(name, ([], []))
                    times.append(keyframe.time)
                    frames.append(keyframe)
        return self._keyframes

    @property
    def duration(self) -> float:
        """Seconds from the first to the last keyframe."""
        return self.keyframes[-1].time if self.keyframes else 0.0

    def is_carried(self, time: float) -> bool:
        """Return whether what moves at ``time`` is being carried."""
        later = (keyframe for keyframe in self.keyframes if keyframe.time >= time)
        return next((keyframe.carried for keyframe in later), False)

    def sample(self, time: float) -> dict[str, Transform]:
        """Transforms of the bodies that move in this step, interpolated at ``time``.

        Positions are interpolated linearly and rotations along the shortest arc; bodies that turn
        together, as one, turn about their common axis. Each body is looked up in the keyframes
        around ``time`` that name it.
        """
        _ = self.keyframes  # Made now, if they were not yet, and with them the tracks.
        stretches = {name: self._stretch(name, time) for name in sorted(self._tracks)}
        together = Counter(stretch.compute_displacement() for stretch in stretches.values())
        return {
            name: stretch.interpolate_screw()
            if together[stretch.compute_displacement()] > 1
            else stretch.interpolate_line()
            for name, stretch in stretches.items()
        }

    def _stretch(self, name: str, time: float) -> "_Stretch":
        times, frames = self._tracks[name]
        split = bisect_right(times, time)
        before, after = frames[max(0, split - 1)], frames[min(split, len(frames) - 1)]
        here = before.transforms[name]
        if before is after:
            return _Stretch(here, here, 0.0)
        share = (time - before.time) / (after.time - before.time)
        return _Stretch(here, after.transforms[name], share)


def sample_frames(trajectory: Trajectory, fps: float) -> Iterator[dict[str, Transform]]:
    """Sample the poses of moving bodies in a step, ``fps`` times a second, at their true speed.

    The first moment is the start and the last one the very end of the motion; nothing is given for
    an empty trajectory. Each moment is what a renderer takes as ``transforms``.

    Raises:
        InputError: ``fps`` is not above 0.
    """
    if not 0.0 < fps < float("inf"):
        raise InputError(f"a film has more than 0 pictures a second, not {fps}")
    if not trajectory.keyframes:
        return
    count = math.ceil(trajectory.duration * fps - 1e-9)
    for index in range(count):
        yield trajectory.sample(index / fps)
    yield trajectory.sample(trajectory.duration)


_DIGITS = 6
"""Decimals to which two displacements are the same motion."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """A body's way between two keyframes, and the share of it that is done."""

    before: Transform
    after: Transform
    share: float

    def compute_displacement(self) -> bytes | None:
        """Return the rigid motion in world coordinates, equal for bodies that turn as one.

        None if the body does not turn.
        """
        if np.array_equal(self.before[:3, :3], self.after[:3, :3]):
            return None
        motion = self.after @ np.linalg.inv(self.before)
        return (np.round(motion, _DIGITS) + 0.0).tobytes() + np.float64(self.share).tobytes()

    def interpolate_line(self) -> Transform:
        """Return the position along the straight line, the rotation along the shortest arc."""
        return _interpolate(self.before, self.after, self.share)

    def interpolate_screw(self) -> Transform:
        """Along a screw: around the axis of the motion, and along it."""
        if self.compute_displacement() is None:
            return self.interpolate_line()
        motion = self.after @ np.linalg.inv(self.before)
        turn = compute_rotation_vector(motion[:3, :3])
        axis = turn / np.linalg.norm(turn)
        along = axis * float(axis @ motion[:3, 3])
        pivot = np.linalg.lstsq(np.eye(3) - motion[:3, :3], motion[:3, 3] - along, rcond=1e-9)[0]
        part = np.eye(4)
        part[:3, :3] = rotate_by_vector(self.share * turn)
        part[:3, 3] = self.share * along + pivot - part[:3, :3] @ pivot
        whole: Transform = part @ self.before
        return whole


def _interpolate(a: Transform, b: Transform, share: float) -> Transform:
    """Return the rigid transform a fraction ``share`` of the way from ``a`` to ``b``."""
    result = np.eye(4)
    result[:3, 3] = (1.0 - share) * a[:3, 3] + share * b[:3, 3]
    if np.array_equal(a[:3, :3], b[:3, :3]):
        result[:3, :3] = a[:3, :3]
    else:
        result[:3, :3] = interpolate_rotation(a[:3, :3], b[:3, :3], share)
    return result


# -- motions as keyframes --------------------------------------------------------------------------

FRAME = 1.0 / 30.0
"""Seconds between keyframes, at most."""

NUDGE = 0.04
"""Units that a body which can't move at all is shown to try."""

_TRY = 3.0
"""Degrees by which bodies that can't turn are shown to try."""
_SECONDS_PER_QUARTER = 0.42
"""The least; the corners of a cube of three layers stay below 12 units a second."""
_MAX_TURN_SPEED = 11.97
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
            for time, motion in _sample_path(legs, block):
                yield Keyframe(begin + time, _Moved(starts, motion), carried=True)

        self._scenes.append(scene)

    def add_alignment(
        self, starts: Mapping[str, Transform], ends: Mapping[str, Transform], reach: float
    ) -> None:
        """Bodies that lie a little off their poses get straight as they are taken up.

        ``reach`` is the distance of their farthest point from their origins.
        """
        duration = _measure_alignment(starts, ends, reach)
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
                _SECONDS_PER_QUARTER * max(1.0, abs(whole) / 90.0), _PEAK * length / _MAX_TURN_SPEED
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


# -- carried bodies --------------------------------------------------------------------------------

_MAX_CARRY_SPEED = 11.75
"""Units a second that no cell of a carried body exceeds: half a unit between pictures at 24 Hz."""
_CARRY_START = 0.2
"""Seconds that a leg takes besides those for its length."""
_CARRY_PEAK = 1.25
"""How much faster than evenly a leg is gone in its middle."""

TransformAt = Callable[[float], Transform]
"""The motion of the world that a share of a leg, from 0 to 1, makes up; exact at 0 and 1."""


def _sample_path(legs: Sequence[Segment], block: Bounds) -> Iterator[tuple[float, Transform]]:
    """Seconds from the start of a way, and the motion of the world (4x4) that is done by then.

    Args:
        legs: the way.
        block: the block around what is carried, at its start.
    """
    before, begin = np.eye(4), 0.0
    yield begin, before
    for leg in legs:
        motion, length = _leg(leg, block)
        duration = _CARRY_START + _CARRY_PEAK * length / _MAX_CARRY_SPEED
        count = math.ceil(duration / FRAME)
        for k in range(1, count + 1):
            yield begin + duration * k / count, motion(_ramp(k / count)) @ before
        before, begin = motion(1.0) @ before, begin + duration
        block = leg.apply_to_block(block)


def _measure_alignment(
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
    return _CARRY_START + farthest / _MAX_CARRY_SPEED if farthest > 1e-9 else 0.0


def _leg(leg: Segment, block: Bounds) -> tuple[TransformAt, float]:
    """Return a leg's motion, and the length of the way of the farthest cell."""
    if isinstance(leg, Shift):
        vector = np.array(leg.vector, np.float64)
        return (lambda share: _make_translation(share * vector)), float(leg.distance)
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
    whole = _make_translation(np.array(spin.offset, np.float64))
    whole[:3, :3] = spin.rotation.matrix

    def motion(share: float) -> Transform:
        if share >= 1.0:
            return whole
        part = np.eye(4)
        part[:3, :3] = rotate_by_vector(share * turn)
        part[:3, 3] = here + share * (there - here) - part[:3, :3] @ here
        return part

    return motion, reach * float(np.linalg.norm(turn)) + float(np.linalg.norm(there - here))


def _middle(block: Bounds) -> NDArray[np.float64]:
    return np.array(double_middle(block), np.float64) / 2.0


def _make_translation(vector: NDArray[np.float64]) -> Transform:
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


@lru_cache(maxsize=24)
def _turn_vector(rotation: Rotation) -> NDArray[np.float64]:
    """(3,): the axis, as long as the angle in radians, at most half a turn."""
    return compute_rotation_vector(np.array(rotation.matrix, float))


def _ramp(share: float) -> float:
    """From 0 to 1 with a fifth of the time to speed up and a fifth to slow down.

    At most ``_CARRY_PEAK`` times as fast as evenly, which keeps long ways short.
    """
    if share > 0.5:
        return 1.0 - _ramp(1.0 - share)
    return 3.125 * share * share if share < 0.2 else 1.25 * share - 0.125
