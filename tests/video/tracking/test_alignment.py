"""Alignment of videos with films of which pictures are alike."""

from dataclasses import replace

import numpy as np

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import FilmAlignment
from tests.video.films import film_of


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
