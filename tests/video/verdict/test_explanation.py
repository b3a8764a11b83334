"""Explanation by the true film: what it holds for, and what it leaves unexplained."""

import cv2
import numpy as np
import pytest

from bridge.video.verdict.explanation import FilmExplanation, explain_by_film
from pysim.catalog import AnyLevel
from tests.sampling import levels_by_day
from tests.video.films import Picture, film_of, play

LOCK = "burr-piston"
FPS = 12.0


def explain(pictures: list[Picture], fps: float = FPS) -> FilmExplanation:
    return explain_by_film(film_of(LOCK), pictures, fps)


def all_frames() -> np.ndarray:
    return np.arange(film_of(LOCK).bundle.manifest.frames)


@pytest.mark.by_day(3)
@pytest.mark.parametrize("level", levels_by_day())
def test_film_of_a_level_explains_itself_and_all_its_visible_steps(level: AnyLevel) -> None:
    film = film_of(level.id)
    frames = np.arange(film.bundle.manifest.frames)
    found = explain_by_film(film, play(film, frames), FPS)
    assert found.is_whole and not found.unexplained.any()
    assert np.array_equal(
        film.frames[found.aligned.positions], film.frames[film.find_position(frames)]
    )
    visible = len(film.frames) > 1
    assert len(found.find_steps()) == len(film.bundle.manifest.steps) * visible


def test_steps_begin_and_end_in_the_frames_of_the_manifest() -> None:
    found = explain(play(film_of(LOCK), all_frames()))
    for step, told in zip(found.find_steps(), film_of(LOCK).bundle.manifest.steps, strict=True):
        assert abs(step.first - told.first_frame) <= 1 and abs(step.last - told.last_frame) <= 1


def test_still_picture_is_explained_and_ends_no_step() -> None:
    found = explain(play(film_of(LOCK), [0] * 40))
    assert found.is_whole and found.find_steps() == []


def test_film_that_stops_in_the_middle_of_a_step_has_ended_those_before() -> None:
    second = film_of(LOCK).bundle.manifest.steps[1]
    middle = (second.first_frame + second.last_frame) // 2
    found = explain(play(film_of(LOCK), all_frames()[:middle]))
    assert [step.step for step in found.find_steps()] == [0]


@pytest.mark.parametrize("rate", [6, 8, 24])
def test_film_at_another_rate_is_explained(rate: int) -> None:
    frames = np.arange(0, len(all_frames()), FPS / rate).astype(int)
    found = explain(play(film_of(LOCK), frames), rate)
    assert found.is_whole and len(found.find_steps()) == 2


@pytest.mark.parametrize("worse", ["noise", "tint", "dark", "compressed"])
def test_film_made_worse_is_explained(worse: str) -> None:
    rng = np.random.default_rng(5)
    pictures = play(film_of(LOCK), all_frames())
    match worse:
        case "noise":
            seen = [p + rng.normal(0.0, 10.0, p.shape) for p in pictures]
        case "tint":
            seen = [p * np.array([1.05, 0.97, 0.92]) for p in pictures]
        case "dark":
            seen = [255.0 * (p / 255.0) ** 1.15 * 0.92 for p in pictures]
        case _:
            seen = [np.round(p / 12.0) * 12.0 for p in pictures]
    found = explain([p.clip(0.0, 255.0).astype(np.float32) for p in seen])
    assert found.is_whole and len(found.find_steps()) == 2


def test_motion_that_leaves_frames_out_is_a_leap() -> None:
    film, step = film_of(LOCK), film_of(LOCK).bundle.manifest.steps[1]
    cut = [f for f in all_frames() if not step.first_frame < f < step.last_frame]
    found = explain(play(film, cut))
    assert found.aligned.leaps.sum() == 1 and not found.is_whole
    assert abs(int(np.flatnonzero(found.aligned.leaps)[0]) - step.first_frame) <= 1


def test_piece_that_vanishes_is_unexplained_in_those_frames_alone() -> None:
    film = film_of(LOCK)
    body = film.bundle.names.index("purple")
    pictures = play(film, all_frames())
    empty = np.median(pictures[0][:5], axis=(0, 1))
    for frame in range(10, 20):
        position = film.find_position(np.array([frame]))
        mask = film.read_masks(position)[int(position[0])] == body + 1
        pictures[frame][mask] = empty
    found = explain(pictures)
    assert found.unexplained[10:20, body + 1].all()
    assert not np.delete(found.unexplained, np.s_[9:21], axis=0).any()
    assert found.count_unexplained(["purple"], 10, 19) == 10
    assert found.count_unexplained(["purple"], 25, 30) == 0


def test_thing_before_the_background_is_unexplained() -> None:
    pictures = play(film_of(LOCK), all_frames())
    for frame in range(20, 30):
        pictures[frame][2:12, 2:12] = (20.0, 200.0, 40.0)
    found = explain(pictures)
    assert found.unexplained[20:30, 0].all() and found.count_unexplained([], 20, 29) == 10


def test_video_of_another_lock_is_not_explained() -> None:
    other = film_of("burr-half-lap")
    found = explain(play(other, np.arange(other.bundle.manifest.frames)))
    assert not found.is_whole and found.unexplained.any(axis=1).mean() > 0.1


def test_film_seen_by_a_camera_that_turns_is_explained_in_most_frames() -> None:
    pictures = play(film_of(LOCK), all_frames())
    height, width = pictures[0].shape[:2]
    seen = []
    for number, picture in enumerate(pictures):
        angle = 1.5 * np.sin(number / 8.0)
        turn = cv2.getRotationMatrix2D((width / 2.0, height / 2.0), angle, 1.0)
        edge = cv2.BORDER_REPLICATE
        seen.append(cv2.warpAffine(picture, turn, (width, height), borderMode=edge))
    found = explain(seen)
    assert found.unexplained.any(axis=1).mean() < 0.3


@pytest.mark.parametrize("blur", [0.7, 1.5])
def test_blurred_film_is_explained(blur: float) -> None:
    pictures = play(film_of(LOCK), all_frames())
    found = explain([cv2.GaussianBlur(picture, (0, 0), blur) for picture in pictures])
    assert found.is_whole and len(found.find_steps()) == 2


def test_step_shown_backwards_leaps_at_its_ends() -> None:
    film, step = film_of(LOCK), film_of(LOCK).bundle.manifest.steps[0]
    frames = all_frames()
    inside = slice(step.first_frame, step.last_frame + 1)
    frames[inside] = frames[inside][::-1]
    leaps = explain(play(film, frames)).find_leaps()
    assert [leap.frame for leap in leaps] == [step.first_frame, step.last_frame + 1]
    assert all(leap.names[0] == "purple" and leap.distance > 0.5 for leap in leaps)
