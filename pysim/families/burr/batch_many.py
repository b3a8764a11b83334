"""Legal pushes of many pieces, compiled for batches."""

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
from pysim.families.burr.solver.movement import close_sets
from pysim.kernels import kernel
from pysim.learning.batches import LegalRows, clear_legal
from pysim.search.bits import find_lowest, is_single

__all__ = ["begin_many", "set_reach", "step_many"]


@kernel(borrowing=True, inline=True)
def set_reach(rows: LockRows, row: int, d: int, i: int, j: int, units: int) -> None:
    """Write how far piece i can go along a direction before it meets piece j, and j back."""
    one = np.uint64(1)
    rows.reach[row, d, i, j] = units
    rows.reach[row, d ^ 1, j, i] = units
    if units == 0:
        rows.touching[row, d, i] |= one << np.uint64(j)
        rows.touching[row, d ^ 1, j] |= one << np.uint64(i)
    else:
        rows.touching[row, d, i] &= ~(one << np.uint64(j))
        rows.touching[row, d ^ 1, j] &= ~(one << np.uint64(i))


@kernel(borrowing=True, inline=True)
def measure_many(
    rows: LockRows,
    tables: LockTables,
    row: int,
    d: int,
    moving: np.uint64,
    staying: np.uint64,
    units: int,
    n: int,
) -> None:
    """Write how far pieces can go that moved, and those that stayed, before they meet."""
    one, axis = np.uint64(1), d >> 1
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
                for across in range(1, 3):
                    b = (axis + across) % 3
                    up, down = measure_axis(rows, tables, row, low, high, b)
                    set_reach(rows, row, 2 * b, low, high, up)
                    set_reach(rows, row, 2 * b + 1, low, high, down)


@kernel(borrowing=True, inline=True)
def list_many(pushes: Pushes, group: np.uint64, pieces: int, most: int, n: int, count: int) -> int:
    """Add the legal pushes of a group; return how many there are now."""
    cuts = find_cuts(pushes.boxes, pushes.room, group, n)
    for d in range(6):
        count = list_direction(pushes, group, cuts & ~(1 << (d >> 1)), d, n, pieces, most, count)
    return count


@kernel(borrowing=True)
def list_direction(
    pushes: Pushes, group: np.uint64, cuts: int, d: int, n: int, pieces: int, most: int, count: int
) -> int:
    """Add the legal pushes of a group along a direction; return how many there are now."""
    one, closed = np.uint64(1), pushes.closed
    for i in range(n):
        closed[i] = pushes.touching[d, i] & group | one << np.uint64(i)
    close_sets(closed, n)
    left = group
    for i in range(n):
        if not left >> np.uint64(i) & one or closed[i] == group:
            continue
        pushed = np.uint64(0)
        for j in range(i, n):
            if closed[j] == closed[i]:
                pushed |= one << np.uint64(j)
        left &= ~pushed
        count = list_distances(pushes, group, cuts, d, i, pushed, n, pieces, most, count)
    return count


@kernel(borrowing=True, inline=True)
def list_distances(
    pushes: Pushes,
    group: np.uint64,
    cuts: int,
    d: int,
    piece: int,
    pushed: np.uint64,
    n: int,
    pieces: int,
    most: int,
    count: int,
) -> int:
    """Add the legal pushes of pieces with which the same sets go, for rising distances."""
    axis, boxes, first = d >> 1, pushes.boxes, d * pieces * (most + 1)
    moving = pushes.closed[piece]
    units, is_out = 1, False
    while moving != group and (units <= most or not is_out):
        staying = group & ~moving
        free = measure_free(pushes.reach, d, moving, staying, n)
        low1, high1 = measure_set(boxes, moving, axis, n)
        low0, high0 = measure_set(boxes, staying, axis, n)
        edge, out = pushes.room[1, axis] - high1, max(1, high0 - low1 + 1)
        if d & 1:
            edge, out = low1 - pushes.room[0, axis], max(1, high1 - low0 + 1)
        for k in range(units, min(free, most, edge) + 1):
            count = add_pushes(pushes, first + k - 1, most + 1, pushed, moving, k, count)
        by = units if d & 1 == 0 else -units
        is_past = low0 > high1 + by or low1 + by > high0
        if not is_out and (out <= free or is_past or are_apart(boxes, moving, staying, cuts, n)):
            is_out = True
            may_stay = out <= edge or not (is_single(staying) and not is_single(moving))
            if out <= free and may_stay:
                count = add_pushes(pushes, first + most, most + 1, pushed, moving, out, count)
        if free == 255:
            break
        units = free + 1
        moving = close_set(pushes.reach, d, moving, group, units, n)
    return count


@kernel(borrowing=True, inline=True)
def update_many(
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
    n = tables.counts[rows.levels[row]]
    count, left = 0, find_held(rows, row, n)
    while left:
        group = find_group(rows, row, rows.benches[row, find_lowest(left)], n)
        left &= ~group
        count = list_many(pushes, group, pieces, most, n, count)
    write_row(rows, tables, legal, seen, row, count)


@kernel(borrowing=True)
def begin_many(
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
        place_boxes(rows, tables, row, tables.counts[rows.levels[row]])
        update_many(rows, tables, legal, seen, row, most)


@kernel(nogil=True, borrowing=True)
def step_many(
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
        n = tables.counts[rows.levels[row]]
        staying = move_set(rows, tables, row, d, moving, units, n)
        if staying:
            measure_many(rows, tables, row, d, moving, staying, units, n)
        legal.solved[row] = is_solved(rows, tables, row, n)
        update_many(rows, tables, legal, seen, row, most)
