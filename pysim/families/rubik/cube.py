"""The cube as its cubies: which corner and which edge is where, and how it is turned.

Corners and edges have the names and the order that solvers use (Kociemba): slots URF UFL ULB UBR
DFR DLF DBL DRB, and UR UF UL UB DR DF DL DB FR FL BL BR. A corner's twist counts the clockwise
thirds by which its U or D sticker is away from the U or D face; an edge's flip is 1 if its first
sticker is where a solved edge's second one would be.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from pysim.families.rubik.faces import FACELETS, Face, Facelet, index_facelets, list_facelets
from pysim.families.rubik.moves import Move, list_moves
from pysim.geometry import Cell, Rotation, make_quarter_turn

__all__ = [
    "CORNERS",
    "CORNER_FACELETS",
    "CORNER_NAMES",
    "EDGES",
    "EDGE_FACELETS",
    "EDGE_NAMES",
    "SOLVED",
    "Cube",
    "compute_parity",
    "find_layer_rotation",
    "index_cubies",
    "make_cube",
    "parse_facelets",
    "turn_of",
]

CORNERS, EDGES = 8, 12
CORNER_NAMES = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
EDGE_NAMES = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")

T = TypeVar("T")


def index_cubies(homes: Iterable[Sequence[T]]) -> dict[tuple[T, ...], tuple[int, int]]:
    """Return each cubie with each of its twists, by the stickers that a slot then shows in order.

    Args:
        homes: what each cubie shows in its own slot.
    """
    return {
        (*home[len(home) - turned :], *home[: len(home) - turned]): (cubie, turned)
        for cubie, home in enumerate(homes)
        for turned in range(len(home))
    }


def _slot_facelets(name: str) -> tuple[int, ...]:
    """Return the numbers of a cubie's facelets, in the order of the letters of its name."""
    sides = [Face(letter).side for letter in name]
    x, y, z = (sum(side.vector[axis] for side in sides) for axis in range(3))
    return tuple(index_facelets()[((x, y, z), side)] for side in sides)


CORNER_FACELETS = tuple(map(_slot_facelets, CORNER_NAMES))
"""Facelets of each corner slot, clockwise, the one on U or D first."""
EDGE_FACELETS = tuple(map(_slot_facelets, EDGE_NAMES))
"""Facelets of each edge slot, the one on U or D, or else on F or B, first."""


@dataclass(frozen=True, slots=True)
class Cube:
    """A state of the cube. Centres stay where they are: U white, F green, R red.

    It may be one that no turns lead to; :mod:`pysim.families.rubik.validity` says so.

    Attributes:
        corners: (8,) which corner is in each slot.
        twists: (8,) how it is twisted, 0 to 2.
        edges: (12,) which edge is in each slot.
        flips: (12,) how it is flipped, 0 or 1.
    """

    corners: tuple[int, ...]
    twists: tuple[int, ...]
    edges: tuple[int, ...]
    flips: tuple[int, ...]

    def compose(self, other: "Cube") -> "Cube":
        """Return the product: this state, and then what makes ``other`` out of the solved cube."""
        return Cube(
            tuple(self.corners[i] for i in other.corners),
            tuple(
                (self.twists[i] + twist) % 3
                for i, twist in zip(other.corners, other.twists, strict=True)
            ),
            tuple(self.edges[i] for i in other.edges),
            tuple(self.flips[i] ^ flip for i, flip in zip(other.edges, other.flips, strict=True)),
        )

    def invert(self) -> "Cube":
        """Return the state that undoes this one: ``cube.then(cube.inverse())`` is solved."""
        return Cube(
            tuple(self.corners.index(i) for i in range(CORNERS)),
            tuple(-self.twists[self.corners.index(i)] % 3 for i in range(CORNERS)),
            tuple(self.edges.index(i) for i in range(EDGES)),
            tuple(self.flips[self.edges.index(i)] for i in range(EDGES)),
        )

    def turn(self, moves: Iterable[Move]) -> "Cube":
        """This state after some turns."""
        cube = self
        for move in moves:
            cube = cube.compose(turn_of(move))
        return cube

    @property
    def solved(self) -> bool:
        """Whether every cubie is at home."""
        return self == SOLVED

    def list_facelets(self) -> tuple[int, ...]:
        """(54,) for each facelet the number of the facelet of the solved cube that is there."""
        result = list(range(FACELETS))
        for slot, corner, twist in zip(CORNER_FACELETS, self.corners, self.twists, strict=True):
            for k in range(3):
                result[slot[(k + twist) % 3]] = CORNER_FACELETS[corner][k]
        for slot, edge, flip in zip(EDGE_FACELETS, self.edges, self.flips, strict=True):
            for k in range(2):
                result[slot[(k + flip) % 2]] = EDGE_FACELETS[edge][k]
        return tuple(result)

    def list_colours(self) -> tuple[Face, ...]:
        """(54,) for each facelet the face whose colour it has."""
        faces = list(Face)
        return tuple(faces[number // 9] for number in self.list_facelets())

    @staticmethod
    def from_cubies(corners: Iterable[tuple[int, int]], edges: Iterable[tuple[int, int]]) -> "Cube":
        """Return the cube with these cubies in its slots: number and twist, or number and flip."""
        numbers, twists = zip(*corners, strict=True)
        others, flips = zip(*edges, strict=True)
        return Cube(numbers, twists, others, flips)


SOLVED = Cube(tuple(range(CORNERS)), (0,) * CORNERS, tuple(range(EDGES)), (0,) * EDGES)


def make_cube(moves: Iterable[Move]) -> Cube:
    """Return the solved cube after some turns."""
    return SOLVED.turn(moves)


def compute_parity(permutation: tuple[int, ...]) -> int:
    """0 if a permutation is even, 1 if it is odd."""
    pairs = (permutation[i] > permutation[j] for j in range(len(permutation)) for i in range(j))
    return sum(pairs) % 2


def find_layer_rotation(move: Move) -> Rotation:
    """Return the rotation of a move's layer in space."""
    side = move.face.side
    return make_quarter_turn(side.axis, -side.sign * move.turns)


def turn_of(move: Move) -> Cube:
    """Return the solved cube after one turn."""
    return _turns()[move.index]


@cache
def _turns() -> tuple[Cube, ...]:
    """Return the solved cube after each of the 18 moves, from the geometry of the layers."""
    return tuple(parse_facelets(_turned(move)) for move in list_moves())


def parse_facelets(numbers: tuple[int, ...]) -> Cube:
    """Return the cube whose :meth:`Cube.list_facelets` are ``numbers``."""

    def cubies(slots: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, int]]:
        known = index_cubies(slots)
        return (known[tuple(numbers[facelet] for facelet in slot)] for slot in slots)

    return Cube.from_cubies(cubies(CORNER_FACELETS), cubies(EDGE_FACELETS))


def _turned(move: Move) -> tuple[int, ...]:
    """For each facelet, which facelet a move brings there."""
    result = list(range(FACELETS))
    for number, facelet in enumerate(list_facelets()):
        if _in_layer(facelet[0], move.face):
            result[index_facelets()[_rotated(facelet, find_layer_rotation(move))]] = number
    return tuple(result)


def _in_layer(cell: Cell, face: Face) -> bool:
    side = face.side
    return cell[side.axis.number] == side.sign


def _rotated(facelet: Facelet, rotation: Rotation) -> Facelet:
    cell, side = facelet
    vector = rotation.apply(side.vector)
    return rotation.apply(cell), next(d for d in type(side) if d.vector == vector)
