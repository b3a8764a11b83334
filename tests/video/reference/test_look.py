"""Bodies as a look draws them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bridge.video.reference.look import find_overlapped, learn_look
from bridge.video.reference.pictures import PackedPictures
from tests.video.films import film_of, look_of


@pytest.mark.slow
def test_edges_of_a_container_are_before_what_is_behind_them() -> None:
    film = film_of("jigsaw-easy-3", steps=1, width=416)
    look = look_of(film)
    poses = film.find_poses(len(film.pictures) - 1)
    bodies = look.find_present(poses)
    drawn = look.draw(bodies, poses[bodies]).depth
    alone = replace(look, edges=np.zeros_like(look.edges)).draw(bodies, poses[bodies]).depth
    hidden = (alone > 0.0) & (alone <= look.edges)
    assert hidden.sum() > 20
    assert not drawn[hidden].any()
    assert (drawn == alone)[~hidden].all()


def test_pixels_beside_the_edges_of_a_container_tell_nothing_of_what_is_behind_them() -> None:
    film = film_of("jigsaw-easy-3", steps=1, width=416)
    look = look_of(film)
    rims, pictures = cv2.dilate(look.edges, np.ones((5, 5), np.uint8)), []
    for position, picture in enumerate(film.pictures):
        poses = film.find_poses(position)
        bodies = look.find_present(poses)
        behind = (rims > 0.0) & (look.draw(bodies, poses[bodies]).depth <= rims)
        pictures.append(np.where(behind[..., None], np.uint8(0), picture))
    blacked = learn_look(replace(film, pictures=PackedPictures(pictures)))
    assert np.array_equal(blacked.texture, look.texture)


def test_pixels_of_a_wall_beside_what_moves_tell_nothing_of_it() -> None:
    film = film_of("portal-01", steps=1)
    look, pictures = look_of(film), []
    for position, picture in enumerate(film.pictures):
        poses = film.find_poses(position)
        bodies = look.find_present(poses)
        labels = look.label(look.draw(bodies, poses[bodies]))
        moving = np.isin(labels, np.flatnonzero(look.movable)).astype(np.uint8)
        beside = (cv2.dilate(moving, np.ones((3, 3), np.uint8)) > 0) & (moving == 0)
        pictures.append(np.where(beside[..., None], np.uint8(0), picture))
    blacked = learn_look(replace(film, pictures=PackedPictures(pictures)))
    assert np.array_equal(blacked.texture, look.texture)


@pytest.mark.parametrize(("behind", "pixels"), [(0.0, 0), (0.2, 0), (0.5, 2), (-2.0, 2)])
def test_pixels_beside_a_body_in_front_are_overlapped(behind: float, pixels: int) -> None:
    away = np.full((20, 30), 10.0, np.float32)
    owners = np.zeros((20, 30), np.int64)
    away[:, 15:], owners[:, 15:] = 10.0 + behind, 1
    found = find_overlapped(1.0 / away, owners)
    expected = np.zeros_like(found)
    expected[:, 15 : 15 + pixels] = behind > 0.0
    expected[:, 15 - pixels : 15] = behind < 0.0
    assert np.array_equal(found, expected)
