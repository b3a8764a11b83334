"""Spaces of chambers: walks to cells, gates on surfaces by slot, and what is done to things.

Surfaces, boxes and buttons have slots of their own: their places in the chamber's lists.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.portal.actions import (
    Drop,
    Enter,
    FloorWay,
    Gate,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.families.portal.chamber import AIR, DULL, LIQUID, MOST, PANEL, Chamber, Surface
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.legal import list_walks, try_action
from pysim.families.portal.state import ChamberState
from pysim.field_types import Steps
from pysim.geometry import Cell, Direction, add, subtract
from pysim.learning.spaces import (
    ActionNumbers,
    ArraySpec,
    FamilySpace,
    LegalLister,
    PatientLister,
    check_bounds,
    name_slot,
)
from pysim.puzzle import Action, Level

__all__ = ["KINDS", "ChamberSpace", "create_spaces", "list_devices"]

_GATES, _WAYS, _SIDES = tuple(Gate), tuple(FloorWay), tuple(Direction)
_NO_SURFACE = Surface((-1, -1, -1), Direction.PLUS_X)
_SPEED = 8
"""Added to the speeds of pads, which may be negative."""
_CLOSED, _BRIDGE, _LASER, _BEAM = 1, 2, 4, 8
_TOOLS = {
    "walk_to": ("x", "y", "z"),
    "place_gate": ("gate", "surface"),
    "enter": ("gate",),
    "jump": ("way",),
    "pick_up": ("box",),
    "drop": ("way", "up"),
    "press": ("button",),
    "wait": ("ticks",),
}
_LIGHT = (
    "x, y, z: sum of 1 closed door, 2 bridge, 4 laser, 8 to 48 for a beam towards +x -x +y -y +z -z"
)
_PIECES = "agent, boxes: 0 none, 1 stands, 2 carried; cell; way in which it turns lasers, 1 to 6"
_SURFACES = "slot: whether there is one; cell; side, 1 to 6; gate: 0 none, 1 orange, 2 blue"
_DEVICES = (
    "kind: 1 button, 2 receiver, 3 door, 4 laser, 5 bridge, 6 beam, 7 field, 8 pad; cell; way, "
    "1 to 6; speed along x, y and z, plus 8; ticks; ticks left; whether it works: of a door, is "
    "open"
)
KINDS = ("button", "receiver", "door", "laser", "bridge", "beam", "field", "pad")


MakeLister = Callable[["ChamberSpace"], LegalLister[Chamber, ChamberState]]


class ChamberSpace(FamilySpace[Chamber, ChamberState]):
    """A size class of chambers.

    Args:
        name: of the class.
        size: most cells of a room along x, y and z.
        surfaces: most faces that take gates.
        boxes: most boxes.
        buttons: most buttons.
        ticks: longest time that a button works.
        devices: most things of the kinds that ``devices`` lists.
        make_lister: makes compiled code for a space.
    """

    def __init__(
        self,
        name: str,
        *,
        size: Cell,
        surfaces: int,
        boxes: int,
        buttons: int,
        ticks: int,
        devices: int,
        make_lister: MakeLister | None = None,
    ) -> None:
        self.name, self._size = name, size
        compiled = partial(make_lister, self) if make_lister is not None else None
        self._lister = PatientLister(self.list_exactly, compiled)
        self.bounds = {
            **dict(zip("xyz", size, strict=True)),
            "surfaces": surfaces,
            "boxes": boxes,
            "buttons": buttons,
            "ticks": ticks,
            "devices": devices,
        }
        sizes = {"gate": 2, "surface": surfaces, "way": 4, "up": 2}
        sizes |= {"box": boxes, "button": buttons, "ticks": ticks}
        self.actions = ActionNumbers(dict(zip("xyz", size, strict=True)) | sizes, _TOOLS)
        self.arrays = self._specify_arrays()

    def _specify_arrays(self) -> dict[str, ArraySpec]:
        size, most = self._size, max(self._size)
        surfaces, boxes, devices = (self.bounds[k] for k in ("surfaces", "boxes", "devices"))
        return {
            "materials": ArraySpec(
                size, np.uint8, 3, "x, y, z: 0 solid, 1 solid and takes gates, 2 free, 3 deadly"
            ),
            "occupancy": ArraySpec(size, np.uint8, 1 + boxes, "x, y, z: 1 agent, 2 + a box's slot"),
            "light": ArraySpec(size, np.uint8, _CLOSED + _BRIDGE + _LASER + 6 * _BEAM, _LIGHT),
            "pieces": ArraySpec((1 + boxes, 5), np.uint8, most, _PIECES),
            "surfaces": ArraySpec((surfaces, 6), np.uint8, most, _SURFACES),
            "devices": ArraySpec((devices, 11), np.int16, 1000, _DEVICES),
            "needs": ArraySpec(
                (devices, devices), np.uint8, 1, "device, device: whether the one needs the other"
            ),
            "goal": ArraySpec((3,), np.uint8, most, "cell of the exit"),
        }  # fmt: skip

    def check(self, level: Level[Chamber]) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.check`."""
        chamber = level.puzzle
        found = {
            **dict(zip("xyz", chamber.size, strict=True)),
            "surfaces": len(chamber.surfaces),
            "boxes": len(chamber.boxes),
            "buttons": len(chamber.buttons),
            "ticks": max((button.ticks for button in chamber.buttons), default=0),
            "devices": len(list_devices(chamber)),
        }
        words = {axis: f"cells along {axis}" for axis in "xyz"} | {"ticks": "ticks of a button"}
        bounds = {words.get(k, k): (count, self.bounds[k]) for k, count in found.items()}
        check_bounds(level, self.name, bounds)

    def compile(self) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.compile`."""
        self._lister.compile()

    def list_legal(self, level: Level[Chamber], state: ChamberState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_legal`."""
        return self._lister.list_legal(level, state)

    def list_exactly(self, level: Level[Chamber], state: ChamberState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_exactly`."""
        chamber = level.puzzle
        walks = (
            self.actions.encode("walk_to", *walk.cell)
            for walk in list_walks(chamber, state)
            if self._holds(walk.cell)
        )
        found = [
            number
            for number in chain(walks, self._list_others(chamber, state))
            if try_action(chamber, state, self.make_action(level, state, number)) is not None
        ]
        return np.array(found, np.int64)

    def make_action(self, level: Level[Chamber], state: ChamberState, number: int) -> Action:
        """See :meth:`pysim.learning.spaces.FamilySpace.make_action`."""
        chamber = level.puzzle
        tool, values = self.actions.decode(number)
        match tool, values:
            case "walk_to", (x, y, z):
                return WalkTo((x, y, z))
            case "place_gate", (gate, slot):
                known = slot < len(chamber.surfaces)
                surface = chamber.surfaces[slot] if known else _NO_SURFACE
                return PlaceGate(_GATES[gate], surface.cell, surface.side)
            case "enter", (gate,):
                return Enter(_GATES[gate])
            case "jump", (way,):
                return Jump(_WAYS[way])
            case "pick_up", (box,):
                return PickUpBox(name_slot(level, 1 + box))
            case "drop", (way, up):
                return Drop(add(state.agent, _step(way, up)))
            case "press", (slot,):
                known = slot < len(chamber.buttons)
                return Press(chamber.buttons[slot].cell if known else _NO_SURFACE.cell)
        return Wait(Steps(values[0] + 1))

    def find_numbers(
        self, level: Level[Chamber], state: ChamberState, action: Action
    ) -> Sequence[int]:
        """See :meth:`pysim.learning.spaces.FamilySpace.find_numbers`."""
        return [self.actions.encode(action.tool, *self._find_values(level.puzzle, state, action))]

    def observe(self, level: Level[Chamber], state: ChamberState) -> dict[str, NDArray[Any]]:
        """See :meth:`pysim.learning.spaces.FamilySpace.observe`."""
        chamber = level.puzzle
        seen = {name: spec.make_zeros() for name, spec in self.arrays.items()}
        seen |= self.observe_things(level, state)
        x, y, z = chamber.size
        seen["materials"][:x, :y, :z] = _draw_materials(chamber)
        for row, (cell, _) in enumerate(_list_bodies(chamber, state)):
            if cell is not None:
                seen["occupancy"][cell] = row + 1
        self._light(chamber, state, seen["light"])
        return seen

    def observe_things(self, level: Level[Chamber], state: ChamberState) -> dict[str, NDArray[Any]]:
        """Return the arrays that are small: all but those of cells."""
        names = ("pieces", "surfaces", "devices", "needs", "goal")
        chamber, seen = level.puzzle, {name: self.arrays[name].make_zeros() for name in names}
        for row, (cell, turns) in enumerate(_list_bodies(chamber, state)):
            standing, place = (2, state.agent) if cell is None else (1, cell)
            seen["pieces"][row] = standing, *place, _number_way(turns)
        for slot, surface in enumerate(chamber.surfaces):
            gate = 1 * (surface == state.orange) + 2 * (surface == state.blue)
            seen["surfaces"][slot] = 1, *surface.cell, _number_way(surface.side), gate
        self._fill_devices(chamber, state, seen["devices"], seen["needs"])
        seen["goal"][:] = chamber.exit
        return seen

    def _holds(self, cell: Cell) -> bool:
        return all(0 <= v < most for v, most in zip(cell, self._size, strict=True))

    def _list_others(self, chamber: Chamber, state: ChamberState) -> Iterator[int]:
        """Yield the numbers of all that may be allowed, but walks."""
        count = {"surface": len(chamber.surfaces), "box": len(chamber.boxes)}
        count |= {"button": len(chamber.buttons)}
        if not any(state.timers):
            count["ticks"] = 0
        for tool, parts in self.actions.tools.items():
            if tool != "walk_to":
                sizes = [count.get(part, self.actions.sizes[part]) for part in parts]
                yield from (self.actions.encode(tool, *values) for values in np.ndindex(*sizes))

    def _find_values(
        self, chamber: Chamber, state: ChamberState, action: Action
    ) -> tuple[int, ...]:
        """Return the values of the parts of an action."""
        match action:
            case WalkTo(cell):
                return cell
            case PlaceGate(gate, cell, side):
                return _GATES.index(gate), chamber.surfaces.index(Surface(cell, side))
            case Enter(gate):
                return (_GATES.index(gate),)
            case Jump(way):
                return (_WAYS.index(way),)
            case PickUpBox(box):
                return ([one.name for one in chamber.boxes].index(box),)
            case Drop(cell):
                dx, dy, up = subtract(cell, state.agent)
                return [_step(way, 0) for way in range(4)].index((dx, dy, 0)), up
            case Press(cell):
                timed = [one.cell if one.ticks else None for one in chamber.buttons]
                return (timed.index(cell),)
            case Wait(ticks):
                return (min(ticks, max(state.timers)) - 1,)
        raise InputError(f"a chamber has no action {action.tool}")

    def _light(self, chamber: Chamber, state: ChamberState, light: NDArray[np.uint8]) -> None:
        now = compute_situation(chamber, state)
        for cells, value in ((now.closed, _CLOSED), (now.bridge, _BRIDGE), (now.lit, _LASER)):
            for cell in cells:
                if self._holds(cell):
                    light[cell] += value
        for cell, way in now.beam.items():
            if self._holds(cell):
                light[cell] += _BEAM * _number_way(way)

    def _fill_devices(
        self,
        chamber: Chamber,
        state: ChamberState,
        devices: NDArray[np.int16],
        needs: NDArray[np.uint8],
    ) -> None:
        now = compute_situation(chamber, state)
        listed = list_devices(chamber)
        rows = {device.name: row for row, device in enumerate(listed) if device.name}
        for row, device in enumerate(listed):
            left = state.timers[row] if device.kind == "button" else 0
            works = now.working.issuperset((device.name,) if device.name else device.needs)
            if device.kind == "door":  # One that a body stands in stays open.
                works = device.cell not in now.closed
            speed = add(device.speed, (_SPEED, _SPEED, _SPEED))
            kind, way = 1 + KINDS.index(device.kind), _number_way(device.way)
            devices[row] = kind, *device.cell, way, *speed, device.ticks, left, works
            for needed in device.needs:
                needs[row, rows[needed]] = 1


@dataclass(frozen=True, slots=True)
class _Device:
    """A thing that stays where it is."""

    kind: str
    cell: Cell
    name: str = ""
    needs: tuple[str, ...] = ()
    way: Direction | None = None
    speed: Cell = (0, 0, 0)
    ticks: int = 0


@lru_cache(maxsize=64)
def list_devices(chamber: Chamber) -> tuple[_Device, ...]:
    """Return all devices, buttons first, in the order of their rows."""
    emitters = {"laser": chamber.lasers, "bridge": chamber.bridges, "beam": chamber.beams}
    return (
        *(_Device("button", one.cell, one.name, ticks=one.ticks) for one in chamber.buttons),
        *(_Device("receiver", one.cell, one.name) for one in chamber.receivers),
        *(_Device("door", one.cell, needs=one.needs) for one in chamber.doors),
        *(
            _Device(kind, one.cell, needs=one.needs, way=one.way)
            for kind, some in emitters.items()
            for one in some
        ),
        *(_Device("field", cell) for cell in chamber.fields),
        *(_Device("pad", pad.cell, speed=pad.speed) for pad in chamber.pads),
    )


@lru_cache(maxsize=64)
def _draw_materials(chamber: Chamber) -> NDArray[np.uint8]:
    """(x, y, z) the materials of a room."""
    signs = np.array([[list(row) for row in layer] for layer in chamber.layers]).T
    drawn = np.zeros(signs.shape, np.uint8)
    for number, sign in enumerate((DULL, PANEL, AIR, LIQUID)):
        drawn[signs == sign] = number
    return drawn


def _list_bodies(
    chamber: Chamber, state: ChamberState
) -> Iterator[tuple[Cell | None, Direction | None]]:
    """Yield the cell of the agent and of each box, and the way in which it turns lasers."""
    yield state.agent, None
    for box, cell in zip(chamber.boxes, state.boxes, strict=True):
        yield cell, box.turns


def _number_way(way: Direction | None) -> int:
    """Return 1 to 6 for +x -x +y -y +z -z, 0 for none."""
    return 0 if way is None else 1 + _SIDES.index(way)


def _step(way: int, up: int) -> Cell:
    x, y, _ = _WAYS[way].direction.vector
    return x, y, up


def create_spaces(make_lister: MakeLister | None = None) -> tuple[ChamberSpace, ...]:
    """Return the spaces of all size classes, with compiled code for their lists."""
    return (
        ChamberSpace(
            "chamber",
            size=(24, 24, 12),
            surfaces=48,
            boxes=8,
            buttons=8,
            ticks=8,
            devices=48,
            make_lister=make_lister,
        ),
        ChamberSpace(
            "full",
            size=MOST,
            surfaces=128,
            boxes=8,
            buttons=32,
            ticks=100,
            devices=128,
            make_lister=make_lister,
        ),
    )
