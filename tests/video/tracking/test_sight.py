"""Sight: what hides a puzzle, and what does not."""

import numpy as np
import pytest

from bridge.video.tracking.sight import is_dark, measure_sight
from tests.video.films import film_of


def test_camera_that_moves_is_no_noise() -> None:
    film = film_of("portal-d5-02", steps=1)
    picture = film.pictures[0]
    assert measure_sight(picture, np.roll(picture, 1, axis=0), film).is_clear
    noise = np.random.default_rng(0).normal(0.0, 90.0, (2, *picture.shape))
    one, other = np.clip(picture + noise, 0, 255).astype(np.uint8)
    assert not measure_sight(one, other, film).is_clear


@pytest.mark.parametrize(("light", "dark"), [(0.1, True), (0.2, True), (0.3, False), (1.0, False)])
def test_picture_is_dark_if_less_than_a_quarter_of_its_light_is_left(
    light: float, dark: bool
) -> None:
    picture = film_of("portal-d5-02", steps=1).pictures[0]
    assert is_dark((picture * light).astype(np.uint8), picture) is dark
