"""The faces of the cube and the edges of its pieces: their names, and how each is looked at.

The cube is a shell of 5 x 5 x 5 cells, from (0, 0, 0) to (4, 4, 4). A face is looked at from
outside, and its rows are counted from the top of that view. MARBLE (appendix A.2) has x to the
right, y up and z towards the front; here z is up, so that its (x, y, z) is (x, -z, y) here.
"""

from dataclasses import dataclass
from enum import StrEnum, nonmember
from functools import cache
from itertools import product

from pysim.geometry import Cell, Direction, Rotation, add, scale

__all__ = ["LAST", "SIDE", "Edge", "Seat", "ShellFace", "list_seats", "map_cell"]

SIDE = 5
"""Cells along an edge of the cube."""
LAST = SIDE - 1


class ShellFace(StrEnum):
    """A face of the cube, in the order in which MARBLE lists their views."""

    noun = nonmember("face of the cube")

    FRONT = "Front"
    BACK = "Back"
    LEFT = "Left"
    RIGHT = "Right"
    TOP = "Top"
    BOTTOM = "Bottom"

    @property
    def right(self) -> Direction:
        """The direction to the right in the view of it."""
        return _VIEWS[self.value][0]

    @property
    def down(self) -> Direction:
        """The direction down in the view of it."""
        return _VIEWS[self.value][1]

    @property
    def outward(self) -> Direction:
        """The direction out of the cube."""
        return _VIEWS[self.value][2]

    def locate_cell(self, row: int, column: int) -> Cell:
        """Return the cell of the cube that is in a row and column of the view, each from 0 to 4."""
        corner = [0, 0, 0]
        for way in (self.outward, self.right.opposite, self.down.opposite):
            corner[way.axis.number] = LAST if way.sign > 0 else 0
        start: Cell = (corner[0], corner[1], corner[2])
        along = scale(self.right.vector, column)
        return add(start, add(along, scale(self.down.vector, row)))


_PLUS_X, _MINUS_X, _PLUS_Y, _MINUS_Y, _PLUS_Z, _MINUS_Z = Direction
_VIEWS: dict[str, tuple[Direction, Direction, Direction]] = {
    "Front": (_PLUS_X, _MINUS_Z, _MINUS_Y),
    "Back": (_MINUS_X, _MINUS_Z, _PLUS_Y),
    "Left": (_MINUS_Y, _MINUS_Z, _MINUS_X),
    "Right": (_PLUS_Y, _MINUS_Z, _PLUS_X),
    "Top": (_PLUS_X, _MINUS_Y, _PLUS_Z),
    "Bottom": (_PLUS_X, _PLUS_Y, _MINUS_Z),
}
"""Right and down in the view of each face, and out of the cube."""


class Edge(StrEnum):
    """An edge of a piece, as it is drawn; numbered clockwise from the left one."""

    noun = nonmember("edge of a piece")

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"

    @property
    def number(self) -> int:
        """1 left, 2 top, 3 right, 4 bottom."""
        return _NUMBERS[self]

    @staticmethod
    def from_number(number: int) -> "Edge":
        """Return the edge with a number from 1 to 4."""
        return _EDGES[number - 1]

    @property
    def opposite(self) -> "Edge":
        """The one on the other side of the piece."""
        return Edge.from_number((self.number + 1) % 4 + 1)

    @property
    def upright(self) -> bool:
        """Whether it is the left or the right one."""
        return self.number % 2 == 1

    @property
    def first(self) -> bool:
        """Whether rows, or columns, are counted from it: of the left and the top one."""
        return self.number <= 2

    def is_beside(self, other: "Edge") -> bool:
        """Return whether the two share a corner."""
        return self.upright != other.upright


_EDGES = tuple(Edge)
_NUMBERS = {edge: number for number, edge in enumerate(Edge, start=1)}


@dataclass(frozen=True, slots=True, order=True)
class Seat:
    """A face, and how a piece lies on it; there are 6 x 8 for each piece.

    Attributes:
        face: where it is.
        left: the edge of the piece that is on the left in the view of the face.
        top: the one that is on top; they share a corner.
    """

    face: ShellFace
    left: Edge
    top: Edge

    @property
    def flipped(self) -> bool:
        """Whether the side of the piece that is drawn looks into the cube."""
        return self.top is not Edge.from_number(self.left.number % 4 + 1)

    def find_edge(self, side: Edge) -> Edge:
        """Return the edge of the piece that is on a side of the view."""
        facing = self.left if side.upright else self.top
        return facing if side.first else facing.opposite

    def find_source(self, row: int, column: int) -> tuple[int, int]:
        """Find the row and column of the piece that are seen in those of the view."""
        along, across = (column, row) if self.left.upright else (row, column)
        upright, level = (self.left, self.top) if self.left.upright else (self.top, self.left)
        return (across if level.first else LAST - across, along if upright.first else LAST - along)

    @property
    def sides(self) -> dict[Edge, Direction]:
        """The direction towards which each edge of the piece lies."""
        ways = (
            self.face.right.opposite,
            self.face.down.opposite,
            self.face.right,
            self.face.down,
        )
        return {self.find_edge(side): way for side, way in zip(Edge, ways, strict=True)}

    @property
    def rotation(self) -> Rotation:
        """Rotation of a body whose columns go along +x and rows along -y."""
        return _rotation(self)

    def move(self, whole: "Seat") -> "Seat":
        """Return the piece's placement after the whole cube is moved.

        Args:
            whole: where a piece would get that is on the front as it is drawn; if it is flipped
                there, the cube is mirrored, too.
        """
        there = {_image(way, whole): edge for edge, way in self.sides.items()}
        outward = _image(self.face.outward, whole)
        face = next(face for face in ShellFace if face.outward is outward)
        return Seat(face, there[face.right.opposite], there[face.down.opposite])


def map_cell(cell: Cell, whole: Seat) -> Cell:
    """Map a cell of the cube as in :meth:`Placement.moved`, which moves the whole cube."""
    image = [0, 0, 0]
    for way in (Direction.PLUS_X, Direction.PLUS_Y, Direction.PLUS_Z):
        there = _image(way, whole)
        along = cell[way.axis.number]
        image[there.axis.number] = along if there.sign > 0 else LAST - along
    return (image[0], image[1], image[2])


def _image(way: Direction, whole: Seat) -> Direction:
    return _images(whole)[way]


@cache
def list_seats() -> tuple[Seat, ...]:
    """Return the 48, face by face; the first is on the front as the piece is drawn."""
    pairs = [(left, top) for left, top in product(Edge, Edge) if left.is_beside(top)]
    return tuple(Seat(face, *pair) for face in ShellFace for pair in pairs)


@cache
def _images(whole: Seat) -> dict[Direction, Direction]:
    """Map each direction as the whole cube is moved."""
    front = list_seats()[0]
    found = {way: whole.sides[edge] for edge, way in front.sides.items()}
    outward = whole.face.outward
    return found | {
        ShellFace.FRONT.outward: outward,
        ShellFace.FRONT.outward.opposite: outward.opposite,
    }


@cache
def _rotation(placement: Seat) -> Rotation:
    sides, outward = placement.sides, placement.face.outward
    axes = (sides[Edge.RIGHT], sides[Edge.TOP], outward.opposite if placement.flipped else outward)
    return Rotation.parse("".join(way.value.upper() for way in axes))
