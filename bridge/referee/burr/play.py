"""Legal moves of a burr lock, written from docs/actions.md alone.

Pieces are sets of cells. A held piece stands on a *bench*; the pieces of one bench form a group.
They stay within the workspace: the bounding box of the assembled lock, grown by two thirds of the
longest piece to each side and upwards and by a third downwards, both rounded up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil

import numpy as np

from bridge.referee.documents import PlanStep, read_int, read_sequence, read_text
from bridge.referee.polycubes import (
    Cell,
    Shape,
    enumerate_orientations,
    list_rotations,
    move_to_origin,
    parse_turn,
    rotate,
    translate,
)

from .lock import Lock, compute_bounds

__all__ = ["DIRECTIONS", "HeldPiece", "IllegalAction", "LockPlay"]

DIRECTIONS: dict[str, Cell] = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
OUT = "out"
"""Distance of a slide that separates its pieces from the rest."""
Slide = tuple[frozenset[int], str, int | str]
"""Pieces, direction, and units or :data:`OUT`."""
Bring = tuple[int, Shape, str]
"""A piece, the cells that it covers in the end, and the direction in which it moves there."""


class IllegalAction(Exception):
    """An action is against the rules; the message begins with the reason of docs/actions.md."""


@dataclass(frozen=True, slots=True)
class HeldPiece:
    """Position of a held piece.

    Attributes:
        bench: the number of its bench.
        cells: the cells that it covers there.
    """

    bench: int
    cells: Shape


@dataclass(frozen=True)
class LockPlay:
    """State of a lock.

    Attributes:
        lock: the puzzle.
        places: the position of each piece; None if it lies on the table.
    """

    lock: Lock
    places: tuple[HeldPiece | None, ...]

    @staticmethod
    def start(lock: Lock) -> "LockPlay":
        """Return the first state: assembled, or all on the table for the goal ``assemble``."""
        if lock.goal == "assemble":
            return LockPlay(lock, (None,) * len(lock.homes))
        return LockPlay(lock, tuple(HeldPiece(0, cells) for cells in lock.homes))

    @property
    def solved(self) -> bool:
        """Whether the goal is met."""
        if self.lock.goal == "key":
            return None in self.places
        if self.lock.goal == "disassemble":
            return all(self.lock.may_stay(group) for group in self.groups.values())
        return None not in self.places and len(self.groups) == 1 and self._is_target()

    @property
    def groups(self) -> dict[int, tuple[int, ...]]:
        """The pieces on each bench, by its number."""
        found: dict[int, tuple[int, ...]] = {}
        for i, place in enumerate(self.places):
            if place is not None:
                found[place.bench] = (*found.get(place.bench, ()), i)
        return dict(sorted(found.items()))

    @property
    def parts(self) -> int:
        """Number of parts: groups, and pieces on the table."""
        return len(self.groups) + self.places.count(None)

    def apply(self, step: PlanStep) -> "LockPlay":
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse it.
            ValueError: it is malformed.
        """
        if step.name == "slide":
            return self.slide(*self._read_slide(step.arguments))
        if step.name == "bring":
            return self.bring(*self._read_bring(step.arguments))
        raise ValueError(f"the referee has no action {step.name!r:.40}")

    def slide(self, pieces: frozenset[int], direction: str, distance: int | str) -> "LockPlay":
        """Return the state after pieces of one group slide together.

        Args:
            distance: units, or :data:`OUT`.

        Raises:
            IllegalAction: the rules refuse it.
        """
        bench, rest = self._split_group(pieces)
        mine = self._cells(pieces)
        if not rest and distance == OUT:
            if len(pieces) > 1:
                raise IllegalAction("NO_EFFECT: nothing is left to be separated from")
            return self._with(dict.fromkeys(pieces))
        others = self._cells(rest)
        limit = _units_within(self._room, mine, direction)
        if isinstance(distance, str):
            distance = _units_out(mine, others, direction)
            if len(pieces) == 1 or len(rest) > 1:
                limit = distance
        for units in range(1, min(distance, limit) + 1):
            if translate(mine, DIRECTIONS[direction], units) & others:
                raise IllegalAction(f"BLOCKED: after {units - 1} units")
        if distance > limit:
            raise IllegalAction(f"OUT_OF_BOUNDS: the workspace ends after {limit} units")
        there = {
            i: HeldPiece(bench, translate(self._held(i).cells, DIRECTIONS[direction], distance))
            for i in pieces
        }
        after = self._with(there)
        if not rest or _overlap(after._cells(pieces), others):
            return after
        return after._separate(pieces, rest)

    def bring(self, piece: int, cells: Shape, direction: str) -> "LockPlay":
        """Return the state after a piece moves in from the table.

        Args:
            cells: the cells that it covers in the end.
            direction: the direction of the motion that ends there.

        Raises:
            IllegalAction: the rules refuse it.
        """
        if self.places[piece] is not None:
            raise IllegalAction("NOT_FREE: the piece is held")
        if not _inside(cells, self._room):
            raise IllegalAction("OUT_OF_BOUNDS: the piece would be outside the workspace")
        others = self._cells(self.groups.get(0, ()))
        back = _opposite(direction)
        units = _units_out(cells, others, back) if others else 1
        if any(translate(cells, DIRECTIONS[back], k) & others for k in range(units)):
            raise IllegalAction("BLOCKED: the way in is not free")
        return self._with({piece: HeldPiece(0, cells)})

    def list_actions(self) -> Iterator[tuple[Slide | Bring, "LockPlay"]]:
        """Yield the actions that an agent is offered, each with the state after it.

        They are the smallest slides, and for the goal ``assemble`` also the ways to bring pieces.
        """
        for group in self.groups.values():
            yield from self._slides(group)
        if self.lock.goal == "assemble":
            for piece, place in enumerate(self.places):
                if place is None:
                    yield from self._brings(piece)

    def _slides(self, group: Sequence[int]) -> Iterator[tuple[Slide, "LockPlay"]]:
        """Yield, for each direction and distance, the slides of the smallest sets of pieces.

        A set that comes free is slid ``OUT`` where that is legal, and not over larger distances.
        """
        if len(group) == 1:
            yield from self._first_allowed(frozenset(group), "+x", [OUT])
            return
        span = sum(max(_size(self._held(i).cells)) for i in group)
        for direction in DIRECTIONS:
            gone: set[frozenset[int]] = set()
            gaps = self._gaps(group, direction)
            for units in range(1, span + 1):
                smallest = (
                    {_find_movable_set(gaps, i, units) for i in group} - {frozenset(group)} - gone
                )
                if not smallest:
                    break
                for pieces in smallest:
                    separates = self._separates(group, pieces, direction, units)
                    if separates:
                        gone.add(pieces)
                    distances: list[int | str] = [OUT, units] if separates else [units]
                    yield from self._first_allowed(pieces, direction, distances)

    def _first_allowed(
        self, pieces: frozenset[int], direction: str, distances: Sequence[int | str]
    ) -> Iterator[tuple[Slide, "LockPlay"]]:
        for distance in distances:
            try:
                after = self.slide(pieces, direction, distance)
            except IllegalAction:
                continue
            yield (pieces, direction, distance), after
            return

    def _brings(self, piece: int) -> Iterator[tuple[Bring, "LockPlay"]]:
        """Yield every way to bring a piece into the bounding box of the assembled lock."""
        low, high = compute_bounds(frozenset().union(*self.lock.homes))
        held = self._cells(self.groups.get(0, ()))
        for shape in sorted(enumerate_orientations(self.lock.shapes[piece]), key=sorted):
            size = _size(shape)
            for x, y, z in product(*(range(low[a], high[a] - size[a] + 2) for a in range(3))):
                cells = translate(shape, (x, y, z))
                for direction in DIRECTIONS if not cells & held else ():
                    try:
                        after = self.bring(piece, cells, direction)
                    except IllegalAction:
                        continue
                    yield (piece, cells, direction), after

    def _separates(
        self, group: Sequence[int], pieces: frozenset[int], direction: str, units: int
    ) -> bool:
        rest = [i for i in group if i not in pieces]
        mine = translate(self._cells(pieces), DIRECTIONS[direction], units)
        return not _overlap(mine, self._cells(rest))

    def _gaps(self, group: Sequence[int], direction: str) -> dict[int, dict[int, int]]:
        """Return, for each piece, the free units before each other piece that stands in its way."""
        cells = {i: np.array(sorted(self._held(i).cells)) for i in group}
        axis, sign = "xyz".index(direction[1]), 1 if direction[0] == "+" else -1
        beside = [a for a in range(3) if a != axis]
        gaps: dict[int, dict[int, int]] = {i: {} for i in group}
        for i, j in product(group, repeat=2):
            between = (cells[j][:, None] - cells[i][None]).reshape(-1, 3)
            ahead = sign * between[(between[:, beside] == 0).all(axis=1), axis]
            if i != j and (ahead > 0).any():
                gaps[i][j] = int(ahead[ahead > 0].min()) - 1
        return gaps

    def _separate(self, pieces: frozenset[int], rest: Sequence[int]) -> "LockPlay":
        """Move each separated part to its place: one piece to the table, several to a new bench."""
        there: dict[int, HeldPiece | None] = {}
        for part in (sorted(pieces), list(rest)):
            if len(part) == 1:
                there[part[0]] = None
        if len(pieces) > 1 and len(rest) > 1:
            bench = next(b for b in range(len(self.lock.homes)) if b not in self.groups)
            back = _back_into(self._room, self._cells(pieces))
            there |= {i: HeldPiece(bench, translate(self._held(i).cells, back)) for i in pieces}
        return self._with(there)

    def _split_group(self, pieces: frozenset[int]) -> tuple[int, tuple[int, ...]]:
        """Return the bench of some pieces, and the other pieces on it."""
        if not pieces or any(self.places[i] is None for i in pieces):
            raise IllegalAction("ALREADY_FREE: a piece lies on the table")
        benches = {self._held(i).bench for i in pieces}
        if len(benches) > 1:
            raise IllegalAction("NOT_TOGETHER: the pieces are on several benches")
        bench = benches.pop()
        return bench, tuple(i for i in self.groups[bench] if i not in pieces)

    def _held(self, piece: int) -> HeldPiece:
        place = self.places[piece]
        assert place is not None
        return place

    def _cells(self, pieces: Sequence[int] | frozenset[int]) -> Shape:
        return frozenset[Cell]().union(*(self._held(i).cells for i in pieces))

    def _with(self, changed: Mapping[int, HeldPiece | None]) -> "LockPlay":
        places = tuple(changed.get(i, place) for i, place in enumerate(self.places))
        return replace(self, places=places)

    @property
    def _room(self) -> tuple[Cell, Cell]:
        low, high = compute_bounds(frozenset().union(*self.lock.homes))
        longest = max(max(_size(shape)) for shape in self.lock.shapes)
        side, down = ceil(2 * longest / 3), ceil(longest / 3)
        x, y, z = high
        return (low[0] - side, low[1] - side, low[2] - down), (x + side, y + side, z + side)

    def _is_target(self) -> bool:
        target = _normalize_pieces(self.lock.homes)
        built = [self._held(i).cells for i in range(len(self.places))]
        return any(
            _normalize_pieces([rotate(c, turn) for c in built]) == target
            for turn in list_rotations()
        )

    def _read_slide(self, arguments: Mapping[str, object]) -> Slide:
        names = [
            read_text(n, "a colour") for n in read_sequence(arguments.get("pieces"), "the pieces")
        ]
        distance = arguments.get("distance")
        if distance != OUT and read_int(distance, "a distance") < 1:
            raise ValueError("a distance is at least 1")
        units = OUT if distance == OUT else read_int(distance, "a distance")
        return frozenset(map(self._number, names)), _direction(arguments), units

    def _read_bring(self, arguments: Mapping[str, object]) -> Bring:
        piece = self._number(read_text(arguments.get("piece"), "a piece"))
        x, y, z = (
            read_int(v, "a coordinate") for v in read_sequence(arguments.get("cell"), "a cell")
        )
        shape = rotate(self.lock.shapes[piece], parse_turn(arguments.get("rotation")))
        return piece, translate(move_to_origin(shape), (x, y, z)), _direction(arguments)

    def _number(self, colour: str) -> int:
        if colour not in self.lock.colours:
            raise ValueError(f"there is no piece {colour!r:.40}")
        return self.lock.colours.index(colour)


def _direction(arguments: Mapping[str, object]) -> str:
    direction = read_text(arguments.get("direction"), "a direction")
    if direction not in DIRECTIONS:
        raise ValueError(f"{direction!r:.40} is no direction")
    return direction


def _opposite(direction: str) -> str:
    return ("-" if direction[0] == "+" else "+") + direction[1]


def _find_movable_set(
    gaps: Mapping[int, Mapping[int, int]], piece: int, units: int
) -> frozenset[int]:
    """Return the smallest set that contains a piece and can move by ``units`` without a hit."""
    pieces, fresh = {piece}, {piece}
    while fresh:
        fresh = {j for i in fresh for j, gap in gaps[i].items() if gap < units} - pieces
        pieces |= fresh
    return frozenset(pieces)


def _size(cells: Shape) -> Cell:
    low, high = compute_bounds(cells)
    return high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1


def _overlap(a: Shape, b: Shape) -> bool:
    """Return whether the bounding boxes of two sets of cells overlap."""
    (low, high), (other_low, other_high) = compute_bounds(a), compute_bounds(b)
    return all(low[i] <= other_high[i] and other_low[i] <= high[i] for i in range(3))


def _units_out(mine: Shape, others: Shape, direction: str) -> int:
    """Return the units, at least one, after which two bounding boxes are apart."""
    axis = "xyz".index(direction[1])
    (low, high), (other_low, other_high) = compute_bounds(mine), compute_bounds(others)
    if direction[0] == "+":
        return max(1, other_high[axis] - low[axis] + 1)
    return max(1, high[axis] - other_low[axis] + 1)


def _units_within(room: tuple[Cell, Cell], mine: Shape, direction: str) -> int:
    axis = "xyz".index(direction[1])
    low, high = compute_bounds(mine)
    return room[1][axis] - high[axis] if direction[0] == "+" else low[axis] - room[0][axis]


def _inside(cells: Shape, room: tuple[Cell, Cell]) -> bool:
    low, high = compute_bounds(cells)
    return all(room[0][i] <= low[i] and high[i] <= room[1][i] for i in range(3))


def _back_into(room: tuple[Cell, Cell], cells: Shape) -> Cell:
    low, high = compute_bounds(cells)
    x, y, z = (max(0, room[0][i] - low[i]) - max(0, high[i] - room[1][i]) for i in range(3))
    return x, y, z


def _normalize_pieces(pieces: Sequence[Shape]) -> frozenset[Shape]:
    """Return pieces as a set, moved so that their common bounding box begins at the origin."""
    x, y, z = compute_bounds(frozenset().union(*pieces))[0]
    return frozenset(translate(cells, (-x, -y, -z)) for cells in pieces)
