"""The surface of the cube as bits, one for each of its 98 cells, and what pieces cover of it."""

from functools import cache, lru_cache
from itertools import product

from pysim.families.jigsaw.faces import LAST, SIDE, Edge, Seat, ShellFace, list_seats
from pysim.geometry import Cell

__all__ = [
    "CELLS",
    "FULL",
    "PieceRows",
    "find_side",
    "list_cells",
    "list_faces",
    "list_masks",
    "list_numbers",
    "locate_on_faces",
    "mask_of",
    "normalize_seat",
]

PieceRows = tuple[str, ...]
"""(5,) texts of 5 characters: a piece as it is drawn, from the top; ``#`` is filled, ``.`` not."""

CELLS: tuple[Cell, ...] = tuple(
    (x, y, z) for x, y, z in product(range(SIDE), repeat=3) if {0, LAST} & {x, y, z}
)
"""The cells of the surface, in order; bit ``k`` of a mask is the cell ``CELLS[k]``."""
FULL = (1 << len(CELLS)) - 1
_NUMBER = {cell: number for number, cell in enumerate(CELLS)}


@lru_cache(maxsize=1 << 14)
def mask_of(rows: PieceRows, place: Seat) -> int:
    """Return the bits of the cells that a piece covers."""
    mask = 0
    for row, column, bit in _spots(place):
        if rows[row][column] == "#":
            mask |= bit
    return mask


@cache
def _spots(place: Seat) -> tuple[tuple[int, int, int], ...]:
    """Row and column of the piece, and the bit of the cell where they get."""
    return tuple(
        (*place.find_source(row, column), 1 << _NUMBER[place.face.locate_cell(row, column)])
        for row, column in product(range(SIDE), repeat=2)
    )


@lru_cache(maxsize=1 << 10)
def list_masks(rows: PieceRows) -> dict[int, Seat]:
    """List the masks that a piece can cover, with the first placement for each."""
    found: dict[int, Seat] = {}
    for place in list_seats():
        found.setdefault(mask_of(rows, place), place)
    return found


def normalize_seat(rows: PieceRows, place: Seat) -> Seat:
    """Return the first placement in which a piece covers the same: pieces may be symmetric."""
    return list_masks(rows)[mask_of(rows, place)]


def list_numbers(mask: int) -> tuple[int, ...]:
    """Return the numbers of the cells of a mask, ascending."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return tuple(found)


def list_cells(mask: int) -> tuple[Cell, ...]:
    """Return the cells of a mask, in order."""
    return tuple(CELLS[number] for number in list_numbers(mask))


@cache
def locate_on_faces(cell: Cell) -> dict[ShellFace, tuple[int, int]]:
    """Return the faces to which a cell belongs, with its row and column in the view of each."""
    return {
        face: (row, column)
        for face in ShellFace
        for row, column in product(range(SIDE), repeat=2)
        if face.locate_cell(row, column) == cell
    }


def list_faces(cell: Cell) -> tuple[ShellFace, ...]:
    """Return the faces to which a cell belongs: one, two along an edge, three in a corner."""
    return tuple(locate_on_faces(cell))


def find_side(face: ShellFace, other: ShellFace) -> Edge:
    """On which side of the view of a face another one adjoins.

    Raises:
        KeyError: they don't.
    """
    sides = {
        face.right.opposite: Edge.LEFT,
        face.down.opposite: Edge.TOP,
        face.right: Edge.RIGHT,
        face.down: Edge.BOTTOM,
    }
    return sides[other.outward]
