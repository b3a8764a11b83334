"""Bars and boards that cross each other, before they are notched."""

from collections.abc import Iterator
from itertools import product

from pysim.geometry import Cell, Voxels
from tools.locks.carving import Bar

__all__ = ["boards", "box", "crossing_bars"]


def box(low: Cell, high: Cell) -> Bar:
    """Return all cells from ``low`` up to, but not including, ``high``."""
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    return Voxels.make_block(size).translate(low).cell_set


def crossing_bars(rows: Cell, stacked: Cell) -> tuple[Bar, ...]:
    """Bars of 2 x 2 cells along x, y and z that cross as those of a six-piece burr do.

    Bars along one axis stand in rows 4 units apart, each row a stack without gaps; bars along the
    next axis lie in the middle between two of the stack. ``(1, 1, 1), (2, 2, 2)`` is the six-piece
    burr.

    Args:
        rows: for the bars along x, y, z the number of rows, side by side along y, z, x.
        stacked: for the bars along x, y, z the bars in each row, stacked along z, x, y.
    """
    return tuple(bar for axis in range(3) for bar in _along(axis, rows, stacked))


def _along(axis: int, rows: Cell, stacked: Cell) -> Iterator[Bar]:
    beside, above = (axis + 1) % 3, (axis + 2) % 3
    for row, level in product(range(rows[axis]), range(stacked[axis])):
        low, high = [0, 0, 0], [0, 0, 0]
        low[beside], high[beside] = 4 * row + 2, 4 * row + 4
        low[above], high[above] = 2 * level + 1, 2 * level + 3
        high[axis] = 2 * stacked[beside] + 2
        yield box((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def boards(length: int, width: int, apart: int) -> tuple[Bar, ...]:
    """Return three pairs of boards one cell thick, each pair across the next one.

    Args:
        length: of each board.
        width: of each board.
        apart: free cells between the two boards of a pair.
    """
    middle = (length - width) // 2
    first = (length - apart) // 2 - 1
    found = []
    for axis in range(3):
        for level in (first, first + apart + 1):
            low, high = [0, 0, 0], [0, 0, 0]
            high[axis] = length
            low[(axis + 1) % 3], high[(axis + 1) % 3] = middle, middle + width
            low[(axis + 2) % 3], high[(axis + 2) % 3] = level, level + 1
            found.append(box((low[0], low[1], low[2]), (high[0], high[1], high[2])))
    return tuple(found)
