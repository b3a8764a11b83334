"""Light that falls off over pictures, found and taken out."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.tracking.shading import find_shading, remove_shading
from tests.video.films import film_of

FILM = "packing-medium-08"


def _make_light(height: int, width: int) -> NDArray[np.float64]:
    y, x = np.mgrid[-1.0 : 1.0 : height * 1j, -1.0 : 1.0 : width * 1j]
    return np.asarray((1.0 - 0.2 * (x * x + y * y)) * (0.9 + 0.1 * x))[..., None]


def test_vignette_is_found_and_removed() -> None:
    film = film_of(FILM)
    picture = film.pictures[0]
    light = _make_light(*picture.shape[:2])
    dark = (picture * light).astype(np.uint8)
    gain = find_shading(dark, film, 0)
    assert gain is not None
    product = gain * light[..., 0]
    assert np.abs(product / np.median(product) - 1.0).max() < 0.05
    flat = remove_shading(dark, gain / np.median(product))
    assert np.abs(flat.astype(int) - picture).max() < 0.06 * 255


@pytest.mark.parametrize("light", [0.8, 1.0, 1.1])
def test_light_that_is_even_is_no_shading(light: float) -> None:
    film = film_of(FILM)
    picture = np.minimum(film.pictures[0] * light, 255.0).astype(np.uint8)
    assert find_shading(picture, film, 0) is None


def test_ground_that_looks_otherwise_is_no_shading() -> None:
    film = film_of("jigsaw-easy-4")
    picture = film.pictures[0]
    light = np.tile(1.0 + 0.1 * np.linspace(-1.0, 1.0, film.size[0]), (film.size[1], 1))
    light[cv2.resize(film.bundle.ids(0), film.size, interpolation=cv2.INTER_NEAREST) > 0] = 1.0
    other = np.minimum(picture * light[..., None], 255.0).astype(np.uint8)
    assert find_shading(other, film, 0) is None
