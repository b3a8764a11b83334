"""Nets with arrows: folding one into its cube, and the 264 ways of unfolding a cube; exact."""

from dataclasses import dataclass
from functools import cache

from pysim.errors import InputError
from pysim.families.nets.cube import Arrow, ArrowColour, ArrowCube
from pysim.families.nets.faces import CubeFace, Frame, Heading, list_frames
from pysim.families.nets.shapes import NetShape, Square, fold_shape, list_net_shapes

__all__ = ["UPRIGHT", "ArrowNet", "FlatArrow", "fold", "list_unfoldings", "open_cube"]

UPRIGHT = Frame(CubeFace.FRONT, CubeFace.TOP)
"""A square that is seen upright by who stands in front of the cube."""


@dataclass(frozen=True, slots=True, order=True)
class FlatArrow:
    """An arrow on a square of a net, as it is drawn.

    Attributes:
        colour: how it is painted.
        way: where it points in the drawing.
    """

    colour: ArrowColour
    way: Heading


@dataclass(frozen=True, slots=True)
class ArrowNet:
    """A net as it is drawn, the side with the arrows up.

    Attributes:
        shape: its squares.
        arrows: (6,) one for each square, in order.
    """

    shape: NetShape
    arrows: tuple[FlatArrow, ...]

    def get_arrow(self, square: Square) -> FlatArrow:
        """Return the arrow on a square."""
        return self.arrows[self.shape.index(square)]

    def list_rows(self) -> list[list[FlatArrow | None]]:
        """Return the drawing row by row from the top; None where there is no square."""
        width, height = 1 + max(x for x, _ in self.shape), 1 + max(y for _, y in self.shape)
        return [
            [self.get_arrow((x, y)) if (x, y) in self.shape else None for x in range(width)]
            for y in reversed(range(height))
        ]

    def __str__(self) -> str:
        """Rows from the top joined with ``/``: ``red up . .``; a dot for no square."""
        return " / ".join(
            " ".join("." if one is None else f"{one.colour} {one.way}" for one in row)
            for row in self.list_rows()
        )


def fold(net: ArrowNet, frame: Frame = UPRIGHT) -> ArrowCube:
    """Return the cube that a net makes, the arrows outside.

    Args:
        frame: how the net's first square lies on it.

    Raises:
        InputError: two squares get onto one face.
    """
    there = fold_shape(net.shape, net.shape[0], frame)
    arrows = {
        there[square].outward: Arrow(arrow.colour, there[square].find_face(arrow.way))
        for square, arrow in zip(net.shape, net.arrows, strict=True)
    }
    if len(arrows) < len(CubeFace):
        raise InputError("this is no net of a cube: two squares get onto one face")
    return ArrowCube.from_arrows(arrows)


def open_cube(cube: ArrowCube, shape: NetShape, frame: Frame = UPRIGHT) -> ArrowNet:
    """Return the net of a shape that folds into a cube; the inverse of :func:`fold`.

    Args:
        frame: which face becomes the first square, and which way up.
    """
    there = fold_shape(shape, shape[0], frame)
    arrows = ((there[square], cube.get_arrow(there[square].outward)) for square in shape)
    return ArrowNet(
        shape, tuple(FlatArrow(arrow.colour, f.find_heading(arrow.towards)) for f, arrow in arrows)
    )


@cache
def list_unfoldings() -> tuple[tuple[NetShape, Frame], ...]:
    """Return all 264: each of the 11 shapes with each of the 24 ways to lie of its first square."""
    return tuple((shape, frame) for shape in list_net_shapes() for frame in list_frames())
