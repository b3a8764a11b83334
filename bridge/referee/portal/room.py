"""A chamber as the referee reads it, and what is where at a moment."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from bridge.referee.documents import get_puzzle, read_int, read_mapping, read_sequence, read_text
from bridge.referee.polycubes import Cell

__all__ = [
    "AHEAD",
    "Cell",
    "DerivedState",
    "PanelFace",
    "Room",
    "State",
    "Walks",
    "add",
    "read_room",
    "transform_through_gate",
]


PanelFace = tuple[Cell, str]
"""A solid cell, and the side of it that takes a gate."""
AHEAD: Mapping[str, Cell] = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}
Walks = tuple[dict[Cell, Cell], dict[Cell, Cell]]
"""Cells to stand in and cells to step into, each with the one before."""
BACK = {"+x": "-x", "-x": "+x", "+y": "-y", "-y": "+y", "+z": "-z", "-z": "+z"}


class State(NamedTuple):
    """Places of everything: a box at None is carried; gates by colour; ticks left by button."""

    agent: Cell
    boxes: tuple[Cell | None, ...]
    orange: PanelFace | None
    blue: PanelFace | None
    left: tuple[int, ...]


@dataclass
class Room:
    """Fixed parts of a chamber.

    Attributes:
        air: the cells that are not solid; liquid is among them.
        panels: the faces that take gates.
        boxes: name, first cell, and where it sends lasers.
        buttons: name, cell, ticks.
        doors: cell -> name and what it needs.
        rays: by kind, each a cell, a way and what it needs.
        views, walks: what was found before.
    """

    air: frozenset[Cell]
    liquid: frozenset[Cell]
    panels: frozenset[PanelFace]
    agent: str
    start: Cell
    exit: Cell
    boxes: list[tuple[str, Cell, str | None]]
    buttons: list[tuple[str, Cell, int]]
    receivers: dict[Cell, str]
    doors: dict[Cell, tuple[str, frozenset[str]]]
    rays: dict[str, list[tuple[Cell, str, frozenset[str]]]]
    fields: frozenset[Cell]
    pads: dict[Cell, Cell]
    views: dict[tuple[Cell, PanelFace], frozenset[Cell] | None] = field(default_factory=dict)
    walks: dict[tuple[State, bool], Walks] = field(default_factory=dict)

    def make_initial(self) -> State:
        """Return the state at the start."""
        cells = tuple(cell for _, cell, _ in self.boxes)
        return State(self.start, cells, None, None, (0,) * len(self.buttons))

    def find_doors_seen_through(self, cell: Cell, face: PanelFace) -> frozenset[Cell] | None:
        """Return the doors between a cell and a face that has to be seen; None if it can't be."""
        if (cell, face) not in self.views:
            self.views[cell, face] = self._seen(cell, face)
        return self.views[cell, face]

    def _seen(self, cell: Cell, face: PanelFace) -> frozenset[Cell] | None:
        if cell in self.fields:
            return None
        best: frozenset[Cell] | None = None
        for way in (None, "+x", "-x", "+y", "-y"):
            eye = cell if way is None else add(cell, AHEAD[way])
            if way and (eye not in self.air or eye in self.doors or eye in self.fields):
                continue
            doors = self._between(eye, face)
            if doors is not None and (best is None or len(doors) < len(best)):
                best = doors
        return best

    def _between(self, eye: Cell, face: PanelFace) -> frozenset[Cell] | None:
        """The doors that a line goes through; None if it meets something else that is solid."""
        target, side = face
        out = AHEAD[side]
        if sum(out[i] * (eye[i] - target[i]) for i in range(3)) < 1:
            return None
        start = (2 * eye[0], 2 * eye[1], 2 * eye[2])
        end = (2 * target[0] + out[0], 2 * target[1] + out[1], 2 * target[2] + out[2])
        lows = [min(eye[i], target[i] + out[i]) - 1 for i in range(3)]
        highs = [max(eye[i], target[i] + out[i]) + 1 for i in range(3)]
        doors = set()
        for x, y, z in product(*(range(a, b + 1) for a, b in zip(lows, highs, strict=True))):
            other = (x, y, z)
            if other in self.air and other not in self.fields and other not in self.doors:
                continue
            if _meets(start, end, other):
                if other not in self.doors:
                    return None
                doors.add(other)
        return frozenset(doors)


def _meets(start: Cell, end: Cell, cell: Cell) -> bool:
    """Return whether the inner part of a cell has points of a line; its ends are in half cells.

    The line's parts within the slabs of the three axes are compared as fractions, by crossing.
    """
    low, below, high, under = 0, 1, 1, 1
    for a, b, middle in zip(start, end, cell, strict=True):
        step, near, far = b - a, 2 * middle - 1 - a, 2 * middle + 1 - a
        if step == 0:
            if not near < 0 < far:
                return False
            continue
        if step < 0:
            step, near, far = -step, -far, -near
        if near * below > low * step:
            low, below = near, step
        if far * under < high * step:
            high, under = far, step
    return low * under < high * below


def add(a: Cell, b: Cell) -> Cell:
    """Return the sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def transform_through_gate(enter: str, leave: str, vector: Cell) -> Cell:
    """A vector after going in at a gate that looks one way, out of one that looks another way."""
    source = _frame(BACK[enter], enter)
    target = _frame(leave, leave)
    parts = [sum(vector[i] * axis[i] for i in range(3)) for axis in source]
    x, y, z = (sum(parts[k] * target[k][i] for k in range(3)) for i in range(3))
    return (x, y, z)


def _frame(forward: str, gate: str) -> tuple[Cell, Cell, Cell]:
    """Forward, up and right at a gate."""
    f = AHEAD[forward]
    u = (0, 1, 0) if gate[1] == "z" else (0, 0, 1)
    right = (f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2], f[0] * u[1] - f[1] * u[0])
    return f, u, right


class DerivedState:
    """Devices that are on or open, and obstacles, in a state."""

    def __init__(self, room: Room, state: State) -> None:
        self.room, self.state = room, state
        bodies = {state.agent, *state.boxes}
        on = {
            name
            for (name, cell, ticks), left in zip(room.buttons, state.left, strict=True)
            if left > 0 or (ticks == 0 and cell in bodies)
        }
        while True:
            self.shut = {
                cell
                for cell, (_, needs) in room.doors.items()
                if not needs <= on and cell not in bodies
            }
            hit = {room.receivers[c] for c in self._hits(on) if c in room.receivers}
            if hit <= on:
                break
            on |= hit
        self.on = on
        self.bridge = {c for c, _ in self._rays("bridges", bodies)}
        self.beam = dict(self._rays("beams", set()))

    def _rays(self, kind: str, stops: set[Cell | None]) -> Iterator[tuple[Cell, str]]:
        for cell, way, needs in self.room.rays[kind]:
            if needs <= self.on:
                yield from self._ray(cell, way, stops, {})

    def _hits(self, on: set[str]) -> Iterator[Cell]:
        """Yield the solid cells that lasers end at."""
        turns = {
            cell: box[2]
            for cell, box in zip(self.state.boxes, self.room.boxes, strict=True)
            if cell is not None
        }
        for cell, way, needs in self.room.rays["lasers"]:
            if needs <= on:
                for here, there in self._ray(cell, way, set(), turns):
                    if self.find_gate(here, there) is None:
                        yield add(here, AHEAD[there])

    def _ray(
        self, cell: Cell, way: str, stops: set[Cell | None], turns: Mapping[Cell, str | None]
    ) -> Iterator[tuple[Cell, str]]:
        been: set[tuple[Cell, str]] = set()
        gate = None
        while True:
            if gate is not None:
                (_, inside), (solid, outside) = gate
                vector = transform_through_gate(inside, outside, AHEAD[way])
                way = next(w for w, v in AHEAD.items() if v == vector)
                cell = add(solid, AHEAD[outside])
            else:
                cell = add(cell, AHEAD[way])
            if cell not in self.room.air or cell in self.shut or cell in stops:
                return
            if (cell, way) in been:
                return
            been.add((cell, way))
            if cell in turns:
                turned = turns[cell]
                if turned is None:
                    return
                way = turned
            yield cell, way
            gate = self.find_gate(cell, way)

    def find_gate(self, cell: Cell, way: str) -> tuple[PanelFace, PanelFace] | None:
        """Return the gate that lies ahead, and the other one."""
        orange, blue = self.state.orange, self.state.blue
        if orange is None or blue is None:
            return None
        ahead = (add(cell, AHEAD[way]), BACK[way])
        if ahead == orange:
            return orange, blue
        return (blue, orange) if ahead == blue else None

    def is_full(self, cell: Cell, body: int) -> bool:
        """Return whether a body can't enter a cell; -1 is the agent."""
        if cell not in self.room.air or cell in self.shut or cell in self.bridge:
            return True
        if cell in self.room.fields and (body >= 0 or None in self.state.boxes):
            return True
        if body >= 0 and cell == self.state.agent:
            return True
        return any(cell == box and k != body for k, box in enumerate(self.state.boxes))

    def open_gate(self, cell: Cell, way: str, body: int) -> tuple[PanelFace, PanelFace] | None:
        """Return the gate ahead if there is room behind the other one."""
        found = self.find_gate(cell, way)
        if found is None or self.is_full(add(found[1][0], AHEAD[found[1][1]]), body):
            return None
        return found

    def is_resting(self, cell: Cell, body: int) -> bool:
        """Return whether a body stays where it is."""
        way = self.beam.get(cell, "-z")
        return self.open_gate(cell, way, body) is None and self.is_full(add(cell, AHEAD[way]), body)


def read_room(document: Mapping[str, object]) -> Room:
    """Return the chamber of a level document.

    Raises:
        ValueError: it is malformed; the message says where.
    """
    puzzle = get_puzzle(document)
    signs: dict[Cell, str] = {}
    for z, layer in enumerate(read_sequence(puzzle.get("layers"), "the layers")):
        for y, row in enumerate(read_sequence(layer, "a layer")):
            signs |= {(x, y, z): sign for x, sign in enumerate(read_text(row, "a row"))}
    air = frozenset(cell for cell, sign in signs.items() if sign in ".~")
    doors = {
        _cell(d["cell"]): (read_text(d["name"], "a door"), _needs(d)) for d in _all(puzzle, "doors")
    }
    panels = frozenset(
        (cell, side)
        for cell, sign in signs.items()
        if sign == "o"
        for side, out in AHEAD.items()
        if add(cell, out) in air and add(cell, out) not in doors
    )
    return Room(
        air=air,
        liquid=frozenset(cell for cell, sign in signs.items() if sign == "~"),
        panels=panels,
        agent=read_text(puzzle.get("agent"), "the agent"),
        start=_cell(puzzle.get("start")),
        exit=_cell(puzzle.get("exit")),
        boxes=[
            (read_text(b["name"], "a box"), _cell(b["cell"]), _maybe(b.get("turns")))
            for b in _all(puzzle, "boxes")
        ],
        buttons=[
            (
                read_text(b["name"], "a button"),
                _cell(b["cell"]),
                read_int(b.get("ticks", 0), "ticks"),
            )
            for b in _all(puzzle, "buttons")
        ],
        receivers={
            _cell(r["cell"]): read_text(r["name"], "a receiver") for r in _all(puzzle, "receivers")
        },
        doors=doors,
        rays={
            kind: [
                (_cell(e["cell"]), read_text(e["way"], "a way"), _needs(e))
                for e in _all(puzzle, kind)
            ]
            for kind in ("lasers", "bridges", "beams")
        },
        fields=frozenset(map(_cell, read_sequence(puzzle.get("fields", []), "fields"))),
        pads={_cell(p["cell"]): _cell(p["speed"]) for p in _all(puzzle, "pads")},
    )


def _all(puzzle: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    return [read_mapping(entry, key) for entry in read_sequence(puzzle.get(key, []), key)]


def _cell(value: object) -> Cell:
    x, y, z = (read_int(number, "a coordinate") for number in read_sequence(value, "a cell"))
    return (x, y, z)


def _needs(entry: Mapping[str, object]) -> frozenset[str]:
    return frozenset(
        read_text(name, "a name") for name in read_sequence(entry.get("needs", []), "needs")
    )


def _maybe(value: object) -> str | None:
    return None if value is None else read_text(value, "a way")
