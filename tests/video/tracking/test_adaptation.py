"""Adaptation of a film's look to videos of other light."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.reference.film import smooth
from bridge.video.tracking.adaptation import Otherness, adapt_look, find_otherness
from pysim.render.scenery import DIAGRAM
from tests.video.films import film_of, look_of, redraw

CUBE, LOCK = "rubik-l120-easy-01", "burr-piston"
FACTORS = np.array([0.6, 1.0, 1.0, 0.7, 1.0, 1.0])
"""Light on what looks along +x, -x, +y, -y, +z, -z, beside that of the film."""


def light(position: int) -> NDArray[np.uint8]:
    """A picture of the cube's film, with another light on each of its sides."""
    film, look = film_of(CUBE), look_of(film_of(CUBE))
    bodies = np.flatnonzero(look.drawn)
    drawing = look.draw(bodies, film.find_poses(position)[bodies])
    strongest = np.abs(drawing.normals).argmax(axis=1)
    back = drawing.normals[np.arange(len(strongest)), strongest] < 0.0
    factors = np.append(FACTORS[2 * strongest + back], 1.0)[drawing.faces]
    return np.asarray(film.pictures[position] * factors[..., None], np.uint8)


def test_light_on_a_side_is_on_whatever_turns_there() -> None:
    film, look = film_of(CUBE), look_of(film_of(CUBE))
    otherness = find_otherness(film, look, light(0))
    assert otherness.is_other and not otherness.is_shaded
    adapted, _ = adapt_look(film, look, light(0), 0, otherness)
    last = len(film.pictures) - 1
    off = np.abs(adapted.pictures[last].astype(int) - light(last)).max(axis=2)
    usual = np.abs(film.pictures[last].astype(int) - light(last)).max(axis=2)
    assert (off > 30).mean() < 0.1 * (usual > 30).mean()


@pytest.mark.slow
def test_shadows_that_fall_elsewhere_are_another_look() -> None:
    film, look = film_of(LOCK), look_of(film_of(LOCK))
    x, y, z = DIAGRAM.sun
    start = film.bundle.poses[:1]
    for sun, is_elsewhere in ((DIAGRAM.sun, False), ((-x, -y, z), True)):
        (picture,) = redraw(film, start, replace(DIAGRAM, sun=sun))
        otherness = find_otherness(film, look, smooth(picture.astype(np.uint8)))
        assert otherness.is_shaded == is_elsewhere


def test_shadows_that_fall_elsewhere_are_not_on_the_ground_of_another_look() -> None:
    film, look = film_of(LOCK), look_of(film_of(LOCK))
    x, y, z = DIAGRAM.sun
    (picture,) = redraw(film, film.bundle.poses[:1], replace(DIAGRAM, sun=(-x, -y, z)))
    first = smooth(picture.astype(np.uint8))
    _, other = adapt_look(film, look, first, 0, Otherness(looks=1.0, shadows=0.0))
    off = np.abs(look.background.bright - other.background.bright).max(axis=2)
    shadows = [look.background.find_shadows(one) for one in (first, film.pictures[0])]
    assert (off > 25.0).sum() < 0.05 * (shadows[0] ^ shadows[1]).sum()
