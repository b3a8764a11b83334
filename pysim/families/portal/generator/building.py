"""Rooms made of modules, in rows that wind from the front to the back."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
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
from pysim.families.portal.generator.modules import FLOOR, HEIGHT, Module
from pysim.geometry import Cell, Direction
from pysim.scene import Colour

__all__ = ["Built", "build", "build_alone", "build_parts", "is_symmetric", "remove_parts"]

_Link = bool | None
COLUMNS = 3
"""Modules in a row."""
_NAMES = tuple(map(Colour, ("red", "yellow", "purple", "pink", "brown", "navy", "teal", "tan")))
_MORE = ("", "-b", "-c")
"""What is added to the name of a second or third thing of a kind."""


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
    """Place of a module in a room: rows are gone through in turns from left and from right."""

    number: int
    width: int
    depth: int
    columns: int

    @property
    def row(self) -> int:
        return self.number // self.columns

    @property
    def mirrored(self) -> bool:
        return self.row % 2 == 1

    @property
    def column(self) -> int:
        within = self.number % self.columns
        return self.columns - 1 - within if self.mirrored else within

    @property
    def turns(self) -> bool:
        """Whether it is the last one of its row."""
        return self.number % self.columns == self.columns - 1

    @property
    def leave(self) -> Cell:
        """The way out to the next module, through this one's wall."""
        return self.transform_cell(_leave(self.width, self.depth, turns=self.turns))

    @property
    def entry(self) -> Cell:
        """The field on the way in from the module before it, in this one's wall."""
        return self.transform_cell(_entry(turns=self.number % self.columns == 0))

    def transform_cell(self, cell: Cell) -> Cell:
        """Return a cell of the module in the room."""
        x = self.width - cell[0] if self.mirrored else cell[0]
        low = (self.column * (self.width + 1), self.row * (self.depth + 1))
        return (x + low[0], cell[1] + low[1], cell[2])

    def transform_direction(self, way: Direction) -> Direction:
        """Return a direction of the module in the room."""
        return way.opposite if self.mirrored and way.axis.value == "x" else way

    def transform_speed(self, speed: Cell) -> Cell:
        """Return a speed likewise."""
        return (-speed[0] if self.mirrored else speed[0], speed[1], speed[2])


def build(modules: Sequence[Module], columns: int = COLUMNS, agent: str = "green") -> Built:
    """Return a room of modules of one size, the first one at the front left, so many in a row."""
    width, depth = modules[0].width, modules[0].depth
    places = [_Place(number, width, depth, columns) for number in range(len(modules))]
    both = list(zip(modules, places, strict=True))
    signs = {place.transform_cell(c): s for module, place in both for c, s in module.cells.items()}
    fields = [place.entry for place in places[1:]]
    signs |= dict.fromkeys([*fields, *(place.leave for place in places[:-1])], AIR)
    chamber = Chamber(
        layers=_layers(signs, places),
        agent=Colour(agent),
        start=places[0].transform_cell((1, 3, FLOOR)),
        exit=places[-1].transform_cell((width - 1, 3, FLOOR)),
        fields=tuple(fields),
        **_parts(both),
    )
    key = (
        Surface(place.transform_cell(one.cell), place.transform_direction(one.side))
        for module, place in both
        for one in module.key
    )
    return Built(chamber, tuple(key))


def build_alone(module: Module, *, entry: _Link = None, leave: _Link = None) -> Chamber:
    """Return a module by itself, between the ways in and out that it has in a chain.

    Args:
        entry: whether the way in comes round the turn between two rows; None for the first module.
        leave: the same of the way out; None for the last module.
    """
    chamber = build([module]).chamber
    porch = chamber.start if entry is None else _entry(turns=entry)
    end = chamber.exit if leave is None else _leave(module.width, module.depth, turns=leave)
    rows = [list(row) for row in chamber.layers[FLOOR]]
    for x, y, _ in (porch, end):
        rows[y][x] = AIR
    layers = list(chamber.layers)
    layers[FLOOR] = tuple(map("".join, rows))
    fields = () if entry is None else (porch,)
    return replace(chamber, layers=tuple(layers), start=porch, exit=end, fields=fields)


def build_parts(modules: Sequence[Module], columns: int = COLUMNS) -> Iterator[Chamber]:
    """Yield the modules of a chain, each alone."""
    last = len(modules) - 1
    for k, module in enumerate(modules):
        entry = None if k == 0 else k % columns == 0
        yield build_alone(module, entry=entry, leave=None if k == last else (k + 1) % columns == 0)


def _entry(*, turns: bool) -> Cell:
    return (1, 0, FLOOR) if turns else (0, 3, FLOOR)


def _leave(width: int, depth: int, *, turns: bool) -> Cell:
    return (width - 1, depth, FLOOR) if turns else (width, 3, FLOOR)


def _layers(signs: dict[Cell, str], places: Sequence[_Place]) -> tuple[tuple[str, ...], ...]:
    last = places[-1]
    width = min(len(places), last.columns) * (last.width + 1)
    depth = (last.row + 1) * (last.depth + 1)
    return tuple(
        tuple("".join(signs.get((x, y, z), DULL) for x in range(width)) for y in range(depth))
        for z in range(HEIGHT)
    )


def _parts(both: Iterable[tuple[Module, _Place]]) -> dict[str, Any]:
    """Return the parts in the modules, each named after its number."""
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
        there = None if turns is None else place.transform_direction(turns)
        yield "boxes", MovableBox(next(names), place.transform_cell(cell), there)
    sources = []
    for (cell, ticks), more in zip(module.buttons, _MORE, strict=False):
        sources.append(f"button-{number}{more}")
        yield "buttons", Button(sources[-1], place.transform_cell(cell), ticks)
    for cell, more in zip(module.receivers, _MORE, strict=False):
        sources.append(f"receiver-{number}{more}")
        yield "receivers", Receiver(sources[-1], place.transform_cell(cell))
    for cell, more in zip(module.doors, _MORE, strict=False):
        needed = module.needs.get(cell, range(len(sources)))
        names_needed = tuple(sources[k] for k in needed)
        yield "doors", Door(f"door-{number}{more}", place.transform_cell(cell), names_needed)
    for kind, emitters in (
        ("lasers", module.lasers),
        ("bridges", module.bridges),
        ("beams", module.beams),
    ):
        for cell, way in emitters:
            needed = module.needs.get(cell, ())
            yield (
                kind,
                Emitter(
                    place.transform_cell(cell),
                    place.transform_direction(way),
                    tuple(sources[k] for k in needed),
                ),
            )
    for cell, speed in module.pads:
        yield "pads", Pad(place.transform_cell(cell), place.transform_speed(speed))


def is_symmetric(chamber: Chamber) -> bool:
    """Return whether front and back, or left and right, can be exchanged and nothing is changed."""
    sizes, cells = chamber.size, {c: chamber.sign(c) for c in _all_cells(chamber.size)}
    things = _marks(chamber)
    return any(
        {_flipped(c, axis, sizes): sign for c, sign in cells.items()} == cells
        and {(_flipped(c, axis, sizes), *more) for c, *more in things} == things
        for axis in (0, 1)
    )


def _all_cells(size: Cell) -> Iterator[Cell]:
    x, y, z = map(range, size)
    return product(x, y, z)


def _flipped(cell: Cell, axis: int, size: Cell) -> Cell:
    x, y, z = (size[i] - 1 - cell[i] if i == axis else cell[i] for i in range(3))
    return (x, y, z)


def _marks(chamber: Chamber) -> set[tuple[Any, ...]]:
    """Return the places of things; names, directions, start and exit don't count."""
    ends = [(cell, "end") for cell in (chamber.start, chamber.exit)]
    kinds = ("boxes", "buttons", "doors", "receivers", "lasers", "bridges", "beams", "pads")
    things = [(one.cell, kind) for kind in kinds for one in getattr(chamber, kind)]
    return {*ends, *things, *((cell, "field") for cell in chamber.fields)}


def remove_parts(chamber: Chamber, part: str) -> Chamber:
    """A chamber without its launch pads, boxes, panels, ...: the parts by their field's name."""
    if part == "panels":
        dull = tuple(tuple(r.replace("o", DULL) for r in layer) for layer in chamber.layers)
        return replace(chamber, layers=dull)
    return replace(chamber, **dict[str, Any]({part: ()}))
