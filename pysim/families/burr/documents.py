"""Locks as level documents: reading and writing."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pysim.errors import InputError
from pysim.families.burr.lock import (
    MAX_CELLS,
    MAX_EXTENT,
    MAX_GROUPS,
    MAX_PIECES,
    Companions,
    Goal,
    Lock,
    Piece,
)
from pysim.families.burr.notches import MAX_LENGTH, MIN_LENGTH, make_stick
from pysim.geometry import Cell, Pose, Rotation, Voxels
from pysim.limits import quote
from pysim.options import is_whole
from pysim.restoring import build_unchecked
from pysim.scene import Colour

__all__ = ["read_lock", "restore_lock", "write_lock"]


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


def restore_lock(document: Mapping[str, Any]) -> Lock:
    """Return a lock from the document that :func:`write_lock` has made, without checks."""
    if "companions" in document:
        return read_lock(document)
    pieces = tuple([_restore_piece(piece) for piece in document["pieces"]])
    return build_unchecked(Lock, pieces=pieces, goal=Goal(document["goal"]), companions=())


def _restore_piece(document: Mapping[str, Any]) -> Piece:
    number = document.get("number")
    shape = (
        Voxels.restore(tuple(document["layers"]))
        if number is None
        else make_stick(number, document["length"])
    )
    rotation, (x, y, z) = _restore_rotation(document["rotation"]), document["cell"]
    home = Pose.place_corner(shape, rotation, (x, y, z))
    return Piece(Colour(document["colour"]), shape, home, number)


_restore_rotation = cache(Rotation.parse)


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
        if not is_whole(most, 1, len(names)):
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
        if not is_whole(number) or not is_whole(length):
            raise InputError(
                f"a burr piece has a whole number and a length of {MIN_LENGTH} to {MAX_LENGTH}"
            )
        return make_stick(number, length), number
    if not isinstance(layers, list) or not all(isinstance(layer, str) for layer in layers):
        raise InputError("layers are a list of strings")
    return Voxels.parse(layers, longest=MAX_EXTENT).move_to_origin(), None


def _read_cell(value: object) -> Cell:
    if not isinstance(value, list) or len(value) != 3 or not all(map(is_whole, value)):
        raise InputError(f"a cell is three whole numbers, not {quote(value)}")
    if max(abs(v) for v in value) > 1000:
        raise InputError(f"cell {quote(value)} is too far out")
    return (value[0], value[1], value[2])


def _word(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= MAX_EXTENT else quote(value)


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
