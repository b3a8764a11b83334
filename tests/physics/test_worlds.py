"""What every world in this package keeps, run over all of them."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from pysim.geometry import Direction, Pose, Voxels, all_rotations
from pysim.motion import Carry, Motion, Sweep
from pysim.physics.factory import create_world, worlds
from pysim.physics.world import World
from tests.physics.scenes import (
    at,
    farthest_jump,
    interlocked,
    named,
    random_sweep,
    same,
    scene_of,
)
from tests.unity.standins import engines

BAR = Voxels.block((4, 1, 1))
STONE = Voxels.block((2, 2, 2))
SCENE = scene_of(
    named("bar", BAR, (0, 0, 0)),
    named("wall", Voxels.block((1, 3, 3)), (6, 0, 0)),
    named("stone", STONE, (25, 0, 0), loose=True),
)


def sweep(direction: str, distance: int, *bodies: str) -> Sweep:
    return Sweep(frozenset(bodies), Direction(direction), distance)


@pytest.fixture(params=engines().worlds())
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "bullet":
        pytest.importorskip("pybullet")
    world = engines().create_world(request.param)
    world.reset(SCENE)
    yield world
    world.close()


def test_the_factory_lists_its_worlds_and_refuses_others() -> None:
    assert worlds() == ("lattice", "bullet")
    with pytest.raises(ValueError, match=r"no world 'unreal'.*lattice, bullet"):
        create_world("unreal")


def test_a_world_tells_its_name_and_version(world: World) -> None:
    assert isinstance(world, World)
    assert world.name in engines().worlds()
    assert world.version.split()[0] in ("lattice", "pybullet", "Luban")


def test_after_reset_every_body_is_exactly_in_its_pose(world: World) -> None:
    assert list(world.transforms()) == ["bar", "wall", "stone"]
    for body in SCENE.bodies:
        assert np.array_equal(world.transforms()[body.name], body.pose.transform())


def test_no_motions_change_nothing(world: World) -> None:
    before = world.transforms()
    report = world.execute([])
    assert (report.completed, report.travel, report.measured) == (True, 0, 0.0)
    assert not report.contacts and not report.trajectory.keyframes
    assert same(world.transforms(), before)


def test_a_blocked_sweep_puts_everything_back_exactly(world: World) -> None:
    before = world.transforms()
    report = world.execute([sweep("+x", 5, "bar")])
    assert (report.completed, report.travel, report.contacts) == (False, 2, frozenset({"wall"}))
    assert same(world.transforms(), before)


def test_a_sweep_and_its_reverse_restore_everything_exactly(world: World) -> None:
    before = world.transforms()
    assert world.execute([sweep("+y", 3, "bar", "wall")]).completed
    assert world.execute([sweep("-y", 3, "bar", "wall")]).completed
    assert same(world.transforms(), before)


def test_a_long_sweep_goes_its_whole_way(world: World) -> None:
    report = world.execute([sweep("-x", 30, "bar")])
    assert report.completed and report.travel == 30 and report.measured == 30.0
    assert world.transforms()["bar"][0, 3] == -30.0


def test_a_long_sweep_finds_what_is_at_its_end(world: World) -> None:
    world.reset(scene_of(named("bar", BAR, (0, 0, 0)), named("stone", STONE, (33, 0, 0))))
    report = world.execute([sweep("+x", 30, "bar")])
    assert (report.completed, report.travel) == (False, 29)
    assert report.contacts == {"stone"}


def test_all_bodies_that_stand_in_the_way_are_named(world: World) -> None:
    left, right, beside = (
        named(name, Voxels.block((1, 1, 1)), cell)
        for name, cell in (("left", (2, 0, 0)), ("right", (2, 2, 0)), ("beside", (1, 3, 0)))
    )
    world.reset(scene_of(named("plate", Voxels.block((1, 3, 1)), (0, 0, 0)), left, right, beside))
    report = world.execute([sweep("+x", 2, "plate")])
    assert (report.travel, report.contacts) == (1, frozenset({"left", "right"}))


@pytest.mark.parametrize(
    "motions",
    [
        [sweep("+x", 1, "ghost")],
        [sweep("-x", 1, "bar"), Carry("ghost", at(0, 9, 0), False)],
        [Carry("bar", at(0, 9, 0), False), sweep("+x", 1, "bar", "ghost")],
    ],
)
def test_an_unknown_body_is_a_key_error_and_changes_nothing(
    world: World, motions: list[Motion]
) -> None:
    before = world.transforms()
    with pytest.raises(KeyError, match="ghost"):
        world.execute(motions)
    assert same(world.transforms(), before)


@pytest.mark.parametrize(
    "motions",
    [
        [sweep("-x", 1, "bar"), sweep("-x", 1, "wall")],
        [sweep("-x", 0, "bar")],
        [sweep("-x", 1)],
        [Carry("bar", at(25, 0, -1), True)],
    ],
)
def test_motions_without_sense_are_value_errors_and_change_nothing(
    world: World, motions: list[Motion]
) -> None:
    before = world.transforms()
    with pytest.raises(ValueError):
        world.execute(motions)
    assert same(world.transforms(), before)


def test_a_carry_into_another_body_fails_names_it_and_changes_nothing(world: World) -> None:
    before = world.transforms()
    for pose in (at(3, 0, 0), at(6, 2, 2), at(25, 1, 1)):
        for loose in (True, False):
            report = world.execute([sweep("-y", 2, "bar"), Carry("bar", pose, loose)])
            assert not report.completed
            assert report.contacts in ({"wall"}, {"stone"})
            assert same(world.transforms(), before)
    assert world.execute([sweep("+x", 2, "bar")]).completed


def test_a_carry_puts_a_body_exactly_in_its_pose(world: World) -> None:
    for rotation in all_rotations():
        pose = Pose(rotation, (0, 12, 5))
        assert world.execute([Carry("bar", pose, False)]).completed
        assert np.array_equal(world.transforms()["bar"], pose.transform())


def test_a_blocked_sweep_takes_back_the_carries_before_it(world: World) -> None:
    before = world.transforms()
    # The bodies trade places by way of a third one, so that taking back has an order to get wrong.
    motions: list[Motion] = [
        Carry("bar", at(0, 20, 0), False),
        Carry("wall", at(0, 0, 0), False),
        Carry("bar", at(6, 0, 0), False),
        sweep("+x", 1, "wall"),
        sweep("+x", 9, "wall"),
    ]
    report = world.execute([*motions[:3], motions[4]])
    assert (report.completed, report.travel, report.contacts) == (False, 5, frozenset({"bar"}))
    assert same(world.transforms(), before)
    last = report.trajectory.at(report.trajectory.duration)
    assert same(last, {name: before[name] for name in last})
    assert world.execute([sweep("+x", 2, "bar")]).completed


def test_a_carry_after_a_sweep_that_fails_takes_the_sweep_back(world: World) -> None:
    before = world.transforms()
    report = world.execute([sweep("+x", 2, "bar"), Carry("wall", at(3, 0, 0), False)])
    assert (report.completed, report.contacts) == (False, {"bar"})
    assert same(world.transforms(), before)
    assert world.execute([sweep("+x", 3, "bar")]).travel == 2


def test_bodies_that_overlap_are_refused_and_the_old_scene_stays(world: World) -> None:
    before = world.transforms()
    with pytest.raises(ValueError, match="two would overlap one"):
        world.reset(scene_of(named("one", BAR, (0, 0, 0)), named("two", BAR, (3, 0, 0))))
    assert same(world.transforms(), before)


def test_a_loose_body_needs_a_table(world: World) -> None:
    with pytest.raises(ValueError, match="no table"):
        world.reset(scene_of(named("one", BAR, (0, 0, 0), loose=True), table=False))
    world.reset(scene_of(named("one", BAR, (0, 0, 0)), table=False))
    with pytest.raises(ValueError, match="no table"):
        world.execute([Carry("one", at(1, 0, 0), True)])


def test_a_closed_world_says_so_and_may_be_closed_again(world: World) -> None:
    world.close()
    world.close()
    for call in (
        lambda: world.reset(SCENE),
        lambda: world.execute([]),
        lambda: world.transforms(),
    ):
        with pytest.raises(RuntimeError, match="closed"):
            call()


def test_a_world_without_a_scene_says_so() -> None:
    for name in engines().worlds():
        if name == "bullet":
            pytest.importorskip("pybullet")
        world = engines().create_world(name)
        with pytest.raises(RuntimeError, match="reset"):
            world.execute([])
        world.close()


def test_trajectories_are_smooth_and_lead_from_the_former_to_the_new_places(world: World) -> None:
    chance = random.Random(5)
    for _ in range(6):
        scene = interlocked(chance)
        scene = scene_of(*scene.bodies)
        world.reset(scene)
        for number in range(6):
            motions: list[Motion] = [random_sweep(chance, scene, farthest=30)]
            if number % 3 == 2:
                rotation = chance.choice(all_rotations())
                shape = scene.body("b0").shape
                far = Pose.at_corner(shape, rotation, (chance.randint(25, 45), number, 0))
                motions.insert(chance.randint(0, 1), Carry("b0", far, chance.random() < 0.5))
            before = world.transforms()
            film = world.execute(motions).trajectory
            after = world.transforms()
            times = [keyframe.time for keyframe in film.keyframes]
            assert times[0] == 0.0 and times == sorted(set(times))
            first, last = film.at(0.0), film.at(film.duration)
            assert same(first, {name: before[name] for name in first}, within=1e-9)
            assert same(last, {name: after[name] for name in last}, within=1e-9)
            assert all(same({"": before[n]}, {"": after[n]}) for n in after if n not in last)
            assert farthest_jump(film) < 1.25


def test_a_sweep_takes_a_quarter_second_and_some_for_each_unit(world: World) -> None:
    film = world.execute([sweep("-x", 5, "bar")]).trajectory
    assert film.duration == pytest.approx(0.25 + 5 * 0.12)
    assert film.at(film.duration / 2.0)["bar"][0, 3] == pytest.approx(-2.5, abs=0.2)


def test_a_blocked_attempt_is_shown_with_its_way_back(world: World) -> None:
    film = world.execute([sweep("+x", 5, "bar")]).trajectory
    assert film.at(film.duration / 2.0)["bar"][0, 3] == pytest.approx(2.0)
    world.execute([sweep("+x", 2, "bar")])
    nudged = world.execute([sweep("+x", 5, "bar")]).trajectory
    assert nudged.at(nudged.duration / 2.0)["bar"][0, 3] == pytest.approx(2.04)


def test_a_carried_body_is_lifted_over_everything(world: World) -> None:
    film = world.execute([Carry("bar", at(25, 5, 0), True)]).trajectory
    heights = [film.at(k / 30.0)["bar"][2, 3] for k in range(int(film.duration * 30.0))]
    assert max(heights) > 2.5 + 0.5
    assert film.duration < 4.0
