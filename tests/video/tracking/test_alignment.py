"""Alignment of videos with films of which pictures are alike."""

from dataclasses import replace

import numpy as np
import pytest

from bridge.video.reference.film import Doubt
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import FilmAlignment
from tests.video.films import film_of, look_of


def test_nearest_of_pictures_that_are_alike_is_taken() -> None:
    film = film_of("portal-01", steps=1)
    hidden = film.pictures[0]
    pictures = [hidden, np.roll(hidden, 9, axis=1), np.roll(hidden, 18, axis=1), hidden]
    travel = 0.1 * np.arange(4)
    looped = replace(film, pictures=pictures, frames=np.arange(4), travel=travel)
    alignment = FilmAlignment(looped, ratio=1.0)
    for picture in (*pictures, hidden, hidden):
        alignment.advance(picture)
    assert alignment.trace().positions.tolist() == [0, 1, 2, 3, 3, 3]


def test_body_that_was_out_of_the_picture_for_long_comes_back_without_a_leap() -> None:
    film = film_of("portal-01", steps=1)
    empty, gone = film.pictures[0], 3 * LIMITS.beam
    back = np.roll(empty, 18, axis=1)
    pictures = [np.roll(empty, 9, axis=1), *[empty] * gone, back]
    travel = np.arange(len(pictures), dtype=np.float64)
    long = replace(film, pictures=pictures, frames=np.arange(len(pictures)), travel=travel)
    late = 10 * len(pictures)  # Time says nothing of where it is.
    alignment = FilmAlignment(long, ratio=1.0, passed=late)
    for picture in pictures:
        alignment.advance(picture)
    found = alignment.trace()
    assert found.positions[[0, -1]].tolist() == [0, len(pictures) - 1] and not found.leaps.any()


def test_film_goes_on_where_going_back_would_be_as_near() -> None:
    film = film_of("portal-01", steps=1)
    rest = film.pictures[0]
    flash = np.roll(rest, 9, axis=1)
    pictures = [rest, flash, rest]
    brief = replace(film, pictures=pictures, frames=np.arange(3), travel=0.1 * np.arange(3))
    alignment = FilmAlignment(brief, ratio=1.0, passed=100)  # Time says nothing of where it is.
    for picture in (rest, flash, flash, rest, rest):
        alignment.advance(picture)
    assert alignment.trace().positions.tolist() == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("far", [0.1, 50.0])
def test_leap_is_one_wherever_it_leads_and_however_fast_the_film_is_elsewhere(far: float) -> None:
    film = film_of("portal-01", steps=1)
    pictures = [np.roll(film.pictures[0], 3 * k, axis=1) for k in range(40)]
    travel = np.where(np.arange(40) < 35, 0.0, far) + 0.1 * np.arange(40)
    slow = replace(film, pictures=pictures, frames=np.arange(40), travel=travel)
    shown = [*range(6), *range(24, 40)]
    alignment = FilmAlignment(slow, ratio=1.0, passed=400)  # Time says nothing of where it is.
    for position in shown:
        alignment.advance(pictures[position])
    found = alignment.trace()
    assert found.positions.tolist() == shown
    assert np.flatnonzero(found.leaps).tolist() == [6]


def test_picture_of_which_nothing_is_known_is_not_free() -> None:
    film, few = film_of("portal-01", steps=1), LIMITS.unknown_cost / 2.0
    rest = film.pictures[0]
    height, width = rest.shape[:2]
    known, unknown = (np.full((height, width), off, np.float32) for off in (0.0, np.inf))
    pictures, travel = [rest, np.roll(rest, 9, axis=1), rest], 0.1 * np.arange(3)
    doubts = {1: Doubt(known, 0.0), 2: Doubt(unknown, 0.0)}
    doubted = replace(film, pictures=pictures, frames=np.arange(3), travel=travel, doubts=doubts)
    shown = pictures[1].copy()
    shown[: round(few * height)] = 255 - shown[: round(few * height)]
    alignment = FilmAlignment(doubted, ratio=1.0, passed=100, is_branch=True)
    for picture in (rest, shown):
        alignment.advance(picture)
    assert alignment.trace().positions.tolist() == [0, 1]


@pytest.mark.slow
def test_body_that_looks_like_the_ground_in_the_shadow_is_followed() -> None:
    film = film_of("packing-medium-08", steps=1)
    look = look_of(film)
    moved = np.flatnonzero(np.ptp(film.find_poses(np.arange(len(film.frames))), axis=0).any((1, 2)))
    pictures = []
    for position, picture in enumerate(film.pictures):
        bodies = np.flatnonzero(look.drawn)
        labels = look.label(look.draw(bodies, film.find_poses(position)[bodies]))
        shaded = np.asarray(0.76 * look.background.bright, np.uint8)
        gray = np.where(np.isin(labels, moved)[..., None], shaded, picture)
        pictures.append(np.where((labels < 0)[..., None], look.background.bright, gray))
    gray_film = replace(film, pictures=[picture.astype(np.uint8) for picture in pictures])
    alignment = FilmAlignment(gray_film, ratio=1.0, passed=10 * len(pictures), look=look)
    for picture in gray_film.pictures:
        alignment.advance(picture)
    found = alignment.trace()
    assert np.abs(found.positions - np.arange(len(pictures))).max() <= 2
