"""Cameras: where a picture is taken from. Frame and units are the scene's; z is up."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Bounds
from pysim.scene import Body, Scene

__all__ = ["Camera", "Vector", "fit", "stage_camera", "views_of"]

Vector = tuple[float, float, float]
"""A point or direction in the world, in units of a cell edge."""

MARGIN = 0.05
"""Share of the half picture that :func:`fit` leaves free on each side."""

FIELD_OF_VIEW = 28.0
"""Full opening angle of the cameras made here, in degrees: little perspective, parallel edges
stay nearly parallel."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera for square pictures.

    Attributes:
        name: what the view is called in an observation.
        eye: where the camera stands.
        target: the point that it looks at; it lies in the middle of the picture.
        up: the direction that points up in the picture.
        fov_deg: full opening angle across the picture, in degrees.
        near, far: distances of the clipping planes; nothing outside them is drawn.
    """

    name: str
    eye: Vector
    target: Vector
    up: Vector = (0.0, 0.0, 1.0)
    fov_deg: float = FIELD_OF_VIEW
    near: float = 0.25
    far: float = 4000.0

    def __post_init__(self) -> None:
        if not 0.0 < self.fov_deg < 180.0:
            raise ValueError(f"a camera opens between 0 and 180 degrees, not {self.fov_deg}")
        if not 0.0 < self.near < self.far:
            raise ValueError(f"a camera needs 0 < near < far, not {self.near} and {self.far}")
        gaze = np.subtract(self.target, self.eye)
        if not np.linalg.norm(np.cross(gaze, self.up)) > 1e-9:
            raise ValueError("a camera's target must differ from its eye, and not lie along up")

    def view(self) -> NDArray[np.float64]:
        """The 4x4 matrix from world to camera coordinates (x right, y up, looking along -z)."""
        matrix = np.eye(4)
        matrix[:3, :3] = _axes(np.subtract(self.target, self.eye), self.up)
        matrix[:3, 3] = -matrix[:3, :3] @ np.array(self.eye)
        return matrix

    def projection(self) -> NDArray[np.float64]:
        """The 4x4 OpenGL matrix from camera to clip coordinates; w is the distance."""
        slope = 1.0 / math.tan(math.radians(self.fov_deg) / 2.0)
        depth = self.near - self.far
        matrix = np.zeros((4, 4))
        matrix[0, 0] = matrix[1, 1] = slope
        matrix[2, 2] = (self.far + self.near) / depth
        matrix[2, 3] = 2.0 * self.far * self.near / depth
        matrix[3, 2] = -1.0
        return matrix

    def project(self, points: NDArray[np.float64], size: int) -> NDArray[np.float64]:
        """Where world points (n, 3) fall in a ``size`` x ``size`` picture.

        Returns:
            (n, 3): column and row in pixels, from the outer corner of the top left pixel, and the
            distance from the camera plane, as in a picture's depth; negative behind the camera.
        """
        homogeneous = np.column_stack([points, np.ones(len(points))])
        clip = homogeneous @ (self.projection() @ self.view()).T
        column = (clip[:, 0] / clip[:, 3] + 1.0) * size / 2.0
        row = (1.0 - clip[:, 1] / clip[:, 3]) * size / 2.0
        return np.column_stack([column, row, clip[:, 3]])


def fit(
    name: str, direction: Vector, blocks: Bounds | Iterable[Bounds], fov_deg: float = FIELD_OF_VIEW
) -> Camera:
    """The closest camera that sees every cell of some blocks, with a small margin.

    Args:
        direction: from the blocks towards where the camera stands; need not be of length 1.
        blocks: one or more blocks of cells, which reach half a cell beyond their cell centres.

    Raises:
        ValueError: no block, or ``direction`` is zero.
    """
    corners = _corners((blocks,) if isinstance(blocks, Bounds) else tuple(blocks))
    up = (0.0, 1.0, 0.0) if abs(direction[0]) + abs(direction[1]) < 1e-9 else (0.0, 0.0, 1.0)
    axes = _axes(-np.array(direction, dtype=np.float64), up)
    right, above, depth = axes @ corners.T * np.array([[1.0], [1.0], [-1.0]])
    slope = math.tan(math.radians(fov_deg) / 2.0) * (1.0 - MARGIN)
    # A camera at (x, y, z) in these axes sees a corner if |right - x| <= slope * (depth - z), and
    # so for y: each axis leaves an interval for x or y that closes at the greatest possible z.
    spans = [(np.max(a - slope * depth), np.min(a + slope * depth)) for a in (right, above)]
    z = min(high - low for low, high in spans) / (2.0 * slope)
    x, y = ((low + high) / 2.0 for low, high in spans)
    eye = axes.T @ np.array([x, y, -z])
    target = axes.T @ np.array([x, y, -float(np.mean(depth))])
    return Camera(name, _vector(eye), _vector(target), up, fov_deg)


def views_of(scene: Scene) -> tuple[Camera, ...]:
    """The cameras of an observation, close on ``scene.work`` and named after where they stand.

    Three from above and one from below, on the side away from the table; and ``table``, close on
    the loose bodies outside the container from the front above, if the scene has a table and such
    a body. Each shows three faces of a cube at unlike angles, so that no edge hides behind another
    by symmetry.
    """
    cameras = [fit(name, direction, scene.work) for name, direction in _CORNERS.items()]
    loose = [_extent(body) for body in scene.bodies if body.loose]
    if scene.container is not None:
        inside = scene.container.bounds
        loose = [extent for extent in loose if not inside.contains(extent)]
    if scene.table is not None and loose:
        cameras.append(fit("table", _TABLE, Bounds.around(loose)))
    return tuple(cameras)


def stage_camera(*blocks: Bounds) -> Camera:
    """One camera, called ``stage``, that sees all ``blocks`` (work, table, ...), for videos.

    Raises:
        ValueError: no block.
    """
    return fit("stage", _STAGE, blocks)


_CORNERS: dict[str, Vector] = {
    "+x-y+z": (1.0, -0.72, 0.72),
    "+x+y+z": (0.72, 1.0, 0.72),
    "-x+y+z": (-1.0, 0.72, 0.72),
    "-x+y-z": (-0.72, 1.0, -0.72),
}
_TABLE: Vector = (0.42, -1.0, 0.98)
_STAGE: Vector = (0.62, -1.0, 0.68)


def _axes(gaze: NDArray[np.float64], up: Vector) -> NDArray[np.float64]:
    """Rows right, up and backward of a camera that looks along ``gaze``: a rotation matrix."""
    length = float(np.linalg.norm(gaze))
    if length == 0.0:
        raise ValueError("a camera needs a direction that is not zero")
    forward = gaze / length
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, forward), -forward])


def _corners(blocks: tuple[Bounds, ...]) -> NDArray[np.float64]:
    """The outer corners (8 n, 3) of n blocks."""
    if not blocks:
        raise ValueError("a camera needs at least one block to look at")
    picks = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(8, 3)
    ends = np.array([[block.low, block.high] for block in blocks]) + np.array([[-0.5], [0.5]])
    return np.concatenate([np.where(picks, high, low) for low, high in ends])


def _extent(body: Body) -> Bounds:
    """The block around a body where it stands; the corners alone are turned, not every cell."""
    bounds = body.shape.bounds
    a, b = (body.pose.rotation.apply(corner) for corner in (bounds.low, bounds.high))
    low = (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))
    high = (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))
    return Bounds(low, high).moved(body.pose.offset)


def _vector(values: NDArray[np.float64]) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))
