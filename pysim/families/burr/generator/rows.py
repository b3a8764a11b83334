"""Distances that pieces can go before they hit each other, from bits instead of lists of cells.

Every piece is held as rows of bits along each axis. Two rows that meet are compared in a handful of
word operations, which is several times quicker than comparing all pairs of cells, and a changed
cell changes three words only. A search that tries thousands of pieces a second lives on that.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.movement import FAR
from pysim.kernels import kernel

__all__ = ["MAX_SIDE", "create_rows", "flip", "measure_rows"]

MAX_SIDE = 21
"""Cells along each axis of the block in which pieces stand: three blocks fit in a word."""


def create_rows(pieces: int, side: int) -> NDArray[np.uint64]:
    """(pieces, 3, side, side) rows of pieces without a cell.

    Bit ``side`` + k of ``rows[p, a, u, v]`` is the cell of piece p at k along axis a, and at u and
    v along the next axis and the one after it.
    """
    return np.zeros((pieces, 3, side, side), np.uint64)


@kernel
def flip(rows: NDArray[np.uint64], piece: int | np.integer, x: int, y: int, z: int) -> None:
    """Give a piece a cell, or take it away."""
    one, side = np.uint64(1), rows.shape[2]
    rows[piece, 0, y, z] ^= one << np.uint64(x + side)
    rows[piece, 1, z, x] ^= one << np.uint64(y + side)
    rows[piece, 2, x, y] ^= one << np.uint64(z + side)


@kernel
def measure_rows(
    rows: NDArray[np.uint64], i: int, j: int, relative: NDArray[np.int32], out: NDArray[np.int32]
) -> None:
    """Write how far piece i can go in each direction before it hits piece j into ``out`` (6,).

    As :func:`~pysim.families.burr.solver.movement.measure` says; ``relative`` is the offset of j
    less that of i.
    """
    side = rows.shape[2]
    for axis in range(3):
        along = relative[axis]
        across, above = relative[(axis + 1) % 3], relative[(axis + 2) % 3]
        forward, backward = FAR, FAR
        for u in range(max(0, across), min(side, side + across)):
            for v in range(max(0, above), min(side, side + above)):
                mine = rows[i, axis, u, v]
                other = rows[j, axis, u - across, v - above]
                if mine == 0 or other == 0:
                    continue
                if along >= side:
                    forward = min(forward, along + _lowest(other) - _highest(mine) - 1)
                elif along <= -side:
                    backward = min(backward, -along + _lowest(mine) - _highest(other) - 1)
                else:
                    shift = np.uint64(abs(along))
                    other = other << shift if along >= 0 else other >> shift
                    forward = _gap(mine, other, forward)
                    backward = _gap(other, mine, backward)
        out[2 * axis], out[2 * axis + 1] = forward, backward


@kernel
def _gap(low: np.uint64, high: np.uint64, least: int) -> int:
    """Free units from a bit of ``low`` up to the next one of ``high``, if fewer than ``least``."""
    gap = 0
    low = low << np.uint64(1)
    while low and gap < least:
        if low & high:
            return gap
        low = low << np.uint64(1)
        gap += 1
    return least


@kernel
def _lowest(bits: np.uint64) -> int:
    place = 0
    while not bits >> np.uint64(place) & np.uint64(1):
        place += 1
    return place


@kernel
def _highest(bits: np.uint64) -> int:
    place = 63
    while not bits >> np.uint64(place) & np.uint64(1):
        place -= 1
    return place
