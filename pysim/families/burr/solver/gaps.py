"""Distances that pieces can go before they hit each other, compiled.

It is measured once for each pair of shapes and each way that they stand to each other, for all
assemblies of a problem together.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.movement import measure
from pysim.kernels import kernel

__all__ = ["Gaps", "Stock", "create_gaps", "fill_gaps"]

MAX_GAPS = 1 << 20
"""Pairs of pieces that are remembered at once."""


class Stock(NamedTuple):
    """Shapes of pieces.

    Attributes:
        cells: (m, 3) int32, of all shapes, one after another, the low corner of each at the origin.
        starts: (s + 1,) int64, where each begins in ``cells``; the end of the last one last.
        lengths: (s,) int64, the longest edge of the block around each.
    """

    cells: NDArray[np.int32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @staticmethod
    def from_shapes(shapes: Sequence[NDArray[np.int32]]) -> "Stock":
        """Shapes given by their cells, (m, 3) each, the low corners anywhere."""
        low = [cells - cells.min(axis=0) for cells in shapes]
        return Stock(
            np.concatenate(low).astype(np.int32),
            np.cumsum([0] + [len(cells) for cells in low]).astype(np.int64),
            np.array([cells.max() + 1 for cells in low], np.int64),
        )


class Gaps(NamedTuple):
    """A hash table of how far pieces can go before they hit each other.

    Attributes:
        pairs: (places,) int64, the numbers of two shapes; -1 where a place is empty.
        apart: (places,) int64, how far the second stands from the first, packed.
        values: (places, 6) int32, what :func:`~pysim.families.burr.solver.movement.measure` says.
        known: number of places that are filled.
    """

    pairs: NDArray[np.int64]
    apart: NDArray[np.int64]
    values: NDArray[np.int32]
    known: int


def create_gaps() -> Gaps:
    """Return a table that is empty."""
    return Gaps(np.full(4096, -1, np.int64), np.empty(4096, np.int64), _room(4096), 0)


def _room(places: int) -> NDArray[np.int32]:
    return np.empty((places, 6), np.int32)


@kernel
def _find(gaps: Gaps, pair: int, apart: int) -> int:
    """Return the slot of a pair in the table: its own or an empty one."""
    last = np.uint64(len(gaps.pairs) - 1)
    mixed = (np.uint64(pair) * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(apart)
    place = (mixed * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(24) & last
    while gaps.pairs[place] >= 0 and (gaps.pairs[place] != pair or gaps.apart[place] != apart):
        place = (place + np.uint64(1)) & last
    return int(place)


@kernel
def _roomier(gaps: Gaps) -> Gaps:
    """Return the same table with four times as many places; an empty one if it held too much."""
    places = len(gaps.pairs) if gaps.known > MAX_GAPS else 4 * len(gaps.pairs)
    pairs, apart = np.full(places, -1, np.int64), np.empty(places, np.int64)
    grown = Gaps(pairs, apart, np.empty((places, 6), np.int32), gaps.known)
    if gaps.known > MAX_GAPS:
        return Gaps(grown.pairs, grown.apart, grown.values, 0)
    for k in range(len(gaps.pairs)):
        if gaps.pairs[k] >= 0:
            place = _find(grown, gaps.pairs[k], gaps.apart[k])
            grown.pairs[place] = gaps.pairs[k]
            grown.apart[place] = gaps.apart[k]
            for d in range(6):
                grown.values[place, d] = gaps.values[k, d]
    return grown


@kernel
def fill_gaps(
    stock: Stock,
    gaps: Gaps,
    shapes: NDArray[np.int64],
    places: NDArray[np.int32],
    reach: NDArray[np.int32],
) -> Gaps:
    """Write how far each piece can go before it hits each other one; the table to go on with.

    ``reach[d, i, j]`` is the number of units that piece i can go along direction d (+x -x +y -y +z
    -z) before it hits piece j, :data:`FAR` if it never does. The diagonal is left as it is.
    """
    n = len(shapes)
    for i in range(n):
        for j in range(i + 1, n):
            apart = 0
            for a in range(3):
                apart = apart << 13 | (places[j, a] - places[i, a] + 4096)
            pair = shapes[i] << 31 | shapes[j]
            place = _find(gaps, pair, apart)
            if gaps.pairs[place] < 0:
                if 2 * gaps.known > len(gaps.pairs):
                    gaps = _roomier(gaps)
                    place = _find(gaps, pair, apart)
                mine = stock.cells[stock.starts[shapes[i]] : stock.starts[shapes[i] + 1]]
                other = stock.cells[stock.starts[shapes[j]] : stock.starts[shapes[j] + 1]]
                measure(mine, other, places[j] - places[i], gaps.values[place])
                gaps.pairs[place] = pair
                gaps.apart[place] = apart
                gaps = Gaps(gaps.pairs, gaps.apart, gaps.values, gaps.known + 1)
            for d in range(6):
                reach[d, i, j] = gaps.values[place, d]
                reach[d ^ 1, j, i] = gaps.values[place, d]
    return gaps
