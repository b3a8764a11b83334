"""Open shutters: films as a camera sees them whose frames take their time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Drawing, Look
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS

__all__ = ["Shutter", "open_shutter", "smear_picture"]

V = TypeVar("V", np.uint8, np.int16)
_Picture = NDArray[np.uint8]
_Plane = NDArray[np.float32]
_Window = tuple[slice, slice]

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
        smear_picture(film, look, shutter, place) if place in changed else picture
        for place, picture in enumerate(film.pictures)
    )
    return replace(film, pictures=pictures)


def smear_picture(film: TrueFilm, look: Look, shutter: Shutter, place: int) -> _Picture:
    """Return a film's picture (H, W, 3) in which all that moves is smeared.

    Args:
        shutter: in frames of the film.
        place: of the picture.
    """
    frame = int(film.frames[place])
    moments = frame + np.linspace(shutter.opens, shutter.closes, shutter.moments)
    weights = shutter.fading ** np.arange(shutter.moments)[::-1]
    light = (np.arange(256, dtype=np.float32) / 255.0) ** shutter.gamma
    still = _draw(film, look, float(frame))
    carried = [_carry(film, look, place, still, moment) for moment in moments.tolist()]
    picture, windows = film.pictures[place], [one.window for one in carried if one is not None]
    if not windows:
        return picture
    window = _join_windows(windows)
    drawn = [light[_paste(picture, one)[window]] for one in carried]
    mean = 255.0 * np.average(drawn, axis=0, weights=weights) ** (1.0 / shutter.gamma)
    return _paste(picture, _Patch(window, np.asarray(np.clip(mean + 0.5, 0.0, 255.0), np.uint8)))


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


class _Patch(NamedTuple):
    """Pixels that a window of a picture shows.

    Attributes:
        window: of the picture.
        pixels: (h, w, 3) in it.
    """

    window: _Window
    pixels: _Picture


def _carry(film: TrueFilm, look: Look, place: int, still: _Moment, moment: float) -> _Patch | None:
    """Return what the film's picture at a place shows of bodies that are elsewhere at a moment.

    That is None if none is.
    """
    if moment == film.frames[place]:
        return None
    now = _draw(film, look, moment)
    moved = np.append(np.abs(now.poses - still.poses).max(axis=(1, 2)) > _LEAST_MOTION, False)
    if not moved[now.labels].any():
        return None
    window = _find_window(moved[now.labels] | moved[still.labels])
    return _Patch(window, _move(film.pictures[place], look, still, now, window, moved))


def _paste(picture: _Picture, patch: _Patch | None) -> _Picture:
    """Return a picture (H, W, 3) with a patch."""
    if patch is None:
        return picture
    pasted = picture.copy()
    pasted[patch.window] = patch.pixels
    return pasted


def _join_windows(windows: Sequence[_Window]) -> _Window:
    """Return the least window in which others are."""
    rows, columns = zip(*windows, strict=True)
    return _join_slices(rows), _join_slices(columns)


def _join_slices(some: Sequence[slice]) -> slice:
    return slice(min(one.start for one in some), max(one.stop for one in some))


def _move(
    picture: _Picture,
    look: Look,
    still: _Moment,
    now: _Moment,
    window: _Window,
    moved: NDArray[np.bool_],
) -> _Picture:
    """Return what a window (h, w, 3) of a picture shows later.

    Args:
        moved: (B + 1,) whether each body goes elsewhere; the last is the ground.
    """
    drawn = look.background.bright.astype(np.uint8)
    look.light(now.drawing, drawn)
    labels, drawn = now.labels[window], drawn[window]
    way = _trace(look, still, now, window, moved[labels])
    way, is_carried = _add_rim(way, moved[labels], now.drawing.depth[window])
    carried = _fetch(picture, way, window)
    # What comes out from behind another body was not in the picture.
    before = _fetch(still.labels.astype(np.int16), way, window, whole=True)
    is_new = moved[labels] & (before != labels)
    carried[is_new] = drawn[is_new]
    _, was_carried = _add_rim(way, moved[still.labels[window]], still.drawing.depth[window])
    found = picture[window].copy()
    found[was_carried] = drawn[was_carried]
    found[is_carried] = carried[is_carried]
    return found


def _find_window(shown: NDArray[np.bool_]) -> _Window:
    """Return the rows and columns around some pixels (H, W) and their rims."""
    rows, columns = (np.flatnonzero(shown.any(axis=k)) for k in (1, 0))
    top, left = max(0, int(rows[0]) - 2), max(0, int(columns[0]) - 2)
    return slice(top, int(rows[-1]) + 3), slice(left, int(columns[-1]) + 3)


def _fetch(values: NDArray[V], way: _Plane, window: _Window, *, whole: bool = False) -> NDArray[V]:
    """Return values (h, w, ...) from a way (h, w, 2), right and down, aside; not mixed if whole.

    Args:
        values: (H, W, ...) of the whole picture.
        window: of it.
    """
    high, wide = way.shape[:2]
    rows, columns = np.mgrid[:high, :wide]
    right = np.asarray(window[1].start + columns + way[..., 0], np.float32)
    down = np.asarray(window[0].start + rows + way[..., 1], np.float32)
    how = cv2.INTER_NEAREST if whole else cv2.INTER_LINEAR
    return np.asarray(cv2.remap(values, right, down, how), values.dtype)


def _trace(
    look: Look, still: _Moment, now: _Moment, window: _Window, is_there: NDArray[np.bool_]
) -> _Plane:
    """Return the way (h, w, 2), right and down, to where pixels (h, w) of bodies have been."""
    inside = np.nonzero(is_there)
    rows, columns = (first.start + own for first, own in zip(window, inside, strict=True))
    before = (still.poses @ np.linalg.inv(now.poses))[now.labels[rows, columns]]
    points = look.lens.locate(rows, columns, now.drawing.depth[rows, columns])
    points = np.einsum("nij,nj->ni", before[:, :3, :3], points) + before[:, :3, 3]
    way = np.zeros((*is_there.shape, 2), np.float32)
    way[inside] = look.lens.project(points) - 0.5 - np.stack([columns, rows], axis=1)
    return way


def _add_rim(
    way: _Plane, is_there: NDArray[np.bool_], depth: _Plane
) -> tuple[_Plane, NDArray[np.bool_]]:
    """Return values (H, W, 2) of bodies, and where these are, with the pixels around them.

    Rims are mixed with what is behind them, and go along; what is before them does not.
    """
    share = cv2.blur(is_there.astype(np.float32), _AROUND)
    beside = np.nonzero(~is_there & (share > 1e-3))
    values = np.dstack([way, depth]) * is_there[..., None]
    near = cv2.blur(values, _AROUND)[beside] / share[beside][:, None]
    behind = depth[beside] < near[:, 2]
    rim = tuple(place[behind] for place in beside)
    wide, is_wide = way.copy(), is_there.copy()
    wide[rim], is_wide[rim] = near[behind, :2], True
    return wide, is_wide


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
