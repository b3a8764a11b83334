"""All ways to fill a box, by an established solver of exact covers (``xcover``), and how to build.

Equal pieces: of two that are neighbours in their class the earlier one has the lower first cell.
For each such pair there is an optional item for each cell; a row of the earlier piece covers those
up to its own first cell, one of the later piece those from its own on, so that the two rows share
an item unless they are in order (Knuth, *The Art of Computer Programming* 4B, 7.2.2.1).

Turned copies: a piece that is unlike all others is laid only where no turn of the box would lay it
earlier. What is found is known by the least of its images under the turns of the box.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from bridge.referee.exact_cover import enumerate_exact_covers
from bridge.referee.polycubes import (
    Cell,
    RotationMatrix,
    Shape,
    enumerate_orientations,
    list_rotations,
    rotate,
    translate,
)

from .rules import SIDES, Box, free_way
from .statics import is_stable

__all__ = [
    "CanonicalForm",
    "Filling",
    "Fillings",
    "enumerate_spots",
    "find_building_order",
    "is_separable",
]

Filling = tuple[Shape, ...]
"""The cells of each piece of a box, in the order of its pieces."""
CanonicalForm = tuple[tuple[int, ...], ...]
Row = tuple[int, Shape]
"""A piece, by its number, and where it lies."""


@dataclass(frozen=True)
class Fillings:
    """The fillings of a box."""

    box: Box

    def __iter__(self) -> Iterator[Filling]:
        """Yield one of each that can't be turned, with the box, into another one."""
        seen: set[CanonicalForm] = set()
        for filling in self.enumerate_covers():
            key = self.compute_key(filling)
            if key not in seen:
                seen.add(key)
                yield filling

    def enumerate_oriented(self) -> Iterator[Filling]:
        """All fillings: those that turns of the box make one as well, for its sides are unlike."""
        for filling in self:
            copies = zip(*map(self.enumerate_turned, filling), strict=True)
            yield from {frozenset(copy): copy for copy in copies}.values()

    def enumerate_covers(self) -> Iterator[Filling]:
        """Fillings, some of them turned copies of others; equal pieces are not exchanged."""
        cells, pieces = len(self._cells), len(self.box.pieces)
        pairs = [pair for own in self.classes for pair in pairwise(own)]
        items = [self._items(piece, spot, pairs) for piece, spot in self._rows]
        first, last = cells + pieces, cells + pieces + cells * len(pairs)
        for chosen in enumerate_exact_covers(items, range(first), range(first, last)):
            yield tuple(spot for _, spot in sorted((self._rows[row] for row in chosen), key=_piece))

    def compute_key(self, filling: Iterable[Iterable[Cell]]) -> CanonicalForm:
        """Equal for fillings that a turn of the box and exchanges of equal pieces make one."""
        numbers = [[self._number[cell] for cell in cells] for cells in filling]
        return min(
            tuple(sorted(tuple(sorted(image[cell] for cell in own)) for own in numbers))
            for image in self._images
        )

    def enumerate_turned(self, cells: Shape) -> Iterator[Shape]:
        """Yield some cells after each turn of the box."""
        own = [self._number[cell] for cell in cells]
        for image in self._images:
            yield frozenset(self._cells[image[cell]] for cell in own)

    @cached_property
    def turns(self) -> tuple[RotationMatrix, ...]:
        """The rotations that leave the box as it is."""
        cells = self.box.cells
        return tuple(
            turn for turn in list_rotations() if _within(self.box, rotate(cells, turn)) == cells
        )

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The pieces, those of one shape up to rotation together."""
        found: dict[frozenset[Shape], list[int]] = {}
        for piece, shape in enumerate(self.box.pieces.values()):
            found.setdefault(enumerate_orientations(shape), []).append(piece)
        return tuple(map(tuple, found.values()))

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        return tuple(sorted(self.box.cells))

    @cached_property
    def _number(self) -> Mapping[Cell, int]:
        return {cell: number for number, cell in enumerate(self._cells)}

    @cached_property
    def _images(self) -> tuple[tuple[int, ...], ...]:
        """Cells after each turn of the box, by number."""
        return tuple(tuple(self._number[c] for c in self._carried(turn)) for turn in self.turns)

    def _carried(self, turn: RotationMatrix) -> Iterator[Cell]:
        """Yield the image of each cell of the box, in order, brought back into the box."""
        back = _back(self.box, turn)
        for cell in self._cells:
            (image,) = translate(rotate([cell], turn), back)
            yield image

    @cached_property
    def _spots(self) -> tuple[tuple[Shape, ...], ...]:
        """Placements that are tried for each piece."""
        everywhere = [enumerate_spots(self.box, shape) for shape in self.box.pieces.values()]
        single = [own[0] for own in self.classes if len(own) == 1]
        if single:
            unlike = {piece: tuple(filter(self._first, everywhere[piece])) for piece in single}
            anchor = min(single, key=lambda piece: len(unlike[piece]))
            everywhere[anchor] = unlike[anchor]
        return tuple(everywhere)

    def _first(self, cells: Shape) -> bool:
        """Return whether no turn of the box would put these cells earlier."""
        own = sorted(self._number[cell] for cell in cells)
        return all(sorted(image[cell] for cell in own) >= own for image in self._images)

    @cached_property
    def _rows(self) -> tuple[Row, ...]:
        """Every piece in each of its spots."""
        return tuple((piece, spot) for piece, own in enumerate(self._spots) for spot in own)

    def _items(self, piece: int, spot: Shape, pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Return the items that a row covers: cells, piece, and its neighbours' optional items."""
        count = len(self._cells)
        own = sorted(self._number[cell] for cell in spot)
        items = [*own, count + piece]
        for k, (earlier, later) in enumerate(pairs):
            start = count + len(self.box.pieces) + count * k
            if piece == earlier:
                items.extend(range(start, start + own[0] + 1))
            elif piece == later:
                items.extend(range(start + own[0], start + count))
        return items


def _piece(row: Row) -> int:
    return row[0]


def enumerate_spots(box: Box, shape: Shape) -> tuple[Shape, ...]:
    """Return all places in a box where a piece fits, turned in any way."""
    cells = box.cells
    return tuple(
        there
        for way in sorted(enumerate_orientations(shape), key=sorted)
        for corner in sorted(cells)
        if (there := translate(way, corner)) <= cells
    )


def is_separable(box: Box, filling: Filling) -> bool:
    """Return whether the pieces can be drawn out one by one, straight towards any of the six sides.

    Without regard to gravity and walls. Whatever can leave may leave at once, for fewer pieces are
    less in the way.
    """
    left = list(filling)
    while left:
        free = next((piece for piece in left if _leaves(box, piece, left)), None)
        if free is None:
            return False
        left.remove(free)
    return True


def find_building_order(box: Box, filling: Filling) -> tuple[tuple[int, str], ...] | None:
    """Return an order in which the pieces can be put in, straight through open sides.

    With gravity everything stays after each piece. All orders are tried, by sets of pieces.

    Returns:
        Each piece by its number, and the side that it comes from; None if there is no order.
    """
    dead: set[frozenset[int]] = set()

    def taken(left: frozenset[int]) -> tuple[tuple[int, str], ...] | None:
        if not left:
            return ()
        if left in dead or (
            box.gravity and not is_stable([filling[piece] for piece in sorted(left)])
        ):
            return None
        for piece in sorted(left):
            rest = left - {piece}
            side = _open_side(box, filling, piece, rest)
            before = taken(rest) if side else None
            if side and before is not None:
                return (*before, (piece, side))
        dead.add(left)
        return None

    return taken(frozenset(range(len(filling))))


def _open_side(box: Box, filling: Filling, piece: int, rest: Iterable[int]) -> str | None:
    others = frozenset[Cell]().union(*(filling[other] for other in rest))
    ways = (side for side in SIDES if side in box.open)
    return next((side for side in ways if free_way(box, filling[piece], others, side)), None)


def _leaves(box: Box, piece: Shape, pieces: Sequence[Shape]) -> bool:
    others = frozenset[Cell]().union(*pieces) - piece
    return any(free_way(box, piece, others, side) for side in SIDES)


def _back(box: Box, turn: RotationMatrix) -> Cell:
    """Return the shift that brings the low corner of the turned box back to the origin."""
    x, y, z = (-min(axis) for axis in zip(*rotate(box.cells, turn), strict=True))
    return x, y, z


def _within(box: Box, cells: Shape) -> Shape:
    x, y, z = (-min(axis) for axis in zip(*cells, strict=True))
    return translate(cells, (x, y, z))
