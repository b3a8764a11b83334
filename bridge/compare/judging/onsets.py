"""When a thing began that is seen late: nothing turns, grows or comes apart in no time.

The beginning of it hardly shows, or looks like a slide. So a piece that is found turned by forty
degrees began to turn when it set out; and where it has not been seen to move, as long ago as that
takes by what it does next, or at the speed at which pieces go in the true film.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bridge.compare.judging.subject import Subject
from bridge.compare.judging.tracks import Tracks
from bridge.compare.judging.violations import Violation, ViolationKind

__all__ = ["dated", "warps"]

_Array = NDArray[np.float64]

_GROWING = (ViolationKind.ROTATION, ViolationKind.RIGIDITY, ViolationKind.SPLIT)
_SECONDS = 1 / 3
"""By how much is dated back at most."""
_RATED = 3
"""Frames after the first in which it is looked how fast it goes."""
_MOVES = 0.03
"""By how much a number of a pose differs from one frame to the next if a piece moves."""


def dated(subject: Subject, tracks: Tracks, found: Iterable[Violation]) -> list[Violation]:
    """The violations, those that grow from when they began."""
    return [_dated(subject, tracks, violation) for violation in found]


def _dated(subject: Subject, tracks: Tracks, violation: Violation) -> Violation:
    if violation.kind not in _GROWING:
        return violation
    name, first = violation.pieces[0], violation.first
    piece = tracks.names.index(name)
    sizes = _sizes(subject, tracks, violation)
    later = min(first + _RATED, violation.last)
    growth = float(sizes[later] - sizes[first]) / max(1, later - first)
    ago = ceil(sizes[first] / max(growth, subject.speed / tracks.fps))
    earliest = max(1, first - min(ago, round(_SECONDS * tracks.fps)))
    return replace(violation, first=min(first, max(earliest, _set_out(tracks, piece, first))))


def _set_out(tracks: Tracks, piece: int, first: int) -> int:
    """The first frame of the motion that a piece was in before a frame; 0 if it was at rest."""
    ways = np.abs(np.diff(tracks.poses[:first, piece], axis=0)).max(axis=(1, 2), initial=0.0)
    still = np.flatnonzero(ways <= _MOVES)
    begin = int(still[-1]) + 2 if len(still) else 1
    return begin if begin < first else 0


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
