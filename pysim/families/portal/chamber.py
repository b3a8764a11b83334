"""The data of a level: a room of voxels and what stands in it. ``docs/portal.md`` has the rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pysim.errors import InputError
from pysim.geometry import Bounds, Cell, Direction, add
from pysim.scene import Colour

__all__ = [
    "AIR",
    "DULL",
    "FASTEST",
    "LIQUID",
    "MOST",
    "PANEL",
    "Button",
    "Chamber",
    "Door",
    "Emitter",
    "MovableBox",
    "Pad",
    "Receiver",
    "Surface",
]

DULL, PANEL, AIR, LIQUID = "#", "o", ".", "~"
"""Solid; solid and takes gates on every face; free; free and deadly."""
_FREE = AIR + LIQUID
MOST: Cell = (24, 24, 16)
"""Cells of a room along x, y and z, at most."""
MOST_BOXES, MOST_SURFACES = 8, 128
FASTEST = 8
"""Cells per tick: nothing falls or is thrown faster."""


@dataclass(frozen=True, slots=True, order=True)
class Surface:
    """A face of a solid cell.

    Attributes:
        cell: the solid cell.
        side: which face; it looks that way.
    """

    cell: Cell
    side: Direction

    @property
    def front(self) -> Cell:
        """The cell before it."""
        return add(self.cell, self.side.vector)


@dataclass(frozen=True, slots=True)
class MovableBox:
    """A box of one cell that can be carried.

    Attributes:
        name: a colour.
        cell: where it stands at first.
        turns: where it sends a laser that hits it; None if it stops lasers.
    """

    name: Colour
    cell: Cell
    turns: Direction | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button on the floor of a cell.

    Attributes:
        name: what doors and emitters call it.
        cell: the free cell over it.
        ticks: 0 if it works while somebody or a box is on it, else how long it works once pressed.
    """

    name: str
    cell: Cell
    ticks: int = 0


@dataclass(frozen=True, slots=True)
class Receiver:
    """A solid cell that works while a laser hits it."""

    name: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Door:
    """A cell that is solid, unless all that it needs works. It opens into the floor."""

    name: str
    cell: Cell
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Emitter:
    """A solid cell from which a laser, a bridge or a beam goes out.

    Attributes:
        cell: the solid cell.
        way: where it goes.
        needs: what has to work; nothing: it is always on.
    """

    cell: Cell
    way: Direction
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pad:
    """A launch pad on the floor of a cell; who comes to rest there is thrown.

    Attributes:
        speed: cells per tick along x, y and z.
    """

    cell: Cell
    speed: Cell


@dataclass(frozen=True)
class Chamber:
    """A chamber.

    Attributes:
        layers: the lowest first, each a tuple of rows from the front (y = 0); a row is a text of
            signs, x growing. What is outside is dull and solid.
        agent: the agent's name, a colour.
        start: where it stands at first.
        exit: where it has to stand.

    Raises:
        InputError: something is not where it can be; the message says what.
    """

    layers: tuple[tuple[str, ...], ...]
    agent: Colour
    start: Cell
    exit: Cell
    boxes: tuple[MovableBox, ...] = ()
    buttons: tuple[Button, ...] = ()
    doors: tuple[Door, ...] = ()
    receivers: tuple[Receiver, ...] = ()
    lasers: tuple[Emitter, ...] = ()
    bridges: tuple[Emitter, ...] = ()
    beams: tuple[Emitter, ...] = ()
    fields: tuple[Cell, ...] = ()
    pads: tuple[Pad, ...] = ()

    def __post_init__(self) -> None:
        _check_layers(self.layers)
        for what, cell in self._free_things():
            if self.sign(cell) != AIR:
                raise InputError(f"{what} has to be in a free cell, not at {cell}")
        for what, cell in self._solid_things():
            if self.sign(cell) in _FREE:
                raise InputError(f"{what} has to be in a solid cell, not at {cell}")
        _check_names(self)
        if self.sign(add(self.start, (0, 0, -1))) in _FREE:
            raise InputError("the agent has nothing under its feet")

    def _free_things(self) -> Iterator[tuple[str, Cell]]:
        yield "the agent", self.start
        yield "the exit", self.exit
        yield from ((f"the box {box.name}", box.cell) for box in self.boxes)
        yield from ((f"the button {button.name}", button.cell) for button in self.buttons)
        yield from ((f"the door {door.name}", door.cell) for door in self.doors)
        yield from (("a field", cell) for cell in self.fields)
        yield from (("a launch pad", pad.cell) for pad in self.pads)

    def _solid_things(self) -> Iterator[tuple[str, Cell]]:
        for what, emitters in (
            ("a laser", self.lasers),
            ("a bridge", self.bridges),
            ("a beam", self.beams),
        ):
            yield from ((what, emitter.cell) for emitter in emitters)
        yield from ((f"the receiver {one.name}", one.cell) for one in self.receivers)
        yield from ((f"the slot of {d.name}", add(d.cell, (0, 0, -1))) for d in self.doors)

    @cached_property
    def size(self) -> Cell:
        """Cells along x, y and z."""
        return (len(self.layers[0][0]), len(self.layers[0]), len(self.layers))

    @cached_property
    def bounds(self) -> Bounds:
        """All cells."""
        x, y, z = self.size
        return Bounds((0, 0, 0), (x - 1, y - 1, z - 1))

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The agent's, then the boxes'."""
        return (self.agent, *(box.name for box in self.boxes))

    def sign(self, cell: Cell) -> str:
        """Return the material of a cell."""
        (x, y, z), (width, depth, height) = cell, self.size
        if 0 <= x < width and 0 <= y < depth and 0 <= z < height:
            return self.layers[z][y][x]
        return DULL

    def is_wall(self, cell: Cell) -> bool:
        """Return whether a cell is solid for ever."""
        return cell not in self.free

    @cached_property
    def free(self) -> frozenset[Cell]:
        """The cells that are not solid, liquid among them."""
        return frozenset(
            [
                (x, y, z)
                for z, layer in enumerate(self.layers)
                for y, row in enumerate(layer)
                for x, sign in enumerate(row)
                if sign in _FREE
            ]
        )

    @cached_property
    def liquid(self) -> frozenset[Cell]:
        """The deadly cells."""
        return frozenset(self._find_cells(LIQUID))

    @cached_property
    def surfaces(self) -> tuple[Surface, ...]:
        """All faces that take a gate, in order."""
        doors = {door.cell for door in self.doors}
        return tuple(
            sorted(
                Surface(cell, side)
                for cell in self._find_cells(PANEL)
                for side in Direction
                if (front := add(cell, side.vector)) not in doors and self.sign(front) in _FREE
            )
        )

    def _find_cells(self, wanted: str) -> Iterator[Cell]:
        """Yield the cells of a material that most rows have not."""
        for z, layer in enumerate(self.layers):
            for y, row in enumerate(layer):
                if wanted in row:
                    yield from ((x, y, z) for x, sign in enumerate(row) if sign == wanted)

    @cached_property
    def field_cells(self) -> frozenset[Cell]:
        """The cells of all fields."""
        return frozenset(self.fields)

    @cached_property
    def door_at(self) -> Mapping[Cell, Door]:
        """Cell -> the door in it."""
        return {door.cell: door for door in self.doors}

    @cached_property
    def pad_at(self) -> Mapping[Cell, Cell]:
        """Cell -> the speed of its pad."""
        return {pad.cell: pad.speed for pad in self.pads}

    @cached_property
    def _hash(self) -> int:
        return hash((self.layers, self.start, self.exit, self.boxes, self.doors))

    def __hash__(self) -> int:
        return self._hash


def _check_layers(layers: tuple[tuple[str, ...], ...]) -> None:
    if not layers or not layers[0] or not layers[0][0]:
        raise InputError("a chamber has layers of rows of signs")
    size = (len(layers[0][0]), len(layers[0]), len(layers))
    if any(size[i] > MOST[i] for i in range(3)):
        raise InputError(f"a chamber has at most {MOST} cells, not {size}")
    for layer in layers:
        if len(layer) != size[1] or set(map(len, layer)) != {size[0]}:
            raise InputError("the rows of a chamber are equally long, and so are its layers")
        if wrong := set("".join(layer)) - {DULL, PANEL, AIR, LIQUID}:
            raise InputError(f"{sorted(wrong)[0]!r} is no sign of a chamber; # o . ~ are")


def _check_names(chamber: Chamber) -> None:
    """Everything has a name of its own, and what is needed is there."""
    if len(chamber.boxes) > MOST_BOXES:
        raise InputError(f"a chamber has at most {MOST_BOXES} boxes")
    sources = [button.name for button in chamber.buttons]
    sources += [receiver.name for receiver in chamber.receivers]
    names = [*chamber.colours, *sources, *(door.name for door in chamber.doors)]
    if len(set(names)) < len(names):
        raise InputError(f"two things have one name: {', '.join(sorted(names))}")
    cells = [chamber.start, *(box.cell for box in chamber.boxes)]
    cells += [door.cell for door in chamber.doors]
    if len(set(cells)) < len(cells):
        raise InputError("two things are in one cell")
    needs = [door.needs for door in chamber.doors]
    needs += [one.needs for one in (*chamber.lasers, *chamber.bridges, *chamber.beams)]
    for needed in needs:
        if missing := set(needed) - set(sources):
            raise InputError(f"there is no {sorted(missing)[0]} for a door or an emitter")
    for pad in chamber.pads:
        if pad.speed[2] < 0 or pad.speed == (0, 0, 0) or max(map(abs, pad.speed)) > FASTEST:
            raise InputError(f"a launch pad throws up or aside, at most at {FASTEST}")
    if len(chamber.surfaces) > MOST_SURFACES:
        raise InputError(f"a chamber has at most {MOST_SURFACES} faces that take gates")
