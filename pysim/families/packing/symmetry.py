"""The ways in which a box can be turned onto itself, and what they do to the cells in it."""

from functools import lru_cache

from pysim.families.packing.grid import list_bits, mask_of
from pysim.geometry import Cell, Rotation, Voxels, list_rotations, subtract

__all__ = ["find_least_image", "find_stabilizer", "list_box_rotations", "rotate_mask"]


@lru_cache(maxsize=1024)
def list_box_rotations(size: Cell) -> tuple[Rotation, ...]:
    """Return the rotations (4 to 24) after which the box has the same size along every axis."""
    block = Voxels.make_block(size)
    return tuple(r for r in list_rotations() if block.rotate(r).bounds.size == block.bounds.size)


@lru_cache(maxsize=1 << 17)
def rotate_mask(size: Cell, mask: int, rotation: Rotation) -> int:
    """Return some cells after the box was turned onto itself."""
    images = _images(size, rotation)
    return sum(images[bit] for bit in list_bits(mask))


@lru_cache(maxsize=1024)
def _images(size: Cell, rotation: Rotation) -> dict[int, int]:
    """Return each cell of a box -> where it is after a turn."""
    cells = Voxels.make_block(size).cells
    low = Voxels.make_block(size).rotate(rotation).bounds.low
    images = (subtract(rotation.apply(cell), low) for cell in cells)
    return {
        mask_of(size, [cell]): mask_of(size, [image])
        for cell, image in zip(cells, images, strict=True)
    }


def find_stabilizer(size: Cell, mask: int) -> tuple[Rotation, ...]:
    """Return the rotations of the box that leave some cells where they are."""
    return tuple(r for r in list_box_rotations(size) if rotate_mask(size, mask, r) == mask)


def find_least_image(
    size: Cell, masks: tuple[int, ...], rotations: tuple[Rotation, ...]
) -> tuple[int, ...]:
    """Return one and the same way to write packings that differ by these rotations (a group) alone.

    Which piece of several equal ones is where makes no difference.
    """
    return min(tuple(sorted(rotate_mask(size, mask, r) for mask in masks)) for r in rotations)
