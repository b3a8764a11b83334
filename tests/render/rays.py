"""Casting rays at voxels: a second opinion on what a picture should show."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.scene import Scene
from pysim.trajectory import Transform


@dataclass(frozen=True)
class Hits:
    """For N rays: body index + 1 or 0, distance from the camera plane, and which side was hit."""

    ids: NDArray[np.int64]
    depth: NDArray[np.float64]
    side: NDArray[np.int64]


def cast(
    scene: Scene,
    camera: Camera,
    size: int,
    points: NDArray[np.float64],
    transforms: Mapping[str, Transform],
) -> Hits:
    """What lies first behind picture points (N, 2), columns and rows in pixels."""
    view = camera.compute_view()
    slope = 1.0 / camera.compute_projection()[0, 0]
    screen = (points / size * 2.0 - 1.0) * slope * (1.0, -1.0)
    # Of length 1 along the camera's axis, so that the ray's parameter is the depth.
    rays = np.column_stack([screen, -np.ones(len(points))]) @ view[:3, :3]
    ids = np.zeros(len(points), dtype=np.int64)
    depth = np.full(len(points), np.inf)
    side = np.full(len(points), -1)
    for index, body in enumerate(scene.bodies):
        inverse = np.linalg.inv(transforms.get(body.name, body.pose.transform()))
        eye = inverse[:3, :3] @ np.array(camera.eye) + inverse[:3, 3]
        near, hit_side = _first(np.array(body.shape.cells), eye, rays @ inverse[:3, :3].T)
        closer = near < depth
        ids[closer], depth[closer] = index + 1, near[closer]
        side[closer] = hit_side[closer] + 3 * index
    return Hits(ids, depth, side)


def _first(
    cells: NDArray[np.int64], eye: NDArray[np.float64], rays: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Where rays (N, 3) from ``eye`` first enter one of the unit cubes around ``cells``."""
    with np.errstate(divide="ignore"):
        steps = 1.0 / rays[:, None, :]
    a = (cells[None] - 0.5 - eye) * steps
    b = (cells[None] + 0.5 - eye) * steps
    enter, leave = np.minimum(a, b), np.maximum(a, b).min(axis=2)
    near = enter.max(axis=2)
    near[(near > leave) | (near <= 0.0)] = np.inf
    best = near.argmin(axis=1)
    rows = np.arange(len(rays))
    return near[rows, best], enter[rows, best].argmax(axis=1)
