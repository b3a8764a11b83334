"""Pieces with patches of several colours, drawn into depth buffers; compiled.

Buffers hold inverse depth (0 where nothing is) and labels: -1 for the background, and
``4 * (piece * paints + paint) + axis`` for a patch that looks along an axis of the world, more or
less; ``ASKEW`` is in the place of the axis if it looks between two of them.
:mod:`bridge.compare.tracking.zbuffer` draws pieces of one colour.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge.compare.tracking.zbuffer import GOOD, faces_of
from pysim.geometry import Cell, Direction
from pysim.scene import Body, Colour, Sticker

__all__ = [
    "ASKEW",
    "TOUCHING",
    "Buffers",
    "Patches",
    "draw_patches",
    "paints_of",
    "patches_of",
    "same_side",
    "weigh_patches",
]

_Array = NDArray[np.float64]
_Numbers = NDArray[np.int64]
_Plane = NDArray[np.float32]
_Labels = NDArray[np.int16]

_HALF = 0.42
"""Half of the width of a sticker."""
ASKEW = 3
"""Stands for no axis."""
_ALONG = 0.87
"""Cosine of the angle up to which a patch looks along an axis."""
TOUCHING = 1.02
"""What is nearer than something by less than this share may touch it: then both end there."""
_ABOVE = 0.01
"""Units by which stickers are drawn above what they stick on."""


class Patches(NamedTuple):
    """All that can be seen of some pieces.

    Attributes:
        corners: (n, 4, 3) in the coordinates of its body.
        normals: (n, 3) likewise.
        pieces: (n,) whose it is.
        paints: (n,) how it is painted.
    """

    corners: _Array
    normals: _Array
    pieces: _Numbers
    paints: _Numbers


class Buffers(NamedTuple):
    """Buffers for one hypothesis, empty between two of them.

    Attributes:
        depth: (H, W) inverse depth.
        labels: (H, W) what is in front.
    """

    depth: _Plane
    labels: _Labels

    @staticmethod
    def of(height: int, width: int) -> "Buffers":
        """Buffers for pictures of a size."""
        empty = np.full((height, width), -1, np.int16)
        return Buffers(np.zeros((height, width), np.float32), empty)


def paints_of(bodies: Sequence[Body]) -> tuple[Colour, ...]:
    """All colours that bodies and their stickers have, each once."""
    own = [body.colour for body in bodies]
    return tuple(dict.fromkeys([*own, *(s.colour for body in bodies for s in body.stickers)]))


def patches_of(bodies: Sequence[Body], paints: Sequence[Colour]) -> Patches:
    """The outer faces of bodies, and their stickers."""
    found: list[tuple[_Array, _Array, int, int]] = []
    for piece, body in enumerate(bodies):
        faces = faces_of(body.shape)
        own = paints.index(body.colour)
        found += [(*face, piece, own) for face in zip(faces.corners, faces.normals, strict=True)]
        stuck = {(one.cell, one.side, one.colour) for one in body.stickers}
        for one in body.stickers:
            found.append((*_square(one, stuck), piece, paints.index(one.colour)))
    corners, normals, pieces, colours = zip(*found, strict=True)
    return Patches(np.array(corners), np.array(normals), np.array(pieces), np.array(colours))


def _square(sticker: Sticker, stuck: Set[tuple[Cell, Direction, Colour]]) -> tuple[_Array, _Array]:
    """Corners (4, 3) and normal of a sticker, without its round corners.

    It goes up to its neighbours of the same colour: what is between them is too narrow to be seen.
    """
    normal = np.array(sticker.side.vector, np.float64)
    number = sticker.side.axis.number
    middle = np.array(sticker.cell) + normal * (0.5 + _ABOVE)
    ends = np.zeros((2, 3))
    for axis in ((number + 1) % 3, (number + 2) % 3):
        for end, sign in ((0, -1), (1, 1)):
            step = np.eye(3, dtype=int)[axis] * sign
            x, y, z = (np.array(sticker.cell) + step).tolist()
            joined = ((x, y, z), sticker.side, sticker.colour) in stuck
            ends[end, axis] = sign * (0.5 if joined else _HALF)
    u, v = np.eye(3)[[(number + 1) % 3, (number + 2) % 3]]
    low, high = ends
    signs = ((low, low), (high, low), (high, high), (low, high))
    corners = np.array([middle + a * u + b * v for a, b in signs])
    return corners, normal


@njit(cache=True)
def draw_patches(
    corners: _Array,
    normals: _Array,
    pieces: _Numbers,
    codes: _Numbers,
    poses: _Array,
    which: NDArray[np.bool_],
    view: _Array,
    lens: _Array,
    depth: _Plane,
    labels: _Labels,
    every: int = 1,
) -> tuple[int, int, int, int]:
    """Draw some pieces into buffers that may hold others.

    Args:
        corners, normals, pieces: of all patches.
        codes: (n,) labels of patches, without their axes.
        poses: (P, 4, 4) from body to world coordinates.
        which: (P,) pieces that are drawn.
        view: (4, 4) from world to camera coordinates.
        lens: (3,) focal length, and column and row of the middle.
        depth, labels: (H, W) what is in front so far.
        every: 1 for all rows, 2 for every second one, and so on.

    Returns:
        The first row and column that were looked at, and those after the last.
    """
    height, width = depth.shape
    top, bottom, left, right = height, 0, width, 0
    flat = np.empty((4, 3))
    for n in range(len(corners)):
        piece = pieces[n]
        if not which[piece] or not _seen(corners[n], normals[n], poses[piece], view, lens, flat):
            continue
        label = codes[n] + _axis_of(normals[n], poses[piece])
        lowest = min(flat[0, 1], flat[1, 1], flat[2, 1], flat[3, 1])
        highest = max(flat[0, 1], flat[1, 1], flat[2, 1], flat[3, 1])
        low = max(0, int(np.ceil(lowest - 0.5)))
        high = min(height, int(np.ceil(highest - 0.5)))
        for row in range(low + -low % every, high, every):
            first, last, start, slope = _span(flat, row + 0.5, width)
            if first >= last:
                continue
            for column in range(first, last):
                near = start + slope * column
                if near > depth[row, column]:
                    depth[row, column] = near
                    labels[row, column] = label
            left, right = min(left, first), max(right, last)
            top, bottom = min(top, row), max(bottom, row + 1)
    return top, bottom, left, right


@njit(cache=True)
def weigh_patches(
    corners: _Array,
    normals: _Array,
    pieces: _Numbers,
    codes: _Numbers,
    poses: _Array,
    which: NDArray[np.bool_],
    view: _Array,
    lens: _Array,
    costs: _Plane,
    edges: _Plane,
    behind: _Plane,
    cost_behind: _Plane,
    depth: _Plane,
    labels: _Labels,
    every: int,
) -> tuple[float, int, int, int]:
    """What it would cost if some pieces were there, less what it costs if they are nowhere.

    Args:
        corners, normals, pieces, codes, poses, which, view, lens: as for :func:`draw_patches`.
        costs: (paints, 4, H, W) what a pixel costs if a patch is seen there.
        edges: (H, W) what it costs besides if a side ends there.
        behind: (H, W) inverse depth of all others.
        cost_behind: (H, W) what a pixel costs if these pieces are not there, edges included.
        depth, labels: empty buffers; they are empty again after it.
        every: as for :func:`draw_patches`; edges that run along rows don't count then.

    Returns:
        The difference, and the numbers of pixels in which they would be seen, in which they would
        look like themselves, and which they cover if nothing is in front of them.
    """
    top, bottom, left, right = draw_patches(
        corners, normals, pieces, codes, poses, which, view, lens, depth, labels, every
    )
    total, seen, good, covered = 0.0, 0, 0, 0
    paints = len(costs)
    for row in range(top + -top % every, bottom, every):
        for column in range(left, right):
            near = depth[row, column]
            if near > 0.0:
                covered += 1
                if near > behind[row, column]:
                    label = labels[row, column]
                    cost = costs[(label >> 2) % paints, label & 3, row, column]
                    total += cost - cost_behind[row, column]
                    seen += 1
                    good += cost < GOOD
                    if _ends(depth, labels, behind, row, column, paints, every):
                        total += edges[row, column]
    depth[top:bottom, left:right] = 0.0
    labels[top:bottom, left:right] = -1
    return total * every, seen * every, good * every, covered * every


@njit(cache=True)
def _ends(
    depth: _Plane,
    labels: _Labels,
    behind: _Plane,
    row: int,
    column: int,
    paints: int,
    every: int,
) -> bool:
    """Whether a side that is seen in a pixel ends there."""
    height, width = depth.shape
    near, own = depth[row, column], labels[row, column]
    if 0 < row < height - 1 and 0 < column < width - 1:
        across = labels[row, column - 1] == own and labels[row, column + 1] == own
        down = labels[row - 1, column] == own and labels[row + 1, column] == own
        if across and (down or every > 1):
            return False
    for k in range(2 if every > 1 else 4):
        r, c = row + (k == 2) - (k == 3), column + (k == 0) - (k == 1)
        if not (0 <= r < height and 0 <= c < width):
            continue
        if depth[r, c] > behind[r, c]:
            if depth[r, c] <= TOUCHING * near and not same_side(own, labels[r, c], paints):
                return True
        elif behind[r, c] <= TOUCHING * near:
            return True
    return False


@njit(cache=True, inline="always")
def same_side(one: int, other: int, paints: int) -> bool:
    """Whether two labels are of one side of one piece."""
    return (one >> 2) // paints == (other >> 2) // paints and (one & 3) == (other & 3)


@njit(cache=True)
def _seen(
    corners: _Array, normal: _Array, pose: _Array, view: _Array, lens: _Array, flat: _Array
) -> bool:
    """Whether a patch looks at the camera; if so its corners (4, 3): column, row, inverse depth."""
    for c in range(4):
        x = y = z = 0.0
        for k in range(3):
            there = pose[k, 3]
            for j in range(3):
                there += pose[k, j] * corners[c, j]
            x += view[0, k] * there
            y += view[1, k] * there
            z += view[2, k] * there
        x, y, z = x + view[0, 3], y + view[1, 3], z + view[2, 3]
        if z < 0.1:
            return False
        flat[c, 0], flat[c, 1] = lens[0] * x / z + lens[1], lens[0] * y / z + lens[2]
        flat[c, 2] = 1.0 / z
        if c == 0:
            facing = 0.0
            for k in range(3):
                way = 0.0
                for j in range(3):
                    way += pose[k, j] * normal[j]
                facing += way * (view[0, k] * x + view[1, k] * y + view[2, k] * z)
            if facing >= 0.0:
                return False
    return True


@njit(cache=True)
def _axis_of(normal: _Array, pose: _Array) -> int:
    """The axis along which a patch looks, more or less, or that it looks along none."""
    most, axis = _ALONG, ASKEW
    for k in range(3):
        way = abs(pose[k, 0] * normal[0] + pose[k, 1] * normal[1] + pose[k, 2] * normal[2])
        if way > most:
            most, axis = way, k
    return axis


@njit(cache=True)
def _span(flat: _Array, y: float, width: int) -> tuple[int, int, float, float]:
    """The columns of a patch in a row, and its inverse depth there: at column 0, and its slope."""
    left, right = 1e9, -1e9
    near_left, near_right = 0.0, 0.0
    for c in range(4):
        d = (c + 1) % 4
        if (flat[c, 1] <= y) == (flat[d, 1] <= y):
            continue
        share = (y - flat[c, 1]) / (flat[d, 1] - flat[c, 1])
        x = flat[c, 0] + share * (flat[d, 0] - flat[c, 0])
        near = flat[c, 2] + share * (flat[d, 2] - flat[c, 2])
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
