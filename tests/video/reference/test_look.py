"""Bodies as a look draws them."""

from dataclasses import replace

import numpy as np

from tests.video.films import film_of, look_of


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
