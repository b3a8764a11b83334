"""Videos held against a lawful film: where it is followed, and what it leaves unexplained."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import AlignedFrames, FilmAlignment
from bridge.video.tracking.changes import count_least
from bridge.video.tracking.comparison import count_unexplained
from bridge.video.tracking.course import Course, find_departure
from bridge.video.tracking.hypotheses import Composer
from bridge.video.tracking.preparation import PreparedVideo, sum_unexplained

__all__ = ["FollowedVideo", "Shown", "follow_film", "follow_from", "measure_picture"]

_Array = NDArray[np.float64]
_Value = TypeVar("_Value", bound=np.generic)
Shown = tuple[NDArray[np.uint8], NDArray[np.bool_] | None]
"""A picture (H, W, 3), and what of it is seen; None for all of it."""


@dataclass(frozen=True, eq=False)
class FollowedVideo:
    """A video, aligned with a film.

    Attributes:
        prepared: the video.
        left, area: (F, B + 1) pixels of the background and of each body that the film leaves
            unexplained, and all that show them.
    """

    prepared: PreparedVideo
    left: _Array
    area: _Array

    @cached_property
    def course(self) -> Course:
        """Course that the film shows."""
        return Course.of_film(self.prepared.film)

    @cached_property
    def composer(self) -> Composer:
        """Composer of hypotheses about its frames."""
        return Composer(self.prepared.film, self.prepared.look, self.prepared.tolerance)

    @cached_property
    def usual(self) -> _Array:
        """Share of each body's pixels (B + 1,) that frames leave unexplained as a rule."""
        share = self.left / np.maximum(self.area, 1.0)
        is_seen = ~self.prepared.is_blind[: len(share)]
        share = share[is_seen] if is_seen.any() else share
        frames = LIMITS.usual_frames[self.prepared.caution > 1.0]
        return np.asarray(np.minimum(np.quantile(share, frames, axis=0), LIMITS.usual_share))

    @cached_property
    def _still(self) -> NDArray[np.int64]:
        """The background and the bodies that never move, of all (B + 1)."""
        return np.concatenate([[0], 1 + self.prepared.look.fixtures])

    def cut(self, frames: int) -> "FollowedVideo":
        """Return what is known of the first frames."""
        return FollowedVideo(self.prepared, self.left[:frames], self.area[:frames])

    @cached_property
    def flagged(self) -> NDArray[np.bool_]:
        """(F, B + 1) whether the film leaves clearly more unexplained than is usual."""
        positions, doubts = self.prepared.aligned.positions, self.prepared.film.doubts
        composed = np.array([k in doubts for k in positions.tolist()])
        return self.flag(self.left, self.area, composed)

    def flag(self, left: _Array, area: _Array, composed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return whether so much unexplained is clearly more than is usual.

        Args:
            left, area: (F, B + 1) pixels that are unexplained, and all.
            composed: (F,) whether the film's pictures were composed: looks may differ then.
        """
        more = left - self.usual * np.maximum(area, 1.0)
        least = count_least(area)
        least[:, self._still] = LIMITS.ground_pixels
        caution = np.where(composed, LIMITS.caution, self.prepared.caution)
        return np.asarray(more > np.maximum(caution, self.prepared.caution)[:, None] * least)

    def flag_frame(self, frame: int, left: _Array) -> NDArray[np.bool_]:
        """Return the same (B + 1,) of a frame of which other pixels (B + 1,) are unexplained."""
        is_composed = int(self.prepared.aligned.positions[frame]) in self.prepared.film.doubts
        flagged = self.flag(left[None], self.area[frame : frame + 1], np.array([is_composed]))
        return np.asarray(flagged[0])

    def is_explained(self, frame: int, left: _Array) -> bool:
        """Return whether a frame of which so many pixels (B + 1,) are left is explained."""
        return not self.flag_frame(frame, left).any()

    def find_alike(self, frame: int, left: _Array) -> NDArray[np.bool_]:
        """Return whether another film explains bodies (B + 1,) of a frame no better, but no worse.

        They never move, and clearly more of them than usual is left: a gate was opened there, for
        example, of which neither film knows.

        Args:
            frame: of the video.
            left: (B + 1,) pixels that the other film leaves unexplained.
        """
        alike, own = np.zeros(len(left), bool), self._still
        alike[own] = self.flagged[frame, own] & (left[own] <= self.left[frame, own])
        return alike

    def is_better(self, frame: int, left: _Array) -> bool:
        """Return whether the film explains what never moves in a frame, and another one does not.

        Such a film lacks what the video shows: a gate that was opened, for example.

        Args:
            frame: of the video; the film explains none after those that are known.
            left: (B + 1,) pixels that the other one leaves unexplained.
        """
        if frame >= len(self.left):
            return False
        more = left - self.left[frame] > LIMITS.ground_pixels
        return bool(more[self._still].any())


def follow_film(prepared: PreparedVideo) -> FollowedVideo:
    """Measure what the film of a video leaves unexplained of it.

    A video that seems to leap does not if a film that goes on explains as much of it: what moves
    may look like what is behind it, be lost in noise, or be absent from some frames only.
    """
    followed = _follow(prepared)
    if not prepared.aligned.leaps.any():
        return followed
    for align in (_bridge_leaps, _align_steadily):
        if not (aligned := align(prepared)).leaps.any():
            steady = _follow(replace(prepared, aligned=aligned))
            worse, better = steady.flagged & ~followed.flagged, followed.flagged & ~steady.flagged
            if worse.sum() <= better.sum():
                return steady
    return followed


def _follow(prepared: PreparedVideo) -> FollowedVideo:
    composer = Composer(prepared.film, prepared.look, prepared.tolerance)
    left, area, _ = _measure(prepared, composer, 0)
    return FollowedVideo(prepared, left, area)


def _bridge_leaps(prepared: PreparedVideo) -> AlignedFrames:
    """Align a video without the leaps before which its film could have gone on in time."""
    positions, leaps = prepared.aligned.positions.copy(), prepared.aligned.leaps.copy()
    for k in np.flatnonzero(leaps).tolist():
        ahead, left = positions[k] - positions[:k], prepared.ratio * (k - np.arange(k))
        in_time = np.flatnonzero((ahead >= 0) & (ahead <= left))
        if len(in_time):
            start = int(in_time[-1])
            way = np.linspace(positions[start], positions[k], k - start + 1)
            positions[start : k + 1], leaps[k] = way.round(), False
    return AlignedFrames(positions, leaps)


def _align_steadily(prepared: PreparedVideo) -> AlignedFrames:
    """Align a video with its film anew, without leaps."""
    look = prepared.look if prepared.caution > 1.0 else None
    is_shaded = prepared.ground is not None
    alignment = FilmAlignment(
        prepared.film, prepared.ratio, math.inf, look=look, on_bodies=is_shaded
    )
    return _align(prepared, alignment, range(len(prepared)))


def _align(prepared: PreparedVideo, alignment: FilmAlignment, frames: range) -> AlignedFrames:
    """Align some frames of a video."""
    pictures = islice(prepared.read_pictures(), frames.start, frames.stop)
    for number, (picture, _) in zip(frames, pictures, strict=True):
        if prepared.is_blind[number]:
            alignment.skip()
        else:
            alignment.advance(picture)
    return alignment.trace()


def follow_from(
    followed: FollowedVideo, film: TrueFilm, frames: range, start: int
) -> FollowedVideo:
    """Return a video, aligned with another film from a frame on.

    Args:
        frames: those that this film explains if it does not leap; others follow.
        start: position in both films in the frame before.
    """
    old, first = followed.prepared, frames.start
    aligned = _align(old, old.make_alignment(film, start, first), range(first, len(old)))
    branch = _follow_from(followed, film, aligned)
    if not aligned.leaps[: len(frames)].any():
        return branch
    begin = _align(old, old.make_steady_alignment(film, start, first), frames)
    end, rest = int(begin.positions[-1]), range(frames.stop, len(old))
    later = _align(old, old.make_alignment(film, end, rest.start), rest)
    steady = _follow_from(followed, film, begin.join(later, len(frames)))
    is_left = find_departure(steady.flagged & ~branch.flagged) < len(old)
    return branch if is_left else steady


def _follow_from(followed: FollowedVideo, film: TrueFilm, aligned: AlignedFrames) -> FollowedVideo:
    """Measure what another film leaves unexplained of the last frames, which are aligned."""
    old, first = followed.prepared, len(followed.left) - len(aligned.leaps)
    new = replace(old, film=film, aligned=old.aligned.join(aligned, first))
    left, area, sums = _measure(new, Composer(film, old.look, old.tolerance), first)
    new = replace(new, unexplained=_join(old.unexplained, sums))
    return FollowedVideo(new, _join(followed.left, left), _join(followed.area, area))


def _join(before: NDArray[_Value], after: NDArray[_Value]) -> NDArray[_Value]:
    """Return values of frames, with others of the last ones."""
    return np.concatenate([before[: len(before) - len(after)], after])


def measure_picture(
    composer: Composer, position: int, picture: NDArray[np.uint8], seen: NDArray[np.bool_] | None
) -> tuple[_Array, _Array]:
    """Return the pixels (B + 1,) that a film leaves unexplained of the ground and of each body.

    Returns:
        Those, and all pixels that show them.
    """
    composer.show(picture)
    cost = composer.compose(position, frozenset()).cost
    if seen is not None:
        cost = np.where(seen, cost, np.float32(0.0))
    labels, count = composer.draw(position, frozenset())[1], len(composer.look.names)
    area = np.bincount(labels.ravel() + 1, minlength=1 + count)
    return count_unexplained(cost, labels, count), area.astype(np.float64)


def _measure(
    prepared: PreparedVideo, composer: Composer, first: int
) -> tuple[_Array, _Array, _Array]:
    """Return what is unexplained, and all, of each body (F, B + 1), and of whole pictures (F,)."""
    left: list[_Array] = []
    area: list[_Array] = []
    sums: list[float] = []
    positions: Sequence[int] = prepared.aligned.positions.tolist()
    for k, (picture, seen) in enumerate(islice(prepared.read_pictures(), first, None), first):
        wrong, shown = measure_picture(composer, positions[k], picture, seen)
        left.append(wrong)
        area.append(shown)
        sums.append(sum_unexplained(picture, prepared.film, positions[k], seen, prepared.ground))
    return np.array(left), np.array(area), np.array(sums)
