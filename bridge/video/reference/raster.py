"""Compiled rendering of hypotheses: textured rectangles in a z-buffer.

Depth buffers hold inverse depth, 0 where nothing is. Pixels are counted as by
:class:`~pysim.render.pinhole.Pinhole`: the first one's middle is 0.5.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = ["NOTHING", "find_light", "light_texels", "rasterize"]

NOTHING = -1
"""Label of pixels in which no body is seen."""

_Array = NDArray[np.float64]
_Index = NDArray[np.int64]
_Plane = NDArray[np.float32]
_Labels = NDArray[np.int32]


@kernel(nogil=True)
def _project(
    corners: _Array, normals: _Array, pose: _Array, view: _Array, lens: _Array, k: int,
    flat: _Array, planes: _Array, normal: _Array,
) -> bool:  # fmt: skip
    """Project a rectangle; return whether it looks at the camera.

    Args:
        flat: (4, 2) takes the corners in pixels.
        planes: (3, 3) takes inverse depth, u and v by depth, each as a + b * column + c * row.
        normal: (3,) takes its normal in the world.
    """
    near = np.empty(4)
    facing, length = 0.0, 0.0
    for i in range(3):
        normal[i] = (
            pose[i, 0] * normals[k, 0] + pose[i, 1] * normals[k, 1] + pose[i, 2] * normals[k, 2]
        )
        length += normal[i] * normal[i]
    length = np.sqrt(max(length, 1e-12))
    for i in range(3):
        normal[i] /= length
    for c in range(4):
        x, y, z = corners[k, c, 0], corners[k, c, 1], corners[k, c, 2]
        wx = pose[0, 0] * x + pose[0, 1] * y + pose[0, 2] * z + pose[0, 3]
        wy = pose[1, 0] * x + pose[1, 1] * y + pose[1, 2] * z + pose[1, 3]
        wz = pose[2, 0] * x + pose[2, 1] * y + pose[2, 2] * z + pose[2, 3]
        right = view[0, 0] * wx + view[0, 1] * wy + view[0, 2] * wz + view[0, 3]
        down = view[1, 0] * wx + view[1, 1] * wy + view[1, 2] * wz + view[1, 3]
        far = view[2, 0] * wx + view[2, 1] * wy + view[2, 2] * wz + view[2, 3]
        if far < 0.1:
            return False
        if c == 0:
            for i in range(3):
                facing += (view[0, i] * right + view[1, i] * down + view[2, i] * far) * normal[i]
            if facing >= 0.0:
                return False
        flat[c, 0] = lens[0] * right / far + lens[1]
        flat[c, 1] = lens[0] * down / far + lens[2]
        near[c] = 1.0 / far
    # Affine in the picture: inverse depth, and u and v times it; from three corners.
    x1, y1 = flat[1, 0] - flat[0, 0], flat[1, 1] - flat[0, 1]
    x2, y2 = flat[3, 0] - flat[0, 0], flat[3, 1] - flat[0, 1]
    area = x1 * y2 - x2 * y1
    if abs(area) < 1e-6:
        return False
    for p in range(3):
        v0 = near[0] if p == 0 else 0.0
        v1 = near[1] if p < 2 else 0.0
        v2 = near[3] if p != 1 else 0.0
        b = ((v1 - v0) * y2 - (v2 - v0) * y1) / area
        c_ = ((v2 - v0) * x1 - (v1 - v0) * x2) / area
        planes[p, 0] = v0 - b * flat[0, 0] - c_ * flat[0, 1]
        planes[p, 1], planes[p, 2] = b, c_
    return True


@kernel(nogil=True)
def _find_rows(flat: _Array, height: int, left: _Array, right: _Array) -> tuple[int, int]:
    """Find the ends of the rows that a rectangle covers; return the first row, and the end."""
    low, high = flat[0, 1], flat[0, 1]
    for c in range(1, 4):
        low, high = min(low, flat[c, 1]), max(high, flat[c, 1])
    top, bottom = max(0, int(np.ceil(low - 0.5))), min(height, int(np.ceil(high - 0.5)))
    for row in range(top, bottom):
        left[row], right[row] = 1e9, -1e9
    for c in range(4):
        d = (c + 1) % 4
        y0, y1 = flat[c, 1], flat[d, 1]
        if y0 == y1:
            continue
        first = max(top, int(np.ceil(min(y0, y1) - 0.5)))
        last = min(bottom, int(np.ceil(max(y0, y1) - 0.5)))
        slope = (flat[d, 0] - flat[c, 0]) / (y1 - y0)
        for row in range(first, last):
            x = flat[c, 0] + (row + 0.5 - y0) * slope
            left[row], right[row] = min(left[row], x), max(right[row], x)
    return top, bottom


@kernel(nogil=True)
def rasterize(
    corners: _Array, normals: _Array, first: _Index, base: _Index, grid: _Index,
    bodies: _Index, poses: _Array, view: _Array, lens: _Array, behind: _Plane,
    depth: _Plane, texels: _Labels, faces: _Labels, rows: _Index, turned: _Array,
) -> tuple[int, int]:  # fmt: skip
    """Draw the texel and the rectangle that each pixel shows, where bodies are before the rest.

    Args:
        corners to grid: the fields of :class:`~bridge.video.reference.surfaces.Surfaces`.
        bodies: (N,) numbers of the bodies that are drawn.
        poses: (N, 4, 4) of these, to world coordinates.
        view, lens: world to camera coordinates; focal length and middle in pixels.
        behind: (H, W) inverse depth of the rest.
        depth, texels, faces: (H, W) drawn upon, where nearer than ``depth`` is.
        rows: (2, H) takes the first column and the end of what is drawn in each row.
        turned: (F, 3) takes the normals in the world.

    Returns:
        The first row of what is drawn, and the end.
    """
    height, width = depth.shape
    flat, planes, normal = np.empty((4, 2)), np.empty((3, 3)), np.empty(3)
    left, right = np.empty(height), np.empty(height)
    rows[0], rows[1] = width, 0
    low, high = height, 0
    for place, body in enumerate(bodies):
        for k in range(first[body], first[body + 1]):
            if not _project(corners, normals, poses[place], view, lens, k, flat, planes, normal):
                continue
            for i in range(3):
                turned[k, i] = normal[i]
            top, bottom = _find_rows(flat, height, left, right)
            low, high = min(low, top), max(high, bottom)
            for row in range(top, bottom):
                begin = max(0, int(np.ceil(left[row] - 0.5)))
                end = min(width, int(np.ceil(right[row] - 0.5)))
                if begin >= end:
                    continue
                rows[0, row], rows[1, row] = min(rows[0, row], begin), max(rows[1, row], end)
                y = row + 0.5
                n0 = planes[0, 0] + planes[0, 2] * y
                u0, v0 = planes[1, 0] + planes[1, 2] * y, planes[2, 0] + planes[2, 2] * y
                for column in range(begin, end):
                    x = column + 0.5
                    near = n0 + planes[0, 1] * x
                    if near <= depth[row, column] or near <= behind[row, column]:
                        continue
                    i = int((u0 + planes[1, 1] * x) / near * grid[k, 0])
                    j = int((v0 + planes[2, 1] * x) / near * grid[k, 1])
                    i, j = min(grid[k, 0] - 1, max(0, i)), min(grid[k, 1] - 1, max(0, j))
                    depth[row, column] = near
                    texels[row, column] = base[k] + i * grid[k, 1] + j
                    faces[row, column] = k
    return low, max(low, high)


@kernel(nogil=True)
def find_light(normal: _Array, shade: _Array, light: _Array) -> None:
    """Set the light (3,) of each channel on what looks along a normal (3,).

    Args:
        shade: (6, 3) as for :func:`light_texels`.
    """
    for c in range(3):
        light[c] = 0.0
        for a in range(3):
            side = 2 * a if normal[a] > 0.0 else 2 * a + 1
            light[c] += normal[a] * normal[a] * shade[side, c]


@kernel(nogil=True)
def light_texels(
    low: int, high: int, depth: _Plane, texels: _Labels, faces: _Labels, rows: _Index,
    turned: _Array, texture: _Plane, shade: _Array, picture: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Draw what :func:`rasterize` has drawn as it should look.

    Args:
        low to turned: what :func:`rasterize` returned and drew.
        texture: (T, 3) colours of texels in even light; negative ones aren't drawn.
        shade: (6, 3) light on what looks along +x, -x, +y, -y, +z and -z, for each channel.
        picture: (H, W, 3) drawn upon.
    """
    light, last = np.empty(3), -1
    for row in range(low, high):
        for column in range(rows[0, row], rows[1, row]):
            if depth[row, column] > 0.0:
                k = faces[row, column]
                if k != last:
                    last = k
                    find_light(turned[k], shade, light)
                if texture[texels[row, column], 0] < 0.0:
                    continue
                for c in range(3):
                    color = light[c] * texture[texels[row, column], c] + 0.5
                    picture[row, column, c] = np.uint8(min(255.0, max(0.0, color)))
