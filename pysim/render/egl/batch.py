"""The numbers that the shaders of one draw read, laid out as they read them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.render.inputs import DrawList
from pysim.render.scenery.lights import compute_light_matrix
from pysim.scene import Scene
from pysim.viewpoints import Vector

__all__ = ["Draws", "SceneBatch", "lay_out", "measure_ground"]

COMMAND = np.dtype(
    [("count", "<u4"), ("instances", "<u4"), ("index", "<u4"), ("vertex", "<i4"), ("base", "<u4")]
)
"""One body of an indirect draw: its corners, how often it is drawn, and where its data starts."""

_UPSIDE_DOWN = np.diag([1.0, -1.0, 1.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Bodies that are drawn into each layer.

    Attributes:
        commands: of ``COMMAND``.
        places: (n, 3) uint32: row in bodies, picture id and layer of each instance.
    """

    commands: NDArray[np.void]
    places: NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class SceneBatch:
    """S scenes with V views each and N bodies in all.

    Attributes:
        bodies: (N, 20) float32: pose by columns, colour.
        views: (S V, 48) float32, as ``View`` in the shaders.
        lights: (S, 20) float32, as ``Light`` in the shaders.
        plain, adorned, translucent: what is drawn into layer s V + v: solid bodies without
            stickers, those with stickers, and those that are seen through.
        cast: what casts a shadow in layer s.
    """

    bodies: NDArray[np.float32]
    views: NDArray[np.float32]
    lights: NDArray[np.float32]
    plain: Draws
    adorned: Draws
    translucent: Draws
    cast: Draws


def lay_out(
    jobs: Sequence[DrawList], places: NDArray[np.uint32], shadow_size: int, sun: Vector
) -> SceneBatch:
    """Return the data of some jobs.

    Args:
        places: (N, 2) number of faces and first vertex of every body, job by job.
        shadow_size: edge of the shadow map in texels.
        sun: from the scenes to the sun.
    """
    counts = [len(job.scene.bodies) for job in jobs]
    scene = np.repeat(np.arange(len(jobs)), counts)
    ids = np.concatenate([np.arange(1, count + 1) for count in counts])
    bodies = [body for job in jobs for body in job.scene.bodies]
    clear = np.array([body.translucent for body in bodies], dtype=bool)
    adorned = np.array([bool(body.stickers) for body in bodies], dtype=bool) & ~clear
    plain = ~adorned & ~clear
    views = len(jobs[0].cameras)
    rows = np.column_stack([np.arange(len(scene)), ids, scene]).astype(np.uint32).reshape(-1, 3)
    return SceneBatch(
        bodies=_bodies(jobs),
        views=np.array([view for s, job in enumerate(jobs) for view in _views(s, job)], np.float32),
        lights=np.array([_light(job, shadow_size, sun) for job in jobs], dtype=np.float32),
        plain=_draws(rows[plain], places[plain], views),
        adorned=_draws(rows[adorned], places[adorned], views),
        translucent=_draws(rows[clear], places[clear], views),
        cast=_draws(rows[~clear], places[~clear], 1),
    )


def _draws(rows: NDArray[np.uint32], places: NDArray[np.uint32], views: int) -> Draws:
    """Return every row (row, id, scene) in all ``views`` layers of its scene."""
    commands = np.zeros(len(rows), dtype=COMMAND)
    commands["count"] = 6 * places[:, 0]
    commands["instances"] = views
    commands["vertex"] = places[:, 1]
    commands["base"] = views * np.arange(len(rows))
    instances = np.repeat(rows, views, axis=0)
    instances[:, 2] = instances[:, 2] * views + np.tile(np.arange(views), len(rows))
    return Draws(commands, instances)


def _bodies(jobs: Sequence[DrawList]) -> NDArray[np.float32]:
    transforms = np.concatenate([job.transforms for job in jobs])
    rows = np.ones((len(transforms), 20), dtype=np.float32)
    rows[:, :16] = transforms.transpose(0, 2, 1).reshape(-1, 16)
    rows[:, 16:19] = np.concatenate([job.colours for job in jobs]) / np.float32(255.0)
    return rows


def _views(scene: int, job: DrawList) -> Iterator[NDArray[np.float64]]:
    for camera in job.cameras:
        row = _camera_row(camera).copy()
        row[23] = scene
        row[44:48] = measure_ground(job.scene, camera)
        yield row


@lru_cache(maxsize=4096)
def _camera_row(camera: Camera) -> NDArray[np.float64]:
    """Return the camera's part of ``View``; the rest is 0."""
    row = np.zeros(48)
    row[:16] = (_UPSIDE_DOWN @ camera.compute_projection() @ camera.compute_view()).T.ravel()
    row[16:20] = -camera.compute_view()[2]
    row[20:44].reshape(6, 4)[:, :3] = camera.compute_rays().reshape(6, 3)
    row[27] = not camera.shaded
    return row


def _light(job: DrawList, shadow_size: int, sun: Vector) -> NDArray[np.float64]:
    matrix, width = compute_light_matrix(job.scene, job.transforms, sun)
    row = np.zeros(20)
    row[:16] = matrix.T.ravel()
    row[16] = 2.5 * width / shadow_size
    return row


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
