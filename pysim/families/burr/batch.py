"""Locks by the thousand: offsets and distances of pieces in arrays, and pushes compiled.

A row keeps how far each piece has moved from its home, and how far it can go in each direction
before it meets each other piece of its group. A move changes these distances only between pieces
that moved and pieces that stayed. Across its direction they are read from tables of the two
pieces: for each line along an axis, the differences of their cells as bits.

The features of a row are, for each slot, what the array ``pieces`` of the space has (0 no piece, 1
held, 2 loose; bench; rotation; low corner in the room); then the edges of the room; 0 if all pieces
are to come apart and 1 if one is to come free; and the cells of each piece in its reference
rotation as bits (``numpy.packbits`` of the array ``shapes``).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.burr.bits import find_highest, find_lowest, is_single
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.solver.exploration import index_cells
from pysim.families.burr.space import LockSpace
from pysim.families.burr.state import Held, LockState, Loose, Whereabouts
from pysim.geometry import Rotation
from pysim.geometry.resting import find_stable_rotation
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, LegalRows, PuzzleBatch, clear_legal, find_legal
from pysim.learning.spaces import ArraySpec, draw_shapes
from pysim.puzzle import Level

__all__ = ["LockBatch", "create_batch"]

_FAR = 255
"""Distance of pieces that never meet."""
_LOOSE, _NONE = -1, -2
"""Benches of pieces on the table, and of slots without a piece."""
_ALL_AXES = 0b111
_FEW = 8
"""Pieces of which relations are bits of one word."""
_GOALS = (Goal.DISASSEMBLE, Goal.KEY)
_PART = 6
"""Numbers of a piece among the features."""


class LockTables(NamedTuple):
    """Tables of all levels.

    Attributes:
        counts: (levels,), number of pieces.
        goals: (levels,), place of the goal in ``_GOALS``.
        homes: (levels, pieces, 2, 3), low and high corner of each piece at home.
        rooms: (levels, 2, 3), low and high corner of the room.
        turned: (levels, pieces, 2), rotations of a piece at home and on the table.
        pairs: (levels, pairs, 3, 6), for each axis where a pair's lines begin, the first and the
            number of lines along each of the other two axes, and the least difference of cells.
        lines: (lines,), differences of cells along a line, as bits. Short ones for short pieces,
            so that more of them stay near the processor.
    """

    counts: NDArray[np.int64]
    goals: NDArray[np.int64]
    homes: NDArray[np.int64]
    rooms: NDArray[np.int64]
    turned: NDArray[np.uint8]
    pairs: NDArray[np.int32]
    lines: NDArray[np.uint16] | NDArray[np.uint64]


class LockRows(NamedTuple):
    """States of all rows.

    Attributes:
        levels: (n,), numbers of their levels.
        offsets: (n, pieces, 3), how far each piece has moved.
        benches: (n, pieces), where it is held.
        reach: (n, 6, pieces, pieces), how far a piece can go before it meets another one.
        touching: (n, 6, pieces), as bits: those that it meets at once. For many pieces.
        near: (n, 6, most), as bits 8 i + j: for few pieces, the pairs that meet within a distance,
            from 1 on.
        sets: (n, most), pieces that each legal push moves.
        units: (n, most), how far they move.
        boxes: (2, 3, pieces), scratch: low and high corners of pieces.
        closed: (pieces,), scratch: the set that goes with each piece.
        nears: (most,), scratch: for few pieces the same for each distance, as in ``near``.
    """

    levels: NDArray[np.int64]
    offsets: NDArray[np.int64]
    benches: NDArray[np.int64]
    reach: NDArray[np.uint8]
    touching: NDArray[np.uint64]
    near: NDArray[np.uint64]
    sets: NDArray[np.uint64]
    units: NDArray[np.int64]
    boxes: NDArray[np.int64]
    closed: NDArray[np.uint64]
    nears: NDArray[np.uint64]


class Pushes(NamedTuple):
    """One row: how far its pieces can go and where they are, and its legal pushes."""

    reach: NDArray[np.uint8]
    touching: NDArray[np.uint64]
    near: NDArray[np.uint64]
    boxes: NDArray[np.int64]
    closed: NDArray[np.uint64]
    nears: NDArray[np.uint64]
    room: NDArray[np.int64]
    numbers: NDArray[np.int32]
    sets: NDArray[np.uint64]
    units: NDArray[np.int64]


class LockBatch(PuzzleBatch[Lock, LockState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`. Locks are taken apart.

    Args:
        space: a size class of locks that are only taken apart.
        count: number of rows.
    """

    def __init__(self, space: LockSpace, count: int) -> None:
        pieces = space.bounds["pieces"]
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
        begin_rows(self._rows, self._tables, self.legal, self._seen, rows, levels, self._most)

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        step_rows(self._rows, self._tables, self.legal, self._seen, numbers, self._most)

    def read_state(self, row: int) -> LockState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        lock = self.get_level(row).puzzle
        places = list[Whereabouts]()
        for slot, piece in enumerate(lock.pieces):
            bench, (x, y, z) = int(self._rows.benches[row, slot]), self._rows.offsets[row, slot]
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
        homes = np.zeros((pieces, 2, 3), np.int64)
        homes[: len(found)] = [(cells.min(axis=0), cells.max(axis=0)) for cells in found]
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

    def _add_lines(self, found: list[NDArray[np.int32]], homes: NDArray[np.int64]) -> None:
        pairs = np.zeros(self._arrays["pairs"].data.shape[1:], np.int32)
        starts = np.cumsum([0, *map(len, found)])
        length = measure_lines(homes, len(found), len(homes), pairs)
        lines = np.zeros(length, self._arrays["lines"].data.dtype)
        fill_lines(np.concatenate(found).astype(np.int64), starts, len(homes), pairs, lines)
        pairs[:, :, 0] += self._arrays["lines"].extend(lines)
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
        "homes": GrowingArray((pieces, 2, 3), np.int64),
        "rooms": GrowingArray((2, 3), np.int64),
        "turned": GrowingArray((pieces, 2), np.uint8),
        "pairs": GrowingArray((pieces * (pieces - 1) // 2, 3, 6), np.int32),
        "lines": GrowingArray((), np.uint16 if 2 * edge <= 16 else np.uint64),
    }


def _create_rows(levels: NDArray[np.int64], pieces: int, most: int, actions: int) -> LockRows:
    """Return rows without pieces."""
    count, is_few = len(levels), pieces <= _FEW
    return LockRows(
        levels,
        np.zeros((count, pieces, 3), np.int64),
        np.full((count, pieces), _NONE, np.int64),
        np.full((count, 6, pieces, pieces), _FAR, np.uint8),
        np.zeros((count, 6, pieces), np.uint64),
        np.zeros((count, 6, most if is_few else 0), np.uint64),
        np.zeros((count, actions), np.uint64),
        np.zeros((count, actions), np.int64),
        np.zeros((2, 3, pieces), np.int64),
        np.zeros(pieces, np.uint64),
        np.zeros(most if is_few else 0, np.uint64),
    )


def _get_gaps(rows: LockRows) -> tuple[NDArray[np.integer], ...]:
    """Return the arrays of how far pieces can go."""
    return rows.reach, rows.touching, rows.near


def _number_rotations(lock: Lock, piece: int) -> tuple[int, int]:
    """Return the numbers of a piece's rotations at home and on the table."""
    shape, home = lock.pieces[piece].shape, lock.pieces[piece].home.rotation
    rotations: tuple[Rotation, ...] = (home, find_stable_rotation(shape, home))
    return rotations[0].index, rotations[1].index


# -- tables of pairs ------------------------------------------------------------------------------


@kernel(borrowing=True, inline=True)
def find_pair(i: int, j: int, pieces: int) -> int:
    """Return the number of a pair of slots, i before j."""
    return i * (2 * pieces - i - 1) // 2 + j - i - 1


@kernel(borrowing=True)
def measure_lines(
    homes: NDArray[np.int64], count: int, pieces: int, pairs: NDArray[np.int32]
) -> int:
    """Write where the lines of each pair begin, and return how many there are in all."""
    length = 0
    for i in range(count):
        for j in range(i + 1, count):
            pair = find_pair(i, j, pieces)
            for axis in range(3):
                b, c = (axis + 1) % 3, (axis + 2) % 3
                pairs[pair, axis, 0] = length
                pairs[pair, axis, 1] = homes[i, 0, b] - homes[j, 1, b]
                pairs[pair, axis, 2] = homes[i, 0, c] - homes[j, 1, c]
                pairs[pair, axis, 3] = homes[i, 1, b] - homes[j, 0, b] - pairs[pair, axis, 1] + 1
                pairs[pair, axis, 4] = homes[i, 1, c] - homes[j, 0, c] - pairs[pair, axis, 2] + 1
                pairs[pair, axis, 5] = homes[j, 0, axis] - homes[i, 1, axis]
                length += pairs[pair, axis, 3] * pairs[pair, axis, 4]
    return length


@kernel(borrowing=True)
def fill_lines(
    cells: NDArray[np.int64],
    starts: NDArray[np.int64],
    pieces: int,
    pairs: NDArray[np.int32],
    lines: NDArray[np.uint16] | NDArray[np.uint64],
) -> None:
    """Write the differences of the cells of each pair along each line."""
    count = len(starts) - 1
    for i in range(count):
        for j in range(i + 1, count):
            pair = find_pair(i, j, pieces)
            for p in range(starts[i], starts[i + 1]):
                for q in range(starts[j], starts[j + 1]):
                    for axis in range(3):
                        b, c = (axis + 1) % 3, (axis + 2) % 3
                        row = cells[p, b] - cells[q, b] - pairs[pair, axis, 1]
                        column = cells[p, c] - cells[q, c] - pairs[pair, axis, 2]
                        place = pairs[pair, axis, 0] + row * pairs[pair, axis, 4] + column
                        bit = cells[q, axis] - cells[p, axis] - pairs[pair, axis, 5]
                        lines[place] |= np.uint64(1) << np.uint64(bit)


@kernel(borrowing=True, inline=True)
def measure_gaps(
    tables: LockTables, pair: NDArray[np.int32], along: int, row: int, column: int
) -> tuple[int, int]:
    """Return how far a piece can go up and down an axis before it meets another one.

    Args:
        pair: of the two pieces, for the axis.
        along: offset of the other piece from this one along the axis.
        row, column: the same along the two axes that come after it.
    """
    up, down = 255, 255
    row, column = row - pair[1], column - pair[2]
    if row < 0 or column < 0 or row >= pair[3] or column >= pair[4]:
        return up, down
    line = np.uint64(tables.lines[pair[0] + row * pair[4] + column])
    gap = pair[5] + along
    if line == 0:
        return up, down
    if gap > 0:
        return gap - 1 + find_lowest(line), down
    above = line >> np.uint64(1 - gap) if gap > -63 else np.uint64(0)
    below = line & ((np.uint64(1) << np.uint64(-gap)) - np.uint64(1)) if gap > -64 else line
    if above:
        up = find_lowest(above)
    if below:
        down = -gap - 1 - find_highest(below)
    return up, down


# -- steps ----------------------------------------------------------------------------------------


@kernel(borrowing=True, inline=True)
def set_reach(rows: LockRows, row: int, d: int, i: int, j: int, units: int) -> None:
    """Write how far piece i can go along a direction before it meets piece j, and j back."""
    one = np.uint64(1)
    rows.reach[row, d, i, j] = units
    rows.reach[row, d ^ 1, j, i] = units
    if rows.near.shape[2]:
        there, back = one << np.uint64(8 * i + j), one << np.uint64(8 * j + i)
        for k in range(rows.near.shape[2]):
            met = np.uint64(0) - np.uint64(units <= k)
            rows.near[row, d, k] = rows.near[row, d, k] & ~there | there & met
            rows.near[row, d ^ 1, k] = rows.near[row, d ^ 1, k] & ~back | back & met
    elif units == 0:
        rows.touching[row, d, i] |= one << np.uint64(j)
        rows.touching[row, d ^ 1, j] |= one << np.uint64(i)
    else:
        rows.touching[row, d, i] &= ~(one << np.uint64(j))
        rows.touching[row, d ^ 1, j] &= ~(one << np.uint64(i))


@kernel(borrowing=True, inline=True)
def measure_axis(rows: LockRows, tables: LockTables, row: int, i: int, j: int, axis: int) -> None:
    """Write how far two pieces, i before j, can go along an axis before they meet."""
    b, c = (axis + 1) % 3, (axis + 2) % 3
    mine, other = rows.offsets[row, i], rows.offsets[row, j]
    pair = tables.pairs[rows.levels[row], find_pair(i, j, rows.benches.shape[1]), axis]
    up, down = measure_gaps(
        tables, pair, other[axis] - mine[axis], other[b] - mine[b], other[c] - mine[c]
    )
    set_reach(rows, row, 2 * axis, i, j, up)
    set_reach(rows, row, 2 * axis + 1, i, j, down)


@kernel(borrowing=True)
def measure_home(rows: LockRows, tables: LockTables) -> None:
    """Write how far the pieces of the only row can go, none of which has moved."""
    count = tables.counts[rows.levels[0]]
    rows.reach[0] = 255
    rows.touching[0] = 0
    rows.near[0] = 0
    for i in range(count):
        for j in range(i + 1, count):
            for axis in range(3):
                measure_axis(rows, tables, 0, i, j, axis)


@kernel(borrowing=True)
def begin_rows(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    levels: NDArray[np.int64],
    most: int,
) -> None:
    """Begin an episode in some rows, of which it is known how far pieces can go."""
    for k in range(len(chosen)):
        row, level = chosen[k], levels[k]
        rows.offsets[row] = 0
        count = tables.counts[level]
        for i in range(rows.benches.shape[1]):
            rows.benches[row, i] = 0 if i < count else -2
        legal.solved[row] = False
        legal.refused[row] = False
        update_row(rows, tables, legal, seen, row, most)


@kernel(nogil=True, borrowing=True)
def step_rows(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    most: int,
) -> None:
    """Make a push in each row."""
    for row in range(len(numbers)):
        legal.refused[row] = False
        if numbers[row] < 0:
            continue
        found = find_legal(legal, row, numbers[row])
        if found < 0:
            legal.refused[row] = True
            continue
        direction = numbers[row] // (rows.benches.shape[1] * (most + 1))
        move_pieces(rows, tables, row, direction, rows.sets[row, found], rows.units[row, found])
        legal.solved[row] = is_solved(rows, tables, row)
        update_row(rows, tables, legal, seen, row, most)


@kernel(borrowing=True, inline=True)
def is_solved(rows: LockRows, tables: LockTables, row: int) -> bool:
    """Return whether all pieces are loose, or one if that is the goal."""
    level = rows.levels[row]
    loose = 0
    for i in range(tables.counts[level]):
        loose += rows.benches[row, i] < 0
    return loose > 0 if tables.goals[level] == 1 else loose == tables.counts[level]


@kernel(borrowing=True, inline=True)
def move_pieces(
    rows: LockRows, tables: LockTables, row: int, d: int, moving: np.uint64, units: int
) -> None:
    """Move a set of pieces, and separate it from the others if they are apart then."""
    one = np.uint64(1)
    axis, by = d >> 1, units if d & 1 == 0 else -units
    bench, n = -1, tables.counts[rows.levels[row]]
    for i in range(n):
        if moving >> np.uint64(i) & one:
            rows.offsets[row, i, axis] += by
            bench = rows.benches[row, i]
    staying = find_group(rows, row, bench) & ~moving
    place_boxes(rows, tables, row)
    if are_apart(rows.boxes, moving, staying, _ALL_AXES, n):
        separate(rows, tables, row, bench, moving, staying)
        return
    for i in range(n):
        if not moving >> np.uint64(i) & one:
            continue
        for j in range(n):
            if staying >> np.uint64(j) & one:
                ahead, behind = rows.reach[row, d, i, j], rows.reach[row, d ^ 1, i, j]
                if ahead != 255:
                    set_reach(rows, row, d, i, j, ahead - units)
                if behind != 255:
                    set_reach(rows, row, d ^ 1, i, j, behind + units)
                low, high = min(i, j), max(i, j)
                measure_axis(rows, tables, row, low, high, (axis + 1) % 3)
                measure_axis(rows, tables, row, low, high, (axis + 2) % 3)


@kernel(borrowing=True, inline=True)
def find_group(rows: LockRows, row: int, bench: int) -> np.uint64:
    """Return the pieces on a bench, as bits."""
    group = np.uint64(0)
    for i in range(rows.benches.shape[1]):
        if rows.benches[row, i] == bench:
            group |= np.uint64(1) << np.uint64(i)
    return group


@kernel(borrowing=True, inline=True)
def place_boxes(rows: LockRows, tables: LockTables, row: int) -> None:
    """Write where the pieces of a row are."""
    level = rows.levels[row]
    for i in range(tables.counts[level]):
        for a in range(3):
            rows.boxes[0, a, i] = tables.homes[level, i, 0, a] + rows.offsets[row, i, a]
            rows.boxes[1, a, i] = tables.homes[level, i, 1, a] + rows.offsets[row, i, a]


@kernel(borrowing=True, inline=True)
def measure_set(boxes: NDArray[np.int64], bits: np.uint64, axis: int, n: int) -> tuple[int, int]:
    """Return the least and the largest cell of some pieces along an axis."""
    low, high = 1 << 20, -(1 << 20)
    for i in range(n):
        far = (1 - np.int64(bits >> np.uint64(i) & np.uint64(1))) << 20
        low = min(low, boxes[0, axis, i] + far)
        high = max(high, boxes[1, axis, i] - far)
    return low, high


@kernel(borrowing=True)
def separate(
    rows: LockRows,
    tables: LockTables,
    row: int,
    bench: int,
    moving: np.uint64,
    staying: np.uint64,
) -> None:
    """Put single pieces on the table, and several on a bench of their own."""
    one = np.uint64(1)
    moved, stayed = not is_single(moving), not is_single(staying)
    if moved and stayed:
        free = 0
        while find_group(rows, row, free):
            free += 1
        room = tables.rooms[rows.levels[row]]
        for a in range(3):
            low, high = measure_set(rows.boxes, moving, a, rows.benches.shape[1])
            shift = max(0, room[0, a] - low) - max(0, high - room[1, a])
            for i in range(rows.benches.shape[1]):
                if moving >> np.uint64(i) & one:
                    rows.offsets[row, i, a] += shift
        for i in range(rows.benches.shape[1]):
            if moving >> np.uint64(i) & one:
                rows.benches[row, i] = free
    for i in range(rows.benches.shape[1]):
        alone = (not moved and moving >> np.uint64(i) & one) or (
            not stayed and staying >> np.uint64(i) & one
        )
        if alone:
            rows.benches[row, i] = -1


# -- legal pushes ---------------------------------------------------------------------------------


@kernel(borrowing=True, inline=True)
def update_row(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    row: int,
    most: int,
) -> None:
    """Write the legal pushes of a row, and its features."""
    clear_legal(legal, row)
    place_boxes(rows, tables, row)
    left = np.uint64(0)
    for i in range(rows.benches.shape[1]):
        if rows.benches[row, i] >= 0:
            left |= np.uint64(1) << np.uint64(i)
    pushes = Pushes(
        rows.reach[row], rows.touching[row], rows.near[row], rows.boxes, rows.closed,
        rows.nears, tables.rooms[rows.levels[row]],
        legal.numbers[row], rows.sets[row], rows.units[row],
    )  # fmt: skip
    count, n = 0, tables.counts[rows.levels[row]]
    for i in range(n):
        if left >> np.uint64(i) & np.uint64(1):
            group = find_group(rows, row, rows.benches[row, i])
            left &= ~group
            cuts = find_cuts(rows.boxes, tables.rooms[rows.levels[row]], group, n)
            for d in range(6):
                count = list_direction(pushes, group, cuts, d, n, most, count)
    legal.counts[row] = count
    for k in range(count):
        legal.mask[row, legal.numbers[row, k]] = 1
    write_features(rows, tables, seen, row)


@kernel(borrowing=True, inline=True)
def write_features(rows: LockRows, tables: LockTables, seen: NDArray[np.uint8], row: int) -> None:
    """Write where the pieces of a row are."""
    level = rows.levels[row]
    for i in range(tables.counts[level]):
        bench, start = rows.benches[row, i], 6 * i
        seen[row, start] = 1 if bench >= 0 else 2
        seen[row, start + 1] = max(bench, 0)
        seen[row, start + 2] = tables.turned[level, i, 0 if bench >= 0 else 1]
        for a in range(3):
            corner = rows.boxes[0, a, i] - tables.rooms[level, 0, a]
            seen[row, start + 3 + a] = corner if bench >= 0 else 0


@kernel(borrowing=True)
def list_direction(
    pushes: Pushes, group: np.uint64, cuts: int, d: int, n: int, most: int, count: int
) -> int:
    """Add the legal pushes of a group along a direction; return how many there are now."""
    cuts &= ~(1 << (d >> 1))
    one, closed = np.uint64(1), pushes.closed
    if pushes.near.shape[1]:
        close_near(pushes.near[d], pushes.nears, group, n)
        for i in range(n):
            closed[i] = find_near(pushes.nears, 0, i)
    else:
        for i in range(n):
            closed[i] = pushes.touching[d, i] & group | one << np.uint64(i)
        close_many(closed, n)
    left = group
    for i in range(n):
        if not left >> np.uint64(i) & one or closed[i] == group:
            continue
        pushed = np.uint64(0)
        for j in range(i, n):
            if closed[j] == closed[i]:
                pushed |= one << np.uint64(j)
        left &= ~pushed
        count = list_distances(pushes, group, cuts, d, i, pushed, n, most, count)
    return count


@kernel(borrowing=True, inline=True)
def close_near(
    near: NDArray[np.uint64], nears: NDArray[np.uint64], group: np.uint64, n: int
) -> None:
    """Write the sets that go with each piece of a group: Warshall's algorithm on bytes of words."""
    ones = np.uint64(0x0101010101010101)
    word = np.uint64(0x8040201008040201)
    for distance in range(len(near)):
        before, word = word, word | near[distance] & group * ones
        for k in range(n if word != before else 0):
            through = (word >> np.uint64(k) & ones) * np.uint64(255)
            word |= (word >> np.uint64(8 * k) & np.uint64(255)) * ones & through
        nears[distance] = word


@kernel(borrowing=True, inline=True)
def find_near(nears: NDArray[np.uint64], distance: int, i: int) -> np.uint64:
    """Return the set that goes with a piece."""
    return np.uint64(nears[distance] >> np.uint64(8 * i) & np.uint64(255))


@kernel(borrowing=True)
def close_many(closed: NDArray[np.uint64], n: int) -> None:
    """Write the transitive closure of sets by Warshall's algorithm."""
    for k in range(n):
        for i in range(n):
            closed[i] |= closed[k] & (np.uint64(0) - (closed[i] >> np.uint64(k) & np.uint64(1)))


@kernel(borrowing=True, inline=True)
def list_distances(
    pushes: Pushes,
    group: np.uint64,
    cuts: int,
    d: int,
    piece: int,
    pushed: np.uint64,
    n: int,
    most: int,
    count: int,
) -> int:
    """Add the legal pushes of pieces with which the same sets go, for rising distances."""
    axis, boxes, is_few = d >> 1, pushes.boxes, pushes.near.shape[1] > 0
    moving = pushes.closed[piece]
    units, is_out = 1, False
    while moving != group and (units <= most or not is_out):
        staying, free = group & ~moving, most
        if is_few and units <= most:
            free = units
            while free < most and find_near(pushes.nears, free, piece) == moving:
                free += 1
        if free == most:
            free = measure_free(pushes.reach, d, moving, staying, n)
        low1, high1 = measure_set(boxes, moving, axis, n)
        low0, high0 = measure_set(boxes, staying, axis, n)
        edge, out = pushes.room[1, axis] - high1, max(1, high0 - low1 + 1)
        if d & 1:
            edge, out = low1 - pushes.room[0, axis], max(1, high1 - low0 + 1)
        for k in range(units, min(free, most, edge) + 1):
            count = add_push(pushes, d, pushed, k - 1, moving, k, most, count)
        by = units if d & 1 == 0 else -units
        is_past = low0 > high1 + by or low1 + by > high0
        if not is_out and (out <= free or is_past or are_apart(boxes, moving, staying, cuts, n)):
            is_out = True
            may_stay = out <= edge or not (is_single(staying) and not is_single(moving))
            if out <= free and may_stay:
                count = add_push(pushes, d, pushed, most, moving, out, most, count)
        if free == 255:
            break
        units = free + 1
        if is_few and units <= most:
            moving = find_near(pushes.nears, units - 1, piece)
        else:
            moving = close_set(pushes.reach, d, moving, group, units, n)
    return count


@kernel(borrowing=True, inline=True)
def find_cuts(boxes: NDArray[np.int64], room: NDArray[np.int64], group: np.uint64, n: int) -> int:
    """Return the axes on which there is a plane between pieces that cuts none, as bits."""
    one, cuts = np.uint64(1), 0
    for a in range(3):
        crossed, low, high = np.uint64(0), np.uint64(63), np.uint64(0)
        for i in range(n):
            if group >> np.uint64(i) & one:
                first = np.uint64(boxes[0, a, i] - room[0, a])
                last = np.uint64(boxes[1, a, i] - room[0, a])
                crossed |= (one << last) - (one << first)
                low, high = min(low, first), max(high, last)
        cuts |= int(crossed != (one << high) - (one << low)) << a
    return cuts


@kernel(borrowing=True, inline=True)
def are_apart(
    boxes: NDArray[np.int64], moving: np.uint64, staying: np.uint64, cuts: int, n: int
) -> bool:
    """Return whether the blocks around two sets don't overlap on some of the axes."""
    for a in range(3):
        if cuts >> a & 1:
            low1, high1 = measure_set(boxes, moving, a, n)
            low0, high0 = measure_set(boxes, staying, a, n)
            if low0 > high1 or low1 > high0:
                return True
    return False


@kernel(borrowing=True, inline=True)
def measure_free(
    reach: NDArray[np.uint8], d: int, moving: np.uint64, staying: np.uint64, n: int
) -> int:
    """Return how far a set can go before it meets another one."""
    one = np.uint64(1)
    free = 255
    for i in range(n):
        if moving >> np.uint64(i) & one:
            for j in range(n):
                others = np.int64(staying >> np.uint64(j) & one) - 1
                free = min(free, reach[d, i, j] | others & 255)
    return free


@kernel(borrowing=True)
def close_set(
    reach: NDArray[np.uint8], d: int, moving: np.uint64, group: np.uint64, units: int, n: int
) -> np.uint64:
    """Return the smallest set of a group with these pieces that can go so far."""
    one = np.uint64(1)
    frontier = moving
    while frontier:
        added = np.uint64(0)
        for i in range(n):
            if frontier >> np.uint64(i) & one:
                for j in range(n):
                    added |= np.uint64(reach[d, i, j] < units) << np.uint64(j)
        frontier = added & group & ~moving
        moving |= frontier
    return moving


@kernel(borrowing=True, inline=True)
def add_push(
    pushes: Pushes,
    d: int,
    pushed: np.uint64,
    place: int,
    moving: np.uint64,
    units: int,
    most: int,
    count: int,
) -> int:
    """Add the pushes of some pieces that move the same set; return how many there are now."""
    pieces = pushes.reach.shape[1]
    for i in range(pieces):
        if pushed >> np.uint64(i) & np.uint64(1):
            pushes.numbers[count] = (d * pieces + i) * (most + 1) + place
            pushes.sets[count] = moving
            pushes.units[count] = units
            count += 1
    return count


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
