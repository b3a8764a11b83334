"""Films that are compared by what they leave unexplained."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.following import FollowedVideo, follow_film, follow_from
from bridge.video.tracking.preparation import prepare_video
from tests.video.films import film_of, look_of, play


@pytest.fixture(scope="module")
def followed() -> FollowedVideo:
    film = film_of("portal-01", steps=1)
    pictures = play(film, range(4))
    return follow_film(prepare_video(film, look_of(film), lambda: pictures, 12.0))


def test_film_is_better_if_another_one_lacks_something_of_a_fixture(
    followed: FollowedVideo,
) -> None:
    fixture = 1 + int(followed.prepared.look.fixtures[0])
    for place in (0, fixture):
        left = followed.left[2].copy()
        left[place] += LIMITS.ground_pixels - 1.0
        assert not followed.is_better(2, left)
        left[place] += 2.0
        assert followed.is_better(2, left)
        assert not followed.is_better(len(followed.left), left)


def test_film_is_not_better_by_a_piece_whose_sides_are_not_known(followed: FollowedVideo) -> None:
    left = followed.left[2].copy()
    left[1 + int(followed.prepared.look.pieces[0])] += 1000.0
    assert not followed.is_better(2, left)


def test_what_never_moves_and_both_films_lack_tells_nothing_of_another_film(
    followed: FollowedVideo,
) -> None:
    look, left = followed.prepared.look, followed.left.copy()
    wall, piece = 1 + int(look.fixtures[0]), 1 + int(look.pieces[0])
    left[2:, [wall, piece]] += 1000.0
    lacking = FollowedVideo(followed.prepared, left, followed.area)
    assert np.flatnonzero(lacking.find_alike(2, lacking.left[2])).tolist() == [wall]
    assert not lacking.find_alike(2, lacking.left[2] + 1.0).any()
    assert not lacking.find_alike(1, lacking.left[1]).any()


def test_film_does_not_leap_if_one_that_goes_on_explains_every_frame() -> None:
    film = film_of("burr-piston")
    look, count = look_of(film), film.bundle.manifest.frames
    for frames, leaps in ((range(count), 0), ([*range(8), *range(count - 8, count)], 1)):
        pictures = play(film, frames)
        prepared = prepare_video(film, look, partial(iter, pictures), 12.0)
        positions = prepared.aligned.positions.copy()
        positions[6:8] = positions[5]  # It seems to wait.
        found = AlignedFrames(positions, np.arange(len(pictures)) == 8)
        followed = follow_film(replace(prepared, aligned=found))
        assert followed.prepared.aligned.leaps.sum() == leaps


def test_film_does_not_leap_to_and_fro_if_one_that_goes_on_explains_more() -> None:
    film = film_of("burr-piston")
    frames = [*range(film.bundle.manifest.frames)]
    frames[7] = frames[-1]
    pictures = play(film, frames)
    prepared = prepare_video(film, look_of(film), partial(iter, pictures), 12.0)
    positions = np.array(film.find_position(np.arange(len(frames))))
    positions[7:11] = positions[-1]
    leaps = np.isin(np.arange(len(frames)), (7, 11))
    followed = follow_film(replace(prepared, aligned=AlignedFrames(positions, leaps)))
    assert not followed.prepared.aligned.leaps.any()
    assert followed.flagged[7].any() and not followed.flagged[9:].any()


def test_branch_does_not_leap_for_a_single_frame() -> None:
    film = film_of("burr-piston")
    frames = [*range(film.bundle.manifest.frames)]
    frames[len(frames) // 3] = frames[-1]
    pictures = play(film, frames)
    followed = follow_film(prepare_video(film, look_of(film), partial(iter, pictures), 12.0))
    branch = follow_from(followed, film, range(1, len(frames)), 0)
    assert not branch.prepared.aligned.leaps[1:].any()
    assert branch.flagged.any(axis=1).sum() == 1
