"""Pushes: moves of the smallest sets of held pieces that can move, by one of their pieces.

To push a piece some units along a direction moves the smallest set of pieces of its group with it
that can go so far. To push it out moves the first of these sets, for rising distances, that has
left the others behind after its distance. Every move of a group is a sequence of pushes. A push
that would move a whole group is none.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.lock import Workspace
from pysim.families.burr.solver.exploration import index_cells, is_parted, measure_span
from pysim.families.burr.solver.movement import (
    FAR,
    PairCache,
    close_sets,
    create_cache,
    expand_set,
    fill_reach,
)
from pysim.geometry import Pose, list_rotations
from pysim.kernels import kernel
from pysim.search.bits import is_single

__all__ = ["PushLister", "Pushes", "fill_pushes"]

_MOST_PAIRS = 1 << 15
"""Relative positions of pairs of pieces that are remembered; some megabytes."""


class Pushes(NamedTuple):
    """Pushes of a group of n pieces, by direction (+x -x +y -y +z -z), piece and distance.

    Distances are 1 to a largest one, and after these out.

    Attributes:
        sets: (6, n, distances) uint64, pieces that move, as bits; 0 if there is no such set.
        legal: (6, n, distances), whether they can go, and stay in the room where they have to.
    """

    sets: NDArray[np.uint64]
    legal: NDArray[np.bool_]


class _Shapes(NamedTuple):
    """Pieces in the rotations that were seen so far, each with a number.

    Attributes:
        numbers: (piece, rotation) -> number.
        cells: (m, 3), cells of all at offset 0, one after another.
        starts: where each begins in ``cells``; the end of the last one after these.
        boxes: (numbers, 2, 3), low and high corner of each.
        cache: how far pairs of them can go.
    """

    numbers: Mapping[tuple[int, int], int]
    cells: NDArray[np.int32]
    starts: NDArray[np.int64]
    boxes: NDArray[np.int32]
    cache: PairCache


class PushLister:
    """Lists the pushes of groups of a lock's pieces; remembers how far pairs of them can go.

    Args:
        space: the room around the lock.
        most: largest distance in units.
    """

    def __init__(self, space: Workspace, most: int) -> None:
        self._space, self._most = space, most
        self._room = np.array([space.room.low, space.room.high])
        self._shapes = self._measure_shapes(())

    def list_pushes(self, poses: Mapping[int, Pose]) -> Pushes:
        """Return the pushes of a group: piece -> its pose on its bench."""
        turned = [(piece, pose.rotation.index) for piece, pose in poses.items()]
        shapes, count = self._find_shapes(turned), len(poses)
        pieces = np.array([shapes.numbers[one] for one in turned])
        offsets = np.array([pose.offset for pose in poses.values()], np.int32)
        reach = np.full((6, count, count), FAR, np.int32)
        cache = create_cache.interpreted() if shapes.cache.known > _MOST_PAIRS else shapes.cache
        cache = fill_reach.run(shapes.cells, shapes.starts, pieces, offsets, cache, reach)
        self._shapes = shapes._replace(cache=cache)  # Whole at once: other threads may list, too.
        sizes = (6, count, self._most + 1)
        pushes = Pushes(np.zeros(sizes, np.uint64), np.zeros(sizes, np.bool_))
        boxes = shapes.boxes[pieces] + offsets[:, None]
        fill_pushes.run(reach, boxes, self._room, pushes.sets, pushes.legal)
        return pushes

    def _find_shapes(self, turned: Sequence[tuple[int, int]]) -> _Shapes:
        """Return shapes with all of some (piece, rotation) among them."""
        shapes = self._shapes
        if all(one in shapes.numbers for one in turned):
            return shapes
        return self._measure_shapes(dict.fromkeys((*shapes.numbers, *turned)))

    def _measure_shapes(self, turned: Collection[tuple[int, int]]) -> _Shapes:
        """Return the shapes of some (piece, rotation), of whose pairs nothing is known yet."""
        shapes, rotations = self._space.shapes, list_rotations()
        found = [index_cells(shapes[i].rotate(rotations[turn]).cells) for i, turn in turned]
        boxes = [(cells.min(axis=0), cells.max(axis=0)) for cells in found]
        return _Shapes(
            {one: number for number, one in enumerate(turned)},
            np.concatenate([np.empty((0, 3), np.int32), *found]),
            np.cumsum([0, *map(len, found)]),
            np.array(boxes, np.int32).reshape(-1, 2, 3),
            create_cache.interpreted(),
        )


@kernel
def fill_pushes(
    reach: NDArray[np.int32],
    boxes: NDArray[np.int32],
    room: NDArray[np.int64],
    sets: NDArray[np.uint64],
    legal: NDArray[np.bool_],
) -> None:
    """Write the pushes of a group, as :class:`Pushes` has them.

    Args:
        reach: see :func:`~.movement.fill_reach`.
        boxes: (n, 2, 3), low and high corner of each piece.
        room: (2, 3), low and high corner of the block that the group may not leave.
        sets, legal: written, over zeros.
    """
    n = len(boxes)
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    closed = np.empty(n, np.uint64)
    for d in range(6):
        _close_touching(reach, d, closed, n)
        for piece in range(n):
            if closed[piece] == full:
                continue
            first = 0
            while closed[first] != closed[piece]:
                first += 1
            if first == piece:
                _fill_distances(
                    reach, boxes, room, d, closed[piece], sets[d, piece], legal[d, piece]
                )
            else:  # What goes with the same pieces for one unit does so at every distance.
                for k in range(sets.shape[2]):
                    sets[d, piece, k], legal[d, piece, k] = sets[d, first, k], legal[d, first, k]


@kernel
def _close_touching(reach: NDArray[np.int32], d: int, closed: NDArray[np.uint64], n: int) -> None:
    """Write the smallest set with each piece that can go one unit, as bits."""
    one = np.uint64(1)
    for i in range(n):
        closed[i] = one << np.uint64(i)
        for j in range(n):
            closed[i] |= np.uint64(reach[d, i, j] < 1) << np.uint64(j)
    close_sets(closed, n)


@kernel
def _fill_distances(
    reach: NDArray[np.int32],
    boxes: NDArray[np.int32],
    room: NDArray[np.int64],
    d: int,
    moving: np.uint64,
    sets: NDArray[np.uint64],
    legal: NDArray[np.bool_],
) -> None:
    """Write the pushes, for rising distances, of a piece with which some pieces go at least."""
    n, most, axis = len(boxes), len(sets) - 1, d >> 1
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    still = np.zeros((n, 3), np.int16)
    span = measure_span(boxes, still, axis)
    free, edge, out = 0, 0, 0
    for units in range(1, max(span, most) + 1):
        if units > free:
            moving = expand_set(reach, d, moving, units, n)
            free = _measure_free(reach, d, moving, n)
            edge, out = _measure_exit(boxes, room, moving, d)
        if moving == full:
            return
        if units <= most:
            sets[units - 1], legal[units - 1] = moving, units <= edge
        by = units if d & 1 == 0 else -units
        if not sets[most] and is_parted(boxes, still, moving, axis, by):
            sets[most] = moving
            may_stay = out <= edge or is_single(moving) or not is_single(full & ~moving)
            legal[most] = out <= free and may_stay


@kernel
def _measure_exit(
    boxes: NDArray[np.int32], room: NDArray[np.int64], bits: np.uint64, d: int
) -> tuple[int, int]:
    """Return units that a set can go before it leaves the room, and to leave the others behind."""
    axis = d >> 1
    far = 1 << 20
    low0, high0, low1, high1 = far, -far, far, -far
    for i in range(len(boxes)):
        low, high = boxes[i, 0, axis], boxes[i, 1, axis]
        if bits >> np.uint64(i) & np.uint64(1):
            low1, high1 = min(low1, low), max(high1, high)
        else:
            low0, high0 = min(low0, low), max(high0, high)
    if d & 1:
        return low1 - room[0, axis], max(1, high1 - low0 + 1)
    return room[1, axis] - high1, max(1, high0 - low1 + 1)


@kernel
def _measure_free(reach: NDArray[np.int32], d: int, moving: np.uint64, n: int) -> int:
    """Return units that a set can go before it meets another piece."""
    one = np.uint64(1)
    free = FAR
    for i in range(n):
        if moving >> np.uint64(i) & one:
            for j in range(n):
                if not moving >> np.uint64(j) & one:
                    free = min(free, reach[d, i, j])
    return free
