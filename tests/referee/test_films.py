"""The judge of films finds what is wrong in them, and nothing wrong in those that Luban makes."""

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation as Turn

from bridge.episode.episode import Episode
from bridge.episode.records import Ending, LiveStep, Start
from bridge.referee.films import find_deepest_overlap, judge
from pysim.catalog import AnyLevel, find_family, list_shipped_levels
from pysim.physics.factory import create_world
from pysim.physics.world import World
from pysim.trajectory import Trajectory
from tests.sampling import by_day, levels_by_day, more

HERTZ = float(more(48))
"""Pictures a second at which films are looked at: 240 by night."""
DEEPEST = 0.02
"""Units: slack for floats, and for what rests a little off its pose in Bullet."""
FASTEST = 12.0
"""Units a second: half a unit between pictures at 24 Hz."""
CUBE = np.zeros((1, 3))

Matrix = NDArray[np.float64]


def place(offset: tuple[float, float, float], turn: Turn | None = None) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) if turn is None else turn.as_matrix()
    matrix[:3, 3] = offset
    return matrix


def depth_of(one: Matrix, other: Matrix) -> float:
    found = find_deepest_overlap({"a": CUBE, "b": CUBE}, [{"a": one, "b": other}], 0.0)
    return 0.0 if found is None else found.depth


def radius_of_common_ball(one: Matrix, other: Matrix) -> float:
    """Of the largest ball inside both cubes, by linear programming; negative if they are apart."""
    normals, limits = [], []
    for matrix in (one, other):
        for axis in matrix[:3, :3].T:
            for sign in (1.0, -1.0):
                normals.append([*(sign * axis), 1.0])
                limits.append(sign * axis @ matrix[:3, 3] + 0.5)
    found = linprog([0, 0, 0, -1], normals, limits, bounds=[(None, None)] * 4)
    return float(found.x[3])


@pytest.mark.slow
def test_two_cubes_overlap_exactly_if_a_ball_fits_into_both() -> None:
    rng = np.random.default_rng(4)
    both = {True: 0, False: 0}
    for _ in range(more(160, night=400)):
        shift = rng.normal(size=3)
        shift *= rng.uniform(0.8, 1.8) / np.linalg.norm(shift)
        turns = Turn.random(2, rng=rng)
        one, other = place((0, 0, 0), turns[0]), place(tuple(shift), turns[1])
        ball = radius_of_common_ball(one, other)
        if abs(ball) > 1e-6:
            assert (depth_of(one, other) > 0.0) == (ball > 0.0)
            both[ball > 0.0] += 1
    assert min(both.values()) > more(32, night=80)


@pytest.mark.parametrize("shift", [0.3, 0.98, 0.999, 1.0, 1.2])
def test_the_depth_of_unturned_cubes_is_how_far_they_are_in_each_other(shift: float) -> None:
    for axis in range(3):
        offset = [0.1, -0.2, 0.05]
        offset[axis] = -shift
        found = depth_of(place((0, 0, 0)), place((offset[0], offset[1], offset[2])))
        assert found == pytest.approx(max(0.0, 1.0 - shift), abs=1e-12)


@pytest.mark.slow
def test_no_way_out_of_an_overlap_is_shorter_than_its_depth() -> None:
    rng = np.random.default_rng(7)
    for _ in range(40):
        one = place((0, 0, 0), Turn.random(rng=rng))
        other = place(tuple(rng.uniform(-0.4, 0.4, 3)), Turn.random(rng=rng))
        depth = depth_of(one, other)
        assert 0.3 < depth < 1.5
        directions = rng.normal(size=(40, 3))
        for direction in directions / np.linalg.norm(directions, axis=1, keepdims=True):
            moved = other.copy()
            moved[:3, 3] += 0.95 * depth * direction
            assert depth_of(one, moved) > 0.0


def test_a_piece_that_goes_through_another_one_is_named_with_the_frame() -> None:
    frames = [{"a": place((k / 10.0, 0, 0)), "b": place((3, 0, 0))} for k in range(61)]
    found = find_deepest_overlap({"a": CUBE, "b": CUBE}, frames, DEEPEST)
    assert found is not None and set(found.names) == {"a", "b"}
    assert found.frame == 30 and found.depth == pytest.approx(1.0)
    assert find_deepest_overlap({"a": CUBE, "b": CUBE}, frames[:21], DEEPEST) is None
    assert find_deepest_overlap({"a": CUBE, "b": CUBE}, frames[41:], DEEPEST) is None


@pytest.mark.parametrize("at", [0, 1, 255, 256, 257, 600])
def test_nothing_is_missed_between_batches(at: int) -> None:
    """One frame of many in which a body is in another one, far too low and far too fast."""
    film = [{"a": place((0, 0, 0)), "b": place((5, 0, 0))}] + [{}] * 700
    film[at] = film[at] | {"a": place((5, 0, -0.5))}
    film[at + 1] = {"a": place((0, 0, 0))}
    verdict = judge({"a": CUBE, "b": CUBE}, film, DEEPEST)
    assert verdict.overlap is not None and verdict.overlap.frame == at
    assert verdict.overlap.depth == pytest.approx(0.5)
    assert verdict.lowest == -1.0 and verdict.frames == 701
    assert verdict.step == pytest.approx(np.hypot(5.0, 0.5))
    assert verdict.fastest == (at if at else 1)


def test_a_long_body_that_turns_is_as_fast_as_its_end() -> None:
    bar = np.array([(x, 0.0, 0.0) for x in range(10)])
    turn = Turn.from_euler("z", 2.0, degrees=True)
    frames = [{"a": place((0, 0, 0))}, {"a": place((0, 0, 0), turn)}]
    far = np.hypot(9.5, 0.5) * 2.0 * np.sin(np.radians(1.0))
    assert judge({"a": bar}, frames, DEEPEST).step == pytest.approx(far)


def test_a_film_without_frames_or_bodies_is_refused() -> None:
    with pytest.raises(ValueError, match="without frames"):
        judge({"a": CUBE}, [], DEEPEST)
    with pytest.raises(ValueError, match="lacks b"):
        judge({"a": CUBE, "b": CUBE}, [{"a": np.eye(4)}], DEEPEST)


class _Projector:
    """A listener that keeps what each step showed."""

    def __init__(self) -> None:
        self.shown: list[Trajectory] = []

    def record_start(self, start: Start) -> None:
        pass

    def record_step(self, record: LiveStep) -> None:
        assert record.disagreement is None
        self.shown.append(record.trajectory)

    def record_end(self, ending: Ending) -> None:
        assert ending.disagreements == 0


def frames_of(level: AnyLevel, world: World) -> Iterator[dict[str, Matrix]]:
    """The film of a level's plan, looked at :data:`HERTZ` times a second."""
    projector = _Projector()
    episode = Episode(level, world, listener=projector)
    try:
        yield world.transforms()
        for action in level.plan.actions if level.plan else ():
            episode.step(action)
            (film,) = projector.shown
            projector.shown.clear()
            for k in range(ceil(film.duration * HERTZ) + 1):
                yield film.sample(min(k / HERTZ, film.duration))
        yield world.transforms()
    finally:
        episode.close()


def check_film(level: AnyLevel, name: str) -> None:
    rules: Any = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    bodies = {body.name: np.array(body.shape.cells, np.float64) for body in scene.bodies}
    verdict = judge(bodies, frames_of(level, create_world(name)), DEEPEST)
    assert verdict.overlap is None
    assert verdict.step * HERTZ < FASTEST
    if scene.table is not None:
        assert verdict.lowest >= scene.table.low[2] - 0.5 - DEEPEST


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    "level", by_day(list_shipped_levels(), lambda v: v.family, name=lambda v: v.id)
)
def test_the_film_of_a_plan_shows_only_what_is_possible(level: AnyLevel) -> None:
    check_film(level, "lattice")


CARRIED = [level for level in list_shipped_levels() if level.family in ("burr", "packing")]


@pytest.mark.by_day(4)
@pytest.mark.parametrize("level", levels_by_day(CARRIED))
def test_the_film_of_a_plan_in_bullet_shows_only_what_is_possible(level: AnyLevel) -> None:
    pytest.importorskip("pybullet")
    check_film(level, "bullet")
