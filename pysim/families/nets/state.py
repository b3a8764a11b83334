"""Where the faces of all nets are."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, hypot

from pysim.families.nets.cube import Arrow, ArrowCube
from pysim.families.nets.faces import CubeFace, Frame, turned
from pysim.families.nets.joints import FLAT, MOUNTAIN, Bends, after, poses
from pysim.families.nets.lifting import height_of
from pysim.families.nets.plates import HALF, PITCH
from pysim.families.nets.puzzle import FlatNet, NetPuzzle
from pysim.families.nets.shapes import Square
from pysim.geometry import IDENTITY, Cell, Pose, Rotation

__all__ = [
    "NetState",
    "NetsState",
    "cube_shown",
    "flat_state",
    "origin_of",
    "reach_of",
    "room_of",
    "world_poses",
]


@dataclass(frozen=True, slots=True)
class NetState:
    """How a net is folded, and how it is held.

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

    def with_net(self, number: int, net: NetState) -> "NetsState":
        """The same with one net otherwise."""
        return NetsState((*self.nets[:number], net, *self.nets[number + 1 :]))


def flat_state(puzzle: NetPuzzle) -> NetsState:
    """All nets as they lie at first."""
    return NetsState((NetState(),) * len(puzzle.nets))


def origin_of(puzzle: NetPuzzle, number: int, net: NetState) -> Cell:
    """The middle of the face by which a net is held; nets can be turned without meeting."""
    height = height_of(puzzle.nets[number].tree, net.bends, net.rotation)
    return (number * (2 * room_of(puzzle) + 1), 0, height)


def room_of(puzzle: NetPuzzle) -> int:
    """How far any of the nets reaches at most from the face by which it is held, in cells."""
    return max(map(_reach, puzzle.nets))


def _reach(net: FlatNet) -> int:
    return reach_of([plate.square for plate in net.plates], net.plates[0].square)


def reach_of(squares: Iterable[Square], held: Square) -> int:
    """How far a net reaches from the middle of the face by which it is held, in cells, at most."""
    return max(
        ceil(hypot(*(PITCH * abs(square[i] - held[i]) + HALF + 0.5 for i in (0, 1))))
        for square in squares
    )


def world_poses(puzzle: NetPuzzle, state: NetsState, number: int) -> tuple[Pose, ...]:
    """Where each face of a net is."""
    net = state.nets[number]
    held = Pose(net.rotation, origin_of(puzzle, number, net))
    return tuple(after(held, pose) for pose in poses(puzzle.nets[number].tree, net.bends))


def cube_shown(net: FlatNet, state: NetState) -> ArrowCube | None:
    """The cube that a net is folded into, arrows outside, as it lies; None if it is not."""
    if state.bends[1:] != (MOUNTAIN,) * 5:
        return None
    arrows = {}
    for plate, pose in zip(net.plates, poses(net.tree, state.bends), strict=True):
        frame = Frame(turned(CubeFace.TOP, pose.rotation), turned(CubeFace.BACK, pose.rotation))
        face, towards = frame.outward, frame.towards(plate.arrow.way)
        arrow = Arrow(plate.arrow.colour, turned(towards, state.rotation))
        arrows[turned(face, state.rotation)] = arrow
    return ArrowCube.of(arrows)
