"""The numbers that the shaders of one draw read, laid out as they read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.render.egl.models import Arrangements
from pysim.render.scenery.lights import compute_light_matrix
from pysim.scene import Scene
from pysim.viewpoints import Vector

__all__ = [
    "COMMAND",
    "SceneBatch",
    "lay_out",
    "lay_out_spans",
    "make_commands",
    "measure_ground",
]

COMMAND = np.dtype(
    [("count", "<u4"), ("instances", "<u4"), ("index", "<u4"), ("vertex", "<i4"), ("base", "<u4")]
)
"""A part of an indirect draw: its corners, how often it is drawn, and where its data starts."""

_UPSIDE_DOWN = np.diag([1.0, -1.0, 1.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class SceneBatch:
    """S scenes with V views each and N bodies in all.

    Attributes:
        bodies: (N, 20) float32: pose by columns, colour.
        views: (S V, 48) float32, as ``View`` in the shaders.
        lights: (S, 20) float32, as ``Light`` in the shaders.
        layers: (S V, 2) uint32: first row in bodies, and layer, of what is seen in a view.
        casts: (S, 2) uint32: the same of what casts a shadow.
    """

    bodies: NDArray[np.float32]
    views: NDArray[np.float32]
    lights: NDArray[np.float32]
    layers: NDArray[np.uint32]
    casts: NDArray[np.uint32]

    @property
    def count(self) -> int:
        """Number of views of each scene."""
        return len(self.views) // len(self.lights)


def lay_out(
    parts: Sequence[Arrangements],
    cameras: Sequence[tuple[Camera, ...]],
    shadow_size: int,
    sun: Vector,
) -> SceneBatch:
    """Return the data of some scenes in some arrangements.

    Args:
        cameras: V for each part.
        shadow_size: edge of the shadow map in texels.
        sun: from the scenes to the sun.
    """
    bodies = np.concatenate(
        [np.full(len(part.transforms), part.transforms.shape[1]) for part in parts]
    )
    first, count = np.cumsum(bodies) - bodies, len(cameras[0])
    views = np.concatenate([_views(*pair) for pair in zip(parts, cameras, strict=True)])
    views[:, 23] = np.repeat(np.arange(len(first)), count)
    return SceneBatch(
        bodies=np.concatenate([_bodies(part) for part in parts]),
        views=views,
        lights=np.concatenate([_lights(part, shadow_size, sun) for part in parts]),
        layers=np.column_stack([np.repeat(first, count), np.arange(len(views))]).astype(np.uint32),
        casts=np.column_stack([first, np.arange(len(first))]).astype(np.uint32),
    )


def lay_out_spans(
    batch: SceneBatch, solid: NDArray[np.int64], clear: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """Return what is seen in each layer, (S V, 4): first body, first face, solid faces, clear ones.

    Args:
        solid, clear: (S, 2) first face and number of faces; the clear ones follow the solid ones.
    """
    faces = np.column_stack([solid, clear[:, 1]])
    rows = [batch.layers[:, :1], np.repeat(faces, batch.count, axis=0)]
    return np.concatenate(rows, axis=1).astype(np.uint32)


def make_commands(spans: NDArray[np.int64], views: int) -> NDArray[np.void]:
    """Return the commands that draw S geometries into ``views`` layers each.

    Neighbours with the same geometry are drawn at once.

    Args:
        spans: (S, 2) first face and number of faces.
    """
    starts = np.flatnonzero(np.concatenate([[True], (spans[1:] != spans[:-1]).any(axis=1)]))
    runs = np.diff(np.append(starts, len(spans)))
    commands = np.zeros(len(starts), dtype=COMMAND)
    commands["count"] = 6 * spans[starts, 1]
    commands["instances"] = views * runs
    commands["vertex"] = 4 * spans[starts, 0]
    commands["base"] = views * starts
    return commands[commands["count"] > 0]


def _bodies(part: Arrangements) -> NDArray[np.float32]:
    count, bodies = part.transforms.shape[:2]
    rows = np.ones((count, bodies, 20), dtype=np.float32)
    rows[..., :16] = part.transforms.swapaxes(-1, -2).reshape(count, bodies, 16)
    rows[..., 16:19] = part.prepared.colours / np.float32(255.0)
    return rows.reshape(-1, 20)


def _views(part: Arrangements, cameras: tuple[Camera, ...]) -> NDArray[np.float32]:
    rows = np.array([_camera_row(camera) for camera in cameras])
    rows[:, 44:48] = [measure_ground(part.prepared.scene, camera) for camera in cameras]
    return np.tile(rows.astype(np.float32), (len(part.transforms), 1))


@lru_cache(maxsize=4096)
def _camera_row(camera: Camera) -> NDArray[np.float64]:
    """Return the camera's part of ``View``; the rest is 0."""
    row = np.zeros(48)
    row[:16] = (_UPSIDE_DOWN @ camera.compute_projection() @ camera.compute_view()).T.ravel()
    row[16:20] = -camera.compute_view()[2]
    row[20:44].reshape(6, 4)[:, :3] = camera.compute_rays().reshape(6, 3)
    row[27] = not camera.shaded
    return row


def _lights(part: Arrangements, shadow_size: int, sun: Vector) -> NDArray[np.float32]:
    matrices, widths = compute_light_matrix(part.prepared.scene, part.transforms, sun)
    rows = np.zeros((len(matrices), 20), dtype=np.float32)
    rows[:, :16] = matrices.swapaxes(-1, -2).reshape(-1, 16)
    rows[:, 16] = 2.5 * widths / shadow_size
    return rows


def measure_ground(scene: Scene, camera: Camera) -> tuple[float, float, float, float]:
    """Middle x and y, height, and radius of the visible ground; radius 0 for none."""
    if scene.table is None:
        return (0.0, 0.0, 0.0, 0.0)
    height = scene.table.low[2] - 0.5
    if camera.eye[2] <= height:
        return (0.0, 0.0, 0.0, 0.0)
    whole = scene.work.union(scene.table)
    x, y = ((whole.low[i] + whole.high[i]) / 2.0 for i in (0, 1))
    return (x, y, height, max(whole.size) + 4.0)
