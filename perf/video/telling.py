"""Count the pixels that give a forgery away: nobody can be asked to see what has none.

A piece whose one end is hidden looks, when it grows, just as if it slid, and one that comes apart
where nobody sees the gap looks longer. So a false frame is held against these: the piece at its
place, or slid along one axis as far as may be, or grown, with all others where they are. The
pixels in which it looks unlike the likeliest of them tell; what is another side of the same piece,
and darker, may be in shadow. Where faces of a false picture are in one plane, as of pieces in each
other, either may be seen: such pixels tell nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.colours import Looks, colour_costs, pixel_costs
from bridge.compare.tracking.posing import moved, stretched
from bridge.compare.tracking.tracker import Tracker
from bridge.compare.tracking.zbuffer import GOOD, draw_piece, faces_of
from bridge.recording.dataset.forging.forgeries import ForgedFilm, Forgery, ForgeryKind, TrueFilm
from pysim.geometry import Voxels

__all__ = ["Unlike", "is_telling", "telling_pixels"]

_Labels = NDArray[np.int16]
_Mask = NDArray[np.bool_]
_Plane = NDArray[np.float32]
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
"""Units that a piece may have slid, and how many places between are tried at first."""
_FINER = 21
"""Places that are tried then: half a tenth of a unit is as much as a row of pixels."""
_ONE_PLANE = 1e-3
"""Share of its distance by which a surface is nearer than another one at least, to be in front."""


def is_telling(tracker: Tracker, truth: TrueFilm, film: ForgedFilm, frames: set[int]) -> bool:
    """Return whether enough pixels tell of the only forgery in any of some frames."""
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
    """Return the pixels, at the size at which videos are looked at, that tell of the only forgery.

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
    unlike, corners = Unlike(tracker.looks, false.labels), board.faces[culprit].corners
    others = board.draw(poses, np.arange(len(pick)) != culprit)

    def left(pose: _Pose) -> int:
        there = poses.copy()
        there[culprit] = pose
        seen = _overlaid(board.draw(there, np.arange(len(pick)) == culprit), others)
        return unlike.pixels(seen.labels, ~false.ties)

    ways = (_least(left, way) for way in _ways(label, before, corners))
    return min([left(poses[culprit]), *ways])


def _least(left: Callable[[_Pose], int], way: Callable[[float], _Pose]) -> int:
    """The fewest pixels that are left anywhere along a way, and more finely where they are."""
    places = np.linspace(-_FAR, _FAR, _STEPS)
    pixels = [left(way(float(far))) for far in places]
    near = places[int(np.argmin(pixels))] + np.linspace(-1.0, 1.0, _FINER) * (places[1] - places[0])
    return min([*pixels, *(left(way(float(far))) for far in near)])


class Unlike:
    """A measure of how far a picture of some labels is from the picture of others."""

    def __init__(self, looks: Looks, labels: _Labels) -> None:
        self._own = np.arange(len(looks.sides))
        self._costs, self._empty = colour_costs(looks, looks.expected(labels, self._own))

    def pixels(self, labels: _Labels, counted: _Mask) -> int:
        """Return pixels that are not what they would be, not even in shadow.

        Args:
            counted: (H, W) those that count.
        """
        costs = pixel_costs(self._costs, self._empty, labels, self._own)
        return int(((costs > GOOD) & counted).sum())


def _ways(label: Forgery, before: _Pose, corners: _Pose) -> Iterator[Callable[[float], _Pose]]:
    """Ways along which the piece may be taken to be, by units, if it is not seen to be false."""
    if label.kind in _SLID:
        for axis in np.eye(3):
            yield partial(_slid, before, axis)
    if label.kind is ForgeryKind.SPLIT:
        ends = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        for along, fixed in product(range(3), ends):
            length = float(ends[1][along] - ends[0][along])
            yield partial(_grown, before, fixed, along, length)


def _grown(before: _Pose, fixed: _Pose, along: int, length: float, far: float) -> _Pose:
    return stretched(before, fixed, along, 1.0 + max(0.0, far) / length)


def _slid(before: _Pose, axis: _Pose, far: float) -> _Pose:
    return moved(before, far * axis)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """Labels of the pixels, and (H, W) where a false piece is in one plane with another one."""

    labels: _Labels
    ties: _Mask


def _overlaid(false: tuple[_Plane, _Labels], others: tuple[_Plane, _Labels]) -> _Drawn:
    """Inverse depths and labels of what is false, and of all others, as one picture.

    Of two that are in one plane the false one is seen: no piece hides by being inside another one.
    """
    (near, labels), (behind, theirs) = false, others
    ties = (near > 0.0) & (np.abs(near - behind) < _ONE_PLANE * behind)
    return _Drawn(np.where((near > behind) | ties, labels, theirs), ties)


def _drawn(tracker: Tracker, film: ForgedFilm, frame: int) -> _Drawn:
    """Return a false frame; halves and doubles have the labels of the piece that they are of."""
    board, names = tracker.board, tracker.names
    poses = film.poses[frame][[film.names.index(name) for name in names]]
    there = np.isfinite(poses).all(axis=(1, 2))
    guilty = np.isin(names, film.forgeries[0].pieces[:1])
    depth, labels = board.draw(np.nan_to_num(poses), there & guilty)
    for extra in film.extras:
        if np.isfinite(extra.poses[frame]).all():
            faces = faces_of(Voxels.from_cells((x, y, z) for x, y, z in extra.cells.tolist()))
            label = 4 * names.index(extra.paint)
            pose = np.ascontiguousarray(extra.poses[frame])
            draw_piece(
                faces.corners, faces.normals, pose, board.view, board.lens, label, depth, labels
            )
    return _overlaid((depth, labels), board.draw(np.nan_to_num(poses), there & ~guilty))
