"""Trajectories: where bodies are between keyframes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import Pose, Rotation
from pysim.trajectory import Keyframe, Trajectory, Transform, sample_frames
from tests.geometry.strategies import poses


def at(x: float, rotation: int = 0) -> Transform:
    matrix = Pose(Rotation(rotation), (0, 0, 0)).transform()
    matrix[0, 3] = x
    return matrix


def test_positions_go_straight_between_keyframes() -> None:
    film = Trajectory((Keyframe(0.0, {"a": at(0.0)}), Keyframe(2.0, {"a": at(4.0)})))
    assert film.duration == 2.0
    for time in (0.0, 0.5, 1.0, 1.7, 2.0):
        assert film.sample(time)["a"] == pytest.approx(at(2.0 * time))


def test_before_the_first_and_after_the_last_keyframe_bodies_stand() -> None:
    film = Trajectory((Keyframe(0.0, {"a": at(1.0)}), Keyframe(1.0, {"a": at(2.0)})))
    assert film.sample(-5.0)["a"] == pytest.approx(at(1.0))
    assert film.sample(9.0)["a"] == pytest.approx(at(2.0))


def test_each_body_is_followed_through_the_keyframes_that_name_it() -> None:
    film = Trajectory(
        (
            Keyframe(0.0, {"a": at(0.0), "b": at(0.0)}),
            Keyframe(1.0, {"a": at(10.0)}),
            Keyframe(2.0, {"a": at(10.0), "b": at(2.0)}),
            Keyframe(3.0, {"c": at(7.0)}),
        )
    )
    seen = film.sample(1.0)
    assert [seen[name][0, 3] for name in "abc"] == pytest.approx([10.0, 1.0, 7.0])
    assert list(film.sample(0.3)) == ["a", "b", "c"]


@given(poses, poses, st.floats(0.0, 1.0))
def test_what_lies_between_two_poses_is_rigid(a: Pose, b: Pose, share: float) -> None:
    film = Trajectory((Keyframe(0.0, {"a": a.transform()}), Keyframe(1.0, {"a": b.transform()})))
    between = film.sample(share)["a"]
    turn = between[:3, :3]
    assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    line = (1.0 - share) * np.array(a.offset) + share * np.array(b.offset)
    assert between[:3, 3] == pytest.approx(line)
    assert np.array_equal(between[3], [0.0, 0.0, 0.0, 1.0])


@given(poses, poses)
def test_at_keyframes_bodies_are_where_the_keyframes_say(a: Pose, b: Pose) -> None:
    film = Trajectory((Keyframe(0.0, {"a": a.transform()}), Keyframe(1.0, {"a": b.transform()})))
    assert film.sample(0.0)["a"] == pytest.approx(a.transform(), abs=1e-9)
    assert film.sample(1.0)["a"] == pytest.approx(b.transform(), abs=1e-9)


def test_a_quarter_turn_goes_the_short_way() -> None:
    quarter = Rotation.parse("+Y-X+Z").index
    film = Trajectory((Keyframe(0.0, {"a": at(0)}), Keyframe(1.0, {"a": at(0, quarter)})))
    half = film.sample(0.5)["a"][:3, :3]
    assert half @ [1.0, 0.0, 0.0] == pytest.approx([0.5**0.5, 0.5**0.5, 0.0])


def test_a_film_of_nothing_has_no_length_and_no_bodies() -> None:
    assert Trajectory().duration == 0.0 and Trajectory().sample(1.0) == {}


def test_keyframes_are_made_once_and_only_when_they_are_asked_for() -> None:
    made: list[int] = []

    def make() -> list[Keyframe]:
        made.append(1)
        return [Keyframe(0.0, {"a": at(0.0)}), Keyframe(1.0, {"a": at(1.0)})]

    film = Trajectory(make)
    assert made == []
    assert film.sample(0.5)["a"] == pytest.approx(at(0.5))
    assert film.duration == 1.0 and len(film.keyframes) == 2 and made == [1]


def quarter_turn(angle: float, pivot: tuple[float, float, float]) -> Transform:
    """About a vertical axis."""
    matrix = np.eye(4)
    c, s = np.cos(angle), np.sin(angle)
    matrix[:2, :2] = [[c, -s], [s, c]]
    matrix[:3, 3] = np.array(pivot) - matrix[:3, :3] @ np.array(pivot)
    return matrix


@given(share=st.floats(0.0, 1.0), pivot=st.tuples(*[st.floats(-3, 3)] * 3), lift=st.floats(-2, 2))
def test_bodies_that_turn_together_turn_about_their_common_axis(
    share: float, pivot: tuple[float, float, float], lift: float
) -> None:
    homes = {"a": at(1.0), "b": at(-2.0, rotation=5), "c": at(0.5, rotation=11)}
    up = np.eye(4)
    up[2, 3] = lift
    motion = up @ quarter_turn(np.pi / 2, pivot)
    film_ = Trajectory(
        (Keyframe(0.0, homes), Keyframe(1.0, {name: motion @ home for name, home in homes.items()}))
    )
    part = quarter_turn(share * np.pi / 2, pivot)
    part[2, 3] += share * lift
    for name, transform in film_.sample(share).items():
        assert transform == pytest.approx(part @ homes[name], abs=1e-6)


def test_a_film_runs_from_the_start_to_the_very_end_at_true_speed() -> None:
    slide = Trajectory((Keyframe(0.0, {"a": at(0.0)}), Keyframe(1.05, {"a": at(2.1)})))
    places = [moment["a"][0, 3] for moment in sample_frames(slide, 10)]
    assert places == pytest.approx([*(0.2 * k for k in range(11)), 2.1])
    assert [len(list(sample_frames(slide, fps))) for fps in (1, 20, 24)] == [3, 22, 27]


def test_nothing_to_see_makes_no_film() -> None:
    assert list(sample_frames(Trajectory(), 24)) == []
    assert len(list(sample_frames(Trajectory([Keyframe(0.0, {"a": at(0.0)})]), 24))) == 1
    with pytest.raises(ValueError, match="more than 0 pictures a second"):
        list(sample_frames(Trajectory(), 0))
