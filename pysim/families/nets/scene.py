"""Nets as bodies: a plate for each face, its arrow in stickers."""

from dataclasses import replace

from pysim.families.nets.cube import ArrowCube
from pysim.families.nets.faces import VISIBLE
from pysim.families.nets.joints import MOUNTAIN
from pysim.families.nets.lifting import TABLE
from pysim.families.nets.plates import PLATE, make_arrow_stickers
from pysim.families.nets.puzzle import FlatNet, NetPuzzle
from pysim.families.nets.state import (
    NetsState,
    NetState,
    compute_world_poses,
    find_cube,
    measure_max_reach,
)
from pysim.geometry import Bounds, Pose, list_rotations
from pysim.scene import Body, Scene

__all__ = ["make_goal_scene", "make_scene"]


def make_scene(puzzle: NetPuzzle, state: NetsState) -> Scene:
    """Return all faces where they are, on the table."""
    bodies = [
        body
        for number, net in enumerate(puzzle.nets)
        for body in _bodies(net, compute_world_poses(puzzle, state, number))
    ]
    return replace(_framed(bodies), table=_table(puzzle))


def _table(puzzle: NetPuzzle) -> Bounds:
    """As large as nets need it, however they are turned."""
    room = measure_max_reach(puzzle)
    far = 2 * room * (len(puzzle.nets) - 1) + len(puzzle.nets) - 1 + room
    return Bounds((-room, -room, TABLE), (far, room, TABLE))


def make_goal_scene(puzzle: NetPuzzle) -> Scene | None:
    """Top, front and right of the cube that is wanted; None if there are two nets."""
    if puzzle.target is None:
        return None
    state = NetsState((_wanted(puzzle),))
    bodies = _bodies(puzzle.nets[0], compute_world_poses(puzzle, state, 0))
    shown = {side.side.vector for side in VISIBLE}
    return _framed([body for body in bodies if body.pose.rotation.apply((0, 0, 1)) in shown])


def _wanted(puzzle: NetPuzzle) -> NetState:
    """Return a solved state of the only net."""
    net = puzzle.nets[0]
    bends = (0, *(MOUNTAIN,) * 5)
    states = (NetState(bends, rotation) for rotation in list_rotations())
    return next(s for s in states if _view(find_cube(net, s)) == puzzle.target)


def _view(cube: ArrowCube | None) -> object:
    return None if cube is None else cube.view


def _bodies(net: FlatNet, poses: tuple[Pose, ...]) -> list[Body]:
    return [
        Body(
            plate.name,
            PLATE,
            pose,
            plate.paper,
            stickers=make_arrow_stickers(plate.arrow.colour, plate.arrow.way),
        )
        for plate, pose in zip(net.plates, poses, strict=True)
    ]


def _framed(bodies: list[Body]) -> Scene:
    return Scene(tuple(bodies), Bounds.cover(body.place().bounds for body in bodies))
