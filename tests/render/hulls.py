"""The visual hull of a body: the cells of its grid that no picture shows to be empty.

A ray is cast through the middle of every pixel, by the camera's matrices in OpenCV's convention. A
cell is shown to be empty if a ray goes through it, misses the body, and meets nothing before it has
left the cell. Nothing else is taken from the renderer than ids and depth.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Cell
from pysim.render.camera import Camera
from pysim.render.views import Rendered
from pysim.scene import Body

Array = NDArray[np.float64]
HALF = 0.49
"""Half the edge of a cell, less what rounding may take."""


def hull(
    body: Body, number: int, views: Sequence[Rendered], cameras: Sequence[Camera]
) -> set[Cell]:
    """Return the cells of a body's bounding block that no view shows to be empty.

    Args:
        number: the body's id in pictures.
    """
    left = set(grid(body))
    for view, camera in zip(views, cameras, strict=True):
        left -= {cell for cell in left if is_empty(cell, number, view, camera)}
    return left


def grid(body: Body) -> Iterator[Cell]:
    """Yield the cells of a body's bounding block."""
    bounds = body.place().bounds
    sides = zip(bounds.low, bounds.high, strict=True)
    return itertools.product(*(range(low, high + 1) for low, high in sides))  # type: ignore[return-value]


def is_empty(cell: Cell, number: int, view: Rendered, camera: Camera) -> bool:
    """Whether a view shows that a body does not fill a cell."""
    size = view.ids.shape[0]
    rows, columns = window(cell, camera, size)
    ids, depth = view.ids[rows, columns], view.depth[rows, columns]
    row, column = np.mgrid[rows, columns]
    eye, rays = rays_through(column, row, camera, size)
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = (np.asarray(cell) + side - eye for side in (-HALF, HALF))
        enters = np.minimum(near / rays, far / rays).max(axis=-1)
        leaves = np.maximum(near / rays, far / rays).min(axis=-1)
    crosses = leaves - enters > 0.02
    free = (ids != number) & ((ids == 0) | (depth > leaves))
    return bool((crosses & free).any())


def window(cell: Cell, camera: Camera, size: int) -> tuple[slice, slice]:
    """Return the rows and columns of the pixels within which a cell is seen."""
    corners = np.asarray(cell) + np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    seen = (np.column_stack([corners, np.ones(8)]) @ camera.compute_extrinsics().T)[:, :3]
    flat = seen @ camera.compute_intrinsics(size).T
    at = flat[:, :2] / flat[:, 2:]
    low = np.clip(np.floor(at.min(axis=0)), 0, size).astype(int)
    high = np.clip(np.ceil(at.max(axis=0)) + 1, 0, size).astype(int)
    return slice(low[1], high[1]), slice(low[0], high[0])


def rays_through(column: Array, row: Array, camera: Camera, size: int) -> tuple[Array, Array]:
    """Return the eye (3,) and, for pixels, rays (..., 3) that advance one unit of depth."""
    pixels = np.stack([column, row, np.ones_like(row)], axis=-1).astype(float)
    seen = pixels @ np.linalg.inv(camera.compute_intrinsics(size)).T
    turn, shift = camera.compute_extrinsics()[:3, :3], camera.compute_extrinsics()[:3, 3]
    return -turn.T @ shift, seen @ turn
