"""Onset of a thing that is seen late: nothing turns, grows or comes apart in no time.

The beginning of it hardly shows, or looks like a slide. So a piece that is found turned by forty
degrees began to turn as long ago as that takes: by how fast it goes on, or at the speed at which
pieces go in the true film. Who leaps at the same time is not seen late, but did all of it at once.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.depths import centres_of
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind

__all__ = ["dated", "warps"]

_Array = NDArray[np.float64]

_GROWING = (ViolationKind.ROTATION, ViolationKind.RIGIDITY, ViolationKind.SPLIT)
_SECONDS = 1 / 3
"""By how much is dated back at most."""
_STILL, _HARDLY = 0.02, 4
"""Units in a frame below which a piece rests, and frames in which the beginning hardly shows."""
_RATED = 3
"""Frames after the first in which it is looked how fast it goes."""


def dated(
    subject: Subject, tracks: Tracks, found: Iterable[Violation], least: Thresholds
) -> list[Violation]:
    """The violations, those that grow from when they began."""
    return [_dated(subject, tracks, violation, least) for violation in found]


def _dated(subject: Subject, tracks: Tracks, violation: Violation, least: Thresholds) -> Violation:
    if violation.kind not in _GROWING or _leaps(subject, tracks, violation, least):
        return violation
    sizes, first = _sizes(subject, tracks, violation), violation.first
    later = min(first + _RATED, violation.last)
    growth = float(sizes[later] - sizes[first]) / max(1, later - first)
    # The first frame of it has one step already.
    ago = max(0, ceil(sizes[first] / max(growth, subject.speed / tracks.fps)) - 1)
    earliest = max(0, first - min(ago, round(_SECONDS * tracks.fps)))
    return replace(violation, first=max(earliest, _stirred(tracks, violation) - _HARDLY))


def _stirred(tracks: Tracks, violation: Violation) -> int:
    """The first frame in which a piece is no longer at rest, up to that in which it is found."""
    poses = tracks.poses[: violation.first + 1, tracks.names.index(violation.pieces[0])]
    steps = np.abs(np.diff(poses, axis=0)).max(axis=(1, 2))
    still = np.flatnonzero(steps[:-1] < _STILL)
    return int(still[-1]) + 2 if len(still) else 0


def _leaps(subject: Subject, tracks: Tracks, violation: Violation, least: Thresholds) -> bool:
    """Whether the middle of a piece is elsewhere at once, as that of one in two may be."""
    if violation.kind is ViolationKind.SPLIT:
        return False
    name, now = violation.pieces[0], violation.first
    poses = tracks.poses[max(0, now - 1) : now + 1, tracks.names.index(name)]
    middles = [centres_of(subject.cells[name], pose).mean(axis=0) for pose in poses]
    return bool(np.linalg.norm(middles[-1] - middles[0]) > least.jump)


def _sizes(subject: Subject, tracks: Tracks, violation: Violation) -> _Array:
    """(F,) units by which the farthest point of a piece is not where it would be."""
    name = violation.pieces[0]
    poses = tracks.poses[:, tracks.names.index(name)]
    if violation.kind is ViolationKind.SPLIT:
        return tracks.apart[:, tracks.names.index(name)]
    reach = float(np.linalg.norm(np.ptp(subject.cells[name], axis=0) + 1.0)) / 2.0
    if violation.kind is ViolationKind.RIGIDITY:
        return reach * warps(poses)
    turns = poses[:, :3, :3] @ poses[max(0, violation.first - 1), :3, :3].T
    cosine = np.clip((np.trace(turns, axis1=1, axis2=2) - 1.0) / 2.0, -1.0, 1.0)
    return reach * np.asarray(np.arccos(cosine))


def warps(poses: _Array) -> _Array:
    """(...,) how far any axis of poses (..., 4, 4) is from as long as it was; more if mirrored."""
    sizes = np.linalg.svd(poses[..., :3, :3], compute_uv=False)
    mirrored = np.linalg.det(poses[..., :3, :3]) < 0
    found: _Array = np.abs(sizes - 1.0).max(axis=-1) + mirrored
    return found
