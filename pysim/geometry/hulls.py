"""Convex hulls of integer points in a plane, exactly."""

from collections.abc import Iterable

__all__ = ["Point", "compute_convex_hull", "is_inside"]

Point = tuple[int, int]


def compute_convex_hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the hull, counter-clockwise, no three in line (Andrew's monotone chain).

    Fewer than three corners if the points lie on a line.
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered) + _chain(ordered[::-1])


def is_inside(hull: list[Point], point: Point, *, edge: bool) -> bool:
    """Whether a point is inside a hull of three corners or more, or with ``edge`` on its edge."""
    least = 0 if edge else 1
    return all(_turn(a, b, point) >= least for a, b in zip(hull, hull[1:] + hull[:1], strict=True))


def _chain(ordered: list[Point]) -> list[Point]:
    """Return one side of the hull, without its last corner."""
    result: list[Point] = []
    for point in ordered:
        while len(result) > 1 and _turn(result[-2], result[-1], point) <= 0:
            result.pop()
        result.append(point)
    return result[:-1]


def _turn(a: Point, b: Point, c: Point) -> int:
    """Positive if a, b, c turn left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
