"""Equality of assemblies and locks up to symmetry."""

import hashlib
from collections.abc import Iterator, Sequence

from pysim.families.burr.lock import Lock
from pysim.geometry import Bounds, Cell, Rotation, Voxels, list_rotations

__all__ = ["compute_canonical_form", "compute_canonical_key"]


def compute_canonical_form(lock: Lock) -> str:
    """Return equal texts for locks that are built alike, mirror images too, whatever the goal."""
    pieces = [piece.home.place(piece.shape) for piece in lock.pieces]
    return compute_canonical_key(pieces, reflections=True)


def compute_canonical_key(pieces: Sequence[Voxels], *, reflections: bool) -> str:
    """Return equal for assemblies that can be turned into each other as a whole.

    The order of the pieces does not matter.

    Args:
        pieces: each piece's cells in the assembly.
        reflections: whether mirror images count as equal too.
    """
    least = min(
        _image(pieces, rotation, mirror)
        for rotation in list_rotations()
        for mirror in ((False, True) if reflections else (False,))
    )
    return hashlib.sha256(repr(least).encode()).hexdigest()


def _image(pieces: Sequence[Voxels], rotation: Rotation, mirror: bool) -> list[tuple[Cell, ...]]:
    """Return the turned pieces with the low corner of the whole at the origin, sorted."""
    turned = [list(_turned(piece, rotation, mirror)) for piece in pieces]
    x, y, z = Bounds.cover(Bounds(c, c) for cells in turned for c in cells).low
    return sorted(tuple(sorted((a - x, b - y, c - z) for a, b, c in cells)) for cells in turned)


def _turned(piece: Voxels, rotation: Rotation, mirror: bool) -> Iterator[Cell]:
    for x, y, z in piece.cells:
        yield rotation.apply((-x, y, z) if mirror else (x, y, z))
