"""Pieces drawn into depth buffers, compiled: as little as a hypothesis needs.

A face is a rectangle in body coordinates. Buffers hold inverse depth (0 where nothing is) and
labels: ``4 * piece + axis`` for a face of a piece that looks along an axis of the world, more or
less, and -1 for the background. A camera far off sees one of the two sides of each axis and no
other. Pixels are counted as by :class:`~pysim.render.pinhole.Pinhole`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pysim.geometry import Cell, Direction, Voxels, add

__all__ = ["PieceFaces", "Scratch", "draw_piece", "faces_of", "weigh_piece"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Labels = NDArray[np.int16]

GOOD = 0.35
"""A pixel that costs less than this, of at most 1, looks like its piece."""


class PieceFaces(NamedTuple):
    """The outside of a piece, in rectangles.

    Attributes:
        corners: (n, 4, 3) in body coordinates.
        normals: (n, 3) likewise.
    """

    corners: _Array
    normals: _Array


class Scratch(NamedTuple):
    """Buffers for one hypothesis.

    Attributes:
        depth: (H, W) inverse depth; empty between two hypotheses.
        cost: (H, W) what the pixels cost that the piece covers; anything elsewhere.
    """

    depth: _Plane
    cost: _Plane

    @staticmethod
    def of(height: int, width: int) -> "Scratch":
        """Buffers for pictures of a size."""
        return Scratch(np.zeros((height, width), np.float32), np.zeros((height, width), np.float32))


def faces_of(shape: Voxels) -> PieceFaces:
    """The outside of a shape: as few rectangles as go along cells that lie in a row."""
    corners, normals = [], []
    for direction in Direction:
        normal = np.array(direction.vector, np.float64)
        u, v = (direction.axis.number + 1) % 3, (direction.axis.number + 2) % 3
        for low, high in _rectangles(_bare(shape, direction), np.eye(3, dtype=int)[[u, v]]):
            first, last = (np.array(cell) + normal / 2.0 for cell in (low, high))
            first[[u, v]] -= 0.5
            last[[u, v]] += 0.5
            second, fourth = first.copy(), first.copy()
            second[u], fourth[v] = last[u], last[v]
            corners.append([first, second, last, fourth])
            normals.append(normal)
    return PieceFaces(np.array(corners, np.float64), np.array(normals))


def _bare(shape: Voxels, direction: Direction) -> set[Cell]:
    """Cells that have no neighbour on one side."""
    return {c for c in shape.cells if add(c, direction.vector) not in shape.cell_set}


def _rectangles(bare: set[Cell], ways: NDArray[np.int64]) -> Iterator[tuple[Cell, Cell]]:
    """The first and the last cells of rectangles that cover cells of one side, each once."""
    while bare:
        block = {min(bare)}
        for x, y, z in ways.tolist():
            front = block
            while (front := {add(cell, (x, y, z)) for cell in front}) <= bare:
                block = block | front
        yield min(block), max(block)
        bare = bare - block


@njit(cache=True, error_model="numpy")
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
    height, width = depth.shape
    flat, sides, count = _seen_faces(corners, normals, pose, view, lens)
    ends = np.empty((4, height))
    for k in range(count):
        low, high = _scan(flat[k], ends)
        for row in range(low, high):
            first, last, start, slope = _span(ends, row, width)
            for column in range(first, last):
                near = start + slope * column
                if near > depth[row, column]:
                    depth[row, column] = near
                    labels[row, column] = label + sides[k]


@njit(cache=True, error_model="numpy")
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
    cost: _Plane,
) -> tuple[float, int, int, int]:
    """What it would cost if a piece were there, less what it costs if it is nowhere.

    Args:
        corners, normals, pose, view, lens: as for :func:`draw_piece`.
        costs: (3, H, W) what a pixel costs if a face of the piece is seen there.
        behind: (H, W) inverse depth of all others.
        cost_behind: (H, W) what a pixel costs if the piece is not there.
        depth: (H, W) an empty buffer; it is empty again after it.
        cost: (H, W) a buffer.

    Returns:
        The difference (negative if the piece is likely to be there), and the numbers of pixels in
        which it would be seen, in which it would look like itself, and which it covers if nothing
        is in front of it.
    """
    height, width = depth.shape
    flat, sides, count = _seen_faces(corners, normals, pose, view, lens)
    ends = np.empty((4, height))
    top, bottom = height, 0
    # Where each row begins and ends, so that no more of it is looked at.
    left, right = np.full(height, width), np.zeros(height, np.int64)
    planes = costs.reshape((3, height * width))
    depths, seen_costs = depth.reshape(-1), cost.reshape(-1)
    for k in range(count):
        low, high = _scan(flat[k], ends)
        plane = planes[sides[k]]
        for row in range(low, high):
            first, last, start, slope = _span(ends, row, width)
            if first < last:
                _lay(depths, seen_costs, plane, row * width, first, last, start, slope)
                left[row], right[row] = min(left[row], first), max(right[row], last)
        top, bottom = min(top, low), max(bottom, high)
    others, costs_behind = behind.reshape(-1), cost_behind.reshape(-1)
    # A sum for each column: these can be added up side by side.
    sums = np.zeros(width)
    seen, good, covered = 0, 0, 0
    for row in range(top, bottom):
        if left[row] < right[row]:
            counts = _lift(
                depths, seen_costs, others, costs_behind, sums, row * width, left[row], right[row]
            )
            seen, good, covered = seen + counts[0], good + counts[1], covered + counts[2]
    total = 0.0
    for column in range(width):
        total += sums[column]
    return total, seen, good, covered


@njit(cache=True, error_model="numpy")
def _lay(
    depth: _Plane,
    cost: _Plane,
    plane: _Plane,
    row: int,
    first: int,
    last: int,
    start: float,
    slope: float,
) -> None:
    """Draw a row of a face, and what its pixels cost.

    Loops as plain as this one, with numbers that can't be negative, are compiled to vectors.

    Args:
        depth, cost, plane: (H * W,) buffers, and what pixels cost on this side of the piece.
        row: where it begins.
        first, last, start, slope: as :func:`_span` returns them.
    """
    begin = np.uintp(row + first)
    for k in range(np.uintp(last - first)):
        at = begin + k
        near = np.float32(start + slope * np.float64(first + np.int64(k)))
        old, was, now = depth[at], cost[at], plane[at]
        nearer = near > old
        depth[at] = near if nearer else old
        cost[at] = now if nearer else was


@njit(cache=True, error_model="numpy")
def _lift(
    depth: _Plane,
    cost: _Plane,
    behind: _Plane,
    cost_behind: _Plane,
    sums: _Array,
    row: int,
    first: int,
    last: int,
) -> tuple[int, int, int]:
    """Weigh a row of what was drawn, and empty it.

    Args:
        depth, cost, behind, cost_behind: (H * W,) as for :func:`weigh_piece`.
        sums: (W,) of what pixels cost more; they are added to these.
        row: where it begins.
        first, last: columns.

    Returns:
        How many pixels are seen, look like the piece, and are covered.
    """
    begin, column = np.uintp(row + first), np.uintp(first)
    seen, good, covered = np.int64(0), np.int64(0), np.int64(0)
    for k in range(np.uintp(last - first)):
        at = begin + k
        near, here, other, without = depth[at], cost[at], behind[at], cost_behind[at]
        there = near > np.float32(0.0)
        shown = there & (near > other)
        depth[at] = np.float32(0.0)
        covered += np.int64(there)
        seen += np.int64(shown)
        good += np.int64(shown & (np.float64(here) < GOOD))
        more = np.float64(here - without)
        was = sums[column + k]
        sums[column + k] = was + (more if shown else 0.0)
    return int(seen), int(good), int(covered)


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def _scan(face: _Array, ends: _Array) -> tuple[int, int]:
    """Where rows of a face begin and end.

    Args:
        ends: (4, H) takes the columns and the inverse depths at their left and right ends.

    Returns:
        The first row of the face, and the one after its last.
    """
    height = ends.shape[1]
    low = min(face[0, 1], face[1, 1], face[2, 1], face[3, 1])
    high = max(face[0, 1], face[1, 1], face[2, 1], face[3, 1])
    top, bottom = max(0, int(np.ceil(low - 0.5))), min(height, int(np.ceil(high - 0.5)))
    for row in range(top, bottom):
        ends[0, row], ends[1, row] = 1e9, -1e9
    for c in range(4):
        d = (c + 1) % 4
        y0, y1 = face[c, 1], face[d, 1]
        first = max(0, int(np.ceil(min(y0, y1) - 0.5)))
        last = min(height, int(np.ceil(max(y0, y1) - 0.5)))
        for row in range(first, last):
            share = (row + 0.5 - y0) / (y1 - y0)
            x = face[c, 0] + share * (face[d, 0] - face[c, 0])
            near = face[c, 2] + share * (face[d, 2] - face[c, 2])
            if x < ends[0, row]:
                ends[0, row], ends[2, row] = x, near
            if x > ends[1, row]:
                ends[1, row], ends[3, row] = x, near
    return top, bottom


@njit(cache=True, error_model="numpy")
def _span(ends: _Array, row: int, width: int) -> tuple[int, int, float, float]:
    """The columns of a face in a row, and its inverse depth there: at column 0, and its slope."""
    left, right = ends[0, row], ends[1, row]
    if right - left < 1e-9:
        return 0, 0, 0.0, 0.0
    slope = (ends[3, row] - ends[2, row]) / (right - left)
    first = max(0, int(np.ceil(left - 0.5)))
    last = min(width, int(np.ceil(right - 0.5)))
    return first, last, ends[2, row] + slope * (0.5 - left), slope
