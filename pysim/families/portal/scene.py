"""A chamber as bodies: walls, panels, liquid, doors, boxes and the agent; the rest in stickers.

Worlds have neither the ceiling nor the front and the right wall, so that one can look in; panels,
emitters and receivers in these walls are there. Ceiling, walls and light are scenery. The walls are
bodies by storeys, so that a picture can leave out what is above a height. A carried box hovers over
the room, above who carries it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pysim.families.portal.chamber import Chamber, Door, Surface
from pysim.families.portal.circuits import Situation, compute_situation
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.views import (
    LIGHTS,
    Wall,
    find_storey,
    format_door_name,
    format_light_name,
    list_views,
    list_walls,
)
from pysim.geometry import IDENTITY, Cell, Direction, Pose, Voxels, add
from pysim.glyphs import ARROW, Glyph
from pysim.puzzle import PreviewPanel
from pysim.scene import Body, Colour, Scene, Sticker

__all__ = ["find_door", "find_hover", "make_preview", "make_scene"]

_DOWN: Cell = (0, 0, -1)
_AT_HOME = Pose(IDENTITY, (0, 0, 0))
_WAYS = {"+x": 1, "-x": 3, "+y": 0, "-y": 2}


def make_scene(chamber: Chamber, state: ChamberState) -> Scene:
    """Return all bodies where they are."""
    now = compute_situation(chamber, state)
    signs = dict(_stickers(chamber, state, now))
    walls = {wall: _standing(wall, signs) for wall in list_walls(chamber)}
    bodies = [body for wall, body in walls.items() if not wall.is_scenery]
    dot = Voxels.from_cells([(0, 0, 0)])
    for door in chamber.doors:
        place = Pose(IDENTITY, find_door(door, now))
        bodies.append(Body(format_door_name(door.name), dot, place, Colour("copper")))
    for box, cell in zip(chamber.boxes, state.boxes, strict=True):
        where = find_hover(chamber, state.agent) if cell is None else cell
        marks = () if box.turns is None else _mirror(box.name, box.turns)
        bodies.append(Body(box.name, dot, Pose(IDENTITY, where), box.name, stickers=marks))
    bodies.append(Body(chamber.agent, dot, Pose(IDENTITY, state.agent), chamber.agent))
    scenery = [body for wall, body in walls.items() if wall.is_scenery]
    return Scene(
        tuple(bodies),
        chamber.bounds,
        views=list_views(chamber, state),
        scenery=(*scenery, *_lights(chamber, state, now)),
    )


def make_preview(chamber: Chamber) -> tuple[PreviewPanel, ...]:
    """Make a level's picture sheet: the pictures that agents see of its start."""
    state = start_of(chamber)
    scene = make_scene(chamber, state)
    return tuple(
        PreviewPanel(s.name, replace(scene, views=(s,))) for s in list_views(chamber, state)
    )


def _standing(wall: Wall, signs: dict[Surface, Sticker]) -> Body:
    stuck = _on(wall.shape, signs)
    return Body(wall.name, wall.shape, _AT_HOME, Colour(wall.colour), False, stuck, wall.is_clear)


def _lights(chamber: Chamber, state: ChamberState, now: Situation) -> Iterator[Body]:
    """Yield the bodies of light, by storeys, to be seen through; no two are drawn in one cell."""
    taken: set[Cell | None] = {state.agent, *state.boxes}
    for kind, cells in (("laser", now.lit), ("bridge", now.bridge), ("beam", {*now.beam})):
        parts: dict[int, list[Cell]] = {}
        free, taken = cells - taken, taken | cells
        for cell in free:
            parts.setdefault(find_storey(chamber, cell[2]), []).append(cell)
        for storey, part in sorted(parts.items()):
            name, colour = format_light_name(chamber, kind, storey), Colour(LIGHTS[kind])
            yield Body(name, Voxels.from_cells(part), _AT_HOME, colour, translucent=True)


def find_hover(chamber: Chamber, agent: Cell) -> Cell:
    """Find the cell in which a carried box is drawn."""
    return (agent[0], agent[1], chamber.size[2] + 1)


def find_door(door: Door, now: Situation) -> Cell:
    """Find the cell of a door's body: its own, or one in the floor."""
    return door.cell if door.cell in now.closed else add(door.cell, _DOWN)


def _on(shape: Voxels, signs: dict[Surface, Sticker]) -> tuple[Sticker, ...]:
    """Return the stickers that are on a body."""
    cells = shape.cell_set
    return tuple(sticker for at, sticker in sorted(signs.items()) if at.cell in cells)


def _stickers(
    chamber: Chamber, state: ChamberState, now: Situation
) -> Iterator[tuple[Surface, Sticker]]:
    """Yield the stickers on walls and floors; later ones cover earlier ones."""
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


def _mirror(colour: Colour, turns: Direction) -> tuple[Sticker, ...]:
    """Return an arrow on the top of a box that sends lasers on."""
    count = _WAYS.get(turns.value, 0)
    return (Sticker((0, 0, 0), Direction.PLUS_Z, colour, Glyph(ARROW, count)),)
