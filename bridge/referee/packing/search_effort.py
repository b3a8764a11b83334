"""Number of rows that an exact cover search tries, by the definition in ``docs/packing.md``.

A search of its own, and a slow one: sets of rows are whole numbers, a bit for each row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bridge.referee.polycubes import Cell, Shape

from .fillings import CanonicalForm, Fillings, enumerate_spots
from .rules import Box

__all__ = ["SearchEffort", "measure_effort"]

_CAP = 1000
"""Fillings at which the count ends."""


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """Effort of a search.

    Attributes:
        rows: rows that it laid down.
        covers: covers that it found, turned copies included.
        fillings: the same, those counted once that turns of the box make one.
        complete: whether there are no more.
        cut_off: whether it ended because it had tried as many rows as it was allowed.
    """

    rows: int
    covers: int
    fillings: int
    complete: bool
    cut_off: bool

    @property
    def share(self) -> int:
        """Rows for each cover, rounded; all rows if there is no cover."""
        return round(self.rows / max(1, self.covers))


def measure_effort(box: Box, most: int) -> SearchEffort:
    """Search for all fillings of a box, trying at most ``most`` rows."""
    search = _Search(box, most)
    covers, seen = 0, set[CanonicalForm]()
    for filling in search.enumerate_covers():
        covers += 1
        seen.add(search.fillings.compute_key(filling))
        if len(seen) == _CAP:
            break
    complete = len(seen) < _CAP and not search.cut_off
    return SearchEffort(search.tried, covers, len(seen), complete, search.cut_off)


class _Search:
    """Depth first: the item with the fewest rows left, the first of several."""

    def __init__(self, box: Box, most: int) -> None:
        self.fillings = Fillings(box)
        self.tried, self.cut_off, self._most = 0, False, most
        x, y, _ = box.size
        self._number = {cell: cell[0] + x * (cell[1] + y * cell[2]) for cell in box.cells}
        self._shapes: list[Shape] = []
        items = self._laid_out(box)
        cover = [
            sum(1 << row for row, own in enumerate(items) if item in own)
            for item in range(max(map(max, items)) + 1)
        ]
        self._columns = cover[: len(box.cells) + len(box.pieces)]
        self._clashes = [_union(cover[item] for item in own) for own in items]
        self._rows = len(items)

    def enumerate_covers(self) -> Iterator[tuple[Shape, ...]]:
        """Yield the covers that it comes across."""
        yield from self._within((1 << self._rows) - 1, list(self._columns), ())

    def _within(
        self, alive: int, open_columns: list[int], laid: tuple[int, ...]
    ) -> Iterator[tuple[Shape, ...]]:
        if not open_columns:
            yield tuple(self._shapes[row] for row in laid)
            return
        fewest = min(open_columns, key=lambda column: (column & alive).bit_count())
        for row in _bits(fewest & alive):
            if self.tried == self._most:
                self.cut_off = True
                return
            self.tried += 1
            left = [column for column in open_columns if not column >> row & 1]
            yield from self._within(alive & ~self._clashes[row], left, (*laid, row))

    def _laid_out(self, box: Box) -> list[set[int]]:
        """Return the items of each row: cells, pieces, then what puts equal pieces in order."""
        cells, pieces = len(box.cells), list(box.pieces.values())
        pairs = [(own[k], own[k + 1]) for own in self.fillings.classes for k in range(len(own) - 1)]
        anchor = self._anchor(box, pieces)
        rows = []
        for piece, shape in enumerate(pieces):
            for spot in (
                self._first_spots(box, shape) if piece == anchor else enumerate_spots(box, shape)
            ):
                own = {self._number[cell] for cell in spot}
                ordering = _ordering(piece, min(own), cells, pairs)
                rows.append(own | {cells + piece} | {cells + len(pieces) + k for k in ordering})
                self._shapes.append(spot)
        return rows

    def _anchor(self, box: Box, pieces: Sequence[Shape]) -> int | None:
        single = [own[0] for own in self.fillings.classes if len(own) == 1]
        return min(single, key=lambda piece: self._cost(box, pieces[piece]), default=None)

    def _cost(self, box: Box, shape: Shape) -> tuple[bool, int]:
        """Whether some spot is left as it is by a turn of the box, and how many there are."""
        first = self._first_spots(box, shape)
        still = any(sum(image == self._mask(s) for image in self._images(s)) > 1 for s in first)
        return still, len(first)

    def _first_spots(self, box: Box, shape: Shape) -> list[Shape]:
        return [s for s in enumerate_spots(box, shape) if self._mask(s) == min(self._images(s))]

    def _images(self, spot: Shape) -> list[int]:
        return [self._mask(image) for image in self.fillings.enumerate_turned(spot)]

    def _mask(self, cells: Iterator[Cell] | Shape) -> int:
        return sum(1 << self._number[cell] for cell in cells)


def _ordering(
    piece: int, first: int, cells: int, pairs: Sequence[tuple[int, int]]
) -> Iterator[int]:
    for k, (earlier, later) in enumerate(pairs):
        if piece == earlier:
            yield from range(k * cells, k * cells + first + 1)
        elif piece == later:
            yield from range(k * cells + first, (k + 1) * cells)


def _union(masks: Iterator[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
