"""Plates that turn as on a hinge, in every world of this package: only what they pass matters."""

from itertools import pairwise

import numpy as np
import pytest

from pysim.geometry import HOME, Axis, Bounds, Cell, Voxels
from pysim.motion import Turn
from pysim.physics.factory import create_world
from pysim.scene import Body, Colour, Pose, Scene

FLAP = Voxels.make_block((3, 3, 1))
WORLDS = ("lattice", "bullet")


def scene_of(**bodies: tuple[Voxels, Cell]) -> Scene:
    """Bodies with their low corners in some cells."""
    placed = tuple(
        Body(name, shape, Pose(HOME.rotation, corner), Colour("red"))
        for name, (shape, corner) in bodies.items()
    )
    return Scene(placed, Bounds((0, 0, 0), (0, 0, 0)))


@pytest.mark.parametrize("name", WORLDS)
def test_a_flap_folds_up_beside_what_lies_on_the_other_side_of_its_hinge(name: str) -> None:
    """Between flap and base is a row of cells; the axis runs along its middle."""
    world = create_world(name)
    world.reset(scene_of(flap=(FLAP, (1, 0, 0)), base=(FLAP, (-3, 0, 0))))
    free = Turn(frozenset({"flap"}), Axis.Y, (0, 0, 0), 3, hinged=True)
    assert world.execute([free]).completed
    pose = free.apply(Pose(HOME.rotation, (1, 0, 0)))
    assert np.allclose(world.transforms()["flap"], pose.transform())
    blocked = world.execute([Turn(frozenset({"flap"}), Axis.Y, (0, 0, 0), 3, hinged=True)])
    assert not blocked.completed and blocked.contacts == {"base"}
    assert np.allclose(world.transforms()["flap"], pose.transform())
    assert world.execute([Turn(frozenset({"flap"}), Axis.Y, (0, 0, 0), 1, hinged=True)]).completed
    ring = world.execute([Turn(frozenset({"flap"}), Axis.Y, (0, 0, 0), 3)])
    assert not ring.completed and ring.contacts == {"base"}
    world.close()


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize(
    ("corner", "free"),
    [
        ((1, 0, 4), True),
        ((1, 0, 2), False),
        ((4, 0, 0), False),
        ((5, 0, 0), True),
        ((-1, 0, 3), True),
        ((0, 0, 3), False),
        ((0, 0, 4), False),
        ((2, 0, 3), False),
        ((3, 0, 2), False),
    ],
)
def test_only_what_a_flap_passes_is_in_its_way(name: str, corner: Cell, free: bool) -> None:
    world = create_world(name)
    bar = Voxels.make_block((1, 3, 1))
    world.reset(scene_of(flap=(FLAP, (1, 0, 0)), bar=(bar, corner)))
    report = world.execute([Turn(frozenset({"flap"}), Axis.Y, (0, 0, 0), 3, hinged=True)])
    assert report.completed is free
    assert report.contacts == (frozenset() if free else {"bar"})
    world.close()


@pytest.mark.parametrize("name", WORLDS)
def test_no_corner_of_a_wide_flap_is_faster_than_12_units_a_second(name: str) -> None:
    world = create_world(name)
    wide = Voxels.make_block((20, 1, 1))
    world.reset(scene_of(flap=(wide, (1, 0, 0))))
    report = world.execute([Turn(frozenset({"flap"}), Axis.Z, (0, 0, 0), 1, hinged=True)])
    corner = np.array([19.5, 0.5, 0.5, 1.0])
    shown = [(k.time, k.transforms["flap"] @ corner) for k in report.trajectory.keyframes]
    for (before, here), (after, there) in pairwise(shown):
        assert np.linalg.norm(there - here) < 12.0 * (after - before)
    world.close()
