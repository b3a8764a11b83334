"""Places of loose pieces: in two rows on the table before the cube, each in its own place."""

from dataclasses import dataclass
from functools import cached_property

from pysim.families.jigsaw.faces import LAST, SIDE
from pysim.geometry import IDENTITY, Bounds, Pose, Voxels

__all__ = ["HEIGHT", "JigsawTable"]

HEIGHT = 4
"""Units by which the cube hangs above the pieces' cells, so that a piece can come from below."""
_COLUMNS = 3
_SPACING = SIDE + 1
_GAP = 4
"""Units between the cube and the first row; a piece may wait before the front."""


@dataclass(frozen=True)
class JigsawTable:
    """Places for the pieces of one puzzle; the first row is the one nearest to the cube.

    Attributes:
        shapes: the pieces in body coordinates, in order.
    """

    shapes: tuple[Voxels, ...]

    @property
    def bounds(self) -> Bounds:
        """The block in which loose pieces lie."""
        rows = -(-len(self.shapes) // _COLUMNS)
        left = (SIDE - _COLUMNS * _SPACING) // 2
        low = (left, -_GAP - rows * _SPACING, -HEIGHT)
        return Bounds(low, (left + _COLUMNS * _SPACING - 1, -_GAP - 1, -HEIGHT))

    def get_pose(self, piece: int) -> Pose:
        """Return the pose of a loose piece: as it is drawn, seen from above."""
        row, column = divmod(piece, _COLUMNS)
        left = self.bounds.low[0] + column * _SPACING
        return Pose(IDENTITY, (left, -_GAP - row * _SPACING - LAST - 1, -HEIGHT))

    def get_block(self, piece: int) -> Bounds:
        """Return the block around a loose piece."""
        return self._blocks[piece]

    @cached_property
    def _blocks(self) -> tuple[Bounds, ...]:
        places = enumerate(self.shapes)
        return tuple(self.get_pose(piece).place(shape).bounds for piece, shape in places)
