r"""Cubes of a file, as suites of one's own and the headers of runs have them.

A cube is one object::

    {"pieces": ["..#../.####/...", ...], "places": "A: (Top, 3, 2)\n...", "missing": "AB"}

``pieces`` are six, drawn with ``#`` and ``.``, rows from the top parted by ``/``; of the task
perception there is one, and nothing else. ``places`` puts the cube together, and ``missing`` names
the pieces that are asked for; the others are given.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bridge.items.given import GivenItems
from pysim.errors import InputError
from pysim.families.jigsaw.faces import SIDE, Edge, Seat, ShellFace
from pysim.families.jigsaw.shell import PieceRows
from pysim.field_types import Json
from pysim.limits import quote

__all__ = ["LETTERS", "AskedCube", "GivenCubes", "read_cube", "read_places", "write_cube"]

LETTERS = "ABCDEF"
_PLACE = re.compile(r"([A-F]) *: *\(([A-Za-z]+) *, *([1-4]) *, *([1-4])\)")
_MIDDLE = range(1, SIDE - 1)


@dataclass(frozen=True, slots=True)
class AskedCube:
    """A cube in pieces.

    Attributes:
        pieces: as they are drawn; A is the first.
        places: where each was before the cube was taken apart.
        missing: numbers of the pieces that are to be placed, ascending; the others are given.
    """

    pieces: tuple[PieceRows, ...]
    places: tuple[Seat, ...]
    missing: tuple[int, ...]

    @property
    def given(self) -> dict[int, Seat]:
        """Number of a piece -> where it is."""
        return {i: place for i, place in enumerate(self.places) if i not in self.missing}


def write_cube(cube: AskedCube) -> dict[str, Json]:
    """Return a cube as an object."""
    pieces: list[Json] = ["/".join(rows) for rows in cube.pieces]
    if not cube.places:
        return {"pieces": pieces}
    places = "\n".join(
        f"{LETTERS[i]}: ({seat.face}, {seat.left.number}, {seat.top.number})"
        for i, seat in enumerate(cube.places)
    )
    missing = "".join(LETTERS[i] for i in cube.missing)
    return {"pieces": pieces, "places": places, "missing": missing}


def read_cube(document: object) -> AskedCube:
    """Read a cube; what it says is checked, whether it closes is not.

    Raises:
        InputError: it is damaged.
    """
    if not isinstance(document, Mapping) or not isinstance(document.get("pieces"), list):
        raise InputError("a cube is an object with a list of pieces")
    pieces = tuple(map(_read_piece, document["pieces"]))
    if len(pieces) == 1:
        return AskedCube(pieces, (), (0,))
    if len(pieces) != len(LETTERS):
        raise InputError(f"a cube has six pieces, not {len(pieces)}")
    places = read_places(document.get("places"))
    missing = document.get("missing")
    if set(places) != set(range(6)) or not isinstance(missing, str):
        raise InputError("a cube has a place for each of A to F, and the letters that are missing")
    asked = tuple(sorted(LETTERS.index(letter) for letter in missing if letter in LETTERS))
    if not asked or len(set(missing)) != len(missing) or len(asked) != len(missing):
        raise InputError(f"missing pieces are letters from A to F, once each, not {quote(missing)}")
    return AskedCube(pieces, tuple(places[i] for i in range(6)), asked)


def _read_piece(drawn: object) -> PieceRows:
    rows = tuple(drawn.split("/")) if isinstance(drawn, str) else ()
    if len(rows) != SIDE or any(len(row) != SIDE or set(row) - set("#.") for row in rows):
        raise InputError(f"a piece is 5 rows of 5 cells, # or ., not {quote(drawn)}")
    if any(rows[r][c] != "#" for r in _MIDDLE for c in _MIDDLE):
        raise InputError(f"the middle 3 x 3 cells of a piece are filled, unlike {quote(drawn)}")
    return rows


def read_places(text: object) -> dict[int, Seat]:
    """Read lines like ``A: (Top, 3, 2)``: piece by number -> where it goes.

    Raises:
        InputError: a piece is named twice, a face is unknown, or two edges share no corner.
    """
    if not isinstance(text, str):
        raise InputError(f"places are written 'A: (Top, 3, 2)', not {quote(text)}")
    found: dict[int, Seat] = {}
    for letter, face, left, top in _PLACE.findall(text):
        edges = Edge.from_number(int(left)), Edge.from_number(int(top))
        if face.capitalize() not in list(ShellFace) or not edges[0].is_beside(edges[1]):
            raise InputError(f"{letter}: ({face}, {left}, {top}) is no place of a piece")
        if LETTERS.index(letter) in found:
            raise InputError(f"piece {letter} has two places")
        found[LETTERS.index(letter)] = Seat(ShellFace(face.capitalize()), *edges)
    return found


class GivenCubes(GivenItems[AskedCube]):
    """The cubes of a suite of one's own."""

    key = "cubes"

    @staticmethod
    def write(entry: AskedCube) -> dict[str, Json]:
        """Return a cube as an object."""
        return write_cube(entry)

    @staticmethod
    def read(document: object) -> AskedCube:
        """Read a cube, see :func:`read_cube`."""
        return read_cube(document)
