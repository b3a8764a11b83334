"""In how many ways the pieces of a generated lock can be put together, counted by ``xcover``.

The goal is what docs/generate.md says: of a box all outer cells, and inner ones may stay empty; of
rods, sticks and boards the blocks around the pieces, where cells of several blocks may stay empty.
An assembly is a set of pieces, each a set of cells, so that congruent pieces may change places;
those that a turn of the goal makes one count once, and so do mirror images where the pieces are the
same ones after a turn.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from bridge.referee.exact_cover import enumerate_exact_covers
from bridge.referee.polycubes import (
    Cell,
    RotationMatrix,
    Shape,
    enumerate_orientations,
    find_low_corner,
    list_rotations,
    move_to_origin,
    rotate,
    translate,
)

from .lock import Lock, compute_bounds

__all__ = ["Target", "enumerate_assemblies", "find_target"]

_MOST_PLACES = 60_000
_MOST_COVERS = 100_000
"""Covers that are looked at; turned copies and exchanges of congruent pieces among them."""


@dataclass(frozen=True)
class Target:
    """Shape that the pieces have to fill.

    Attributes:
        filled: cells that a piece must cover.
        optional: cells that one piece may cover.
    """

    filled: Shape
    optional: Shape

    @cached_property
    def cells(self) -> Shape:
        """All of them."""
        return self.filled | self.optional

    @cached_property
    def images(self) -> tuple[dict[Cell, Cell], ...]:
        """Maps of cells by the turns of the goal onto itself, and by its mirror images."""
        found = []
        for turn, mirror in product(list_rotations(), (False, True)):
            image = {cell: _image(cell, turn, mirror) for cell in self.cells}
            back = [
                a - b
                for a, b in zip(
                    find_low_corner(self.cells), find_low_corner(image.values()), strict=True
                )
            ]
            placed = {c: (x + back[0], y + back[1], z + back[2]) for c, (x, y, z) in image.items()}
            if {placed[c] for c in self.filled} == self.filled and set(
                placed.values()
            ) == self.cells:
                found.append(placed)
        return tuple(found)


def find_target(lock: Lock, generator: str) -> Target | None:
    """Return the goal of a generated lock; None if it is not known what its generator fills."""
    _, _, kind = generator.partition(" ")[0].partition("/")
    blocks = [_filled_block(cells) for cells in lock.homes]
    if kind == "cube":
        whole = _filled_block(frozenset().union(*lock.homes))
        inner = frozenset(c for c in whole if all(_steps(c, d) in whole for d in range(6)))
        return Target(whole - inner, inner)
    if kind in ("six-piece", "rods", "board"):
        times = Counter(cell for cells in blocks for cell in cells)
        optional = frozenset(cell for cell, n in times.items() if n > 1)
        return Target(frozenset(times) - optional, optional)
    return None


def enumerate_assemblies(lock: Lock, goal: Target) -> Iterator[tuple[Shape, ...]]:
    """Yield one of each way to fill a goal: the cells of each piece, in the order of the lock's.

    Raises:
        OverflowError: there are too many to look at.
    """
    shapes = Counter(enumerate_orientations(shape) for shape in lock.shapes)
    seen: set[frozenset[frozenset[Cell]]] = set()
    for number, cover in enumerate(_covers(lock, goal)):
        if number == _MOST_COVERS:
            raise OverflowError(f"more than {_MOST_COVERS:,} covers")
        key = frozenset(cover)
        if key not in seen:
            yield cover
            for image in goal.images:
                copy = frozenset(frozenset(image[cell] for cell in cells) for cells in cover)
                if (
                    Counter(enumerate_orientations(move_to_origin(cells)) for cells in copy)
                    == shapes
                ):
                    seen.add(copy)


def _covers(lock: Lock, goal: Target) -> Iterator[tuple[Shape, ...]]:
    cells = sorted(goal.filled) + sorted(goal.optional)
    pieces = len(lock.shapes)
    # Filled cells come first, then the pieces, then the optional cells.
    first = len(goal.filled) + pieces
    item = {c: i if i < len(goal.filled) else i + pieces for i, c in enumerate(cells)}
    rows = list(_rows(lock, goal))
    items = [[len(goal.filled) + piece, *(item[c] for c in there)] for piece, there in rows]
    for chosen in enumerate_exact_covers(items, range(first), range(first, len(cells) + pieces)):
        yield tuple(there for _, there in sorted((rows[i] for i in chosen), key=_piece))


def _rows(lock: Lock, goal: Target) -> Iterator[tuple[int, Shape]]:
    """Yield every place of every piece.

    Raises:
        OverflowError: there are too many of them.
    """
    block = compute_bounds(goal.cells)
    ways = [
        (piece, way, _find_room(way, block))
        for piece, shape in enumerate(lock.shapes)
        for way in sorted(enumerate_orientations(shape), key=sorted)
    ]
    tries = sum(prod(map(len, room)) for _, _, room in ways)
    if tries > _MOST_PLACES:
        raise OverflowError(f"{tries:,} places of pieces to be tried")
    for piece, way, room in ways:
        for shift in product(*room):
            there = translate(way, shift)
            if there <= goal.cells:
                yield piece, there


def _find_room(way: Shape, block: tuple[Cell, Cell]) -> tuple[range, range, range]:
    """Return by how much a turned piece is moved along each axis, to stay in a block."""
    (low, high), (first, last) = compute_bounds(way), block
    x, y, z = (range(first[i] - low[i], last[i] - high[i] + 1) for i in range(3))
    return x, y, z


def _piece(row: tuple[int, Shape]) -> int:
    return row[0]


def _image(cell: Cell, turn: RotationMatrix, mirror: bool) -> Cell:
    x, y, z = cell
    (image,) = rotate([(-x if mirror else x, y, z)], turn)
    return image


def _filled_block(cells: Iterable[Cell]) -> Shape:
    low, high = compute_bounds(cells)
    x, y, z = (range(low[i], high[i] + 1) for i in range(3))
    return frozenset(product(x, y, z))


def _steps(cell: Cell, direction: int) -> Cell:
    there = list(cell)
    there[direction >> 1] += 1 if direction % 2 else -1
    return there[0], there[1], there[2]
