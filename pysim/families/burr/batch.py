"""Locks by the thousand: offsets and distances of pieces in arrays, and pushes compiled.

A row keeps how far each piece has moved from its home, and how far it can go in each direction
before it meets each other piece of its group. A move changes these distances only between pieces
that moved and pieces that stayed.

The features of a row are, for each slot, what the array ``pieces`` of the space has (0 no piece, 1
held, 2 loose; bench; rotation; low corner in the room); then the edges of the room; 0 if all pieces
are to come apart and 1 if one is to come free; and the cells of each piece in its reference
rotation as bits (``numpy.packbits`` of the array ``shapes``).
"""

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.burr.batch_few import SLOTS, begin_few, join_pairs, step_few, write_pair
from pysim.families.burr.batch_many import begin_many, set_reach, step_many
from pysim.families.burr.batch_rows import (
    LockRows,
    LockTables,
    fill_lines,
    measure_axis,
    measure_lines,
    place_boxes,
)
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.solver.exploration import index_cells
from pysim.families.burr.space import LockSpace
from pysim.families.burr.state import Held, LockState, Loose, Whereabouts
from pysim.geometry import Rotation
from pysim.geometry.resting import find_stable_rotation
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, PuzzleBatch
from pysim.learning.spaces import ArraySpec, draw_shapes
from pysim.puzzle import Level

__all__ = ["LockBatch", "create_batch"]

_LOOSE, _NONE = -1, -2
"""Benches of pieces on the table, and of slots without a piece."""
_GOALS = (Goal.DISASSEMBLE, Goal.KEY)
_PART = 6
"""Numbers of a piece among the features."""


class LockBatch(PuzzleBatch[Lock, LockState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`. Locks are taken apart.

    Args:
        space: a size class of locks that are only taken apart.
        count: number of rows.
    """

    def __init__(self, space: LockSpace, count: int) -> None:
        pieces = space.bounds["pieces"]
        self._is_few = pieces <= SLOTS
        self._most = space.actions.sizes["distance"] - 1
        shapes = space.arrays["shapes"]
        self._bits = -(-int(np.prod(shapes.shape[1:])) // 8)
        meaning = "slots as in `pieces`; `room`; `goal`; cells of `shapes` as bits"
        size = pieces * (_PART + self._bits) + 4
        super().__init__(
            space, count, ArraySpec((size,), np.uint8, 255, meaning), space.actions.count
        )
        self._shapes = shapes
        self._arrays = _create_arrays(pieces, max(shapes.shape[1:]))
        self._rows = _create_rows(self._playing, pieces, self._most, space.actions.count)
        self._home = _create_rows(np.zeros(1, np.int64), pieces, self._most, 0)
        self._homes = [GrowingArray(one.shape[1:], one.dtype) for one in _get_gaps(self._home)]

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        for home, one in zip(self._homes, _get_gaps(self._rows), strict=True):
            one[rows] = home.data[levels]
        begin = begin_few if self._is_few else begin_many
        begin(self._rows, self._tables, self.legal, self._seen, rows, self._most)

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        step = step_few if self._is_few else step_many
        step(self._rows, self._tables, self.legal, self._seen, numbers, self._most)

    def read_state(self, row: int) -> LockState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        lock = self.get_level(row).puzzle
        places = list[Whereabouts]()
        for slot, piece in enumerate(lock.pieces):
            bench, (x, y, z) = int(self._rows.benches[row, slot]), self._rows.offsets[row, :, slot]
            if bench == _LOOSE:
                places.append(Loose(find_stable_rotation(piece.shape, piece.home.rotation)))
            else:
                places.append(Held(bench, piece.home.translate((int(x), int(y), int(z)))))
        return LockState(tuple(places))

    @property
    def _tables(self) -> LockTables:
        return LockTables(**{name: array.data for name, array in self._arrays.items()})

    def _add(self, level: Level[Lock]) -> NDArray[np.uint8]:
        lock, pieces = level.puzzle, self.space.bounds["pieces"]
        found = [index_cells(piece.home.place(piece.shape).cells) for piece in lock.pieces]
        homes = np.zeros((2, 3, _count_slots(pieces)), np.int16)
        for i, cells in enumerate(found):
            homes[:, :, i] = cells.min(axis=0), cells.max(axis=0)
        turned = np.zeros((pieces, 2), np.uint8)
        turned[: len(found)] = [_number_rotations(lock, i) for i in range(len(found))]
        room = lock.workspace.room
        self._add_lines(found, homes)
        arrays = self._arrays
        arrays["goals"].append(_GOALS.index(lock.goal))
        arrays["homes"].append(homes)
        arrays["rooms"].append((room.low, room.high))
        arrays["turned"].append(turned)
        self._home.levels[0] = arrays["counts"].append(len(found))
        measure_home(self._home, self._tables)
        for home, (one,) in zip(self._homes, _get_gaps(self._home), strict=True):
            home.append(one)
        return self._describe(lock)

    def _add_lines(self, found: list[NDArray[np.int32]], homes: NDArray[np.int16]) -> None:
        pairs = np.zeros(self._arrays["pairs"].data.shape[1:], np.int32)
        starts = np.cumsum([0, *map(len, found)])
        length = measure_lines(homes, len(found), pairs)
        lines = np.zeros(length, self._arrays["lines"].data.dtype)
        fill_lines(np.concatenate(found).astype(np.int64), starts, homes, pairs, lines)
        pairs += self._arrays["lines"].extend(lines)
        self._arrays["pairs"].append(pairs)

    def _describe(self, lock: Lock) -> NDArray[np.uint8]:
        """Return the features that stay as they are, and zeros for the others."""
        drawn = draw_shapes(self._shapes, lock.workspace.shapes)
        shapes = np.packbits(drawn.reshape(len(drawn), -1), axis=1)
        fixed = (*lock.workspace.room.size, _GOALS.index(lock.goal))
        return np.concatenate([np.zeros(_PART * len(drawn)), fixed, shapes.ravel()]).astype(
            np.uint8
        )


def _create_arrays(pieces: int, edge: int) -> dict[str, GrowingArray]:
    """Return the tables of no level."""
    return {
        "counts": GrowingArray((), np.int64),
        "goals": GrowingArray((), np.int64),
        "homes": GrowingArray((2, 3, _count_slots(pieces)), np.int16),
        "rooms": GrowingArray((2, 3), np.int64),
        "turned": GrowingArray((pieces, 2), np.uint8),
        "pairs": GrowingArray((pieces * (pieces - 1) // 2, 3), np.int32),
        "lines": GrowingArray((), np.uint16 if 2 * edge <= 16 else np.uint64),
    }


def _create_rows(levels: NDArray[np.int64], pieces: int, most: int, actions: int) -> LockRows:
    """Return rows without pieces."""
    count, is_few = len(levels), pieces <= SLOTS
    slots = _count_slots(pieces)
    return LockRows(
        levels,
        np.zeros((count, 3, slots), np.int16),
        np.full((count, slots), _NONE, np.int8),
        np.full((count, 6, slots, slots), 255, np.uint8),
        np.zeros((count, 6, 0 if is_few else slots), np.uint64),
        np.zeros((count, most if is_few else 0, SLOTS), np.uint64),
        np.zeros((count, actions), np.uint8) if is_few else np.zeros((count, actions), np.uint64),
        np.zeros((count, actions), np.uint8),
        np.zeros((2, 3, slots), np.int64),
        np.zeros(slots, np.uint64),
        np.zeros((most + 1, SLOTS), np.uint64),
        np.zeros((most, SLOTS), np.uint64),
    )


def _count_slots(pieces: int) -> int:
    """Return for how many pieces there is room in arrays."""
    return max(pieces, SLOTS)


def _get_gaps(rows: LockRows) -> tuple[NDArray[np.integer], ...]:
    """Return the arrays of how far pieces can go."""
    return rows.reach, rows.touching, rows.near


def _number_rotations(lock: Lock, piece: int) -> tuple[int, int]:
    """Return the numbers of a piece's rotations at home and on the table."""
    shape, home = lock.pieces[piece].shape, lock.pieces[piece].home.rotation
    rotations: tuple[Rotation, ...] = (home, find_stable_rotation(shape, home))
    return rotations[0].index, rotations[1].index


@kernel(borrowing=True)
def measure_home(rows: LockRows, tables: LockTables) -> None:
    """Write how far the pieces of the only row can go, none of which has moved."""
    count = tables.counts[rows.levels[0]]
    place_boxes(rows, tables, 0, rows.boxes.shape[2])
    rows.reach[0] = 255
    rows.touching[0] = 0
    rows.near[0] = 0
    rows.met[:] = 0
    for i in range(count):
        for j in range(i + 1, count):
            for axis in range(3):
                up, down = measure_axis(rows, tables, 0, i, j, axis)
                if rows.near.shape[1]:
                    write_pair(rows, 0, axis, i, j, up, down)
                else:
                    set_reach(rows, 0, 2 * axis, i, j, up)
                    set_reach(rows, 0, 2 * axis + 1, i, j, down)
    join_pairs(rows, 0, np.uint64(0), np.uint64(0))


def create_batch(space: LockSpace, count: int) -> LockBatch:
    """Return a batch of locks; see :data:`~pysim.learning.batches.BatchFactory`.

    Raises:
        InputError: pieces are brought in, which batches can't.
    """
    if "bring" in space.actions.tools:
        raise InputError(
            f"the size class {space.name} has no batches, for pieces are brought in: use "
            "environments for one episode at a time"
        )
    return LockBatch(space, count)
