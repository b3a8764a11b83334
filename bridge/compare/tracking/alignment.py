"""Where the camera of a video looks, beside the true one: turned a little, and zoomed.

A camera that turns where it stands moves its picture by a homography ``K R K^-1``. Its three angles
and the zoom are found by Gauss-Newton steps on what is expected to be seen (inverse compositional:
Baker and Matthews, IJCV 2004), without what does not fit.
"""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge.compare.tracking.swings import LEAST_POINTS, SeenSlopes, on_course

__all__ = ["Drift", "aligned", "inside", "unwarped"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]

_MOST_PIXELS = 6000
_ROUND = 9
"""Edge, in pixels, of what is around a pixel: what is blurred is seen so far from where it is."""
_WORSE = 0.03
"""By how much of what it costs a piece may get worse if the camera is taken to have moved."""
_OUTLIER = 20.0
"""Colours further off than this don't count."""
_USUAL = np.array([np.radians(0.1), np.radians(0.1), np.radians(0.1), 0.001])
"""Deviation of angles and zoom from one frame to the next."""
_SLOW = np.array([np.radians(0.12), np.radians(0.12), np.radians(0.4), 0.005])
"""Angles and zoom from one frame to the next that are believed of a few pieces."""
_ANY = np.full(4, 1e-3)
"""As if nothing were known of angles and zoom."""
_STILL = np.zeros(4)
_FAR_MORE, _FEW = 1.3, 3
"""Times as many pixels that have to say that a camera does not swing on as it did, and pieces."""
_JERK = np.array([np.radians(0.3), np.radians(0.3), np.radians(0.4), 0.005])
"""Change of angles and zoom, from one frame to the next, off from how the camera swung on."""
_FARTHEST = (np.radians(6.0), 0.1)
"""Angle and zoom beyond which a drift is no mild one."""


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """A turn of the camera and its zoom.

    Attributes:
        values: (4,) angles about x, y and z of the camera, in radians, and the logarithm of zoom.
    """

    values: _Array

    @staticmethod
    def none() -> "Drift":
        """The true camera."""
        return Drift(np.zeros(4))

    @property
    def degrees(self) -> float:
        """The largest angle."""
        return float(np.degrees(np.abs(self.values[:3]).max()))

    @property
    def zoom(self) -> float:
        """How much larger all looks."""
        return float(np.exp(self.values[3]))

    def homography(self, lens: _Array) -> _Array:
        """The 3x3 matrix from pixels of the true camera to those of this one."""
        focal, x, y = lens
        inside = np.array([[focal, 0.0, x], [0.0, focal, y], [0.0, 0.0, 1.0]])
        turn, _ = cv2.Rodrigues(self.values[:3].astype(np.float64))
        zoom = np.diag([self.zoom, self.zoom, 1.0])
        matrix: _Array = inside @ zoom @ turn @ np.linalg.inv(inside)
        return matrix


def unwarped(picture: _Picture, drift: Drift, lens: _Array) -> _Picture:
    """A picture as the true camera would have seen it."""
    if not drift.values.any():
        return picture
    # cv2 counts from the middle of the first pixel.
    shift = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    matrix = np.linalg.inv(shift) @ drift.homography(lens) @ shift
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (picture.shape[1], picture.shape[0])
    there = cv2.warpPerspective(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return cast("_Picture", there)


def inside(size: tuple[int, int], drift: Drift, lens: _Array) -> NDArray[np.bool_]:
    """(height, width): what a picture that was unwarped shows; the rest lies beyond its edge."""
    if not drift.values.any():
        return np.ones(size, bool)
    return _shown(drift.homography(lens), size[0], size[1])


@njit(cache=True)
def _shown(there: _Array, height: int, width: int) -> NDArray[np.bool_]:
    """(height, width): whose pixels a homography puts inside, a pixel from the edge at least."""
    shown = np.empty((height, width), np.bool_)
    for row in range(height):
        for column in range(width):
            x, y = column + 0.5, row + 0.5
            far = there[2, 0] * x + there[2, 1] * y + there[2, 2]
            right = (there[0, 0] * x + there[0, 1] * y + there[0, 2]) / far
            down = (there[1, 0] * x + there[1, 1] * y + there[1, 2]) / far
            shown[row, column] = 1.0 < right < width - 1.0 and 1.0 < down < height - 1.0
    return shown


def aligned(
    picture: _Picture,
    expected: _Picture,
    known: NDArray[np.bool_],
    labels: NDArray[np.int16],
    lens: _Array,
    start: Drift,
    *,
    rounds: int = 4,
    speed: _Array | None = None,
) -> Drift:
    """The drift under which a picture looks most like what is expected.

    Args:
        picture: as it came, (H, W, 3).
        expected: as the true camera would see it.
        known: (H, W) where that is known well.
        labels: (H, W) which piece is expected where; those that went somewhere else than the others
            don't count. At first, with many rounds, all of them do.
        start: where to begin, as for the frame before.
        rounds: of Gauss-Newton at each of the scales.
        speed: (4,) by how much angles and zoom should change, if the camera is known to swing on.
    """
    drift, mine, theirs = start, _grey(picture), _grey(expected)
    for blur in (1.5,) if rounds <= 4 else (9.0, 4.0, 1.5):
        template = cast("_Picture", cv2.GaussianBlur(theirs, (0, 0), blur))
        blurred = cast("_Picture", cv2.GaussianBlur(mine, (0, 0), blur))
        groups = labels >> 2 if rounds <= 4 else None
        points = _Points.of(template, known, lens)
        drift = _refined(blurred, points, groups, drift, rounds, speed)
    return drift if _is_mild(drift) else start


def _near(pieces: NDArray[np.int16]) -> NDArray[np.int16]:
    """(H, W) which piece is seen, or is next to what is seen: its outline goes where it does."""
    around = cv2.dilate(pieces, np.ones((_ROUND, _ROUND), np.uint8))
    return cast("NDArray[np.int16]", np.where(pieces < 0, around, pieces).astype(np.int16))


def _is_mild(drift: Drift) -> bool:
    angle, zoom = _FARTHEST
    return bool((np.abs(drift.values[:3]) < angle).all() and abs(drift.values[3]) < zoom)


def _grey(picture: _Picture) -> _Picture:
    return cast("_Picture", cv2.transform(picture, np.full((1, 3), 1.0 / 3.0, np.float32)))


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """The pixels of a template that tell most.

    Attributes:
        chosen: (n,) which.
        grey: (n,) what is expected there.
        ways: (n, 2) how that changes to the right and down.
        slopes: (n, 4) and with the angles and the zoom.
        lens: of the camera.
    """

    chosen: NDArray[np.int64]
    grey: NDArray[np.float32]
    ways: _Array
    slopes: _Array
    lens: _Array

    @staticmethod
    def of(grey: _Picture, known: NDArray[np.bool_], lens: _Array) -> "_Points":
        """Those with the steepest slopes."""
        across: _Array = np.gradient(grey.astype(np.float64), axis=1)
        down: _Array = np.gradient(grey.astype(np.float64), axis=0)
        strength = (np.hypot(across, down) * known).ravel()
        chosen = np.flatnonzero(strength > 1.0)
        if len(chosen) > _MOST_PIXELS:
            chosen = chosen[np.argpartition(strength[chosen], -_MOST_PIXELS)[-_MOST_PIXELS:]]
        rows, columns = np.divmod(chosen, grey.shape[1])
        ways = np.stack([across.ravel()[chosen], down.ravel()[chosen]], axis=1)
        slopes = _slopes(ways[:, 0], ways[:, 1], columns, rows, lens)
        return _Points(chosen, grey.ravel()[chosen], ways, slopes, lens)

    def off(self, picture: _Picture, values: _Array) -> tuple[_Array, _Array]:
        """(n,) by how much a picture is off under a drift, and how much that counts."""
        seen = unwarped(picture, Drift(values), self.lens).ravel()[self.chosen]
        off = np.asarray(seen - self.grey, np.float64)
        return off, np.maximum(0.0, 1.0 - (off / (2.0 * _OUTLIER)) ** 2) ** 2

    def descended(
        self,
        picture: _Picture,
        course: _Array,
        steady: _Array,
        kept: NDArray[np.bool_],
        rounds: int,
    ) -> _Array:
        """(4,) the best drift near a course, by those pixels that are kept."""
        values, slopes = course, self.slopes
        for _ in range(rounds):
            off, weight = self.off(picture, values)
            weight = weight * kept
            normal = slopes.T @ (weight[:, None] * slopes) + np.diag(steady)
            step = np.linalg.solve(normal, slopes.T @ (weight * off) + steady * (values - course))
            values = values - step
            if np.abs(step).max() < 2e-5:
                break
        return values


def _refined(
    picture: _Picture,
    points: _Points,
    groups: NDArray[np.int16] | None,
    drift: Drift,
    rounds: int,
    speed: _Array | None,
) -> Drift:
    if len(points.chosen) < LEAST_POINTS:
        return drift
    if groups is None:
        everything = np.ones(len(points.chosen), bool)
        return Drift(points.descended(picture, drift.values, _ANY, everything, rounds))
    if speed is None:
        return _elsewhere(picture, points, groups, drift, rounds)
    course, mine = drift.values + speed, _near(groups).ravel()[points.chosen]
    # It may also stand still, or be back where it was at first, if far more pieces say so.
    swung, *others = (_on_course(picture, points, mine, c) for c in (course, drift.values, _STILL))
    best = max(others, key=lambda tried: tried.pixels)
    if best.pieces >= _FEW and best.pixels > _FAR_MORE * swung.pixels:
        return best.near(picture, points, rounds)
    if swung.pixels:
        found = swung.near(picture, points, rounds)
    else:
        found = _elsewhere(picture, points, groups, drift, rounds)
    # Nothing that is held swings so much faster all at once; who moves must be the pieces.
    return found if (np.abs(found.values - course) < _JERK).all() else Drift(course)


@dataclass(frozen=True, slots=True, eq=False)
class _Course:
    """A course, and (n,) which pixels, of how many pieces, say that it goes on, more or less.

    Attributes:
        steady: (4,) what a step off it costs, squared.
    """

    values: _Array
    steady: _Array
    kept: NDArray[np.bool_]
    pixels: int = 0
    pieces: int = 0

    def near(self, picture: _Picture, points: _Points, rounds: int) -> Drift:
        """The drift near it."""
        return Drift(points.descended(picture, self.values, self.steady, self.kept, rounds))


def _on_course(
    picture: _Picture, points: _Points, mine: NDArray[np.int16], course: _Array
) -> _Course:
    """Who says that the camera goes on as it did; (n,) to which piece each pixel belongs."""
    off, weight = points.off(picture, course)
    found = on_course(SeenSlopes(mine, points.ways, points.slopes, off, weight))
    if found is None:
        return _Course(course, _ANY, np.zeros(len(mine), bool))
    kept, steady = found
    return _Course(course, steady, kept, int(kept.sum()), len(np.unique(mine[kept])))


def _elsewhere(
    picture: _Picture, points: _Points, groups: NDArray[np.int16], drift: Drift, rounds: int
) -> Drift:
    """The drift if the camera may do as it likes."""
    mine = groups.ravel()[points.chosen]
    off, weight = points.off(picture, drift.values)
    kept = _agreeing(mine, points.slopes, off, weight)
    if kept.sum() < LEAST_POINTS:
        return drift
    steady = (_OUTLIER / _USUAL) ** 2
    values = points.descended(picture, drift.values, steady, kept, rounds)
    # Where few pieces stay, who moves may be the camera or they: cameras swing slowly.
    fast = bool((np.abs(values - drift.values) > _SLOW).any())
    return drift if fast and not _most(groups, mine[kept]) else Drift(values)


def _most(groups: NDArray[np.int16], kept: NDArray[np.int16]) -> bool:
    """Whether more than half of the pieces are among those that say where the camera looks."""
    seen = np.unique(groups)
    return 2 * int((np.unique(kept) >= 0).sum()) > int((seen >= 0).sum())


def _agreeing(
    groups: NDArray[np.int16], slopes: _Array, off: _Array, weight: _Array
) -> NDArray[np.bool_]:
    """(n,) pixels of the groups that all look better under one step of the camera.

    If a piece moves and the camera does not, a step that is good for the piece is bad for others:
    then the piece that gains most is left out, until nobody loses.
    """
    names = np.unique(groups)
    masks = [groups == name for name in names]
    parts = [
        (
            slopes[m].T @ (weight[m, None] * slopes[m]),
            slopes[m].T @ (weight[m] * off[m]),
            float(weight[m] @ off[m] ** 2),
        )
        for m in masks
    ]
    inside = list(range(len(names)))
    while len(inside) > 1:
        normal = sum(parts[g][0] for g in inside) + 1e-3 * np.eye(4)
        step = np.linalg.solve(normal, sum(parts[g][1] for g in inside))
        gains = [float(2.0 * parts[g][1] @ step - step @ parts[g][0] @ step) for g in inside]
        if all(gain > -_WORSE * parts[g][2] for gain, g in zip(gains, inside, strict=True)):
            break
        inside.pop(int(np.argmax(gains)))
    kept: NDArray[np.bool_] = np.isin(groups, names[inside])
    return kept


def _slopes(
    across: _Array, down: _Array, columns: NDArray[np.int64], rows: NDArray[np.int64], lens: _Array
) -> _Array:
    """(n, 4) how the template changes at pixels with the angles and the zoom."""
    focal, middle_x, middle_y = lens
    x, y = (columns + 0.5 - middle_x) / focal, (rows + 0.5 - middle_y) / focal
    # A turn w moves the ray (x, y, 1) by w times it.
    way_x = np.stack([-x * y, 1.0 + x * x, -y, x])
    way_y = np.stack([-(1.0 + y * y), x * y, x, y])
    slopes: _Array = (focal * (across * way_x + down * way_y)).T
    return slopes
