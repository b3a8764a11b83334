"""Pieces of a level as solids, and where they stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.geometry import Direction, Pose, Rotation, Voxels, list_rotations
from pysim.geometry.solids import Dimensions, Solid, build_solid
from pysim.render.palette import Rgb, parse_color
from pysim.scene import Body
from pysim.trajectory import Transform

__all__ = [
    "Piece",
    "lay_down",
    "list_assembled_bodies",
    "list_bodies",
    "make_pieces",
    "scale_transform",
]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece in its place.

    Attributes:
        name: of its body.
        solid: its surface, in body coordinates.
        transform: 4x4, from body to world, in millimetres.
        colour: of its material.
        paint: (m, 3) sRGB of each triangle, 0..255; stickers are painted on.
    """

    name: str
    solid: Solid
    transform: Transform
    colour: Rgb
    paint: NDArray[np.uint8]

    def place_vertices(self) -> NDArray[np.float64]:
        """Return the vertices (n, 3) in the world."""
        placed: NDArray[np.float64] = self.solid.vertices @ self.transform[:3, :3].T
        return placed + self.transform[:3, 3]


def list_bodies(level: AnyLevel) -> tuple[Body, ...]:
    """Return the solid pieces of a level as it starts.

    Raises:
        InputError: its family has none.
    """
    family = find_family(level)
    if family.assembly is None:
        raise InputError(
            f"{level.id} has nothing to print: levels of the family {level.family} are not made "
            "of solid pieces"
        )
    return family.rules.scene(level, family.rules.initial(level)).bodies


def list_assembled_bodies(level: AnyLevel) -> tuple[Body, ...] | None:
    """Return the solid pieces put together; None if no way to do so is known."""
    family = find_family(level)
    return None if family.assembly is None else family.assembly(level)


def lay_down(body: Body) -> Body:
    """Return a body as it is printed best: on the side with most cells, and as low as can be."""

    def rank(rotation: Rotation) -> tuple[int, int]:
        shape = body.shape.rotate(rotation)
        low, high = shape.bounds.low[2], shape.bounds.high[2]
        return sum(cell[2] == low for cell in shape.cells), low - high

    return replace(body, pose=Pose(max(list_rotations(), key=rank), (0, 0, 0)))


def make_pieces(
    bodies: Iterable[Body], dimensions: Dimensions, *, is_grounded: bool = True
) -> tuple[Piece, ...]:
    """Return bodies as pieces in their places.

    Args:
        bodies: at least one.
        is_grounded: whether all are moved together until their lowest corner is the origin.
    """
    pieces = tuple(_make_piece(body, dimensions) for body in bodies)
    return _ground(pieces) if is_grounded else pieces


def scale_transform(transform: Transform, edge: float) -> Transform:
    """Return a transform in units of a cell as one in millimetres."""
    scaled = transform.copy()
    scaled[:3, 3] *= edge
    return scaled


def _make_piece(body: Body, dimensions: Dimensions) -> Piece:
    solid = _build_solid(body.shape, dimensions)
    colour = parse_color(body.colour)
    paint = np.tile(np.array(colour, np.uint8), (len(solid.triangles), 1))
    for (cell, side), own in _list_stickers(body).items():
        on = (solid.sides == side) & (solid.cells == cell).all(axis=1)
        paint[on] = own
    transform = scale_transform(body.pose.transform(), dimensions.edge)
    return Piece(body.name, solid, transform, colour, paint)


def _list_stickers(body: Body) -> Mapping[tuple[tuple[int, int, int], int], Rgb]:
    sides = list(Direction)
    return {(s.cell, sides.index(s.side)): parse_color(s.colour) for s in body.stickers}


@lru_cache(maxsize=64)
def _build_solid(shape: Voxels, dimensions: Dimensions) -> Solid:
    return build_solid(shape, dimensions)


def _ground(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    lowest = np.min([piece.place_vertices().min(axis=0) for piece in pieces], axis=0)
    shift = np.eye(4)
    shift[:3, 3] = -lowest
    return tuple(replace(piece, transform=shift @ piece.transform) for piece in pieces)
