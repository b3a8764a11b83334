"""Comparison of pictures: two ways to the same sums, and calibrated colours."""

import cv2
import numpy as np
import pytest

from bridge.video.reference.pictures import PackedPictures
from bridge.video.tracking.comparison import ColorCalibration, sum_changes, sum_differences
from tests.video.films import film_of, look_of


def test_sums_of_packed_pictures_are_those_of_whole_ones() -> None:
    rng = np.random.default_rng(0)
    seen = rng.integers(0, 256, (30, 40, 3), dtype=np.uint8)
    pictures = [np.clip(seen + rng.normal(0.0, 9.0, seen.shape), 0, 255).astype(np.uint8)]
    for row in (0, 5, 20):
        picture = pictures[0].copy()
        picture[row : row + 10, 17:] = rng.integers(0, 256, (10, 23, 3))
        pictures.append(picture)
    packed = PackedPictures(pictures)
    order = [2, 0, 3, 1]
    runs, colors = zip(*map(packed.find_changes, order), strict=True)
    sums, ends = np.empty(4), np.cumsum([len(some) for some in runs])
    flat, first = seen.reshape(-1, 3), packed.first.reshape(-1, 3)
    sum_changes(flat, flat, first, np.concatenate(runs), np.concatenate(colors), ends, sums)
    expected = [sum_differences(seen, pictures[position]) for position in order]
    assert sums == pytest.approx(expected, rel=1e-12)
    assert expected[1] < 0.8 * min(expected[0], *expected[2:])


def test_sums_are_of_what_has_no_shadows_where_these_do_not_count() -> None:
    rng = np.random.default_rng(1)
    seen, bright, *pictures = rng.integers(0, 256, (5, 30, 40, 3), dtype=np.uint8)
    grounds = rng.integers(0, 2, (3, 30, 40), dtype=np.uint8)
    packed = PackedPictures(map(np.dstack, zip(pictures, grounds, strict=True)))
    runs, colors = zip(*map(packed.find_changes, range(3)), strict=True)
    sums, ends = np.empty(3), np.cumsum([len(some) for some in runs])
    joined = np.concatenate(runs), np.concatenate(colors)
    lit, first = bright.reshape(-1, 3), packed.first.reshape(-1, 4)
    sum_changes(seen.reshape(-1, 3), lit, first, *joined, ends, sums)
    mixed = [np.where(ground[..., None], bright, seen) for ground in grounds]
    expected = [sum_differences(*both) for both in zip(mixed, pictures, strict=True)]
    assert sums == pytest.approx(expected, rel=1e-12)


def test_calibration_fits_stickers_that_are_much_paler() -> None:
    picture = film_of("rubik-l120-easy-01").pictures[0]
    hue = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)
    hue[..., 1] = np.asarray(0.7 * hue[..., 1], np.uint8)
    pale = np.asarray(cv2.cvtColor(hue, cv2.COLOR_HSV2RGB), np.uint8)
    fitted = ColorCalibration.fit(pale, picture).apply(pale)
    assert sum_differences(fitted, picture) < 0.3 * sum_differences(pale, picture)


def test_calibration_of_a_grey_picture_darkens_colors_as_much() -> None:
    picture = np.tile(np.linspace(90, 230, 80).astype(np.uint8)[:, None], (60, 1, 3))
    picture[20:24, 20:30] = red = np.array([200, 0, 40], np.uint8)
    dark = np.asarray(0.85 * picture, np.uint8)
    fitted = ColorCalibration.fit(dark, picture).apply(dark)
    assert np.abs(fitted[21, 25].astype(int) - red).max() < 5


@pytest.mark.slow
def test_calibration_is_not_misled_by_what_is_too_bright() -> None:
    film, calibration = film_of("nets-easy-11"), None
    for position, picture in enumerate(film.pictures):
        light = 1.0 + 0.15 * np.sin(2.0 * np.pi * position / len(film.pictures))
        lit = np.clip(light * np.array([1.1, 0.95, 1.0]) * picture, 0, 255).astype(np.uint8)
        if calibration is None:
            calibration = ColorCalibration.fit(lit, picture)
        calibration = calibration.renew(lit, picture)
        # No channel has anything of the others, though white and red are cut off.
        mixed = calibration.matrix - np.diag(np.diag(calibration.matrix))
        assert np.abs(mixed).max() < 0.05


def test_calibration_to_an_adapted_film_is_not_misled_by_shadows() -> None:
    film = film_of("nets-easy-11")
    picture, ground = film.pictures[0], look_of(film).background
    shaded = picture.copy()
    shaded[80:] = np.where(
        ground.find_shadows(picture)[80:, :, None], picture[80:], 0.74 * picture[80:]
    )
    calibration = ColorCalibration.fit(picture, picture)
    dark = np.asarray(0.9 * shaded, np.uint8)
    for seen, light in ((shaded, 1.0), (dark, 0.9)):
        renewed = calibration.renew_light(seen, picture, ground)
        white = renewed.apply(np.full((1, 1, 3), light * 200.0, np.float32).astype(np.uint8))
        assert np.abs(white.astype(int) - 200).max() < 5


def test_colors_stay_as_they_are_where_no_map_makes_them_those_of_the_film() -> None:
    ground = np.full((80, 120, 3), 220, np.uint8)
    film, seen = ground.copy(), ground.copy()
    film[10:40, 10:60], film[45:70, 10:60] = (240, 240, 240), (200, 0, 40)
    seen[45:70, 60:110], seen[10:40, 60:110] = (165, 165, 165), (100, 30, 200)
    calibration = ColorCalibration.fit(ground, ground)
    renewed = calibration.renew(seen, film, is_kept=True)
    assert np.abs(renewed.apply(seen).astype(int) - seen).max() < 4
