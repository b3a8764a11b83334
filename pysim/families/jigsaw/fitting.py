"""The validator: whether placed pieces make the cube, and where they don't (MARBLE, 3.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pysim.families.jigsaw.faces import Edge, Seat, ShellFace
from pysim.families.jigsaw.shell import CELLS, FULL, PieceRows, find_side, list_faces, mask_of
from pysim.geometry import Cell

__all__ = ["Conflict", "Joint", "Misfit", "find_conflicts", "find_gaps", "find_joints", "is_cube"]


class Misfit(StrEnum):
    """Fault at a cell."""

    OVERLAP = "overlap"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A cell at which pieces don't fit.

    Attributes:
        fault: whether several pieces fill it, or none.
        cell: of the cube.
        faces: those that meet there, two or three.
        pieces: the numbers of the pieces that fill it, ascending; none at a gap.
    """

    fault: Misfit
    cell: Cell
    faces: tuple[ShellFace, ...]
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Joint:
    """An edge or a corner of the cube at which pieces don't fit.

    Attributes:
        faces: those that meet there: two, or three at a corner.
        edges: for an edge of the cube, the edge of the piece on each of these faces that lies
            there, or None where the face has no piece; empty at a corner.
        conflicts: its cells, in order.
    """

    faces: tuple[ShellFace, ...]
    edges: tuple[Edge | None, ...]
    conflicts: tuple[Conflict, ...]


def is_cube(pieces: Sequence[PieceRows], places: Sequence[Seat]) -> bool:
    """Return whether all pieces, placed so, make the cube: every cell is filled once."""
    if len(places) != len(ShellFace) or len({place.face for place in places}) < len(ShellFace):
        return False
    covered = 0
    for rows, place in zip(pieces, places, strict=True):
        mask = mask_of(rows, place)
        if mask & covered:
            return False
        covered |= mask
    return covered == FULL


def find_conflicts(
    pieces: Sequence[PieceRows], places: Sequence[Seat | None]
) -> tuple[Conflict, ...]:
    """Return the cells at which the placed pieces don't fit, in order.

    A cell is a gap if no piece fills it though every face that it belongs to has one. Two pieces on
    one face overlap in its middle, too.
    """
    masks = [
        0 if place is None else mask_of(rows, place)
        for rows, place in zip(pieces, places, strict=True)
    ]
    taken = {place.face for place in places if place is not None}
    found = []
    for number, cell in enumerate(CELLS):
        owners = tuple(i for i, mask in enumerate(masks) if mask >> number & 1)
        faces = list_faces(cell)
        if len(owners) > 1:
            found.append(Conflict(Misfit.OVERLAP, cell, faces, owners))
        elif not owners and taken.issuperset(faces):
            found.append(Conflict(Misfit.GAP, cell, faces, ()))
    return tuple(found)


def find_gaps(pieces: Sequence[PieceRows], places: Sequence[Seat | None]) -> tuple[Cell, ...]:
    """Return the cells that stay empty though every face to which they belong has a piece."""
    found = find_conflicts(pieces, places)
    return tuple(one.cell for one in found if one.fault is Misfit.GAP)


def find_joints(pieces: Sequence[PieceRows], places: Sequence[Seat | None]) -> tuple[Joint, ...]:
    """Return the conflicts by edge and corner of the cube, edges first."""
    grouped: dict[tuple[ShellFace, ...], list[Conflict]] = {}
    for conflict in find_conflicts(pieces, places):
        grouped.setdefault(conflict.faces, []).append(conflict)
    on_face = {place.face: place for place in places if place is not None}
    made = (Joint(faces, _edges(faces, on_face), tuple(c)) for faces, c in grouped.items())
    return tuple(sorted(made, key=lambda joint: (len(joint.faces) != 2, joint.faces)))


def _edges(
    faces: tuple[ShellFace, ...], on_face: Mapping[ShellFace, Seat]
) -> tuple[Edge | None, ...]:
    """Return the edges of pieces that meet where two faces do; none in a corner or a middle."""
    if len(faces) != 2:
        return ()
    pairs = zip(faces, reversed(faces), strict=True)
    return tuple(
        on_face[face].find_edge(find_side(face, other)) if face in on_face else None
        for face, other in pairs
    )
