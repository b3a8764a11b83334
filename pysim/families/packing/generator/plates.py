"""Detect flat 2 x 3 plates, which pieces may not contain, and list the pieces of ``easy``."""

from functools import lru_cache
from itertools import combinations_with_replacement

from pysim.families.packing.grid import list_spots, mask_of
from pysim.geometry import Cell, Voxels

__all__ = ["has_plate", "list_easy_cuboids"]

_PLATE = Voxels.make_block((2, 3, 1))


def has_plate(size: Cell, mask: int) -> bool:
    """Return whether a mask of cells contains a full 2 x 3 rectangle parallel to two axes."""
    return any(mask & plate == plate for plate in _list_plate_masks(size))


@lru_cache(maxsize=1024)
def _list_plate_masks(size: Cell) -> tuple[int, ...]:
    return tuple(spot.mask for spot in list_spots(size, _PLATE))


@lru_cache(maxsize=1024)
def list_easy_cuboids(size: Cell, min_cells: int, max_cells: int) -> tuple[Voxels, ...]:
    """Return the cuboids that fit into a box, contain no plate and have two equal sides or more."""
    cuboids = []
    for sides in combinations_with_replacement(range(1, max(size) + 1), 3):
        fits = all(side <= limit for side, limit in zip(sides, sorted(size), strict=True))
        cells = sides[0] * sides[1] * sides[2]
        if fits and min_cells <= cells <= max_cells and len(set(sides)) < 3:
            shape = Voxels.make_block((sides[2], sides[1], sides[0]))
            if not has_plate(shape.bounds.size, mask_of(shape.bounds.size, shape.cells)):
                cuboids.append(shape)
    return tuple(cuboids)
