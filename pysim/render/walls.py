"""The walls of a scene's container, drawn into finished pictures as thin lines.

Any renderer's pictures will do: what stands in front of a line is told by the depth picture. Lines
have no ids and no depth: they are no bodies.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Direction
from pysim.render.camera import Camera
from pysim.render.renderer import Pictures
from pysim.scene import Container

__all__ = ["draw_walls", "list_edges", "list_grid_lines"]

_EDGE, _GRID = (84, 88, 98), (196, 199, 205)
_SUB = 4
"""Bits behind the point in the coordinates of lines."""
_NEAR = 0.06
"""Units by which a line may lie behind a body and still be seen: it may lie on the body's face."""

Segment = NDArray[np.float64]
"""Two points (2, 3)."""


def draw_walls(pictures: Pictures, container: Container, cameras: Sequence[Camera]) -> None:
    """Draw a container's edges, and the unit grid inside its closed sides, into ``pictures.rgb``.

    Args:
        cameras: those that took the pictures, in their order.
    """
    for rgb, depth, camera in zip(pictures.rgb, pictures.depth, cameras, strict=True):
        width = max(1, round(len(rgb) / 320.0))
        for segment in list_grid_lines(container, camera):
            _draw(rgb, depth, camera, segment, _GRID, 1)
        for segment in list_edges(container):
            _draw(rgb, depth, camera, segment, _EDGE, width)


def _corners(container: Container) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the outer low and high corner."""
    bounds = container.bounds
    return np.array(bounds.low) - 0.5, np.array(bounds.high) + 0.5


def list_edges(container: Container) -> Iterator[Segment]:
    """Yield the edges of a box."""
    low, high = _corners(container)
    for axis in range(3):
        for pick in np.ndindex(2, 2):
            start = np.where(np.insert(pick, axis, 0), high, low)
            end = start.copy()
            end[axis] = high[axis]
            yield np.stack([start, end])


def list_grid_lines(container: Container, camera: Camera) -> Iterator[Segment]:
    """Yield lines one unit apart on the closed sides that are seen from inside."""
    low, high = _corners(container)
    for side in Direction:
        axis = side.axis.number
        at = high[axis] if side.sign > 0 else low[axis]
        if side in container.open or side.sign * (camera.eye[axis] - at) > 0.0:
            continue
        for along in {0, 1, 2} - {axis}:
            across = 3 - axis - along
            for place in np.arange(low[across] + 1.0, high[across]):
                segment = np.stack([low, high])
                segment[:, axis], segment[:, across] = at, place
                yield segment


def _draw(
    rgb: NDArray[np.uint8],
    depth: NDArray[np.float32],
    camera: Camera,
    segment: Segment,
    colour: tuple[int, int, int],
    width: int,
) -> None:
    """The parts of a segment that no body hides."""
    size = len(rgb)
    ends = camera.project(segment, size)
    if ends[:, 2].min() < camera.near:
        return
    count = 2 + int(2.0 * np.linalg.norm(ends[1, :2] - ends[0, :2]))
    shares = np.linspace(0.0, 1.0, count)[:, None]
    points = camera.project(segment[0] + shares * (segment[1] - segment[0]), size)
    column, row = np.clip(np.floor(points[:, :2]).astype(int), 0, size - 1).T
    seen = np.concatenate([[False], points[:, 2] <= depth[row, column] + _NEAR, [False]])
    turns = np.flatnonzero(seen[1:] != seen[:-1])
    for first, last in zip(turns[::2], turns[1::2] - 1, strict=True):
        # OpenCV counts from the middle of a pixel, the projection from its corner.
        a, b = (np.round((points[i, :2] - 0.5) * 2**_SUB).astype(int) for i in (first, last))
        start, end = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        cv2.line(rgb, start, end, colour, width, cv2.LINE_AA, _SUB)
