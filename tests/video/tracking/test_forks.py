"""Ends of actions, held against what is gone or fades."""

from collections.abc import Sequence

import numpy as np
import pytest

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import NARROW
from bridge.video.tracking.forks import choose_pictures, compare_ends
from bridge.video.tracking.hypotheses import Composer
from tests.video.films import film_of, look_of, redraw


@pytest.mark.parametrize(
    ("shown", "is_gone"),
    [((1.0, 0.0, 0.0), True), ((0.0, 0.0, 1.0), False), ((0.5, 0.5, 0.0), True)],
    ids=["stays", "moves", "fades"],
)
def test_compare_ends_of_walker_exceeds_least_pixels_unless_it_moves(
    shown: Sequence[float], is_gone: bool
) -> None:
    film = film_of("portal-01", steps=1)
    look, start = look_of(film), film.bundle.poses[0]
    walker = film.bundle.names.index("green")
    three = np.repeat(start[None], 3, axis=0)
    three[1, walker] = np.nan
    three[2, walker, 0, 3] += 1.0
    picture = sum(share * one for share, one in zip(shown, redraw(film, three), strict=True))
    composer, body = Composer(film, look, NARROW), np.array([walker])
    composer.show(np.asarray(picture, np.uint8))
    behind = composer.compose(0, frozenset({walker}))
    more = compare_ends(composer, behind, body, three[0, body], three[2, body])
    assert (more > LIMITS.least_pixels) == is_gone


def test_pictures_are_chosen_where_nothing_moves() -> None:
    column, pictures = 0, []
    for frame in range(90):
        column += frame not in range(30, 34)
        picture = np.full((8, 100, 3), 200, np.uint8)
        picture[2:6, column : column + 4] = 50
        pictures.append((picture, np.full((8, 100), frame)))
    chosen = [int(seen[0, 0]) for _, seen in choose_pictures(pictures)]
    assert len(chosen) == LIMITS.weighed_pictures and chosen == sorted(chosen)
    assert {*chosen} & {30, 31, 32}


def test_one_picture_is_chosen_of_one() -> None:
    picture = np.zeros((4, 4, 3), np.uint8), np.zeros((4, 4))
    assert choose_pictures([picture]) == [picture]
