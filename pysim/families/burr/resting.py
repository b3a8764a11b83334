"""How a piece can lie on a table without tipping over, in exact arithmetic."""

from functools import lru_cache

from pysim.geometry import Cell, Rotation, Voxels, all_rotations

__all__ = ["resting_rotation", "rests"]

Point = tuple[int, int]


@lru_cache(maxsize=4096)
def rests(shape: Voxels, rotation: Rotation) -> bool:
    """Whether the turned shape stays as it is when set down.

    It does if its centre of mass is strictly inside the convex hull of the cells that touch the
    table; all cells weigh the same. Everything is scaled to integers, so ties are exact.
    """
    cells = shape.rotated(rotation).cells
    count = len(cells)
    # Twice the coordinates, so that cell corners (k +- 1/2) are integers; times the number of
    # cells, so that the centre of mass is one too.
    centre = (2 * sum(c[0] for c in cells), 2 * sum(c[1] for c in cells))
    hull = _hull([(x * count, y * count) for x, y in _contact_corners(cells)])
    return all(_turn(a, b, centre) > 0 for a, b in zip(hull, hull[1:] + hull[:1], strict=True))


@lru_cache(maxsize=4096)
def resting_rotation(shape: Voxels, preferred: Rotation) -> Rotation:
    """``preferred`` if the shape rests that way, else the first rotation in which it does.

    Raises:
        ValueError: it rests in none.
    """
    for rotation in (preferred, *all_rotations()):
        if rests(shape, rotation):
            return rotation
    raise ValueError("the piece can't be laid on a table in any of the 24 ways")


def _contact_corners(cells: tuple[Cell, ...]) -> list[Point]:
    floor = min(z for _, _, z in cells)
    return sorted(
        {
            (2 * x + dx, 2 * y + dy)
            for x, y, z in cells
            if z == floor
            for dx in (-1, 1)
            for dy in (-1, 1)
        }
    )


def _turn(a: Point, b: Point, c: Point) -> int:
    """Positive if a, b, c turn left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _hull(points: list[Point]) -> list[Point]:
    """Convex hull, counter-clockwise (Andrew's monotone chain over sorted points)."""

    def chain(ordered: list[Point]) -> list[Point]:
        result: list[Point] = []
        for point in ordered:
            while len(result) > 1 and _turn(result[-2], result[-1], point) <= 0:
                result.pop()
            result.append(point)
        return result[:-1]

    return chain(points) + chain(points[::-1])
