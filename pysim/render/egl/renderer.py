"""Drawing batches of scenes."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.render.drawing import CheckedRenderer
from pysim.render.egl.engine import ContextLost, Deliver, Engine, Go, choose_shadow_size
from pysim.render.egl.gl import Gl
from pysim.render.egl.models import Arrangements
from pysim.render.egl.targets import measure_layer
from pysim.render.inputs import DrawList, check_poses
from pysim.render.palette import PALETTE, Rgb
from pysim.render.prepared import PreparedScene
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
        computes: whether compute shaders draw the colours of the full finish, and not the
            rasterizer; None for where that is faster, on a GPU. The outlines differ by a sample
            here and there.

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
        computes: bool | None = None,
    ) -> None:
        super().__init__(palette)
        self._thread = threading.get_ident()
        self._device_index = device_index
        self._memory = memory
        self._computes = computes
        self._engine: Engine | None = self._make_engine()
        self._version = self._engine.version
        self._closed = False
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
        return self.draw_with(DIAGRAM, _group(jobs), size, passes)

    def draw_with(self, scenery: Scenery, whole: Go, size: int, passes: Sequence[Pass]) -> Pictures:
        """Return pictures of a batch that was checked."""
        walled = Pass.RGB in passes and any(
            part.prepared.scene.container is not None for part in whole.parts
        )
        drawn = sorted({*passes, Pass.DEPTH} if walled else set(passes))
        self._seconds = (0.0, 0.0)
        goes = [
            self._planes(go, size, drawn, scenery)
            for go in self._split(whole, size, drawn, scenery)
        ]
        shape = (whole.scenes, whole.views, size, size)
        pictures = Pictures(
            {
                kind: _joined([go[kind] for go in goes]).reshape(*shape, *kind.channels)
                for kind in drawn
            }
        )
        if walled:
            _draw_walls(whole, pictures)
        return Pictures({kind: pictures.planes[kind] for kind in passes})

    def deliver_poses(
        self,
        prepared: PreparedScene,
        poses: NDArray[np.float64],
        cameras: Sequence[Camera],
        size: int,
        passes: Sequence[Pass],
        deliver: Deliver,
        scenery: Scenery = DIAGRAM,
    ) -> None:
        """Draw as :meth:`render_poses`, and hand the pictures on where they were drawn.

        A container's walls are left out: they are drawn into pictures in Python.

        Args:
            deliver: is called for a part of the layers at a time, in their order.
            scenery: what is drawn besides the bodies, and how.

        Raises:
            InputError: as :meth:`render_poses`.
        """
        checked = check_poses(prepared, poses, cameras, size, passes)
        whole = Go((Arrangements(prepared, checked),), (tuple(cameras),))
        drawn = sorted(set(passes))
        for go in self._split(whole, size, drawn, scenery):
            self._planes(go, size, drawn, scenery, deliver)

    @contextmanager
    def use_context(self) -> Iterator[Gl]:
        """Make the graphics context current, and give the raw calls that act on it."""
        with self._find_engine().use() as gl:
            yield gl

    def release_memory(self) -> None:
        """Free the graphics context, which holds 300 MB after a picture of 1,024 pixels."""
        self._check_usable()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def close(self) -> None:
        """Free the engine; may be called twice."""
        if not self._closed:
            self.release_memory()
            self._closed = True

    def __enter__(self) -> "EglRenderer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _find_engine(self) -> Engine:
        """Return the engine, made anew if its memory was released."""
        self._check_usable()
        if self._engine is None:
            self._engine = self._make_engine()
        return self._engine

    def _make_engine(self) -> Engine:
        return Engine(self._device_index, self._memory, computes=self._computes)

    def _check_usable(self) -> None:
        if self._closed:
            raise RuntimeError("this renderer is closed")
        if threading.get_ident() != self._thread:
            raise RuntimeError("an OpenGL renderer must be used in the thread that made it")

    def _split(
        self, whole: Go, size: int, passes: Sequence[Pass], scenery: Scenery
    ) -> Iterator[Go]:
        """Yield as many scenes at a time as the memory holds; if not even one, view by view."""
        has_samples = self._find_engine().has_samples(scenery)
        view = measure_layer(size, Pass.NORMALS in passes, has_samples)
        scene = whole.views * view + 4 * choose_shadow_size(size) ** 2
        if scene <= self._memory and whole.views <= _MOST_LAYERS:
            yield from whole.split_scenes(min(self._memory // scene, _MOST_LAYERS // whole.views))
            return
        yield from whole.split_views(max(1, min(self._memory // view, _MOST_LAYERS)))

    def _planes(
        self,
        go: Go,
        size: int,
        passes: Sequence[Pass],
        scenery: Scenery,
        deliver: Deliver | None = None,
    ) -> dict[Pass, NDArray[np.generic]]:
        """Draw, if need be with a new engine in place of one that has died."""
        engine = self._find_engine()
        try:
            planes = engine.draw(go, size, passes, scenery, deliver)
        except ContextLost:
            if deliver is not None:
                raise
            self._engine = None  # The old one can't be closed.
            engine = self._find_engine()
            planes = engine.draw(go, size, passes, scenery)
        draw, read = engine.seconds
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
        plain = "; plain finish: no smoothing, no shadows" if self._scenery.plain else ""
        return self._base.version + plain

    def with_scenery(self, scenery: Scenery) -> Renderer:
        return self._base.with_scenery(scenery)

    def close(self) -> None:
        """Nothing: the engine is the other one's."""

    def _draw(self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass]) -> Pictures:
        return self._base.draw_with(self._scenery, _group(jobs), size, passes)


def _draw_walls(whole: Go, pictures: Pictures) -> None:
    """Draw the walls of all containers into the pictures of all arrangements."""
    index = 0
    for part, cameras in zip(whole.parts, whole.cameras, strict=True):
        container = part.prepared.scene.container
        for number in range(index, index := index + len(part.transforms)):
            if container is not None:
                draw_walls(pictures[number], container, cameras)


def _group(jobs: Sequence[DrawList]) -> Go:
    """Return jobs with neighbours of one scene from the same cameras together."""
    runs: list[list[DrawList]] = []
    for job in jobs:
        last = runs[-1][-1] if runs else None
        if last is not None and last.prepared is job.prepared and last.cameras == job.cameras:
            runs[-1].append(job)
        else:
            runs.append([job])
    return Go(
        tuple(
            Arrangements(run[0].prepared, np.stack([job.transforms for job in run])) for run in runs
        ),
        tuple(run[0].cameras for run in runs),
    )


def _joined(planes: list[NDArray[np.generic]]) -> NDArray[np.generic]:
    return planes[0] if len(planes) == 1 else np.concatenate(planes)
