"""Flat plates, which pieces may not contain, and the pieces of ``easy``."""

from functools import lru_cache
from itertools import combinations_with_replacement

from pysim.families.packing.grid import list_spots, mask_of
from pysim.geometry import Cell, Voxels

__all__ = ["has_plate", "list_easy_cuboids"]

_PLATE = Voxels.make_block((2, 3, 1))


def has_plate(size: Cell, mask: int) -> bool:
    """Return whether some cells contain a full 2 x 3 rectangle in any plane of the axes."""
    return any(mask & plate == plate for plate in _plates(size))


@lru_cache(maxsize=1024)
def _plates(size: Cell) -> tuple[int, ...]:
    return tuple(spot.mask for spot in list_spots(size, _PLATE))


@lru_cache(maxsize=1024)
def list_easy_cuboids(size: Cell, least: int, most: int) -> tuple[Voxels, ...]:
    """Cuboids with two equal dimensions or more that fit into a box and contain no plate.

    Args:
        least, most: number of their cells.
    """
    found = []
    for sides in combinations_with_replacement(range(1, max(size) + 1), 3):
        fits = all(side <= room for side, room in zip(sides, sorted(size), strict=True))
        cells = sides[0] * sides[1] * sides[2]
        if fits and least <= cells <= most and len(set(sides)) < 3:
            shape = Voxels.make_block((sides[2], sides[1], sides[0]))
            if not has_plate(shape.bounds.size, mask_of(shape.bounds.size, shape.cells)):
                found.append(shape)
    return tuple(found)
