"""Rows of locks, and tables of their pieces, for batches: what compiled code shares.

A row keeps how far each piece has moved from its home, and how far it can go in each direction
before it meets each other piece of its group. Across the direction of a move these distances are
read from tables of two pieces: for each line along an axis, the differences of their cells as bits.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel
from pysim.learning.batches import LegalRows, find_legal
from pysim.search.bits import find_highest, find_lowest, is_single

__all__ = [
    "LockRows",
    "LockTables",
    "Pushes",
    "add_pushes",
    "are_apart",
    "begin_row",
    "close_set",
    "fill_lines",
    "find_cuts",
    "find_group",
    "find_held",
    "find_push",
    "get_pushes",
    "is_solved",
    "measure_axis",
    "measure_free",
    "measure_lines",
    "measure_set",
    "move_set",
    "place_boxes",
    "write_row",
]

_ALL_AXES = 0b111


class LockTables(NamedTuple):
    """Tables of all levels.

    Attributes:
        counts: (levels,), number of pieces.
        goals: (levels,), place of the goal in ``_GOALS``.
        homes: (levels, 2, 3, slots), low and high corner of each piece at home.
        rooms: (levels, 2, 3), low and high corner of the room.
        turned: (levels, pieces, 2), rotations of a piece at home and on the table.
        pairs: (levels, pairs, 3), for each axis where a pair's lines begin.
        lines: (lines,), differences of cells along a line, as bits. Short ones for short pieces,
            so that more of them stay near the processor.
    """

    counts: NDArray[np.int64]
    goals: NDArray[np.int64]
    homes: NDArray[np.int16]
    rooms: NDArray[np.int64]
    turned: NDArray[np.uint8]
    pairs: NDArray[np.int32]
    lines: NDArray[np.uint16] | NDArray[np.uint64]


class LockRows(NamedTuple):
    """States of all rows. Few pieces are bytes of words: they have eight slots.

    Attributes:
        levels: (n,), numbers of their levels.
        offsets: (n, 3, slots), how far each piece has moved.
        benches: (n, slots), where it is held.
        reach: (n, 6, slots, slots), how far a piece can go before it meets another one.
        touching: (n, 6, slots), as bits: those that it meets at once. For many pieces.
        near: (n, most, 8), for few pieces: for each distance, from 1 on, and each direction, the
            pairs that meet within it, as bits 8 i + j.
        sets: (n, most), pieces that each legal push moves.
        units: (n, most), how far they move.
        boxes: (2, 3, slots), scratch: low and high corners of pieces.
        closed: (slots,), scratch: the set that goes with each piece.
        met: (most + 1, 8), scratch: the pairs that meet at a distance, as in ``near``.
        nears: (most, 8), scratch: the set that goes with each piece, as in ``near``.
    """

    levels: NDArray[np.int64]
    offsets: NDArray[np.int16]
    benches: NDArray[np.int8]
    reach: NDArray[np.uint8]
    touching: NDArray[np.uint64]
    near: NDArray[np.uint64]
    sets: NDArray[np.uint8] | NDArray[np.uint64]
    units: NDArray[np.uint8]
    boxes: NDArray[np.int64]
    closed: NDArray[np.uint64]
    met: NDArray[np.uint64]
    nears: NDArray[np.uint64]


class Pushes(NamedTuple):
    """One row: how far its pieces can go and where they are, and its legal pushes."""

    reach: NDArray[np.uint8]
    touching: NDArray[np.uint64]
    boxes: NDArray[np.int64]
    closed: NDArray[np.uint64]
    nears: NDArray[np.uint64]
    room: NDArray[np.int64]
    numbers: NDArray[np.int32]
    sets: NDArray[np.uint8] | NDArray[np.uint64]
    units: NDArray[np.uint8]


@kernel(borrowing=True, inline=True)
def find_pair(i: int, j: int) -> int:
    """Return the number of a pair of slots, i before j."""
    return j * (j - 1) // 2 + i


@kernel(borrowing=True, inline=True)
def measure_span(boxes: NDArray[np.integer], i: int, j: int, axis: int) -> tuple[int, int]:
    """Return the differences of the cells of two pieces along an axis, counted from the least.

    Returns:
        that of their corners, which is that of the one's first and the other's last cell; how many
        differences there are.
    """
    last = int(boxes[1, axis, j]) - int(boxes[0, axis, i])
    return last, last - (int(boxes[0, axis, j]) - int(boxes[1, axis, i])) + 1


@kernel(borrowing=True)
def measure_lines(homes: NDArray[np.int16], count: int, pairs: NDArray[np.int32]) -> int:
    """Write where the lines of each pair begin, and return how many there are in all."""
    length = 0
    for i in range(count):
        for j in range(i + 1, count):
            for axis in range(3):
                pairs[find_pair(i, j), axis] = length
                _, rows = measure_span(homes, i, j, (axis + 1) % 3)
                _, columns = measure_span(homes, i, j, (axis + 2) % 3)
                length += rows * columns
    return length


@kernel(borrowing=True)
def fill_lines(
    cells: NDArray[np.int64],
    starts: NDArray[np.int64],
    homes: NDArray[np.int16],
    pairs: NDArray[np.int32],
    lines: NDArray[np.uint16] | NDArray[np.uint64],
) -> None:
    """Write the differences of the cells of each pair along each line."""
    count = len(starts) - 1
    for i in range(count):
        for j in range(i + 1, count):
            for p in range(starts[i], starts[i + 1]):
                for q in range(starts[j], starts[j + 1]):
                    for axis in range(3):
                        b, c = (axis + 1) % 3, (axis + 2) % 3
                        _, columns = measure_span(homes, i, j, c)
                        row = cells[p, b] - cells[q, b] - homes[0, b, i] + homes[1, b, j]
                        column = cells[p, c] - cells[q, c] - homes[0, c, i] + homes[1, c, j]
                        place = pairs[find_pair(i, j), axis] + row * columns + column
                        least = homes[0, axis, j] - homes[1, axis, i]
                        bit = cells[q, axis] - cells[p, axis] - least
                        lines[place] |= np.uint64(1) << np.uint64(bit)


@kernel(borrowing=True, inline=True)
def measure_axis(
    rows: LockRows, tables: LockTables, row: int, i: int, j: int, axis: int
) -> tuple[int, int]:
    """Return how far a piece can go up and down an axis before it meets a later one.

    The pieces of the row are in their boxes.
    """
    b, c = (axis + 1) % 3, (axis + 2) % 3
    line_row, line_rows = measure_span(rows.boxes, i, j, b)
    column, columns = measure_span(rows.boxes, i, j, c)
    if line_row < 0 or column < 0 or line_row >= line_rows or column >= columns:
        return 255, 255
    start = tables.pairs[rows.levels[row], find_pair(i, j), axis]
    line = np.uint64(tables.lines[start + line_row * columns + column])
    return measure_gaps(line, rows.boxes[0, axis, j] - rows.boxes[1, axis, i])


@kernel(borrowing=True, inline=True)
def measure_gaps(line: np.uint64, gap: int) -> tuple[int, int]:
    """Return how far a piece can go up and down a line before it meets another one.

    Args:
        line: differences of their cells, as bits.
        gap: the least difference.
    """
    up, down = 255, 255
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


# -- groups and boxes -----------------------------------------------------------------------------


@kernel(borrowing=True, inline=True)
def find_group(rows: LockRows, row: int, bench: int, n: int) -> np.uint64:
    """Return the pieces on a bench, as bits."""
    group = np.uint64(0)
    for i in range(n):
        group |= np.uint64(rows.benches[row, i] == bench) << np.uint64(i)
    return group


@kernel(borrowing=True, inline=True)
def place_boxes(rows: LockRows, tables: LockTables, row: int, n: int) -> None:
    """Write where the pieces of a row are."""
    level = rows.levels[row]
    for side in range(2):
        for a in range(3):
            for i in range(n):
                home = np.int64(tables.homes[level, side, a, i])
                rows.boxes[side, a, i] = home + np.int64(rows.offsets[row, a, i])


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
    n: int,
) -> None:
    """Put single pieces on the table, and several on a bench of their own."""
    one = np.uint64(1)
    moved, stayed = not is_single(moving), not is_single(staying)
    if moved and stayed:
        free = 0
        while find_group(rows, row, free, n):
            free += 1
        room = tables.rooms[rows.levels[row]]
        for a in range(3):
            low, high = measure_set(rows.boxes, moving, a, n)
            shift = max(0, room[0, a] - low) - max(0, high - room[1, a])
            for i in range(n):
                if moving >> np.uint64(i) & one:
                    rows.offsets[row, a, i] += shift
        for i in range(n):
            if moving >> np.uint64(i) & one:
                rows.benches[row, i] = free
    for i in range(n):
        alone = (not moved and moving >> np.uint64(i) & one) or (
            not stayed and staying >> np.uint64(i) & one
        )
        if alone:
            rows.benches[row, i] = -1


@kernel(borrowing=True, inline=True)
def find_cuts(boxes: NDArray[np.int64], room: NDArray[np.int64], group: np.uint64, n: int) -> int:
    """Return the axes on which there is a plane between pieces that cuts none, as bits."""
    one, cuts = np.uint64(1), 0
    for a in range(3):
        crossed, low, high = np.uint64(0), np.uint64(63), np.uint64(0)
        for i in range(n):
            held = np.uint64(0) - (group >> np.uint64(i) & one)
            first = np.uint64(boxes[0, a, i] - room[0, a] & 63)
            last = np.uint64(boxes[1, a, i] - room[0, a] & 63)
            crossed |= (one << last) - (one << first) & held
            low = np.uint64(min(low, first | ~held & np.uint64(63)))
            high = np.uint64(max(high, last & held))
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
                free = min(free, int(np.int64(reach[d, i, j]) | others & 255))
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
def add_pushes(
    pushes: Pushes,
    first: int,
    stride: int,
    pushed: np.uint64,
    moving: np.uint64,
    units: int,
    count: int,
) -> int:
    """Add the pushes of some pieces that move the same set; return how many there are now.

    Args:
        first: number of the push of piece 0.
        stride: from one piece's number to the next one's.
    """
    while pushed:
        pushes.numbers[count] = first + find_lowest(pushed) * stride
        pushes.sets[count] = moving
        pushes.units[count] = units
        pushed &= pushed - np.uint64(1)
        count += 1
    return count


# -- steps ----------------------------------------------------------------------------------------


@kernel(borrowing=True, inline=True)
def begin_row(rows: LockRows, tables: LockTables, legal: LegalRows, row: int) -> None:
    """Put the pieces of a row where they are at first."""
    rows.offsets[row] = 0
    count = tables.counts[rows.levels[row]]
    for i in range(rows.benches.shape[1]):
        rows.benches[row, i] = 0 if i < count else -2
    legal.solved[row] = False
    legal.refused[row] = False


@kernel(borrowing=True, inline=True)
def find_push(legal: LegalRows, row: int, number: int) -> int:
    """Return the place of a push among the legal ones, -1 if there is nothing to do."""
    found = find_legal(legal, row, number) if number >= 0 else -1
    legal.refused[row] = found < 0 and number >= 0
    return found


@kernel(borrowing=True, inline=True)
def move_set(
    rows: LockRows, tables: LockTables, row: int, d: int, moving: np.uint64, units: int, n: int
) -> np.uint64:
    """Move a set of pieces, and separate it from the others if they are apart then.

    Returns:
        the others, unless they were separated.
    """
    axis, by = d >> 1, units if d & 1 == 0 else -units
    for i in range(n):
        rows.offsets[row, axis, i] += by * np.int64(moving >> np.uint64(i) & np.uint64(1))
    bench = rows.benches[row, find_lowest(moving)]
    staying = find_group(rows, row, bench, n) & ~moving
    place_boxes(rows, tables, row, n)
    if are_apart(rows.boxes, moving, staying, _ALL_AXES, n):
        separate(rows, tables, row, bench, moving, staying, n)
        place_boxes(rows, tables, row, n)
        return np.uint64(0)
    return np.uint64(staying)


@kernel(borrowing=True, inline=True)
def is_solved(rows: LockRows, tables: LockTables, row: int, n: int) -> bool:
    """Return whether all pieces are loose, or one if that is the goal."""
    level = rows.levels[row]
    loose = 0
    for i in range(n):
        loose += rows.benches[row, i] == -1
    return loose > 0 if tables.goals[level] == 1 else loose == tables.counts[level]


@kernel(borrowing=True, inline=True)
def find_held(rows: LockRows, row: int, n: int) -> np.uint64:
    """Return the pieces that are not on the table, as bits."""
    held = np.uint64(0)
    for i in range(n):
        held |= np.uint64(rows.benches[row, i] >= 0) << np.uint64(i)
    return held


@kernel(borrowing=True, inline=True)
def get_pushes(rows: LockRows, tables: LockTables, legal: LegalRows, row: int) -> Pushes:
    """Return a row's parts of all arrays."""
    return Pushes(
        rows.reach[row], rows.touching[row], rows.boxes, rows.closed, rows.nears,
        tables.rooms[rows.levels[row]], legal.numbers[row], rows.sets[row], rows.units[row],
    )  # fmt: skip


@kernel(borrowing=True, inline=True)
def write_row(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    row: int,
    count: int,
) -> None:
    """Write the mask of a row with some legal pushes, and its features."""
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
