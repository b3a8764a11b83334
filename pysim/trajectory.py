"""Trajectories of bodies, by which a world reports how a motion went."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError

__all__ = ["Keyframe", "Trajectory", "Transform", "sample_frames"]

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
    count = ceil(trajectory.duration * fps - 1e-9)
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
        from scipy.spatial.transform import Rotation

        motion = self.after @ np.linalg.inv(self.before)
        turn = Rotation.from_matrix(motion[:3, :3])
        axis = turn.as_rotvec() / turn.magnitude()
        along = axis * float(axis @ motion[:3, 3])
        pivot = np.linalg.lstsq(np.eye(3) - motion[:3, :3], motion[:3, 3] - along, rcond=1e-9)[0]
        part = np.eye(4)
        part[:3, :3] = Rotation.from_rotvec(self.share * turn.as_rotvec()).as_matrix()
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
        from scipy.spatial.transform import Rotation, Slerp

        ends = Rotation.from_matrix(np.stack([a[:3, :3], b[:3, :3]]))
        result[:3, :3] = Slerp([0.0, 1.0], ends)(share).as_matrix()
    return result
