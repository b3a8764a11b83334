"""Equality of boxes up to symmetry."""

from itertools import product

from pysim.families.packing.box import Packing
from pysim.geometry import Cell, Direction, Voxels, list_rotations

__all__ = ["compute_canonical_form"]

_UP: Cell = (0, 0, 1)


def compute_canonical_form(packing: Packing) -> str:
    """Return equal texts for boxes that are the same when turned or mirrored with their pieces.

    Under gravity a box stays upright. Pieces lie as they like, in any order.
    """
    turns = [r for r in list_rotations() if not packing.gravity or r.apply(_UP) == _UP]
    shapes = {
        mirrored: sorted(_mirror(p.shape, mirrored).canonical.cells for p in packing.pieces)
        for mirrored in (False, True)
    }
    images = []
    for rotation, mirrored in product(turns, (False, True)):
        size = Voxels.make_block(packing.size).rotate(rotation).bounds.size
        sides = sorted(rotation.apply(_mirror_vector(side, mirrored)) for side in packing.open)
        images.append((size, sides, shapes[mirrored]))
    return repr((packing.gravity, min(images)))


def _mirror(shape: Voxels, mirrored: bool) -> Voxels:
    return Voxels.from_cells((-x, y, z) for x, y, z in shape.cells) if mirrored else shape


def _mirror_vector(side: Direction, mirrored: bool) -> Cell:
    x, y, z = side.vector
    return (-x, y, z) if mirrored else (x, y, z)
