"""Forgeries of order: a motion that is shown before the one that makes room for it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.recording.dataset.forging.forgeries import ForgedFilm, Forgery, ForgeryKind, TrueFilm
from bridge.recording.dataset.forging.places import Span, forged, order, runs

__all__ = ["wrong_order"]

_Array = NDArray[np.float64]

_DEEP = 0.3
"""Units by which a motion has to enter something for its order to matter."""


def wrong_order(film: TrueFilm, strength: float, chance: np.random.Generator) -> ForgedFilm | None:
    """Two motions that follow each other change places, though the second needs the first."""
    segments = _segments(film)
    for at in order(max(0, len(segments) - 1), chance):
        one, other = segments[at : at + 2]
        if one.bodies & other.bodies:
            continue
        poses = _exchanged(film, one, other)
        window = Span(one.span.first, other.span.last)
        deep = _depths(film, poses, window, other.bodies)
        if deep.max() > _DEEP:
            names = tuple(film.names[body] for body in (*sorted(other.bodies), *sorted(one.bodies)))
            frames = _differing(film, poses)
            # Whoever sets out early does no wrong until something is in the way.
            reached = window.first + int(np.flatnonzero(deep >= min(0.5, deep.max()))[0])
            label = Forgery(ForgeryKind.WRONG_ORDER, names, *frames, reached, 1.0)
            return forged(film, label, poses=poses)
    return None


@dataclass(frozen=True, slots=True)
class _Segment:
    """Frames between two rests, the frame before the first one that differs included."""

    span: Span
    bodies: frozenset[int]


def _segments(film: TrueFilm) -> list[_Segment]:
    if np.isnan(film.poses).any():
        return []
    moved = np.abs(np.diff(film.poses, axis=0)).max(axis=(2, 3)) > 1e-6
    spans = list(runs(np.concatenate([[False], moved.any(axis=1)])))
    return [
        _Segment(
            Span(span.first - 1, span.last),
            frozenset(np.flatnonzero(moved[span.first - 1 : span.last].any(axis=0)).tolist()),
        )
        for span in spans
    ]


def _exchanged(film: TrueFilm, one: _Segment, other: _Segment) -> _Array:
    """Poses in which the bodies of the second segment move first, and then those of the first."""
    poses = film.poses.copy()
    begin, end = one.span.first, other.span.last
    for segment, first in ((other, begin), (one, end - one.span.frames + 1)):
        for body in segment.bodies:
            poses[begin : first + 1, body] = film.poses[segment.span.first, body]
            last = first + segment.span.frames
            poses[first:last, body] = film.poses[segment.span.first : segment.span.last + 1, body]
            poses[last : end + 1, body] = film.poses[segment.span.last, body]
    return poses


def _depths(film: TrueFilm, poses: _Array, window: Span, bodies: frozenset[int]) -> _Array:
    """(frames of a window,) how deep some bodies are in others, in units; 0 where they are not.

    Cells are taken to stand straight, as they do in a film without turns.
    """
    others = [body for body in range(len(film.names)) if body not in bodies]
    depths = np.zeros(window.frames)
    for at in range(window.frames if others else 0):
        now = poses[window.first + at]
        own = np.concatenate([_middles(film, now, body) for body in bodies])
        theirs = np.concatenate([_middles(film, now, body) for body in others])
        apart = np.abs(own[:, None] - theirs[None]).max(axis=2)
        depths[at] = max(0.0, 1.0 - float(apart.min()))
    return depths


def _middles(film: TrueFilm, poses: _Array, body: int) -> _Array:
    middles: _Array = film.cells[film.names[body]] @ poses[body, :3, :3].T + poses[body, :3, 3]
    return middles


def _differing(film: TrueFilm, poses: _Array) -> tuple[int, int]:
    frames = np.flatnonzero((np.abs(poses - film.poses) > 1e-6).any(axis=(1, 2, 3)))
    return int(frames[0]), int(frames[-1])
