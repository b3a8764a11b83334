"""Pushes: moves of the smallest sets of held pieces that can move, by one of their pieces.

To push a piece some units along a direction moves the smallest set of pieces of its group with it
that can go so far. To push it out moves the first of these sets, for rising distances, that has
left the others behind after its distance. Every move of a group is a sequence of pushes. A push
that would move a whole group is none.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.exploration import is_parted, measure_span
from pysim.families.burr.solver.movement import compute_closure, create_cache, fill_reach
from pysim.kernels import kernel

__all__ = ["Pushes", "fill_pushes", "list_pushes"]


class Pushes(NamedTuple):
    """Pushes of a group of n pieces, by direction (+x -x +y -y +z -z), piece and distance.

    Distances are 1 to a largest one, and after these out.

    Attributes:
        sets: (6, n, distances) uint64, pieces that move, as bits; 0 if there is no such set.
        legal: (6, n, distances), whether they can go, and stay in the room where they have to.
    """

    sets: NDArray[np.uint64]
    legal: NDArray[np.bool_]


def list_pushes(
    cells: NDArray[np.int32], starts: NDArray[np.int64], room: NDArray[np.int64], most: int
) -> Pushes:
    """Return the pushes of a group.

    Args:
        cells: (m, 3), cells of all pieces, one piece after another.
        starts: (n + 1,), where each piece begins in ``cells``; its end last.
        room: (2, 3), low and high corner of the block that the group may not leave.
        most: largest distance in units.
    """
    count = len(starts) - 1
    offsets = np.zeros((count, 3), np.int32)
    boxes = np.empty((count, 2, 3), np.int32)
    np.minimum.reduceat(cells, starts[:-1], out=boxes[:, 0])
    np.maximum.reduceat(cells, starts[:-1], out=boxes[:, 1])
    reach = np.full((6, count, count), 1 << 20, np.int32)
    fill_reach.run(cells, starts, offsets, create_cache.run(), reach)
    pushes = Pushes(
        np.zeros((6, count, most + 1), np.uint64), np.zeros((6, count, most + 1), np.bool_)
    )
    fill_pushes.run(reach, boxes, offsets.astype(np.int16), room, pushes.sets, pushes.legal)
    return pushes


@kernel
def fill_pushes(
    reach: NDArray[np.int32],
    boxes: NDArray[np.int32],
    offsets: NDArray[np.int16],
    room: NDArray[np.int64],
    sets: NDArray[np.uint64],
    legal: NDArray[np.bool_],
) -> None:
    """Write the pushes of a group, as :class:`Pushes` has them.

    Args:
        reach: see :func:`~.movement.fill_reach`.
        boxes: (n, 2, 3), low and high corner of each piece.
        offsets: (n, 3), added to them.
        room: (2, 3), low and high corner of the block that the group may not leave.
        sets, legal: written, over zeros.
    """
    n = len(offsets)
    most = sets.shape[2] - 1
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    for d in range(6):
        span = measure_span(boxes, offsets, d >> 1)
        for piece in range(n):
            for units in range(1, max(span, most) + 1):
                bits = compute_closure(reach, d, piece, units, n)
                if bits == full:
                    break
                edge, out = _measure_exit(boxes, offsets, room, bits, d)
                if units <= most:
                    sets[d, piece, units - 1] = bits
                    legal[d, piece, units - 1] = units <= edge
                sign = 1 - 2 * (d & 1)
                if sets[d, piece, most] or not is_parted(
                    boxes, offsets, bits, d >> 1, sign * units
                ):
                    continue
                sets[d, piece, most] = bits
                legal[d, piece, most] = _can_leave(reach, bits, d, out, edge, n)


@kernel
def _measure_exit(
    boxes: NDArray[np.int32],
    offsets: NDArray[np.int16],
    room: NDArray[np.int64],
    bits: np.uint64,
    d: int,
) -> tuple[int, int]:
    """Return units that a set can go before it leaves the room, and to leave the others behind."""
    axis = d >> 1
    far = 1 << 20
    low0, high0, low1, high1 = far, -far, far, -far
    for i in range(len(offsets)):
        low = boxes[i, 0, axis] + offsets[i, axis]
        high = boxes[i, 1, axis] + offsets[i, axis]
        if bits >> np.uint64(i) & np.uint64(1):
            low1, high1 = min(low1, low), max(high1, high)
        else:
            low0, high0 = min(low0, low), max(high0, high)
    if d & 1:
        return low1 - room[0, axis], max(1, high1 - low0 + 1)
    return room[1, axis] - high1, max(1, high0 - low1 + 1)


@kernel
def _can_leave(
    reach: NDArray[np.int32], bits: np.uint64, d: int, out: int, edge: int, n: int
) -> bool:
    """Return whether a set meets nothing on its way out, and may end where it ends."""
    one = np.uint64(1)
    moving = 0
    for i in range(n):
        if not bits >> np.uint64(i) & one:
            continue
        moving += 1
        for j in range(n):
            if not bits >> np.uint64(j) & one and reach[d, i, j] < out:
                return False
    return moving == 1 or n - moving > 1 or out <= edge
