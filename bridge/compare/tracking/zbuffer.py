"""Pieces drawn into depth buffers, compiled: as little as a hypothesis needs.

A face is a square in body coordinates. Buffers hold inverse depth (0 where nothing is) and labels:
``4 * piece + axis`` for a face of a piece that looks along an axis of the world, more or less, and
-1 for the background. A camera far off sees one of the two sides of each axis and no other. Pixels
are counted as by :class:`~pysim.render.pinhole.Pinhole`.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pysim.geometry import Direction, Voxels, add

__all__ = ["PieceFaces", "Scratch", "draw_piece", "faces_of", "weigh_piece"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Labels = NDArray[np.int16]

GOOD = 0.35
"""A pixel that costs less than this, of at most 1, looks like its piece."""


class PieceFaces(NamedTuple):
    """The outer faces of a piece.

    Attributes:
        corners: (n, 4, 3) in body coordinates.
        normals: (n, 3) likewise.
    """

    corners: _Array
    normals: _Array


class Scratch(NamedTuple):
    """Buffers for one hypothesis, empty between two of them.

    Attributes:
        depth: (H, W) inverse depth.
        side: (H, W) the axis along which the face looks.
    """

    depth: _Plane
    side: NDArray[np.int8]

    @staticmethod
    def of(height: int, width: int) -> "Scratch":
        """Buffers for pictures of a size."""
        return Scratch(np.zeros((height, width), np.float32), np.zeros((height, width), np.int8))


def faces_of(shape: Voxels) -> PieceFaces:
    """The outer faces of a shape."""
    cells, corners, normals = shape.cell_set, [], []
    for cell in shape.cells:
        for direction in Direction:
            if add(cell, direction.vector) in cells:
                continue
            normal = np.array(direction.vector, np.float64)
            u, v = np.eye(3)[[(direction.axis.number + 1) % 3, (direction.axis.number + 2) % 3]] / 2
            middle = np.array(cell) + normal / 2.0
            corners.append([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
            normals.append(normal)
    return PieceFaces(np.array(corners, np.float64), np.array(normals))


@njit(cache=True)
def draw_piece(
    corners: _Array,
    normals: _Array,
    pose: _Array,
    view: _Array,
    lens: _Array,
    label: int,
    depth: _Plane,
    labels: _Labels,
) -> None:
    """Draw a piece into buffers that hold others.

    Args:
        corners, normals: its faces.
        pose: (4, 4) from body to world coordinates.
        view: (4, 4) from world to camera coordinates.
        lens: (3,) focal length, and column and row of the middle.
        label: 4 times its number.
        depth, labels: (H, W) what is in front so far.
    """
    flat, sides, count = _seen_faces(corners, normals, pose, view, lens)
    for k in range(count):
        low, high = _rows(flat[k], depth.shape[0])
        for row in range(low, high):
            first, last, start, slope = _span(flat[k], row, depth.shape[1])
            for column in range(first, last):
                near = start + slope * column
                if near > depth[row, column]:
                    depth[row, column] = near
                    labels[row, column] = label + sides[k]


@njit(cache=True)
def weigh_piece(
    corners: _Array,
    normals: _Array,
    pose: _Array,
    view: _Array,
    lens: _Array,
    costs: _Plane,
    behind: _Plane,
    cost_behind: _Plane,
    depth: _Plane,
    side: NDArray[np.int8],
) -> tuple[float, int, int, int]:
    """What it would cost if a piece were there, less what it costs if it is nowhere.

    Args:
        corners, normals, pose, view, lens: as for :func:`draw_piece`.
        costs: (3, H, W) what a pixel costs if a face of the piece is seen there.
        behind: (H, W) inverse depth of all others.
        cost_behind: (H, W) what a pixel costs if the piece is not there.
        depth, side: empty buffers; they are empty again after it.

    Returns:
        The difference (negative if the piece is likely to be there), and the numbers of pixels in
        which it would be seen, in which it would look like itself, and which it covers if nothing
        is in front of it.
    """
    height, width = depth.shape
    flat, sides, count = _seen_faces(corners, normals, pose, view, lens)
    top, bottom = height, 0
    # Where each row begins and ends, so that no more of it is looked at.
    left, right = np.full(height, width), np.zeros(height, np.int64)
    for k in range(count):
        low, high = _rows(flat[k], height)
        for row in range(low, high):
            first, last, start, slope = _span(flat[k], row, width)
            for column in range(first, last):
                near = start + slope * column
                if near > depth[row, column]:
                    depth[row, column] = near
                    side[row, column] = sides[k]
            if first < last:
                left[row], right[row] = min(left[row], first), max(right[row], last)
                top, bottom = min(top, row), max(bottom, row + 1)
    total, seen, good, covered = 0.0, 0, 0, 0
    for row in range(top, bottom):
        for column in range(left[row], right[row]):
            near = depth[row, column]
            if near > 0.0:
                depth[row, column] = 0.0
                covered += 1
                if near > behind[row, column]:
                    cost = costs[side[row, column], row, column]
                    total += cost - cost_behind[row, column]
                    seen += 1
                    good += cost < GOOD
    return total, seen, good, covered


@njit(cache=True)
def _seen_faces(
    corners: _Array, normals: _Array, pose: _Array, view: _Array, lens: _Array
) -> tuple[_Array, NDArray[np.int8], int]:
    """(n, 4, 3) corners of the faces that look at the camera, as column, row and inverse depth.

    Also the axes along which they look, and how many there are.
    """
    flat = np.empty((len(corners), 4, 3))
    sides = np.empty(len(corners), np.int8)
    count = 0
    # Both matrices in one; by hand, since this is a tenth of all time.
    turn, shift = np.empty((3, 3)), np.empty(3)
    for i in range(3):
        shift[i] = view[i, 3]
        for j in range(3):
            shift[i] += view[i, j] * pose[j, 3]
            turn[i, j] = 0.0
            for k in range(3):
                turn[i, j] += view[i, k] * pose[k, j]
    for n in range(len(corners)):
        facing, whole = 0.0, True
        for c in range(4):
            x, y, z = corners[n, c, 0], corners[n, c, 1], corners[n, c, 2]
            right = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z + shift[0]
            down = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z + shift[1]
            far = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z + shift[2]
            if far < 0.1:
                whole = False
                break
            flat[count, c, 0] = lens[0] * right / far + lens[1]
            flat[count, c, 1] = lens[0] * down / far + lens[2]
            flat[count, c, 2] = 1.0 / far
            if c == 0:
                x, y, z = normals[n, 0], normals[n, 1], normals[n, 2]
                facing = (
                    (turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z) * right
                    + (turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z) * down
                    + (turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z) * far
                )
                if facing >= 0.0:
                    whole = False
                    break
        if whole:
            most, axis = -1.0, 0
            for a in range(3):
                way = abs(
                    pose[a, 0] * normals[n, 0]
                    + pose[a, 1] * normals[n, 1]
                    + pose[a, 2] * normals[n, 2]
                )
                if way > most:
                    most, axis = way, a
            sides[count] = axis
            count += 1
    return flat, sides, count


@njit(cache=True)
def _rows(face: _Array, height: int) -> tuple[int, int]:
    """The first row of a face, and the one after its last."""
    low = min(face[0, 1], face[1, 1], face[2, 1], face[3, 1])
    high = max(face[0, 1], face[1, 1], face[2, 1], face[3, 1])
    return max(0, int(np.ceil(low - 0.5))), min(height, int(np.ceil(high - 0.5)))


@njit(cache=True)
def _span(face: _Array, row: int, width: int) -> tuple[int, int, float, float]:
    """The columns of a face in a row, and its inverse depth there: at column 0, and its slope."""
    y = row + 0.5
    left, right = 1e9, -1e9
    near_left, near_right = 0.0, 0.0
    for c in range(4):
        d = (c + 1) % 4
        y0, y1 = face[c, 1], face[d, 1]
        if (y0 <= y) == (y1 <= y):
            continue
        share = (y - y0) / (y1 - y0)
        x = face[c, 0] + share * (face[d, 0] - face[c, 0])
        near = face[c, 2] + share * (face[d, 2] - face[c, 2])
        if x < left:
            left, near_left = x, near
        if x > right:
            right, near_right = x, near
    if right - left < 1e-9:
        return 0, 0, 0.0, 0.0
    slope = (near_right - near_left) / (right - left)
    first = max(0, int(np.ceil(left - 0.5)))
    last = min(width, int(np.ceil(right - 0.5)))
    return first, last, near_left + slope * (0.5 - left), slope
