"""The walls of a scene's container, drawn into finished pictures as thin lines.

Any renderer's pictures will do: what stands in front of a line is told by the depth picture. Lines
have no ids and no depth: they are no bodies.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Direction
from pysim.render.camera import Camera
from pysim.render.renderer import Pictures
from pysim.scene import Container

__all__ = ["NEAR", "draw_walls", "list_edges", "list_grid_lines"]

_EDGE, _GRID = (84, 88, 98), (196, 199, 205)
_SUB = 4
"""Bits behind the point in the coordinates of lines."""
NEAR = 0.06
"""Units by which a line may lie behind a body and still be seen: it may lie on the body's face."""

Segment = NDArray[np.float64]
"""Two points (2, 3)."""


def draw_walls(pictures: Pictures, container: Container, cameras: Sequence[Camera]) -> None:
    """Draw a container's edges, and the unit grid inside its closed sides, into ``pictures.rgb``.

    Args:
        cameras: those that took the pictures, in their order.
    """
    for rgb, depth, camera in zip(pictures.rgb, pictures.depth, cameras, strict=True):
        _draw(rgb, depth, _trace(container, camera, len(rgb)))


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


@dataclass(frozen=True, slots=True, eq=False)
class _Trace:
    """Points along the lines of a container, half a pixel apart, as a camera sees them.

    Attributes:
        lines: colour and width of each line.
        line: (n,) number of the line of each point.
        turns: (n + 1,) whether a line starts there; at the end, too.
        pixel: (n,) number of the pixel in which it lies.
        depth: (n,) distance from the camera plane up to which a body hides it.
        fixed: (n, 2) column and row in OpenCV's fixed-point numbers.
    """

    lines: tuple[tuple[tuple[int, int, int], int], ...]
    line: NDArray[np.int64]
    turns: NDArray[np.bool_]
    pixel: NDArray[np.int64]
    depth: NDArray[np.float64]
    fixed: NDArray[np.int64]


@lru_cache(maxsize=16)
def _trace(container: Container, camera: Camera, size: int) -> _Trace:
    """Return the points of all lines, the grid's first, but of none that reaches behind the eye."""
    grid, edges = list(list_grid_lines(container, camera)), list(list_edges(container))
    segments = np.array([*grid, *edges])
    width = max(1, round(size / 320.0))
    ends = camera.project(segments.reshape(-1, 3), size).reshape(-1, 2, 3)
    length = np.linalg.norm(ends[:, 1, :2] - ends[:, 0, :2], axis=1)
    ahead = ends[:, :, 2].min(axis=1) >= camera.near
    counts = np.where(ahead, 2 + (2.0 * np.where(ahead, length, 0.0)).astype(np.int64), 0)
    line = np.repeat(np.arange(len(segments)), counts)
    number = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    shares = (number / (counts[line] - 1))[:, None]
    start, end = segments[line, 0], segments[line, 1]
    points = camera.project(start + shares * (end - start), size)
    column, row = np.clip(np.floor(points[:, :2]).astype(np.int64), 0, size - 1).T
    return _Trace(
        ((_GRID, 1),) * len(grid) + ((_EDGE, width),) * len(edges),
        line,
        np.concatenate([[True], line[1:] != line[:-1], [True]])[: len(line) + 1],
        row * size + column,
        points[:, 2] - NEAR,
        # OpenCV counts from the middle of a pixel, the projection from its corner.
        np.round((points[:, :2] - 0.5) * 2**_SUB).astype(np.int64),
    )


def _draw(rgb: NDArray[np.uint8], depth: NDArray[np.float32], trace: _Trace) -> None:
    """Draw the parts of lines that no body hides."""
    seen = trace.depth <= depth.ravel()[trace.pixel]
    before, after = np.concatenate([[False], seen]), np.concatenate([seen, [False]])
    first = np.flatnonzero(seen & (trace.turns[:-1] | ~before[:-1]))
    last = np.flatnonzero(seen & (trace.turns[1:] | ~after[1:]))
    starts, ends = trace.fixed[first].tolist(), trace.fixed[last].tolist()
    for line, start, end in zip(trace.line[first].tolist(), starts, ends, strict=True):
        colour, width = trace.lines[line]
        cv2.line(rgb, start, end, colour, width, cv2.LINE_AA, _SUB)
