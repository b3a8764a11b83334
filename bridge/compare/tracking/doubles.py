"""Whether there are two of a piece now: then it has neither leapt nor grown."""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.doubts import is_bent
from bridge.compare.tracking.search import WORTH, Found, Sight
from bridge.compare.tracking.zbuffer import PieceFaces

__all__ = ["has_double", "together"]

_Array = NDArray[np.float64]

_LEAP = 1.0
"""Units in a frame from which on a piece has not gone there, as nothing does."""
_OFFS = np.arange(0.5, 6.1, 0.5)
"""Units along an axis at which another one is looked for."""


def has_double(sight: Sight, was: Found, best: Found) -> bool:
    """Whether it looks as if a piece were where it was, and another one like it elsewhere.

    Args:
        was: where the piece was.
        best: where it is, or how large, if there is but one of it.
    """
    if is_bent(best.pose):
        return _cheapest(sight, was) < best.cost - WORTH
    turn = was.pose[:3, :3].T @ best.pose[:3, :3]
    off = was.pose[:3, :3].T @ (best.pose[:3, 3] - was.pose[:3, 3])
    moved = turn @ sight.middle + off - sight.middle
    if np.linalg.norm(moved) < _LEAP:
        return False
    return _cost(sight, was, turn, off) < best.cost - WORTH


def _cheapest(sight: Sight, was: Found) -> float:
    """What the likeliest double along any axis costs, with the piece itself."""
    tries = product(range(3), (1.0, -1.0), _OFFS)
    return min(_cost(sight, was, np.eye(3), sign * by * np.eye(3)[a]) for a, sign, by in tries)


def _cost(sight: Sight, was: Found, turn: _Array, off: _Array) -> float:
    """What a piece where it was costs, and another one, turned and moved from there."""
    faces = sight.faces
    other = PieceFaces(faces.corners @ turn.T + off, faces.normals @ turn.T)
    return replace(sight, faces=together(faces, other)).weigh(was.pose).cost


def together(one: PieceFaces, other: PieceFaces) -> PieceFaces:
    """The faces of both."""
    return PieceFaces(
        np.ascontiguousarray(np.concatenate([one.corners, other.corners])),
        np.ascontiguousarray(np.concatenate([one.normals, other.normals])),
    )
