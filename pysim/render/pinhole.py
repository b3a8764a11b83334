"""Pinhole cameras as matrices, for pictures of any width and height."""

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.camera import Camera, Vector
from pysim.render.renderer import MAX_SIZE

__all__ = ["Pinhole", "Window"]

T = TypeVar("T", bound=np.generic)

_ROUNDING = 1e-6
"""How far numbers of a matrix may be from those of a rotation, or of square pixels (as a share)."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a square picture that is wanted: ``width`` x ``height`` pixels from a corner."""

    left: int
    top: int
    width: int
    height: int

    def crop(self, plane: NDArray[T]) -> NDArray[T]:
        """That part of a plane (S, S, ...)."""
        return plane[self.top : self.top + self.height, self.left : self.left + self.width]


@dataclass(frozen=True, slots=True, eq=False)
class Pinhole:
    """A pinhole camera with square pixels.

    Columns and rows are counted from the outer corner of the top left pixel, so that the middle of
    that pixel is (0.5, 0.5).

    Attributes:
        intrinsics: 3x3, ``[[f, 0, x], [0, f, y], [0, 0, 1]]`` in pixels.
        extrinsics: 4x4 from world to camera coordinates: x right, y down, z forward.
        width, height: of the picture in pixels.

    Raises:
        InputError: the matrices are none of such a camera, or the picture is too large.
    """

    intrinsics: NDArray[np.float64]
    extrinsics: NDArray[np.float64]
    width: int
    height: int

    def __post_init__(self) -> None:
        inside, outside = np.asarray(self.intrinsics), np.asarray(self.extrinsics)
        if not 1 <= min(self.width, self.height) <= max(self.width, self.height) <= MAX_SIZE:
            raise InputError(
                f"a picture has 1 to {MAX_SIZE} pixels each way, not {self.width} x {self.height}"
            )
        if inside.shape != (3, 3) or outside.shape != (4, 4):
            raise InputError("a camera has a 3x3 matrix of intrinsics and a 4x4 one of extrinsics")
        if not (np.isfinite(inside).all() and np.isfinite(outside).all()):
            raise InputError("a camera's matrices are made of finite numbers")
        focal = float(inside[0, 0])
        plain = np.array([[focal, 0.0, inside[0, 2]], [0.0, focal, inside[1, 2]], [0.0, 0.0, 1.0]])
        if not (focal > 0.0 and np.allclose(inside, plain, rtol=_ROUNDING, atol=_ROUNDING * focal)):
            raise InputError("a camera's intrinsics are [[f, 0, x], [0, f, y], [0, 0, 1]]")
        turn = outside[:3, :3]
        rigid = np.allclose(turn @ turn.T, np.eye(3), atol=_ROUNDING) and np.linalg.det(turn) > 0.0
        if not (rigid and np.array_equal(outside[3], (0.0, 0.0, 0.0, 1.0))):
            raise InputError("a camera's extrinsics are a rotation and a translation")

    @staticmethod
    def from_camera(camera: Camera, size: int) -> "Pinhole":
        """Return the pinhole of a camera for a ``size`` x ``size`` picture.

        Raises:
            InputError: its rays are parallel.
        """
        if camera.width is not None:
            raise InputError(f"the rays of the camera {camera.name} are parallel")
        inside = camera.compute_intrinsics(size)
        inside[:2, 2] += 0.5  # OpenCV counts from the middle of the top left pixel.
        return Pinhole(inside, camera.compute_extrinsics(), size, size)

    @property
    def focal(self) -> float:
        """Pixels that a unit at distance 1 is wide."""
        return float(self.intrinsics[0, 0])

    @property
    def eye(self) -> NDArray[np.float64]:
        """Position of the camera (3,), in the world."""
        place: NDArray[np.float64] = -self.extrinsics[:3, :3].T @ self.extrinsics[:3, 3]
        return place

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Column, row and distance from the camera plane (n, 3) of world points (n, 3)."""
        seen = points @ self.extrinsics[:3, :3].T + self.extrinsics[:3, 3]
        flat = seen[:, :2] / seen[:, 2:] * self.focal + self.intrinsics[:2, 2]
        return np.column_stack([flat, seen[:, 2]])

    def crop(self, left: int, top: int, width: int, height: int) -> "Pinhole":
        """Return the camera of a part of its picture; the part may reach beyond."""
        inside = self.intrinsics.copy()
        inside[:2, 2] -= left, top
        return Pinhole(inside, self.extrinsics, width, height)

    def scale(self, width: int, height: int) -> "Pinhole":
        """Return the camera of its picture made smaller or larger, in the same proportion.

        Raises:
            InputError: pixels would not be square any more.
        """
        factor = width / self.width
        if abs(self.height * factor - height) > 0.51:
            raise InputError(f"{self.width} x {self.height} is not shaped as {width} x {height}")
        inside = self.intrinsics * [[factor], [factor], [1.0]]
        return Pinhole(inside, self.extrinsics, width, height)

    def make_square(self, near: float = 0.25, far: float = 4000.0) -> tuple[Camera, Window]:
        """Return a camera for square pictures, and where in them the picture lies.

        Args:
            near, far: distances of its clipping planes.
        """
        size = max(self.width, self.height)
        left, top = (size - self.width) // 2, (size - self.height) // 2
        window = Window(left, top, self.width, self.height)
        _, down, forward = self.extrinsics[:3, :3]
        shift = (self.intrinsics[:2, 2] + (window.left, window.top)) * 2.0 / size - 1.0
        fov = 2.0 * math.atan(size / 2.0 / self.focal)
        eye = self.eye
        camera = Camera(
            "film",
            _vector(eye),
            _vector(eye + forward),
            _vector(-down),
            math.degrees(fov),
            near,
            far,
            shift=(float(shift[0]), float(shift[1])),
        )
        return camera, window


def _vector(values: NDArray[np.float64]) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))
