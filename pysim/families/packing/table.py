"""Places of loose pieces: scattered over the table in front of the box, each in its own place.

The box stands on the table too: the lowest cells of both are at z = 0. A box that is open below
hangs so high above the table that the longest piece can leave it there.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from pysim.geometry import IDENTITY, Bounds, Pose, Voxels

__all__ = ["Tabletop"]


@dataclass(frozen=True)
class Tabletop:
    """Places for the pieces of one puzzle, in rows; the first row is the one nearest to the box.

    Attributes:
        shapes: the pieces' shapes, in order, each at the origin.
        box: the block of cells of the box.
        below: whether pieces come and go below the box.
    """

    shapes: tuple[Voxels, ...]
    box: Bounds
    below: bool = False

    @cached_property
    def bounds(self) -> Bounds:
        """The block in which loose pieces lie."""
        rows = ceil(len(self.shapes) / self._columns)
        width = self._columns * self._spacing
        left = (self.box.size[0] - width) // 2
        # A piece may wait before the open front of the box.
        back = self.box.low[1] - self._longest - 2
        floor = self.box.low[2] - (self._longest if self.below else 0)
        low = (left, back - rows * self._spacing + 1, floor)
        return Bounds(low, (left + width - 1, back, floor + self._longest - 1))

    def get_pose(self, piece: int) -> Pose:
        """Return the pose of a loose piece: as it is drawn, in the middle of its own place."""
        size = self.shapes[piece].bounds.size
        row, column = divmod(piece, self._columns)
        corner = (
            self.bounds.low[0] + column * self._spacing + (self._spacing - size[0]) // 2,
            self.bounds.high[1] + 1 - (row + 1) * self._spacing + (self._spacing - size[1]) // 2,
            self.bounds.low[2],
        )
        return Pose(IDENTITY, corner)

    def get_block(self, piece: int) -> Bounds:
        """Return the block around a loose piece."""
        return self._blocks[piece]

    @cached_property
    def _blocks(self) -> tuple[Bounds, ...]:
        return tuple(
            self.get_pose(piece).place(shape).bounds for piece, shape in enumerate(self.shapes)
        )

    @cached_property
    def _longest(self) -> int:
        return max(max(shape.bounds.size) for shape in self.shapes)

    @property
    def _spacing(self) -> int:
        return self._longest + 1

    @property
    def _columns(self) -> int:
        """Rather wide than deep: the farther rows are seen past the nearer ones."""
        return ceil(sqrt(2 * len(self.shapes)))
