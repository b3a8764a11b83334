"""Chambers as numbered cells: reading a level document, walls, gates and lines of sight.

A cell is a whole number: x + y * row + z * layer, counted in a room with a margin of solid cells
around it, so that no step from a free cell leaves the numbers. A set of cells is a whole number
too, with a bit for each cell, and is moved as a whole by a shift. Cell 0 is a corner of the margin:
a carried box is there, and a face 0 is no face. A face is ``6 * front + side``: the cell in front
of it, and the direction in which it looks.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from math import lcm
from typing import NamedTuple

from bridge.referee.documents import (
    get_puzzle,
    read_int,
    read_mapping,
    read_sequence,
    read_text,
)

__all__ = [
    "DIRECTIONS",
    "DOWN",
    "UP",
    "Cell",
    "Emitter",
    "Room",
    "State",
    "iterate_bits",
    "read_room",
]

Cell = tuple[int, int, int]
"""Coordinates of a cell, as documents have them."""

DIRECTIONS = ("+x", "-x", "+y", "-y", "+z", "-z")
"""Directions by number; the opposite one of ``d`` is ``d ^ 1``, its axis ``d >> 1``."""
UP, DOWN = 4, 5

_SIGNS = "#o.~"


class State(NamedTuple):
    """State of a chamber at rest.

    Attributes:
        agent: its cell.
        boxes: their cells, in the document's order; 0 for the one that is carried.
        orange: face of the orange gate; 0 if it is nowhere.
        blue: likewise.
        timers: ticks that are left to each button; 0 for buttons without ticks.
    """

    agent: int
    boxes: tuple[int, ...]
    orange: int
    blue: int
    timers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Emitter:
    """Source of a laser, a bridge or a beam: the first cell of the ray, and its direction."""

    start: int
    direction: int
    needs: frozenset[str]


@dataclass(frozen=True, eq=False)
class Room:
    """Everything of a chamber that never changes. Sets of cells are bit sets.

    Attributes:
        row: number of cells from one row to the next, margins included.
        layer: number of cells from one layer to the next.
        solid: solid cells, panels and margins among them.
        boxes: names of the boxes.
        arrows: direction of each box's arrow, or None.
        buttons: cell, name and ticks of each button; 0 ticks if it has none.
        receivers: name of the receiver in a solid cell.
        doors: name and needs of the door in a cell.
        pads: speed of the launch pad in a cell.
    """

    row: int
    layer: int
    solid: int
    panels: int
    liquid: int
    fields: int
    start: State
    exit: int
    boxes: tuple[str, ...]
    arrows: tuple[int | None, ...]
    buttons: tuple[tuple[int, str, int], ...]
    receivers: Mapping[int, str]
    doors: Mapping[int, tuple[str, frozenset[str]]]
    lasers: tuple[Emitter, ...]
    bridges: tuple[Emitter, ...]
    beams: tuple[Emitter, ...]
    pads: Mapping[int, Cell]

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Differences between the numbers of a cell and its neighbours, by direction."""
        return (1, -1, self.row, -self.row, self.layer, -self.layer)

    @cached_property
    def everything(self) -> int:
        return (1 << self.solid.bit_length()) - 1

    @cached_property
    def door_cells(self) -> int:
        return sum(1 << cell for cell in self.doors)

    @cached_property
    def button_cells(self) -> int:
        return sum(1 << cell for cell, _, ticks in self.buttons if not ticks)

    @cached_property
    def pad_cells(self) -> int:
        return sum(1 << cell for cell in self.pads)

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """Faces that take a gate, in order."""
        taken = self.solid | self.door_cells
        found = (
            6 * (panel + step) + side
            for panel in iterate_bits(self.panels)
            for side, step in enumerate(self.steps)
            if not taken >> panel + step & 1
        )
        return tuple(sorted(found))

    @cached_property
    def timed_buttons(self) -> Mapping[int, int]:
        """Numbers of the buttons with ticks, by cell: of several in a cell, the last one."""
        return {cell: n for n, (cell, _, ticks) in enumerate(self.buttons) if ticks}

    def press(self, timers: tuple[int, ...], number: int) -> tuple[int, ...]:
        """Return timers of which one has all its ticks."""
        return timers[:number] + (self.buttons[number][2],) + timers[number + 1 :]

    def make_initial(self) -> State:
        return self.start

    def find_cell(self, cell: Cell) -> int:
        """Return the number of a cell; the number of a solid one if it is outside the room."""
        x, y, z = (v + 1 for v in cell)
        is_inside = 0 <= x < self.row and 0 <= y < self.layer // self.row and z >= 0
        number = x + y * self.row + z * self.layer
        return number if is_inside and number < self.solid.bit_length() else 0

    def get_coordinates(self, cell: int) -> Cell:
        z, rest = divmod(cell, self.layer)
        y, x = divmod(rest, self.row)
        return x - 1, y - 1, z - 1

    def find_face(self, panel: int, side: int) -> int:
        """Return a face by its solid cell, or 0 if no gate can be there."""
        front = panel + self.steps[side] if panel else 0
        face = 6 * front + side
        return face if face in self.faces else 0

    def make_state(
        self,
        agent: Cell,
        boxes: Iterable[Cell | None],
        gates: Iterable[tuple[Cell, str] | None],
        timers: tuple[int, ...],
    ) -> State:
        """Return a state that is given in coordinates: None for what is nowhere."""
        orange, blue = (
            self.find_face(self.find_cell(gate[0]), DIRECTIONS.index(gate[1])) if gate else 0
            for gate in gates
        )
        places = tuple(0 if box is None else self.find_cell(box) for box in boxes)
        return State(self.find_cell(agent), places, orange, blue, timers)

    def find_sight(self, agent: int, face: int) -> int | None:
        """Find the line along which an agent sees a face.

        Returns:
            The doors that have to be open, as a set of cells; None if there is no line.
        """
        lines = [
            line
            for eye in self._eyes.get(agent, ())
            if (line := self._draw_line(eye, face)) is not None
        ]
        return min(lines, key=int.bit_count, default=None)

    @cached_property
    def _eyes(self) -> Mapping[int, tuple[int, ...]]:
        closed = self.solid | self.door_cells | self.fields
        return {
            cell: (cell, *(eye for s in self.steps[:4] if not closed >> (eye := cell + s) & 1))
            for cell in iterate_bits(~self.solid & ~self.fields & self.everything)
        }

    def _draw_line(self, eye: int, face: int) -> int | None:
        front, side = divmod(face, 6)
        there, here = self.get_coordinates(front), self.get_coordinates(eye)
        ahead = (here[0] - there[0], here[1] - there[1], here[2] - there[2])
        if ahead[side >> 1] * (-1 if side & 1 else 1) < 0:
            return None
        on_line = 0
        for x, y, z in find_crossed_cells(ahead, side):
            on_line |= 1 << front + x + y * self.row + z * self.layer
        return None if on_line & (self.solid | self.fields) else on_line & self.door_cells


@lru_cache(maxsize=1 << 16)
def find_crossed_cells(eye: Cell, side: int) -> tuple[Cell, ...]:
    """Find the cells whose inside is met by a line of sight.

    The line goes from the middle of the eye's cell to the middle of the face of cell (0, 0, 0)
    that is opposite to ``side``. Lengths are halves of a cell, so all numbers are whole. Planes
    between cells that are crossed at the same moment are crossed at once: there the line meets
    an edge or a corner, and no inside.
    """
    target = [0, 0, 0]
    target[side >> 1] = 1 if side & 1 else -1
    ways = [t - 2 * e for t, e in zip(target, eye, strict=True)]
    moments = lcm(*(abs(way) for way in ways if way))
    crossings = sorted(
        (moment * (moments // abs(way)), axis)
        for axis, way in enumerate(ways)
        for moment in range(1, abs(way), 2)
    )
    cell, cells = list(eye), [eye]
    for _, together in groupby(crossings, key=lambda crossing: crossing[0]):
        for _, axis in together:
            cell[axis] += 1 if ways[axis] > 0 else -1
        cells.append((cell[0], cell[1], cell[2]))
    return tuple(cells)


def iterate_bits(cells: int) -> Iterator[int]:
    """Yield the members of a bit set, the least first."""
    while cells:
        least = cells & -cells
        yield least.bit_length() - 1
        cells ^= least


def read_room(document: Mapping[str, object]) -> Room:
    """Return the chamber of a level document.

    Raises:
        ValueError: the document is malformed; the message says where.
    """
    return _Reader(get_puzzle(document)).read()


class _Reader:
    """Reads the parts of a puzzle, each of which may refer to the size of the room."""

    def __init__(self, puzzle: Mapping[str, object]) -> None:
        self.puzzle = puzzle
        layers = [
            [read_text(row, "a row") for row in read_sequence(layer, "a layer")]
            for layer in read_sequence(puzzle.get("layers"), "the layers")
        ]
        sizes = {(len(layer), len(row)) for layer in layers for row in layer}
        if len(sizes) != 1 or min(min(sizes)) < 1:
            raise ValueError("the layers are of unlike size")
        if strange := {sign for layer in layers for row in layer for sign in row} - set(_SIGNS):
            raise ValueError(f"a cell is one of {_SIGNS}, not {min(strange)!r}")
        ((depth, width),) = sizes
        self.size = (width, depth, len(layers))
        self.row, self.layer = width + 2, (width + 2) * (depth + 2)
        everything = (1 << self.layer * (len(layers) + 2)) - 1
        self.sets = {
            sign: sum(
                1 << self.number((x, y, z))
                for z, layer in enumerate(layers)
                for y, row in enumerate(layer)
                for x, found in enumerate(row)
                if found == sign
            )
            for sign in _SIGNS
        }
        self.solid = everything & ~self.sets["."] & ~self.sets["~"]

    def number(self, cell: Cell) -> int:
        x, y, z = cell
        return x + 1 + (y + 1) * self.row + (z + 1) * self.layer

    def read(self) -> Room:
        boxes, buttons = self.list_entries("boxes"), self.list_entries("buttons")
        places = tuple(self.read_cell(box.get("cell")) for box in boxes)
        start = State(self.read_cell(self.puzzle.get("start")), places, 0, 0, (0,) * len(buttons))
        return Room(
            row=self.row,
            layer=self.layer,
            solid=self.solid,
            panels=self.sets["o"],
            liquid=self.sets["~"],
            fields=sum({1 << self.read_cell(cell) for cell in self.list_values("fields")}),
            start=start,
            exit=self.read_cell(self.puzzle.get("exit")),
            boxes=tuple(read_text(box.get("name"), "a name") for box in boxes),
            arrows=tuple(
                None if box.get("turns") is None else _read_direction(box["turns"]) for box in boxes
            ),
            buttons=tuple(
                (
                    self.read_cell(button.get("cell")),
                    read_text(button.get("name"), "a name"),
                    read_int(button.get("ticks") or 0, "ticks"),
                )
                for button in buttons
            ),
            receivers={
                self.read_cell(one.get("cell")): read_text(one.get("name"), "a name")
                for one in self.list_entries("receivers")
            },
            doors={
                self.read_cell(door.get("cell")): (
                    read_text(door.get("name"), "a name"),
                    _read_needs(door),
                )
                for door in self.list_entries("doors")
            },
            lasers=self.read_emitters("lasers"),
            bridges=self.read_emitters("bridges"),
            beams=self.read_emitters("beams"),
            pads={
                self.read_cell(pad.get("cell")): _read_vector(pad.get("speed"))
                for pad in self.list_entries("pads")
            },
        )

    def list_values(self, key: str) -> list[object]:
        return list(read_sequence(self.puzzle.get(key) or [], key))

    def list_entries(self, key: str) -> list[Mapping[str, object]]:
        return [read_mapping(entry, f"one of the {key}") for entry in self.list_values(key)]

    def read_cell(self, value: object) -> int:
        cell = _read_vector(value)
        if not all(0 <= v < most for v, most in zip(cell, self.size, strict=True)):
            raise ValueError(f"the cell {cell} is outside the room")
        return self.number(cell)

    def read_emitters(self, key: str) -> tuple[Emitter, ...]:
        return tuple(self.read_emitter(entry) for entry in self.list_entries(key))

    def read_emitter(self, entry: Mapping[str, object]) -> Emitter:
        direction = _read_direction(entry.get("way"))
        step = (1, -1, self.row, -self.row, self.layer, -self.layer)[direction]
        return Emitter(self.read_cell(entry.get("cell")) + step, direction, _read_needs(entry))


def _read_vector(value: object) -> Cell:
    numbers = [read_int(part, "a coordinate") for part in read_sequence(value, "a cell")]
    if len(numbers) != 3:
        raise ValueError(f"a cell has three coordinates, not {numbers}")
    return numbers[0], numbers[1], numbers[2]


def _read_direction(value: object) -> int:
    if value not in DIRECTIONS:
        raise ValueError(f"a direction is one of {', '.join(DIRECTIONS)}, not {value!r:.80}")
    return DIRECTIONS.index(str(value))


def _read_needs(entry: Mapping[str, object]) -> frozenset[str]:
    needs = read_sequence(entry.get("needs") or [], "the needs")
    return frozenset(read_text(need, "a need") for need in needs)
