"""Resting poses of a piece on a table, in exact arithmetic."""

from functools import lru_cache

from pysim.errors import InputError
from pysim.geometry.hulls import compute_convex_hull, is_inside
from pysim.geometry.rotations import Rotation, list_rotations
from pysim.geometry.voxels import Voxels

__all__ = ["find_stable_rotation", "is_stable"]


@lru_cache(maxsize=4096)
def is_stable(shape: Voxels, rotation: Rotation) -> bool:
    """Return whether the turned shape stays as it is when set down.

    It does if its centre of mass is strictly inside the convex hull of the cells that touch the
    table; all cells weigh the same. Everything is scaled to integers, so ties are exact.
    """
    cells = rotation.apply_each(shape.cells)
    count = len(cells)
    # Twice the coordinates, so that cell corners (k +- 1/2) are integers; times the number of
    # cells, so that the centre of mass is one too.
    centre = (2 * sum(c[0] for c in cells), 2 * sum(c[1] for c in cells))
    floor = min(z for _, _, z in cells)
    contact = [(2 * x * count, 2 * y * count) for x, y, z in cells if z == floor]
    if any(abs(x - centre[0]) < count and abs(y - centre[1]) < count for x, y in contact):
        return True  # It is over a cell that touches the table.
    sides = (-count, count)
    hull = compute_convex_hull((x + dx, y + dy) for x, y in contact for dx in sides for dy in sides)
    return is_inside(hull, centre, edge=False)


@lru_cache(maxsize=4096)
def find_stable_rotation(shape: Voxels, preferred: Rotation) -> Rotation:
    """``preferred`` if the shape rests that way, else the first rotation in which it does.

    Raises:
        InputError: it rests in none.
    """
    for rotation in (preferred, *list_rotations()):
        if is_stable(shape, rotation):
            return rotation
    raise InputError("the piece can't be laid on a table in any of the 24 ways")
