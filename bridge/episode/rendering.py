"""One renderer for many episodes, in a thread of its own."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock, RLock

import numpy as np
from numpy.typing import NDArray

from bridge.episode.engines import LOCAL, Engines
from pysim.errors import InputError
from pysim.limits import quote
from pysim.render.camera import Camera
from pysim.render.drawing import BatchRenderer
from pysim.render.prepared import PreparedScene
from pysim.render.renderer import PASSES, Pass, Pictures, Renderer
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["Loan", "RendererPool", "SharedRenderer"]


class SharedRenderer(BatchRenderer):
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
        self._used: float | None = None

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

    def render_batch(
        self,
        scenes: Sequence[Scene],
        cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
        size: int,
        passes: Sequence[Pass] = PASSES,
        transforms: Sequence[Mapping[str, Transform] | None] | None = None,
    ) -> Pictures:
        """See :meth:`pysim.render.renderer.Renderer.render_batch`."""
        draw = self._use().render_batch
        return self._thread.submit(draw, scenes, cameras, size, passes, transforms).result()

    def prepare(self, scene: Scene) -> PreparedScene:
        """See :meth:`pysim.render.renderer.Renderer.prepare`."""
        return self._make()[0].prepare(scene)

    def render_poses(
        self,
        prepared: PreparedScene,
        poses: NDArray[np.float64],
        cameras: Sequence[Camera],
        size: int,
        passes: Sequence[Pass] = PASSES,
    ) -> Pictures:
        """See :meth:`pysim.render.renderer.Renderer.render_poses`."""
        draw = self._use().render_poses
        return self._thread.submit(draw, prepared, poses, cameras, size, passes).result()

    def release_idle_memory(self, seconds: float) -> Future[None] | None:
        """Free what pictures need if none was drawn for some time; return when, or None."""
        used, made = self._used, self._made
        if used is None or made is None or time.monotonic() - used < seconds:
            return None
        self._used = None
        return self._thread.submit(made[0].release_memory)

    def close(self, *, wait: bool = True) -> None:
        """Free the engine and end the thread.

        Args:
            wait: until that is done; False may be called anywhere, by the garbage collector too.
        """
        with self._lock:
            made, self._made = self._made, None
        if made is not None:
            freed = self._thread.submit(made[0].close)
            if wait:
                freed.result()
        self._thread.shutdown(wait=wait)

    def _use(self) -> Renderer:
        made = self._make()[0]
        self._used = time.monotonic()
        return made

    def _make(self) -> tuple[Renderer, str]:
        if self._made is None:
            with self._lock:
                if self._made is None:
                    self._made = self._thread.submit(
                        self._engines.create_renderer, self._kind
                    ).result()
        return self._made


class RendererPool:
    """One renderer of each kind for all that use it at the same time, freed when nobody does."""

    def __init__(self, engines: Engines = LOCAL) -> None:
        self._engines = engines
        self._lock = RLock()  # The garbage collector may give back within a borrow.
        self._users: dict[str, tuple[SharedRenderer, int]] = {}

    def borrow(self, kind: str = "auto") -> "Loan":
        """Return a renderer, to be given back; ``kind``: as for :class:`SharedRenderer`.

        Raises:
            InputError: no renderer has that name.
        """
        if kind not in (known := ("auto", *self._engines.list_renderers())):
            raise InputError(f"{quote(kind)} is no renderer; known: {', '.join(known)}")
        with self._lock:
            renderer, users = self._users.get(kind) or (SharedRenderer(kind, self._engines), 0)
            self._users[kind] = renderer, users + 1
        return Loan(self, kind, renderer)

    def give_back(self, kind: str, *, wait: bool) -> None:
        """One user less; see :meth:`Loan.give_back`."""
        with self._lock:
            renderer, users = self._users.pop(kind)
            if users > 1:
                self._users[kind] = renderer, users - 1
                return
        renderer.close(wait=wait)


class Loan:
    """A renderer of a pool, until it is given back; a context manager.

    Attributes:
        renderer: what was borrowed.
    """

    def __init__(self, pool: RendererPool, kind: str, renderer: SharedRenderer) -> None:
        self.renderer = renderer
        self._pool = pool
        self._kind = kind
        self._open = True

    def give_back(self, *, wait: bool = True) -> None:
        """The last one to do so frees the engine; may be called twice.

        Args:
            wait: as for :meth:`SharedRenderer.close`.
        """
        if self._open:
            self._open = False
            self._pool.give_back(self._kind, wait=wait)

    def __enter__(self) -> SharedRenderer:
        return self.renderer

    def __exit__(self, *_: object) -> None:
        self.give_back()
