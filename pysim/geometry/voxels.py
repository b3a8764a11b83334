"""Voxel shapes as value types, the blocks around them, and the poses in which they stand."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from pysim.errors import InputError
from pysim.geometry.directions import Cell, add, subtract
from pysim.geometry.rotations import IDENTITY, Rotation, list_rotations

if TYPE_CHECKING:  # Most of what needs poses is exact, and starts sooner without numpy.
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HOME", "Bounds", "Pose", "Voxels"]

MAX_CELLS = 1_000_000
"""A shape with more cells than this is refused."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """An axis-aligned block of cells, both corners included."""

    low: Cell
    high: Cell

    @property
    def size(self) -> Cell:
        """Number of cells along each axis."""
        extent = subtract(self.high, self.low)
        return (extent[0] + 1, extent[1] + 1, extent[2] + 1)

    def union(self, other: "Bounds") -> "Bounds":
        """Return the smallest block that holds both."""
        return Bounds(_least(self.low, other.low), _greatest(self.high, other.high))

    def is_overlapping(self, other: "Bounds") -> bool:
        """Return whether the two blocks share a cell."""
        a, b, c, d = self.low, self.high, other.low, other.high
        return (
            a[0] <= d[0]
            and c[0] <= b[0]
            and a[1] <= d[1]
            and c[1] <= b[1]
            and a[2] <= d[2]
            and c[2] <= b[2]
        )

    def has_block(self, other: "Bounds") -> bool:
        """Return whether ``other`` lies wholly inside this block."""
        return self.union(other) == self

    def has_cell(self, cell: Cell) -> bool:
        """Return whether a cell is one of this block's."""
        (x0, y0, z0), (x1, y1, z1), (x, y, z) = self.low, self.high, cell
        return x0 <= x <= x1 and y0 <= y <= y1 and z0 <= z <= z1

    def translate(self, offset: Cell) -> "Bounds":
        """This block, translated."""
        (x0, y0, z0), (x1, y1, z1), (x, y, z) = self.low, self.high, offset
        return Bounds((x0 + x, y0 + y, z0 + z), (x1 + x, y1 + y, z1 + z))

    def rotate(self, rotation: Rotation) -> "Bounds":
        """This block, turned about the origin."""
        return _rotate_block(self.low, self.high, rotation.index)

    def expand(self, low: Cell, high: Cell) -> "Bounds":
        """This block with ``low`` cells more on the lower and ``high`` on the upper sides."""
        return Bounds(subtract(self.low, low), add(self.high, high))

    @staticmethod
    def cover(blocks: Iterable["Bounds"]) -> "Bounds":
        """Return the smallest block that holds all of ``blocks``.

        Raises:
            ValueError: there are none.
        """
        found = list(blocks)
        if not found:
            raise ValueError("nothing to put a block around")
        if len(found) == 1:
            return found[0]
        x0, y0, z0 = map(min, *(block.low for block in found))
        x1, y1, z1 = map(max, *(block.high for block in found))
        return Bounds((x0, y0, z0), (x1, y1, z1))


@dataclass(frozen=True)
class Voxels:
    """A non-empty set of unit cells, kept sorted, so that equal shapes are equal values.

    Cell ``(x, y, z)`` is the unit cube whose *centre* is the lattice point (x, y, z).
    """

    cells: tuple[Cell, ...]

    @staticmethod
    def from_cells(cells: Iterable[Cell]) -> "Voxels":
        """Return the shape made of ``cells``.

        Raises:
            InputError: no cells, or more than ``MAX_CELLS``.
        """
        ordered = tuple(sorted(set(cells)))
        if not ordered:
            raise InputError("a shape needs at least one cell")
        if len(ordered) > MAX_CELLS:
            raise InputError(f"a shape may have {MAX_CELLS:,} cells, not {len(ordered):,}")
        return Voxels(ordered)

    @staticmethod
    def make_block(size: Cell) -> "Voxels":
        """Return a full block of ``size`` cells with its lowest corner at the origin."""
        x, y, z = size
        return Voxels.from_cells((i, j, k) for i in range(x) for j in range(y) for k in range(z))

    @staticmethod
    def parse(layers: Sequence[str], *, longest: int | None = None) -> "Voxels":
        """Return a shape from text: one string per z layer (lowest first), rows split by ``/``.

        Rows run along y (lowest first), characters along x; ``#`` is filled, ``.`` empty.

        Args:
            longest: layers, rows and characters of a row that a drawing may have; a larger one is
                refused unread.

        Raises:
            InputError: another character, nothing filled, too much, or a drawing that is too large.
        """
        if longest is not None:
            _check_drawing(layers, longest)
        filled = sum(layer.count("#") for layer in layers)
        if filled > MAX_CELLS:
            raise InputError(f"a shape may have {MAX_CELLS:,} cells, not {filled:,}")
        return Voxels.from_cells(
            (sign.start(), y, z)
            for z, layer in enumerate(layers)
            for y, row in enumerate(layer.split("/"))
            for sign in _SIGNS.finditer(row)
            if _is_cell(sign[0])
        )

    @staticmethod
    @lru_cache(maxsize=1 << 14)
    def restore(layers: tuple[str, ...]) -> "Voxels":
        """Return the shape that :meth:`format` has written, without the checks of :meth:`parse`."""
        rows = layers[0].split("/")
        text = "".join(layers).replace("/", "").translate(_BITS)
        cells = compress(_list_cells(len(rows[0]), len(rows), len(layers)), text.encode())
        return Voxels(tuple(sorted(cells)))

    def format(self) -> tuple[str, ...]:
        """Return the text that :meth:`parse` reads; the shape is first moved to the origin."""
        (nx, ny, nz), (x0, y0, z0) = self.bounds.size, self.bounds.low
        signs = [[["."] * nx for _ in range(ny)] for _ in range(nz)]
        for x, y, z in self.cells:
            signs[z - z0][y - y0][x - x0] = "#"
        return tuple("/".join(map("".join, layer)) for layer in signs)

    @cached_property
    def bounds(self) -> Bounds:
        """The block around all cells."""
        xs, ys, zs = zip(*self.cells, strict=True)
        return Bounds((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs)))

    @cached_property
    def cell_set(self) -> frozenset[Cell]:
        """The cells as a set."""
        return frozenset(self.cells)

    def translate(self, offset: Cell) -> "Voxels":
        """This shape, translated."""
        x, y, z = offset
        if not (x or y or z):
            return Voxels(self.cells)
        return Voxels(tuple((a + x, b + y, c + z) for a, b, c in self.cells))

    def rotate(self, rotation: Rotation) -> "Voxels":
        """This shape, turned about the origin."""
        if rotation == IDENTITY:
            return Voxels(self.cells)  # Not this one: a shape that holds itself can't be pickled.
        return Voxels(tuple(sorted(rotation.apply_each(self.cells))))

    def move_to_origin(self) -> "Voxels":
        """This shape with the lowest corner of its bounds at (0, 0, 0)."""
        x, y, z = self.bounds.low
        return self.translate((-x, -y, -z)) if x or y or z else self

    @cached_property
    def copies(self) -> frozenset["Voxels"]:
        """The different ones of the 24 turned copies, each at the origin."""
        return frozenset(self.rotate(rotation).move_to_origin() for rotation in list_rotations())

    @cached_property
    def canonical(self) -> "Voxels":
        """The least of the turned copies: equal for congruent shapes."""
        return min(self.copies, key=lambda shape: shape.cells)

    @cached_property
    def is_connected(self) -> bool:
        """Whether every cell can be reached from any other through faces."""
        remaining = set(self.cells)
        frontier = [remaining.pop()]
        while frontier:
            x, y, z = frontier.pop()
            for neighbour in (
                (x + 1, y, z),
                (x - 1, y, z),
                (x, y + 1, z),
                (x, y - 1, z),
                (x, y, z + 1),
                (x, y, z - 1),
            ):
                if neighbour in remaining:
                    remaining.remove(neighbour)
                    frontier.append(neighbour)
        return not remaining


@dataclass(frozen=True, slots=True)
class Pose:
    """Turn a shape by ``rotation`` about its own origin, then translate it by ``offset``."""

    rotation: Rotation
    offset: Cell

    def place(self, shape: Voxels) -> Voxels:
        """Return the cells that ``shape`` covers in this pose."""
        return shape.rotate(self.rotation).translate(self.offset)

    def translate(self, by: Cell) -> "Pose":
        """This pose, translated."""
        return Pose(self.rotation, add(self.offset, by))

    def transform(self) -> "NDArray[np.float64]":
        """The 4x4 homogeneous matrix from body to world coordinates, in units of a cell edge."""
        import numpy as np

        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation.matrix
        matrix[:3, 3] = self.offset
        return matrix

    @staticmethod
    def place_corner(shape: Voxels, rotation: Rotation, corner: Cell) -> "Pose":
        """The pose in which ``shape``, turned, has ``corner`` as the low corner of its bounds."""
        return Pose(rotation, subtract(corner, shape.bounds.rotate(rotation).low))

    def find_corner(self, shape: Voxels) -> Cell:
        """Return the low corner of the bounds of ``shape`` in this pose."""
        return self.find_bounds(shape).low

    def find_bounds(self, shape: Voxels) -> Bounds:
        """Return the bounds of ``shape`` in this pose."""
        return shape.bounds.rotate(self.rotation).translate(self.offset)


HOME = Pose(IDENTITY, (0, 0, 0))


@lru_cache(maxsize=4096)
def _rotate_block(low: Cell, high: Cell, rotation: int) -> Bounds:
    """Return a block turned about the origin; few differ among the pieces of many levels."""
    one, other = Rotation(rotation).apply_each((low, high))
    return Bounds(_least(one, other), _greatest(one, other))


_SIGNS = re.compile("[^.]")
_BITS = {ord("#"): 1, ord("."): 0}


@lru_cache(maxsize=256)
def _list_cells(x: int, y: int, z: int) -> tuple[Cell, ...]:
    """Return the cells of a block in the order in which they are drawn."""
    return tuple((i, j, k) for k in range(z) for j in range(y) for i in range(x))


def _is_cell(sign: str) -> bool:
    if sign != "#":
        raise InputError(f"a shape is drawn with # and ., not {sign!r}")
    return True


def _check_drawing(layers: Sequence[str], longest: int) -> None:
    most = longest * (longest + 1)
    if len(layers) > longest or any(len(layer) > most for layer in layers):
        raise InputError(f"a shape is drawn at most {longest} cells long, wide and high")


def _least(a: Cell, b: Cell) -> Cell:
    return (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))


def _greatest(a: Cell, b: Cell) -> Cell:
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))
