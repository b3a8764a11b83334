"""All ways to put six pieces together, as an exact cover: cells and pieces are columns.

A row is a piece in a placement. The 24 rotations of the cube and their mirror images are the 48
placements of one piece: pieces are flat, so that a mirrored cube is made of the same pieces, each
turned over. One piece is therefore held still, and every assembly is found once, not 48 times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial

from pysim.families.jigsaw.faces import Seat, ShellFace, list_seats, map_cell
from pysim.families.jigsaw.shell import CELLS, PieceRows, list_numbers, mask_of
from pysim.search.exact_cover import CoverMatrix, CoverSearch

__all__ = ["Placing", "Placings", "count_assemblies", "list_images", "search_space", "solve"]

MAX_COVERS = 200_000
"""Covers after which a search gives up: only pieces without teeth come near it."""


@dataclass(frozen=True)
class Placing:
    """Pieces that are to be placed.

    Attributes:
        pieces: all six, as they are drawn.
        given: number of a piece -> where it is already.
        flips: whether a piece that is not given may be turned over.
    """

    pieces: tuple[PieceRows, ...]
    given: Mapping[int, Seat]
    flips: bool = True

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the pieces that are not given."""
        return tuple(i for i in range(len(self.pieces)) if i not in self.given)

    @property
    def open(self) -> tuple[ShellFace, ...]:
        """The faces without a given piece."""
        taken = {place.face for place in self.given.values()}
        return tuple(face for face in ShellFace if face not in taken)

    @property
    def placements(self) -> tuple[Seat, ...]:
        """Placements of a missing piece."""
        free = set(self.open)
        return tuple(p for p in list_seats() if p.face in free and (self.flips or not p.flipped))

    @property
    def answers(self) -> int:
        """Number of answers: ``k! * 8^k`` for k pieces, or ``k! * 4^k`` without flips."""
        count = len(self.missing)
        return int(factorial(count) * (8 if self.flips else 4) ** count)


@dataclass(frozen=True, slots=True)
class Placings:
    """Result of a search.

    Attributes:
        found: for each solution the pieces' placements, in order. Without given pieces one piece is
            held still, and each stands for ``copies``; a symmetric piece has placements in which it
            covers the same, and these count each.
        copies: 48, or 24 without flips, where nothing was given; else 1.
        nodes: rows that the search tried.
        complete: whether there are no more.
    """

    found: tuple[tuple[Seat, ...], ...]
    copies: int
    nodes: int
    complete: bool

    @property
    def right(self) -> int:
        """Number of right answers."""
        return self.copies * len(self.found)


def solve(question: Placing, most: int = MAX_COVERS) -> Placings:
    """Return all right answers."""
    given = dict(question.given)
    copies = 1
    if not given:
        given = {0: list_seats()[0]}
        copies = 48 if question.flips else 24
    rows = list(given.items())
    fixed = Placing(question.pieces, given, question.flips)
    rows += [(piece, place) for piece in fixed.missing for place in fixed.placements]
    search = CoverSearch(_matrix(question.pieces, rows))
    result = search.run(max_covers=most)
    found = tuple(tuple(p for _, p in sorted(rows[i] for i in cover)) for cover in result)
    return Placings(found, copies, result.nodes, result.exhausted)


def count_assemblies(pieces: Sequence[PieceRows], found: Sequence[Sequence[Seat]]) -> int:
    """Count the solutions that differ even if the whole cube is turned or mirrored.

    Pieces of one shape may be exchanged.
    """
    masks = {
        frozenset(mask_of(rows, place) for rows, place in zip(pieces, places, strict=True))
        for places in found
    }
    return len(masks) if len(masks) < 2 else len({_least(one) for one in masks})


def search_space(missing: int, *, flips: bool) -> int:
    """The size of the search space (MARBLE, figure 7): all six pieces up to the 24 rotations."""
    size = factorial(missing) * (8 if flips else 4) ** missing
    return int(size // 24 if missing == len(ShellFace) else size)


def list_images(mask: int) -> tuple[int, ...]:
    """List the images of a mask in the 24 rotations of the cube and their mirror images."""
    bits = list_numbers(mask)
    return tuple(sum(1 << image[bit] for bit in bits) for image in _images())


def _least(masks: frozenset[int]) -> tuple[int, ...]:
    turned = [list_images(mask) for mask in masks]
    return min(tuple(sorted(image)) for image in zip(*turned, strict=True))


@cache
def _images() -> tuple[tuple[int, ...], ...]:
    """Return the images of each cell, for each of the 48 symmetries."""
    number = {cell: k for k, cell in enumerate(CELLS)}
    return tuple(tuple(number[map_cell(cell, whole)] for cell in CELLS) for whole in list_seats())


def _matrix(pieces: Sequence[PieceRows], rows: Sequence[tuple[int, Seat]]) -> CoverMatrix:
    """Columns are the cells, then the pieces; each face is used once because of its middle."""
    columns = ([*list_numbers(mask_of(pieces[i], place)), len(CELLS) + i] for i, place in rows)
    return CoverMatrix.from_rows(columns, len(CELLS) + len(pieces))
