"""Gates: how who goes in at one comes out at the other, and who sees a surface."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import lcm

from pysim.families.portal.chamber import Chamber, Surface
from pysim.geometry import Axis, Cell, Direction, add, scale

__all__ = ["GatePair", "find_other_gate", "find_sight_doors", "find_up", "rotate_through"]

GatePair = tuple[Surface, Surface]
"""The orange gate and the blue one."""


def find_other_gate(pair: GatePair | None, cell: Cell, way: Direction) -> GatePair | None:
    """The gate that is met when going ``way`` from a free cell, and the other one; or None."""
    if pair is None:
        return None
    ahead, side = add(cell, way.vector), way.opposite
    one, two = pair
    if one.side is side and one.cell == ahead:
        return pair
    return (two, one) if two.side is side and two.cell == ahead else None


def rotate_through(enter: Surface, leave: Surface, vector: Cell) -> Cell:
    """Return a vector after the passage from one gate to another one.

    What points into the first gate points out of the second one; what is up at a wall is up at
    another wall, and +y at a floor or ceiling.
    """
    into = scale(enter.side.vector, -1)
    out = leave.side.vector
    up, there = find_up(enter.side), find_up(leave.side)
    a, b, c = _dot(vector, into), _dot(vector, up), _dot(vector, _cross(into, up))
    return add(add(scale(out, a), scale(there, b)), scale(_cross(out, there), c))


def find_up(side: Direction) -> Cell:
    """Find the direction that is up at a surface, for an observer who looks straight at it."""
    return (0, 1, 0) if side.axis is Axis.Z else (0, 0, 1)


def _dot(a: Cell, b: Cell) -> int:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Cell, b: Cell) -> Cell:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@lru_cache(maxsize=200_000)
def find_sight_doors(chamber: Chamber, cell: Cell, surface: Surface) -> frozenset[str] | None:
    """Return the doors that have to be open for a surface to be seen from a cell; None: it is not.

    One sees from the middle of the cell, and leans into each free cell beside it, doorways and
    fields aside. Sight goes straight to the middle of the surface, through no part of a solid cell
    or of a field; along an edge or over a corner it may go. Of several lines that with the fewest
    doors counts.
    """
    if cell in chamber.field_cells:
        return None
    beside = (add(cell, vector) for vector in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)))
    open_to = (c for c in beside if not chamber.is_wall(c) and c not in chamber.door_at)
    eyes = (cell, *(c for c in open_to if c not in chamber.field_cells))
    lines = [doors for eye in eyes if (doors := _line(chamber, eye, surface)) is not None]
    return min(lines, key=len) if lines else None


def _line(chamber: Chamber, eye: Cell, surface: Surface) -> frozenset[str] | None:
    """Return the doors on the line from the middle of a cell; None if something else is on it."""
    if _dot(surface.side.vector, add(eye, scale(surface.cell, -1))) < 1:
        return None
    doors = set()
    for cell in _crossed(eye, surface):
        if chamber.is_wall(cell) or cell in chamber.field_cells:
            return None
        if cell in chamber.door_at:
            doors.add(chamber.door_at[cell].name)
    return frozenset(doors)


def _crossed(eye: Cell, surface: Surface) -> Iterator[Cell]:
    """Yield the cells of which the line has inner points, from plane to plane between cells.

    Coordinates are doubled, so that planes between cells are odd; places on the line are whole
    numbers from 0 to a common multiple of its lengths along the axes.
    """
    start = scale(eye, 2)
    line = add(add(scale(surface.cell, 2), surface.side.vector), scale(start, -1))
    unit = lcm(*(abs(length) for length in line if length))
    cuts = {0, unit}
    for axis in range(3):
        first, last = sorted((start[axis], start[axis] + line[axis]))
        planes = range(first + 1 + first % 2, last + 1, 2)  # Odd ones.
        cuts |= {(plane - start[axis]) * unit // line[axis] for plane in planes}
    for one, two in pairwise(sorted(cuts)):
        x, y, z = (
            (2 * unit * (start[i] + 1) + (one + two) * line[i]) // (4 * unit) for i in range(3)
        )
        yield (x, y, z)
