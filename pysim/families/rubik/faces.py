"""The six faces of the cube and its 54 facelets, as they lie in space.

The cube's cells are those with coordinates from -1 to 1. Up is +z, the front looks along -y and the
right along +x. A facelet is numbered ``9 * face + 3 * row + column`` with the faces in the order
U R F D L B; rows and columns are those that one sees when the cube is unfolded into a cross with F
in the middle, U above, D below, L and R beside it and B beyond R.
"""

from enum import StrEnum
from functools import cache

from pysim.geometry import Cell, Direction, add, scale

__all__ = ["FACELETS", "Face", "Facelet", "index_facelets", "list_facelets"]

FACELETS = 54
Facelet = tuple[Cell, Direction]
"""A cell of the cube and the side of it that is seen."""


class Face(StrEnum):
    """A face by its Singmaster letter, in the order in which solvers list them."""

    U = "U"
    R = "R"
    F = "F"
    D = "D"
    L = "L"
    B = "B"

    @staticmethod
    def from_direction(side: Direction) -> "Face":
        """Return the face that looks in a direction."""
        return next(face for face in Face if face.side is side)

    @property
    def number(self) -> int:
        """0 to 5 in the order U R F D L B."""
        return "URFDLB".index(self.value)

    @property
    def side(self) -> Direction:
        """The direction in which it looks."""
        return _SIDES[self.value]

    @property
    def colour(self) -> str:
        """The name of its centre's colour, as on most cubes: opposite white is yellow."""
        return _COLOURS[self.value]

    @property
    def letter(self) -> str:
        """The letter of its centre's colour: W R G Y O B."""
        return self.colour[0].upper()

    @property
    def above(self) -> Direction:
        """Face above it in the unfolded cube: for U the back, for D the front, else up."""
        return _RIGHT_AND_DOWN[self.value][1].opposite

    @property
    def opposite(self) -> "Face":
        """The face on the other side."""
        return list(Face)[(self.number + 3) % 6]


_SIDES = {
    "U": Direction.PLUS_Z,
    "R": Direction.PLUS_X,
    "F": Direction.MINUS_Y,
    "D": Direction.MINUS_Z,
    "L": Direction.MINUS_X,
    "B": Direction.PLUS_Y,
}
_COLOURS = {"U": "white", "R": "red", "F": "green", "D": "yellow", "L": "orange", "B": "blue"}
_RIGHT_AND_DOWN: dict[str, tuple[Direction, Direction]] = {
    "U": (Direction.PLUS_X, Direction.MINUS_Y),
    "R": (Direction.PLUS_Y, Direction.MINUS_Z),
    "F": (Direction.PLUS_X, Direction.MINUS_Z),
    "D": (Direction.PLUS_X, Direction.PLUS_Y),
    "L": (Direction.MINUS_Y, Direction.MINUS_Z),
    "B": (Direction.MINUS_X, Direction.MINUS_Z),
}
"""Where the columns and the rows of a face run in space."""


@cache
def list_facelets() -> tuple[Facelet, ...]:
    """Return all facelets in the order of their numbers."""
    return tuple(
        (_cell(face, row, column), face.side)
        for face in Face
        for row in range(3)
        for column in range(3)
    )


@cache
def index_facelets() -> dict[Facelet, int]:
    """Return the number of each facelet."""
    return {facelet: number for number, facelet in enumerate(list_facelets())}


def _cell(face: Face, row: int, column: int) -> Cell:
    right, down = _RIGHT_AND_DOWN[face.value]
    across = add(scale(right.vector, column - 1), scale(down.vector, row - 1))
    return add(face.side.vector, across)
