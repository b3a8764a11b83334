"""Large pruning tables: distances in two bits, counted breadth first in place.

A row for each class of flip and slice up to symmetry, as in :mod:`.building`, and in it an entry
for each kind of place and each twist: 0 up to a distance that few don't exceed, the base, of which
the small table tells more, 1 and 2 for the next two distances, and 3 for all beyond. (Nxopt's
tables, Rokicki 2013, and H48's, Tronto 2024, are cut off likewise.) As long as the base is not
reached, 0 and 1 are even and odd distances, and 3 is unseen.

Threads share a pass: each takes all that is found into rows of its own, wherever it comes from. A
pass that was broken off may be made again.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.moves import Metric
from pysim.families.rubik.solver.building import Classes
from pysim.families.rubik.solver.coordinates import SLICES, SYMMETRIES, TWISTS, Coordinates
from pysim.families.rubik.solver.ida_star.places import PlaceTables
from pysim.families.rubik.solver.storing import Bytes, TableDraft
from pysim.kernels import kernel
from pysim.machine import count_cores

__all__ = ["count_entries", "count_row_entries", "fill_table"]

_WORD = 32
"""Entries in a word of 64 bits."""
_UNSEEN = 3
_CHUNKS = 64
"""A pass stops so many times to say how far it is."""

_Words64 = NDArray[np.uint64]


def count_row_entries(kinds: int) -> int:
    """Return the number of entries of a row, with those at its end that fill a word."""
    return -(-kinds * TWISTS // _WORD) * _WORD


@dataclass(frozen=True, slots=True)
class _Ways:
    """Targets of moves from row to row.

    Attributes:
        rows: (classes, 18) the class after a move times 16, plus the symmetry.
        own: (classes,) the symmetries through which a class's representative looks the same.
        slices: (classes,) the representative's slice.
        twists: (18, 16, 2187) the twist after a move, as seen through a symmetry.
        places: (495 * kinds, 18) the place after a move.
        seen_places: (495 * kinds, 16) the kind as seen.
        seen_twists: (2187, 16).
    """

    rows: NDArray[np.uint32]
    own: NDArray[np.uint16]
    slices: NDArray[np.int64]
    twists: NDArray[np.uint16]
    places: NDArray[np.uint16]
    seen_places: NDArray[np.uint8]
    seen_twists: NDArray[np.uint16]

    def list_arrays(self) -> tuple[NDArray[np.generic], ...]:
        """List the arrays that compiled code takes."""
        return (
            self.rows,
            self.own,
            self.slices,
            self.twists,
            self.places,
            self.seen_places,
            self.seen_twists,
        )


def fill_table(
    classes: Classes,
    numbers: Coordinates,
    own_places: PlaceTables,
    metric: Metric,
    progress: Callable[[float], None] = lambda share: None,
    draft: TableDraft | None = None,
) -> tuple[Bytes, list[int]]:
    """A table (bytes) in one row, and how many entries have each distance that it tells apart.

    Args:
        progress: told now and then which share of the entries is known.
        draft: where it is kept how far this came, so that it goes on after a break.
    """
    ways = _ways(classes, numbers, own_places)
    moves = np.array([move.index for move in metric.moves])
    base, kinds = own_places.base, own_places.kinds
    total = kinds * TWISTS * len(classes.rows)
    shape = (len(classes.rows), count_row_entries(kinds) // _WORD)
    before = None
    if draft is not None:
        is_whole = partial(_is_whole, kinds=kinds, base=base)
        before = draft.read((shape[0] * shape[1] * 8,), is_whole)
    if before is None:
        table = np.full(shape, np.uint64(2**64 - 1), dtype=np.uint64)
        table[0, 0] ^= np.uint64(_UNSEEN)
        counts = [1]
    else:
        table, counts = before[0].view(np.uint64).reshape(shape), before[1]
    while len(counts) < base + 3:
        known = sum(counts)
        progress(known / total)
        if len(counts) == base + 1:
            _forget(table)
        work = _Pass(table, *_values(len(counts), base), kinds, moves, ways)
        counts.append(work.run(partial(_tell, progress, known, total)))
        if draft is not None and len(counts) < base + 3:
            draft.keep(_as_bytes(table), counts)
    progress(1.0)
    return _as_bytes(table), counts


def _tell(progress: Callable[[float], None], known: int, total: int, found: int) -> None:
    progress((known + found) / total)


def _values(distance: int, base: int) -> tuple[int, int]:
    """Return the value for the distance before, and the value for a distance."""
    if distance <= base:
        return 1 - distance % 2, distance % 2
    return distance - base - 1, distance - base


def _is_whole(table: Bytes, counts: list[int], kinds: int, base: int) -> bool:
    """Whether a table that is not finished has as many entries of each value as were counted."""
    values = [0, 0, 0]
    for distance, count in enumerate(counts):
        near = len(counts) > base + 1 and distance <= base
        values[0 if near else _values(distance, base)[1]] += count
    return count_entries(table, kinds)[:3] == values


def count_entries(table: Bytes, kinds: int) -> list[int]:
    """Count the entries that have each value."""
    words = count_row_entries(kinds) // _WORD
    counts: list[int] = _count(table.view(np.uint64).reshape(-1, words), kinds * TWISTS).tolist()
    return counts


def _as_bytes(table: _Words64) -> Bytes:
    return table.reshape(-1).view(np.uint8)


def _ways(classes: Classes, numbers: Coordinates, own_places: PlaceTables) -> _Ways:
    seen = numbers.seen_twist.astype(np.uint16)
    return _Ways(
        rows=classes.rows,
        own=classes.own,
        slices=classes.representatives % SLICES,
        twists=np.ascontiguousarray(seen[numbers.twist].transpose(1, 2, 0)),
        places=own_places.moves,
        seen_places=own_places.seen,
        seen_twists=seen,
    )


@dataclass(frozen=True, slots=True)
class _Pass:
    """From one distance to the next."""

    table: _Words64
    before: int
    value: int
    kinds: int
    moves: NDArray[np.int64]
    ways: _Ways

    def run(self, progress: Callable[[int], None]) -> int:
        """Fill the tables; return the number of entries found."""
        parts = count_cores()
        with ThreadPoolExecutor(parts) as pool:
            futures = [pool.submit(self._part, part, parts, progress) for part in range(parts)]
            return sum(future.result() for future in futures)

    def _part(self, part: int, parts: int, progress: Callable[[int], None]) -> int:
        rows, found = len(self.table), 0
        for chunk in range(_CHUNKS):
            first, end = rows * chunk // _CHUNKS, rows * (chunk + 1) // _CHUNKS
            where = (first, end, part, parts)
            values = (self.before, self.value)
            found += _step(
                self.table, values, self.kinds, self.moves, self.ways.list_arrays(), where
            )
            if part == 0:
                progress(found * parts)
        return int(found)


@kernel(nogil=True, inline=True)
def _value(row, entry):  # type: ignore[no-untyped-def]
    return row[entry >> np.uint64(5)] >> ((entry & np.uint64(31)) << np.uint64(1)) & np.uint64(3)


@kernel(nogil=True, inline=True)
def _mark(row, entry, change):  # type: ignore[no-untyped-def]
    """Put a value where there is none; ``change`` is 3 less the value."""
    row[entry >> np.uint64(5)] ^= change << ((entry & np.uint64(31)) << np.uint64(1))


@kernel(nogil=True)
def _collect(row, begin, value, found):  # type: ignore[no-untyped-def]
    """Write the twists of a kind's entries with a value to ``found``; how many.

    The entries of a kind begin at ``begin``.
    """
    pattern = value * np.uint64(0x5555555555555555)
    odd = np.uint64(0x5555555555555555)
    count = 0
    for word in range(begin >> 5, (begin + TWISTS + 31) >> 5):
        other = row[word] ^ pattern
        same = ~(other | other >> np.uint64(1)) & odd
        if same == np.uint64(0):
            continue
        first = word * 32 - begin
        for place in range(max(0, -first), min(32, TWISTS - first)):
            found[count] = first + place
            count += int(same >> np.uint64(2 * place) & np.uint64(1))
    return count


@kernel(nogil=True, inline=True)
def _begin_after(ways, row, kind, kinds, move, symmetry):  # type: ignore[no-untyped-def]
    """Return the start of the entries of a kind of a row after a move."""
    place = ways[4][ways[2][row] * kinds + kind, move]
    return np.uint64(ways[5][place, symmetry]) * np.uint64(TWISTS)


@kernel(nogil=True)
def _step(table, values, kinds, moves, ways, part):  # type: ignore[no-untyped-def]
    """Write a value to the unseen neighbours, in own rows, of entries with another; how many."""
    rows, own, twists = ways[0], ways[1], ways[3]
    first, end, mine, parts = part
    value, change = np.uint64(values[0]), np.uint64(3 - values[1])
    here = np.empty(TWISTS + 1, dtype=np.uint16)
    unseen = np.uint64(3)
    total = 0
    for row in range(first, end):
        for kind in range(kinds):
            count = _collect(table[row], kind * TWISTS, value, here)
            if count == 0:
                continue
            for move in moves:
                row2, symmetry = np.int64(rows[row, move] >> 4), np.int64(rows[row, move] & 15)
                if row2 % parts != mine:
                    continue
                begin = _begin_after(ways, row, kind, kinds, move, symmetry)
                there, turned, alone = table[row2], twists[move, symmetry], own[row2] == 1
                for k in range(count):
                    entry = begin + np.uint64(turned[here[k]])
                    if _value(there, entry) == unseen:
                        if alone:
                            _mark(there, entry, change)
                            total += 1
                        else:
                            total += _mark_all(table, row2, np.int64(entry), change, ways, kinds)
    return total


@kernel(nogil=True)
def _mark_all(table, row, entry, change, ways, kinds):  # type: ignore[no-untyped-def]
    """Write a value to an entry and to all that are the same one seen through a symmetry."""
    own, slices, seen_places, seen_twists = ways[1], ways[2], ways[5], ways[6]
    kind, twist = entry // TWISTS, entry % TWISTS
    count = 0
    for same in range(SYMMETRIES):
        if own[row] >> same & 1:
            place = slices[row] * kinds + kind
            other = np.int64(seen_places[place, same]) * TWISTS + seen_twists[twist, same]
            if _value(table[row], np.uint64(other)) == np.uint64(3):
                _mark(table[row], np.uint64(other), change)
                count += 1
    return count


@kernel(nogil=True)
def _forget(table):  # type: ignore[no-untyped-def]
    """Write 0 where there is 1."""
    odd = np.uint64(0x5555555555555555)
    for row in range(table.shape[0]):
        for word in range(table.shape[1]):
            table[row, word] ^= table[row, word] & ~(table[row, word] >> np.uint64(1)) & odd


@kernel(nogil=True)
def _count(table, entries):  # type: ignore[no-untyped-def]
    counts = np.zeros(4, dtype=np.int64)
    for row in range(table.shape[0]):
        for entry in range(entries):
            counts[_value(table[row], np.uint64(entry))] += 1
    return counts
