"""Changes of single bodies in a picture."""

import numpy as np
import pytest

from bridge.video.reference.film import TrueFilm, smooth
from bridge.video.tracking.changes import BodyChange, ChangeFinder, ChangeKind
from bridge.video.tracking.comparison import NARROW
from bridge.video.tracking.hypotheses import Composer
from tests.video.films import Picture, film_of, look_of, redraw


@pytest.mark.slow
def test_cubelet_that_is_gone_is_absent_rather_than_of_a_size_that_hides_it() -> None:
    film = film_of("checkerboard", steps=1, width=416)
    body = film.bundle.names.index("ULB")
    poses = film.bundle.poses[:1].copy()
    poses[0, body] = np.nan
    (found,) = find_changes(film, redraw(film, poses))
    assert (found.kind, found.body) == (ChangeKind.ABSENT, body)


def test_rod_that_is_shorter_at_one_end_is_followed_from_frame_to_frame() -> None:
    film = film_of("burr-piston", width=416)
    body = film.bundle.names.index("blue")
    surfaces = look_of(film).surfaces
    first, last = surfaces.first[body : body + 2]
    corners = surfaces.corners[first:last].reshape(-1, 3)
    axis, stretch = int(np.argmax(np.ptp(corners, axis=0))), np.eye(4)
    stretch[axis, axis], stretch[axis, 3] = 0.8, 0.2 * corners[:, axis].max()
    poses = film.bundle.poses[:1].copy()
    poses[0, body] = poses[0, body] @ stretch
    (picture,) = redraw(film, poses)
    seen = smooth((picture + 0.5).astype(np.uint8))
    finder, before, asked = ChangeFinder(Composer(film, look_of(film), NARROW)), (), []
    for _ in range(4):
        # It is asked about changes that go on, once they are no longer new.
        before = finder.find(seen, 0, before, lambda left: not asked.append(left)).changes
    assert [(change.kind, change.body) for change in before] == [(ChangeKind.RESIZED, body)]
    assert len(asked) == 1


@pytest.mark.slow
def test_panel_whose_figure_has_another_colour_is_recoloured() -> None:
    film = film_of("nets-easy-03", width=416)
    body = film.bundle.names.index("cyan")
    painted = film.pictures[0].astype(np.float32)
    own = film.bundle.ids(0) == body + 1
    # Its figure alone is coloured; the rest of it is white.
    colored = own & (np.ptp(painted, axis=2) > 60.0)
    painted[colored] = painted[colored][:, ::-1]
    (found,) = find_changes(film, [painted])
    assert (found.kind, found.body) == (ChangeKind.RECOLORED, body)


def test_new_colour_of_a_body_is_that_of_most_of_it() -> None:
    film = film_of("burr-piston", width=416)
    painted = film.pictures[0].astype(np.float32)
    own = film.bundle.ids(0) == film.bundle.names.index("red") + 1
    most = painted[..., 0] > 180.0
    painted[own & most], painted[own & ~most] = (150.0, 40.0, 120.0), (0.0, 255.0, 255.0)
    (found,) = find_changes(film, [painted])
    assert found.kind is ChangeKind.RECOLORED and found.color is not None
    assert np.abs(found.color - [150.0, 40.0, 120.0]).max() < 10.0


@pytest.mark.slow
def test_panel_that_goes_aside_is_not_turned() -> None:
    film = film_of("nets-easy-03", width=416)
    body = film.bundle.names.index("cyan")
    poses = film.bundle.poses[:2].copy()
    poses[:, body, :3, 3] -= [[0.3, 0.0, 0.0], [0.45, 0.0, 0.0]]
    found = find_changes(film, redraw(film, poses))
    assert [change.body for change in found] == [body] * 2
    for change, pose in zip(found, poses[:, body], strict=True):
        assert change.kind is ChangeKind.MOVED and np.abs(change.pose - pose).max() < 0.1


@pytest.mark.parametrize(("name", "way"), [("green", (0.0, -0.4, 0.0)), ("UR", (0.0, -0.4, 0.0))])
def test_cubelet_that_sticks_out_is_no_longer_one(name: str, way: tuple[float, ...]) -> None:
    film = film_of("rubik-l120-easy-01", width=416)
    body = film.bundle.names.index(name)
    poses = film.bundle.poses[:1].copy()
    poses[0, body, :3, 3] += way
    (found,) = find_changes(film, redraw(film, poses))
    assert (found.kind, found.body) == (ChangeKind.MOVED, body)


@pytest.mark.parametrize("way", [(4.0, -4.0, 0.0), (0.0, -2.0, 2.0)])
def test_box_that_is_elsewhere_before_a_wall_is_not_absent(way: tuple[float, ...]) -> None:
    film = film_of("portal-l120-easy-05", width=416)
    body = film.bundle.names.index("green")
    poses = film.bundle.poses[:1].copy()
    poses[0, body, :3, 3] += way
    (found,) = find_changes(film, redraw(film, poses))
    assert (found.kind, found.body) == (ChangeKind.MOVED, body)
    assert np.abs(found.pose - poses[0, body]).max() < 1.5


def find_changes(film: TrueFilm, pictures: list[Picture]) -> list[BodyChange]:
    """Return all changes of pictures of a film's beginning, one after another."""
    finder, before = ChangeFinder(Composer(film, look_of(film), NARROW)), ()
    every: list[BodyChange] = []
    for picture in pictures:
        before = finder.find(smooth((picture + 0.5).astype(np.uint8)), 0, before).changes
        every += before
    return every
