"""Two pieces in one place, as far as it can't be doubted."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.depths import depth_between
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind, stretches

__all__ = ["grounded", "overlaps"]

_Array = NDArray[np.float64]

_BLUR = 0.75
"""Units by which depth may be unknown; what is known less well is not looked at."""


def overlaps(subject: Subject, tracks: Tracks, least: Thresholds) -> Iterator[Violation]:
    """Pairs that are deeper in each other than allowed for some frames, the one that moved first.

    The depth that counts is the least one over all places in which the two may be: up to twice the
    deviation to and fro along the line of sight, less twice the deviation across it.
    """
    low, high = _boxes(subject, tracks)
    for one, other in combinations(range(len(tracks.names)), 2):
        gap = np.maximum(low[:, one] - high[:, other], low[:, other] - high[:, one]).max(axis=1)
        looked = tracks.decided[:, one] & tracks.decided[:, other] & (gap < -least.depth)
        depths = np.zeros(len(tracks))
        for frame in np.flatnonzero(looked).tolist():
            depths[frame] = _sure_depth(subject, tracks, frame, one, other)
        for first, last in stretches(depths > least.depth, least.frames):
            names = _culprit_first(tracks, one, other, first)
            most = float(depths[first : last + 1].max())
            yield Violation(ViolationKind.INTERPENETRATION, first, last, names, most)


def grounded(subject: Subject, tracks: Tracks, least: Thresholds) -> Iterator[Violation]:
    """Pieces that are in what never moves, deeper than allowed for some frames."""
    for piece, name in enumerate(tracks.names):
        reach = float(np.linalg.norm(np.ptp(subject.cells[name], axis=0) + 1.0)) + 2.0
        for ground, cells in subject.ground.items():
            depths = np.zeros(len(tracks))
            for frame in np.flatnonzero(tracks.decided[:, piece]).tolist():
                there = tracks.poses[frame, piece, :3, 3]
                near = cells[np.abs(cells - there).max(axis=1) < reach]
                if len(near):
                    depths[frame] = _depth_in(subject, tracks, frame, piece, near)
            for first, last in stretches(depths > least.depth, least.frames):
                most = float(depths[first : last + 1].max())
                names = (name, ground)
                yield Violation(ViolationKind.INTERPENETRATION, first, last, names, most)


def _depth_in(subject: Subject, tracks: Tracks, frame: int, piece: int, ground: _Array) -> float:
    """The depth of a piece in cells that never move, in any place in which it may be."""
    own = subject.cells[tracks.names[piece]]
    across, along = tracks.across[frame, piece], tracks.along[frame, piece]
    if along > _BLUR:
        return 0.0
    depths = []
    for step in (0.0, -2.0, -1.0, 1.0, 2.0) if along > 0.0 else (0.0,):
        at = tracks.poses[frame, piece].copy()
        at[:3, 3] += step * along * tracks.sight[frame, piece]
        depths.append(depth_between(own, at, ground, np.eye(4)))
        if depths[-1] == 0.0:
            return 0.0
    return float(min(depths) - 2.0 * across)


def _boxes(subject: Subject, tracks: Tracks) -> tuple[_Array, _Array]:
    """(F, P, 3) low and high corners of the boxes around pieces."""
    low, high = (np.empty((len(tracks), len(tracks.names), 3)) for _ in range(2))
    for p, name in enumerate(tracks.names):
        cells = subject.cells[name]
        corner, opposite = cells.min(axis=0) - 0.5, cells.max(axis=0) + 0.5
        turn = tracks.poses[:, p, :3, :3]
        middle = turn @ ((corner + opposite) / 2.0) + tracks.poses[:, p, :3, 3]
        half = np.abs(turn) @ ((opposite - corner) / 2.0)
        low[:, p], high[:, p] = middle - half, middle + half
    return low, high


def _sure_depth(subject: Subject, tracks: Tracks, frame: int, one: int, other: int) -> float:
    a, b = (subject.cells[tracks.names[i]] for i in (one, other))
    at, there = tracks.poses[frame, one], tracks.poses[frame, other]
    across = float(np.hypot(tracks.across[frame, one], tracks.across[frame, other]))
    along = float(np.hypot(tracks.along[frame, one], tracks.along[frame, other]))
    if along > _BLUR:
        return 0.0
    depth = depth_between(a, at, b, there)
    if along > 0.0 and depth > 0.0:
        for step in (-2.0, -1.0, 1.0, 2.0):
            moved = at.copy()
            moved[:3, 3] += step * along * tracks.sight[frame, one]
            depth = min(depth, depth_between(a, moved, b, there))
    return depth - 2.0 * across


def _culprit_first(tracks: Tracks, one: int, other: int, frame: int) -> tuple[str, str]:
    """Both names; the one that moved more in the frames before comes first."""
    before = max(0, frame - 12)
    ways = [
        float(np.linalg.norm(tracks.poses[frame, i, :3, 3] - tracks.poses[before, i, :3, 3]))
        for i in (one, other)
    ]
    first, second = (one, other) if ways[0] >= ways[1] else (other, one)
    return tracks.names[first], tracks.names[second]
