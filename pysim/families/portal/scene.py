"""A chamber as bodies: walls, panels, liquid, doors, boxes and the agent; the rest in stickers.

The ceiling and the walls towards the observer are left out, so that one can look in; panels,
emitters and receivers in them stay. A carried box hovers over the room, above who carries it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pysim.families.portal.chamber import LIQUID, PANEL, Chamber, Door, Surface
from pysim.families.portal.circuits import Situation, situation_of
from pysim.families.portal.state import ChamberState
from pysim.geometry import IDENTITY, Cell, Direction, Pose, Voxels, add
from pysim.glyphs import ARROW, Glyph
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.shots import Shot, Tile

__all__ = [
    "FRONT_RIGHT",
    "SHOTS",
    "Cutaway",
    "door_place",
    "hover",
    "looks_from",
    "scene_of",
    "shots_of",
    "walls_of",
]

_DOWN: Cell = (0, 0, -1)
_WAYS = {"+x": 1, "-x": 3, "+y": 0, "-y": 2}
SHOTS = (
    Shot("overview", (Tile((1.0, -1.3, 1.1), (0.0, 0.0, 1.0)),)),
    Shot("plan", (Tile((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), parallel=True),)),
)
"""A chamber from a corner and from above."""
_LOOKS = (("+y", 0, 0), ("+x", 0, 1), ("+z", 0, 2), ("-x", 1, 0), ("-y", 1, 1), ("-z", 1, 2))
EYES = 0.25
"""How far above the middle of its cell the agent has its eyes."""


@dataclass(frozen=True, slots=True)
class Cutaway:
    """What is left out of a picture of a room.

    Attributes:
        sides: the outer walls that are left out, floors aside.
        top: the highest layer that is drawn; None for the one below the ceiling.
    """

    sides: frozenset[Direction]
    top: int | None = None


FRONT_RIGHT = Cutaway(frozenset((Direction.MINUS_Y, Direction.PLUS_X)))
"""How worlds have it, and agents see it."""


def scene_of(chamber: Chamber, state: ChamberState, cut: Cutaway = FRONT_RIGHT) -> Scene:
    """All bodies where they are."""
    now = situation_of(chamber, state)
    signs = dict(_stickers(chamber, state, now))
    bodies = [
        Body(name, shape, Pose(IDENTITY, (0, 0, 0)), colour, False, _on(shape, signs), clear)
        for name, shape, colour, clear in walls_of(chamber, cut)
    ]
    dot = Voxels.of([(0, 0, 0)])
    for door in chamber.doors:
        place = Pose(IDENTITY, door_place(door, now))
        bodies.append(Body(f"door {door.name}", dot, place, Colour("copper")))
    for box, cell in zip(chamber.boxes, state.boxes, strict=True):
        where = hover(chamber, state.agent) if cell is None else cell
        marks = () if box.turns is None else _mirror(box.turns)
        bodies.append(Body(box.name, dot, Pose(IDENTITY, where), box.name, stickers=marks))
    bodies.append(Body(chamber.agent, dot, Pose(IDENTITY, state.agent), chamber.agent))
    return Scene(tuple(bodies), chamber.bounds, shots=shots_of(chamber, state))


def shots_of(chamber: Chamber, state: ChamberState) -> tuple[Shot, ...]:
    """What agents are shown: these two, and what they see themselves."""
    return (*SHOTS, looks_from(state.agent))


def looks_from(cell: Cell) -> Shot:
    """What eyes in a cell see in all six directions; up and down +y is up in the picture."""
    eye = (float(cell[0]), float(cell[1]), cell[2] + EYES)
    tiles = (
        Tile(Direction(way).opposite.vector, _up(way), False, True, row, column, way, eye)
        for way, row, column in _LOOKS
    )
    return Shot("first person", tuple(tiles))


def _up(way: str) -> Cell:
    return (0, 1, 0) if way[1] == "z" else (0, 0, 1)


def hover(chamber: Chamber, agent: Cell) -> Cell:
    """Where a carried box is drawn."""
    return (agent[0], agent[1], chamber.size[2] + 1)


def door_place(door: Door, now: Situation) -> Cell:
    """Where the body of a door is: in its cell, or in the floor."""
    return door.cell if door.cell in now.closed else add(door.cell, _DOWN)


@lru_cache(maxsize=256)
def walls_of(chamber: Chamber, cut: Cutaway) -> tuple[tuple[str, Voxels, Colour, bool], ...]:
    """The bodies that never move: name, cells, colour, and whether they are seen through."""
    slots = {add(door.cell, _DOWN) for door in chamber.doors}
    emitters = (*chamber.lasers, *chamber.bridges, *chamber.beams)
    shown = {emitter.cell for emitter in emitters}
    shown |= {receiver.cell for receiver in chamber.receivers}
    shown |= {surface.cell for surface in chamber.surfaces}
    x, y, z = chamber.size
    top = z - 2 if cut.top is None else cut.top
    parts: dict[str, list[Cell]] = {"room": [], "panels": [], "liquid": []}
    for cell in _cells(chamber.size):
        if (
            cell in slots
            or cell[2] > top
            or (cell[2] and cell not in shown and _is_cut(cell, (x, y, z), cut))
        ):
            continue
        if chamber.sign(cell) == LIQUID:
            parts["liquid"].append(cell)
        elif chamber.is_wall(cell):
            parts["panels" if chamber.sign(cell) == PANEL else "room"].append(cell)
    looks = {"room": ("slate", False), "panels": ("white", False), "liquid": ("lime", True)}
    return tuple(
        (name, Voxels.of(cells), Colour(looks[name][0]), looks[name][1])
        for name, cells in parts.items()
        if cells
    )


def _cells(size: Cell) -> Iterator[Cell]:
    return ((x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0]))


def _is_cut(cell: Cell, size: Cell, cut: Cutaway) -> bool:
    ends = {side: (0 if side.sign < 0 else size[side.axis.number] - 1) for side in cut.sides}
    return any(cell[side.axis.number] == end for side, end in ends.items())


def _on(shape: Voxels, signs: dict[Surface, Sticker]) -> tuple[Sticker, ...]:
    """The stickers that are on a body."""
    cells = shape.cell_set
    return tuple(sticker for at, sticker in sorted(signs.items()) if at.cell in cells)


def _stickers(
    chamber: Chamber, state: ChamberState, now: Situation
) -> Iterator[tuple[Surface, Sticker]]:
    """What is stuck on walls and floors; later ones cover earlier ones."""
    yield from _floor([chamber.exit], "green", "E")
    yield from _floor(chamber.fields, "cyan", "F")
    for button in chamber.buttons:
        colour = "gold" if button.name in now.working else "red"
        yield from _floor([button.cell], colour, "T" if button.ticks else "O")
    for pad in chamber.pads:
        vx, vy, _ = pad.speed
        way = ("+x" if vx > 0 else "-x") if abs(vx) >= abs(vy) else ("+y" if vy > 0 else "-y")
        yield _sticker(
            Surface(add(pad.cell, _DOWN), Direction.PLUS_Z), "magenta", ARROW, _WAYS[way]
        )
    for colour, sign, emitters in (
        ("red", "L", chamber.lasers),
        ("azure", "B", chamber.bridges),
        ("violet", "C", chamber.beams),
    ):
        for one in emitters:
            yield _sticker(Surface(one.cell, one.way), colour, sign)
    for receiver in chamber.receivers:
        colour = "gold" if receiver.name in now.working else "maroon"
        for side in Direction:
            yield _sticker(Surface(receiver.cell, side), colour, "R")
    for gate, colour in ((state.orange, "orange"), (state.blue, "blue")):
        if gate is not None:
            yield gate, Sticker(gate.cell, gate.side, Colour(colour))


def _floor(cells: Iterable[Cell], colour: str, sign: str) -> Iterator[tuple[Surface, Sticker]]:
    for cell in cells:
        yield _sticker(Surface(add(cell, _DOWN), Direction.PLUS_Z), colour, sign)


def _sticker(at: Surface, colour: str, sign: str, turns: int = 0) -> tuple[Surface, Sticker]:
    return at, Sticker(at.cell, at.side, Colour(colour), Glyph(sign, turns))


def _mirror(turns: Direction) -> tuple[Sticker, ...]:
    """An arrow on the top of a box that sends lasers on."""
    count = _WAYS.get(turns.value, 0)
    return (Sticker((0, 0, 0), Direction.PLUS_Z, Colour("white"), Glyph(ARROW, count)),)
