"""Loose bodies in the bullet world: they fall, rest, and don't move by themselves."""

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from pysim.geometry import Direction, Pose, Voxels, list_rotations, make_quarter_turn
from pysim.geometry.directions import Axis
from pysim.motion import Carry, Motion, Sweep
from pysim.path import Path as CarryPath
from pysim.path import Shift
from pysim.physics.factory import create_world
from pysim.physics.world import World
from pysim.scene import Body
from tests.physics.scenes import (
    at,
    bluntly,
    brought,
    farthest_jump,
    interlocked,
    named,
    same,
    scene_of,
)
from tests.waiting import PATIENCE

pytest.importorskip("pybullet")

L_SHAPE = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1)])
GALLOWS = Voxels.from_cells([(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 2), (2, 0, 2), (3, 0, 2)])
CUBE = Voxels.make_block((1, 1, 1))


@pytest.fixture
def world() -> Iterator[World]:
    world = create_world("bullet")
    yield world
    world.close()


def off(world: World, name: str, pose: Pose) -> float:
    """The most that an entry of the body's transform is off its pose."""
    return float(np.abs(world.transforms()[name] - pose.transform()).max())


def test_a_body_set_down_in_a_stable_pose_stays_there(world: World) -> None:
    scene = scene_of(named("piece", L_SHAPE, (0, 0, 0)), named("block", CUBE, (0, 5, 0)))
    for turns, height in ((0, 0), (1, 0)):
        pose = at(25, 0, height, make_quarter_turn(Axis.X, turns))
        world.reset(scene)
        report = world.execute([brought(world, scene, "piece", pose, True)])
        assert report.completed and not report.fallen
        assert off(world, "piece", pose) < 0.02


def test_a_body_whose_weight_is_beside_its_foot_tips_over(world: World) -> None:
    world.reset(scene := scene_of(named("piece", GALLOWS, (0, 0, 0))))
    report = world.execute([brought(world, scene, "piece", at(25, 0, 0), True)])
    turned = world.transforms()["piece"]
    assert turned[2, 2] < 0.9 and report.fallen == {"piece"}
    assert farthest_jump(report.trajectory, scene) < 1.25
    lowest = min((turned @ (*cell, 1.0))[2] for cell in GALLOWS.cells)
    assert -0.1 < lowest < 0.3
    again = world.transforms()
    assert world.execute([]).completed and same(world.transforms(), again)


def steadiness(body: Body) -> float:
    """Units by which the centre of mass is above the inside of the foot (negative: beside it)."""
    cells = np.array(body.place().cells, float)
    foot = cells[cells[:, 2] == cells[:, 2].min(), :2]
    corners = np.concatenate([foot + (x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
    edges = ConvexHull(corners).equations
    return float(-(edges[:, :2] @ cells.mean(axis=0)[:2] + edges[:, 2]).max())


@pytest.mark.slow
def test_bodies_stay_where_statics_says_so_and_tip_where_it_does_not(world: World) -> None:
    seen = {True: 0, False: 0}
    for k in range(40):
        rng = random.Random(k)
        for body in interlocked(rng).bodies:
            corner = (30, 0, 0)
            pose = Pose.place_corner(body.shape, rng.choice(list_rotations()), corner)
            margin = steadiness(replace(body, pose=pose))
            if abs(margin) < 0.1:
                continue
            lifted = replace(body, pose=at(0, 0, 40, body.pose.rotation))
            world.reset(scene_of(lifted))
            world.execute([bluntly(lifted, pose, True)])
            assert (off(world, body.name, pose) < 0.1) == (margin > 0.0), (body.shape, pose)
            seen[margin > 0.0] += 1
    assert min(seen.values()) > 10


def test_a_body_of_more_than_sixteen_boxes_falls_as_one(world: World) -> None:
    bar = [(x, 0, 0) for x in range(40)]
    comb = Voxels.from_cells(bar + [(2 * k, 0, 1) for k in range(20)])
    stand = at(0, 8, 0, make_quarter_turn(Axis.Y, -1))
    lying = at(0, 8, 0)
    world.reset(scene := scene_of(named("comb", comb, (0, 0, 3))))
    world.execute([brought(world, scene, "comb", lying, True)])
    assert off(world, "comb", lying) < 0.05
    world.execute([brought(world, scene, "comb", stand)])
    assert off(world, "comb", stand) == 0.0


def test_a_body_let_go_in_the_air_lands_on_the_table(world: World) -> None:
    world.reset(scene := scene_of(named("cube", CUBE, (0, 0, 0))))
    world.execute([brought(world, scene, "cube", at(25, 0, 4), True)])
    assert off(world, "cube", at(25, 0, 0)) < 0.05


def test_a_body_set_on_another_one_rests_there_and_falls_when_that_goes(world: World) -> None:
    scene = scene_of(
        named("below", Voxels.make_block((3, 3, 1)), (25, 0, 0), loose=True),
        named("above", CUBE, (0, 0, 0)),
    )
    world.reset(scene)
    world.execute([brought(world, scene, "above", at(26, 1, 1), True)])
    assert off(world, "above", at(26, 1, 1)) < 0.05
    pulled = Carry(frozenset({"below"}), CarryPath([Shift(Direction.MINUS_X, 25)]), False)
    assert world.execute([pulled]).fallen == {"above"}
    assert off(world, "above", at(26, 1, 0)) < 0.05


def test_loose_bodies_do_not_creep(world: World) -> None:
    stones = [
        named(f"s{k}", Voxels.make_block((2, 2, 1)), (25 + 2 * k, 0, 0), loose=True)
        for k in range(5)
    ]
    scene = scene_of(named("bar", Voxels.make_block((3, 1, 1)), (0, 0, 0)), *stones)
    world.reset(scene)
    before = world.transforms()
    for direction in (Direction.PLUS_Y, Direction.MINUS_Y) * 10:
        assert world.execute([Sweep(frozenset({"bar"}), direction, 2)]).completed
    world.execute([brought(world, scene, "bar", at(25, 2, 0))])
    world.execute([Sweep(frozenset({"bar"}), Direction.PLUS_X, 4)])
    after = world.transforms()
    assert all(np.array_equal(after[s.name], before[s.name]) for s in stones)


def test_a_sweep_slides_beside_bodies_that_were_set_down(world: World) -> None:
    scene = scene_of(
        named("bar", Voxels.make_block((3, 1, 1)), (15, 0, 0)),
        named("left", L_SHAPE, (0, 0, 0)),
        named("right", L_SHAPE, (0, 4, 0)),
        named("end", CUBE, (0, 8, 0)),
    )
    exact = create_world("lattice")
    for each in (exact, world):
        each.reset(scene)
        each.execute([brought(each, scene, "left", at(20, 1, 0), True)])
        each.execute([brought(each, scene, "right", at(20, -1, 0), True)])
        each.execute([brought(each, scene, "end", at(27, 0, 0), True)])
    for direction, distance in (("+x", 4), ("+x", 9), ("+z", 2), ("-x", 6), ("-z", 2)):
        sweep = Sweep(frozenset({"bar"}), Direction(direction), distance)
        one, other = exact.execute([sweep]), world.execute([sweep])
        assert (one.completed, one.travel, one.contacts) == (
            other.completed,
            other.travel,
            other.contacts,
        )


def test_a_loose_body_that_is_lifted_by_a_sweep_falls_back(world: World) -> None:
    world.reset(scene_of(named("cube", CUBE, (25, 0, 0), loose=True)))
    assert world.execute([Sweep(frozenset({"cube"}), Direction.PLUS_Z, 2)]).completed
    assert off(world, "cube", at(25, 0, 0)) < 0.05


STORY = """
import sys
from tests.physics.test_falling import story
story(int(sys.argv[1]))
"""


def story(detours: int) -> None:
    """Print every bit of a small history, after others that must not matter."""
    world = create_world("bullet")
    scene = scene_of(
        named("gallows", GALLOWS, (0, 0, 0)),
        named("hook", L_SHAPE, (0, 3, 0)),
        named("cube", CUBE, (26, 0, 0), loose=True),
    )
    carries = (("hook", at(27, 0, 0)), ("gallows", at(24, 0, 1)), ("hook", at(24, 3, 5)))
    for _ in range(detours):
        world.reset(scene)
        world.execute([brought(world, scene, *carries[1], True)])
    world.reset(scene)
    for number in range(4):
        motion: Motion = Sweep(frozenset({"gallows"}), Direction.PLUS_Z, 3)
        if number < 3:
            motion = brought(world, scene, *carries[number], True)
        report = world.execute([motion])
        print(report.completed, report.measured.hex())
        for keyframe in report.trajectory.keyframes:
            print({name: m.tobytes().hex() for name, m in keyframe.transforms.items()})
        print({name: m.tobytes().hex() for name, m in world.transforms().items()})
    world.close()


def test_the_same_motions_give_the_same_bits_in_every_process() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", STORY, detours],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for detours in ("0", "3")
    ]
    assert len(outputs[0]) > 10_000
    assert outputs[0] == outputs[1]


def test_without_pybullet_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(ImportError, match="pip install"):
        create_world("bullet")
