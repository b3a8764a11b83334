"""Merging voxels into few boxes, for physics engines that want convex parts."""

from dataclasses import dataclass
from functools import lru_cache

from pysim.geometry.directions import Cell
from pysim.geometry.voxels import Bounds, Voxels

__all__ = ["merge_boxes"]


# Scenes are described at every step, and most pieces stay where they were.
@lru_cache(maxsize=4096)
def merge_boxes(shape: Voxels) -> tuple[Bounds, ...]:
    """Disjoint blocks that cover exactly ``shape``, found greedily.

    From the least uncovered cell a block is grown along each axis in turn; the order of the axes
    that gives the fewest blocks over the whole shape is kept. Not always minimal, always exact.
    Time O(n) set look-ups for each of the six orders, n = number of cells.
    """
    return min((_merge(shape, order) for order in _ORDERS), key=len)


_ORDERS: tuple[tuple[int, int, int], ...] = (
    (0, 1, 2),
    (0, 2, 1),
    (1, 0, 2),
    (1, 2, 0),
    (2, 0, 1),
    (2, 1, 0),
)


@dataclass(slots=True)
class _Grower:
    """Uncovered cells, and the block being grown among them."""

    free: set[Cell]

    def expand(self, start: Cell, order: tuple[int, int, int]) -> Bounds:
        low, high = start, start
        for axis in order:
            while True:
                layer = _layer(low, high, axis)
                if not self.free.issuperset(layer):
                    break
                high = _raised(high, axis)
        return Bounds(low, high)


def _merge(shape: Voxels, order: tuple[int, int, int]) -> tuple[Bounds, ...]:
    grower = _Grower(set(shape.cells))
    blocks: list[Bounds] = []
    for cell in shape.cells:
        if cell in grower.free:
            block = grower.expand(cell, order)
            grower.free.difference_update(list_cells(block))
            blocks.append(block)
    return tuple(blocks)


def list_cells(block: Bounds) -> list[Cell]:
    """Return every cell of a block."""
    (x0, y0, z0), (x1, y1, z1) = block.low, block.high
    return [
        (x, y, z) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1) for z in range(z0, z1 + 1)
    ]


def _layer(low: Cell, high: Cell, axis: int) -> list[Cell]:
    """Return the cells just above a block along ``axis``."""
    first, last = list(low), list(high)
    first[axis] = last[axis] = high[axis] + 1
    return list_cells(Bounds((first[0], first[1], first[2]), (last[0], last[1], last[2])))


def _raised(cell: Cell, axis: int) -> Cell:
    raised = list(cell)
    raised[axis] += 1
    return (raised[0], raised[1], raised[2])
