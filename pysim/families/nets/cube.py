"""A cube that carries an arrow on each face: how it looks in each of its 24 rotations."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property

from pysim.errors import InputError
from pysim.families.nets.faces import VISIBLE, CubeFace, rotate_face
from pysim.geometry import Rotation, list_rotations

__all__ = ["Arrow", "ArrowColour", "ArrowCube", "CornerView", "turn_arrow"]


class ArrowColour(StrEnum):
    """The eight colours of CLEVR (Johnson et al. 2017), in its order."""

    GREY = "grey"
    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    BROWN = "brown"
    PURPLE = "purple"
    CYAN = "cyan"
    YELLOW = "yellow"


@dataclass(frozen=True, slots=True, order=True)
class Arrow:
    """An arrow on a face, parallel to the cube's edges.

    Attributes:
        colour: how it is painted.
        towards: the face to whose edge it points.
    """

    colour: ArrowColour
    towards: CubeFace


CornerView = tuple[Arrow, Arrow, Arrow]
"""What is seen of a cube: the arrows on top, front and right."""


@cache
def turn_arrow(arrow: Arrow, rotation: Rotation) -> Arrow:
    """Return the arrow on a cube that is turned."""
    return Arrow(arrow.colour, rotate_face(arrow.towards, rotation))


@dataclass(frozen=True)
class ArrowCube:
    """A cube as it lies.

    Attributes:
        arrows: (6,) in the order of :class:`~pysim.families.nets.faces.CubeFace`.

    Raises:
        InputError: an arrow does not lie in its face, or there are not six.
    """

    arrows: tuple[Arrow, ...]

    def __post_init__(self) -> None:
        if len(self.arrows) != len(CubeFace):
            raise InputError(f"a cube has 6 arrows, not {len(self.arrows)}")
        for face, arrow in zip(CubeFace, self.arrows, strict=True):
            if arrow.towards not in face.beside:
                raise InputError(f"an arrow on the {face} face can't point {arrow.towards}")

    @staticmethod
    def from_arrows(arrows: Mapping[CubeFace, Arrow]) -> "ArrowCube":
        """Return the cube with these arrows on its six faces."""
        return ArrowCube(tuple(arrows[face] for face in CubeFace))

    def get_arrow(self, face: CubeFace) -> Arrow:
        """Return the arrow on a face."""
        return self.arrows[face.number]

    def rotate(self, rotation: Rotation) -> "ArrowCube":
        """Return the cube after a rotation."""
        return ArrowCube(self._rotate(rotation, tuple(CubeFace)))

    def _rotate(self, rotation: Rotation, faces: Iterable[CubeFace]) -> tuple[Arrow, ...]:
        """Return the arrows that some faces have after a rotation."""
        before = rotation.inverse
        return tuple(
            turn_arrow(self.arrows[rotate_face(face, before).number], rotation) for face in faces
        )

    def replace_arrow(self, face: CubeFace, arrow: Arrow) -> "ArrowCube":
        """Return the cube with another arrow on one face."""
        number = face.number
        return replace(self, arrows=(*self.arrows[:number], arrow, *self.arrows[number + 1 :]))

    def list_rotations(self) -> Iterator["ArrowCube"]:
        """It in its 24 rotations, in their fixed order; equal ones if it is symmetric."""
        return map(self.rotate, list_rotations())

    @property
    def view(self) -> CornerView:
        """The arrows on top, front and right."""
        top, front, right = map(self.get_arrow, VISIBLE)
        return top, front, right

    @cached_property
    def views(self) -> tuple[CornerView, ...]:
        """Views of it in each of the 24 rotations."""
        turned = (self._rotate(rotation, VISIBLE) for rotation in list_rotations())
        return tuple((top, front, right) for top, front, right in turned)

    def is_same(self, other: "ArrowCube") -> bool:
        """Return whether some rotation makes one of the other."""
        if self.colours != other.colours:
            return False
        return any(cube == other for cube in self.list_rotations())

    @property
    def colours(self) -> tuple[ArrowColour, ...]:
        """The colours of its arrows in alphabetical order, as often as they occur."""
        return tuple(sorted(arrow.colour for arrow in self.arrows))

    def __str__(self) -> str:
        """``red>back`` for the arrow on each face, in the order of their names."""
        return " ".join(f"{arrow.colour}>{arrow.towards}" for arrow in self.arrows)
