"""Legal pushes of up to eight pieces, compiled for batches.

Relations of pieces are the bits 8 i + j of a word, and eight words are as many directions: six, and
two that are empty, so that processors count with all of them at once.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.batch_rows import (
    LockRows,
    LockTables,
    Pushes,
    add_pushes,
    are_apart,
    begin_row,
    close_set,
    find_cuts,
    find_group,
    find_held,
    find_push,
    get_pushes,
    is_solved,
    measure_axis,
    measure_free,
    measure_set,
    move_set,
    place_boxes,
    write_row,
)
from pysim.kernels import kernel
from pysim.learning.batches import LegalRows, clear_legal
from pysim.search.bits import find_lowest, is_single

__all__ = ["SLOTS", "begin_few", "join_pairs", "step_few", "write_pair"]

SLOTS = 8
_ONES = np.uint64(0x0101010101010101)
_ITSELF = np.uint64(0x8040201008040201)
_LOW, _HIGH = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x8080808080808080)
_GATHER = np.uint64(0x0102040810204080)


@kernel(borrowing=True, inline=True)
def find_equal(word: np.uint64, value: np.uint64) -> np.uint64:
    """Return the places of the bytes of a word with a value, as bits."""
    differing = word ^ value * _ONES
    equal = ~((differing & _LOW) + _LOW | differing) & _HIGH
    return np.uint64((equal >> np.uint64(7)) * _GATHER >> np.uint64(56))


@kernel(borrowing=True, inline=True)
def spread(bits: np.uint64) -> np.uint64:
    """Return a word with all bits of the bytes of which the places are given."""
    return np.uint64(((bits * _ONES & _ITSELF) + _LOW >> np.uint64(7) & _ONES) * np.uint64(255))


@kernel(borrowing=True, inline=True)
def write_pair(rows: LockRows, row: int, axis: int, i: int, j: int, up: int, down: int) -> None:
    """Write how far piece i can go up and down an axis before it meets piece j, and j back."""
    plus, minus, most = 2 * axis, 2 * axis + 1, rows.near.shape[1]
    reach, met = rows.reach[row], rows.met
    reach[plus, i, j] = up
    reach[minus, j, i] = up
    reach[minus, i, j] = down
    reach[plus, j, i] = down
    there, back = np.uint64(1) << np.uint64(8 * i + j), np.uint64(1) << np.uint64(8 * j + i)
    up, down = min(up, most), min(down, most)
    met[up, plus] |= there
    met[up, minus] |= back
    met[down, minus] |= there
    met[down, plus] |= back


@kernel(borrowing=True, inline=True)
def measure_few(
    rows: LockRows,
    tables: LockTables,
    row: int,
    d: int,
    moving: np.uint64,
    staying: np.uint64,
    units: int,
) -> None:
    """Write how far pieces can go that moved, and those that stayed, before they meet."""
    rows.met[:] = 0
    while moving:
        i = find_lowest(moving)
        moving &= moving - np.uint64(1)
        others = staying
        while others:
            j = find_lowest(others)
            others &= others - np.uint64(1)
            measure_pair(rows, tables, row, d, i, j, units)


@kernel(borrowing=True, inline=True)
def measure_pair(
    rows: LockRows, tables: LockTables, row: int, d: int, i: int, j: int, units: int
) -> None:
    """Write how far a piece that moved can go before it meets one that stayed, and back."""
    ahead = int(np.int64(rows.reach[row, d, i, j]))
    behind = int(np.int64(rows.reach[row, d ^ 1, i, j]))
    ahead -= units if ahead != 255 else 0
    behind += units if behind != 255 else 0
    axis = d >> 1
    write_pair(rows, row, axis, i, j, behind if d & 1 else ahead, ahead if d & 1 else behind)
    low, high = min(i, j), max(i, j)
    for across in range(1, 3):
        b = (axis + across) % 3
        up, down = measure_axis(rows, tables, row, low, high, b)
        write_pair(rows, row, b, low, high, up, down)


@kernel(borrowing=True, inline=True)
def join_pairs(rows: LockRows, row: int, moved: np.uint64, stayed: np.uint64) -> None:
    """Replace the relations of pieces that moved to those that stayed by those that were met."""
    kept = ~(spread(moved) & stayed * _ONES | spread(stayed) & moved * _ONES)
    near, met = rows.near[row], rows.met
    for k in range(len(near)):
        for e in range(SLOTS):
            if k:
                met[k, e] |= met[k - 1, e]
            near[k, e] = near[k, e] & kept | met[k, e]


@kernel(borrowing=True, inline=True)
def close_near(near: NDArray[np.uint64], nears: NDArray[np.uint64], group: np.uint64) -> None:
    """Write the sets that go with each piece of a group: Warshall's algorithm on bytes of words."""
    members = group * _ONES
    for distance in range(len(near)):
        for e in range(SLOTS):
            word = near[distance, e] & members | _ITSELF
            for k in range(SLOTS):
                through = word >> np.uint64(k) & _ONES
                through = (through << np.uint64(8)) - through
                word |= (word >> np.uint64(8 * k) & np.uint64(255)) * _ONES & through
            nears[distance, e] = word


@kernel(borrowing=True, inline=True)
def find_near(nears: NDArray[np.uint64], distance: int, d: int, i: int) -> np.uint64:
    """Return the set that goes with a piece."""
    return np.uint64(nears[distance, d] >> np.uint64(8 * i) & np.uint64(255))


@kernel(borrowing=True, inline=True)
def list_few(
    pushes: Pushes, near: NDArray[np.uint64], group: np.uint64, pieces: int, count: int
) -> int:
    """Add the legal pushes of a group; return how many there are now."""
    close_near(near, pushes.nears, group)
    cuts = find_cuts(pushes.boxes, pushes.room, group, SLOTS)
    for d in range(6):
        left = group & ~find_equal(pushes.nears[0, d], group)
        while left:
            piece = find_lowest(left)
            pushed = find_equal(pushes.nears[0, d], find_near(pushes.nears, 0, d, piece))
            left &= ~pushed
            count = list_distances(pushes, group, cuts, d, piece, pushed, pieces, count)
    return count


@kernel(borrowing=True, inline=True)
def list_distances(
    pushes: Pushes,
    group: np.uint64,
    cuts: int,
    d: int,
    piece: int,
    pushed: np.uint64,
    pieces: int,
    count: int,
) -> int:
    """Add the legal pushes of pieces with which the same sets go, for rising distances."""
    axis, boxes, most = d >> 1, pushes.boxes, len(pushes.nears)
    cuts &= ~(1 << axis)
    first = d * pieces * (most + 1)
    moving = find_near(pushes.nears, 0, d, piece)
    units, is_out = 1, False
    while moving != group and (units <= most or not is_out):
        staying, free = group & ~moving, units
        while free < most and find_near(pushes.nears, free, d, piece) == moving:
            free += 1
        if free >= most:
            free = measure_free(pushes.reach, d, moving, staying, SLOTS)
        low1, high1 = measure_set(boxes, moving, axis, SLOTS)
        low0, high0 = measure_set(boxes, staying, axis, SLOTS)
        edge, out = pushes.room[1, axis] - high1, max(1, high0 - low1 + 1)
        if d & 1:
            edge, out = low1 - pushes.room[0, axis], max(1, high1 - low0 + 1)
        for k in range(units, min(free, most, edge) + 1):
            count = add_pushes(pushes, first + k - 1, most + 1, pushed, moving, k, count)
        by = units if d & 1 == 0 else -units
        is_past = low0 > high1 + by or low1 + by > high0
        if not is_out and (
            out <= free or is_past or (cuts and are_apart(boxes, moving, staying, cuts, SLOTS))
        ):
            is_out = True
            may_stay = out <= edge or not (is_single(staying) and not is_single(moving))
            if out <= free and may_stay:
                count = add_pushes(pushes, first + most, most + 1, pushed, moving, out, count)
        if free == 255:
            break
        units = free + 1
        if units <= most:
            moving = find_near(pushes.nears, units - 1, d, piece)
        else:
            moving = close_set(pushes.reach, d, moving, group, units, SLOTS)
    return count


@kernel(borrowing=True, inline=True)
def update_few(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    row: int,
    most: int,
) -> None:
    """Write the legal pushes of a row whose boxes are placed, and its features."""
    clear_legal(legal, row)
    pushes, pieces = get_pushes(rows, tables, legal, row), legal.mask.shape[1] // (6 * (most + 1))
    count, left = 0, find_held(rows, row, SLOTS)
    while left:
        group = find_group(rows, row, rows.benches[row, find_lowest(left)], SLOTS)
        left &= ~group
        count = list_few(pushes, rows.near[row], group, pieces, count)
    write_row(rows, tables, legal, seen, row, count)


@kernel(borrowing=True)
def begin_few(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    most: int,
) -> None:
    """Begin an episode in some rows, of which it is known how far pieces can go."""
    for row in chosen:
        begin_row(rows, tables, legal, row)
        place_boxes(rows, tables, row, SLOTS)
        update_few(rows, tables, legal, seen, row, most)


@kernel(nogil=True, borrowing=True)
def step_few(
    rows: LockRows,
    tables: LockTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    most: int,
) -> None:
    """Make a push in each row."""
    for row in range(len(numbers)):
        found = find_push(legal, row, numbers[row])
        if found < 0:
            continue
        d = legal.numbers[row, found] // (legal.mask.shape[1] // 6)
        moving, units = np.uint64(rows.sets[row, found]), int(np.int64(rows.units[row, found]))
        staying = move_set(rows, tables, row, d, moving, units, SLOTS)
        if staying:
            measure_few(rows, tables, row, d, moving, staying, units)
            join_pairs(rows, row, moving, staying)
        legal.solved[row] = is_solved(rows, tables, row, SLOTS)
        update_few(rows, tables, legal, seen, row, most)
