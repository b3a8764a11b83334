"""How well it is known where a piece is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.depths import depth_between
from bridge.compare.tracking.posing import moved
from bridge.compare.tracking.search import FEWEST, WORTH, Found, Sight
from bridge.compare.tracking.weighing import TrackedPieces

__all__ = [
    "doubt_along",
    "is_alone",
    "is_at_home",
    "is_bent",
    "is_in_others",
    "is_sure",
    "is_torn",
    "is_weak",
    "line_of_sight",
    "on_a_line",
    "on_lattice",
    "settled",
]

_Array = NDArray[np.float64]

_NEAR = 0.35
"""Units from a place of the lattice at which a piece that rests may be in it."""
_SETTLING = 0.04
"""Share of its pixels that may look worse there."""
_TORN = 0.95
"""Share of its usual fit that a piece has that is whole."""
_WEAK = 0.3
"""Share of its pixels that has to look like a piece for it to be there."""
_DEEP = 0.5
"""Units by which pieces may seem to be in each other, above all if the camera swings."""
_UNSURE = 6.0
"""Pixels by which half a unit along any axis must look worse for a place to be sure."""


def is_sure(sight: Sight, here: Found) -> bool:
    """Whether half a unit along any axis would look worse."""
    return all(
        sight.weigh(moved(here.pose, sign * 0.5 * axis)).cost > here.cost + _UNSURE
        for axis in np.eye(3)
        for sign in (1.0, -1.0)
    )


def doubt_along(sight: Sight, here: Found, way: _Array) -> float:
    """Half of how far a piece may be moved along the line of sight before it looks worse.

    At least that of a piece whose neighbours tell how far away it is.
    """
    for far in (0.2, 0.3, 0.6, 1.2, 2.4):
        costs = [sight.weigh(moved(here.pose, s * far * way)).cost for s in (1.0, -1.0)]
        if min(costs) > here.cost + _UNSURE:
            return far / 2.0
    return 2.4


def is_alone(board: TrackedPieces, poses: _Array, piece: int) -> bool:
    """Whether no other piece is next to one, so that only its size says how far away it is."""
    boxes = [_box(faces.corners, pose) for faces, pose in zip(board.faces, poses, strict=True)]
    low, high = boxes.pop(piece)
    return not any((low < top).all() and (bottom < high).all() for bottom, top in boxes)


def _box(corners: _Array, pose: _Array) -> tuple[_Array, _Array]:
    there = corners.reshape(-1, 3) @ pose[:3, :3].T
    return there.min(axis=0) + pose[:3, 3], there.max(axis=0) + pose[:3, 3]


def line_of_sight(board: TrackedPieces, pose: _Array, piece: int) -> _Array:
    """From the camera to the middle of a piece, of length 1."""
    middle = pose[:3, :3] @ board.middles[piece] + pose[:3, 3]
    seen = board.view[:3, :3] @ middle + board.view[:3, 3]
    way: _Array = board.view[:3, :3].T @ (seen / np.linalg.norm(seen))
    return way


def on_a_line(pose: _Array) -> bool:
    """Whether a piece is on a line of the lattice: two of its coordinates are whole numbers."""
    off = np.sort(np.abs(pose[:3, 3] - np.round(pose[:3, 3])))
    return bool(off[1] < 0.02)


def is_at_home(pose: _Array) -> bool:
    """Whether a piece is in a place of the lattice."""
    off = np.abs(pose[:3, 3] - np.round(pose[:3, 3])).max()
    return bool(off < 0.02 and on_lattice(pose))


def settled(sight: Sight, pose: _Array) -> _Array:
    """The place of the lattice next to which a piece is, if it looks about as good there."""
    place = pose.copy()
    place[:3, 3] = np.round(pose[:3, 3])
    if not 0.0 < np.abs(place - pose).max() < _NEAR or not on_lattice(pose):
        return pose
    here = sight.weigh(pose)
    return place if sight.weigh(place).cost < here.cost + WORTH + _SETTLING * here.seen else pose


def is_bent(pose: _Array) -> bool:
    """Whether a piece is longer or shorter along an axis than it was."""
    sizes = np.linalg.norm(pose[:3, :3], axis=0)
    return bool(np.abs(sizes - 1.0).max() > 0.05)


def on_lattice(pose: _Array) -> bool:
    """Whether a piece is turned as on the lattice; then it may go along its axes again."""
    return bool(np.abs(pose[:3, :3] - np.round(pose[:3, :3])).max() < 1e-6)


def is_in_others(
    cells: Sequence[_Array], poses: _Array, there: NDArray[np.bool_], piece: int
) -> bool:
    """Whether a piece is in others, so that it has not gone to where it is by any lawful way.

    Args:
        cells: of each piece (m, 3), in body coordinates.
        poses: (P, 4, 4) of all at one time.
        there: (P,) which are there at all.
    """
    others = [other for other in np.flatnonzero(there).tolist() if other != piece]
    return any(
        depth_between(cells[piece], poses[piece], cells[other], poses[other]) > _DEEP
        for other in others
    )


def is_torn(found: Found, usual: float) -> bool:
    """Whether so much less of a piece looks like it than usual that it may be in two."""
    return found.fit < _TORN * usual or (usual - found.fit) * found.seen >= FEWEST


def is_weak(found: Found) -> bool:
    """Whether little speaks for a piece to be there."""
    return found.seen < FEWEST or found.cost > -_WEAK * found.seen / 2.0
