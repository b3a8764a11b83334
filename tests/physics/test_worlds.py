"""What every world in this package keeps, run over all of them."""

import numpy as np
import pytest

from pysim.geometry import (
    IDENTITY,
    Axis,
    Direction,
    Pose,
    Rotation,
    Voxels,
    add,
    list_rotations,
    make_quarter_turn,
    subtract,
)
from pysim.motion import Carry, Motion, Turn
from pysim.path import Path, Shift, Spin
from pysim.physics.factory import create_world, list_worlds
from pysim.physics.world import World
from tests.physics.motions import BAR, SCENE, STICK, STONE, carry, sweep
from tests.physics.scenes import (
    at,
    bluntly,
    brought,
    named,
    same,
    scene_of,
)
from tests.unity.standins import engines


def spin_between(here: Pose, there: Pose) -> Spin:
    """The turn that brings a body from one pose to the other one."""
    rotation = there.rotation.compose(here.rotation.inverse)
    return Spin(rotation, subtract(there.offset, rotation.apply(here.offset)))


def test_the_factory_lists_its_worlds_and_refuses_others() -> None:
    assert list_worlds() == ("lattice", "bullet")
    with pytest.raises(ValueError, match=r"no world 'unreal'.*lattice, bullet"):
        create_world("unreal")


def test_a_world_tells_its_name_and_version(world: World) -> None:
    assert isinstance(world, World)
    assert world.name in engines().list_worlds()
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
        named(name, Voxels.make_block((1, 1, 1)), cell)
        for name, cell in (("left", (2, 0, 0)), ("right", (2, 2, 0)), ("beside", (1, 3, 0)))
    )
    world.reset(
        scene_of(named("plate", Voxels.make_block((1, 3, 1)), (0, 0, 0)), left, right, beside)
    )
    report = world.execute([sweep("+x", 2, "plate")])
    assert (report.travel, report.contacts) == (1, frozenset({"left", "right"}))


@pytest.mark.parametrize(
    "motions",
    [
        [sweep("+x", 1, "ghost")],
        [sweep("-x", 1, "bar"), carry("ghost", ("+y", 9))],
        [carry("bar", ("+y", 9)), sweep("+x", 1, "bar", "ghost")],
        [carry("bar ghost", ("+y", 9))],
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
        [Carry(frozenset(), Path([Shift(Direction.PLUS_X, 1)]), False)],
        [carry("bar", ("+x", 0))],
        [carry("bar", ("+y", 4), ("-z", 1))],
        [sweep("-x", 2, "bar"), carry("bar", ("+z", 2), ("-z", 3))],
        [Carry(frozenset({"bar"}), Path([Spin(IDENTITY, (0, 0, 5))]), False)],
        [Carry(frozenset({"bar"}), Path([Spin(Rotation(1), (0, 0, 1))]), False)],
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
            motions: list[Motion] = [
                sweep("-y", 2, "bar"),
                bluntly(named("bar", BAR, (0, -2, 0)), pose, loose),
            ]
            report = world.execute(motions)
            assert not report.completed
            assert report.contacts in ({"wall"}, {"stone"})
            assert same(world.transforms(), before)
    assert world.execute([sweep("+x", 2, "bar")]).completed


def test_a_carry_through_another_body_fails_though_its_end_is_free(world: World) -> None:
    before = world.transforms()
    through = carry("bar", ("+x", 12))
    around = carry("bar", ("+z", 3), ("+x", 12), ("-z", 3))
    for height in (0, 2):
        world.reset(scene_of(named("bar", BAR, (0, 0, height)), *SCENE.bodies[1:]))
        report = world.execute([through])
        assert (report.completed, report.travel, report.contacts) == (False, 0, frozenset({"wall"}))
    world.reset(SCENE)
    assert same(world.transforms(), before)
    assert world.execute([around]).completed
    assert world.transforms()["bar"][0, 3] == 12.0


def test_a_carry_stops_at_the_first_leg_that_is_blocked(world: World) -> None:
    world.reset(
        scene_of(
            named("bar", BAR, (0, 0, 0)),
            named("near", STONE, (0, 0, 3)),
            named("far", STONE, (0, 6, 2)),
        )
    )
    assert world.execute([carry("bar", ("+z", 3))]).contacts == {"near"}
    assert world.execute([carry("bar", ("+z", 2), ("+y", 9))]).contacts == {"far"}
    assert world.execute([carry("bar", ("+z", 1), ("+y", 9), ("+x", 3))]).completed


def test_a_group_is_carried_as_one_where_its_pieces_could_not_go_alone(world: World) -> None:
    """A stick in a frame: neither gets out of the other one sideways."""
    frame = Voxels.from_cells(c for c in Voxels.make_block((3, 1, 3)).cells if c != (1, 0, 1))
    scene = scene_of(named("frame", frame, (0, 0, 0)), named("stick", STICK, (1, -2, 1)))
    way = (("+x", 9), ("+z", 4), ("+y", 2))
    for alone, other in (("frame", "stick"), ("stick", "frame")):
        world.reset(scene)
        report = world.execute([carry(alone, *way), carry(other, *way)])
        assert (report.completed, report.contacts) == (False, frozenset({other}))
        assert same(world.transforms(), {b.name: b.pose.transform() for b in scene.bodies})
    assert world.execute([carry("frame stick", *way)]).completed
    assert [world.transforms()[n][:3, 3].tolist() for n in ("frame", "stick")] == [
        [9.0, 2.0, 4.0],
        [10.0, 0.0, 5.0],
    ]


def test_a_turn_needs_room_and_names_what_is_in_it(world: World) -> None:
    quarter = make_quarter_turn(Axis.Z, 1)
    here = named("bar", BAR, (0, 0, 8))
    there = Pose.place_corner(BAR, quarter, (2, -2, 8))
    turn = Carry(frozenset({"bar"}), Path([spin_between(here.pose, there)]), False)
    world.reset(scene_of(here, named("wall", Voxels.make_block((1, 1, 6)), (2, 2, 4))))
    report = world.execute([turn])
    assert (report.completed, report.contacts) == (False, frozenset({"wall"}))
    world.reset(scene_of(here, named("wall", Voxels.make_block((1, 1, 6)), (2, 4, 4))))
    assert world.execute([turn]).completed
    assert np.array_equal(world.transforms()["bar"], there.transform())


def test_a_group_turns_as_one(world: World) -> None:
    world.reset(
        scene_of(named("bar", BAR, (0, 0, 9)), named("stick", STICK, (1, 0, 10)), table=False)
    )
    turn = Spin(make_quarter_turn(Axis.X, 1), (5, 0, 9))
    before = world.transforms()
    assert world.execute([Carry(frozenset({"bar", "stick"}), Path([turn]), False)]).completed
    matrix = Pose(turn.rotation, turn.offset).transform()
    for name, transform in world.transforms().items():
        assert np.array_equal(transform, matrix @ before[name])


@pytest.mark.parametrize(
    ("turned", "here", "free"),
    [
        ((1, 0), (2, 1), True),
        ((2, 1), (1, 0), True),
        ((1, 0), (2, 0), False),
        ((1, 0), (0, 0), False),
    ],
)
@pytest.mark.parametrize("axis", list(Axis))
@pytest.mark.parametrize("name", list_worlds())
def test_a_layer_turns_past_what_only_touches_its_ring_and_names_what_is_in_it(
    name: str, axis: Axis, turned: tuple[int, int], here: tuple[int, int], free: bool
) -> None:
    """The far edge of the cell at (1, 0) is as far from the axis as the near one of (2, 1)."""
    world, centre = create_world(name), (30, 40, 50)
    cube = Voxels.make_block((1, 1, 1))

    def beside(u: int, v: int) -> tuple[int, int, int]:
        apart = [u, v]
        apart.insert(axis.number, 0)
        return add(centre, (apart[0], apart[1], apart[2]))

    scene = scene_of(named("cubie", cube, beside(*turned)), named("other", cube, beside(*here)))
    for quarters in (1, 2, 3):
        world.reset(scene)
        turn = Turn(frozenset({"cubie"}), axis, centre, quarters)
        report = world.execute([turn])
        assert report.completed is free
        assert report.contacts == (frozenset() if free else {"other"})
        there = turn.apply(scene.bodies[0].pose) if free else scene.bodies[0].pose
        assert np.array_equal(world.transforms()["cubie"], there.transform())
    world.close()


def test_a_carry_puts_a_body_exactly_in_its_pose(world: World) -> None:
    for rotation in list_rotations():
        pose = Pose(rotation, (0, 12, 5))
        assert world.execute([brought(world, SCENE, "bar", pose)]).completed
        assert np.array_equal(world.transforms()["bar"], pose.transform())


def test_a_blocked_sweep_takes_back_the_carries_before_it(world: World) -> None:
    before = world.transforms()
    # The bodies trade places by way of a third one, so that taking back has an order to get wrong.
    motions: list[Motion] = [
        carry("bar", ("+y", 20)),
        carry("wall", ("-x", 6)),
        carry("bar", ("+x", 6), ("-y", 20)),
        sweep("+x", 9, "wall"),
    ]
    report = world.execute(motions)
    assert (report.completed, report.travel, report.contacts) == (False, 5, frozenset({"bar"}))
    assert same(world.transforms(), before)
    last = report.trajectory.sample(report.trajectory.duration)
    assert same(last, {name: before[name] for name in last})
    assert world.execute([sweep("+x", 2, "bar")]).completed


def test_a_carry_after_a_sweep_that_fails_takes_the_sweep_back(world: World) -> None:
    before = world.transforms()
    report = world.execute([sweep("+x", 2, "bar"), carry("wall", ("-x", 3))])
    assert (report.completed, report.contacts) == (False, frozenset({"bar"}))
    assert same(world.transforms(), before)
    assert world.execute([sweep("+x", 3, "bar")]).travel == 2


def test_what_a_taken_back_carry_would_have_let_go_is_still_held(world: World) -> None:
    """It hangs in the air, and something moves right beside it."""
    scene = scene_of(named("bar", BAR, (0, 0, 9)), named("stone", STONE, (0, 1, 9)))
    world.reset(scene)
    refused = world.execute([carry("bar", ("+x", 1), loose=True), carry("stone", ("-y", 1))])
    assert (refused.completed, refused.contacts) == (False, frozenset({"bar"}))
    report = world.execute([sweep("+y", 3, "stone")])
    assert report.completed and not report.fallen
    assert np.array_equal(world.transforms()["bar"], at(0, 0, 9).transform())


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
        world.execute([carry("one", ("+x", 1), loose=True)])


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
    for name in engines().list_worlds():
        if name == "bullet":
            pytest.importorskip("pybullet")
        world = engines().create_world(name)
        with pytest.raises(RuntimeError, match="reset"):
            world.execute([])
        world.close()
