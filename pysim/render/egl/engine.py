"""One OpenGL context and all that lives in it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from pysim.errors import LubanError
from pysim.render.cache import ReleasingCache
from pysim.render.egl import screens, shaders
from pysim.render.egl.batch import Draws, SceneBatch, lay_out
from pysim.render.egl.context import create_context, describe
from pysim.render.egl.finishes import add_finish
from pysim.render.egl.models import Models
from pysim.render.egl.targets import Shadows, Targets
from pysim.render.inputs import DrawList
from pysim.render.renderer import Pass
from pysim.render.scenery import DIAGRAM, Finish, Scenery

if TYPE_CHECKING:
    import moderngl

__all__ = ["ContextLost", "Engine", "choose_shadow_size"]

_MEBIBYTE = 2**20
_SEEN_THROUGH = 0b1010
"""Samples that a translucent body covers: half of them."""


class ContextLost(LubanError, RuntimeError):
    """The graphics context is gone, with everything in it."""


def choose_shadow_size(size: int) -> int:
    """Edge of the shadow maps, in texels, for pictures of ``size`` pixels."""
    return 1024 if size > 320 else 512


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """Vertex arrays of bodies for a certain version of the models' buffers."""

    version: int
    finish: Finish
    plain: "moderngl.VertexArray"
    adorned: "moderngl.VertexArray"
    shadow: "moderngl.VertexArray"
    exact: "moderngl.VertexArray"

    def release(self) -> None:
        for array in (self.plain, self.adorned, self.shadow, self.exact):
            array.release()


class Engine:
    """Draws batches that fit the graphics memory.

    Args:
        device_index: which EGL device; None for the default one.
        memory: bytes that are kept for pictures of sizes drawn lately.

    Attributes:
        version: OpenGL's version, vendor and renderer.
        seconds: what the last batch took to be drawn and to be read back.

    Raises:
        RendererUnavailable: see :func:`~pysim.render.egl.context.create_context`.
    """

    def __init__(self, device_index: int | None, memory: int) -> None:
        self._context, self._gl = create_context(device_index)
        with self._context as context:
            self.version = describe(context)
            self.seconds = (0.0, 0.0)
            self._bodies: dict[Finish, tuple[moderngl.Program, moderngl.Program]] = {}
            self._exact = self._program(shaders.EXACT_VERTEX, shaders.EXACT_FRAGMENT)
            self._shadow = self._program(shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT)
            self._mask = self._program(screens.SCREEN_VERTEX, screens.MASK_FRAGMENT)
            self._resolve = self._program(screens.RESOLVE_VERTEX, screens.RESOLVE_FRAGMENT)
            _bind_units(self._resolve, "colours", "shades")
            self._mask_array = context.vertex_array(self._mask, [])
            self._resolve_array = context.vertex_array(self._resolve, [])
            self._compare = context.sampler(
                compare_func="<=",
                filter=(context.NEAREST, context.NEAREST),
                repeat_x=False,
                repeat_y=False,
            )
            self._buffers = [context.buffer(reserve=256) for _ in range(3)]
            self._places = context.buffer(reserve=256)
            self._commands = context.buffer(reserve=256)
            self._models = Models(context)
            self._arrays: _Arrays | None = None
        self._targets = ReleasingCache(self._make_targets, count=4, nbytes=memory)
        self._shadows = ReleasingCache(self._make_shadows, count=4, nbytes=memory)

    def draw(
        self,
        jobs: Sequence[DrawList],
        size: int,
        passes: Sequence[Pass],
        scenery: Scenery = DIAGRAM,
    ) -> dict[Pass, NDArray[np.generic]]:
        """Return the pictures of some jobs: (S V, size, size) and channels.

        Raises:
            ContextLost: the context has gone; nothing can be drawn with this engine any more.
        """
        try:
            with self._context:
                self._check()
                planes = self._draw(jobs, size, passes, scenery)
                self._check()
                return planes
        except _moderngl_error() as error:
            raise ContextLost(f"OpenGL failed: {error}") from error

    def close(self) -> None:
        """Free the context and what is in it."""
        with self._context:
            self._targets.clear()
            self._shadows.clear()
            self._models.release()
        self._context.release()

    def _check(self) -> None:
        if not self._gl.has_context():
            raise ContextLost("the OpenGL context is gone")
        error = self._context.error
        if error != "GL_NO_ERROR":
            raise ContextLost(f"OpenGL reports {error}")

    def _draw(
        self, jobs: Sequence[DrawList], size: int, passes: Sequence[Pass], scenery: Scenery
    ) -> dict[Pass, NDArray[np.generic]]:
        began = time.perf_counter()
        layers = sum(len(job.cameras) for job in jobs)
        targets = self._targets.get((size, layers, Pass.NORMALS in passes))
        shadows = self._shadows.get((choose_shadow_size(size), len(jobs)))
        models = [model for job in jobs for model in job.models]
        batch = lay_out(jobs, self._models.locate(models), choose_shadow_size(size), scenery.sun)
        self._write(batch)
        arrays = self._current_arrays(scenery.finish)
        if Pass.RGB in passes:
            self._light(scenery)
            self._cast_shadows(batch, arrays, shadows)
            self._draw_bodies(batch, arrays, targets, shadows)
            self._resolve_layers(targets, shadows, layers)
        if set(passes) - {Pass.RGB}:
            self._draw_exactly(batch, arrays, targets)
        self._context.finish()
        drawn = time.perf_counter()
        planes = targets.read(passes, layers)
        self.seconds = (drawn - began, time.perf_counter() - drawn)
        return planes

    def _write(self, batch: SceneBatch) -> None:
        for unit, data in enumerate((batch.bodies, batch.views, batch.lights)):
            _fill(self._buffers[unit], data)
            self._buffers[unit].bind_to_storage_buffer(unit)

    def _light(self, scenery: Scenery) -> None:
        """Set what does not change from body to body."""
        for program in self._programs(scenery.finish):
            _vector(program, "to_light", scenery.to_light)
        for name, colour in (
            ("sky_top", scenery.sky_top),
            ("sky_bottom", scenery.sky_bottom),
            ("ground_colour", scenery.ground),
        ):
            _vector(self._resolve, name, np.array(colour))

    def _current_arrays(self, finish: Finish) -> "_Arrays":
        """Return the arrays for the buffers that :class:`Models` has now."""
        wanted = (self._models.version, finish)
        if self._arrays is None or (self._arrays.version, self._arrays.finish) != wanted:
            if self._arrays is not None:
                self._arrays.release()
            self._arrays = self._make_arrays(finish)
        return self._arrays

    def _cast_shadows(self, batch: SceneBatch, arrays: _Arrays, shadows: Shadows) -> None:
        context = self._context
        shadows.begin()
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "ccw"
        context.depth_func = "<="
        self._draw_all(batch.cast, arrays.shadow)
        shadows.shade_ground()
        context.enable_only(context.NOTHING)
        self._gl.bind(shadows.map)
        self._mask_array.render(vertices=3, instances=len(batch.lights))

    def _draw_bodies(
        self, batch: SceneBatch, arrays: _Arrays, targets: Targets, shadows: Shadows
    ) -> None:
        context = self._context
        targets.begin()
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "cw"
        self._gl.bind(shadows.map)
        self._compare.use(0)
        self._draw_all(batch.plain, arrays.plain)
        self._draw_all(batch.adorned, arrays.adorned)
        if len(batch.translucent.commands):
            with self._gl.mask_samples(_SEEN_THROUGH):
                self._draw_all(batch.translucent, arrays.adorned)
        self._compare.clear(0)

    def _resolve_layers(self, targets: Targets, shadows: Shadows, layers: int) -> None:
        context = self._context
        targets.resolve()
        context.enable_only(context.NOTHING)
        self._gl.bind(targets.sampled, shadows.shade)
        self._resolve_array.render(vertices=3, instances=layers)

    def _draw_exactly(self, batch: SceneBatch, arrays: _Arrays, targets: Targets) -> None:
        """Ids, depths and normals of solid bodies, in the middle of each pixel."""
        context = self._context
        targets.begin_exact()
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "cw"
        self._draw_all(batch.plain, arrays.exact)
        self._draw_all(batch.adorned, arrays.exact)

    def _draw_all(self, draws: Draws, array: "moderngl.VertexArray") -> None:
        if len(draws.commands):
            _fill(self._places, draws.places)
            _fill(self._commands, draws.commands)
            array.render_indirect(self._commands, count=len(draws.commands))

    def _program(self, vertex: str, fragment: str) -> "moderngl.Program":
        return self._context.program(vertex_shader=vertex, fragment_shader=fragment)

    def _programs(self, finish: Finish) -> "tuple[moderngl.Program, moderngl.Program]":
        """Return the programs for bodies without stickers and with them, made when needed."""
        if finish not in self._bodies:
            sources = shaders.BODY_VERTEX, shaders.BODY_FRAGMENT
            vertex, fragment = (add_finish(source, finish) for source in sources)
            stuck = (shaders.add_stickers(source) for source in (vertex, fragment))
            self._bodies[finish] = self._program(vertex, fragment), self._program(*stuck)
        return self._bodies[finish]

    def _make_arrays(self, finish: Finish) -> "_Arrays":
        painted, adorned = self._programs(finish)
        models, context = self._models, self._context
        place = (self._places, "3u4/i", "place")
        full = (models.vertices, "3f4 4u1 4f1", "position", "face", "paint")
        no_paint = (models.vertices, "3f4 4u1 4x1", "position", "face")
        bare = (models.vertices, "3f4 8x1", "position")
        side = (models.vertices, "3f4 4u1 4x1", "position", "face")
        return _Arrays(
            models.version,
            finish,
            context.vertex_array(painted, [no_paint, place], models.indices),
            context.vertex_array(adorned, [full, place], models.indices),
            context.vertex_array(self._shadow, [bare, place], models.indices),
            context.vertex_array(self._exact, [side, place], models.indices),
        )

    def _make_targets(self, key: tuple[int, int, bool]) -> Targets:
        return Targets(self._gl, *key)

    def _make_shadows(self, key: tuple[int, int]) -> Shadows:
        return Shadows(self._gl, *key)


def _fill(buffer: "moderngl.Buffer", data: NDArray[np.generic]) -> None:
    """Make a buffer hold exactly ``data``, or leave it if that is nothing."""
    if data.nbytes:
        buffer.orphan(data.nbytes)
        buffer.write(np.ascontiguousarray(data))


def _bind_units(program: "moderngl.Program", *samplers: str) -> None:
    """Let the samplers read texture units 0, 1, 2, ..."""
    for unit, name in enumerate(samplers):
        cast("moderngl.Uniform", program[name]).value = unit


def _vector(program: "moderngl.Program", name: str, values: NDArray[np.float64]) -> None:
    cast("moderngl.Uniform", program[name]).write(values.astype(np.float32).tobytes())


def _moderngl_error() -> type[Exception]:
    import moderngl

    error: type[Exception] = moderngl.Error
    return error
