"""Filling a box as an exact cover: cells and pieces are columns, a piece in a spot is a row.

Of equal pieces the earlier one has the lower first cell, so that every cover is another packing.
That is an exact cover too: for neighbours k, k + 1 among equal pieces there is an optional column
for each cell; a row of piece k covers those up to its own first cell, a row of piece k + 1 those
from its own first cell on. So the two rows share a column unless k comes first.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pysim.families.packing.grid import Spot, list_bits, list_spots
from pysim.families.packing.symmetry import find_stabilizer, list_box_rotations, rotate_mask
from pysim.geometry import Cell, Voxels
from pysim.search.exact_cover import CoverMatrix

__all__ = ["CoverProblem", "choose_anchor", "cover_of"]

Row = tuple[int, Spot]
"""A piece in a spot."""


@dataclass(frozen=True, slots=True)
class CoverProblem:
    """An exact cover problem and what its rows mean.

    Attributes:
        matrix: columns are the cells of the box, the pieces, and those that order equal pieces.
        rows: the piece and its spot, row by row.
    """

    matrix: CoverMatrix
    rows: tuple[Row, ...]

    def list_masks(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Return each piece's cells in a cover."""
        spots = sorted((self.rows[row] for row in chosen), key=lambda row: row[0])
        return tuple(spot.mask for _, spot in spots)


def cover_of(
    size: Cell,
    shapes: Sequence[Voxels],
    *,
    rng: random.Random | None = None,
    anchor: int | None = None,
) -> CoverProblem:
    """Return the cover problem of some pieces.

    Args:
        rng: shuffles the rows; without it they are in a fixed order.
        anchor: a piece, unlike all others, that is only tried in one of the spots that turn into
            each other with the box.
    """
    rows = [
        (i, spot)
        for i, shape in enumerate(shapes)
        for spot in (list_spots(size, shape) if i != anchor else _unlike_spots(size, shape))
    ]
    if rng is not None:
        rng.shuffle(rows)
    cells = size[0] * size[1] * size[2]
    base = cells + len(shapes)
    ordered = _equal_neighbours(shapes)

    def columns_of(piece: int, mask: int) -> list[int]:
        own = [bit.bit_length() - 1 for bit in list_bits(mask)]
        return [*own, cells + piece, *_ordering(piece, own[0], cells, base, ordered)]

    columns = (columns_of(i, spot.mask) for i, spot in rows)
    return CoverProblem(CoverMatrix.from_rows(columns, base, cells * len(ordered)), tuple(rows))


def choose_anchor(size: Cell, shapes: Sequence[Voxels]) -> int | None:
    """Return the piece that is best tried in unlike spots only: the one with the fewest of them.

    None if no piece is unlike all others.
    """
    canonical = [shape.canonical for shape in shapes]
    single = [i for i, shape in enumerate(canonical) if canonical.count(shape) == 1]
    # A spot that the box can be turned around would leave some packings to be found twice.
    return min(
        single,
        key=lambda i: (
            any(len(find_stabilizer(size, s.mask)) > 1 for s in _unlike_spots(size, shapes[i])),
            len(_unlike_spots(size, shapes[i])),
        ),
        default=None,
    )


@lru_cache(maxsize=1 << 12)
def _unlike_spots(size: Cell, shape: Voxels) -> tuple[Spot, ...]:
    """Return the first of every set of spots that turn into each other with the box."""
    return tuple(
        spot
        for spot in list_spots(size, shape)
        if spot.mask == min(rotate_mask(size, spot.mask, r) for r in list_box_rotations(size))
    )


def _equal_neighbours(shapes: Sequence[Voxels]) -> list[tuple[int, int]]:
    """Return each piece that is equal to an earlier one, with the last such."""
    classes: dict[Voxels, list[int]] = {}
    for i, shape in enumerate(shapes):
        classes.setdefault(shape.canonical, []).append(i)
    return [pair for pieces in classes.values() for pair in pairwise(pieces)]


def _ordering(
    piece: int, first: int, cells: int, base: int, ordered: list[tuple[int, int]]
) -> Iterator[int]:
    """Yield the optional columns of a row, whose first cell is ``first``."""
    for k, (earlier, later) in enumerate(ordered):
        start = base + k * cells
        if piece == earlier:
            yield from range(start, start + first + 1)
        elif piece == later:
            yield from range(start + first, start + cells)
