"""Integer poses: where a shape stands on the lattice."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysim.geometry.directions import Cell, add, subtract
from pysim.geometry.rotations import IDENTITY, Rotation
from pysim.geometry.voxels import Voxels

if TYPE_CHECKING:  # Most of what needs poses is exact, and starts sooner without numpy.
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HOME", "Pose"]


@dataclass(frozen=True, slots=True)
class Pose:
    """Turn a shape by ``rotation`` about its own origin, then translate it by ``offset``."""

    rotation: Rotation
    offset: Cell

    def place(self, shape: Voxels) -> Voxels:
        """Return the cells that ``shape`` covers in this pose."""
        return shape.rotate(self.rotation).translate(self.offset)

    def translate(self, by: Cell) -> "Pose":
        """This pose, translated."""
        return Pose(self.rotation, add(self.offset, by))

    def transform(self) -> "NDArray[np.float64]":
        """The 4x4 homogeneous matrix from body to world coordinates, in units of a cell edge."""
        import numpy as np

        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation.matrix
        matrix[:3, 3] = self.offset
        return matrix

    @staticmethod
    def place_corner(shape: Voxels, rotation: Rotation, corner: Cell) -> "Pose":
        """The pose in which ``shape``, turned, has ``corner`` as the low corner of its bounds."""
        return Pose(rotation, subtract(corner, shape.rotate(rotation).bounds.low))

    def find_corner(self, shape: Voxels) -> Cell:
        """Return the low corner of the bounds of ``shape`` in this pose."""
        return add(shape.rotate(self.rotation).bounds.low, self.offset)


HOME = Pose(IDENTITY, (0, 0, 0))
