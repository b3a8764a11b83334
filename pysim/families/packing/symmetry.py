"""The ways in which a box can be turned onto itself, and what they do to the cells in it."""

from functools import lru_cache

from pysim.families.packing.grid import cells_of, mask_of
from pysim.geometry import Cell, Rotation, Voxels, all_rotations

__all__ = ["box_rotations", "least_image", "stabiliser", "turned"]


@lru_cache(maxsize=1024)
def box_rotations(size: Cell) -> tuple[Rotation, ...]:
    """The rotations (4 to 24) after which the box has the same size along every axis."""
    block = Voxels.block(size)
    return tuple(r for r in all_rotations() if block.rotated(r).bounds.size == block.bounds.size)


@lru_cache(maxsize=1 << 17)
def turned(size: Cell, mask: int, rotation: Rotation) -> int:
    """Where some cells are after the box was turned onto itself."""
    low = Voxels.block(size).rotated(rotation).bounds.low
    cells = (rotation.apply(cell) for cell in cells_of(size, mask))
    return mask_of(size, ((x - low[0], y - low[1], z - low[2]) for x, y, z in cells))


def stabiliser(size: Cell, mask: int) -> tuple[Rotation, ...]:
    """The rotations of the box that leave some cells where they are."""
    return tuple(r for r in box_rotations(size) if turned(size, mask, r) == mask)


def least_image(
    size: Cell, masks: tuple[int, ...], rotations: tuple[Rotation, ...]
) -> tuple[int, ...]:
    """One and the same way to write packings that differ by these rotations (a group) alone.

    Which piece of several equal ones is where makes no difference.
    """
    return min(tuple(sorted(turned(size, mask, r) for mask in masks)) for r in rotations)
