"""Ways on which bodies can be carried past others: exact, in whole numbers.

Everything is a block of cells. One block around each body is enough where bodies stand apart; where
they don't, the blocks of :func:`pysim.geometry.merge_boxes` are the bodies exactly. Families give
the blocks, since they know them already and are asked for many ways.

Most ways are found at once: straight along the axes in one order or another, or aside until nothing
is above, up above everything between, over, down and in again. Only where none of these is free is
there a search, over the places from which some block can just be passed.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import pairwise, permutations, product
from typing import Protocol

from pysim.geometry import (
    IDENTITY,
    Axis,
    Bounds,
    Cell,
    Direction,
    Rotation,
    add,
    scale,
    subtract,
)
from pysim.motion import Carry
from pysim.path import Path, Segment, Shift, Spin, double_middle, rotate_block
from pysim.scene import Colour

__all__ = ["NoPath", "OnTable", "carry_past", "find_path"]

_CORNER = 2
"""Units of detour that a corner less is worth."""
_SIDES = (Direction.MINUS_Y, Direction.PLUS_X, Direction.MINUS_X, Direction.PLUS_Y)

Waypoints = tuple[Cell, ...]
"""Corners of a way along the axes, as translations from its start."""


class NoPath(RuntimeError):
    """Error: the pieces to be carried are shut in, or their goal is."""


@lru_cache(maxsize=1024)
def find_path(
    load: tuple[Bounds, ...],
    goal: Cell,
    around: tuple[Bounds, ...],
    *,
    floor: int | None = None,
    rotation: Rotation = IDENTITY,
) -> tuple[Segment, ...]:
    """Return a way that leads past everything; not always the shortest.

    Args:
        load: the blocks that are carried together, as one.
        goal: where the low corner of the block around them gets.
        around: what stands in the way. Where the load starts and ends it must be free of it.
        floor: nothing is carried below this height, the z of a lowest cell; None: no floor.
        rotation: how the load is turned on the way.

    Raises:
        NoPath: there is none, or, where the load has to turn, no place in free air for that.
    """
    space = _Space(around, floor)
    carried = _Load(load, space)
    if rotation == IDENTITY:
        way = carried.find_route(subtract(goal, carried.block.low))
        if way is None:
            raise NoPath("what is to be carried is shut in, or its goal is")
        return tuple(_shifts(way))
    for search in (False, True):
        for spot, spin in carried.list_turning_places(goal, rotation):
            turned = carried.apply_spin(spot, spin)
            there = carried.find_route(spot, search=search)
            rest = turned.find_route(subtract(goal, turned.block.low), search=search)
            if there is not None and rest is not None:
                return (*_shifts(there), spin, *_shifts(rest))
    raise NoPath("there is no free place to turn in, or it can't be reached")


class PieceTable(Protocol):
    """Places of loose pieces, each for itself."""

    @property
    def bounds(self) -> Bounds:
        """The block in which all lie."""

    def get_block(self, piece: int) -> Bounds:
        """Return the block around one."""


class OnTable(Protocol):
    """A puzzle whose loose pieces lie on a table, and whose others are within a block."""

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Names of the pieces, in order."""

    @property
    def block(self) -> Bounds:
        """Bounds of the pieces that are not loose."""

    @property
    def table(self) -> PieceTable:
        """Places of the loose pieces."""


def carry_past(
    puzzle: OnTable,
    places: Sequence[object | None],
    piece: int,
    way: tuple[Bounds, Cell, Rotation],
    *,
    loose: bool,
) -> Carry:
    """Bring a piece past the block and all others on the table.

    The way is found when it is first asked for.

    Args:
        puzzle: whose pieces they are.
        places: where each piece is; None for those on the table.
        piece: the one that is brought.
        way: the block around it, where the low corner of that gets, and how it is turned.
        loose: whether it is let go there.
    """
    legs = partial(_legs_past, puzzle, places, piece, *way)
    return Carry(frozenset([puzzle.colours[piece]]), Path(legs), loose)


def _legs_past(
    puzzle: OnTable,
    places: Sequence[object | None],
    piece: int,
    here: Bounds,
    goal: Cell,
    rotation: Rotation,
) -> tuple[Segment, ...]:
    table = puzzle.table
    others = (i for i, place in enumerate(places) if place is None and i != piece)
    around = (puzzle.block, *map(table.get_block, others))
    return find_path((here,), goal, around, floor=table.bounds.low[2], rotation=rotation)


Corners = tuple[int, int, int, int, int, int]
"""A block as its low and then its high corner: looked at so often that objects cost too much."""


def _corners(block: Bounds) -> Corners:
    return (*block.low, *block.high)


class _Space:
    """Obstacles of a path."""

    def __init__(self, blocks: Sequence[Bounds], floor: int | None) -> None:
        self.blocks = tuple(map(_corners, blocks))
        self.floor = floor
        self.ceiling = max((block[5] for block in self.blocks), default=0) + 1
        """A height above everything."""

    def is_free(self, block: Corners) -> bool:
        """Return whether nothing is in a block, and it is above the floor."""
        x0, y0, z0, x1, y1, z1 = block
        if self.floor is not None and z0 < self.floor:
            return False
        for a, b, c, d, e, f in self.blocks:
            if a <= x1 and x0 <= d and b <= y1 and y0 <= e and c <= z1 and z0 <= f:
                return False
        return True

    def find_height_above(self, block: Corners) -> int:
        """The height from which on nothing is in the column of a block; its own if nothing is."""
        x0, y0, height, x1, y1, _ = block
        if self.floor is not None:
            height = max(height, self.floor)
        for a, b, _, d, e, f in self.blocks:
            if f >= height and a <= x1 and x0 <= d and b <= y1 and y0 <= e:
                height = f + 1
        return height


class _Load:
    """Blocks that are carried as one; a place is told by the translation from their start."""

    def __init__(self, blocks: Sequence[Bounds], space: _Space) -> None:
        self._blocks = tuple(blocks)
        self._corners = tuple(map(_corners, blocks))
        self._space = space
        self.block = Bounds.cover(blocks)
        self._around = _corners(self.block)

    def find_route(self, goal: Cell, *, search: bool = True) -> Waypoints | None:
        """Return a way without turns to a translation."""
        for way in (*_straight((0, 0, 0), goal), *self._over(goal)):
            if self._is_free(way):
                return way
        return self._search(goal) if search else None

    def list_turning_places(self, goal: Cell, rotation: Rotation) -> Iterator[tuple[Cell, Spin]]:
        """Yield places to turn, as translations: at the start, at the goal, and high above each."""
        size = rotate_block(self.block, rotation).size
        before = _centred(Bounds(goal, add(goal, subtract(size, (1, 1, 1)))), self.block.size)
        for low in (self.block.low, before):
            spot = subtract(low, self.block.low)
            spin = self._spin(spot, rotation, size)
            if self._space.is_free(_corners(spin.sweep_block(self.block.translate(spot)))):
                yield spot, spin
        for low in (self.block.low, before):
            spot = self._above(subtract(low, self.block.low), rotation, size)
            yield spot, self._spin(spot, rotation, size)

    def apply_spin(self, spot: Cell, spin: Spin) -> "_Load":
        """Return the same load after going to a spot and turning there."""
        return _Load(
            [spin.apply_to_block(block.translate(spot)) for block in self._blocks], self._space
        )

    def _spin(self, spot: Cell, rotation: Rotation, size: Cell) -> Spin:
        """Turning about the middle, as nearly as the lattice allows."""
        block = self.block.translate(spot)
        return Spin(rotation, subtract(_centred(block, size), rotate_block(block, rotation).low))

    def _above(self, spot: Cell, rotation: Rotation, size: Cell) -> Cell:
        """The lowest place above a spot, or there, where a turn is clear of what is below it."""
        room = self._spin(spot, rotation, size).sweep_block(self.block.translate(spot))
        return add(spot, (0, 0, self._space.find_height_above(_corners(room)) - room.low[2]))

    def _is_free(self, way: Waypoints) -> bool:
        return all(self._reaches(here, there) for here, there in pairwise(way))

    def _reaches(self, here: Cell, there: Cell) -> bool:
        """Return whether the load can go straight from one place to another one."""
        return all(self._space.is_free(_swept(block, here, there)) for block in self._corners)

    def _over(self, goal: Cell) -> Iterator[Waypoints]:
        """Aside if need be, up, over, down and in again."""
        for out in self._exits((0, 0, 0)):
            for back in self._exits(goal):
                across = self._space.find_height_above(_swept(self._around, out, back))
                height = max(out[2], back[2], across - self._around[2])
                over, down = (*out[:2], height), (*back[:2], height)
                for corner in ((down[0], over[1], height), (over[0], down[1], height)):
                    yield _without_stops(((0, 0, 0), out, over, corner, down, back, goal))

    def _exits(self, place: Cell) -> Iterator[Cell]:
        """Yield a place, or those aside of it, from which the way up is free."""
        if self._is_open(place):
            yield place
            return
        aside = sorted((self._aside(place, s) for s in _SIDES), key=lambda p: _length((place, p)))
        yield from (there for there in aside if self._reaches(place, there))

    def _is_open(self, place: Cell) -> bool:
        """Return whether nothing is above."""
        return self._reaches(place, self._top_of(place))

    def _top_of(self, place: Cell) -> Cell:
        """Return the place above one that is above everything."""
        return (*place[:2], max(place[2], self._space.ceiling - self._around[2]))

    def _aside(self, place: Cell, side: Direction) -> Cell:
        """Return the nearest place to a side at which nothing is above any more."""
        axis, sign = side.axis.number, side.sign
        while True:
            column = _swept(self._around, place, self._top_of(place))
            hit = next((b for b in self._space.blocks if _overlap(b, column)), None)
            if hit is None:
                return place
            gap = hit[axis + 3] - column[axis] if sign > 0 else column[axis + 3] - hit[axis]
            place = add(place, scale(side.vector, gap + 1))

    def _search(self, goal: Cell) -> Waypoints | None:
        """Return the shortest way, a corner counting as some units, by A*."""
        if not self._reaches(goal, goal):
            return None
        marks = [self._marks(axis, goal[axis]) for axis in range(3)]
        index = [{mark: i for i, mark in enumerate(marks[axis])} for axis in range(3)]
        start: tuple[Cell, int] = ((0, 0, 0), -1)
        queue: list[tuple[int, int, Cell, int]] = [(0, 0, *start)]
        best, former = {start: 0}, {start: start}
        while queue:
            _, cost, place, axis = heappop(queue)
            if place == goal:
                return _traced(former, (place, axis))
            if cost > best[place, axis]:
                continue
            for way, step in product(range(3), (-1, 1)):
                i = index[way][place[way]] + step
                if not 0 <= i < len(marks[way]):
                    continue
                there = _replaced(place, way, marks[way][i])
                then = cost + _length((place, there)) + (_CORNER if way != axis else 0)
                known = best.get((there, way))
                if (known is None or then < known) and self._reaches(place, there):
                    best[there, way] = then
                    former[there, way] = (place, axis)
                    heappush(queue, (then + _length((there, goal)), then, there, way))
        return None

    def _marks(self, axis: int, goal: int) -> list[int]:
        """Translations along an axis at which the load starts, ends, or just passes a block."""
        found = {0, goal}
        for mine, other in product(self._corners, self._space.blocks):
            found.add(other[axis] - mine[axis + 3] - 1)
            found.add(other[axis + 3] - mine[axis] + 1)
        return sorted(found)


def _swept(block: Corners, here: Cell, there: Cell) -> Corners:
    """Return the block around one that goes from one translation to another one."""
    x0, y0, z0, x1, y1, z1 = block
    (a, b, c), (d, e, f) = here, there
    return (
        x0 + (a if a < d else d),
        y0 + (b if b < e else e),
        z0 + (c if c < f else f),
        x1 + (d if a < d else a),
        y1 + (e if b < e else b),
        z1 + (f if c < f else c),
    )


def _overlap(one: Corners, other: Corners) -> bool:
    return all(one[i] <= other[i + 3] and other[i] <= one[i + 3] for i in range(3))


def _straight(start: Cell, goal: Cell) -> Iterator[Waypoints]:
    """The ways along each axis once; what goes up goes up first, what goes down does so last."""
    orders = permutations((2, 1, 0) if goal[2] > start[2] else (1, 0, 2))
    for order in orders:
        way = [start]
        for axis in order:
            way.append(_replaced(way[-1], axis, goal[axis]))
        yield _without_stops(way)


def _centred(block: Bounds, size: Cell) -> Cell:
    """The low corner of a block of ``size`` around the same middle, or half a unit below it."""
    middle = double_middle(block)
    return (
        (middle[0] - size[0] + 1) // 2,
        (middle[1] - size[1] + 1) // 2,
        (middle[2] - size[2] + 1) // 2,
    )


def _replaced(cell: Cell, axis: int, value: int) -> Cell:
    changed = list(cell)
    changed[axis] = value
    return (changed[0], changed[1], changed[2])


def _length(way: Sequence[Cell]) -> int:
    return sum(abs(b[i] - a[i]) for a, b in pairwise(way) for i in range(3))


def _without_stops(way: Sequence[Cell]) -> Waypoints:
    """Return the same way without corners at which it does not go anywhere."""
    return (way[0], *(there for here, there in pairwise(way) if here != there))


def _traced(former: dict[tuple[Cell, int], tuple[Cell, int]], last: tuple[Cell, int]) -> Waypoints:
    """Return the places that led to the last one."""
    way = [last[0]]
    while former[last] != last:
        last = former[last]
        way.append(last[0])
    return tuple(reversed(way))


def _shifts(way: Waypoints) -> Iterator[Shift]:
    """Yield the legs of a way along the axes; what goes on straight is one leg."""
    steps = [subtract(there, here) for here, there in pairwise(way)]
    axis, total = -1, 0
    for step in steps:
        along = next(i for i in range(3) if step[i])
        if along != axis or (step[along] > 0) != (total > 0):
            yield from _shift(axis, total)
            axis, total = along, 0
        total += step[along]
    yield from _shift(axis, total)


def _shift(axis: int, units: int) -> Iterator[Shift]:
    if units:
        name = tuple(Axis)[axis].value
        yield Shift(Direction(("+" if units > 0 else "-") + name), abs(units))
