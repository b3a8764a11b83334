"""The forms of answers: placements ``A: (Face, LeftEdge, TopEdge)``, and a piece as an array."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bridge.benches.mcube.cubes import LETTERS
from pysim.families.jigsaw.faces import LAST, SIDE, Edge, Seat, ShellFace, list_seats
from pysim.families.jigsaw.fitting import is_cube
from pysim.families.jigsaw.shell import PieceRows, mask_of

__all__ = ["ArrayForm", "Fits", "PlacementForm", "Placements", "complete_placements"]

Placements = tuple[tuple[int, Seat], ...]
"""Numbers of pieces with their placements, ascending."""

_FACE = "|".join(face.value for face in ShellFace)
_LINE = re.compile(
    rf"(?<![^\W_])([A-F])[^\w\n]*:[^\w\n(]*\(\W*({_FACE})\W*,\W*([1-4])\W*,\W*([1-4])\W*\)",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class PlacementForm:
    """A line for each piece, as in MARBLE: ``A: (Top, 3, 2)``.

    A text may hold more: of several lines for a piece the last one counts. It can't be read if a
    piece that is missing has none, or if its two edges share no corner.

    Attributes:
        missing: the numbers of the pieces that are asked for.
        faces: those that are free, where placements are drawn.
        flips: whether placements are drawn in which a piece is turned over.
    """

    missing: tuple[int, ...]
    faces: tuple[ShellFace, ...]
    flips: bool

    def parse(self, text: str) -> Placements | None:
        """Return the placements, of given pieces too if they are named."""
        found = {}
        for letter, face, left, top in _LINE.findall(text):
            edges = Edge.from_number(int(left)), Edge.from_number(int(top))
            found[LETTERS.index(letter.upper())] = Seat(ShellFace(face.capitalize()), *edges)
        named = set(self.missing) <= set(found)
        if not named or any(not place.left.is_beside(place.top) for place in found.values()):
            return None
        return tuple(sorted(found.items()))

    def format(self, answer: Placements) -> str:
        """Return a line for each piece."""
        return "\n".join(
            f"{LETTERS[i]}: ({place.face}, {place.left.number}, {place.top.number})"
            for i, place in answer
        )

    def draw(self, random: Random) -> Placements:
        """Each missing piece on one of the free faces, no two on the same, turned at random."""
        faces = random.sample(self.faces, len(self.missing))
        ways = [p for p in list_seats() if self.flips or not p.flipped]
        drawn = (random.choice([p for p in ways if p.face is face]) for face in faces)
        return tuple(zip(self.missing, drawn, strict=True))


@dataclass(frozen=True)
class Fits:
    """The validator as a key: right is what makes the cube with the given pieces where they are.

    Attributes:
        pieces: all six, as they are drawn.
        given: number of a piece and where it is.
    """

    pieces: tuple[PieceRows, ...]
    given: Placements

    @property
    def name(self) -> str:
        """Tells it apart."""
        drawn = " ".join("/".join(rows) for rows in self.pieces)
        given = " ".join(f"{i}:{p.face}:{p.left.number}{p.top.number}" for i, p in self.given)
        return f"fits {drawn} {given or 'nothing given'}"

    def accepts(self, answer: Placements) -> bool:
        """Return whether the cube is whole and no given piece is elsewhere."""
        places = complete_placements(self.pieces, self.given, answer)
        return places is not None and is_cube(self.pieces, places)


def complete_placements(
    pieces: tuple[PieceRows, ...], given: Placements, answer: Placements
) -> tuple[Seat, ...] | None:
    """Place every piece after an answer; None if it moves a given piece or leaves one out.

    A symmetric given piece may be named in another placement in which it covers the same.
    """
    places: dict[int, Seat] = dict(answer)
    for i, place in given:
        if mask_of(pieces[i], places.get(i, place)) != mask_of(pieces[i], place):
            return None
        places[i] = place
    return tuple(places[i] for i in sorted(places)) if len(places) == len(pieces) else None


_ROW = re.compile(r"(?<![\w.])" + r"[ \t]*,?[ \t]*".join(["([01])"] * SIDE) + r"(?![\w.])")
_BETWEEN = re.compile(r"""[\s\[\](){},;:'"`|*-]*""")


@dataclass(frozen=True, slots=True)
class ArrayForm:
    """A piece as 5 rows of 5 numbers, 1 where it is filled: nested lists, or rows of digits.

    Of several arrays, set apart by other text, the last one counts, even if it has not 5 rows.
    """

    def parse(self, text: str) -> PieceRows | None:
        """Return the last array."""
        found = list(_blocks(text))
        return found[-1] if found and len(found[-1]) == SIDE else None

    def format(self, answer: PieceRows) -> str:
        """Nested lists, a row in a line."""
        rows = (", ".join("1" if cell == "#" else "0" for cell in row) for row in answer)
        return "[" + ",\n ".join(f"[{row}]" for row in rows) + "]"

    def draw(self, random: Random) -> PieceRows:
        """Return a piece: the middle filled, every other cell filled or not."""
        inner = range(1, LAST)
        return tuple(
            "".join(
                "#" if row in inner and column in inner else random.choice("#.")
                for column in range(SIDE)
            )
            for row in range(SIDE)
        )


def _blocks(text: str) -> Iterator[PieceRows]:
    """Yield rows that follow each other with nothing but brackets, commas and the like between."""
    rows: list[str] = []
    end = 0
    for found in _ROW.finditer(text):
        if rows and not _BETWEEN.fullmatch(text, end, found.start()):
            yield tuple(rows)
            rows = []
        rows.append("".join("#" if digit == "1" else "." for digit in found.groups()))
        end = found.end()
    if rows:
        yield tuple(rows)
