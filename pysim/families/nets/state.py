"""Places of the faces of all nets."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, hypot

from pysim.families.nets.cube import Arrow, ArrowCube
from pysim.families.nets.faces import CubeFace, Frame, rotate_face
from pysim.families.nets.joints import FLAT, MOUNTAIN, Bends, compose_poses, compute_poses
from pysim.families.nets.lifting import measure_height
from pysim.families.nets.plates import HALF, PITCH
from pysim.families.nets.puzzle import FlatNet, NetPuzzle
from pysim.families.nets.shapes import Square
from pysim.geometry import IDENTITY, Cell, Pose, Rotation

__all__ = [
    "NetState",
    "NetsState",
    "compute_world_poses",
    "find_cube",
    "find_origin",
    "make_flat_state",
    "measure_reach",
    "measure_room",
]


@dataclass(frozen=True, slots=True)
class NetState:
    """Folds of a net, and the face by which it is held.

    Attributes:
        bends: of each hinge.
        rotation: of the face that is held, from how it lay.
    """

    bends: Bends = (FLAT,) * 6
    rotation: Rotation = IDENTITY


@dataclass(frozen=True, slots=True)
class NetsState:
    """All nets."""

    nets: tuple[NetState, ...]

    def replace_net(self, number: int, net: NetState) -> "NetsState":
        """Return the same with one net otherwise."""
        return NetsState((*self.nets[:number], net, *self.nets[number + 1 :]))


def make_flat_state(puzzle: NetPuzzle) -> NetsState:
    """Return all nets as they lie at first."""
    return NetsState((NetState(),) * len(puzzle.nets))


def find_origin(puzzle: NetPuzzle, number: int, net: NetState) -> Cell:
    """Return the middle of the face by which a net is held; nets can be turned without meeting."""
    height = measure_height(puzzle.nets[number].tree, net.bends, net.rotation)
    return (number * (2 * measure_room(puzzle) + 1), 0, height)


def measure_room(puzzle: NetPuzzle) -> int:
    """Measure the farthest reach of any of the nets from the face by which it is held, in cells."""
    return max(map(_reach, puzzle.nets))


def _reach(net: FlatNet) -> int:
    return measure_reach([plate.square for plate in net.plates], net.plates[0].square)


def measure_reach(squares: Iterable[Square], held: Square) -> int:
    """Measure the reach of a net from the middle of the face by which it is held, in cells."""
    return max(
        ceil(hypot(*(PITCH * abs(square[i] - held[i]) + HALF + 0.5 for i in (0, 1))))
        for square in squares
    )


def compute_world_poses(puzzle: NetPuzzle, state: NetsState, number: int) -> tuple[Pose, ...]:
    """Compute the pose of each face of a net."""
    net = state.nets[number]
    held = Pose(net.rotation, find_origin(puzzle, number, net))
    return tuple(
        compose_poses(held, pose) for pose in compute_poses(puzzle.nets[number].tree, net.bends)
    )


def find_cube(net: FlatNet, state: NetState) -> ArrowCube | None:
    """Return the cube that a net is folded into, arrows outside, as it lies; None if it is not."""
    if state.bends[1:] != (MOUNTAIN,) * 5:
        return None
    arrows = {}
    for plate, pose in zip(net.plates, compute_poses(net.tree, state.bends), strict=True):
        frame = Frame(
            rotate_face(CubeFace.TOP, pose.rotation), rotate_face(CubeFace.BACK, pose.rotation)
        )
        face, towards = frame.outward, frame.find_face(plate.arrow.way)
        arrow = Arrow(plate.arrow.colour, rotate_face(towards, state.rotation))
        arrows[rotate_face(face, state.rotation)] = arrow
    return ArrowCube.from_arrows(arrows)
