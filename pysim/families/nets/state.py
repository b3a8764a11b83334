"""State of all nets: their folds and the poses of their faces."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
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
    "measure_max_reach",
    "measure_reach",
]


@dataclass(frozen=True, slots=True)
class NetState:
    """Folds of a net and the rotation of its held face, the first one.

    Attributes:
        bends: bend of each hinge.
        rotation: rotation of the held face since the start.
    """

    bends: Bends = (FLAT,) * 6
    rotation: Rotation = IDENTITY


@dataclass(frozen=True, slots=True)
class NetsState:
    """State of all nets."""

    nets: tuple[NetState, ...]

    def replace_net(self, number: int, net: NetState) -> "NetsState":
        """Return a copy with one net replaced."""
        return NetsState((*self.nets[:number], net, *self.nets[number + 1 :]))

    def encode(self) -> str:
        """Return a canonical text: for each net its bends as signs and its rotation's number."""
        return " ".join(
            "".join("v.^"[bend + 1] for bend in net.bends) + f" {net.rotation.index}"
            for net in self.nets
        )


def make_flat_state(puzzle: NetPuzzle) -> NetsState:
    """Return the initial state, in which all nets lie flat."""
    return NetsState((NetState(),) * len(puzzle.nets))


def find_origin(puzzle: NetPuzzle, number: int, net: NetState) -> Cell:
    """Return the centre of the held face of a net. Nets are too far apart to collide."""
    height = measure_height(puzzle.nets[number].tree, net.bends, net.rotation)
    return (number * (2 * measure_max_reach(puzzle) + 1), 0, height)


def measure_max_reach(puzzle: NetPuzzle) -> int:
    """Return the largest reach of all nets from the centres of their held faces, in cells."""
    return max(map(_measure_net_reach, puzzle.nets))


def _measure_net_reach(net: FlatNet) -> int:
    return _measure_squares(tuple(plate.square for plate in net.plates))


@cache
def _measure_squares(squares: tuple[Square, ...]) -> int:
    """Return the reach of a net that is held by its first square."""
    return measure_reach(squares, squares[0])


def measure_reach(squares: Iterable[Square], held: Square) -> int:
    """Return the reach of a net from the centre of its held face, rounded up to cells."""
    return max(
        ceil(hypot(*(PITCH * abs(square[i] - held[i]) + HALF + 0.5 for i in (0, 1))))
        for square in squares
    )


def compute_world_poses(puzzle: NetPuzzle, state: NetsState, number: int) -> tuple[Pose, ...]:
    """Return the world pose of each face of a net."""
    net = state.nets[number]
    held = Pose(net.rotation, find_origin(puzzle, number, net))
    return tuple(
        compose_poses(held, pose) for pose in compute_poses(puzzle.nets[number].tree, net.bends)
    )


def find_cube(net: FlatNet, state: NetState) -> ArrowCube | None:
    """Return the cube that a net is folded into, arrows outside; None if it is not folded so."""
    if state.bends[1:] != (MOUNTAIN,) * 5:
        return None
    arrows = {}
    for plate, pose in zip(net.plates, compute_poses(net.tree, state.bends), strict=True):
        frame = Frame(
            rotate_face(CubeFace.TOP, pose.rotation), rotate_face(CubeFace.BACK, pose.rotation)
        )
        towards = rotate_face(frame.find_face(plate.arrow.way), state.rotation)
        face = rotate_face(frame.outward, state.rotation)
        arrows[face] = Arrow(plate.arrow.colour, towards)
    return ArrowCube.from_arrows(arrows)
