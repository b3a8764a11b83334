"""Modules: small rooms that are left by a mechanic and by nothing else.

A module of the generator is 6 x 5 cells of floor between walls, entered at its low end (x = 1,
y = 3) and left at its high end (x = 6, y = 3), feet at z = 5. Modules are put side by side into one
room; fields in the doorways between them erase gates and stop boxes, so that each has to be solved
by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from pysim.families.portal.chamber import AIR, LIQUID, PANEL, Surface
from pysim.geometry import Cell, Direction

__all__ = ["DEPTH", "FLOOR", "HEIGHT", "MAKERS", "WIDTH", "Module"]

WIDTH, DEPTH, HEIGHT, FLOOR = 7, 6, 12, 5
"""Where the far walls are along x and y; layers; the height of feet."""


@dataclass
class Module:
    """A module that is being made; cells are counted from its own corner, in its own walls.

    Attributes:
        name: the mechanic that it needs.
        width, depth: where its far walls are, along x and y.
        cells: what is not dull and solid.
        needs: of doors and emitters the numbers of the buttons and receivers that they need, in
            this order; else doors need all, and emitters none.
        key: the surfaces that a hint shows.
    """

    name: str
    width: int = WIDTH
    depth: int = DEPTH
    cells: dict[Cell, str] = field(default_factory=dict)
    boxes: list[tuple[Cell, Direction | None]] = field(default_factory=list)
    buttons: list[tuple[Cell, int]] = field(default_factory=list)
    receivers: list[Cell] = field(default_factory=list)
    doors: list[Cell] = field(default_factory=list)
    lasers: list[tuple[Cell, Direction]] = field(default_factory=list)
    bridges: list[tuple[Cell, Direction]] = field(default_factory=list)
    beams: list[tuple[Cell, Direction]] = field(default_factory=list)
    pads: list[tuple[Cell, Cell]] = field(default_factory=list)
    needs: dict[Cell, tuple[int, ...]] = field(default_factory=dict)
    key: tuple[Surface, ...] = ()

    def __post_init__(self) -> None:
        self.fill((1, 1, FLOOR), (self.width - 1, self.depth - 1, HEIGHT - 2), AIR)

    def fill(self, low: Cell, high: Cell, sign: str) -> None:
        """Make a block of cells of something."""
        for x in range(low[0], high[0] + 1):
            for y in range(low[1], high[1] + 1):
                for z in range(low[2], high[2] + 1):
                    self.cells[(x, y, z)] = sign

    def add_gap(self, low: int, high: int) -> None:
        """Liquid from wall to wall."""
        self.fill((low, 1, FLOOR - 1), (high, DEPTH - 1, FLOOR - 1), AIR)
        self.fill((low, 1, FLOOR - 2), (high, DEPTH - 1, FLOOR - 2), LIQUID)

    def add_wall(self, x: int) -> None:
        """A wall with a door in it, from wall to wall."""
        self.fill((x, 1, FLOOR), (x, DEPTH - 1, HEIGHT - 2), "#")
        self.cells[(x, 3, FLOOR)] = AIR
        self.doors.append((x, 3, FLOOR))

    def add_panel(self, cell: Cell) -> None:
        """A solid cell that takes gates."""
        self.cells[cell] = PANEL


def _gap(random: Random) -> Module:
    """Return a gate on either side of a gap."""
    made = Module("gates")
    made.add_gap(*random.choice(((2, 4), (2, 5), (3, 5))))
    near, far = random.choice((1, 5)), random.choice((1, 2, 4, 5))
    made.add_panel((0, near, FLOOR))
    made.add_panel((WIDTH, far, FLOOR))
    made.key = (Surface((WIDTH, far, FLOOR), Direction.MINUS_X),)
    return made


def _fling(random: Random) -> Module:
    """A fall into a pit becomes a flight over liquid."""
    made = Module("fling")
    y = random.choice((2, 3, 4))
    made.add_gap(3, 5)
    made.fill((2, y, 1), (2, y, FLOOR - 1), AIR)
    made.add_panel((2, y, 0))
    high = (0, y, random.choice((8, 9)))
    made.add_panel(high)
    made.key = (Surface(high, Direction.PLUS_X),)
    return made


def _weight(random: Random) -> Module:
    """A box has to weigh a button down."""
    made = Module("button")
    made.add_wall(5)
    places = [(x, y, FLOOR) for x in (2, 3, 4) for y in (1, 2, 4, 5)]
    box, button = random.sample(places, 2)
    made.boxes.append((box, None))
    made.buttons.append((button, 0))
    return made


def _mirror(random: Random) -> Module:
    """A box has to send a laser to its receiver."""
    made = Module("mirror")
    made.add_wall(5)
    column, low = random.choice((2, 3, 4)), random.choice((1, 2))
    made.lasers.append(((0, low, FLOOR), Direction.PLUS_X))
    made.receivers.append((column, DEPTH, FLOOR))
    made.boxes.append(((random.choice((2, 3)), 4, FLOOR), Direction.PLUS_Y))
    return made


def _relay(random: Random) -> Module:
    """Two gates have to lead a laser to its receiver."""
    made = Module("relay")
    made.add_wall(5)
    height, row = FLOOR + random.choice((1, 2)), random.choice((1, 2))
    column = random.choice((2, 3))
    made.lasers.append(((0, row, height), Direction.PLUS_X))
    made.add_panel((5, row, height))
    made.add_panel((column, DEPTH, height + 1))
    made.receivers.append((column, 0, height + 1))
    made.key = (Surface((column, DEPTH, height + 1), Direction.MINUS_Y),)
    return made


def _bridge(random: Random) -> Module:
    """Two gates have to lay a bridge over liquid."""
    made = Module("bridge")
    made.add_gap(3, 5)
    column, row = random.choice((2, 3, 4)), random.choice((2, 3, 4))
    made.bridges.append(((column, DEPTH, 9), Direction.MINUS_Y))
    made.add_panel((column, 0, 9))
    made.add_panel((6, row, FLOOR - 1))
    made.key = (Surface((6, row, FLOOR - 1), Direction.MINUS_X),)
    return made


def _beam(random: Random) -> Module:
    """Two gates have to lead a carrying beam over liquid."""
    made = Module("beam")
    made.add_gap(3, 5)
    column, row = random.choice((2, 3, 4)), random.choice((1, 2, 4, 5))
    made.beams.append(((column, DEPTH, 9), Direction.MINUS_Y))
    made.add_panel((column, 0, 9))
    made.add_panel((0, row, FLOOR))
    made.key = (Surface((0, row, FLOOR), Direction.PLUS_X),)
    return made


def _pad(random: Random) -> Module:
    """Return a launch pad throws over liquid."""
    made = Module("pad")
    made.add_gap(3, 5)
    speed = random.choice(((1, 0, 3), (2, 0, 3), (2, 0, 2)))
    made.pads.append(((2, random.choice((1, 2, 3, 4, 5)), FLOOR), speed))
    return made


def _stair(random: Random) -> Module:
    """Return a wall two cells high; a box is the stair."""
    made = Module("stair")
    made.fill((4, 1, FLOOR), (4, DEPTH - 1, FLOOR + 1), "#")
    made.boxes.append(((random.choice((2, 3)), random.choice((1, 2, 4, 5)), FLOOR), None))
    return made


def _timer(random: Random) -> Module:
    """Return a timed button, too far from its door for those on foot."""
    made = Module("timer")
    made.add_wall(5)
    row = random.choice((1, 5))
    made.fill((2, 2, FLOOR), (2, 4, HEIGHT - 2), "#")
    made.fill((3, 3, FLOOR), (3, 3, HEIGHT - 2), "#")
    made.buttons.append(((1, row, FLOOR), random.choice((4, 5))))
    made.add_panel((0, row, FLOOR))
    made.add_panel((3, 3, FLOOR))
    made.add_panel((5, 4, FLOOR))
    made.key = (Surface((5, 4, FLOOR), Direction.MINUS_X),)
    return made


MAKERS: Mapping[str, Callable[[Random], Module]] = {
    "pad": _pad,
    "gates": _gap,
    "button": _weight,
    "fling": _fling,
    "stair": _stair,
    "relay": _relay,
    "mirror": _mirror,
    "bridge": _bridge,
    "beam": _beam,
    "timer": _timer,
}
"""By the mechanic that is needed, the easier ones first."""
