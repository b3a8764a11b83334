"""The data of a lock: its pieces, how they stand when assembled, and what is to be done."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import permutations
from math import prod

from pysim.errors import InputError
from pysim.families.burr.notches import MAX_LENGTH, MIN_LENGTH, make_stick
from pysim.families.burr.workspace import Workspace
from pysim.geometry import Bounds, Cell, Pose, Rotation, Voxels
from pysim.geometry.resting import find_stable_rotation
from pysim.limits import quote
from pysim.scene import Colour

__all__ = [
    "Companions",
    "Goal",
    "Lock",
    "LockKind",
    "Piece",
    "count_brings",
    "list_colours",
    "read_lock",
    "write_lock",
]

MAX_PIECES = 62
"""As many as the solver takes: sets of pieces are bits of one word, two of which are spare."""
MAX_EXTENT = 64
"""No piece of a level may be longer than this, in cells."""
MAX_CELLS = 20_000
"""Cells of all pieces of a lock together."""
MAX_ROOM = 2**27
"""Cells of the block in which pieces are moved, times the number of pieces.

Each piece is kept as the bits of this block in each of the 24 rotations: 200 MB at most.
"""
MAX_BRINGS = 500_000
"""Ways to bring single pieces into the block around the target: all are listed as legal."""
MAX_GROUPS = 1_000
"""Groups of pieces that may stay together."""


class LockKind(StrEnum):
    """Kinds of locks that can be made."""

    SIX_PIECE = "six-piece"
    BOARD = "board"
    CUBE = "cube"
    RODS = "rods"


class Goal(StrEnum):
    """Goal of a lock."""

    DISASSEMBLE = "disassemble"
    """Separate every piece."""
    KEY = "key"
    """Free any one piece."""
    ASSEMBLE = "assemble"
    """From scattered pieces, build the assembled shape."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece.

    Attributes:
        colour: its public name.
        shape: its cells, with the low corner of the bounds at the origin.
        home: its pose in the assembled lock.
        number: its burr piece number if it was made from one, else None.
    """

    colour: Colour
    shape: Voxels
    home: Pose
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Companions:
    """Pieces that need not come apart from each other.

    Attributes:
        members: sets of pieces (places in :attr:`Lock.pieces`), each with how many of them may be
            among pieces that stay together.
    """

    members: tuple[tuple[frozenset[int], int], ...]

    def include(self, pieces: Collection[int]) -> bool:
        """Return whether all of ``pieces`` may stay together."""
        together = set(pieces)
        named = set().union(*(members for members, _ in self.members))
        return together <= named and all(
            len(members & together) <= most for members, most in self.members
        )


@dataclass(frozen=True)
class Lock:
    """Pieces that interlock, and the goal.

    Attributes:
        pieces: in a fixed order.
        goal: what is to be done.
        companions: sets of pieces that count as one for the goal ``disassemble``.
    """

    pieces: tuple[Piece, ...]
    goal: Goal
    companions: tuple[Companions, ...] = ()

    def __post_init__(self) -> None:
        _check(self.pieces)
        if self.goal is Goal.ASSEMBLE:
            _check_brings(self.pieces, self.bounds.size)

    def may_stay(self, pieces: Collection[int]) -> bool:
        """Return whether these pieces need not be taken apart any more."""
        return len(pieces) == 1 or any(group.include(pieces) for group in self.companions)

    @cached_property
    def index(self) -> dict[Colour, int]:
        """Colour -> place of the piece in :attr:`pieces`."""
        return {piece.colour: i for i, piece in enumerate(self.pieces)}

    @cached_property
    def bounds(self) -> Bounds:
        """The block around the assembled lock."""
        return Bounds.cover(piece.home.place(piece.shape).bounds for piece in self.pieces)

    @cached_property
    def workspace(self) -> Workspace:
        """The room around the lock."""
        return Workspace(tuple(piece.shape for piece in self.pieces), self.bounds)

    @cached_property
    def target(self) -> frozenset[frozenset[Cell]]:
        """The assembled lock as a set of pieces, each a set of cells."""
        return frozenset(piece.home.place(piece.shape).cell_set for piece in self.pieces)


def _check(pieces: Sequence[Piece]) -> None:
    if not 2 <= len(pieces) <= MAX_PIECES:
        raise InputError(f"a lock has 2 to {MAX_PIECES} pieces, not {len(pieces)}")
    colours = [piece.colour for piece in pieces]
    if len(set(colours)) != len(colours):
        raise InputError(f"two pieces share a colour: {', '.join(colours)}")
    _check_size(pieces)
    taken: dict[Cell, Colour] = {}
    for piece in pieces:
        if not piece.shape.is_connected:
            raise InputError(f"{piece.colour}: the piece is not connected")
        try:
            find_stable_rotation(piece.shape, piece.home.rotation)
        except ValueError as error:
            raise InputError(f"{piece.colour}: {error}") from None
        for cell in piece.home.place(piece.shape).cells:
            if cell in taken:
                raise InputError(f"{taken[cell]} and {piece.colour} both cover cell {cell}")
            taken[cell] = piece.colour


def _check_size(pieces: Sequence[Piece]) -> None:
    """Refuse what would take too much memory to be played, before any of it is taken."""
    cells = sum(len(piece.shape.cells) for piece in pieces)
    if cells > MAX_CELLS:
        raise InputError(f"a lock has at most {MAX_CELLS:,} cells, not {cells:,}")
    for piece in pieces:
        if max(piece.shape.bounds.size) > MAX_EXTENT:
            raise InputError(f"{piece.colour}: no piece may be longer than {MAX_EXTENT} cells")
    shapes = tuple(piece.shape for piece in pieces)
    bounds = Bounds.cover(piece.home.place(piece.shape).bounds for piece in pieces)
    if Workspace(shapes, bounds).volume * len(pieces) > MAX_ROOM:
        size = " x ".join(map(str, bounds.size))
        raise InputError(
            f"a lock of {size} cells is too large for {len(pieces)} pieces: with the room to move "
            f"them it may take up {MAX_ROOM // len(pieces):,} cells"
        )


def _check_brings(pieces: Sequence[Piece], size: Cell) -> None:
    """Refuse a target into which pieces can be brought in more ways than can be listed."""
    ways = count_brings(pieces, size)
    if ways > MAX_BRINGS:
        raise InputError(
            f"there are {ways:,} ways to bring pieces into {' x '.join(map(str, size))} cells; "
            f"with the goal 'assemble' a lock may have {MAX_BRINGS:,}"
        )


def count_brings(pieces: Sequence[Piece], size: Cell) -> int:
    """The most ways to bring pieces into a block: places in all 24 rotations, from six sides."""
    sizes = (turned for piece in pieces for turned in permutations(piece.shape.bounds.size))
    # Each of these six is the size in four rotations; those that look alike are counted apart.
    spans = (zip(size, turned, strict=True) for turned in sizes)
    return 6 * 4 * sum(prod(max(0, n - m + 1) for n, m in one) for one in spans)


def read_lock(document: Mapping[str, object]) -> Lock:
    """Return a lock from the ``puzzle`` part of a level document.

    ``{"goal": "disassemble", "pieces": [{"colour", "number", "length" | "layers", "rotation",
    "cell"}], "companions": [[{"pieces", "most"}]]}``: the shape is given by a burr piece number and
    stick length, or drawn in layers (see :meth:`pysim.geometry.Voxels.parse`); ``cell`` is the low
    corner of its bounds when assembled. ``companions``, which may be missing, are sets of pieces
    that may stay together: lists of colours, each with how many of them may.

    Raises:
        InputError: something is missing, of the wrong type or impossible; the message says what.
    """
    goal_name = document.get("goal")
    if goal_name not in list(Goal):
        raise InputError(f"the goal is one of {', '.join(Goal)}, not {quote(goal_name)}")
    pieces = document.get("pieces")
    if not isinstance(pieces, list):
        raise InputError("a lock needs a list of pieces")
    _check_counts(pieces)
    read = tuple(_read_piece(i, p) for i, p in enumerate(pieces))
    companions = document.get("companions", [])
    if not isinstance(companions, list) or len(companions) > MAX_GROUPS:
        raise InputError(f"companions are a list of at most {MAX_GROUPS:,} groups")
    numbers = {piece.colour: i for i, piece in enumerate(read)}
    groups = tuple(_read_companions(group, numbers) for group in companions)
    return Lock(read, Goal(str(goal_name)), groups)


def _check_counts(pieces: Sequence[object]) -> None:
    """Refuse too many pieces, or too much that is drawn, before any is read."""
    if not 2 <= len(pieces) <= MAX_PIECES:
        raise InputError(f"a lock has 2 to {MAX_PIECES} pieces, not {len(pieces):,}")
    drawn = (p.get("layers") for p in pieces if isinstance(p, Mapping))
    layers = (layer for one in drawn if isinstance(one, list) for layer in one)
    cells = sum(layer.count("#") for layer in layers if isinstance(layer, str))
    if cells > MAX_CELLS:
        raise InputError(f"a lock has at most {MAX_CELLS:,} cells, not {cells:,}")


def _read_companions(document: object, numbers: Mapping[Colour, int]) -> Companions:
    if not isinstance(document, list) or len(document) > MAX_PIECES:
        raise InputError("each of the companions is a list of pieces and how many may stay")
    members = []
    for entry in document:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("pieces"), list):
            raise InputError("companions need the pieces' colours and the most that may stay")
        names, most = entry["pieces"], entry.get("most")
        unknown = [n for n in names[:MAX_PIECES] if not isinstance(n, str) or n not in numbers]
        if unknown:
            raise InputError(f"companions name {quote(unknown[0])}, which is no piece")
        if len(names) > MAX_PIECES:
            raise InputError(f"companions are at most {MAX_PIECES} pieces, not {len(names):,}")
        if not isinstance(most, int) or isinstance(most, bool) or not 0 < most <= len(names):
            raise InputError(f"of {len(names)} companions {quote(most)} can't stay together")
        members.append((frozenset(numbers[name] for name in names), most))
    return Companions(tuple(members))


def _read_piece(place: int, document: object) -> Piece:
    if not isinstance(document, Mapping):
        raise InputError(f"piece {place} is not an object")
    colour = document.get("colour")
    if not isinstance(colour, str) or not colour:
        raise InputError(f"piece {place} has no colour")
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", colour):
        # Agents name pieces in one word, and letter case is not told apart.
        raise InputError(f"a colour is one word in lower case, unlike {quote(colour)}")
    try:
        shape, number = _read_shape(document)
        rotation = Rotation.parse(_word(document.get("rotation")))
        corner = _read_cell(document.get("cell"))
    except ValueError as error:
        raise InputError(f"{colour}: {error}") from None
    return Piece(Colour(colour), shape, Pose.place_corner(shape, rotation, corner), number)


def _read_shape(document: Mapping[str, object]) -> tuple[Voxels, int | None]:
    number, layers = document.get("number"), document.get("layers")
    if (number is None) == (layers is None):
        raise InputError("a shape is given by a number and a length, or by layers")
    if number is not None:
        length = document.get("length")
        if not _is_int(number) or not _is_int(length):
            raise InputError(
                f"a burr piece has a whole number and a length of {MIN_LENGTH} to {MAX_LENGTH}"
            )
        assert isinstance(number, int) and isinstance(length, int)
        return make_stick(number, length), number
    if not isinstance(layers, list) or not all(isinstance(layer, str) for layer in layers):
        raise InputError("layers are a list of strings")
    return Voxels.parse(layers, longest=MAX_EXTENT).move_to_origin(), None


def _read_cell(value: object) -> Cell:
    if not isinstance(value, list) or len(value) != 3 or not all(_is_int(v) for v in value):
        raise InputError(f"a cell is three whole numbers, not {quote(value)}")
    if max(abs(v) for v in value) > 1000:
        raise InputError(f"cell {quote(value)} is too far out")
    return (value[0], value[1], value[2])


def _word(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= MAX_EXTENT else quote(value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def write_lock(lock: Lock) -> dict[str, object]:
    """Return the document that :func:`read_lock` reads."""
    document: dict[str, object] = {
        "goal": lock.goal.value,
        "pieces": [_write_piece(piece) for piece in lock.pieces],
    }
    if lock.companions:
        # Left out where there are none, so that the hashes of such levels stay what they are.
        document["companions"] = [_write_companions(lock, c) for c in lock.companions]
    return document


def _write_companions(lock: Lock, companions: Companions) -> list[dict[str, object]]:
    return [
        {"pieces": [lock.pieces[i].colour for i in sorted(pieces)], "most": most}
        for pieces, most in companions.members
    ]


def _write_piece(piece: Piece) -> dict[str, object]:
    shape: dict[str, object] = (
        {"layers": list(piece.shape.format())}
        if piece.number is None
        else {"number": piece.number, "length": piece.shape.bounds.size[0]}
    )
    return {
        "colour": piece.colour,
        **shape,
        "rotation": piece.home.rotation.name,
        "cell": list(piece.home.find_corner(piece.shape)),
    }


def list_colours(lock: Lock) -> tuple[Colour, ...]:
    """Public names of the pieces, in order."""
    return tuple(piece.colour for piece in lock.pieces)
