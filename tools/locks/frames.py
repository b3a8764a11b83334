"""Boxes and boards that cross each other, before they are notched."""

from pysim.families.burr.generator.carving import Bar
from pysim.geometry import Cell, Voxels

__all__ = ["boards", "box"]


def box(low: Cell, high: Cell) -> Bar:
    """Return all cells from ``low`` up to, but not including, ``high``."""
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    return Voxels.make_block(size).translate(low).cell_set


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
