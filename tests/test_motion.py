"""Trajectories: where bodies are between keyframes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import Pose, Rotation
from pysim.motion import Keyframe, Trajectory, Transform
from tests.geometry.strategies import poses


def at(x: float, rotation: int = 0) -> Transform:
    matrix = Pose(Rotation(rotation), (0, 0, 0)).transform()
    matrix[0, 3] = x
    return matrix


def test_positions_go_straight_between_keyframes() -> None:
    film = Trajectory((Keyframe(0.0, {"a": at(0.0)}), Keyframe(2.0, {"a": at(4.0)})))
    assert film.duration == 2.0
    for time in (0.0, 0.5, 1.0, 1.7, 2.0):
        assert film.at(time)["a"] == pytest.approx(at(2.0 * time))


def test_before_the_first_and_after_the_last_keyframe_bodies_stand() -> None:
    film = Trajectory((Keyframe(0.0, {"a": at(1.0)}), Keyframe(1.0, {"a": at(2.0)})))
    assert film.at(-5.0)["a"] == pytest.approx(at(1.0))
    assert film.at(9.0)["a"] == pytest.approx(at(2.0))


def test_each_body_is_followed_through_the_keyframes_that_name_it() -> None:
    film = Trajectory(
        (
            Keyframe(0.0, {"a": at(0.0), "b": at(0.0)}),
            Keyframe(1.0, {"a": at(10.0)}),
            Keyframe(2.0, {"a": at(10.0), "b": at(2.0)}),
            Keyframe(3.0, {"c": at(7.0)}),
        )
    )
    seen = film.at(1.0)
    assert [seen[name][0, 3] for name in "abc"] == pytest.approx([10.0, 1.0, 7.0])
    assert list(film.at(0.3)) == ["a", "b", "c"]


@given(poses, poses, st.floats(0.0, 1.0))
def test_what_lies_between_two_poses_is_rigid(a: Pose, b: Pose, share: float) -> None:
    film = Trajectory((Keyframe(0.0, {"a": a.transform()}), Keyframe(1.0, {"a": b.transform()})))
    between = film.at(share)["a"]
    turn = between[:3, :3]
    assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    line = (1.0 - share) * np.array(a.offset) + share * np.array(b.offset)
    assert between[:3, 3] == pytest.approx(line)
    assert np.array_equal(between[3], [0.0, 0.0, 0.0, 1.0])


@given(poses, poses)
def test_at_keyframes_bodies_are_where_the_keyframes_say(a: Pose, b: Pose) -> None:
    film = Trajectory((Keyframe(0.0, {"a": a.transform()}), Keyframe(1.0, {"a": b.transform()})))
    assert film.at(0.0)["a"] == pytest.approx(a.transform(), abs=1e-9)
    assert film.at(1.0)["a"] == pytest.approx(b.transform(), abs=1e-9)


def test_a_quarter_turn_goes_the_short_way() -> None:
    quarter = Rotation.parse("+Y-X+Z").index
    film = Trajectory((Keyframe(0.0, {"a": at(0)}), Keyframe(1.0, {"a": at(0, quarter)})))
    half = film.at(0.5)["a"][:3, :3]
    assert half @ [1.0, 0.0, 0.0] == pytest.approx([0.5**0.5, 0.5**0.5, 0.0])


def test_a_film_of_nothing_has_no_length_and_no_bodies() -> None:
    assert Trajectory().duration == 0.0 and Trajectory().at(1.0) == {}


def test_keyframes_are_made_once_and_only_when_they_are_asked_for() -> None:
    made: list[int] = []

    def make() -> list[Keyframe]:
        made.append(1)
        return [Keyframe(0.0, {"a": at(0.0)}), Keyframe(1.0, {"a": at(1.0)})]

    film = Trajectory(make)
    assert made == []
    assert film.at(0.5)["a"] == pytest.approx(at(0.5))
    assert film.duration == 1.0 and len(film.keyframes) == 2 and made == [1]
