"""Voxel bodies as a physics engine wants them: few boxes, grouped into parts, and places.

Units of a cell edge; a part's boxes are given about its own centre of mass.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Bounds, Direction, Pose, Rotation, Voxels, list_rotations, merge_boxes
from pysim.geometry.quaternions import compute_quaternion
from pysim.trajectory import Transform
from pysim.viewpoints import Vector

__all__ = [
    "MOST_BOXES",
    "SHRINK",
    "AlignedBox",
    "Block",
    "BodyPose",
    "CompoundShape",
    "Quaternion",
    "Solid",
    "Vector",
]

SHRINK = 0.005
"""Every box is this much smaller on each side, so that neighbours slide past each other."""

MOST_BOXES = 16
"""Boxes in one part: PyBullet silently drops what a compound shape holds beyond this."""

Quaternion = tuple[float, float, float, float]
"""``(x, y, z, w)``."""


@dataclass(frozen=True, slots=True)
class Block:
    """A box: half its size along each axis, and its centre relative to its part's."""

    half: Vector
    centre: Vector


@dataclass(frozen=True, slots=True)
class CompoundShape:
    """At most ``MOST_BOXES`` boxes that move as one.

    Attributes:
        blocks: the boxes.
        centre: their centre of mass, in body coordinates.
        mass: number of cells.
    """

    blocks: tuple[Block, ...]
    centre: Vector
    mass: float


@dataclass(frozen=True, slots=True)
class AlignedBox:
    """An axis-aligned box in world coordinates."""

    low: Vector
    high: Vector

    def expand(self, by: float) -> "AlignedBox":
        """This box, ``by`` larger on every side."""
        (a, b, c), (d, e, f) = self.low, self.high
        return AlignedBox((a - by, b - by, c - by), (d + by, e + by, f + by))

    def is_touching(self, other: "AlignedBox") -> bool:
        """Return whether the two share a point."""
        return all(self.low[i] <= other.high[i] and other.low[i] <= self.high[i] for i in range(3))

    def sweep(self, direction: Direction, distance: float) -> "AlignedBox":
        """Return the box around this one on its whole way."""
        axis, low, high = direction.axis.number, list(self.low), list(self.high)
        if direction.sign > 0:
            high[axis] += distance
        else:
            low[axis] -= distance
        return AlignedBox((low[0], low[1], low[2]), (high[0], high[1], high[2]))

    def measure_contact(self, other: "AlignedBox", direction: Direction) -> tuple[float, float]:
        """Distances along ``direction`` from which on and up to which this box could touch it.

        The other two axes are not looked at.
        """
        axis = direction.axis.number
        if direction.sign > 0:
            return other.low[axis] - self.high[axis], other.high[axis] - self.low[axis]
        return self.low[axis] - other.high[axis], self.high[axis] - other.low[axis]


@dataclass(frozen=True, slots=True, eq=False)
class BodyPose:
    """Pose of a body; its arrays are never changed in place.

    Attributes:
        rotation: (3, 3) from body to world coordinates.
        quaternion: the same rotation.
        position: (3,) where the body's origin is.
    """

    rotation: NDArray[np.float64]
    quaternion: Quaternion
    position: NDArray[np.float64]

    @staticmethod
    def from_pose(pose: Pose) -> "BodyPose":
        """Return the place of a lattice pose, exactly."""
        rotation, quaternion = _turn(pose.rotation)
        return BodyPose(rotation, quaternion, np.array(pose.offset, dtype=np.float64))

    def snap_to_lattice(self, solid: "Solid") -> Pose:
        """Return the lattice pose that is turned most alike and has the body's middle nearest."""
        rotation = max(list_rotations(), key=lambda r: float((self.rotation * r.matrix).sum()))
        if np.array_equal(self.rotation, rotation.matrix):
            x, y, z = self.position
        else:
            middle = solid.middle
            x, y, z = self.position + (self.rotation - rotation.matrix) @ middle
        return Pose(rotation, (round(x), round(y), round(z)))

    def translate(self, direction: Direction, distance: float) -> "BodyPose":
        """This place, translated."""
        step = np.array(direction.vector, dtype=np.float64) * distance
        return BodyPose(self.rotation, self.quaternion, self.position + step)

    def transform_by(self, matrix: Transform) -> "BodyPose":
        """This place, moved by a 4x4 rigid transform of the world."""
        rotation = matrix[:3, :3] @ self.rotation
        return BodyPose(
            rotation, compute_quaternion(rotation), matrix[:3, :3] @ self.position + matrix[:3, 3]
        )

    def transform(self) -> Transform:
        """Return the 4x4 matrix from body to world coordinates."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.position
        return matrix

    def point(self, local: Vector) -> Vector:
        """Return a point of the body in world coordinates."""
        x, y, z = (self.rotation @ np.array(local) + self.position).tolist()
        return (x, y, z)


@dataclass(frozen=True)
class Solid:
    """A body's shape as parts; more than one part is held together rigidly."""

    shape: Voxels
    parts: tuple[CompoundShape, ...]

    @staticmethod
    def from_shape(shape: Voxels) -> "Solid":
        """``shape`` as greedily merged boxes, ``MOST_BOXES`` to a part."""
        boxes = merge_boxes(shape)
        groups = [boxes[i : i + MOST_BOXES] for i in range(0, len(boxes), MOST_BOXES)]
        return Solid(shape, tuple(_part(group) for group in groups))

    def make_full_height(self, place: BodyPose) -> "Solid":
        """This solid with boxes that are not made smaller above and below, as it stands in a place.

        Bodies that stand on each other would lean otherwise: with the room of one layer where they
        rest on one body, with that of three where they rest on three.
        """
        axis = int(np.abs(place.rotation[2]).argmax())
        return self._full[axis]

    @cached_property
    def _full(self) -> tuple["Solid", ...]:
        """This solid with boxes of full size along x, y or z."""
        return tuple(
            Solid(self.shape, tuple(_stretched(part, axis) for part in self.parts))
            for axis in range(3)
        )

    @property
    def anchor(self) -> Vector:
        """The first part's centre of mass: what engines call the position of the body."""
        return self.parts[0].centre

    @cached_property
    def reach(self) -> float:
        """Half the diagonal of the block around the body."""
        return float(np.linalg.norm(self.shape.bounds.size)) / 2.0

    @cached_property
    def farthest(self) -> float:
        """Distance of the farthest point of the block around the body from its origin, at most."""
        return self.reach + float(np.linalg.norm(self.middle))

    @property
    def middle(self) -> NDArray[np.float64]:
        """(3,): the middle of the block around the body, in body coordinates."""
        return self._extent[0]

    @cached_property
    def _extent(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        low = np.array(self.shape.bounds.low, dtype=np.float64)
        high = np.array(self.shape.bounds.high, dtype=np.float64)
        return (low + high) / 2.0, (high - low) / 2.0 + 0.5 - SHRINK

    def compute_box(self, place: BodyPose) -> AlignedBox:
        """Return the world box around the body."""
        centre, half = self._extent
        middle = place.rotation @ centre + place.position
        spread = np.abs(place.rotation) @ half
        (a, b, c), (d, e, f) = (middle - spread).tolist(), (middle + spread).tolist()
        return AlignedBox((a, b, c), (d, e, f))


def _stretched(part: CompoundShape, axis: int) -> CompoundShape:
    def longer(half: Vector) -> Vector:
        x, y, z = (h + SHRINK * (i == axis) for i, h in enumerate(half))
        return (x, y, z)

    return replace(part, blocks=tuple(replace(b, half=longer(b.half)) for b in part.blocks))


def _part(boxes: Sequence[Bounds]) -> CompoundShape:
    assert len(boxes) <= MOST_BOXES
    sizes = np.array([box.size for box in boxes], dtype=np.float64)
    centres = np.array([np.add(box.low, box.high) / 2.0 for box in boxes], dtype=np.float64)
    masses = sizes.prod(axis=1)
    middle = (centres * masses[:, None]).sum(axis=0) / masses.sum()
    blocks = tuple(
        Block(_vector(size / 2.0 - SHRINK), _vector(centre - middle))
        for size, centre in zip(sizes, centres, strict=True)
    )
    return CompoundShape(blocks, _vector(middle), float(masses.sum()))


def _vector(values: NDArray[np.float64]) -> Vector:
    x, y, z = values.tolist()
    return (x, y, z)


@lru_cache(maxsize=24)
def _turn(rotation: Rotation) -> tuple[NDArray[np.float64], Quaternion]:
    matrix = np.array(rotation.matrix, dtype=np.float64)
    return matrix, compute_quaternion(matrix)
