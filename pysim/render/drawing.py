"""Base of all renderers: their call, and the checks of its arguments."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.render.inputs import DrawList, check_batch, check_poses
from pysim.render.palette import PALETTE, Rgb
from pysim.render.prepared import PreparedScene
from pysim.render.renderer import PASSES, Pass, Pictures
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["BatchRenderer", "CheckedRenderer", "draw_each"]


class BatchRenderer(ABC):
    """Draws a scene as a batch of one."""

    def render(
        self,
        scene: Scene,
        cameras: Sequence[Camera],
        size: int,
        transforms: Mapping[str, Transform] | None = None,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """As :meth:`pysim.render.renderer.Renderer.render`.

        Raises:
            InputError, RuntimeError: as :meth:`render_batch`.
        """
        return self.render_batch([scene], cameras, size, passes, [transforms])[0]

    @abstractmethod
    def render_batch(
        self,
        scenes: Sequence[Scene],
        cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
        size: int,
        passes: Sequence[Pass] = PASSES,
        transforms: Sequence[Mapping[str, Transform] | None] | None = None,
    ) -> Pictures:
        """As :meth:`pysim.render.renderer.Renderer.render_batch`."""

    def release_memory(self) -> None:
        """Free what the next picture makes anew, such as targets of a size; nothing by default."""
        return


class CheckedRenderer(BatchRenderer):
    """Checks requests and makes draw lists of them; see :class:`~pysim.render.renderer.Renderer`.

    Args:
        palette: how named colours are painted.
    """

    def __init__(self, palette: Mapping[str, Rgb] = PALETTE) -> None:
        self.palette = palette

    def render_batch(
        self,
        scenes: Sequence[Scene],
        cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
        size: int,
        passes: Sequence[Pass] = PASSES,
        transforms: Sequence[Mapping[str, Transform] | None] | None = None,
    ) -> Pictures:
        """As :meth:`pysim.render.renderer.Renderer.render_batch`.

        Raises:
            InputError: as every renderer; also a pass or a scene that this one can't draw.
            RuntimeError: called after ``close``, or whatever else keeps this one from drawing.
        """
        jobs = check_batch(scenes, cameras, size, passes, transforms, self.palette)
        return self._draw(jobs, size, passes)

    def prepare(self, scene: Scene) -> PreparedScene:
        """As :meth:`pysim.render.renderer.Renderer.prepare`.

        Raises:
            InputError: a colour that is not in the palette, or too many bodies.
        """
        return PreparedScene.from_scene(scene, self.palette)

    def render_poses(
        self,
        prepared: PreparedScene,
        poses: NDArray[np.float64],
        cameras: Sequence[Camera],
        size: int,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """As :meth:`pysim.render.renderer.Renderer.render_poses`.

        Raises:
            InputError, RuntimeError: as :meth:`render_batch`.
        """
        checked, views = check_poses(prepared, poses, cameras, size, passes), tuple(cameras)
        return self._draw([DrawList(prepared, views, own) for own in checked], size, passes)

    @abstractmethod
    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        """Return a batch that was checked."""


def draw_each(
    draw: Callable[[DrawList], Pictures], jobs: Sequence[DrawList], passes: Sequence[Pass]
) -> Pictures:
    """Return a batch from pictures of each scene, which have at least these passes."""
    seen = [draw(job) for job in jobs]
    return Pictures({kind: np.stack([own.planes[kind] for own in seen]) for kind in passes})
