"""What a world shows of a motion: smooth, true to its ends, and no faster than it may be."""

import random
from itertools import pairwise

import numpy as np
import pytest

from pysim.carrying import NoPath
from pysim.geometry import Direction, Pose, list_rotations
from pysim.motion import Motion, Sweep
from pysim.physics.world import World
from pysim.scene import Scene
from tests.physics.motions import BAR, carry, sweep
from tests.physics.scenes import (
    brought,
    farthest_jump,
    interlocked,
    named,
    random_sweep,
    same,
    scene_of,
)
from tests.sampling import more


def test_trajectories_are_smooth_and_lead_from_the_former_to_the_new_places(world: World) -> None:
    rng = random.Random(5)
    for _ in range(6):
        scene = interlocked(rng)
        scene = scene_of(*scene.bodies)
        world.reset(scene)
        for number in range(6):
            motions: list[Motion] = [_level_sweep(rng, scene)]
            if number % 3 == 2:
                motions.insert(0, _far_away(rng, world, scene, number))
            before = world.transforms()
            film = world.execute(motions).trajectory
            after = world.transforms()
            times = [keyframe.time for keyframe in film.keyframes]
            assert times[0] == 0.0 and times == sorted(set(times))
            first, last = film.sample(0.0), film.sample(film.duration)
            assert same(first, {name: before[name] for name in first}, within=1e-9)
            assert same(last, {name: after[name] for name in last}, within=1e-9)
            assert all(same({"": before[n]}, {"": after[n]}) for n in after if n not in last)
            assert farthest_jump(film, scene) < 1.25


def _level_sweep(rng: random.Random, scene: Scene) -> Sweep:
    """Not downwards: what is swept through the table is thrown out of it when it is let go."""
    found = random_sweep(rng, scene, farthest=30)
    up = Direction.PLUS_Z if found.direction is Direction.MINUS_Z else found.direction
    return Sweep(found.bodies, up, found.distance)


def _far_away(rng: random.Random, world: World, scene: Scene, number: int) -> Motion:
    """Bring the first body out, if it can be, and turned if there is room."""
    shape = scene.find_body("b0").shape
    corner = (rng.randint(25, 45), 9 * number, 0)
    far = Pose.place_corner(shape, rng.choice(list_rotations()), corner)
    try:
        return brought(world, scene, "b0", far, rng.random() < 0.5)
    except NoPath:
        return carry("b0", ("+z", 30))


def test_a_sweep_takes_a_quarter_second_and_some_for_each_unit(world: World) -> None:
    film = world.execute([sweep("-x", 5, "bar")]).trajectory
    assert film.duration == pytest.approx(0.25 + 5 * 0.125)
    assert film.sample(film.duration / 2.0)["bar"][0, 3] == pytest.approx(-2.5, abs=0.2)


def test_a_blocked_attempt_is_shown_with_its_way_back(world: World) -> None:
    film = world.execute([sweep("+x", 5, "bar")]).trajectory
    assert film.sample(film.duration / 2.0)["bar"][0, 3] == pytest.approx(2.0)
    world.execute([sweep("+x", 2, "bar")])
    nudged = world.execute([sweep("+x", 5, "bar")]).trajectory
    assert nudged.sample(nudged.duration / 2.0)["bar"][0, 3] == pytest.approx(2.04)


def test_a_carried_body_is_shown_on_its_way_and_nowhere_else(world: World) -> None:
    way = (("+z", 4), ("+x", 20), ("+y", 5), ("-z", 4))
    film = world.execute([carry("bar", *way, loose=True)]).trajectory
    places = np.array(
        [film.sample(k / 240.0)["bar"][:3, 3] for k in range(int(film.duration * 240))]
    )
    corners = np.array([[0, 0, 0], [0, 0, 4], [20, 0, 4], [20, 5, 4], [20, 5, 0]], float)
    off = np.full(len(places), np.inf)
    for here, there in pairwise(corners):
        share = np.clip((places - here) @ (there - here) / ((there - here) @ (there - here)), 0, 1)
        nearest = here + share[:, None] * (there - here)
        off = np.minimum(off, np.linalg.norm(places - nearest, axis=1))
    assert off.max() < 1e-9
    for corner in corners:
        assert np.linalg.norm(places - corner, axis=1).min() < 0.05
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 12.0 / 240.0
    assert 33 / 12.0 < film.duration < 6.0


@pytest.mark.slow
def test_a_body_that_turns_in_the_air_stays_in_its_ball_and_below_twelve_units_a_second(
    world: World,
) -> None:
    body = named("bar", BAR, (0, 0, 9))
    world.reset(scene_of(body))
    for rotation in list_rotations()[1 :: 24 // more(6, night=24)]:
        goal = Pose.place_corner(BAR, rotation, (1, 1, 9))
        film = world.execute([brought(world, scene_of(body), "bar", goal)]).trajectory
        count = int(film.duration * 240)
        cells = np.array([(*cell, 1.0) for cell in BAR.cells])
        looks = [cells @ film.sample(k / 240.0)["bar"].T for k in range(count)]
        steps = [np.abs(np.linalg.norm(b - a, axis=1)).max() for a, b in pairwise(looks)]
        assert max(steps) < 12.0 / 240.0
        world.reset(scene_of(body))
