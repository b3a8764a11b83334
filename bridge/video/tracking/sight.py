"""Whether a video shows anything: too blurred, dark or noisy a picture tells nothing."""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm

__all__ = ["shows_anything"]

_Picture = NDArray[np.uint8]
_Plane = NDArray[np.float32]

_FINE, _COARSE = 2.0, 6.0
"""Deviations in pixels between which details are looked for."""
_AROUND = np.ones((9, 9), np.uint8)
"""Pixels around a body that belong to its details."""
_LEAST_CONTRAST = 0.15
"""Share of the contrast of the film's details that has to be left."""
_MOST_NOISE = 0.12
"""Share of that contrast by which pictures that should be the same may differ."""


def shows_anything(first: _Picture, second: _Picture, film: TrueFilm) -> bool:
    """Whether bodies can be seen in the first two pictures (H, W, 3) of a video of a film."""
    ids = cv2.resize(film.bundle.ids(0), film.size, interpolation=cv2.INTER_NEAREST)
    near = cv2.dilate((ids > 0).astype(np.uint8), _AROUND) > 0
    if not near.any():
        return True
    details = _find_details(first)
    expected = max(float(_find_details(film.pictures[0])[near].std()), 1.0)
    noise = float(np.std(_find_details(second) - details)) / np.sqrt(2.0)
    contrast = float(details[near].std())
    return contrast > _LEAST_CONTRAST * expected and noise < _MOST_NOISE * expected


def _find_details(picture: _Picture) -> _Plane:
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    coarse = cv2.GaussianBlur(gray, (0, 0), _COARSE)
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), _FINE) - coarse, np.float32)
