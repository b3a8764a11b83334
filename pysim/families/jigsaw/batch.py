"""Jigsaw cubes by the thousand: placements of pieces as bits of cells, compiled.

The features of a row are, for each slot, what the array ``pieces`` of the space has (1 on the cube,
2 on the table; face; turn); then the 25 cells of each piece, row by row as it is drawn.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysim.families.jigsaw.faces import SIDE, list_seats
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import mask_of, normalize_seat
from pysim.families.jigsaw.space import JigsawSpace
from pysim.families.jigsaw.state import JigsawState
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, LegalRows, PuzzleBatch, clear_legal
from pysim.learning.spaces import ArraySpec
from pysim.puzzle import Level

__all__ = ["JigsawBatch", "create_batch"]

_PIECES, _SEATS, _PART = 6, 48, 3
_WORD = (1 << 64) - 1


class JigsawTables(NamedTuple):
    """Tables of all levels.

    Attributes:
        masks: (levels, pieces, seats, 2), cells that a piece fills, as bits of two words.
        seats: (levels, pieces, seats), the first seat in which a piece fills the same cells.
        starts: (levels, pieces), seats at first; -1 on the table.
    """

    masks: NDArray[np.uint64]
    seats: NDArray[np.int64]
    starts: NDArray[np.int64]


class JigsawBatch(PuzzleBatch[Jigsaw, JigsawState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`."""

    def __init__(self, space: JigsawSpace, count: int) -> None:
        size = _PIECES * (_PART + SIDE * SIDE)
        features = ArraySpec((size,), np.uint8, 7, "slots as in `pieces`; cells as drawn")
        super().__init__(space, count, features, space.actions.count)
        self._masks = GrowingArray((_PIECES, _SEATS, 2), np.uint64)
        self._firsts = GrowingArray((_PIECES, _SEATS), np.int64)
        self._starts = GrowingArray((_PIECES,), np.int64)
        self._places = np.full((count, _PIECES), -1, np.int64)

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        step_rows(self._places, self._playing, self._tables, self.legal, self._seen, numbers)

    def read_state(self, row: int) -> JigsawState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        places = self._places[row].tolist()
        return JigsawState(tuple(None if one < 0 else list_seats()[one] for one in places))

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        self._places[rows] = self._starts.data[levels]
        list_rows(self._places, self._playing, self._tables, self.legal, self._seen, rows)

    @property
    def _tables(self) -> JigsawTables:
        return JigsawTables(self._masks.data, self._firsts.data, self._starts.data)

    def _add(self, level: Level[Jigsaw]) -> ArrayLike:
        jigsaw, seats = level.puzzle, list_seats()
        numbers = {seat: number for number, seat in enumerate(seats)}
        masks = [[mask_of(rows, seat) for seat in seats] for rows in jigsaw.rows]
        self._masks.append([[(one & _WORD, one >> 64) for one in row] for row in masks])
        firsts = [[numbers[normalize_seat(rows, seat)] for seat in seats] for rows in jigsaw.rows]
        self._firsts.append(firsts)
        starts = zip(firsts, jigsaw.start, strict=True)
        self._starts.append([-1 if one is None else row[numbers[one]] for row, one in starts])
        drawn = [cell == "#" for rows in jigsaw.rows for row in rows for cell in row]
        return [0] * (_PIECES * _PART) + drawn


@kernel(nogil=True, borrowing=True)
def step_rows(
    places: NDArray[np.int64],
    playing: NDArray[np.int64],
    tables: JigsawTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    numbers: NDArray[np.int64],
) -> None:
    """Attach or detach a piece in each row."""
    for row in range(len(numbers)):
        number = numbers[row]
        legal.refused[row] = False
        if number < 0:
            continue
        if not is_legal(places[row], tables.masks[playing[row]], number):
            legal.refused[row] = True
            continue
        if number < 288:
            piece, seat = number // 48, number % 48
            places[row, piece] = tables.seats[playing[row], piece, seat]
        else:
            places[row, number - 288] = -1
        list_row(places, playing, tables, legal, seen, row)


@kernel(borrowing=True)
def is_legal(places: NDArray[np.int64], masks: NDArray[np.uint64], number: int) -> bool:
    """Return whether a piece on the table fits, or one to be taken off is on the cube."""
    if number >= 288:
        return bool(places[number - 288] >= 0)
    piece, seat = number // 48, number % 48
    if places[piece] >= 0:
        return False
    for i in range(6):
        for word in range(2):
            if places[i] >= 0 and masks[i, places[i], word] & masks[piece, seat, word]:
                return False
    return True


@kernel(nogil=True, borrowing=True)
def list_rows(
    places: NDArray[np.int64],
    playing: NDArray[np.int64],
    tables: JigsawTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    rows: NDArray[np.int64],
) -> None:
    """Write what is legal in some rows, and their features."""
    for k in range(len(rows)):
        legal.refused[rows[k]] = False
        list_row(places, playing, tables, legal, seen, rows[k])


@kernel(borrowing=True)
def list_row(
    places: NDArray[np.int64],
    playing: NDArray[np.int64],
    tables: JigsawTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    row: int,
) -> None:
    """Write what is legal in a row, and its features."""
    clear_legal(legal, row)
    level, first, second, placed = playing[row], np.uint64(0), np.uint64(0), 0
    for i in range(6):
        seat = places[row, i]
        seen[row, 3 * i] = 1 if seat >= 0 else 2
        seen[row, 3 * i + 1] = max(seat, 0) // 8
        seen[row, 3 * i + 2] = max(seat, 0) % 8
        if seat >= 0:
            placed += 1
            first |= tables.masks[level, i, seat, 0]
            second |= tables.masks[level, i, seat, 1]
    legal.solved[row] = placed == 6
    count = 0
    for i in range(6):
        if places[row, i] >= 0:
            legal.numbers[row, count] = 288 + i
            count += 1
            continue
        for seat in range(48):
            met = tables.masks[level, i, seat, 0] & first | tables.masks[level, i, seat, 1] & second
            legal.numbers[row, count] = 48 * i + seat
            count += met == 0
    for k in range(count):
        legal.mask[row, legal.numbers[row, k]] = 1
    legal.counts[row] = count


def create_batch(space: JigsawSpace, count: int) -> JigsawBatch:
    """Return a batch of jigsaw cubes; see :data:`~pysim.learning.batches.BatchFactory`."""
    return JigsawBatch(space, count)
