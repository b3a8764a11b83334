"""Films of branches, composed of what another film shows."""

import numpy as np

from bridge.video.tracking.branch_films import compose_branch
from bridge.video.tracking.course import Course, list_others
from pysim.families.jigsaw.actions import Detach
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


def test_step_before_a_branch_is_over_when_that_begins() -> None:
    film = film_of("portal-05")
    own = Course.of_film(film)
    # The film rests after its last step, which moves nothing but a gate.
    walk = next(action for action, _ in list_others(own, 2) if type(action).tool == "walk_to")
    branch = compose_branch(film, look_of(film), own.branch([*own.list_actions(), walk]), 2)
    _, gate, other = branch.bundle.manifest.steps
    assert gate.last_frame < other.first_frame
    assert Course.of_film(branch).step_ends[1] == own.step_ends[1]


def test_ground_that_the_film_never_shows_is_unknown_on_a_branch() -> None:
    film = film_of("jigsaw-easy-1", steps=1)
    look, own = look_of(film), Course.of_film(film)
    # Edges of the shell are behind the panel that is taken out.
    course = own.branch([*own.list_actions(), Detach("red")])
    branch = compose_branch(film, look, course, 1)
    last = len(branch.pictures) - 1
    drawing = look.draw(look.find_present(branch.find_poses(last)), branch.find_poses(last))
    hidden = (drawing.faces < 0) & ~look.background.known
    changed = (branch.pictures[last] != film.pictures[len(film.pictures) - 1]).any(axis=2)
    assert (hidden & changed).sum() > 20
    assert np.isinf(branch.doubts[last].spread[hidden & changed]).all()
