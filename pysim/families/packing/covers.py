"""Filling a box as an exact cover: cells and pieces are columns, a piece in a spot is a row."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pysim.families.packing.grid import Spot, spots_of
from pysim.geometry import Cell, Voxels
from pysim.search.exact_cover import Matrix

__all__ = ["Cover", "cover_of"]


@dataclass(frozen=True, slots=True)
class Cover:
    """An exact cover problem and what its rows mean.

    Attributes:
        matrix: columns are the cells of the box, then the pieces.
        rows: the piece and its spot, row by row.
    """

    matrix: Matrix
    rows: tuple[tuple[int, Spot], ...]

    def masks(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Each piece's cells in a cover."""
        spots = sorted((self.rows[row] for row in chosen), key=lambda row: row[0])
        return tuple(spot.mask for _, spot in spots)


def cover_of(size: Cell, shapes: Sequence[Voxels], chance: random.Random | None = None) -> Cover:
    """The cover problem of some pieces, with its rows in a fixed order or a random one."""
    rows = [(i, spot) for i, shape in enumerate(shapes) for spot in spots_of(size, shape)]
    if chance is not None:
        chance.shuffle(rows)
    cells = size[0] * size[1] * size[2]
    columns = ([*_bits(spot.mask), cells + i] for i, spot in rows)
    return Cover(Matrix.of(columns, cells + len(shapes)), tuple(rows))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
