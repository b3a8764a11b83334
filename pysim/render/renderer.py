"""Protocol of renderers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pysim.errors import LubanError
from pysim.render.camera import Camera
from pysim.render.prepared import PreparedScene
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = [
    "BACKDROP",
    "MAX_SIZE",
    "PASSES",
    "Pass",
    "Pictures",
    "Renderer",
    "RendererUnavailable",
]

MAX_SIZE = 4096
"""Largest picture edge in pixels."""

BACKDROP = 250
"""Grey level where no body is seen by a camera that does not shade."""


class RendererUnavailable(LubanError, RuntimeError):
    """The engine behind a renderer can't be used here; the message says why and what to install."""


class Pass(StrEnum):
    """Property that a picture holds of each pixel."""

    RGB = "rgb"
    IDS = "ids"
    DEPTH = "depth"
    NORMALS = "normals"

    @property
    def channels(self) -> tuple[int, ...]:
        """Shape of one pixel."""
        return (3,) if self in (Pass.RGB, Pass.NORMALS) else ()

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of its numbers."""
        types = {Pass.RGB: np.uint8, Pass.IDS: np.uint16}
        return np.dtype(types.get(self, np.float32))


PASSES = (Pass.RGB, Pass.IDS, Pass.DEPTH)
"""What is drawn unless something else is asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """V views of a scene, or of each of S scenes; the top row comes first.

    All arrays are in the order of scenes and cameras: (V, H, W, ...) from ``render`` and
    (S, V, H, W, ...) from ``render_batch``. A container's walls are lines in ``rgb`` alone.

    Attributes:
        planes: the passes that were asked for.
    """

    planes: Mapping[Pass, NDArray[np.generic]]

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """(..., H, W, 3) uint8, sRGB."""
        return cast("NDArray[np.uint8]", self._plane(Pass.RGB))

    @property
    def ids(self) -> NDArray[np.uint16]:
        """(..., H, W) uint16; 0 where no body is seen (sky, ground), else body index + 1."""
        return cast("NDArray[np.uint16]", self._plane(Pass.IDS))

    @property
    def depth(self) -> NDArray[np.float32]:
        """(..., H, W) float32; distance from the camera plane in units; infinity for no body."""
        return cast("NDArray[np.float32]", self._plane(Pass.DEPTH))

    @property
    def normals(self) -> NDArray[np.float32]:
        """(..., H, W, 3) float32; out of the surface, in world axes; zeros for no body."""
        return cast("NDArray[np.float32]", self._plane(Pass.NORMALS))

    def __getitem__(self, index: int) -> "Pictures":
        """Return the pictures of one scene or view, as parts of the same memory."""
        return Pictures({kind: plane[index] for kind, plane in self.planes.items()})

    def _plane(self, kind: Pass) -> NDArray[np.generic]:
        if kind not in self.planes:
            raise ValueError(f"the pass {kind.value!r} was not asked for")
        return self.planes[kind]


@runtime_checkable
class Renderer(Protocol):
    """Turns scenes into pictures.

    Used from one thread at a time; ``close`` may be called twice.
    """

    @property
    def name(self) -> str:
        """Short name: ``egl`` or ``tiny``."""

    @property
    def version(self) -> str:
        """Engine, vendor, device and driver, as written into logs and picture metadata."""

    def render(
        self,
        scene: Scene,
        cameras: Sequence[Camera],
        size: int,
        transforms: Mapping[str, Transform] | None = None,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """Draw ``scene`` once for each camera, ``size`` x ``size`` pixels.

        Args:
            transforms: body name -> 4x4 transform, in place of the pose in the scene; bodies that
                it does not name stay at their pose.
            passes: what is wanted of each pixel.

        Raises:
            InputError: size outside 1..MAX_SIZE, no camera, a colour that is not in the palette, no
                pass, or one that this renderer can't draw.
        """

    def render_batch(
        self,
        scenes: Sequence[Scene],
        cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
        size: int,
        passes: Sequence[Pass] = PASSES,
        transforms: Sequence[Mapping[str, Transform] | None] | None = None,
    ) -> Pictures:
        """Draw many scenes at once: the same pictures as :meth:`render` draws of each alone.

        Args:
            cameras: V cameras for all scenes, or for each scene V of its own.
            transforms: for each scene, as in :meth:`render`.

        Raises:
            InputError: as :meth:`render`; also no scene, or scenes with unlike numbers of cameras.
        """

    def prepare(self, scene: Scene) -> PreparedScene:
        """Return a scene with all that does not depend on where its bodies are, to draw it often.

        Raises:
            InputError: a colour that is not in the palette, or too many bodies.
        """

    def render_poses(
        self,
        prepared: PreparedScene,
        poses: NDArray[np.float64],
        cameras: Sequence[Camera],
        size: int,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """Draw a scene in S arrangements: the same pictures as :meth:`render_batch`, sooner.

        Arrays of the pictures are shared with others without a copy, as by ``torch.from_dlpack``.

        Args:
            poses: (S, N, 4, 4) transforms of the N bodies, in the order of the scene.
            cameras: V cameras for all arrangements.

        Raises:
            InputError: as :meth:`render`; also poses of another shape, or none.
        """

    def release_memory(self) -> None:
        """Free what the next picture makes anew, such as targets of a size."""

    def close(self) -> None:
        """Free the engine."""
