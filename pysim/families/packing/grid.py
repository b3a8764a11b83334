"""The cells of a box as bits of one integer, and the ways to lay a shape among them.

Cell (x, y, z) of a box of a * b * c cells, the lowest at the origin, is bit
``x + a * (y + b * z)``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from pysim.geometry import Bounds, Cell, Direction, Pose, Rotation, Voxels, list_rotations

__all__ = [
    "Spot",
    "find_neighbours",
    "find_way_out",
    "get_block",
    "is_on_surface",
    "list_bits",
    "list_cells",
    "list_spots",
    "mask_of",
    "step",
]


@dataclass(frozen=True, slots=True)
class Spot:
    """A set of cells in which a shape can lie.

    Attributes:
        rotation: the first in which it covers these cells; symmetric shapes have several.
        corner: low corner of the cells' bounds.
        mask: the cells.
    """

    rotation: Rotation
    corner: Cell
    mask: int

    def find_pose(self, shape: Voxels) -> Pose:
        """Return the pose of ``shape`` in this spot."""
        return Pose.place_corner(shape, self.rotation, self.corner)


def mask_of(size: Cell, cells: Iterable[Cell]) -> int:
    """Return the bits of some cells of a box."""
    a, b, _ = size
    return sum(1 << (x + a * (y + b * z)) for x, y, z in cells)


@lru_cache(maxsize=1 << 15)
def list_cells(size: Cell, mask: int) -> tuple[Cell, ...]:
    """Return the cells of some bits of a box."""
    a, b, _ = size
    bits = (bit for bit in range(mask.bit_length()) if mask >> bit & 1)
    return tuple((bit % a, bit // a % b, bit // (a * b)) for bit in bits)


@lru_cache(maxsize=4096)
def list_spots(size: Cell, shape: Voxels) -> tuple[Spot, ...]:
    """Every spot of a shape in a box, each set of cells once, by rotation and then by corner."""
    a, b, _ = size
    spots = []
    seen: set[Voxels] = set()
    for rotation in list_rotations():
        turned = shape.rotate(rotation).move_to_origin()
        if turned in seen:
            continue
        seen.add(turned)
        room = [range(size[i] - side + 1) for i, side in enumerate(turned.bounds.size)]
        mask = mask_of(size, turned.cells)
        for x, y, z in product(*room):
            spots.append(Spot(rotation, (x, y, z), mask << (x + a * (y + b * z))))
    return tuple(spots)


@lru_cache(maxsize=1 << 16)
def find_way_out(size: Cell, mask: int, side: Direction) -> int:
    """The other cells of the box that some cells cross when they leave it straight to a side."""
    crossed, moving = 0, mask
    while moving:
        moving = step(size, moving, side)
        crossed |= moving
    return crossed & ~mask


def step(size: Cell, mask: int, side: Direction) -> int:
    """Return the bits of some cells moved by one unit; what leaves the box is gone."""
    stride = (1, size[0], size[0] * size[1])[side.axis.number]
    kept = mask & ~_layer(size, side)
    return kept << stride if side.sign > 0 else kept >> stride


@lru_cache(maxsize=1024)
def _layer(size: Cell, side: Direction) -> int:
    """Return the outermost cells of a box on one side."""
    axis = side.axis.number
    low, high = [0, 0, 0], [size[0] - 1, size[1] - 1, size[2] - 1]
    low[axis] = high[axis] = high[axis] if side.sign > 0 else 0
    ranges = (range(first, last + 1) for first, last in zip(low, high, strict=True))
    return mask_of(size, ((x, y, z) for x, y, z in product(*ranges)))


def list_bits(mask: int) -> Iterator[int]:
    """Yield each of some cells, as a mask."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


@lru_cache(maxsize=1 << 16)
def find_neighbours(size: Cell, mask: int) -> int:
    """Return the cells of the box that touch some cells with a face."""
    touched = 0
    for side in Direction:
        touched |= step(size, mask, side)
    return touched & ~mask


def is_on_surface(size: Cell, mask: int) -> bool:
    """Return whether any of some cells can be seen when the box is full."""
    return any(mask & _layer(size, side) for side in Direction)


def get_block(size: Cell) -> Bounds:
    """Return the block of cells of a box."""
    return Bounds((0, 0, 0), (size[0] - 1, size[1] - 1, size[2] - 1))
