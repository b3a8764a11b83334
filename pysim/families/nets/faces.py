"""The six faces of a cube by their names, and how the 24 rotations exchange them.

The right face looks along +x, the back along +y and the top along +z, so that an observer who
stands in front of the cube looks along +y.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from pysim.geometry import Direction, Rotation, list_rotations

__all__ = ["VISIBLE", "CubeFace", "Frame", "Heading", "list_frames", "rotate_face"]


class CubeFace(StrEnum):
    """A face of a cube; also the direction in which it looks."""

    TOP = "top"
    FRONT = "front"
    RIGHT = "right"
    BOTTOM = "bottom"
    BACK = "back"
    LEFT = "left"

    @staticmethod
    def from_direction(side: Direction) -> "CubeFace":
        """Return the face that looks in a direction."""
        return _FACES[side]

    @property
    def side(self) -> Direction:
        """The direction in which it looks."""
        return _SIDES[self._value_]

    @property
    def number(self) -> int:
        """Its place in the order of the names: 0 to 5."""
        return _NUMBERS[self._value_]

    @property
    def opposite(self) -> "CubeFace":
        """The face on the other side."""
        return _FACES[self.side.opposite]

    @property
    def beside(self) -> tuple["CubeFace", ...]:
        """The four faces that share an edge with it, in the order of the names."""
        return _BESIDE[self._value_]


_SIDES = {
    "top": Direction.PLUS_Z,
    "front": Direction.MINUS_Y,
    "right": Direction.PLUS_X,
    "bottom": Direction.MINUS_Z,
    "back": Direction.PLUS_Y,
    "left": Direction.MINUS_X,
}
_NUMBERS = {name: number for number, name in enumerate(_SIDES)}
_FACES = {side: CubeFace(name) for name, side in _SIDES.items()}
_BESIDE = {
    face.value: tuple(other for other in CubeFace if other not in (face, face.opposite))
    for face in CubeFace
}

VISIBLE = (CubeFace.TOP, CubeFace.FRONT, CubeFace.RIGHT)
"""The faces that are seen in a picture of a cube."""


def rotate_face(face: CubeFace, rotation: Rotation) -> CubeFace:
    """Return the face's place after the cube is turned."""
    return _turned()[rotation.index][face.number]


@cache
def _turned() -> tuple[tuple[CubeFace, ...], ...]:
    """For each rotation where each face gets."""
    on = {side.vector: face for side, face in _FACES.items()}
    return tuple(
        tuple(on[rotation.apply(face.side.vector)] for face in CubeFace)
        for rotation in list_rotations()
    )


class Heading(StrEnum):
    """One of the four ways in the plane of a drawing."""

    UP = "up"
    RIGHT = "right"
    DOWN = "down"
    LEFT = "left"

    @property
    def step(self) -> tuple[int, int]:
        """One square that way: x to the right, y up."""
        return _STEPS[self._value_]

    def turn(self, quarters: int) -> "Heading":
        """This way, turned clockwise."""
        return _WAYS[(_WAYS.index(self) + quarters) % 4]


_WAYS = tuple(Heading)
_STEPS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}


@dataclass(frozen=True, slots=True)
class Frame:
    """Orientation of a square on a cube, seen from outside.

    Attributes:
        outward: the face that it is.
        up: where the upper edge of the square points.
    """

    outward: CubeFace
    up: CubeFace

    def find_face(self, way: Heading) -> CubeFace:
        """Find the face at an edge of the square."""
        return _towards()[self.outward, self.up][way.value]

    def find_heading(self, towards: CubeFace) -> Heading:
        """Return the inverse of :meth:`find_face`.

        Raises:
            KeyError: it points out of the square, or into it.
        """
        return {self.find_face(way): way for way in Heading}[towards]

    def cross(self, way: Heading) -> "Frame":
        """Return the orientation of the square that is joined to that edge in a net."""
        match way:
            case Heading.UP:
                return Frame(self.up, self.outward.opposite)
            case Heading.DOWN:
                return Frame(self.up.opposite, self.outward)
        return Frame(self.find_face(way), self.up)


@cache
def list_frames() -> tuple[Frame, ...]:
    """Return the 24 ways in which a square can lie on a cube, in the order of the faces' names."""
    return tuple(Frame(outward, up) for outward in CubeFace for up in outward.beside)


@cache
def _towards() -> dict[tuple[CubeFace, CubeFace], dict[str, CubeFace]]:
    """By outward and up, where each edge points; what is right follows from the other two."""
    return {(f.outward, f.up): _edges(f.outward, f.up) for f in list_frames()}


def _edges(outward: CubeFace, up: CubeFace) -> dict[str, CubeFace]:
    (a, b, c), (d, e, f) = up.side.vector, outward.side.vector
    across = (b * f - c * e, c * d - a * f, a * e - b * d)
    right = next(face for face in CubeFace if face.side.vector == across)
    return {"up": up, "right": right, "down": up.opposite, "left": right.opposite}
