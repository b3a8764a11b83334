"""The data of a packing puzzle: a box, and the pieces that fill it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pysim.errors import InputError
from pysim.families.packing.grid import Spot, get_block, list_spots
from pysim.families.packing.table import Tabletop
from pysim.geometry import IDENTITY, Bounds, Cell, Direction, Voxels
from pysim.geometry.resting import is_stable
from pysim.limits import quote
from pysim.options import is_whole
from pysim.restoring import build_unchecked
from pysim.scene import Colour

__all__ = [
    "MAX_CELLS",
    "MAX_SIDE",
    "Packing",
    "Piece",
    "check_size",
    "read_packing",
    "restore_packing",
    "write_packing",
]

MAX_SIDE = 8
MAX_CELLS = 128
"""Cells of the largest box."""
_EXIT_ORDER = sorted(Direction, key=lambda side: side is not Direction.PLUS_Z)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece.

    Attributes:
        colour: its public name.
        shape: its cells as it is drawn, with the low corner of the bounds at the origin.
    """

    colour: Colour
    shape: Voxels


@dataclass(frozen=True)
class Packing:
    """A box to be filled.

    Attributes:
        size: cells along x, y and z; the lowest cell is (0, 0, 0).
        pieces: in a fixed order; together they have as many cells as the box.
        gravity: whether what is put into the box has to be supported; else it stays in the air.
        open: the sides without a wall, through which pieces come and go.
    """

    size: Cell
    pieces: tuple[Piece, ...]
    gravity: bool = True
    open: frozenset[Direction] = frozenset({Direction.PLUS_Z})

    def __post_init__(self) -> None:
        check_size(self.size)
        if not self.open:
            raise InputError("a box needs an open side")
        _check_pieces(self.size, self.pieces)

    @cached_property
    def index(self) -> dict[Colour, int]:
        """Colour -> place of the piece in :attr:`pieces`."""
        return {piece.colour: i for i, piece in enumerate(self.pieces)}

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Public names of the pieces, in order."""
        return tuple(piece.colour for piece in self.pieces)

    @property
    def block(self) -> Bounds:
        """The cells of the box."""
        return get_block(self.size)

    @property
    def full(self) -> int:
        """The bits of all cells of the box."""
        return (1 << (self.size[0] * self.size[1] * self.size[2])) - 1

    @property
    def exits(self) -> tuple[Direction, ...]:
        """The open sides, the top first."""
        return tuple(sorted(self.open, key=_EXIT_ORDER.index))

    @cached_property
    def spots(self) -> tuple[Mapping[int, Spot], ...]:
        """For each piece, cells -> the spot."""
        return tuple(
            {spot.mask: spot for spot in list_spots(self.size, piece.shape)}
            for piece in self.pieces
        )

    @cached_property
    def table(self) -> Tabletop:
        """Places of loose pieces."""
        shapes = tuple(piece.shape for piece in self.pieces)
        return Tabletop(shapes, self.block, Direction.MINUS_Z in self.open)


def check_size(size: Sequence[int]) -> None:
    """Refuse a box that no puzzle is made for.

    Raises:
        InputError: a side below 1 or above ``MAX_SIDE``, fewer than 4 cells or more than
            ``MAX_CELLS``.
    """
    name = "x".join(map(quote, size))
    if len(size) != 3 or not all(1 <= side <= MAX_SIDE for side in size):
        raise InputError(f"a box has three sides of 1 to {MAX_SIDE} cells, unlike {name}")
    cells = size[0] * size[1] * size[2]
    if not 4 <= cells <= MAX_CELLS:
        raise InputError(f"a box has 4 to {MAX_CELLS} cells; {name} has {cells}")


def _check_pieces(size: Cell, pieces: Sequence[Piece]) -> None:
    if len(pieces) < 2:
        raise InputError("a box is filled with two pieces or more")
    colours = [piece.colour for piece in pieces]
    if len(set(colours)) != len(colours):
        raise InputError(f"two pieces share a colour: {', '.join(colours)}")
    cells = sum(len(piece.shape.cells) for piece in pieces)
    if cells != size[0] * size[1] * size[2]:
        raise InputError(f"the pieces have {cells} cells, the box {size[0] * size[1] * size[2]}")
    for piece in pieces:
        if not piece.shape.is_connected:
            raise InputError(f"{piece.colour}: the piece is not connected")
        if not _fits(size, piece.shape):
            raise InputError(f"{piece.colour}: the piece does not fit into the box")
        if not is_stable(piece.shape, IDENTITY):
            raise InputError(
                f"{piece.colour}: as it is drawn the piece would tip over on the table"
            )


def _fits(size: Cell, shape: Voxels) -> bool:
    """Whether a shape has a spot in a box: turned by quarters its sides come in any order."""
    sides = zip(sorted(shape.bounds.size), sorted(size), strict=True)
    return all(side <= room for side, room in sides)


def read_packing(document: Mapping[str, object]) -> Packing:
    """Return a puzzle from the ``puzzle`` part of a level document.

    ``{"size": [a, b, c], "gravity": true, "open": ["+z"], "pieces": [{"colour", "layers"}]}``; the
    shapes are drawn as :meth:`pysim.geometry.Voxels.parse` reads them.

    Raises:
        InputError: something is missing, of the wrong type or impossible; the message says what.
    """
    size, pieces = document.get("size"), document.get("pieces")
    if not isinstance(size, list) or len(size) != 3 or not all(map(is_whole, size)):
        raise InputError(f"a box has a size of three whole numbers, not {quote(size)}")
    gravity = document.get("gravity")
    if not isinstance(gravity, bool):
        raise InputError(f"gravity is true or false, not {quote(gravity)}")
    if not isinstance(pieces, list):
        raise InputError("a packing puzzle needs a list of pieces")
    if len(pieces) > MAX_CELLS:
        raise InputError(f"a box is filled with at most {MAX_CELLS} pieces, not {len(pieces):,}")
    read = tuple(_read_piece(i, piece) for i, piece in enumerate(pieces))
    return Packing((size[0], size[1], size[2]), read, gravity, _read_open(document.get("open")))


def restore_packing(document: Mapping[str, Any]) -> Packing:
    """Return a puzzle from the document that :func:`write_packing` has made, without checks."""
    x, y, z = document["size"]
    pieces = [
        Piece(Colour(piece["colour"]), Voxels.restore(tuple(piece["layers"])))
        for piece in document["pieces"]
    ]
    return build_unchecked(
        Packing,
        size=(x, y, z),
        pieces=tuple(pieces),
        gravity=document["gravity"],
        open=frozenset(map(Direction, document["open"])),
    )


def _read_open(value: object) -> frozenset[Direction]:
    sides = list(Direction)
    if not isinstance(value, list) or not all(side in sides for side in value[: len(sides) + 1]):
        raise InputError(f"open sides are a list of directions such as ['+z'], not {quote(value)}")
    if len(value) > len(sides):
        raise InputError(f"a box has {len(sides)} sides, not {len(value):,}")
    return frozenset(Direction(side) for side in value)


def _read_piece(place: int, document: object) -> Piece:
    if not isinstance(document, Mapping):
        raise InputError(f"piece {place} is not an object")
    colour, layers = document.get("colour"), document.get("layers")
    if not isinstance(colour, str) or not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", colour):
        # Agents name pieces in one word, and letter case is not told apart.
        raise InputError(f"a colour is one word in lower case, unlike {quote(colour)}")
    if not isinstance(layers, list) or not all(isinstance(layer, str) for layer in layers):
        raise InputError(f"{colour}: layers are a list of strings")
    try:
        return Piece(Colour(colour), Voxels.parse(layers, longest=MAX_SIDE).move_to_origin())
    except ValueError as error:
        raise InputError(f"{colour}: {error}") from None


def write_packing(packing: Packing) -> dict[str, object]:
    """Return the document that :func:`read_packing` reads."""
    return {
        "size": list(packing.size),
        "gravity": packing.gravity,
        "open": [side.value for side in Direction if side in packing.open],
        "pieces": [
            {"colour": piece.colour, "layers": list(piece.shape.format())}
            for piece in packing.pieces
        ],
    }
