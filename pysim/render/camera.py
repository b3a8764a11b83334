"""Cameras: where a picture is taken from. Frame and units are the scene's; z is up."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.geometry import Bounds, Direction
from pysim.limits import quote
from pysim.scene import Body, Scene
from pysim.viewpoints import Vector

__all__ = [
    "CAMERA_SETS",
    "CORNER_VIEWS",
    "TABLE_VIEW",
    "Camera",
    "Vector",
    "check_camera",
    "fit",
    "list_cameras",
    "make_camera_set",
    "make_stage_camera",
    "measure_bounds",
    "parse_camera",
    "place_camera",
]

MARGIN = 0.05
"""Share of the half picture that :func:`fit` leaves free on each side."""

TABLE_VIEW = "table"
"""Name of the view of the loose bodies from the front above."""

FIELD_OF_VIEW = 28.0
"""Full opening angle of the cameras made here, in degrees: little perspective, parallel edges
stay nearly parallel."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera for square pictures: a pinhole, or with parallel rays.

    Attributes:
        name: what the view is called in an observation.
        eye: where the camera stands.
        target: the point that it looks at; it lies in the middle of the picture, give or take
            ``shift``.
        up: the direction that points up in the picture.
        fov_deg: full opening angle across the picture, in degrees.
        near, far: distances of the clipping planes; nothing outside them is drawn.
        width: None for a pinhole camera; else rays are parallel, the picture shows this many units
            across, and ``fov_deg`` means nothing.
        shaded: whether faces are brighter or darker the way they look, and take shadows; if not,
            colours are just those of the palette.
        shift: of a pinhole camera, where ``target`` is seen: to the right of the middle and below
            it, in halves of the picture. What is cut out of a picture is a picture with a shift.
    """

    name: str
    eye: Vector
    target: Vector
    up: Vector = (0.0, 0.0, 1.0)
    fov_deg: float = FIELD_OF_VIEW
    near: float = 0.25
    far: float = 4000.0
    width: float | None = None
    shaded: bool = True
    shift: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if not 0.0 < self.fov_deg < 180.0:
            raise InputError(f"a camera opens between 0 and 180 degrees, not {self.fov_deg}")
        if not 0.0 < self.near < self.far:
            raise InputError(f"a camera needs 0 < near < far, not {self.near} and {self.far}")
        if self.width is not None and not 0.0 < self.width < math.inf:
            raise InputError(f"a camera shows more than 0 units across, not {self.width}")
        if self.shift != (0.0, 0.0) and self.width is not None:
            raise InputError("a camera with parallel rays is moved, not shifted")
        gaze = np.subtract(self.target, self.eye)
        if not np.isfinite([*self.eye, *self.target, *self.up, *self.shift]).all():
            raise InputError("a camera's eye, target, up and shift must be finite numbers")
        if not np.linalg.norm(np.cross(gaze, self.up)) > 1e-9:
            raise InputError("a camera's target must differ from its eye, and not lie along up")

    def compute_view(self) -> NDArray[np.float64]:
        """The 4x4 matrix from world to camera coordinates (x right, y up, looking along -z)."""
        return _compute_view(self.eye, self.target, self.up).copy()

    def compute_projection(self) -> NDArray[np.float64]:
        """Return the 4x4 OpenGL matrix from camera to clip coordinates.

        The fourth clip coordinate is the distance for a pinhole camera and 1 for parallel rays.
        """
        depth = self.near - self.far
        matrix = np.zeros((4, 4))
        matrix[0, 0] = matrix[1, 1] = 1.0 / self._half_width()
        if self.width is not None:
            matrix[2, 2] = 2.0 / depth
            matrix[2, 3] = (self.far + self.near) / depth
            matrix[3, 3] = 1.0
            return matrix
        matrix[2, 2] = (self.far + self.near) / depth
        matrix[2, 3] = 2.0 * self.far * self.near / depth
        matrix[0, 2], matrix[1, 2] = -self.shift[0], self.shift[1]
        matrix[3, 2] = -1.0
        return matrix

    def compute_intrinsics(self, size: int) -> NDArray[np.float64]:
        """Return the 3x3 matrix K of OpenCV for a ``size`` x ``size`` picture.

        Columns and rows are counted from the *middle* of the top left pixel, as OpenCV does. A
        point (x, y, z) in the coordinates of :meth:`compute_extrinsics` is seen at K (x, y, z) / z;
        with parallel rays, at K (x, y, 1).
        """
        scale = size / (2.0 * self._half_width())
        x, y = ((size * (1.0 + shift) - 1.0) / 2.0 for shift in self.shift)
        return np.array([[scale, 0.0, x], [0.0, scale, y], [0.0, 0.0, 1.0]])

    def compute_extrinsics(self) -> NDArray[np.float64]:
        """The 4x4 matrix from world to OpenCV's camera coordinates: x right, y down, z forward."""
        return np.diag([1.0, -1.0, -1.0, 1.0]) @ self.compute_view()

    def compute_rays(self) -> NDArray[np.float64]:
        """Compute the origins and directions of a picture's rays: (2, 3, 3), in world coordinates.

        Start and direction of the ray at x (-1 left, 1 right) and y (-1 bottom, 1 top) are
        ``rows[0] + x * rows[1] + y * rows[2]``; the direction is 1 long along the camera's axis.
        """
        right, up, back = self.compute_view()[:3, :3]
        spread = np.stack([right, up]) * self._half_width()
        zero = np.zeros((2, 3))
        eye, gaze = np.array([self.eye]), -back[None]
        if self.width is None:
            aside = gaze - self.shift[0] * spread[:1] + self.shift[1] * spread[1:]
            return np.stack([np.concatenate([eye, zero]), np.concatenate([aside, spread])])
        return np.stack([np.concatenate([eye, spread]), np.concatenate([gaze, zero])])

    def project(self, points: NDArray[np.float64], size: int) -> NDArray[np.float64]:
        """Project world points (n, 3) into a ``size`` x ``size`` picture.

        Returns:
            (n, 3): column and row in pixels, from the outer corner of the top left pixel, and the
            distance from the camera plane, as in a picture's depth; negative behind the camera.
        """
        homogeneous = np.column_stack([points, np.ones(len(points))])
        seen = homogeneous @ self.compute_extrinsics().T
        scale = seen[:, 2:3] if self.width is None else np.ones((len(points), 1))
        flat = seen[:, :2] / scale / self._half_width() + self.shift
        return np.column_stack([(flat + 1.0) * size / 2.0, seen[:, 2]])

    def _half_width(self) -> float:
        """From the middle of the picture to its border: per unit of distance, or in units."""
        if self.width is not None:
            return self.width / 2.0
        return math.tan(math.radians(self.fov_deg) / 2.0)


@lru_cache(maxsize=1024)
def _compute_view(eye: Vector, target: Vector, up: Vector) -> NDArray[np.float64]:
    """See :meth:`Camera.compute_view`; not to be written."""
    matrix = np.eye(4)
    matrix[:3, :3] = _axes(np.subtract(target, eye), up)
    matrix[:3, 3] = -matrix[:3, :3] @ np.array(eye)
    return matrix


def fit(
    name: str,
    direction: Vector,
    blocks: Bounds | Iterable[Bounds],
    fov_deg: float = FIELD_OF_VIEW,
    *,
    orthographic: bool = False,
    up: Vector | None = None,
    aspect: float = 1.0,
) -> Camera:
    """Return the closest camera that sees every cell of some blocks, with a small margin.

    Args:
        direction: from the blocks towards where the camera stands; need not be of length 1.
        blocks: one or more blocks of cells, which reach half a cell beyond their cell centres.
        orthographic: whether its rays are parallel; ``fov_deg`` then means nothing.
        up: what points up in the picture; None for +z, or +y for a camera that looks along z.
        aspect: width of the picture over its height, for a pinhole camera of a picture that is
            wider or higher than the square in its middle, which is what ``fov_deg`` means.

    Raises:
        InputError: no block, ``direction`` is zero, or ``up`` lies along it.
    """
    corners = _corners((blocks,) if isinstance(blocks, Bounds) else tuple(blocks))
    chosen = _usual_up(direction) if up is None else up
    axes = _axes(-np.array(direction, dtype=np.float64), chosen)
    right, above, depth = axes @ corners.T * np.array([[1.0], [1.0], [-1.0]])
    if orthographic:
        width = max(np.ptp(right), np.ptp(above)) / (1.0 - MARGIN)
        x, y = ((np.max(a) + np.min(a)) / 2.0 for a in (right, above))
        z = np.min(depth) - width
    else:
        width = None
        slope = math.tan(math.radians(fov_deg) / 2.0) * (1.0 - MARGIN)
        # A camera at (x, y, z) in these axes sees a corner if |right - x| <= slope * (depth - z),
        # and so for y: each axis leaves an interval for x or y that closes at the greatest z.
        slopes = slope * max(1.0, aspect), slope * max(1.0, 1.0 / aspect)
        both = tuple(zip((right, above), slopes, strict=True))
        spans = [(np.max(a - s * depth), np.min(a + s * depth)) for a, s in both]
        z = min((high - low) / (2.0 * s) for (low, high), s in zip(spans, slopes, strict=True))
        x, y = ((low + high) / 2.0 for low, high in spans)
    return Camera(
        name,
        _vector(axes.T @ np.array([x, y, -z])),
        _vector(axes.T @ np.array([x, y, -float(np.mean(depth))])),
        chosen,
        fov_deg,
        near=max(0.25, float(np.min(depth) - z) / 16.0),
        far=max(4000.0, 4.0 * float(np.max(depth) - z)),
        width=width,
    )


CAMERA_SETS = ("iso4", "iso6", "faces6", "turntable")
"""What :func:`make_camera_set` knows; ``turntable8`` is a turntable of 8 views."""


def make_camera_set(
    name: str, blocks: Bounds | Iterable[Bounds], *, orthographic: bool = False
) -> tuple[Camera, ...]:
    """Return the cameras of a named set, each fitted to some blocks.

    - ``iso4``: three corners from above and one from below, each named after where it stands.
    - ``iso6``: these, one more from above and one from below: every side is seen from two corners
      or more.
    - ``faces6``: straight at each side, named after it: ``+x``, ``-x``, ...
    - ``turntable8`` (any number from 1): around the z axis from a little above, the first from the
      front (-y), then counter-clockwise seen from above; named after their angles in degrees.

    Raises:
        InputError: no set has that name, or no block.
    """
    fixed = blocks if isinstance(blocks, Bounds) else tuple(blocks)
    directions = _SETS[name] if name in _SETS else _turntable(name)
    return tuple(
        fit(view, direction, fixed, orthographic=orthographic)
        for view, direction in directions.items()
    )


def check_camera(text: str) -> tuple[float, ...]:
    """Return the numbers of a camera's text: 3 of the eye, or 6 with those of the target.

    Raises:
        InputError: the text is written otherwise.
    """
    number = r"-?\d{1,6}(?:\.\d{1,6})?"
    point = f"({number}),({number}),({number})"
    found = re.fullmatch(f"{point}(?::{point})?", text.strip(), flags=re.ASCII)
    if found is None:
        raise InputError(
            f"a camera is written EYE or EYE:TARGET, as 9,-7,6:2,2,1, not {quote(text)}"
        )
    return tuple(float(value) for value in found.groups() if value is not None)


def parse_camera(text: str, blocks: Bounds | Iterable[Bounds]) -> Camera:
    """Return the camera of a text: ``9,-7,6`` stands there, ``9,-7,6:2,2,1`` looks at a point, too.

    Args:
        text: the eye, and after a colon the target, by default the middle of the blocks.
        blocks: the blocks that may be looked at.

    Raises:
        InputError: the text is written otherwise, or the camera is in its target.
    """
    values = check_camera(text)
    block = blocks if isinstance(blocks, Bounds) else Bounds.cover(tuple(blocks))
    middle = np.add(block.low, block.high) / 2.0
    x, y, z = values[:3]
    a, b, c = values[3:] or map(float, middle)
    upright = (x, y) == (a, b)
    return Camera(
        "camera", (x, y, z), (a, b, c), up=(0.0, 1.0, 0.0) if upright else (0.0, 0.0, 1.0)
    )


def place_camera(text: str, scene: Scene) -> Camera:
    """Return the camera of a text in a scene; it looks at the middle of it by default.

    Raises:
        InputError: as :func:`parse_camera`, or the camera stands in a body or right before it.
    """
    camera = parse_camera(text, measure_bounds(scene))
    for body in scene.bodies:
        if not body.translucent and _is_close(camera, body):
            raise InputError(
                f"the camera {quote(text)} stands in {body.name}, or less than {camera.near} "
                "units before it: move it away"
            )
    return camera


def _is_close(camera: Camera, body: Body) -> bool:
    """Return whether a camera is so close to a body that it is cut open in the picture."""
    gaps = np.abs(np.array(body.place().cells) - camera.eye) - 0.5
    return bool((np.linalg.norm(gaps.clip(0.0), axis=1) < camera.near).any())


def measure_bounds(scene: Scene) -> Bounds:
    """Return the block around everything in a scene: its work, its bodies and its container."""
    blocks = [scene.work, *(_extent(body) for body in scene.bodies)]
    if scene.container is not None:
        blocks.append(scene.container.bounds)
    return Bounds.cover(blocks)


def list_cameras(scene: Scene, *, classic: bool = False) -> tuple[Camera, ...]:
    """Return the cameras of an observation, named after where they stand.

    Three corners from above, one from below on the side away from the table, and ``table`` from the
    front above if the scene has a table and a loose body outside the container. Each shows three
    faces of a cube at unlike angles, so that no edge hides behind another by symmetry.

    The corners are close on ``scene.work``, and ``table`` on the loose bodies; where
    ``scene.frames_loose``, all of them frame both.

    Args:
        classic: whether to leave ``scene.frames_loose`` out of account.
    """
    loose = _loose_blocks(scene)
    if not loose:
        return tuple(fit(name, direction, scene.work) for name, direction in _CORNERS.items())
    if scene.frames_loose and not classic:
        directions = {**_CORNERS, TABLE_VIEW: _TABLE}
        return tuple(fit(name, to, [scene.work, *loose]) for name, to in directions.items())
    corners = (fit(name, direction, scene.work) for name, direction in _CORNERS.items())
    return (*corners, fit(TABLE_VIEW, _TABLE, Bounds.cover(loose)))


def _loose_blocks(scene: Scene) -> list[Bounds]:
    """Return the blocks of the loose bodies that lie on the table, outside the container."""
    if scene.table is None:
        return []
    loose = [_extent(body) for body in scene.bodies if body.loose]
    if scene.container is None:
        return loose
    inside = scene.container.bounds
    return [extent for extent in loose if not inside.has_block(extent)]


def make_stage_camera(*blocks: Bounds, aspect: float = 1.0) -> Camera:
    """Return one camera, called ``stage``, that sees all ``blocks`` (work, table, ...), for videos.

    Raises:
        ValueError: no block.
    """
    return fit("stage", _STAGE, blocks, aspect=aspect)


_CORNERS: dict[str, Vector] = {
    "+x-y+z": (1.0, -0.72, 0.72),
    "+x+y+z": (0.72, 1.0, 0.72),
    "-x+y+z": (-1.0, 0.72, 0.72),
    "-x+y-z": (-0.72, 1.0, -0.72),
}
CORNER_VIEWS = tuple(_CORNERS)
"""Names of the views from corners, in order."""

_MORE_CORNERS: dict[str, Vector] = {
    "+x-y-z": (0.72, -1.0, -0.72),
    "-x-y+z": (-0.72, -1.0, 0.72),
}
_SETS: dict[str, dict[str, Vector]] = {
    "iso4": _CORNERS,
    "iso6": _CORNERS | _MORE_CORNERS,
    "faces6": {str(side): side.vector for side in Direction},
}
_TABLE: Vector = (0.42, -1.0, 0.98)
_STAGE: Vector = (0.62, -1.0, 0.68)


def _turntable(name: str) -> dict[str, Vector]:
    """Return the directions of ``turntableN``, also written ``turntable(N)``."""
    match = re.fullmatch(r"turntable\(?([1-9]\d{0,3})\)?", name)
    if match is None:
        raise InputError(
            f"{quote(name)} is no set of cameras; known: iso4, iso6, faces6, turntable8 (or any "
            "number)"
        )
    angles = [360.0 * index / int(match[1]) for index in range(int(match[1]))]
    return {
        f"{angle:g}": (math.sin(math.radians(angle)), -math.cos(math.radians(angle)), 0.6)
        for angle in angles
    }


def _usual_up(direction: Vector) -> Vector:
    """Return the direction that is up in the picture of a camera that stands in a direction."""
    upright = abs(direction[0]) + abs(direction[1]) < 1e-9
    return (0.0, 1.0, 0.0) if upright else (0.0, 0.0, 1.0)


def _axes(gaze: NDArray[np.float64], up: Vector) -> NDArray[np.float64]:
    """Rows right, up and backward of a camera that looks along ``gaze``: a rotation matrix."""
    length = float(np.linalg.norm(gaze))
    if not 0.0 < length < math.inf:
        raise InputError("a camera needs a direction that is finite and not zero")
    forward = gaze / length
    right = np.cross(forward, up)
    across = float(np.linalg.norm(right))
    if across < 1e-9:
        raise InputError("what points up in a picture can't lie along the camera's direction")
    right /= across
    return np.stack([right, np.cross(right, forward), -forward])


def _corners(blocks: tuple[Bounds, ...]) -> NDArray[np.float64]:
    """Return the outer corners (8 n, 3) of n blocks."""
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
    return Bounds(low, high).translate(body.pose.offset)


def _vector(values: NDArray[np.float64]) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))
