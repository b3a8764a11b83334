"""Whether a video shows anything: too blurred, dark, noisy or grey a picture tells nothing."""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.thresholds import LIMITS

__all__ = ["measure_sight", "shows_anything"]

_Picture = NDArray[np.uint8]
_Plane = NDArray[np.float32]

_AROUND = np.ones((9, 9), np.uint8)
"""Pixels around a body that belong to its details."""


def shows_anything(first: _Picture, second: _Picture, film: TrueFilm) -> bool:
    """Whether bodies can be seen in the first two pictures (H, W, 3) of a video of a film."""
    contrast, noise = measure_sight(first, second, film)
    is_clear = contrast > LIMITS.least_contrast and noise < LIMITS.most_noise
    return is_clear and _measure_vividness(first, film) > LIMITS.least_vividness


def measure_sight(first: _Picture, second: _Picture, film: TrueFilm) -> tuple[float, float]:
    """Return contrast and noise of two pictures (H, W, 3), as shares of the film's contrast."""
    ids = cv2.resize(film.bundle.ids(0), film.size, interpolation=cv2.INTER_NEAREST)
    near = cv2.dilate((ids > 0).astype(np.uint8), _AROUND) > 0
    if not near.any():
        return 1.0, 0.0
    details = _find_details(first)
    expected = max(float(_find_details(film.pictures[0])[near].std()), 1.0)
    noise = float(np.std(_find_details(second) - details)) / np.sqrt(2.0)
    return float(details[near].std()) / expected, noise / expected


def _measure_vividness(first: _Picture, film: TrueFilm) -> float:
    """Return how far apart the channels of a picture (H, W, 3) are, as a share of the film's."""
    vivid = np.ptp(film.pictures[0], axis=2) > LIMITS.vivid_levels
    if vivid.sum() < LIMITS.vivid_samples:
        return 1.0
    expected = np.ptp(film.pictures[0][vivid], axis=1).mean()
    return float(np.ptp(cv2.blur(first, (3, 3))[vivid], axis=1).mean() / expected)


def _find_details(picture: _Picture) -> _Plane:
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    coarse = cv2.GaussianBlur(gray, (0, 0), LIMITS.detail_scales[1])
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), LIMITS.detail_scales[0]) - coarse, np.float32)
