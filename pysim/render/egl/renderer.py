"""Drawing batches of scenes."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from pysim.render.drawing import CheckedRenderer
from pysim.render.egl.engine import ContextLost, Engine, choose_shadow_size
from pysim.render.egl.targets import measure_layer
from pysim.render.inputs import DrawList
from pysim.render.palette import PALETTE, Rgb
from pysim.render.renderer import Pass, Pictures, Renderer
from pysim.render.scenery import DIAGRAM, Scenery
from pysim.render.walls import draw_walls

__all__ = ["EglRenderer"]

_MOST_LAYERS = 2048
"""Layers that every OpenGL 4.5 texture array can have."""


class EglRenderer(CheckedRenderer):
    """Draws with OpenGL 4.5: soft shadows, edge lines, 4x multisampled colours.

    All scenes and views are drawn together. Colours are averaged over a pixel's samples; id, depth
    and normal are those of the surface that is seen in the pixel's middle. The ground is drawn only
    for cameras above it, and never hides a body.

    The picture of a view does not depend on its place in the batch, on what was drawn before, nor
    on the process; it does depend on the driver that ``version`` names. Lives in one thread: it
    must be used and closed in the thread that made it; others may have renderers of their own. If
    the graphics context is lost, it is built anew once and the batch drawn again.

    Args:
        device_index: which EGL device to draw with; None for the default one.
        palette: how named colours are painted.
        memory: bytes of graphics memory for pictures and shadow maps. A batch that needs more is
            drawn in several goes.

    Raises:
        RendererUnavailable: moderngl, EGL or OpenGL 4.5 is missing.
    """

    name = "egl"

    def __init__(
        self,
        device_index: int | None = None,
        *,
        palette: Mapping[str, Rgb] = PALETTE,
        memory: int = 512 * 2**20,
    ) -> None:
        super().__init__(palette)
        self._thread = threading.get_ident()
        self._device_index = device_index
        self._memory = memory
        self._engine: Engine | None = Engine(device_index, memory)
        self._version = self._engine.version
        self._seconds = (0.0, 0.0)

    @property
    def version(self) -> str:
        """OpenGL's version, vendor and renderer."""
        return self._version

    @property
    def seconds(self) -> tuple[float, float]:
        """Seconds that the last batch took to be drawn, and to be read back."""
        return self._seconds

    def with_scenery(self, scenery: Scenery) -> Renderer:
        """Return one that draws with this engine, but other finishes and lights."""
        return _Dressed(self, scenery)

    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        return self.draw_with(DIAGRAM, jobs, size, passes)

    def draw_with(
        self, scenery: Scenery, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]
    ) -> Pictures:
        """Return pictures of a batch that was checked."""
        self._check_usable()
        walled = Pass.RGB in passes and any(job.scene.container is not None for job in jobs)
        drawn = {*passes, Pass.DEPTH} if walled else set(passes)
        self._seconds = (0.0, 0.0)
        goes = [
            self._planes(part, size, sorted(drawn), scenery)
            for part in self._parts(jobs, size, drawn)
        ]
        shape = (len(jobs), len(jobs[0].cameras), size, size)
        pictures = Pictures(
            {
                kind: _joined([go[kind] for go in goes]).reshape(*shape, *kind.channels)
                for kind in drawn
            }
        )
        for index, job in enumerate(jobs if walled else ()):
            if job.scene.container is not None:
                draw_walls(pictures[index], job.scene.container, job.cameras)
        return Pictures({kind: pictures.planes[kind] for kind in passes})

    def close(self) -> None:
        """Free the engine; may be called twice."""
        if self._engine is None:
            return
        self._check_usable()
        engine, self._engine = self._engine, None
        engine.close()

    def __enter__(self) -> "EglRenderer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _check_usable(self) -> None:
        if self._engine is None:
            raise RuntimeError("this renderer is closed")
        if threading.get_ident() != self._thread:
            raise RuntimeError("an OpenGL renderer must be used in the thread that made it")

    def _parts(
        self, jobs: Sequence[DrawList], size: int, passes: set[Pass]
    ) -> Iterator[Sequence[DrawList]]:
        """Yield the jobs, as many at a time as the memory holds; if not even one, view by view."""
        views = len(jobs[0].cameras)
        view = measure_layer(size, Pass.NORMALS in passes)
        scene = views * view + 4 * choose_shadow_size(size) ** 2
        if scene <= self._memory and views <= _MOST_LAYERS:
            count = min(self._memory // scene, _MOST_LAYERS // views)
            yield from (jobs[start : start + count] for start in range(0, len(jobs), count))
            return
        count = max(1, min(self._memory // view, _MOST_LAYERS))
        for job in jobs:
            for start in range(0, views, count):
                yield [replace(job, cameras=job.cameras[start : start + count])]

    def _planes(
        self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass], scenery: Scenery
    ) -> dict[Pass, NDArray[np.generic]]:
        """Draw, if need be with a new engine in place of one that has died."""
        assert self._engine is not None
        try:
            planes = self._engine.draw(jobs, size, passes, scenery)
        except ContextLost:
            self._engine = Engine(self._device_index, self._memory)
            planes = self._engine.draw(jobs, size, passes, scenery)
        draw, read = self._engine.seconds
        self._seconds = (self._seconds[0] + draw, self._seconds[1] + read)
        return planes


class _Dressed(CheckedRenderer):
    """Draws with the engine of a renderer, but a scenery of its own."""

    def __init__(self, base: EglRenderer, scenery: Scenery) -> None:
        super().__init__(base.palette)
        self._base = base
        self._scenery = scenery
        self.name = base.name

    @property
    def version(self) -> str:
        return self._base.version

    def with_scenery(self, scenery: Scenery) -> Renderer:
        return self._base.with_scenery(scenery)

    def close(self) -> None:
        """Nothing: the engine is the other one's."""

    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        return self._base.draw_with(self._scenery, jobs, size, passes)


def _joined(planes: list[NDArray[np.generic]]) -> NDArray[np.generic]:
    return planes[0] if len(planes) == 1 else np.concatenate(planes)
