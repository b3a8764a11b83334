"""Films of branches, composed of what another film shows."""

import numpy as np

from bridge.video.tracking.branch_films import compose_branch
from bridge.video.tracking.course import Course, list_others
from tests.video.films import film_of, look_of


def test_gates_that_were_opened_before_a_branch_stay_open_on_it() -> None:
    film = film_of("portal-d1-04", steps=3)
    look, own = look_of(film), Course.of_film(film)
    opened = film.pictures[int(own.step_ends[1])].astype(int)
    signs = np.abs(opened - film.pictures[0]).max(axis=2) > 40
    assert signs.sum() > 20
    wrong = []
    for walk in [action for action, _ in list_others(own, 2) if type(action).tool == "walk_to"]:
        course = own.branch([*own.list_actions()[:2], walk])
        pictures = compose_branch(film, look, course, 2).pictures
        off = np.abs(pictures[len(pictures) - 1] - opened).max(axis=2) > 20
        wrong.append(int(off[signs].sum()))
    # The walker may stand before a gate.
    assert wrong.count(0) > len(wrong) / 2
