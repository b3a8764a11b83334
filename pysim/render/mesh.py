"""Drawable faces of voxel shapes: quads that know their edges and how open their corners are."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Cell, Direction, Voxels
from pysim.render.glyphs import encode_orientation, index_glyph
from pysim.render.palette import Rgb, parse_color
from pysim.scene import Body, Sticker

__all__ = ["VERTEX", "Model", "Patch", "Vertices", "build_quad_indices", "build_quads"]

VERTEX = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "u1"),
        ("edges", "u1"),
        ("corner", "u1"),
        ("openness", "u1"),
        ("paint", "u1", 4),
    ]
)
"""One corner of one visible cell face, 20 bytes, in body coordinates.

With a = the axis of the normal, the face spans u = axis a+1 and v = axis a+2 (cyclic), 0 to 1 each.

- normal: index in the order of ``Direction``: +x -x +y -y +z -z.
- edges: bits 0..3 for the sides u=0, u=1, v=0, v=1; set where the surface bends there, clear where
  it goes on flat and only a line between voxels runs.
- corner: 0..3 for (u, v) = (0, 0), (1, 0), (1, 1), (0, 1).
- openness: two bits for each corner, corner 0 lowest; 3 is free, 0 wholly enclosed by the piece.
- paint: sRGB of the sticker on the face and 255, or zeros where there is none.

Where a sticker carries a glyph, ``normal`` holds in its upper five bits how it lies and ``corner``
in its upper six which it is; see :mod:`pysim.render.glyphs`.

All but position and corner are the same for the four corners of a face.
"""

Vertices = NDArray[np.void]
"""An array of ``VERTEX``."""


class Patch(NamedTuple):
    """A sticker as it is drawn.

    Attributes:
        cell, side: on which face.
        paint: its sRGB.
        glyph: the number of what stands on it, from 1; 0 for nothing.
        lie: how that lies on the face.
    """

    cell: Cell
    side: Direction
    paint: Rgb
    glyph: int = 0
    lie: int = 0

    @staticmethod
    def from_sticker(sticker: Sticker, palette: Mapping[str, Rgb]) -> "Patch":
        """Return the looks of a sticker.

        Raises:
            InputError: its colour is not in the palette.
        """
        glyph = sticker.glyph
        lie = 0 if glyph is None else encode_orientation(glyph, sticker.side)
        paint = parse_color(sticker.colour, palette)
        return Patch(sticker.cell, sticker.side, paint, index_glyph(glyph), lie)


class Model(NamedTuple):
    """Geometry and colours of a body, wherever it stands and whatever its own colour.

    Attributes:
        shape: its cells.
        stickers: what is stuck on it.
    """

    shape: Voxels
    stickers: tuple[Patch, ...] = ()

    @staticmethod
    def from_body(body: Body, palette: Mapping[str, Rgb]) -> "Model":
        """Return the looks of a body.

        Raises:
            InputError: a sticker's colour is not in the palette.
        """
        return Model(
            body.shape, tuple(Patch.from_sticker(sticker, palette) for sticker in body.stickers)
        )


_CORNER_SIGNS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_EDGE_SIGNS = ((-1, 0), (1, 0), (0, -1), (0, 1))


@lru_cache(maxsize=256)
def build_quads(model: Model) -> Vertices:
    """Return the visible cell faces of a model: (faces, 4) of ``VERTEX``, read-only.

    Corners run counter-clockwise seen from outside. A sticker on a face that is not visible is not
    seen.
    """
    occupied = _Occupied(model.shape)
    sides = [_side(occupied, index) for index in range(6)]
    _paint(sides, model.stickers)
    faces = np.concatenate(sides)
    faces.flags.writeable = False
    return faces


def build_quad_indices(count: int) -> NDArray[np.uint32]:
    """Corner indices (6 * count,) of the two triangles of each of ``count`` quads."""
    starts = 4 * np.arange(count, dtype=np.uint32)[:, None]
    return (starts + np.array([0, 1, 2, 0, 2, 3], dtype=np.uint32)).ravel()


def _paint(sides: list[Vertices], stickers: Sequence[Patch]) -> None:
    """Put stickers on the faces (faces, 4) of the six sides."""
    for patch in stickers:
        index = list(Direction).index(patch.side)
        middle = np.array(patch.cell) + np.array(patch.side.vector) / 2.0
        at = (sides[index]["position"].mean(axis=1) == middle).all(axis=1)
        sides[index]["paint"][at] = (*patch.paint, 255)
        sides[index]["normal"][at] = index | patch.lie << 3
        sides[index]["corner"][at] = (sides[index]["corner"][at] & 3) | patch.glyph << 2


class _Occupied:
    """Cells of a shape, looked up for many cells at once; sparse shapes cost no more."""

    def __init__(self, shape: Voxels) -> None:
        self.cells = np.array(shape.cells, dtype=np.int64)
        self._low = self.cells.min(axis=0) - 2
        self._span = self.cells.max(axis=0) + 3 - self._low
        self._keys = np.sort(self._key(self.cells))

    def __call__(self, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
        keys = self._key(cells)
        slots = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: NDArray[np.bool_] = self._keys[slots] == keys
        return found

    def _key(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        x, y, z = np.moveaxis(cells - self._low, -1, 0)
        key: NDArray[np.int64] = (x * self._span[1] + y) * self._span[2] + z
        return key


def _side(occupied: _Occupied, index: int) -> Vertices:
    """Return the faces (faces, 4) of ``VERTEX`` that look along one direction."""
    direction = list(Direction)[index]
    axis = index // 2
    normal = np.array(direction.vector)
    u, v = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
    cells = occupied.cells[~occupied(occupied.cells + normal)]
    order = [0, 1, 2, 3] if direction.sign > 0 else [0, 3, 2, 1]
    faces = np.zeros((len(cells), 4), dtype=VERTEX)
    corners = np.array([a * u + b * v for a, b in _CORNER_SIGNS])[order]
    faces["position"] = cells[:, None] + (normal + corners) / 2.0
    faces["normal"] = index
    faces["edges"] = _edges(occupied, cells, normal, u, v)[:, None]
    faces["corner"] = order
    faces["openness"] = _openness(occupied, cells + normal, u, v)[:, None]
    return faces


def _edges(
    occupied: _Occupied,
    cells: NDArray[np.int64],
    normal: NDArray[np.int64],
    u: NDArray[np.int64],
    v: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Return four bits for each cell: at which sides of its face the surface bends."""
    bits = np.zeros(len(cells), dtype=np.uint8)
    for bit, (a, b) in enumerate(_EDGE_SIGNS):
        beside = cells + a * u + b * v
        flat = occupied(beside) & ~occupied(beside + normal)
        bits |= np.where(flat, 0, 1 << bit).astype(np.uint8)
    return bits


def _openness(
    occupied: _Occupied, front: NDArray[np.int64], u: NDArray[np.int64], v: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Two bits for each corner: 3 less the filled cells in front of the face that touch it."""
    bits = np.zeros(len(front), dtype=np.uint8)
    for corner, (a, b) in enumerate(_CORNER_SIGNS):
        side, other = occupied(front + a * u), occupied(front + b * v)
        diagonal = occupied(front + a * u + b * v)
        count = np.where(side & other, 3, side.astype(int) + other + diagonal)
        bits |= ((3 - count) << (2 * corner)).astype(np.uint8)
    return bits
