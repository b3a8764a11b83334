"""Pruning tables: how far states of a part of the cube are from home, counted breadth first.

A table has one row for each class of a coordinate up to the 16 symmetries, and in it one entry for
each twist. Rows are looked at one after another and moves lead from row to row, so that a whole row
stays in the processor's cache while all of its entries are expanded.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.moves import Metric
from pysim.families.rubik.solver.coordinates import (
    FLIPS,
    PERMUTATIONS,
    SLICES,
    SYMMETRIES,
    TWISTS,
    Coordinates,
)
from pysim.families.rubik.solver.storing import Bytes, TableDraft
from pysim.families.rubik.solver.symmetry import list_axis_symmetries
from pysim.kernels import kernel

__all__ = [
    "UNSEEN",
    "Classes",
    "build_corner_classes",
    "build_edge_classes",
    "compute_distances",
    "pack",
]

UNSEEN = 255
_BACKWARDS = 0.25
"""From this share of seen entries on, unseen ones look for a neighbour, not the other way round."""

Words32 = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Classes:
    """A coordinate counted up to symmetry.

    Attributes:
        where: (n,) class of each number times 16, plus the symmetry through which the number is
            seen as the class's representative.
        rows: (classes, 18) the same of the representative after each move.
        own: (classes,) a bit for each symmetry through which the representative looks the same.
        sizes: (classes,) how many numbers are in each class.
        representatives: (classes,) the number that represents each class, its least.
    """

    where: Words32
    rows: Words32
    own: NDArray[np.uint16]
    sizes: NDArray[np.int64]
    representatives: NDArray[np.int64]


def build_edge_classes(tables: Coordinates) -> Classes:
    """Flip and slice together: number ``flip * 495 + slice``."""

    def seen(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        flip, place = numbers // SLICES, numbers % SLICES
        turned = tables.seen_flip[flip] ^ tables.slice_flip[place]
        return turned.astype(np.int64) * SLICES + tables.seen_slice[place]

    def moved(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        flip, place = numbers // SLICES, numbers % SLICES
        return tables.flip[flip].astype(np.int64) * SLICES + tables.slice[place]

    return _classes(FLIPS * SLICES, seen, moved)


def build_corner_classes(tables: Coordinates) -> Classes:
    """Permutations of the corners."""
    return _classes(
        PERMUTATIONS,
        lambda numbers: tables.seen_permutation[numbers].astype(np.int64),
        lambda numbers: tables.permutation[numbers].astype(np.int64),
    )


def compute_distances(
    classes: Classes,
    tables: Coordinates,
    metric: Metric,
    progress: Callable[[float], None] = lambda share: None,
    draft: TableDraft | None = None,
) -> tuple[Bytes, list[int]]:
    """Return distances (classes, 2187) to class 0 with twist 0, and how many entries have each.

    Args:
        progress: told now and then which share of the entries is known.
        draft: where it is kept how far this came, so that it goes on after a break.
    """
    moves = np.array([move.index for move in metric.moves])
    result = np.full((len(classes.rows), TWISTS), UNSEEN, dtype=np.uint8)
    result[0, 0] = 0
    counts = [1]
    if draft is not None and (before := draft.read(result.shape)) is not None:
        result, counts = before
    while counts[-1]:
        known = sum(counts) / result.size
        progress(known)
        step = _step_back if known > _BACKWARDS else _step_on
        depth = len(counts) - 1
        counts.append(
            step(result, depth, moves, classes.rows, classes.own, tables.twist, tables.seen_twist)
        )
        if draft is not None:
            draft.keep(result, counts)
    progress(1.0)
    return result, counts[:-1]


def pack(table: Bytes) -> Bytes:
    """Return two entries below 16 to a byte, the first in the low half."""
    flat: Bytes = table.reshape(-1)
    if flat.size % 2:
        flat = np.concatenate([flat, np.zeros(1, dtype=np.uint8)])
    high: Bytes = np.left_shift(flat[1::2], np.uint8(4))
    return flat[0::2] | high


def _classes(
    count: int,
    seen: Callable[[NDArray[np.int64]], NDArray[np.int64]],
    moved: Callable[[NDArray[np.int64]], NDArray[np.int64]],
) -> Classes:
    symmetries = list_axis_symmetries()
    index = {symmetry: i for i, symmetry in enumerate(symmetries)}
    inverses = np.array([index[tuple(np.argsort(s).tolist())] for s in symmetries])
    where, representatives, own, sizes = _find_classes(count, _rows_of(seen, count), inverses)
    return Classes(where, where[moved(representatives)], own, sizes, representatives)


def _rows_of(
    seen: Callable[[NDArray[np.int64]], NDArray[np.int64]], count: int
) -> NDArray[np.int32]:
    """(count, 16) every number as seen through each symmetry."""
    return seen(np.arange(count, dtype=np.int64)).astype(np.int32)


@kernel
def _find_classes(count, seen, inverses):  # type: ignore[no-untyped-def]
    """Classes in the order of their least numbers, which represent them."""
    unknown = np.uint32(0xFFFFFFFF)
    where = np.full(count, unknown, dtype=np.uint32)
    representatives = np.empty(count, dtype=np.int64)
    own = np.zeros(count, dtype=np.uint16)
    sizes = np.zeros(count, dtype=np.int64)
    classes = 0
    for number in range(count):
        if where[number] != unknown:
            continue
        for symmetry in range(SYMMETRIES):
            image = seen[number, symmetry]
            if image == number:
                own[classes] |= np.uint16(1 << symmetry)
            if where[image] == unknown:
                where[image] = classes * SYMMETRIES + inverses[symmetry]
                sizes[classes] += 1
        representatives[classes] = number
        classes += 1
    return where, representatives[:classes], own[:classes], sizes[:classes]


@kernel
def _step_on(table, depth, moves, rows, own, twist_moves, seen_twist):  # type: ignore[no-untyped-def]
    """Write ``depth + 1`` to all unseen neighbours of entries at ``depth``; how many."""
    found = 0
    for row in range(table.shape[0]):
        for twist in range(TWISTS):
            if table[row, twist] != depth:
                continue
            for move in moves:
                there = rows[row, move]
                row2, symmetry = there // SYMMETRIES, there % SYMMETRIES
                twist2 = seen_twist[twist_moves[twist, move], symmetry]
                if table[row2, twist2] != UNSEEN:
                    continue
                for same in range(SYMMETRIES):
                    if own[row2] >> same & 1:
                        twist3 = seen_twist[twist2, same]
                        if table[row2, twist3] == UNSEEN:
                            table[row2, twist3] = depth + 1
                            found += 1
    return found


@kernel
def _step_back(table, depth, moves, rows, own, twist_moves, seen_twist):  # type: ignore[no-untyped-def]
    """Write ``depth + 1`` to all unseen entries with a neighbour at ``depth``; how many."""
    found = 0
    for row in range(table.shape[0]):
        for move in moves:
            there = rows[row, move]
            row2, symmetry = there // SYMMETRIES, there % SYMMETRIES
            for twist in range(TWISTS):
                if table[row, twist] != UNSEEN:
                    continue
                if table[row2, seen_twist[twist_moves[twist, move], symmetry]] == depth:
                    table[row, twist] = depth + 1
                    found += 1
    return found
