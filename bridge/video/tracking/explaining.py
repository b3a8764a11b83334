"""Explanation of a video: by the true film, and where that fails by changes of single bodies."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.look import Look
from bridge.video.tracking.changes import BodyChange, ChangeFinder, count_least
from bridge.video.tracking.comparison import count_unexplained
from bridge.video.tracking.hypotheses import Composer
from bridge.video.tracking.preparation import PreparedVideo

__all__ = ["ExplainedVideo", "explain_video"]

_Array = NDArray[np.float64]

_USUAL = 0.3
"""Share of a body's pixels, at most, that may stay unexplained throughout a video."""
_GROUND_PIXELS = 25.0
"""Pixels of the ground, or of a body that never moves, that have to stay unexplained."""
_BRIDGED = 2
"""Frames between unexplained ones that are looked at, too."""


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedVideo:
    """A video, explained frame by frame.

    Attributes:
        prepared: the video, aligned with the film.
        flagged: (F, B + 1) whether the film leaves clearly more of the background, and of each
            body, unexplained than in most frames.
        changes: of each frame.
        left: (F, B + 1) the same as ``flagged`` after these changes.
        unexplained, area: (F, B + 1) pixels of the background and of each body that the film leaves
            unexplained, and all that show them.
        relief: (F,) share of the unexplained pixels that these changes explain.
    """

    prepared: PreparedVideo
    flagged: NDArray[np.bool_]
    changes: tuple[tuple[BodyChange, ...], ...]
    left: NDArray[np.bool_]
    unexplained: _Array
    area: _Array
    relief: _Array

    @property
    def look(self) -> Look:
        """The look of bodies in it."""
        return self.prepared.look


def explain_video(prepared: PreparedVideo) -> ExplainedVideo:
    """Explain a video as well as can be done."""
    composer = Composer(prepared.film, prepared.look, prepared.tolerance)
    left, area = _measure(prepared, composer)
    usual = _find_usual(left, area)
    flagged = _flag(left, area, usual, prepared)
    changes: list[tuple[BodyChange, ...]] = [()] * len(prepared)
    if not prepared.is_seen:
        everything = np.ones_like(flagged)
        nothing = np.zeros(len(prepared))
        return ExplainedVideo(prepared, everything, tuple(changes), everything, left, area, nothing)
    still, relief = flagged.copy(), np.zeros(len(prepared))
    wrong = set(_bridge(np.asarray(flagged.any(axis=1))))
    finder = ChangeFinder(composer, prepared.caution)
    before: tuple[BodyChange, ...] = ()
    for k, (picture, _) in enumerate(prepared.read_pictures() if wrong else ()):
        if k not in wrong:
            before = ()
            continue
        found = finder.find(picture, int(prepared.aligned.positions[k]), before)
        changes[k] = before = found.changes
        still[k] = _flag(found.left[None], area[k : k + 1], usual, prepared)[0]
        relief[k] = 1.0 - found.left.sum() / max(1.0, left[k].sum())
    return ExplainedVideo(prepared, flagged, tuple(changes), still, left, area, relief)


def _measure(prepared: PreparedVideo, composer: Composer) -> tuple[_Array, _Array]:
    """Return how many pixels of each body are unexplained, and how many there are (F, B + 1)."""
    count = 1 + len(composer.look.names)
    left, area = np.zeros((len(prepared), count)), np.zeros((len(prepared), count))
    positions = prepared.aligned.positions.tolist()
    for k, (picture, seen) in enumerate(prepared.read_pictures()):
        position = positions[k]
        composer.show(picture)
        cost = composer.compose(position, frozenset()).cost
        if seen is not None:
            cost[~seen] = 0.0
        labels = composer.draw(position, frozenset())[1]
        left[k] = count_unexplained(cost, labels, count - 1)
        area[k] = np.bincount(labels.ravel() + 1, minlength=count)
    return left, area


def _find_usual(left: _Array, area: _Array) -> _Array:
    """Return the share of each body's pixels (B + 1,) that most frames leave unexplained."""
    share = left / np.maximum(area, 1.0)
    return np.asarray(np.minimum(np.median(share, axis=0), _USUAL))


def _flag(left: _Array, area: _Array, usual: _Array, prepared: PreparedVideo) -> NDArray[np.bool_]:
    more = left - usual * np.maximum(area, 1.0)
    least = count_least(area)
    least[:, [0, *(1 + prepared.look.fixtures).tolist()]] = _GROUND_PIXELS
    return np.asarray(more > prepared.caution * least)


def _bridge(wrong: NDArray[np.bool_]) -> Iterator[int]:
    """Yield the frames that are wrong, and those few between them that are not."""
    last = -_BRIDGED - 2
    for k in np.flatnonzero(wrong).tolist():
        yield from range(last + 1 if k - last <= _BRIDGED + 1 else k, k + 1)
        last = k
