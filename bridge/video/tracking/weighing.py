"""Compiled weighing of hypotheses: how much better a body at a pose explains a picture."""

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.raster import find_light, rasterize
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import price_color
from pysim.kernels import kernel

__all__ = ["weigh_body", "weigh_each"]

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
) -> tuple[float, int, float]:  # fmt: skip
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
        them; the number of pixels that show them; and what these cost.
    """
    low, high = rasterize(
        corners, normals, first, base, grid, bodies, poses, view, lens, behind,
        depth, texels, faces, rows, turned,
    )  # fmt: skip
    light, off, last = np.empty(3), np.empty(3), -1
    gain, seen, own = 0.0, 0, 0.0
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
    return gain, seen, own


@kernel(nogil=True)
def weigh_each(
    gains: _Array,
    corners: _Array, normals: _Array, first: _Index, base: _Index, grid: _Index,
    bodies: _Index, poses: _Array, view: _Array, lens: _Array, behind: _Plane,
    depth: _Plane, texels: _Labels, faces: _Labels, rows: _Index, turned: _Array,
    texture: _Plane, spread: _Plane, shade: _Array, alpha: float, picture: _Picture,
    picture_behind: _Picture, cost_behind: _Plane, far: float, counted: float, free: float,
) -> None:  # fmt: skip
    """Set the first figure of :func:`weigh_body` for each of some poses (N, B, 4, 4) of bodies."""
    for k in range(len(poses)):
        gains[k], _, _ = weigh_body(
            corners, normals, first, base, grid, bodies, poses[k], view, lens, behind,
            depth, texels, faces, rows, turned, texture, spread, shade, alpha, picture,
            picture_behind, cost_behind, far, counted, free,
        )  # fmt: skip
