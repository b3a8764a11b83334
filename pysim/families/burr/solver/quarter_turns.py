"""Quarter turns of interlocked pieces, swept through every angle in between, exactly.

In the plane of a turn coordinates are relative to its centre and doubled: a cell is the square of
edge 2 around a point (a, b), where a and b are both even (the centre lies in the middle of a cell)
or both odd (at a corner), so that a quarter turn carries cells to cells.

While a cell turns by 90 degrees, it comes to overlap another one that stands still if and only if

* some circle about the centre runs through the inside of both, and
* the middle of the other one is 0 to 90 degrees ahead of its own, as the turn goes.

For it does if a point of the one has a point of the other at the same distance, 0 to 90 degrees
ahead. In a quadrant the point ahead, if the turn goes from u to v, has the smaller u and the larger
v. So of two cells that a circle runs through there the one ahead is in a lower column, or higher up
in the same one, and its middle is ahead as well. Cells in neighbouring quadrants are compared after
a quarter turn of one of them, cells that an axis cuts half by half; nothing in the opposite
quadrant is reached. Only integers are compared: no angle lies between two samples, cells that
merely touch do not overlap, and the answer is the same on every machine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Axis, Cell, Pose, Rotation, add, make_quarter_turn, subtract
from pysim.kernels import kernel

__all__ = ["QuarterTurn", "find_quarter_turns", "is_meeting"]

_AXES = tuple(Axis)


@dataclass(frozen=True, slots=True)
class QuarterTurn:
    """A turn by 90 degrees about an axis of the lattice.

    Attributes:
        axis: along which the axis of the turn runs.
        way: 1 for a right-handed turn, -1 for a left-handed one.
        centre: where that axis is, in half units, along the two axes that come after it in the
            order x y z x y; both even or both odd.
    """

    axis: Axis
    way: int
    centre: tuple[int, int]

    @property
    def rotation(self) -> Rotation:
        """The rotation alone."""
        return make_quarter_turn(self.axis, self.way)

    @property
    def back(self) -> "QuarterTurn":
        """The turn that undoes this one."""
        return QuarterTurn(self.axis, -self.way, self.centre)

    def carry(self, pose: Pose) -> Pose:
        """Return a pose after the turn."""
        rotation = self.rotation
        doubled = subtract(self._point, rotation.apply(self._point))
        shift = (doubled[0] // 2, doubled[1] // 2, doubled[2] // 2)
        return Pose(rotation.compose(pose.rotation), add(rotation.apply(pose.offset), shift))

    @property
    def _point(self) -> Cell:
        """A point on the axis of the turn, in half units."""
        point = [0, 0, 0]
        for k, value in enumerate(self.centre):
            point[(self.axis.number + 1 + k) % 3] = value
        return (point[0], point[1], point[2])


def find_quarter_turns(
    pieces: Sequence[NDArray[np.int32]],
) -> Iterator[tuple[frozenset[int], QuarterTurn]]:
    """Yield the smallest sets of pieces that can make a quarter turn while the others stand still.

    Every axis, both ways, and every centre within the block around all pieces is tried.

    Args:
        pieces: cells of each piece, (m, 3).

    Yields:
        The places of the pieces that turn, together, and the turn.
    """
    starts = np.cumsum([0] + [len(piece) for piece in pieces]).astype(np.int64)
    for axis, way, u, v, bits in _turns(np.concatenate(pieces).astype(np.int32), starts):
        moving = frozenset(i for i in range(len(pieces)) if bits >> i & 1)
        yield moving, QuarterTurn(_AXES[axis], way, (u, v))


@kernel
def is_meeting(a: int, b: int, c: int, d: int, way: int) -> bool:
    """Return whether the cell at (a, b) overlaps the one at (c, d) at some angle of a quarter turn.

    Both are relative to the centre and doubled; ``way`` is 1 for a turn from u to v, else -1.
    """
    if way * (a * d - b * c) < 0 or a * c + b * d < 0:
        return False
    a, b, c, d = abs(a), abs(b), abs(c), abs(d)
    near = max(max(a - 1, 0) ** 2 + max(b - 1, 0) ** 2, max(c - 1, 0) ** 2 + max(d - 1, 0) ** 2)
    return bool(near < min((a + 1) ** 2 + (b + 1) ** 2, (c + 1) ** 2 + (d + 1) ** 2))


class _Plane(NamedTuple):
    """The cells of n pieces in the planes of turns about one axis.

    Attributes:
        flat: (m, 2), u and v, doubled, sorted by piece and layer.
        layers: (n, layers + 1); the cells of piece i in layer k go from ``layers[i, k]`` up to
            ``layers[i, k + 1]``.
        near: (pairs, 2), places of cells of different pieces that touch, sorted by these.
        firsts: (n n + 1,); the pairs of pieces i and j go from ``firsts[n i + j]`` up to the next.
    """

    flat: NDArray[np.int64]
    layers: NDArray[np.int64]
    near: NDArray[np.int64]
    firsts: NDArray[np.int64]


@kernel
def _turns(
    cells: NDArray[np.int32], starts: NDArray[np.int64]
) -> list[tuple[int, int, int, int, np.int64]]:
    """Possible turns (axis, way, centre, bits of the pieces)."""
    n = len(starts) - 1
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    found = [(0, 0, 0, 0, np.int64(0)) for _ in range(0)]
    sets = np.empty(n, np.uint64)
    for axis in range(3):
        flat, layers = _layered(cells, starts, axis)
        near, firsts = _neighbours(flat, layers)
        plane = _Plane(flat, layers, near, firsts)
        for u in range(flat[:, 0].min() - 1, flat[:, 0].max() + 2):
            for v in range(flat[:, 1].min() - 1, flat[:, 1].max() + 2):
                if (u - v) % 2:
                    continue
                for way in (1, -1):
                    stuck = np.uint64(0)
                    count = 0
                    for piece in range(n):
                        bits = _company(plane, u, v, way, piece, stuck)
                        if bits & stuck or bits == full:
                            stuck |= np.uint64(1) << np.uint64(piece)
                        elif not np.any(sets[:count] == bits):
                            sets[count] = bits
                            count += 1
                            found.append((axis, way, u, v, np.int64(bits)))
    return found


@kernel
def _layered(
    cells: NDArray[np.int32], starts: NDArray[np.int64], axis: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first two arrays of a :class:`_Plane`."""
    heights = cells[:, axis] - cells[:, axis].min()
    flat = np.empty((len(cells), 2), np.int64)
    layers = np.empty((len(starts) - 1, heights.max() + 2), np.int64)
    place = 0
    for i in range(len(layers)):
        for k in range(layers.shape[1]):
            layers[i, k] = place
            for p in range(starts[i], starts[i + 1]):
                if heights[p] == k:
                    flat[place, 0] = 2 * cells[p, (axis + 1) % 3]
                    flat[place, 1] = 2 * cells[p, (axis + 2) % 3]
                    place += 1
    return flat, layers


@kernel
def _neighbours(
    flat: NDArray[np.int64], layers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the last two arrays of a :class:`_Plane`."""
    n = len(layers)
    pairs = [(0, 0) for _ in range(0)]
    firsts = np.zeros(n * n + 1, np.int64)
    for i in range(n):
        for j in range(n):
            for k in range(layers.shape[1] - 1):
                for p in range(layers[i, k], layers[i, k + 1]):
                    for q in range(layers[j, k], layers[j, k + 1]):
                        du, dv = flat[p, 0] - flat[q, 0], flat[p, 1] - flat[q, 1]
                        if i != j and max(abs(du), abs(dv)) <= 2:
                            pairs.append((p, q))
            firsts[n * i + j + 1] = len(pairs)
    near = np.empty((len(pairs), 2), np.int64)
    for place, (p, q) in enumerate(pairs):
        near[place, 0], near[place, 1] = p, q
    return near, firsts


@kernel
def _company(plane: _Plane, u: int, v: int, way: int, piece: int, stuck: np.uint64) -> np.uint64:
    """Return the pieces that must turn with one, as bits; cut short where one of them is stuck.

    Nearly always some neighbour is in the way, so these are looked at first.
    """
    one = np.uint64(1)
    n = len(plane.layers)
    full = (one << np.uint64(n)) - one
    moving = one << np.uint64(piece)
    for far in (False, True):
        done = np.uint64(0)
        while done != moving:
            for i in range(n):
                if done >> np.uint64(i) & one or not moving >> np.uint64(i) & one:
                    continue
                done |= one << np.uint64(i)
                for j in range(n):
                    if moving >> np.uint64(j) & one or not _hits(plane, u, v, way, i, j, far):
                        continue
                    moving |= one << np.uint64(j)
                    if moving & stuck or moving == full:
                        return moving
    return moving


@kernel
def _hits(plane: _Plane, u: int, v: int, way: int, i: int, j: int, far: bool) -> bool:
    """Whether piece i, turning, hits piece j; only cells that touch are looked at unless far."""
    flat, layers, near, firsts = plane
    if not far:
        for k in range(firsts[len(layers) * i + j], firsts[len(layers) * i + j + 1]):
            p, q = near[k]
            if is_meeting(flat[p, 0] - u, flat[p, 1] - v, flat[q, 0] - u, flat[q, 1] - v, way):
                return True
        return False
    for k in range(layers.shape[1] - 1):
        for p in range(layers[i, k], layers[i, k + 1]):
            a, b = flat[p, 0] - u, flat[p, 1] - v
            for q in range(layers[j, k], layers[j, k + 1]):
                if is_meeting(a, b, flat[q, 0] - u, flat[q, 1] - v, way):
                    return True
    return False
