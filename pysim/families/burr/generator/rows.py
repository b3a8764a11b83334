"""Distances that pieces can go before they hit each other, from bits instead of lists of cells.

Every piece is held as rows of bits along each axis. Two rows that meet are compared in a handful of
word operations, which is several times quicker than comparing all pairs of cells, and a changed
cell changes three words only. A search that tries thousands of pieces a second lives on that.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.movement import FAR
from pysim.kernels import kernel

__all__ = ["MAX_SIDE", "create_rows", "flip", "measure_pieces", "measure_rows"]

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


@kernel(borrowing=True)
def measure_pieces(
    rows: NDArray[np.uint64], boxes: NDArray[np.int32], digests: NDArray[np.uint64]
) -> None:
    """Write the extent of each piece, and a number that tells it from others.

    Args:
        boxes: (pieces, 3, 2), written: the lowest cell along each axis, and the one after the last.
        digests: (pieces,), written.
    """
    side = rows.shape[2]
    for piece in range(len(rows)):
        for axis in range(3):
            boxes[piece, axis, 0], boxes[piece, axis, 1] = side, 0
        bits, digest = np.uint64(0), np.uint64(1)
        for y in range(side):
            for z in range(side):
                digest = (digest ^ rows[piece, 0, y, z]) * np.uint64(0xD6E8FEB86659FD93)
                digest ^= digest >> np.uint64(32)
                if rows[piece, 0, y, z]:
                    bits |= rows[piece, 0, y, z]
                    _widen(boxes, piece, 1, y)
                    _widen(boxes, piece, 2, z)
        digests[piece] = digest
        if bits:
            _widen(boxes, piece, 0, _lowest(bits) - side)
            _widen(boxes, piece, 0, _highest(bits) - side)


@kernel(borrowing=True)
def _widen(boxes: NDArray[np.int32], piece: int, axis: int, place: int) -> None:
    boxes[piece, axis, 0] = min(boxes[piece, axis, 0], place)
    boxes[piece, axis, 1] = max(boxes[piece, axis, 1], place + 1)


@kernel(borrowing=True)
def measure_rows(
    rows: NDArray[np.uint64],
    boxes: NDArray[np.int32],
    i: int,
    j: int,
    relative: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None:
    """Write how far piece i can go in each direction before it hits piece j into ``out`` (6,).

    As :func:`~pysim.families.burr.solver.movement.measure` says; ``relative`` is the offset of j
    less that of i. ``boxes`` are those of :func:`measure_pieces`.
    """
    side = rows.shape[2]
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        along, across, above = relative[axis], relative[one], relative[two]
        forward, backward = FAR, FAR
        low = max(boxes[i, one, 0], boxes[j, one, 0] + across)
        high = min(boxes[i, one, 1], boxes[j, one, 1] + across)
        bottom = max(boxes[i, two, 0], boxes[j, two, 0] + above)
        top = min(boxes[i, two, 1], boxes[j, two, 1] + above)
        for u in range(low, high):
            for v in range(bottom, top):
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


@kernel(borrowing=True)
def _gap(low: np.uint64, high: np.uint64, least: int) -> int:
    """Free units from a bit of ``low`` up to the next one of ``high``, if fewer than ``least``."""
    gap = 0
    low = low << np.uint64(1)
    if high < low & (~low + np.uint64(1)):
        return least
    while low and gap < least:
        if low & high:
            return gap
        low = low << np.uint64(1)
        gap += 1
    return least


@kernel(borrowing=True)
def _lowest(bits: np.uint64) -> int:
    place = 0
    while not bits >> np.uint64(place) & np.uint64(1):
        place += 1
    return place


@kernel(borrowing=True)
def _highest(bits: np.uint64) -> int:
    place = 63
    while not bits >> np.uint64(place) & np.uint64(1):
        place -= 1
    return place
