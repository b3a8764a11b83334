"""Whether pieces stay what they are and go where they go without a leap."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.depths import centres_of, depth_between
from bridge.video.verdict.onsets import warps
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Presence, Tracks
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind, stretches

__all__ = ["leaps", "lost_pieces", "odd_shapes", "taken_over", "unsteady_background"]

_Array = NDArray[np.float64]

_SAME_TIME = 2
"""Frames within which two leaps are one exchange."""
_TAKEN = 0.3
"""Share of a piece's cells that are where another one's were for it to have taken its place."""
_SAME_PLACE = 0.75
"""Units within which a piece is where another one was."""


def leaps(subject: Subject, tracks: Tracks, least: Thresholds) -> list[Violation]:
    """Teleports, and exchanges of two pieces."""
    found = [leap for p in range(len(tracks.names)) for leap in _leaps(subject, tracks, p, least)]
    return list(_exchanges(subject, tracks, found))


def _leaps(subject: Subject, tracks: Tracks, piece: int, least: Thresholds) -> Iterator[Violation]:
    seen = np.flatnonzero(tracks.decided[:, piece])
    if len(seen) < 2:
        return
    limit = max(least.jump, least.haste * subject.speed / tracks.fps)
    ways = _corners(subject.cells[tracks.names[piece]], tracks.poses[seen, piece])
    moved = np.diff(ways, axis=0)
    sight = tracks.sight[seen[1:], piece][:, None]
    far = (moved * sight).sum(axis=2)
    near = np.linalg.norm(moved - far[..., None] * sight, axis=2)
    across, along = (
        np.hypot(column[seen[1:], piece], column[seen[:-1], piece])[:, None]
        for column in (tracks.across, tracks.along)
    )
    sure = np.hypot(np.maximum(near - 2 * across, 0), np.maximum(np.abs(far) - 3 * along, 0))
    # The centre must have leapt, too, or the whole must have been turned at once.
    sizes = np.sort(sure, axis=1)[:, len(sure[0]) // 2]
    for index in np.flatnonzero(sizes > limit * np.diff(seen)).tolist():
        where = int(seen[index + 1])
        name = tracks.names[piece]
        yield Violation(
            ViolationKind.TELEPORT, int(seen[index]), where, (name,), float(sizes[index])
        )


def _corners(cells: _Array, poses: _Array) -> _Array:
    """(F, 8, 3) where the corners of the box around a body are."""
    low, high = cells.min(axis=0) - 0.5, cells.max(axis=0) + 0.5
    corners = np.where(np.indices((2, 2, 2)).reshape(3, 8).T == 0, low, high)
    there: _Array = corners @ poses[:, :3, :3].transpose(0, 2, 1) + poses[:, None, :3, 3]
    return there


def _middle(subject: Subject, tracks: Tracks, name: str, frame: int) -> _Array:
    pose = tracks.poses[frame, tracks.names.index(name)]
    middle: _Array = centres_of(subject.cells[name], pose).mean(axis=0)
    return middle


def _exchanges(subject: Subject, tracks: Tracks, found: list[Violation]) -> Iterator[Violation]:
    left = list(found)
    while left:
        one = left.pop(0)
        other = next((o for o in left if _exchanged(subject, tracks, one, o)), None)
        if other is None:
            yield one
            continue
        left.remove(other)
        names = (*one.pieces, *other.pieces)
        first, last = min(one.first, other.first), max(one.last, other.last)
        size = max(one.magnitude, other.magnitude)
        yield Violation(ViolationKind.SWAP, first, last, names, size)


def _exchanged(subject: Subject, tracks: Tracks, one: Violation, other: Violation) -> bool:
    if one.pieces == other.pieces or abs(one.last - other.last) > _SAME_TIME:
        return False
    (a,), (b,) = one.pieces, other.pieces
    there = _middle(subject, tracks, a, one.last) - _middle(subject, tracks, b, other.first)
    back = _middle(subject, tracks, b, other.last) - _middle(subject, tracks, a, one.first)
    return max(float(np.linalg.norm(there)), float(np.linalg.norm(back))) < _SAME_PLACE


def taken_over(
    subject: Subject, tracks: Tracks, leapt: list[Violation], gone: list[Violation]
) -> tuple[list[Violation], list[Violation]]:
    """Leaps and losses, with a swap where one piece leaps to where another one is gone from.

    So it looks when two pieces change colours: their shapes don't fit, and one of them is lost.
    """
    swaps = []
    for lost in [v for v in gone if v.kind is ViolationKind.PERMANENCE]:
        for leap in [v for v in leapt if v.kind is ViolationKind.TELEPORT]:
            if _is_taken(subject, tracks, lost, leap):
                leapt = [v for v in leapt if v is not leap]
                gone = [v for v in gone if v is not lost]
                names = (*lost.pieces, *leap.pieces)
                swaps.append(replace(lost, kind=ViolationKind.SWAP, pieces=names))
                break
    return [*leapt, *swaps], gone


def _is_taken(subject: Subject, tracks: Tracks, lost: Violation, leap: Violation) -> bool:
    if abs(lost.first - leap.last) > _SAME_TIME or lost.first == 0:
        return False
    (a,), (b,) = lost.pieces, leap.pieces
    here = tracks.poses[lost.first - 1, tracks.names.index(a)]
    there = tracks.poses[leap.last, tracks.names.index(b)]
    mine, theirs = centres_of(subject.cells[a], here), centres_of(subject.cells[b], there)
    near = np.linalg.norm(mine[:, None] - theirs, axis=2).min(axis=0) < _SAME_PLACE
    return bool(near.mean() >= _TAKEN)


def lost_pieces(subject: Subject, tracks: Tracks, least: Thresholds) -> Iterator[Violation]:
    """Pieces that are gone for a while, alone or into another one."""
    for piece, name in enumerate(tracks.names):
        for first, last in stretches(tracks.presence[:, piece] == Presence.ABSENT, least.frames):
            gone = Violation(ViolationKind.PERMANENCE, first, last, (name,), last - first + 1)
            yield _swallowed(subject, tracks, gone, least)


def _swallowed(subject: Subject, tracks: Tracks, gone: Violation, least: Thresholds) -> Violation:
    (name,) = gone.pieces
    mine = tracks.names.index(name)
    before = np.flatnonzero(tracks.decided[: gone.first, mine])
    if not len(before):
        return gone
    frame = int(before[-1])
    depths = {
        other: depth_between(
            subject.cells[name],
            tracks.poses[frame, mine],
            subject.cells[other],
            tracks.poses[frame, index],
        )
        for index, other in enumerate(tracks.names)
        if index != mine and tracks.decided[frame, index]
    }
    other = max(depths, key=depths.__getitem__, default="")
    if not other or depths[other] <= least.depth:
        return gone
    return replace(gone, kind=ViolationKind.MERGE, pieces=(name, other), magnitude=depths[other])


def odd_shapes(tracks: Tracks, least: Thresholds) -> Iterator[Violation]:
    """Pieces that are bent, mirrored, in two or too many."""
    bent = warps(tracks.poses)
    for piece, name in enumerate(tracks.names):
        sure, bad = tracks.decided[:, piece], tracks.fit[:, piece] < least.fit
        more, apart = tracks.spare[:, piece] > least.spare, tracks.apart[:, piece] >= least.apart
        longer = (bent[:, piece] > least.warp) & (tracks.apart[:, piece] == 0.0)
        for kind, mask, size in (
            (ViolationKind.RIGIDITY, sure & longer, bent[:, piece]),
            (ViolationKind.SPLIT, sure & apart, tracks.apart[:, piece]),
            (ViolationKind.RIGIDITY, sure & bad & ~more & ~apart, 1.0 - tracks.fit[:, piece]),
            (ViolationKind.SPLIT, sure & bad & more & ~apart, tracks.spare[:, piece]),
            (ViolationKind.EXTRA, sure & ~bad & more & ~apart, tracks.spare[:, piece]),
        ):
            for first, last in stretches(mask, least.frames):
                most = float(size[first : last + 1].max())
                yield Violation(kind, first, last, (name,), most)


def unsteady_background(tracks: Tracks, least: Thresholds) -> Iterator[Violation]:
    """Stretches in which what stands behind the pieces is not what it was."""
    for first, last in stretches(tracks.background > least.background, least.frames):
        most = float(tracks.background[first : last + 1].max())
        yield Violation(ViolationKind.BACKGROUND, first, last, (), most)
