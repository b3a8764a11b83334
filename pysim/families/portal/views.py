"""Views of a chamber: its walls by storeys, and the pictures that agents see.

These are two corners, a plan of each storey, and what the agent sees itself. No picture has a
ceiling in the way, or an outer wall that is nearer than the room; but the agent sees them all.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from pysim.families.portal.chamber import AIR, DULL, LIQUID, PANEL, Chamber
from pysim.families.portal.gates import find_up
from pysim.families.portal.state import ChamberState
from pysim.geometry import Cell, Direction, Voxels, add
from pysim.viewpoints import Panel, Vector, View

__all__ = [
    "LIGHTS",
    "Wall",
    "find_standing",
    "find_storey",
    "format_door_name",
    "format_light_name",
    "is_standing",
    "list_scenery",
    "list_storeys",
    "list_views",
    "list_walls",
    "lower_floors",
    "make_eye_view",
]

LIGHTS: Mapping[str, str] = {"laser": "red", "bridge": "azure", "beam": "violet"}
"""What is of light, and its colour."""
SCENERY = ("front", "right", "ceiling")
"""The sides of a room that worlds have not."""
FRONT_RIGHT: Vector = (1.0, -1.3, 1.1)
BEHIND: Vector = (-1.0, 1.3, 1.1)
_UPRIGHT: Vector = (0.0, 0.0, 1.0)
_LOOKS = (
    (Direction.PLUS_Y, 0, 0),
    (Direction.PLUS_X, 0, 1),
    (Direction.PLUS_Z, 0, 2),
    (Direction.MINUS_X, 1, 0),
    (Direction.MINUS_Y, 1, 1),
    (Direction.MINUS_Z, 1, 2),
)
"""The ways in which the agent looks, and where in its picture that is."""
EYES = 0.25
"""How far above the middle of its cell the agent has its eyes."""
_DOWN: Cell = (0, 0, -1)
_KINDS = {DULL: ("walls", "slate"), PANEL: ("panels", "white"), LIQUID: ("liquid", "lime")}
"""Names of materials and their colours."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A part of a room that never moves.

    Attributes:
        name: its body's.
        side: the outer wall that it belongs to, ``ceiling``, or empty.
        storey: which, from 0; those above the ceiling's have none of their own.
        is_clear: whether one sees through.
    """

    name: str
    shape: Voxels
    colour: str
    side: str
    storey: int
    is_clear: bool

    @property
    def is_scenery(self) -> bool:
        """Whether worlds go without it."""
        return self.side in SCENERY


@lru_cache(maxsize=256)
def list_storeys(chamber: Chamber) -> tuple[int, ...]:
    """Return the highest layer of each storey, the lowest first.

    From above one sees all places to stand on once what is higher than their storey is gone.
    """
    heights = [max(chamber.size[2] - 2, 0)]
    places = [c for c in chamber.free if add(c, _DOWN) not in chamber.free or c in chamber.liquid]
    roofs = {
        (x, y): [z for z in range(chamber.size[2]) if (x, y, z) not in chamber.free]
        for x, y, _ in places
    }
    while True:
        top = heights[0]
        hidden = [z for x, y, z in places if any(z < roof <= top for roof in roofs[x, y])]
        if not hidden:
            return tuple(heights)
        heights.insert(0, max(hidden))


def find_storey(chamber: Chamber, height: int) -> int:
    """Return the number of the storey of a layer."""
    return bisect_left(list_storeys(chamber)[:-1], height)


@lru_cache(maxsize=256)
def list_walls(chamber: Chamber) -> tuple[Wall, ...]:
    """Return all walls, floors, panels and liquid but the slots of doors."""
    slots = {add(door.cell, _DOWN) for door in chamber.doors}
    parts: dict[tuple[str, int, str], list[Cell]] = {}
    for z, layer in enumerate(chamber.layers):
        storey = find_storey(chamber, z)
        for cell, sign, side in _list_full(chamber, layer, z):
            if cell not in slots:
                parts.setdefault((side, storey, sign), []).append(cell)
    return tuple(_wall(chamber, *part, cells) for part, cells in parts.items())


def _list_full(chamber: Chamber, layer: tuple[str, ...], z: int) -> Iterator[tuple[Cell, str, str]]:
    """Yield the cells of a layer that are not air, with their signs and outer walls."""
    shown = _shown(chamber)
    for y, row in enumerate(layer):
        sides = _list_sides(chamber.size, y, z)
        for x, sign in enumerate(row):
            if sign != AIR:
                cell = (x, y, z)
                is_inner = sign == LIQUID or (cell in shown and sides[x] != "ceiling")
                yield cell, sign, "" if is_inner else sides[x]


@lru_cache(maxsize=256)
def _shown(chamber: Chamber) -> frozenset[Cell]:
    """Return the cells that are never left out with the wall that they are in."""
    emitters = (*chamber.lasers, *chamber.bridges, *chamber.beams)
    cells = {emitter.cell for emitter in emitters}
    cells |= {receiver.cell for receiver in chamber.receivers}
    return frozenset(cells | {surface.cell for surface in chamber.surfaces})


def find_side(chamber: Chamber, cell: Cell) -> str:
    """The outer wall to which a solid cell belongs, ``ceiling``, or empty for what is inside."""
    x, y, z = cell
    side = _list_sides(chamber.size, y, z)[x]
    return side if side == "ceiling" or cell not in _shown(chamber) else ""


@lru_cache(maxsize=1024)
def _list_sides(size: Cell, y: int, z: int) -> tuple[str, ...]:
    """Return the outer walls, ``ceiling`` or empty texts to which a row of solid cells belongs."""
    width, depth, height = size
    if z > max(height - 2, 0):
        return ("ceiling",) * width
    if not z or not y:
        return ("front" if z else "",) * width
    side = "back" if y == depth - 1 else ""
    return (side or "left", *(side,) * (width - 2), "right")[-width:]


def is_standing(chamber: Chamber, cell: Cell) -> bool:
    """Whether worlds have something in a cell for ever: walls, liquid, doors and their slots."""
    if not chamber.bounds.has_cell(cell):
        return False
    above = add(cell, (0, 0, 1))
    sign = chamber.sign(cell)
    if cell in chamber.door_at or above in chamber.door_at or sign == LIQUID:
        return True
    return sign != AIR and find_side(chamber, cell) not in SCENERY


@lru_cache(maxsize=64)
def find_standing(chamber: Chamber) -> frozenset[Cell]:
    """Find all cells of which :func:`is_standing` is true."""
    doors = (cell for door in chamber.doors for cell in (door.cell, add(door.cell, _DOWN)))
    walls = (wall.shape.cells for wall in list_walls(chamber) if not wall.is_scenery)
    return frozenset(filter(chamber.bounds.has_cell, doors)).union(*walls)


def _wall(chamber: Chamber, side: str, storey: int, sign: str, cells: list[Cell]) -> Wall:
    kind, colour = _KINDS[sign]
    name = f"{side} {kind}" if side else kind
    return Wall(
        f"{name}{_above(chamber, storey)}",
        Voxels.from_cells(cells),
        colour,
        side,
        storey,
        sign == LIQUID,
    )


def _above(chamber: Chamber, storey: int) -> str:
    return f" above z = {list_storeys(chamber)[storey - 1]}" if storey else ""


def format_door_name(name: str) -> str:
    """Format the name of a door's body."""
    return f"door {name}"


def format_light_name(chamber: Chamber, kind: str, storey: int) -> str:
    """Format the name of the body of a laser's, bridge's or beam's light in a storey."""
    return f"{kind}{_above(chamber, storey)}"


def list_views(chamber: Chamber, state: ChamberState) -> tuple[View, ...]:
    """List the views that agents see: the room from two corners, its storeys, their own."""
    plans = (_plan(chamber, state, k) for k in reversed(range(len(list_storeys(chamber)))))
    return (*_corners(chamber), *plans, make_eye_view(chamber, state, state.agent))


def _corners(chamber: Chamber) -> Iterator[View]:
    everything, back = _lights(chamber), _names(chamber, ("back", "left"))
    yield View("overview", (Panel(FRONT_RIGHT, _UPRIGHT, adds=everything, ruler=True),))
    everything |= _names(chamber, ("front", "right"))
    tile = Panel(BEHIND, _UPRIGHT, leaves_out=back, adds=everything, ruler=True)
    yield View("from behind", (tile,))


def _plan(chamber: Chamber, state: ChamberState, storey: int) -> View:
    """From above, without what is above a storey."""
    tile = Panel((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), parallel=True, ruler=True)
    adds = _names(chamber, ("front", "right"), storey + 1) | _lights(chamber, storey + 1)
    heights = list_storeys(chamber)
    if storey + 1 == len(heights):
        return View("plan", (replace(tile, adds=adds),))
    gone = _higher(chamber, state, storey)
    name = f"plan up to z = {heights[storey]}"
    return View(name, (replace(tile, leaves_out=gone, adds=adds),))


def lower_floors(chamber: Chamber, state: ChamberState) -> View:
    """Return the room from the front and steeply from above, without its uppermost storey."""
    storey = max(0, len(list_storeys(chamber)) - 2)
    gone = _higher(chamber, state, storey)
    tile = Panel((0.6, -1.0, 2.0), _UPRIGHT, leaves_out=gone, ruler=True)
    return View("lower floors", (replace(tile, adds=_lights(chamber, storey + 1)),))


def make_eye_view(chamber: Chamber, state: ChamberState, cell: Cell) -> View:
    """Make the view of eyes in a cell in all six directions; up and down, +y is up."""
    eye = (float(cell[0]), float(cell[1]), cell[2] + EYES)
    held = state.held
    hovers = frozenset[str]() if held is None else frozenset((chamber.boxes[held].name,))
    adds = list_scenery(chamber) | _lights(chamber)
    tiles = []
    for way, row, column in _LOOKS:
        back, up = way.opposite.vector, find_up(way)
        tiles.append(Panel(back, up, False, True, row, column, way.value, eye, hovers, adds))
    return View("first person", tuple(tiles))


def list_scenery(chamber: Chamber) -> frozenset[str]:
    """Return the walls and the ceiling that are scenery, for those who are in the room."""
    return _names(chamber, SCENERY)


def _names(chamber: Chamber, sides: Collection[str], count: int | None = None) -> frozenset[str]:
    """Return the walls of some sides, in the lowest storeys or in all."""
    least = len(list_storeys(chamber)) if count is None else count
    return frozenset(w.name for w in list_walls(chamber) if w.side in sides and w.storey < least)


def _lights(chamber: Chamber, count: int | None = None) -> frozenset[str]:
    """Return all that may be of light, in the lowest storeys or in all."""
    numbers = range(len(list_storeys(chamber)) if count is None else count)
    return frozenset(format_light_name(chamber, kind, k) for kind in LIGHTS for k in numbers)


def _higher(chamber: Chamber, state: ChamberState, storey: int) -> frozenset[str]:
    """Return all bodies above a storey; a box that is carried hovers above them all."""
    top = list_storeys(chamber)[storey]
    gone = {wall.name for wall in list_walls(chamber) if wall.storey > storey}
    gone |= {format_door_name(door.name) for door in chamber.doors if door.cell[2] > top}
    boxes = zip(chamber.boxes, state.boxes, strict=True)
    gone |= {box.name for box, cell in boxes if cell is None or cell[2] > top}
    return frozenset(gone | ({chamber.agent} if state.agent[2] > top else set()))
