"""Chambers as rows of tables, and states as rows of numbers, for the compiled rules.

Cells are places in a grid with a margin of one cell around the largest room of a size class: what
is beside a free cell is a place, too. Devices have the rows that the space's ``devices`` gives
them, so buttons come first, then receivers, doors, lasers, bridges, beams, fields and pads.
"""

from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pysim.families.portal.actions import FloorWay
from pysim.families.portal.chamber import MOST_BOXES, Chamber, Surface
from pysim.families.portal.gates import rotate_through
from pysim.families.portal.space import KINDS, ChamberSpace, list_devices
from pysim.families.portal.state import ChamberState, start_of
from pysim.geometry import Cell, Direction, add
from pysim.learning.batches import GrowingArray

__all__ = [
    "AGENT",
    "BLUE",
    "BOXES",
    "CARRIED",
    "DEADLY",
    "DOOR_CELL",
    "EXIT",
    "FIELD",
    "FREE",
    "NO_GATE",
    "ORANGE",
    "PAD",
    "STOPPED",
    "TIMERS",
    "Memory",
    "Room",
    "State",
    "TableBuilder",
]

FREE, DEADLY, FIELD, PAD, DOOR_CELL, EXIT = 1, 2, 4, 8, 16, 32
"""Bits of a place; a wall has none of them."""
AGENT, ORANGE, BLUE, BOXES = 0, 1, 2, 3
"""Numbers of a state: the agent's place, the slots of the gates, the places of the boxes."""
TIMERS = BOXES + MOST_BOXES
"""Place of the ticks for which buttons still work."""
CARRIED, NO_GATE, STOPPED = -1, -1, -1
"""Place of the box that is carried; a gate that is nowhere; way of a laser that a box stops."""
State = NDArray[np.int16]
"""A state."""
_SIDES = tuple(Direction)
_NOTHING = -9
"""Entries of a key that nothing has."""
_FACES = tuple(Surface((0, 0, 0), side) for side in _SIDES)


class Room(Protocol):
    """Record of a level.

    Attributes:
        number: (1,), of the level.
        cells: (places,), bits.
        firsts: (kinds + 1,), row of the first device of each kind.
        sizes: (2,), number of boxes and of surfaces.
        turns: (boxes,), way in which a box turns lasers, or STOPPED.
        devices: (devices,), place; of an emitter the first one on its way.
        ways: (devices,), way of an emitter.
        ticks: (devices,), ticks of a button.
        presses: (buttons,), button that is pressed at the place of a button; -1 for none.
        needs: (devices, devices), whether the one needs the other.
        speeds: (devices, 3), speed of a pad.
        surfaces, sides, fronts: (surfaces,), place, side, and the place before it.
    """

    number: NDArray[np.int64]
    cells: NDArray[np.uint8]
    firsts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    turns: NDArray[np.int8]
    devices: NDArray[np.int16]
    ways: NDArray[np.int8]
    ticks: NDArray[np.int16]
    presses: NDArray[np.int16]
    needs: NDArray[np.uint8]
    speeds: NDArray[np.int8]
    surfaces: NDArray[np.int16]
    sides: NDArray[np.int8]
    fronts: NDArray[np.int16]


class Memory(Protocol):
    """Record of the grid, and of all that the rules note while they are followed.

    Attributes:
        shifts: (6,), added to a place in each direction.
        floor: (4,), directions along the floor, in the order of their numbers in actions.
        spots: (places, 3), cell of a place.
        walks: (places,), number of the walk to a place; -1 in the margin.
        places: (walks,), place of the number of a walk.
        rotations: (6, 6, 3, 3), matrices of the passage from a side to another one.
        starts: (tools + 1,), first number of each tool.
        marks: (places,), bits of what is there now.
        carries: (places,), way of a beam.
        crossed: (places,), bits of the ways of a ray.
        listed: (2, places), places that are marked, and that are crossed.
        key: what the marks follow from.
        working: (2, devices), what works, and what a laser hits.
        speed: (2, 3), of a body, and how far it has gone in a tick.
        order: (2, places), places on the ground that are reached around fields, or through.
        queue: (places,), places from which one walks on.
        before: (2, 2, places), places on the way to ground, and to brinks.
        reached: (2, 2, places), stamps of both.
        alive: (2, places), stamps of places to which one walks alive.
        steps: (2, places), ticks of the way to a place; less than 0 if it leads through a field.
        brinks: (2, places), places that are brinks.
        allowed: (places,), stamps of legal walks.
        visible: (surfaces,), whether the agent sees them.
        counts: number of marked places, last stamps, and numbers of places on the ground and of
            brinks.
        scratch: (4, numbers of a state), states.
    """

    shifts: NDArray[np.int64]
    floor: NDArray[np.int64]
    spots: NDArray[np.int64]
    walks: NDArray[np.int32]
    places: NDArray[np.int64]
    rotations: NDArray[np.int64]
    starts: NDArray[np.int64]
    marks: NDArray[np.uint8]
    carries: NDArray[np.int8]
    crossed: NDArray[np.uint8]
    listed: NDArray[np.int16]
    key: NDArray[np.int64]
    working: NDArray[np.uint8]
    speed: NDArray[np.int64]
    order: NDArray[np.int16]
    queue: NDArray[np.int16]
    before: NDArray[np.int16]
    reached: NDArray[np.int64]
    alive: NDArray[np.int64]
    steps: NDArray[np.int16]
    brinks: NDArray[np.int16]
    allowed: NDArray[np.int64]
    visible: NDArray[np.uint8]
    counts: NDArray[np.int64]
    scratch: NDArray[np.int16]


Shapes = dict[str, tuple[type, tuple[int, ...]]]


class TableBuilder:
    """Tables of the levels of a size class.

    Args:
        space: the size class.

    Attributes:
        width: numbers of a state.
        memory: (1,) a :class:`Memory`.
    """

    def __init__(self, space: ChamberSpace) -> None:
        self._space = space
        self._size = tuple(space.bounds[axis] + 2 for axis in "xyz")
        self._places = prod(self._size)
        self.width = TIMERS + space.bounds["buttons"]
        self._rooms = GrowingArray((), _make_record(self._list_level_shapes()))
        self._count = 0
        grid = self._create_grid()
        shapes: Shapes = {name: (one.dtype.type, one.shape) for name, one in grid.items()}
        self.memory = np.zeros(1, _make_record({**shapes, **self._list_memory_shapes()}))
        for name, values in grid.items():
            self.memory[name] = values
        self.memory["key"] = _NOTHING

    @property
    def rooms(self) -> NDArray[np.void]:
        """(levels,) a :class:`Room` each, and some empty ones behind them."""
        return self._rooms.data

    def _list_level_shapes(self) -> Shapes:
        bounds = self._space.bounds
        devices, surfaces = bounds["devices"], bounds["surfaces"]
        return {
            "number": (np.int64, (1,)),
            "firsts": (np.int64, (len(KINDS) + 1,)),
            "sizes": (np.int64, (2,)),
            "cells": (np.uint8, (self._places,)),
            "turns": (np.int8, (MOST_BOXES,)),
            "devices": (np.int16, (devices,)),
            "ways": (np.int8, (devices,)),
            "ticks": (np.int16, (devices,)),
            "presses": (np.int16, (bounds["buttons"],)),
            "needs": (np.uint8, (devices, devices)),
            "speeds": (np.int8, (devices, 3)),
            "surfaces": (np.int16, (surfaces,)),
            "sides": (np.int8, (surfaces,)),
            "fronts": (np.int16, (surfaces,)),
        }

    def _list_memory_shapes(self) -> Shapes:
        places, devices = self._places, self._space.bounds["devices"]
        return {
            "carries": (np.int8, (places,)),
            **dict.fromkeys(("marks", "crossed"), (np.uint8, (places,))),
            "listed": (np.int16, (2, places)),
            "key": (np.int64, (4 + devices + MOST_BOXES,)),
            "working": (np.uint8, (2, devices)),
            "speed": (np.int64, (2, 3)),
            "order": (np.int16, (2, places)),
            "queue": (np.int16, (places,)),
            "before": (np.int16, (2, 2, places)),
            "reached": (np.int64, (2, 2, places)),
            "alive": (np.int64, (2, places)),
            "steps": (np.int16, (2, places)),
            "brinks": (np.int16, (2, places)),
            "allowed": (np.int64, (places,)),
            "visible": (np.uint8, (self._space.bounds["surfaces"],)),
            "counts": (np.int64, (8,)),
            "scratch": (np.int16, (4, self.width)),
        }

    def _create_grid(self) -> dict[str, NDArray[Any]]:
        spots = np.array(list(np.ndindex(*self._size))) - 1
        actions, walks = self._space.actions, np.full(len(spots), -1, np.int32)
        rooms = [self._space.bounds[axis] for axis in "xyz"]
        inside = ((spots >= 0) & (spots < rooms)).all(axis=1)
        walks[inside] = np.arange(inside.sum())  # Walks come first, and their last part is z, too.
        rotations = [
            [[rotate_through(one, two, axis.vector) for axis in _SIDES[::2]] for two in _FACES]
            for one in _FACES
        ]
        shifts = np.array([self._find_place(way.vector) for way in _SIDES])
        return {
            "shifts": shifts - self._find_place((0, 0, 0)),
            "floor": np.array([_SIDES.index(way.direction) for way in FloorWay]),
            "spots": spots,
            "walks": walks,
            "places": np.flatnonzero(inside),
            "rotations": np.array(rotations).swapaxes(2, 3),
            "starts": np.array([*actions.starts.values(), actions.count]),
        }

    def add(self, chamber: Chamber) -> NDArray[np.int16]:
        """Add the record of a level, and return its initial state."""
        room = np.zeros((), self._rooms.data.dtype)
        room["number"] = self._count
        self._count += 1
        self._write_cells(chamber, room["cells"])
        self._write_devices(chamber, room)
        room["sizes"][:] = len(chamber.boxes), len(chamber.surfaces)
        turns = [STOPPED if box.turns is None else _SIDES.index(box.turns) for box in chamber.boxes]
        room["turns"][: len(turns)] = turns
        for slot, surface in enumerate(chamber.surfaces):
            room["surfaces"][slot] = self._find_place(surface.cell)
            room["sides"][slot] = _SIDES.index(surface.side)
            room["fronts"][slot] = self._find_place(surface.front)
        self._rooms.append(room)
        return self.pack(chamber, start_of(chamber))

    def _write_cells(self, chamber: Chamber, cells: NDArray[np.uint8]) -> None:
        for bit, some in (
            (FREE, chamber.free),
            (DEADLY, chamber.liquid),
            (FIELD, chamber.field_cells),
            (PAD, chamber.pad_at),
            (DOOR_CELL, chamber.door_at),
            (EXIT, (chamber.exit,)),
        ):
            if some:
                x, y, z = np.array([*some], np.int64).T + 1
                _, depth, height = self._size
                cells[(x * depth + y) * height + z] |= bit

    def _write_devices(self, chamber: Chamber, room: NDArray[np.void]) -> None:
        listed = list_devices(chamber)
        kinds = [device.kind for device in listed]
        room["firsts"][:] = np.cumsum([0, *(kinds.count(kind) for kind in KINDS)])
        names = {device.name: row for row, device in enumerate(listed) if device.name}
        pressed = {one.cell: k for k, one in enumerate(chamber.buttons) if one.ticks}
        for row, device in enumerate(listed):
            cell = device.cell if device.way is None else add(device.cell, device.way.vector)
            room["devices"][row] = self._find_place(cell)
            room["ways"][row] = 0 if device.way is None else _SIDES.index(device.way)
            room["ticks"][row], room["speeds"][row] = device.ticks, device.speed
            room["needs"][row, [names[name] for name in device.needs]] = 1
            if device.kind == "button":
                room["presses"][row] = pressed.get(device.cell, -1)

    def pack(self, chamber: Chamber, state: ChamberState) -> NDArray[np.int16]:
        """Return a state as numbers."""
        packed = np.zeros(self.width, np.int16)
        packed[AGENT] = self._find_place(state.agent)
        for number, gate in ((ORANGE, state.orange), (BLUE, state.blue)):
            packed[number] = NO_GATE if gate is None else chamber.surfaces.index(gate)
        for box, cell in enumerate(state.boxes, BOXES):
            packed[box] = CARRIED if cell is None else self._find_place(cell)
        packed[TIMERS : TIMERS + len(state.timers)] = state.timers
        return packed

    def unpack(self, chamber: Chamber, packed: NDArray[np.int16]) -> ChamberState:
        """Return a state of numbers."""
        boxes = packed[BOXES : BOXES + len(chamber.boxes)].tolist()
        orange, blue = (
            None if slot == NO_GATE else chamber.surfaces[slot]
            for slot in packed[[ORANGE, BLUE]].tolist()
        )
        return ChamberState(
            self._find_cell(int(packed[AGENT])),
            tuple(None if place == CARRIED else self._find_cell(place) for place in boxes),
            orange,
            blue,
            tuple(packed[TIMERS : TIMERS + len(chamber.buttons)].tolist()),
        )

    def _find_place(self, cell: Cell) -> int:
        """Return the place of a cell; 0, which is in no room nor beside one, of those far away."""
        x, y, z = (v + 1 for v in cell)
        width, depth, height = self._size
        near = 0 <= x < width and 0 <= y < depth and 0 <= z < height
        return (x * depth + y) * height + z if near else 0

    def _find_cell(self, place: int) -> Cell:
        x, y, z = self.memory["spots"][0, place].tolist()
        return (x, y, z)


def _make_record(shapes: Shapes) -> np.dtype[np.void]:
    """Return the type of records with some arrays."""
    return np.dtype([(name, *one) for name, one in shapes.items()], align=True)
