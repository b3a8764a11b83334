"""Open shutters: films as a camera sees them whose frames take their time."""

from dataclasses import replace
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Drawing, Look
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS

__all__ = ["Shutter", "open_shutter"]

V = TypeVar("V", np.uint8, np.int16)
_Picture = NDArray[np.uint8]
_Plane = NDArray[np.float32]

_LEAST_MOTION = 1e-6
"""Units by which a body moves that moves."""
_AROUND = (3, 3)
"""Pixels around a body that are mixed with it."""


class Shutter(NamedTuple):
    """Time in which a shutter is open.

    Attributes:
        opens, closes: when, from the time of a frame, in frames.
        moments: in it whose mean is shown: 2 for frames that are mixed with the next ones.
        fading: share of each moment's weight that the one before has: 1 for a shutter.
        gamma: power of a colour that is its light, which a camera adds up: 1 for frames that are
            mixed as they are.
    """

    opens: float
    closes: float
    moments: int = LIMITS.shutter_moments
    fading: float = 1.0
    gamma: float = 2.2

    def scale(self, ratio: float) -> "Shutter":
        """Return it in other frames, of which each of its own has so many."""
        return self._replace(opens=ratio * self.opens, closes=ratio * self.closes)


def open_shutter(
    film: TrueFilm, look: Look, shutter: Shutter, places: NDArray[np.int64]
) -> TrueFilm:
    """Return a film in which all that moves is smeared.

    Args:
        shutter: in frames of the film.
        places: the pictures that are changed.
    """
    changed = {*places.tolist()}
    pictures = PackedPictures(
        _smear(film, look, shutter, place) if place in changed else picture
        for place, picture in enumerate(film.pictures)
    )
    return replace(film, pictures=pictures)


def _smear(film: TrueFilm, look: Look, shutter: Shutter, place: int) -> _Picture:
    frame = int(film.frames[place])
    moments = frame + np.linspace(shutter.opens, shutter.closes, shutter.moments)
    weights = shutter.fading ** np.arange(shutter.moments)[::-1]
    light = (np.arange(256, dtype=np.float32) / 255.0) ** shutter.gamma
    still = _draw(film, look, float(frame))
    drawn = [light[_carry(film, look, place, still, moment)] for moment in moments.tolist()]
    mean = 255.0 * np.average(drawn, axis=0, weights=weights) ** (1.0 / shutter.gamma)
    return np.asarray(np.clip(mean + 0.5, 0.0, 255.0), np.uint8)


class _Moment(NamedTuple):
    """Bodies at a moment.

    Attributes:
        poses: (B, 4, 4) of all.
        drawing: what is seen of them.
        labels: (H, W) the body that is seen; -1 for none.
    """

    poses: NDArray[np.float64]
    drawing: Drawing
    labels: NDArray[np.int64]


def _carry(film: TrueFilm, look: Look, place: int, still: _Moment, moment: float) -> _Picture:
    """Return the film's picture at a place with all bodies where they are at a moment."""
    picture = film.pictures[place]
    if moment == film.frames[place]:
        return picture
    now = _draw(film, look, moment)
    moved = np.flatnonzero(np.abs(now.poses - still.poses).max(axis=(1, 2)) > _LEAST_MOTION)
    is_there, was_there = (np.isin(one.labels, moved) for one in (now, still))
    if not is_there.any():
        return picture
    drawn = look.background.bright.astype(np.uint8)
    look.light(now.drawing, drawn)
    way, is_carried = _add_rim(_trace(look, still, now, is_there), is_there, now.drawing.depth)
    carried, before = _fetch(picture, way), _fetch(still.labels.astype(np.int16), way, whole=True)
    # What comes out from behind another body was not in the picture.
    is_new = is_there & (before != now.labels)
    carried[is_new] = drawn[is_new]
    _, was_carried = _add_rim(way, was_there, still.drawing.depth)
    found = np.where(was_carried[..., None], drawn, picture)
    return np.where(is_carried[..., None], carried, found)


def _fetch(values: NDArray[V], way: _Plane, *, whole: bool = False) -> NDArray[V]:
    """Return values (H, W, ...) from a way (H, W, 2), right and down, aside; not mixed if whole."""
    rows, columns = np.mgrid[: way.shape[0], : way.shape[1]]
    right = np.asarray(columns + way[..., 0], np.float32)
    down = np.asarray(rows + way[..., 1], np.float32)
    how = cv2.INTER_NEAREST if whole else cv2.INTER_LINEAR
    return np.asarray(cv2.remap(values, right, down, how), values.dtype)


def _trace(look: Look, still: _Moment, now: _Moment, is_there: NDArray[np.bool_]) -> _Plane:
    """Return the way (H, W, 2), right and down, to where pixels of bodies have been."""
    rows, columns = np.nonzero(is_there)
    before = (still.poses @ np.linalg.inv(now.poses))[now.labels[rows, columns]]
    points = look.lens.locate(rows, columns, now.drawing.depth[rows, columns])
    points = np.einsum("nij,nj->ni", before[:, :3, :3], points) + before[:, :3, 3]
    way = np.zeros((*is_there.shape, 2), np.float32)
    way[rows, columns] = look.lens.project(points) - 0.5 - np.stack([columns, rows], axis=1)
    return way


def _add_rim(
    way: _Plane, is_there: NDArray[np.bool_], depth: _Plane
) -> tuple[_Plane, NDArray[np.bool_]]:
    """Return values (H, W, 2) of bodies, and where these are, with the pixels around them.

    Rims are mixed with what is behind them, and go along; what is before them does not.
    """
    share = cv2.blur(is_there.astype(np.float32), _AROUND)
    values = np.concatenate([way, depth[..., None]], axis=2) * is_there[..., None]
    near = cv2.blur(values, _AROUND) / np.maximum(share, 1e-3)[..., None]
    is_rim = ~is_there & (share > 1e-3) & (depth < near[..., 2])
    return np.where(is_rim[..., None], near[..., :2], way), is_there | is_rim


def _draw(film: TrueFilm, look: Look, moment: float) -> _Moment:
    """Draw all bodies at a moment, in frames, that may be between two."""
    poses = film.bundle.poses
    moment = min(max(moment, 0.0), len(poses) - 1.0)
    low = int(moment)
    later = moment - low
    both = (1.0 - later) * poses[low] + later * poses[min(low + 1, len(poses) - 1)]
    there = look.find_present(both)
    drawing = look.draw(there, both[there])
    # Of a body that is not there no pixel is seen, wherever it is said to be.
    is_there = np.isfinite(both).all(axis=(1, 2), keepdims=True)
    return _Moment(np.where(is_there, both, np.eye(4)), drawing, look.label(drawing))
