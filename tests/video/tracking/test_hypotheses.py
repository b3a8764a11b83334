"""Pictures of bodies that are put somewhere, held against a film that shows them there."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.tracking.comparison import NARROW
from bridge.video.tracking.hypotheses import Composer, Placed
from tests.video.films import film_of, look_of

_AROUND = np.ones((3, 3), np.uint8)


@pytest.fixture(scope="module")
def composer() -> Composer:
    film = film_of("jigsaw-easy-3", steps=1, width=416)
    return Composer(film, look_of(film), NARROW)


def _find_piece(composer: Composer) -> tuple[int, NDArray[np.float64]]:
    """Return the piece that the film moves, and where it is in the end."""
    first, last = composer.find_poses(0), composer.find_poses(len(composer.film.pictures) - 1)
    piece = int(np.abs(first - last).max(axis=(1, 2)).argmax())
    return piece, last[piece]


def _draw(composer: Composer, piece: int, pose: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the pixels (H, W) of a body alone."""
    return (composer.look.draw(np.array([piece]), pose[None]).depth > 0.0).astype(np.uint8)


@pytest.mark.slow
def test_placed_body_has_rims_as_soft_as_those_of_the_film(composer: Composer) -> None:
    piece, last = _find_piece(composer)
    composer.show(composer.film.pictures[-1])
    cost = composer.compose(0, frozenset({piece}), [Placed(piece, last)]).cost
    shown = _draw(composer, piece, last)
    rim = cv2.dilate(shown, _AROUND) > cv2.erode(shown, _AROUND)
    assert float(cost[rim].mean()) < 0.08


@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_body_at_home_looks_as_in_the_film_up_to_its_rim(composer: Composer, alpha: float) -> None:
    piece, home = _find_piece(composer)
    position = len(composer.film.pictures) - 1
    expected = composer.film.pictures[position].astype(float)
    composer.show(composer.film.pictures[position])
    without = composer.compose(position, frozenset({piece})).picture.astype(float)
    placed = Placed(piece, home, alpha=alpha)
    found = composer.compose(position, frozenset({piece}), [placed]).picture
    seen = (composer.draw(position, frozenset())[1] == piece).astype(np.uint8)
    near = cv2.dilate(seen, _AROUND) > 0
    mixed = alpha * expected + (1.0 - alpha) * without
    assert np.abs(found - mixed)[near].max() <= 1.0
