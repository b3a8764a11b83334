"""One renderer for all episodes of a server, in a thread of its own."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from bridge.episode.engines import LOCAL, Engines
from pysim.motion import Transform
from pysim.render.camera import Camera
from pysim.render.renderer import PASSES, Pass, Pictures, Renderer
from pysim.scene import Scene

__all__ = ["SharedRenderer"]


class SharedRenderer:
    """A renderer that any thread may use: calls are done one after another in one thread.

    A graphics context belongs to the thread that made it. It is made when it is first needed, so
    that a server that is never asked for pictures needs none.

    Raises (from every method but ``close``):
        RendererUnavailable: no renderer can be used here.
    """

    def __init__(self, kind: str = "auto", engines: Engines = LOCAL) -> None:
        """``kind``: as for :meth:`bridge.episode.engines.Engines.create_renderer`."""
        self._kind = kind
        self._engines = engines
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="luban-render")
        self._lock = Lock()
        self._made: tuple[Renderer, str] | None = None

    @property
    def name(self) -> str:
        """Short name of the renderer."""
        return self._make()[0].name

    @property
    def version(self) -> str:
        """Engine, vendor, device and driver."""
        return self._make()[0].version

    @property
    def note(self) -> str:
        """Why this renderer was taken in place of a better one; empty if there was no need."""
        return self._make()[1]

    def render(
        self,
        scene: Scene,
        cameras: Sequence[Camera],
        size: int,
        transforms: Mapping[str, Transform] | None = None,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """See :meth:`pysim.render.renderer.Renderer.render`."""
        draw = self._make()[0].render
        return self._thread.submit(draw, scene, cameras, size, transforms, passes).result()

    def render_batch(
        self,
        scenes: Sequence[Scene],
        cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
        size: int,
        passes: Sequence[Pass] = PASSES,
        transforms: Sequence[Mapping[str, Transform] | None] | None = None,
    ) -> Pictures:
        """See :meth:`pysim.render.renderer.Renderer.render_batch`."""
        draw = self._make()[0].render_batch
        return self._thread.submit(draw, scenes, cameras, size, passes, transforms).result()

    def close(self) -> None:
        """Free the engine and end the thread."""
        with self._lock:
            if self._made is not None:
                self._thread.submit(self._made[0].close).result()
                self._made = None
        self._thread.shutdown()

    def _make(self) -> tuple[Renderer, str]:
        if self._made is None:
            with self._lock:
                if self._made is None:
                    self._made = self._thread.submit(
                        self._engines.create_renderer, self._kind
                    ).result()
        return self._made
