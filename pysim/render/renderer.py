"""What every renderer offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pysim.motion import Transform
from pysim.render.camera import Camera
from pysim.scene import Scene

__all__ = ["MAX_SIZE", "Pictures", "Renderer", "RendererUnavailable"]

MAX_SIZE = 4096
"""Largest picture edge in pixels."""


class RendererUnavailable(RuntimeError):
    """The engine behind a renderer can't be used here; the message says why and what to install."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """One scene seen by V cameras, all arrays in the cameras' order, top row first.

    Attributes:
        rgb: (V, H, W, 3) uint8, sRGB.
        ids: (V, H, W) uint16; 0 where no body is seen (sky, ground), else body index + 1.
        depth: (V, H, W) float32; distance from the camera plane in units of a cell edge; infinity
            where nothing is seen.

    A container's walls are lines in ``rgb`` alone.
    """

    rgb: NDArray[np.uint8]
    ids: NDArray[np.uint16]
    depth: NDArray[np.float32]


@runtime_checkable
class Renderer(Protocol):
    """Turns a scene into pictures.

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
    ) -> Pictures:
        """Draw ``scene`` once for each camera, ``size`` x ``size`` pixels.

        Args:
            transforms: body name -> 4x4 transform, in place of the pose in the scene; bodies that
                it does not name stay at their pose.

        Raises:
            ValueError: size outside 1..MAX_SIZE, no camera, or a colour that is not in the palette.
        """

    def close(self) -> None:
        """Free the engine."""
