"""Rooms drawn by hand, of which ``tools/build_portal.py`` makes ``portal-16``.

A drawing shows 10 x 6 columns from above, the back first. One enters at the left end of the fourth
row, and leaves at its right end; floors are at z = 5.
"""

from collections.abc import Callable, Mapping

from pysim.families.portal.chamber import AIR, LIQUID, Surface
from pysim.families.portal.generator.modules import FLOOR, HEIGHT, Module
from pysim.geometry import Direction

__all__ = ["COLUMNS", "ROOMS"]

WIDTH, DEPTH, COLUMNS = 11, 7, 2
X, BACKWARD, FORWARD = Direction.PLUS_X, Direction.MINUS_X, Direction.PLUS_Y
TO_FRONT, UP = Direction.MINUS_Y, Direction.PLUS_Z


def _drawn(name: str, *rows: str) -> Module:
    """Return a module from its drawing: one sign for each column.

    ``.`` floor, ``+`` floor that takes a gate, ``#`` wall, ``1`` to ``4`` ledges so many cells
    high, ``~`` a gap with liquid, ``v`` a pit whose bottom takes a gate, ``D`` a wall with a door,
    ``O`` a button, ``P`` one on a floor that takes a gate, ``T`` a timed one, ``r`` a box, ``m``
    one that sends lasers to the right.
    """
    made = Module(name, WIDTH, DEPTH)
    for y, row in zip(range(DEPTH - 1, 0, -1), rows, strict=True):
        for x, sign in enumerate(row, 1):
            _column(made, x, y, sign)
    return made


def _column(made: Module, x: int, y: int, sign: str) -> None:
    floor, top = (x, y, FLOOR), (x, y, HEIGHT - 2)
    if sign in "#D":
        made.fill(floor, top, "#")
    if sign == "D":
        made.cells[floor] = AIR
        made.doors.append(floor)
    if sign.isdigit():
        made.fill(floor, (x, y, FLOOR - 1 + int(sign)), "#")
    if sign == "~":
        made.cells |= {(x, y, FLOOR - 1): AIR, (x, y, FLOOR - 2): LIQUID}
    if sign == "v":
        made.fill((x, y, 1), (x, y, FLOOR - 1), AIR)
        made.add_panel((x, y, 0))
    if sign in "+P":
        made.add_panel((x, y, FLOOR - 1))
    if sign in "OPT":
        made.buttons.append((floor, TICKS if sign == "T" else 0))
    if sign in "rm":
        made.boxes.append((floor, X if sign == "m" else None))


TICKS = 5
"""Of timed buttons."""


def _there_and_back() -> Module:
    """A box has to be fetched from the other side."""
    made = _drawn(
        "there and back",
        "...~~~..#.",
        "...~~~.r#.",
        "...~~~..#.",
        "...~~~..D.",
        ".O.~~~..#.",
        "...~~~..#.",
    )
    made.add_panel((0, 2, FLOOR))
    made.add_panel((7, DEPTH, FLOOR))
    made.key = (Surface((7, DEPTH, FLOOR), TO_FRONT),)
    return made


def _one_box() -> Module:
    """Two doors and one box, which has to fall from the first button into the second half."""
    made = _drawn(
        "one box, two doors",
        "...#...#..",
        "...#...#..",
        ".r.#...#..",
        "...D...D..",
        "...#.O.#..",
        ".P.#...#..",
    )
    made.add_panel((6, DEPTH, FLOOR))
    made.needs = {(8, 3, FLOOR): (0,), (4, 3, FLOOR): (1,)}
    made.key = (Surface((2, 1, FLOOR - 1), UP), Surface((6, DEPTH, FLOOR), TO_FRONT))
    return made


def _catapult() -> Module:
    """A box is needed on the other side, and flies along."""
    made = _drawn(
        "catapult",
        "...~~~..#.",
        "r..~~~..#.",
        "...~~~..#.",
        "..v~~~..D.",
        "...~~~..#.",
        "...~~~O.#.",
    )
    high = (0, 3, 9)
    made.add_panel(high)
    made.key = (Surface(high, X),)
    return made


def _stolen_light() -> Module:
    """The mirror is needed behind the first door, so gates have to send the light there."""
    made = _drawn(
        "stolen light",
        "....#...#.",
        "..m.#...#.",
        "....#...#.",
        "....D...D.",
        "....#...#.",
        "....#...#.",
    )
    made.lasers += [((0, 2, FLOOR), X), ((7, DEPTH, FLOOR), TO_FRONT)]
    made.receivers += [(2, 0, FLOOR), (9, 5, FLOOR)]
    made.add_panel((5, 2, FLOOR))
    made.add_panel((2, DEPTH, FLOOR))
    made.needs = {(5, 3, FLOOR): (0,), (9, 3, FLOOR): (1,)}
    made.key = (Surface((5, 2, FLOOR), BACKWARD), Surface((2, DEPTH, FLOOR), TO_FRONT))
    return made


def _lift() -> Module:
    """A beam has to come out of the floor, and a box has to keep it running."""
    made = _drawn(
        "lift",
        ".....44...",
        "r...+44...",
        ".....44...",
        ".....44...",
        ".O...44...",
        ".....44...",
    )
    made.beams.append(((0, 1, 8), X))
    made.add_panel((6, 1, 8))
    made.needs = {(0, 1, 8): (0,)}
    made.key = (Surface((5, 5, FLOOR - 1), UP), Surface((6, 1, 8), BACKWARD))
    return made


def _load() -> Module:
    """A box has to be carried over a bridge that is not there yet."""
    made = _drawn(
        "load over the bridge",
        "..~~~~..#.",
        "r.~~~~O.#.",
        "..~~~~..#.",
        "..~~~~..D.",
        "..~~~~..#.",
        "..~~~~..#.",
    )
    made.bridges.append(((5, DEPTH, 8), TO_FRONT))
    made.add_panel((5, 0, 8))
    made.add_panel((7, 2, FLOOR - 1))
    made.key = (Surface((5, 0, 8), FORWARD), Surface((7, 2, FLOOR - 1), BACKWARD))
    return made


def _late() -> Module:
    """Return a door that closes soon, a long way off, and a box for its other button."""
    made = _drawn(
        "late",
        "T.####O.#.",
        "..####..#.",
        "..####..#.",
        "..####..D.",
        "..####..#.",
        "r.......#.",
    )
    made.add_panel((1, DEPTH, FLOOR))
    made.add_panel((9, 5, FLOOR))
    made.key = (Surface((9, 5, FLOOR), BACKWARD),)
    return made


def _stair() -> Module:
    """The box on the button is the stair to the other box."""
    made = _drawn(
        "the stair is the weight",
        ".....22.#.",
        ".....22.#.",
        "....O22.#.",
        ".....22.D.",
        "r....22.#.",
        ".....22O#.",
    )
    made.boxes.append(((6, 5, FLOOR + 2), None))
    made.key = (Surface((5, 4, FLOOR - 1), UP),)
    return made


ROOMS: Mapping[str, Callable[[], Module]] = {
    "back": _there_and_back,
    "one": _one_box,
    "fling": _catapult,
    "light": _stolen_light,
    "lift": _lift,
    "load": _load,
    "late": _late,
    "stair": _stair,
}
"""What each is called in chains."""
