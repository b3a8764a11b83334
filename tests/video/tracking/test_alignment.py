"""Alignment of videos with films of which pictures are alike."""

from dataclasses import replace

import numpy as np

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
