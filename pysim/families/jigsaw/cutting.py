"""Cutting a cube into six pieces at random, as MARBLE does (section 3.2, data generation).

The middle 3 x 3 cells of each face belong to it; every other cell goes to one of the faces that
meet there, evenly: to one of two along an edge, of three in a corner. Then the pieces are shuffled,
and each is drawn the way it comes to lie: turned at random, and turned over at random if it may be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from pysim.families.jigsaw.faces import SIDE, Seat, ShellFace, list_seats
from pysim.families.jigsaw.puzzle import make_shape
from pysim.families.jigsaw.shell import CELLS, PieceRows, list_faces

__all__ = ["Cut", "cut_cube", "draw_rows"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Six pieces, and the way they came out of the cube.

    Attributes:
        pieces: in the shuffled order, as they are drawn.
        places: where each was.
    """

    pieces: tuple[PieceRows, ...]
    places: tuple[Seat, ...]

    @property
    def whole(self) -> bool:
        """Whether every piece is in one part, its cells joined by sides."""
        return all(make_shape(rows).is_connected for rows in self.pieces)


def cut_cube(random: Random, *, flipped: bool) -> Cut:
    """Return six pieces of a cube.

    Args:
        flipped: whether pieces are turned over at random before they are drawn; if not, each is
            drawn as it is seen from outside, turned by quarters only.
    """
    owner = {cell: random.choice(list_faces(cell)) for cell in CELLS}
    views = {face: _view(face, owner) for face in ShellFace}
    faces = list(ShellFace)
    random.shuffle(faces)
    places = tuple(random.choice(_ways_to_lie(face, flipped)) for face in faces)
    return Cut(tuple(draw_rows(views[place.face], place) for place in places), places)


def draw_rows(view: Sequence[str], place: Seat) -> PieceRows:
    """Draw a piece so that it looks like ``view`` when it is placed."""
    drawn = [["."] * SIDE for _ in range(SIDE)]
    for row, column in product(range(SIDE), repeat=2):
        r, c = place.find_source(row, column)
        drawn[r][c] = view[row][column]
    return tuple(map("".join, drawn))


def _view(face: ShellFace, owner: dict[tuple[int, int, int], ShellFace]) -> PieceRows:
    """Return the part of a face that belongs to it, seen from outside."""
    return tuple(
        "".join(
            "#" if owner[face.locate_cell(row, column)] is face else "." for column in range(SIDE)
        )
        for row in range(SIDE)
    )


@cache
def _ways_to_lie(face: ShellFace, flipped: bool) -> tuple[Seat, ...]:
    return tuple(p for p in list_seats() if p.face is face and (flipped or not p.flipped))
