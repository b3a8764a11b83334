"""Compiled weighing of hypotheses: how much better a body at a pose explains a picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.raster import find_light, rasterize
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import price_color
from pysim.kernels import kernel

__all__ = ["add_off", "refine_pose", "weigh_body", "weigh_each"]

_UNSEEN_COST = LIMITS.unseen_cost


_Array = NDArray[np.float64]
_Index = NDArray[np.int64]
_Plane = NDArray[np.float32]
_Labels = NDArray[np.int32]
_Picture = NDArray[np.uint8]


@kernel(nogil=True)
def weigh_body(
    corners: _Array, normals: _Array, first: _Index, base: _Index, grid: _Index,
    bodies: _Index, poses: _Array, view: _Array, lens: _Array, behind: _Plane,
    depth: _Plane, texels: _Labels, faces: _Labels, rows: _Index, turned: _Array,
    texture: _Plane, spread: _Plane, shade: _Array, alpha: float, picture: _Picture,
    picture_behind: _Picture, cost_behind: _Plane, far: float, counted: float, free: float,
) -> tuple[float, int, float, int]:  # fmt: skip
    """Weigh bodies at poses: the cost of the picture with them, less that without them.

    Args:
        corners to turned: as for :func:`~bridge.video.reference.raster.rasterize`; ``depth`` is
            empty, before and after.
        spread: (T,) by how much texels differ from picture to picture, squared.
        texture, shade: as for :func:`~bridge.video.reference.raster.light_texels`.
        alpha: how much the bodies cover what is behind them, 1 for all of it.
        picture: (H, W, 3) what is seen.
        picture_behind, cost_behind: (H, W, 3) and (H, W) what there would be without the bodies,
            and what that costs.
        far, counted, free: of the :class:`~bridge.video.tracking.comparison.Tolerance`.

    Returns:
        The difference, negative where the bodies explain the picture better than what is behind
        them; the number of pixels that show them; what these cost; and how many of them show what
        the film never does.
    """
    low, high = rasterize(
        corners, normals, first, base, grid, bodies, poses, view, lens, behind,
        depth, texels, faces, rows, turned,
    )  # fmt: skip
    light, off, last = np.empty(3), np.empty(3), -1
    gain, seen, own, unseen = 0.0, 0, 0.0, 0
    for row in range(low, high):
        for column in range(rows[0, row], rows[1, row]):
            if depth[row, column] > 0.0:
                depth[row, column] = 0.0
                k = faces[row, column]
                if k != last:
                    last = k
                    find_light(turned[k], shade, light)
                if texture[texels[row, column], 0] < 0.0:
                    seen += 1
                    unseen += 1
                    own += _UNSEEN_COST
                    gain += _UNSEEN_COST - cost_behind[row, column]
                    continue
                for c in range(3):
                    color = min(255.0, max(0.0, light[c] * texture[texels[row, column], c]))
                    color = alpha * color + (1.0 - alpha) * float(picture_behind[row, column, c])
                    off[c] = float(picture[row, column, c]) - color
                wide = float(spread[texels[row, column]])
                price = price_color(off[0], off[1], off[2], far, counted, wide)
                price = max(0.0, price - free) / (1.0 - free)
                seen += 1
                own += price
                gain += price - cost_behind[row, column]
    return gain, seen, own, unseen


@kernel(nogil=True)
def weigh_each(
    gains: _Array,
    corners: _Array, normals: _Array, first: _Index, base: _Index, grid: _Index,
    bodies: _Index, poses: _Array, view: _Array, lens: _Array, behind: _Plane,
    depth: _Plane, texels: _Labels, faces: _Labels, rows: _Index, turned: _Array,
    texture: _Plane, spread: _Plane, shade: _Array, alpha: float, picture: _Picture,
    picture_behind: _Picture, cost_behind: _Plane, far: float, counted: float, free: float,
) -> None:  # fmt: skip
    """Set the first and the last figure (N, 2) of :func:`weigh_body` for poses (N, B, 4, 4)."""
    for k in range(len(poses)):
        gains[k, 0], _, _, gains[k, 1] = weigh_body(
            corners, normals, first, base, grid, bodies, poses[k], view, lens, behind,
            depth, texels, faces, rows, turned, texture, spread, shade, alpha, picture,
            picture_behind, cost_behind, far, counted, free,
        )  # fmt: skip


@kernel(nogil=True)
def _measure_off(pose: _Array, there: _Array, middle: _Array, costs: _Array) -> float:
    """Return what it costs that a body is elsewhere, whatever it explains; see :func:`add_off`."""
    square, cosine = 0.0, -1.0
    for i in range(3):
        way = pose[i, 3] - there[i, 3]
        for j in range(3):
            way += (pose[i, j] - there[i, j]) * middle[j]
            cosine += pose[i, j] * there[i, j]
        square += way * way
    degrees = np.degrees(np.arccos(min(1.0, max(-1.0, cosine / 2.0))))
    return float(costs[0] * np.sqrt(square) + costs[1] * degrees)


@kernel(nogil=True)
def add_off(prices: _Array, poses: _Array, there: _Array, middle: _Array, costs: _Array) -> None:
    """Add to the price of each pose (N, 4, 4) of a body what it costs that it is elsewhere.

    Args:
        there: (4, 4) where it should be.
        middle: (3,) of the body.
        costs: (2,) of a unit, and of a degree.
    """
    for k in range(len(poses)):
        prices[k] += _measure_off(poses[k], there, middle, costs)


@kernel(nogil=True)
def _copy(pose: _Array, out: _Array) -> None:
    """Set a pose (4, 4); to assign a whole array, numba compiles two seconds longer."""
    for i in range(4):
        for j in range(4):
            out[i, j] = pose[i, j]


@kernel(nogil=True)
def _move(pose: _Array, middle: _Array, k: int, shift: float, turns: _Array, out: _Array) -> None:
    """Set a pose (4, 4) that is shifted along an axis, or turned about the middle of the body."""
    _copy(pose, out)
    if k < 6:
        out[k // 2, 3] += shift if k % 2 else -shift
        return
    for i in range(3):
        for j in range(3):
            out[i, j] = 0.0
            for c in range(3):
                out[i, j] += turns[k - 6, i, c] * pose[c, j]
    for i in range(3):
        for j in range(3):
            out[i, 3] += (pose[i, j] - out[i, j]) * middle[j]


@kernel(nogil=True)
def refine_pose(
    pose: _Array, price: float, there: _Array, middle: _Array, costs: _Array,
    shifts: _Array, turns: _Array, many: int, trial: _Array, weighed: tuple[Any, ...],
) -> float:  # fmt: skip
    """Move and turn a body as long as that lowers its price; return that.

    Args:
        pose: (4, 4) where it is; it is changed.
        price: cost of the picture with it, less that without it, with :func:`add_off`.
        there, middle, costs: as for :func:`add_off`.
        shifts, turns: (S,) and (S, 6, 3, 3) that are tried, the widest first.
        many: pixels that each one stands for.
        trial: (1, 4, 4) its poses as they are weighed, and
        weighed: the arguments of :func:`weigh_body` with them.
    """
    moved = trial[0]
    for step in range(len(shifts)):
        for _ in range(3):
            start = price
            for k in range(12):
                _move(pose, middle, k, shifts[step], turns[step], moved)
                gain, _, _, _ = weigh_body(*weighed)
                new = many * gain + _measure_off(moved, there, middle, costs)
                if new < price:
                    price = new
                    _copy(moved, pose)
            if price >= start:
                break
    return price
