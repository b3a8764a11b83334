"""Swept volumes of cells that turn about an axis by less than a whole turn.

A cell and a circle around the axis share an arc, and a turn moves that arc along the circle. A cell
enters another one if on some circle its swept arc overlaps the arc of the other. The gap between
the two arcs is monotonic in the radius between critical radii: those of corners of the cells, and
the least that both cells share, where a circle may be tangent to an edge. So it is enough to test
the critical radii and one radius between each two of them.
"""

import math
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from pysim.geometry.directions import Axis, Cell

__all__ = ["Sectors"]

_LEAST = 1e-9
"""Radians by which arcs have to overlap: less is rounding."""

_Spot = tuple[int, int]
"""A cell in a plane across the axis, counted from the axis."""


class Sectors:
    """Swept volume of cells that turn about an axis, layer by layer.

    Args:
        axis: the direction of the axis.
        centre: a cell on it, through whose middle it goes.
        cells: those that turn.
        quarters: right-handed quarter turns: 1, 2, or 3 for one the other way.
    """

    def __init__(self, axis: Axis, centre: Cell, cells: Iterable[Cell], quarters: int) -> None:
        self._axis, self._centre, self._quarters = axis.number, centre, quarters
        self._layers: dict[int, set[_Spot]] = {}
        for cell in cells:
            self._layers.setdefault(cell[self._axis], set()).add(self._spot(cell))

    def overlaps(self, cell: Cell) -> bool:
        """Return whether the swept volume overlaps a cell; a shared border does not count."""
        there = self._spot(cell)
        passing = self._layers.get(cell[self._axis], ())
        return any(_enters(spot, there, self._quarters) for spot in passing)

    def _spot(self, cell: Cell) -> _Spot:
        u, v = (self._axis + 1) % 3, (self._axis + 2) % 3
        return cell[u] - self._centre[u], cell[v] - self._centre[v]


@cache
def _enters(spot: _Spot, other: _Spot, quarters: int) -> bool:
    """Return whether the swept volume of a cell overlaps another cell."""
    (inner, outer), (near, far) = _radii(spot), _radii(other)
    if not (inner < far - _LEAST and near < outer - _LEAST):
        return False
    if (0, 0) in (spot, other):
        return True  # They share circles, and one of them goes all the way round.
    back, ahead = (0.0, quarters * math.pi / 2) if quarters < 3 else (math.pi / 2, 0.0)
    for radius in _list_test_radii(spot, other):
        (low, high), (first, last) = _arc(spot, radius), _arc(other, radius)
        if _overlap(low - back, high + ahead, first, last):
            return True
    return False


def _overlap(low: float, high: float, first: float, last: float) -> bool:
    """Return whether two arcs of a circle share more than an end."""
    begin, end = (first - low) % math.tau, (last - low) % math.tau
    length = high - low
    if any(_LEAST < place < length - _LEAST for place in (begin, end)):
        return True
    if _LEAST < end < begin - _LEAST:  # The other one begins before and ends behind.
        return min(length, last - first) > _LEAST
    together = min(begin, math.tau - begin) < _LEAST
    return together and min(length, last - first) > _LEAST


def _list_test_radii(spot: _Spot, other: _Spot) -> Iterator[float]:
    """Radii of circles that both cells share and that tell whether they meet."""
    (a, b), (c, d) = _radii(spot), _radii(other)
    inner, outer = max(a, c), min(b, d)
    radii = {inner, outer, *_corner_radii(spot), *_corner_radii(other)}
    found = sorted(radius for radius in radii if inner <= radius <= outer)
    yield from found
    yield from ((one + two) / 2 for one, two in pairwise(found))


@cache
def _radii(spot: _Spot) -> tuple[float, float]:
    """Return distances of the nearest and the farthest point of a cell."""
    x, y = map(abs, spot)
    return math.hypot(max(0.0, x - 0.5), max(0.0, y - 0.5)), math.hypot(x + 0.5, y + 0.5)


def _corner_radii(spot: _Spot) -> set[float]:
    """Return distances of a cell's corners."""
    x, y = map(abs, spot)
    return {math.hypot(x + a, y + b) for a in (-0.5, 0.5) for b in (-0.5, 0.5)}


@cache
def _arc(spot: _Spot, radius: float) -> tuple[float, float]:
    """Return the directions of the first and the last point of a cell on a circle, in radians."""
    middle = math.atan2(spot[1], spot[0])
    found = [
        (math.atan2(y, x) - middle + math.pi) % math.tau - math.pi
        for x, y in _crossings(spot, radius)
    ]
    return middle + min(found), middle + max(found)


def _crossings(spot: _Spot, radius: float) -> Iterator[tuple[float, float]]:
    """Yield points of a cell's edges on a circle."""
    x, y = spot
    for k in (-0.5, 0.5):
        for across in _roots(x + k, radius):
            if abs(across - y) <= 0.5 + _LEAST:
                yield x + k, across
        for across in _roots(y + k, radius):
            if abs(across - x) <= 0.5 + _LEAST:
                yield across, y + k


def _roots(along: float, radius: float) -> tuple[float, float]:
    """Return the distances to both sides at which a circle crosses.

    They are 0 if it is just touched, or not at all.
    """
    half = math.sqrt(max(0.0, radius * radius - along * along))
    return -half, half
