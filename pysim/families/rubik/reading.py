"""Cubes as other programs write them: 54 letters in an order that is to be found out, and nets.

Colours are told apart by the six centres alone: a cube in another colour scheme is the same cube,
painted otherwise.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pysim.errors import InputError
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.faces import FACELETS, Face
from pysim.families.rubik.strings import Letters, Order, parse_cube, positions

__all__ = ["ReadCubes", "read_letters", "read_net"]

_CENTRE = 4
_STANDARD = "".join(face.letter for face in Face)
_TOKEN = re.compile(r"[A-Za-z]+")
_NET = (3, 3, 3, 12, 12, 12, 3, 3, 3)
"""Stickers in the rows of a net."""


@dataclass(frozen=True, slots=True)
class ReadCubes:
    """Cubes that were read from letters.

    Attributes:
        cubes: in order.
        order: the name of the order in which all of them are cubes.
        scheme: the letters of the centres, in the order U R F D L B.
    """

    cubes: tuple[Cube, ...]
    order: str
    scheme: str

    @property
    def is_repainted(self) -> bool:
        """Whether the centres have other colours than Luban's."""
        return self.scheme not in (_STANDARD, "URFDLB")


@cache
def _orders() -> Mapping[str, tuple[int, ...]]:
    """Return the number of the facelet at each place of a text, by the order's name."""
    drawn, rows = positions(Order.DRAWN), positions(Order.ENVIRONMENT_ROWS)
    return {
        "drawn": drawn,
        "environment": positions(Order.ENVIRONMENT),
        "drawn-rows": (*rows[: FACELETS - 9], *drawn[FACELETS - 9 :]),
        "environment-rows": rows,
        "solver": positions(Order.SOLVER),
    }


def read_letters(texts: Sequence[str]) -> ReadCubes:
    """Read cubes of 54 letters each, all in one order, which is the first in which all are cubes.

    Raises:
        InputError: a text is no cube in any order, or there is no one order for all.
    """
    texts = ["".join(text.split()) for text in texts]
    for number, text in enumerate(texts, 1):
        if len(text) != FACELETS or not (text.isascii() and text.isalpha()):
            raise InputError(
                f"state {number}: a cube is written with 54 letters, not {text[:60]!r}"
            )
    found = [read for name in _orders() if (read := _read_all(texts, name)) is not None]
    if not found:
        raise InputError(_no_order(texts))
    return next((read for read in found if not read.is_repainted), found[0])


def _read_all(texts: Sequence[str], name: str) -> ReadCubes | None:
    try:
        cubes = [_read(text.upper(), _orders()[name]) for text in texts]
    except InputError:
        return None
    return ReadCubes(tuple(cube for cube, _ in cubes), name, cubes[0][1])


def _read(text: str, order: Sequence[int]) -> tuple[Cube, str]:
    """Return a cube, and the letters of its centres."""
    by_number = dict(zip(order, text, strict=True))
    return _by_centres([by_number[number] for number in range(FACELETS)])


def _by_centres(tokens: Sequence[str]) -> tuple[Cube, str]:
    """Return the cube of 54 stickers in the solver's order, and the stickers of its centres."""
    centres = [tokens[9 * face.number + _CENTRE] for face in Face]
    names = dict(zip(centres, Face, strict=True))
    if len(names) < len(centres):
        raise InputError(f"its six centres are {' '.join(centres)}: two of them are alike")
    strange = next((token for token in tokens if token not in names), None)
    if strange is not None:
        raise InputError(f"no centre has the colour {strange[:20]!r}")
    text = "".join(names[token].value for token in tokens)
    return parse_cube(text, Order.SOLVER, Letters.FACES), "".join(centres)


def _no_order(texts: Sequence[str]) -> str:
    for number, text in enumerate(texts, 1):
        if all(_read_all([text], name) is None for name in _orders()):
            known = ", ".join(_orders())
            return f"state {number}: {text[:60]!r} is no cube in any of the orders {known}"
    return "each state is a cube in some order, but there is no one order for all of them"


def read_net(text: str) -> ReadCubes:
    """Read an unfolded net: U, then L F R B side by side, then D, in nine rows of names.

    Stickers are words or letters, with brackets or blanks between.

    Raises:
        InputError: it is no such net, or no cube.
    """
    rows = [_TOKEN.findall(line.lower()) for line in text.splitlines() if line.strip()]
    if tuple(map(len, rows)) != _NET:
        counts = " ".join(str(len(row)) for row in rows[:12])
        raise InputError(f"a net has rows of 3 3 3 12 12 12 3 3 3 stickers, not {counts or 'none'}")
    bands = {"U": 0, "L": 0, "F": 3, "R": 6, "B": 9, "D": 0}
    tops = {"U": 0, "D": 6}
    tokens = [
        token[:1].upper()
        for face in Face
        for row in range(3)
        for token in rows[tops.get(face, 3) + row][bands[face] : bands[face] + 3]
    ]
    cube, scheme = _by_centres(tokens)
    return ReadCubes((cube,), "net", scheme)
