"""Cubes as text: 54 letters in several orders, and a net.

- ``drawn``: CubeBench's observations, faces U L F R D B, each row by row as the unfolded cross is
  drawn in which B hangs below D. B has D above it there, so that its letters run from its end.
- ``environment``: the order of level files and features, faces U L F R D B, each row by row with B
  beyond R, so that U is above it.
- ``environment-rows``: the same, with the middle band L F R in the rows of the cross.
- ``solver``: faces U R F D L B, each row by row, as Kociemba's solvers read them.

Letters are those of colours, W R G Y O B, or those of faces, U R F D L B. Of what other programs
write the order is found out, and colours are told by the six centres alone: a cube in another
colour scheme is the same cube, painted otherwise.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from pysim.errors import InputError
from pysim.families.rubik.cube import CORNER_FACELETS, EDGE_FACELETS, Cube, index_cubies
from pysim.families.rubik.faces import FACELETS, Face
from pysim.families.rubik.validity import Defect, InvalidCube, check_cube

__all__ = [
    "Letters",
    "Order",
    "ReadCubes",
    "convert",
    "draw_net",
    "format_cube",
    "list_positions",
    "parse_cube",
    "read_letters",
    "read_net",
    "restore_cube",
]


class Order(StrEnum):
    """In which order the 54 facelets are written."""

    DRAWN = "drawn"
    ENVIRONMENT = "environment"
    ENVIRONMENT_ROWS = "environment-rows"
    SOLVER = "solver"


class Letters(StrEnum):
    """By which letters facelets are written."""

    COLOURS = "colours"
    FACES = "faces"

    def get(self, face: Face) -> str:
        """Return the letter for the colour of a face."""
        return face.letter if self is Letters.COLOURS else face.value


@cache
def list_positions(order: Order) -> tuple[int, ...]:
    """The number of the facelet (see :mod:`pysim.families.rubik.faces`) at each place of a text."""
    if order is Order.SOLVER:
        return tuple(range(FACELETS))
    if order is Order.DRAWN:
        return (
            *(number for letter in "ULFRD" for number in _of_face(letter)),
            *_of_face("B")[::-1],
        )
    if order is Order.ENVIRONMENT:
        return tuple(number for letter in "ULFRDB" for number in _of_face(letter))
    band = (9 * Face(f).number + 3 * row + k for row in range(3) for f in "LFR" for k in range(3))
    return (*_of_face("U"), *band, *_of_face("D"), *_of_face("B"))


def _of_face(letter: str) -> range:
    start = 9 * Face(letter).number
    return range(start, start + 9)


def format_cube(
    cube: Cube, order: Order = Order.ENVIRONMENT, letters: Letters = Letters.COLOURS
) -> str:
    """Return the 54 letters of a cube."""
    home, there = _home_letters(letters), cube.list_facelets()
    return "".join([home[there[position]] for position in list_positions(order)])


@cache
def _home_letters(letters: Letters) -> str:
    """Return the letter of each facelet of the solved cube, by its number."""
    return "".join(letters.get(_face(number)) for number in range(FACELETS))


def parse_cube(
    text: str, order: Order = Order.ENVIRONMENT, letters: Letters = Letters.COLOURS
) -> Cube:
    """Return the cube that 54 letters describe; the inverse of :func:`format_cube`.

    Raises:
        InvalidCube: colours or cubies are there too often, or no turns lead to this cube.
        InputError: it is not 54 of the letters.
    """
    known = {letters.get(face): face for face in Face}
    if len(text) != FACELETS:
        raise InputError(f"a cube is written with {FACELETS} letters, not {len(text)}")
    strange = sorted(set(text) - set(known))
    if strange:
        raise InputError(f"a cube is written with {' '.join(known)}, not {strange[0]!r}")
    colours: list[Face] = [Face.U] * FACELETS
    for letter, position in zip(text, list_positions(order), strict=True):
        colours[position] = known[letter]
    _check_colours(colours, letters)
    return check_cube(_cubies(colours, letters))


def restore_cube(text: str) -> Cube:
    """Return the cube that :func:`format_cube` has written in its usual order, without checks."""
    corners, edges = _list_readings()
    return Cube.from_cubies(
        [known[text[a] + text[b] + text[c]] for (a, b, c), known in corners],
        [known[text[a] + text[b]] for (a, b), known in edges],
    )


_Readings = list[tuple[tuple[int, ...], dict[str, tuple[int, int]]]]


@cache
def _list_readings() -> tuple[_Readings, _Readings]:
    """Return for each slot the places of its letters, and the cubies by these."""
    places = {number: k for k, number in enumerate(list_positions(Order.ENVIRONMENT))}

    def list_slots(slots: tuple[tuple[int, ...], ...]) -> _Readings:
        letters = {
            "".join(face.letter for face in seen): cubie
            for seen, cubie in _index_by_colours(slots).items()
        }
        return [(tuple(places[number] for number in slot), letters) for slot in slots]

    return list_slots(CORNER_FACELETS), list_slots(EDGE_FACELETS)


def convert(text: str, source: Order, target: Order) -> str:
    """Return the same 54 letters in another order; what they mean is not looked at.

    Raises:
        InputError: there are not 54.
    """
    if len(text) != FACELETS:
        raise InputError(f"a cube is written with {FACELETS} letters, not {len(text)}")
    by_number = dict(zip(list_positions(source), text, strict=True))
    return "".join(by_number[number] for number in list_positions(target))


def draw_net(cube: Cube, letters: Letters = Letters.COLOURS) -> str:
    """Return the unfolded cross, 9 lines: U, then L F R B side by side, then D."""
    text = format_cube(cube, Order.SOLVER, letters)

    def row(face: str, k: int) -> str:
        start = 9 * Face(face).number + 3 * k
        return " ".join(text[start : start + 3])

    indent = " " * 6
    upper, lower = ([indent + row(face, k) for k in range(3)] for face in "UD")
    middle = [" ".join(row(face, k) for face in "LFRB") for k in range(3)]
    return "\n".join([*upper, *middle, *lower])


def _check_colours(colours: list[Face], letters: Letters) -> None:
    counts = Counter(colours)
    wrong = [f"{letters.get(f)} is there {counts[f]} times" for f in Face if counts[f] != 9]
    if wrong:
        raise InvalidCube((Defect.COUNT,), f"each colour is there 9 times, but {', '.join(wrong)}")
    for face in Face:
        centre = colours[9 * face.number + 4]
        if centre is not face:
            raise InvalidCube(
                (Defect.COUNT,),
                f"the centre of face {face} is {letters.get(face)}, not {letters.get(centre)}",
            )


def _cubies(colours: list[Face], letters: Letters) -> Cube:
    """Return the cubies that show these colours; some may be there twice.

    Raises:
        InvalidCube: no cubie shows the colours of some slot.
    """

    def cubies(slots: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, int]]:
        known = _index_by_colours(slots)
        for slot in slots:
            seen = tuple([colours[number] for number in slot])
            if seen not in known:
                shown, home = "".join(map(letters.get, seen)), "".join(map(_face, slot))
                message = f"no cubie shows {shown}, as at {home}"
                raise InvalidCube((Defect.COUNT,), message)
            yield known[seen]

    return Cube.from_cubies(cubies(CORNER_FACELETS), cubies(EDGE_FACELETS))


@cache
def _index_by_colours(
    slots: tuple[tuple[int, ...], ...],
) -> Mapping[tuple[Face, ...], tuple[int, int]]:
    """Return the cubies by the colours of their stickers; see :func:`index_cubies`."""
    return index_cubies([[_face(number) for number in slot] for slot in slots])


def _face(facelet: int) -> Face:
    return list(Face)[facelet // 9]


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
    drawn, rows = list_positions(Order.DRAWN), list_positions(Order.ENVIRONMENT_ROWS)
    return {
        "drawn": drawn,
        "environment": list_positions(Order.ENVIRONMENT),
        "drawn-rows": (*rows[: FACELETS - 9], *drawn[FACELETS - 9 :]),
        "environment-rows": rows,
        "solver": list_positions(Order.SOLVER),
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
