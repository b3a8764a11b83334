"""Sight of a video: too blurred, dark, noisy or grey a picture tells nothing, nor does a title."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.colors import COLD, ROSE
from bridge.video.reference.film import TrueFilm
from bridge.video.thresholds import LIMITS

__all__ = ["Sight", "find_ids", "is_blank", "is_card", "is_dark", "measure_sight"]

_Picture = NDArray[np.uint8]
_Plane = NDArray[np.float32]

_AROUND = np.ones((9, 9), np.uint8)
"""Pixels around a body that belong to its details."""
_HUES = np.array([ROSE, COLD]).T


class Sight(NamedTuple):
    """Sight of the puzzle in a picture.

    Attributes:
        contrast, noise: as shares of the contrast of the film's first picture.
        vividness: how much of the colours of the film's first picture it has, in their places.
    """

    contrast: float
    noise: float
    vividness: float

    @property
    def is_clear(self) -> bool:
        """Whether bodies can be seen."""
        is_sharp = self.contrast > LIMITS.least_contrast and self.noise < LIMITS.most_noise
        return is_sharp and self.vividness > LIMITS.least_vividness

    @property
    def light(self) -> float:
        """Share of the light that is there: it rises where a video fades in."""
        return min(self.contrast, self.vividness)


def measure_sight(picture: _Picture, later: _Picture, film: TrueFilm) -> Sight:
    """Return the sight of a puzzle in a picture (H, W, 3), which another one follows."""
    ids = find_ids(film)
    vividness = _measure_vividness(picture, film, ids)
    near = cv2.dilate((ids > 0).astype(np.uint8), _AROUND) > 0
    if not near.any():
        return Sight(1.0, 0.0, vividness)
    details, known = _find_details(picture), _find_details(film.pictures[0])
    expected = max(float(known[near].std()), 1.0)
    # Elsewhere a camera that moves changes pictures as much.
    plain = cv2.dilate((np.abs(known) > LIMITS.plain_detail).astype(np.uint8), _AROUND) == 0
    flicker = (_find_details(later) - details)[plain if plain.any() else ...]
    noise = float(np.std(flicker)) / np.sqrt(2.0)
    return Sight(float(details[near].std()) / expected, noise / expected, vividness)


def is_blank(picture: _Picture, expected: _Picture) -> bool:
    """Whether a picture (H, W, 3) has hardly any of the contrast of another one."""
    least = LIMITS.least_contrast * float(_find_details(expected).std())
    return float(_find_details(picture).std()) < least


def is_dark(picture: _Picture, expected: _Picture) -> bool:
    """Whether a picture (H, W, 3) has hardly any of the light of another one."""
    light, usual = (float(one[::4, ::4].mean()) for one in (picture, expected))
    return light < LIMITS.least_brightness * usual


def is_card(picture: _Picture, expected: _Picture, film: TrueFilm) -> bool:
    """Whether a picture (H, W, 3) is a card, as titles are: of one colour, and not the film's.

    Args:
        expected: (H, W, 3) the film's picture.
    """
    plain, ground = _find_plain_color(picture), _find_plain_color(expected)
    if np.abs(plain - ground).max() <= LIMITS.other_light:
        return False
    off = np.abs(picture.astype(np.int16) - plain).max(axis=2)
    is_plain = float((off <= LIMITS.moving_levels).mean()) >= LIMITS.plain_share
    return is_plain and _measure_vividness(picture, film, find_ids(film)) <= LIMITS.least_vividness


def _find_plain_color(picture: _Picture) -> NDArray[np.int16]:
    """Return the colour (3,) that most of a picture (H, W, 3) may have."""
    return np.asarray(np.median(picture[::4, ::4].reshape(-1, 3), axis=0), np.int16)


def _measure_vividness(picture: _Picture, film: TrueFilm, ids: NDArray[np.uint16]) -> float:
    """Return how much of the colours of a film's vivid pixels a picture (H, W, 3) has there.

    Each body counts as much: of a large one that the picture lacks, its colour is no measure.

    Args:
        ids: (H, W) the body that each pixel of the film's first picture shows.
    """
    vivid = np.ptp(film.pictures[0], axis=2) > LIMITS.vivid_levels
    if vivid.sum() < LIMITS.vivid_samples:
        return 1.0
    bodies = ids[vivid]
    expected = film.pictures[0][vivid] @ _HUES
    seen = cv2.blur(picture, (3, 3))[vivid] @ _HUES
    many = np.bincount(bodies)
    shared = np.bincount(bodies, (seen * expected).sum(axis=1))
    whole = np.bincount(bodies, (expected * expected).sum(axis=1))
    use = many >= min(LIMITS.vivid_samples, many.max())
    return float((shared[use] / whole[use]).mean())


def find_ids(film: TrueFilm, place: int = 0) -> NDArray[np.uint16]:
    """Return the body (H, W) that each pixel shows at a position in a film; 0 for none."""
    ids = film.bundle.ids(int(film.frames[place]))
    return np.asarray(cv2.resize(ids, film.size, interpolation=cv2.INTER_NEAREST), np.uint16)


def _find_details(picture: _Picture) -> _Plane:
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    coarse = cv2.GaussianBlur(gray, (0, 0), LIMITS.detail_scales[1])
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), LIMITS.detail_scales[0]) - coarse, np.float32)
