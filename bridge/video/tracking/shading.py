"""Light that falls off smoothly over pictures: vignettes and lamps to one side.

A gain that changes slowly over a picture is fitted to the first one in which the puzzle is seen.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import ColorCalibration, sum_differences
from bridge.video.tracking.sight import find_ids

__all__ = ["find_shading", "remove_shading"]

_Picture = NDArray[np.uint8]
_Plane = NDArray[np.float32]

_POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (4, 0), (2, 2), (0, 4))
"""Powers of column and row in each term of a gain."""
_STEP = 8
"""Pixels between those that are fitted."""


def find_shading(seen: _Picture, film: TrueFilm, place: int) -> _Plane | None:
    """Return the gain (H, W) by which a picture (H, W, 3) is the film's; None if it is even.

    It has to explain the bodies better, too: a ground may look otherwise for itself.

    Args:
        place: position in the film of what the picture shows.
    """
    expected = film.pictures[place]
    gain = _fit_gain(seen, expected)
    gain /= np.median(gain)
    if np.abs(gain - 1.0).max() < LIMITS.least_shading:
        return None
    plain, flat = (
        ColorCalibration.fit(one, expected).apply(one) for one in (seen, remove_shading(seen, gain))
    )
    bodies = find_ids(film, place) > 0
    parts = np.ones_like(bodies), bodies
    return gain if all(_is_better(flat, plain, expected, use) for use in parts) else None


def remove_shading(picture: _Picture, gain: _Plane) -> _Picture:
    """Return a picture (H, W, 3), by a gain (H, W) as bright everywhere."""
    lifted = picture * gain[..., None]
    return np.asarray(np.clip(lifted + 0.5, 0.0, 255.0), np.uint8)


def _fit_gain(seen: _Picture, expected: _Picture) -> _Plane:
    """Return the gain (H, W), a polynomial, that fits a picture (H, W, 3) to another one."""
    height, width = seen.shape[:2]
    y, x = np.mgrid[-1.0 : 1.0 : height * 1j, -1.0 : 1.0 : width * 1j].astype(np.float32)
    terms = np.stack([x**a * y**b for a, b in _POWERS], axis=-1)
    rows = terms[::_STEP, ::_STEP].reshape(-1, terms.shape[-1])
    light, target = (
        cv2.cvtColor(one, cv2.COLOR_RGB2GRAY)[::_STEP, ::_STEP].reshape(-1).astype(np.float64)
        for one in (seen, expected)
    )
    light *= np.median(target) / max(1.0, np.median(light))
    found = np.eye(terms.shape[-1])[0]
    for far in (np.inf, *LIMITS.calibration_outliers):
        use = np.abs(light * (rows @ found) - target) < far
        if use.mean() < LIMITS.alike_pixels:
            break
        found = np.linalg.lstsq(rows[use] * light[use, None], target[use], rcond=None)[0]
    return np.asarray(terms @ found, np.float32)


def _is_better(flat: _Picture, plain: _Picture, expected: _Picture, use: NDArray[np.bool_]) -> bool:
    """Return whether some pixels (H, W) of a picture (H, W, 3) are explained far better."""
    left, usual = (_measure(one, expected, use) for one in (flat, plain))
    return left * LIMITS.still_factor < usual


def _measure(seen: _Picture, expected: _Picture, use: NDArray[np.bool_]) -> float:
    """Return the costs of some pixels (H, W) of two pictures (H, W, 3)."""
    return sum_differences(seen[use][None], expected[use][None])
