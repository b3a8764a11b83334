"""The last resort: PyBullet's TinyRenderer, which needs no OpenGL at all."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError, describe_missing_pybullet
from pysim.geometry import Voxels, merge_boxes
from pysim.geometry.quaternions import compute_quaternion
from pysim.machine import silence_stderr
from pysim.render.camera import Camera
from pysim.render.drawing import CheckedRenderer, draw_each
from pysim.render.inputs import DrawList
from pysim.render.mesh import Model
from pysim.render.palette import PALETTE, Rgb
from pysim.render.renderer import BACKDROP, PASSES, Pass, Pictures, RendererUnavailable
from pysim.render.tiny.stickers import paint_stickers
from pysim.render.walls import draw_walls

__all__ = ["TinyRenderer"]

MAX_SHAPES = 16
"""PyBullet silently keeps only this many shapes of a compound, the first."""

_TO_LIGHT = np.array([0.35, 0.7, 0.62])
"""Towards the light, in camera coordinates: it comes with the camera, so that of the three faces
of a cube in any view no two look alike."""

_BACKGROUND = 232
"""Grey level where nothing is seen."""

_WHITE = np.full(3, 255, dtype=np.uint8)
"""Bodies with stickers are drawn white, to be painted afterwards."""

_AFAR = 400.0
"""For parallel rays: how far off the pinhole is, in widths of the picture. Nearer, rays would
spread; farther, the engine's short numbers would blur depths."""


class TinyRenderer(CheckedRenderer):
    """Draws with PyBullet's software renderer, in a physics client of its own.

    Poorer than ``egl``: no edge lines, so voxels can't be counted on a flat face; no shadow, no
    ground, no smoothing of outlines, no normals; translucent bodies
    are left out; a batch is drawn one scene after another. Ids are exact, one sample in the middle
    of each pixel; depth is worked back from a buffer of limited precision (0.001 units at 25).
    Parallel rays are those of a pinhole 400 times as far away as the picture is wide, which leaves
    depth a precision of 0.01 units.

    Args:
        palette: how named colours are painted.

    Raises:
        RendererUnavailable: PyBullet is missing.
    """

    name = "tiny"

    def __init__(self, *, palette: Mapping[str, Rgb] = PALETTE) -> None:
        super().__init__(palette)
        try:
            with silence_stderr():
                import pybullet
        except ImportError as error:
            raise RendererUnavailable(describe_missing_pybullet()) from error
        self._bullet = pybullet
        self._client = pybullet.connect(pybullet.DIRECT)
        self._closed = False
        self._drawn: tuple[tuple[Model, str, bool], ...] = ()
        self._parts: list[list[int]] = []

    @property
    def version(self) -> str:
        """PyBullet's version, and what pictures lack."""
        api = self._bullet.getAPIVersion()
        return f"PyBullet TinyRenderer, API {api}; no edge lines, shadow, ground or smoothing"

    def close(self) -> None:
        """Free the physics client; may be called twice."""
        if not self._closed:
            self._closed = True
            self._bullet.disconnect(physicsClientId=self._client)

    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        if Pass.NORMALS in passes:
            raise InputError("the renderer tiny can't draw normals; egl can")
        if self._closed:
            raise RuntimeError("this renderer is closed")
        return draw_each(lambda job: self._draw_scene(job, size), jobs, passes)

    def _draw_scene(self, job: DrawList, size: int) -> Pictures:
        """Return one scene from all its cameras, in every pass that this renderer knows."""
        self._build(job)
        self._place(job)
        seen = [self._look(camera, size) for camera in job.cameras]
        for camera, (rgb, ids, depth) in zip(job.cameras, seen, strict=True):
            paint_stickers(rgb, ids, depth, camera, job)
        planes = (np.stack(plane) for plane in zip(*seen, strict=True))
        pictures = Pictures(dict(zip(PASSES, planes, strict=True)))
        if job.scene.container is not None:
            draw_walls(pictures, job.scene.container, job.cameras)
        return pictures

    def _build(self, job: DrawList) -> None:
        """Make the bodies of a scene in the client, unless they are there already."""
        bodies = job.scene.bodies
        wanted = tuple(
            (model, body.colour, body.translucent)
            for model, body in zip(job.models, bodies, strict=True)
        )
        if wanted == self._drawn:
            return
        self._bullet.resetSimulation(physicsClientId=self._client)
        self._drawn = wanted
        self._parts = [
            []
            if body.translucent
            else self._make(model.shape, _WHITE if model.stickers else colour)
            for body, model, colour in zip(bodies, job.models, job.colours, strict=True)
        ]

    def _make(self, shape: Voxels, colour: NDArray[np.uint8]) -> list[int]:
        """Return the ids of the client's bodies that together look like ``shape``."""
        boxes = merge_boxes(shape)
        rgba = [*(colour / 255.0).tolist(), 1.0]
        parts: list[int] = []
        for start in range(0, len(boxes), MAX_SHAPES):
            chunk = boxes[start : start + MAX_SHAPES]
            visual = self._bullet.createVisualShapeArray(
                shapeTypes=[self._bullet.GEOM_BOX] * len(chunk),
                halfExtents=[[length / 2.0 for length in box.size] for box in chunk],
                visualFramePositions=[
                    [(a + b) / 2.0 for a, b in zip(box.low, box.high, strict=True)] for box in chunk
                ],
                rgbaColors=[rgba] * len(chunk),
                physicsClientId=self._client,
            )
            parts.append(
                self._bullet.createMultiBody(
                    baseVisualShapeIndex=visual, physicsClientId=self._client
                )
            )
        return parts

    def _place(self, job: DrawList) -> None:
        for parts, transform in zip(self._parts, job.transforms, strict=True):
            position = transform[:3, 3].tolist()
            turn = compute_quaternion(transform[:3, :3])
            for part in parts:
                self._bullet.resetBasePositionAndOrientation(
                    part, position, turn, physicsClientId=self._client
                )

    def _look(
        self, camera: Camera, size: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.float32]]:
        """Return one picture: rgb (size, size, 3), ids (size, size), depth (size, size)."""
        if camera.width is not None:
            away = _AFAR * camera.width
            rgb, ids, far_off = self._look(_from_afar(camera, camera.width, away), size)
            return rgb, ids, (far_off - away).astype(np.float32)
        ambient = 0.62 if camera.shaded else 1.0
        _, _, rgba, buffer, parts = self._bullet.getCameraImage(
            size,
            size,
            viewMatrix=camera.compute_view().T.ravel().tolist(),
            projectionMatrix=(_middle(size) @ camera.compute_projection()).T.ravel().tolist(),
            renderer=self._bullet.ER_TINY_RENDERER,
            shadow=0,
            lightDirection=(camera.compute_view()[:3, :3].T @ _TO_LIGHT).tolist(),
            lightAmbientCoeff=ambient,
            lightDiffuseCoeff=1.0 - ambient,
            lightSpecularCoeff=0.0,
            physicsClientId=self._client,
        )
        ids = self._ids(np.asarray(parts).reshape(size, size))
        rgb = np.asarray(rgba, dtype=np.uint8).reshape(size, size, 4)[..., :3].copy()
        rgb[ids == 0] = _BACKGROUND if camera.shaded else BACKDROP
        depth = _depth(camera, np.asarray(buffer).reshape(size, size))
        return rgb, ids, np.where(ids > 0, depth, np.inf).astype(np.float32)

    def _ids(self, parts: NDArray[np.int32]) -> NDArray[np.uint16]:
        """Picture ids for the client's body ids, which are -1 where nothing is seen."""
        table = np.zeros(2 + max((part for own in self._parts for part in own), default=0))
        for index, own in enumerate(self._parts):
            table[np.array(own, dtype=int) + 1] = index + 1
        ids: NDArray[np.uint16] = table.astype(np.uint16)[parts + 1]
        return ids


def _from_afar(camera: Camera, width: float, away: float) -> Camera:
    """A pinhole camera so far behind one with parallel rays that its rays are nearly parallel.

    Its picture is ``width`` wide where the camera's target is.
    """
    back = np.subtract(camera.eye, camera.target)
    distance = float(np.linalg.norm(back))
    x, y, z = (np.array(camera.eye) + back / distance * away).tolist()
    return replace(
        camera,
        eye=(x, y, z),
        fov_deg=math.degrees(2.0 * math.atan(width / 2.0 / (away + distance))),
        near=camera.near + away,
        far=camera.far + away,
        width=None,
    )


def _depth(camera: Camera, buffer: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return distances from the camera plane for a depth buffer (0 near, 1 far)."""
    near, far = camera.near, camera.far
    return far * near / (far - (far - near) * np.asarray(buffer, dtype=np.float64))


def _middle(size: int) -> NDArray[np.float64]:
    """Shifts clip coordinates by half a pixel: TinyRenderer samples a pixel's lower left corner."""
    shift = np.eye(4)
    shift[:2, 3] = -1.0 / size
    return shift
