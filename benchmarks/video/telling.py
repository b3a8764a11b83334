"""How many pixels tell that a forgery is one: what can't be seen can't be asked of anybody.

A piece whose one end is hidden looks, when it grows, just as if it slid, and one that comes apart
where nobody sees the gap looks longer. So a false frame is held against these: the piece at its
place, or slid along one axis as far as may be, or grown, with all others where they are. The
pixels in which it looks unlike the likeliest of them tell; what is another side of the same piece,
and darker, may be in shadow.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bridge.compare.forging.forgeries import ForgedFilm, Forgery, ForgeryKind, TrueFilm
from bridge.compare.tracking.colours import Looks, colour_costs, pixel_costs
from bridge.compare.tracking.search import moved, stretched
from bridge.compare.tracking.tracker import Tracker
from bridge.compare.tracking.weighing import TrackedPieces
from bridge.compare.tracking.zbuffer import GOOD, draw_piece, faces_of
from pysim.geometry import Voxels

__all__ = ["Unlike", "is_telling", "telling_pixels"]

_Labels = NDArray[np.int16]
_Pose = NDArray[np.float64]

_FEWEST = 40
"""Pixels that tell at least; with fewer, nothing is asked."""
_FACES = 2.0
"""Faces of a cell that are to be seen of a double at least; from 1.5 on a judge has to count it."""
_OF_A_FACE = 0.7
"""Pixels of a face that looks at the camera askew, as a share of a square unit's."""
_SLID = (
    ForgeryKind.DIAGONAL,
    ForgeryKind.ROTATION,
    ForgeryKind.STRETCH,
    ForgeryKind.SPLIT,
    ForgeryKind.VANISH,
)
"""Kinds that look like a slide where little is seen of them."""
_FAR, _STEPS = 3.0, 61
"""Units that a piece may have slid, and how many places between are tried."""


def is_telling(tracker: Tracker, truth: TrueFilm, film: ForgedFilm, frames: set[int]) -> bool:
    """Whether enough pixels tell of the only forgery in any of some frames."""
    (label,) = film.forgeries
    most = max(telling_pixels(tracker, truth, film, frame) for frame in frames)
    if label.kind is not ForgeryKind.DUPLICATE:
        return most >= _FEWEST
    piece = tracker.names.index(label.pieces[0])
    there = film.extras[0].poses[label.reached]
    own = truth.poses[label.reached, truth.names.index(label.pieces[0])]
    # How far away a double is nobody knows: faces are as large as those of the piece itself.
    density = max(tracker.board.pixels_per_unit(pose, piece) for pose in (there, own))
    return most >= _FACES * _OF_A_FACE * density * density


def telling_pixels(tracker: Tracker, truth: TrueFilm, film: ForgedFilm, frame: int) -> int:
    """The pixels, at the size at which videos are looked at, that tell of the only forgery.

    Args:
        tracker: of the bundle; it knows the camera.
        frame: when to look.
    """
    (label,) = film.forgeries
    board = tracker.board
    pick = [truth.names.index(name) for name in tracker.names]
    false = _drawn(tracker, film, frame)
    if (film.paints != np.arange(len(film.names))).any():
        shapes = board.draw(film.poses[frame][pick], np.ones(len(pick), bool))[1]
        guilty = np.flatnonzero((film.paints != np.arange(len(film.names))).any(axis=0))
        seen = [int((shapes >> 2 == tracker.names.index(film.names[g])).sum()) for g in guilty]
        return min(seen)
    culprit = tracker.names.index(label.pieces[0])
    poses = np.nan_to_num(truth.poses[frame][pick])
    before = truth.poses[label.first_frame - 1][pick][culprit]
    unlike = Unlike(tracker.looks, false)
    return min(
        unlike.pixels(_with(board, poses, culprit, pose))
        for pose in _likely(label, poses[culprit], before, board.faces[culprit].corners)
    )


class Unlike:
    """How unlike a picture of some labels looks what it would be under others."""

    def __init__(self, looks: Looks, labels: _Labels) -> None:
        self._own = np.arange(len(looks.sides))
        self._costs, self._empty = colour_costs(looks, looks.expected(labels, self._own))

    def pixels(self, labels: _Labels) -> int:
        """Pixels that are not what they would be, not even in shadow."""
        return int((pixel_costs(self._costs, self._empty, labels, self._own) > GOOD).sum())


def _likely(label: Forgery, now: _Pose, before: _Pose, corners: _Pose) -> Iterator[_Pose]:
    """Poses in which the piece may be taken to be, if it is not seen that it is false."""
    yield now
    if label.kind in _SLID:
        for axis in np.eye(3):
            for far in np.linspace(-_FAR, _FAR, _STEPS):
                yield moved(before, far * axis)
    if label.kind is ForgeryKind.SPLIT:
        ends = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        for along, fixed in product(range(3), ends):
            length = float(ends[1][along] - ends[0][along])
            for far in np.linspace(0.0, _FAR, _STEPS):
                yield stretched(before, fixed, along, 1.0 + far / length)


def _with(board: TrackedPieces, poses: _Pose, piece: int, pose: _Pose) -> _Labels:
    there = poses.copy()
    there[piece] = pose
    return board.draw(there, np.ones(len(poses), bool))[1]


def _drawn(tracker: Tracker, film: ForgedFilm, frame: int) -> _Labels:
    """The labels of a false frame; halves and doubles have those of the piece that they are of."""
    board, names = tracker.board, tracker.names
    poses = film.poses[frame][[film.names.index(name) for name in names]]
    there = np.isfinite(poses).all(axis=(1, 2))
    depth, labels = board.draw(np.nan_to_num(poses), there)
    for extra in film.extras:
        if np.isfinite(extra.poses[frame]).all():
            faces = faces_of(Voxels.of((x, y, z) for x, y, z in extra.cells.tolist()))
            label = 4 * names.index(extra.paint)
            pose = np.ascontiguousarray(extra.poses[frame])
            draw_piece(
                faces.corners, faces.normals, pose, board.view, board.lens, label, depth, labels
            )
    return labels
