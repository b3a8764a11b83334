"""Rooms made of modules, in rows that wind from the front to the back."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pysim.families.portal.chamber import (
    AIR,
    DULL,
    Button,
    Chamber,
    Door,
    Emitter,
    MovableBox,
    Pad,
    Receiver,
    Surface,
)
from pysim.families.portal.making.modules import DEPTH, FLOOR, HEIGHT, WIDTH, Module
from pysim.geometry import Cell, Direction
from pysim.scene import Colour

__all__ = ["Built", "build", "without"]

COLUMNS = 3
"""Modules in a row."""
_NAMES = tuple(map(Colour, ("red", "yellow", "purple", "pink", "brown", "navy", "teal", "tan")))


@dataclass(frozen=True, slots=True)
class Built:
    """A room, and what is special about it.

    Attributes:
        key: the surfaces that a hint shows.
    """

    chamber: Chamber
    key: tuple[Surface, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a module is in a room: rows are gone through in turns from left and from right."""

    number: int

    @property
    def row(self) -> int:
        return self.number // COLUMNS

    @property
    def mirrored(self) -> bool:
        return self.row % 2 == 1

    @property
    def column(self) -> int:
        within = self.number % COLUMNS
        return COLUMNS - 1 - within if self.mirrored else within

    def cell(self, cell: Cell) -> Cell:
        """A cell of the module in the room."""
        x = WIDTH - cell[0] if self.mirrored else cell[0]
        return (x + self.column * WIDTH, cell[1] + self.row * DEPTH, cell[2])

    def way(self, way: Direction) -> Direction:
        """A direction of the module in the room."""
        return way.opposite if self.mirrored and way.axis.value == "x" else way

    def speed(self, speed: Cell) -> Cell:
        """A speed likewise."""
        return (-speed[0] if self.mirrored else speed[0], speed[1], speed[2])


def build(modules: Sequence[Module], agent: str = "green") -> Built:
    """A room of modules, the first one at the front left."""
    places = [_Place(number) for number in range(len(modules))]
    both = list(zip(modules, places, strict=True))
    signs = {place.cell(c): s for module, place in both for c, s in module.cells.items()}
    fields = [_doorway(place) for place in places[:-1]]
    signs |= dict.fromkeys(fields, AIR)
    chamber = Chamber(
        layers=_layers(signs, len(modules)),
        agent=Colour(agent),
        start=places[0].cell((1, 3, FLOOR)),
        exit=places[-1].cell((WIDTH - 1, 3, FLOOR)),
        fields=tuple(fields),
        **_parts(both),
    )
    key = (
        Surface(place.cell(one.cell), place.way(one.side))
        for module, place in both
        for one in module.key
    )
    return Built(chamber, tuple(key))


def _doorway(place: _Place) -> Cell:
    """The cell between a module and the next one."""
    if place.number % COLUMNS == COLUMNS - 1:
        return place.cell((WIDTH - 1, DEPTH, FLOOR))
    return place.cell((WIDTH, 3, FLOOR))


def _layers(signs: dict[Cell, str], count: int) -> tuple[tuple[str, ...], ...]:
    width = min(count, COLUMNS) * WIDTH + 1
    depth = (count + COLUMNS - 1) // COLUMNS * DEPTH + 1
    return tuple(
        tuple("".join(signs.get((x, y, z), DULL) for x in range(width)) for y in range(depth))
        for z in range(HEIGHT)
    )


def _parts(both: Iterable[tuple[Module, _Place]]) -> dict[str, Any]:
    """What stands in the modules, each named after its number."""
    found: dict[str, list[object]] = {}
    names = iter(_NAMES)
    for number, (module, place) in enumerate(both, 1):
        for kind, thing in _things(module, place, str(number), names):
            found.setdefault(kind, []).append(thing)
    return {kind: tuple(things) for kind, things in found.items()}


def _things(
    module: Module, place: _Place, number: str, names: Iterator[Colour]
) -> Iterator[tuple[str, object]]:
    for cell, turns in module.boxes:
        there = None if turns is None else place.way(turns)
        yield "boxes", MovableBox(next(names), place.cell(cell), there)
    sources = []
    for cell, ticks in module.buttons:
        sources.append(f"button-{number}")
        yield "buttons", Button(sources[-1], place.cell(cell), ticks)
    for cell in module.receivers:
        sources.append(f"receiver-{number}")
        yield "receivers", Receiver(sources[-1], place.cell(cell))
    for cell in module.doors:
        yield "doors", Door(f"door-{number}", place.cell(cell), tuple(sources))
    for kind, emitters in (
        ("lasers", module.lasers),
        ("bridges", module.bridges),
        ("beams", module.beams),
    ):
        for cell, way in emitters:
            yield kind, Emitter(place.cell(cell), place.way(way))
    for cell, speed in module.pads:
        yield "pads", Pad(place.cell(cell), place.speed(speed))


def without(chamber: Chamber, part: str) -> Chamber:
    """A chamber without its launch pads, boxes, panels, ...: the parts by their field's name."""
    if part == "panels":
        dull = tuple(tuple(r.replace("o", DULL) for r in layer) for layer in chamber.layers)
        return replace(chamber, layers=dull)
    return replace(chamber, **dict[str, Any]({part: ()}))
