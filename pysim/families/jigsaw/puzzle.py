"""The data of a jigsaw cube: six pieces of 5 x 5 cells, and which of them are in place already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from pysim.errors import InputError
from pysim.families.jigsaw.faces import LAST, SIDE, Edge, Seat, ShellFace
from pysim.families.jigsaw.shell import CELLS, PieceRows, mask_of
from pysim.families.jigsaw.table import JigsawTable
from pysim.geometry import Bounds, Voxels
from pysim.limits import quote
from pysim.restoring import build_unchecked
from pysim.scene import Colour

__all__ = [
    "Jigsaw",
    "Piece",
    "check_rows",
    "make_shape",
    "read_jigsaw",
    "restore_jigsaw",
    "write_jigsaw",
]

PIECES = len(ShellFace)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece.

    Attributes:
        colour: its public name.
        rows: how it is drawn, and lies on the table seen from above.
    """

    colour: Colour
    rows: PieceRows


@dataclass(frozen=True)
class Jigsaw:
    """Six pieces that make a hollow cube.

    Attributes:
        pieces: in a fixed order; together they have as many cells as the surface of the cube.
        start: for each piece where it is from the start, None on the table.

    Raises:
        InputError: pieces that can't make a cube, or that overlap from the start.
    """

    pieces: tuple[Piece, ...]
    start: tuple[Seat | None, ...] = field(default=(None,) * PIECES)

    def __post_init__(self) -> None:
        if len(self.pieces) != PIECES or len(self.start) != PIECES:
            raise InputError(f"a cube has {PIECES} pieces, not {len(self.pieces)}")
        colours = [piece.colour for piece in self.pieces]
        if len(set(colours)) < PIECES:
            raise InputError(f"two pieces share a colour: {', '.join(colours)}")
        for piece in self.pieces:
            check_rows(piece.rows, piece.colour)
        filled = sum("".join(piece.rows).count("#") for piece in self.pieces)
        if filled != len(CELLS):
            raise InputError(f"the pieces have {filled} cells, the cube's surface {len(CELLS)}")
        self._check_start()

    def _check_start(self) -> None:
        covered = 0
        for piece, place in zip(self.pieces, self.start, strict=True):
            mask = mask_of(piece.rows, place) if place is not None else 0
            if mask & covered:
                raise InputError(f"{piece.colour} overlaps another piece at the start")
            covered |= mask
        if None not in self.start:
            raise InputError("the cube is whole from the start")

    @cached_property
    def index(self) -> dict[Colour, int]:
        """Colour -> place of the piece in :attr:`pieces`."""
        return {piece.colour: i for i, piece in enumerate(self.pieces)}

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Public names of the pieces, in order."""
        return tuple(piece.colour for piece in self.pieces)

    @property
    def rows(self) -> tuple[PieceRows, ...]:
        """Drawings of the pieces, in order."""
        return tuple(piece.rows for piece in self.pieces)

    @property
    def block(self) -> Bounds:
        """The cells of the cube, the hollow inside too."""
        return Bounds((0, 0, 0), (LAST, LAST, LAST))

    @cached_property
    def shapes(self) -> tuple[Voxels, ...]:
        """The pieces in body coordinates, in order."""
        return tuple(make_shape(piece.rows) for piece in self.pieces)

    @cached_property
    def table(self) -> JigsawTable:
        """Places of loose pieces."""
        return JigsawTable(self.shapes)


def make_shape(rows: PieceRows) -> Voxels:
    """Return a piece in body coordinates: columns go along +x, rows along -y, one cell thick."""
    return Voxels.from_cells(
        (column, LAST - row, 0)
        for row in range(SIDE)
        for column in range(SIDE)
        if rows[row][column] == "#"
    )


def check_rows(rows: Sequence[str], name: str) -> None:
    """Refuse what is no piece.

    Raises:
        InputError: not 5 rows of 5 ``#`` and ``.``, or something missing in the middle.
    """
    if len(rows) != SIDE or any(len(row) != SIDE or set(row) - set("#.") for row in rows):
        raise InputError(f"{name}: a piece is drawn with # and . in {SIDE} rows of {SIDE}")
    if any(rows[row][1:LAST] != "###" for row in range(1, LAST)):
        raise InputError(f"{name}: the middle 3 x 3 cells of a piece are filled")


def read_jigsaw(document: Mapping[str, object]) -> Jigsaw:
    """Return the puzzle of a level document.

    Raises:
        InputError: it is none; the message says why.
    """
    if set(document) != {"pieces"}:
        found = ", ".join(map(str, document)) or "nothing"
        raise InputError(f"a jigsaw cube has pieces, not {found:.80}")
    pieces = document["pieces"]
    if not isinstance(pieces, list):
        raise InputError("the pieces are a list")
    read = [_read_piece(piece) for piece in pieces]
    return Jigsaw(tuple(piece for piece, _ in read), tuple(place for _, place in read))


def restore_jigsaw(document: Mapping[str, Any]) -> Jigsaw:
    """Return a puzzle from the document that :func:`write_jigsaw` has made, without checks."""
    pieces, start = [], []
    for piece in document["pieces"]:
        pieces.append(Piece(Colour(piece["colour"]), tuple(piece["rows"])))
        start.append(_restore_seat(*piece["start"]) if "start" in piece else None)
    return build_unchecked(Jigsaw, pieces=tuple(pieces), start=tuple(start))


@cache
def _restore_seat(face: str, left: str, top: str) -> Seat:
    return Seat(ShellFace(face), Edge(left), Edge(top))


def write_jigsaw(jigsaw: Jigsaw) -> dict[str, object]:
    """Return the inverse of :func:`read_jigsaw`."""
    return {
        "pieces": [
            {"colour": piece.colour, "rows": list(piece.rows)} | _start_document(place)
            for piece, place in zip(jigsaw.pieces, jigsaw.start, strict=True)
        ]
    }


def _start_document(place: Seat | None) -> dict[str, object]:
    return {} if place is None else {"start": [place.face.value, place.left.value, place.top.value]}


def _read_piece(document: object) -> tuple[Piece, Seat | None]:
    if not isinstance(document, Mapping) or not {"colour", "rows"} <= set(document):
        raise InputError("a piece has a colour and rows")
    if strange := set(document) - {"colour", "rows", "start"}:
        raise InputError(f"a piece has no {', '.join(map(str, strange))}")
    colour, rows = document["colour"], document["rows"]
    if not isinstance(colour, str) or not colour:
        raise InputError(f"a colour is a name, not {quote(colour, 60)}")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError(f"{colour:.60}: the rows are a list of texts")
    start = document.get("start")
    place = None if start is None else _read_placement(start, colour)
    return Piece(Colour(colour), tuple(rows)), place


def _read_placement(value: object, colour: str) -> Seat:
    words = value if isinstance(value, list) and all(isinstance(v, str) for v in value) else []
    try:
        face, left, top = words
        place = Seat(ShellFace(face), Edge(left), Edge(top))
    except ValueError:
        place = None
    if place is None or not place.left.is_beside(place.top):
        raise InputError(
            f"{colour:.60}: a start is a face and the edges on its left and top, "
            f"not {quote(value, 60)}"
        )
    return place
