"""Surfaces of bodies: rectangles in body coordinates, with room for a texture on each."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Cell, Direction, Voxels, add

__all__ = ["Surfaces", "build_surfaces"]

_Array = NDArray[np.float64]
_Index = NDArray[np.int64]


class Surfaces(NamedTuple):
    """The outsides of all bodies, in rectangles, those of a body one after another.

    Attributes:
        corners: (F, 4, 3) in body coordinates, around each rectangle; u goes from the first corner
            to the second one, v from the first to the last.
        normals: (F, 3) likewise.
        first: (B + 1,) the first rectangle of each body, and F.
        base: (F,) index of the first texel of each rectangle.
        grid: (F, 2) number of texels along u and v.
    """

    corners: _Array
    normals: _Array
    first: _Index
    base: _Index
    grid: _Index

    @property
    def texels(self) -> int:
        """Number of texels."""
        return int(self.base[-1] + self.grid[-1].prod()) if len(self.base) else 0

    @property
    def owners(self) -> _Index:
        """(F,) the body of each rectangle."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


def build_surfaces(shapes: Sequence[Voxels], texels: int) -> Surfaces:
    """Build the surfaces of bodies, each of as few rectangles as go along cells in a row.

    Args:
        texels: along the edge of a cell.
    """
    each = [list(_list_rectangles(shape)) for shape in shapes]
    corners, normals, sizes = zip(*(one for some in each for one in some), strict=True)
    first = [0, *accumulate(map(len, each))]
    grid = texels * np.array(sizes, np.int64).reshape(-1, 2)
    base = np.concatenate([[0], np.cumsum(grid.prod(axis=1))[:-1]]).astype(np.int64)
    return Surfaces(
        np.array(corners, np.float64).reshape(-1, 4, 3),
        np.array(normals, np.float64).reshape(-1, 3),
        np.array(first, np.int64),
        base,
        grid,
    )


def _list_rectangles(shape: Voxels) -> Iterator[tuple[_Array, _Array, tuple[int, int]]]:
    for direction in Direction:
        normal = np.array(direction.vector, np.float64)
        u, v = (direction.axis.number + 1) % 3, (direction.axis.number + 2) % 3
        bare = {c for c in shape.cells if add(c, direction.vector) not in shape.cell_set}
        for low, high in _cover(bare, np.eye(3, dtype=int)[[u, v]]):
            first, last = (np.array(cell) + normal / 2.0 for cell in (low, high))
            first[[u, v]] -= 0.5
            last[[u, v]] += 0.5
            second, fourth = first.copy(), first.copy()
            second[u], fourth[v] = last[u], last[v]
            size = (high[u] - low[u] + 1, high[v] - low[v] + 1)
            yield np.array([first, second, last, fourth]), normal, size


def _cover(bare: set[Cell], ways: NDArray[np.int64]) -> Iterator[tuple[Cell, Cell]]:
    """Yield the first and the last cells of rectangles that cover cells of one side, each once."""
    while bare:
        block = {min(bare)}
        for x, y, z in ways.tolist():
            front = block
            while (front := {add(cell, (x, y, z)) for cell in front}) <= bare:
                block = block | front
        yield min(block), max(block)
        bare = bare - block
