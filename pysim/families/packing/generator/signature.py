"""Equality of packing puzzles: their pieces are the same, however turned and ordered."""

import hashlib
from collections.abc import Iterable

from pysim.geometry import Voxels

__all__ = ["compute_signature"]


def compute_signature(shapes: Iterable[Voxels]) -> str:
    """32 hexadecimal digits that depend on the multiset of shapes up to rotation alone."""
    canonical = sorted(shape.canonical.cells for shape in shapes)
    return hashlib.sha256(repr(canonical).encode()).hexdigest()[:32]
