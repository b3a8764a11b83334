"""One OpenGL context and all that lives in it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from pysim.errors import LubanError
from pysim.render.cache import ReleasingCache
from pysim.render.camera import Camera
from pysim.render.egl import screens, shaders
from pysim.render.egl.batch import SceneBatch, lay_out, lay_out_spans, make_commands
from pysim.render.egl.changes import Snapshot
from pysim.render.egl.compute import TILE, build_drawing
from pysim.render.egl.context import create_context, describe, is_software
from pysim.render.egl.copying import Copier, Copy
from pysim.render.egl.finishes import add_finish
from pysim.render.egl.gl import Gl
from pysim.render.egl.models import Arrangements, Kind, Look, Models
from pysim.render.egl.targets import SEEN_THROUGH, Shadows, Targets
from pysim.render.renderer import Pass
from pysim.render.scenery import DIAGRAM, PLAIN, Finish, Scenery
from pysim.render.scenery.lights import compute_corners

if TYPE_CHECKING:
    import moderngl

    _Program = moderngl.Program | moderngl.ComputeShader

__all__ = ["ContextLost", "Deliver", "Engine", "Go", "choose_shadow_size"]

_MEBIBYTE = 2**20

_FULL = ("3f4 4u1 4f1 2u1 1u2", "position", "face", "paint", "extent", "body")
_UNPAINTED = ("3f4 4u1 4x1 2u1 1u2", "position", "face", "extent", "body")
"""Layout of attributes of vertices in ``CORNER``."""


class ContextLost(LubanError, RuntimeError):
    """The graphics context is gone, with everything in it."""


def choose_shadow_size(size: int) -> int:
    """Edge of the shadow maps, in texels, for pictures of ``size`` pixels."""
    return 1024 if size > 320 else 512


@dataclass(frozen=True, slots=True, eq=False)
class Go:
    """Scenes that are drawn together.

    Attributes:
        parts: the scenes.
        cameras: equally many for each part.
    """

    parts: tuple[Arrangements, ...]
    cameras: tuple[tuple[Camera, ...], ...]

    @property
    def scenes(self) -> int:
        """Arrangements of all parts."""
        return sum(len(part.transforms) for part in self.parts)

    @property
    def views(self) -> int:
        """Cameras of each part."""
        return len(self.cameras[0])

    def split_scenes(self, count: int) -> "Iterator[Go]":
        """Yield goes of up to ``count`` arrangements."""
        held: list[tuple[Arrangements, tuple[Camera, ...]]] = []
        room = count
        for part, cameras in zip(self.parts, self.cameras, strict=True):
            start = 0
            while start < len(part.transforms):
                own = part.transforms[start : start + room]
                held.append((Arrangements(part.prepared, own), cameras))
                start, room = start + len(own), room - len(own)
                if not room:
                    yield Go.collect(held)
                    held, room = [], count
        if held:
            yield Go.collect(held)

    def split_views(self, count: int) -> "Iterator[Go]":
        """Yield goes of one arrangement from up to ``count`` cameras."""
        for go in self.split_scenes(1):
            for start in range(0, self.views, count):
                yield Go(go.parts, (go.cameras[0][start : start + count],))

    @staticmethod
    def collect(parts: "Sequence[tuple[Arrangements, tuple[Camera, ...]]]") -> "Go":
        """Return the go of some parts with their cameras."""
        return Go(tuple(part for part, _ in parts), tuple(cameras for _, cameras in parts))


_Look = tuple[Finish, bool]
"""Finish of bodies, and whether it is drawn plainly."""


def _look(scenery: Scenery) -> _Look:
    return scenery.finish, scenery.plain


Deliver = Callable[[Copy], None]
"""Receives what copies pictures from where they were drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """Vertex arrays of bodies for a certain version of the models' buffers."""

    version: int
    look: _Look
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
        computes: as :class:`~pysim.render.egl.renderer.EglRenderer`.

    Attributes:
        version: OpenGL's version, vendor and renderer.
        seconds: what the last batch took to be drawn and to be read back.

    Raises:
        RendererUnavailable: see :func:`~pysim.render.egl.context.create_context`.
    """

    def __init__(self, device_index: int | None, memory: int, *, computes: bool | None) -> None:
        self._context, self._gl = create_context(device_index)
        with self._context as context:
            self.version = describe(context)
            self.seconds = (0.0, 0.0)
            self._bodies: dict[_Look, tuple[moderngl.Program, moderngl.Program]] = {}
            self._exact = self._program(shaders.EXACT_VERTEX, shaders.EXACT_FRAGMENT)
            self._shadow = self._program(shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT)
            self._mask = self._program(screens.SCREEN_VERTEX, screens.MASK_FRAGMENT)
            self._resolve = self._program(screens.RESOLVE_VERTEX, screens.RESOLVE_FRAGMENT)
            _bind_units(self._resolve, "colours", "shades")
            self._mask_array = context.vertex_array(self._mask, [])
            self._resolve_array = context.vertex_array(self._resolve, [])
            plain = (
                add_finish(source, PLAIN)
                for source in (screens.RESOLVE_VERTEX, screens.RESOLVE_FRAGMENT)
            )
            self._backdrop = self._program(*plain)
            self._backdrop_array = context.vertex_array(self._backdrop, [])
            self._compare = context.sampler(
                compare_func="<=",
                filter=(context.NEAREST, context.NEAREST),
                repeat_x=False,
                repeat_y=False,
            )
            self._buffers = [context.buffer(reserve=256) for _ in range(3)]
            self._places = context.buffer(reserve=256)
            self._commands = context.buffer(reserve=256)
            self._is_software = is_software(self.version)
            self._computes = not self._is_software if computes is None else computes
            self._drawings: dict[Finish, moderngl.ComputeShader] = {}
            self._copier = Copier(context, self._gl)
            self._models = Models(context, culls=self._is_software)
            self._arrays: _Arrays | None = None
        self._targets = ReleasingCache(self._make_targets, count=4, nbytes=memory)
        self._shadows = ReleasingCache(self._make_shadows, count=4, nbytes=memory)

    def draw(
        self,
        go: Go,
        size: int,
        passes: Sequence[Pass],
        scenery: Scenery = DIAGRAM,
        deliver: Deliver | None = None,
    ) -> dict[Pass, NDArray[np.generic]]:
        """Return the pictures of a go: (S V, size, size) and channels.

        Args:
            deliver: receives the pictures in place of the caller, while they are in the context.

        Raises:
            ContextLost: the context has gone; nothing can be drawn with this engine any more.
        """
        try:
            with self._context:
                self._check()
                planes = self._draw(go, size, passes, scenery, deliver)
                self._check()
                return planes
        except _moderngl_error() as error:
            raise ContextLost(f"OpenGL failed: {error}") from error

    def has_samples(self, scenery: Scenery) -> bool:
        """Return whether the samples of pixels are kept until their colours are."""
        return not (scenery.plain or self._computes)

    @contextmanager
    def use(self) -> Iterator[Gl]:
        """Make the context current."""
        with self._context:
            yield self._gl

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
        self,
        go: Go,
        size: int,
        passes: Sequence[Pass],
        scenery: Scenery,
        deliver: Deliver | None,
    ) -> dict[Pass, NDArray[np.generic]]:
        began = time.perf_counter()
        layers = go.scenes * go.views
        has_samples = self.has_samples(scenery)
        targets = self._targets.get((size, layers, Pass.NORMALS in passes, has_samples))
        looks = [look for part in go.parts for look in self._models.list_looks(part)]
        batch = lay_out(go.parts, go.cameras, choose_shadow_size(size), scenery.sun)
        scene = None
        if self._is_software and not self._computes and go.scenes == 1:
            scene = _take_snapshot(go, looks[0], batch, passes, scenery)
        targets.expect(scene)
        if targets.region:
            self._write(batch)
            self._draw_into(targets, batch, looks, size, passes, scenery, scene)
        targets.shown = scene
        if deliver is not None:
            deliver(partial(targets.copy, self._copier))
            return {}
        return self._read(targets, passes, layers, began)

    def _draw_into(
        self,
        targets: Targets,
        batch: SceneBatch,
        looks: Sequence[Look],
        size: int,
        passes: Sequence[Pass],
        scenery: Scenery,
        scene: Snapshot | None,
    ) -> None:
        """Draw what is wanted of each pixel into the region of some targets."""
        coloured, exact = Pass.RGB in passes, bool(set(passes) - {Pass.RGB})
        spans = self._models.locate(looks, [True] * coloured + [False] * exact)
        arrays = self._current_arrays(scenery)
        if coloured:
            self._light(scenery)
            if scenery.plain:
                self._draw_plainly(batch, spans[0], arrays, targets)
            else:
                self._draw_fully(batch, spans[0], size, arrays, targets, scenery, scene)
        if exact:
            self._draw_exactly(batch, spans[-1], arrays, targets)

    def _read(
        self, targets: Targets, passes: Sequence[Pass], layers: int, began: float
    ) -> dict[Pass, NDArray[np.generic]]:
        """Return what was drawn since a time."""
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
        bodies, behind = self._find_shaded(scenery)
        for program in bodies:
            if "to_light" in program:  # A plain finish without gloss has no use for it.
                _vector(program, "to_light", scenery.to_light)
        for name, colour in (
            ("sky_top", scenery.sky_top),
            ("sky_bottom", scenery.sky_bottom),
            ("ground_colour", scenery.ground),
        ):
            _vector(behind, name, np.array(colour))

    def _current_arrays(self, scenery: Scenery) -> "_Arrays":
        """Return the arrays for the buffers that :class:`Models` has now."""
        wanted = (self._models.version, _look(scenery))
        if self._arrays is None or (self._arrays.version, self._arrays.look) != wanted:
            if self._arrays is not None:
                self._arrays.release()
            self._arrays = self._make_arrays(scenery)
        return self._arrays

    def _draw_fully(
        self,
        batch: SceneBatch,
        spans: NDArray[np.int64],
        size: int,
        arrays: _Arrays,
        targets: Targets,
        scenery: Scenery,
        scene: Snapshot | None,
    ) -> None:
        """Colours as the mean of a pixel's samples, with shadows."""
        shadows = self._shadows.get((choose_shadow_size(size), len(batch.lights)))
        shadows.expect(scene)
        if shadows.region:
            self._cast_shadows(batch, spans, arrays, shadows)
        shadows.shown = scene
        if self._computes:
            self._compute_colours(batch, spans, size, scenery, targets, shadows)
        else:
            self._draw_bodies(batch, spans, arrays, targets, shadows)
            self._resolve_layers(targets, shadows, len(batch.views))

    def _cast_shadows(
        self, batch: SceneBatch, spans: NDArray[np.int64], arrays: _Arrays, shadows: Shadows
    ) -> None:
        context = self._context
        shadows.begin()
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "ccw"
        context.depth_func = "<="
        _fill(self._places, batch.casts)
        self._draw_all(_solid(spans), 1, arrays.shadow)
        shadows.shade_ground()
        context.enable_only(context.NOTHING)
        self._gl.bind(shadows.map)
        self._mask_array.render(vertices=3, instances=len(batch.lights))

    def _draw_bodies(
        self,
        batch: SceneBatch,
        spans: NDArray[np.int64],
        arrays: _Arrays,
        targets: Targets,
        shadows: Shadows,
    ) -> None:
        context = self._context
        targets.begin()
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "cw"
        self._gl.bind(shadows.map)
        self._compare.use(0)
        _fill(self._places, batch.layers)
        self._draw_all(spans[:, Kind.PLAIN], batch.count, arrays.plain)
        self._draw_all(spans[:, Kind.ADORNED], batch.count, arrays.adorned)
        if spans[:, Kind.CLEAR, 1].any():
            with self._gl.mask_samples(SEEN_THROUGH):
                self._draw_all(spans[:, Kind.CLEAR], batch.count, arrays.adorned)
        self._compare.clear(0)

    def _compute_colours(
        self,
        batch: SceneBatch,
        spans: NDArray[np.int64],
        size: int,
        scenery: Scenery,
        targets: Targets,
        shadows: Shadows,
    ) -> None:
        """Colours of bodies, and of what is behind them, without the rasterizer."""
        self._gl.bind(shadows.map, shadows.shade)
        self._compare.use(0)
        _fill(self._places, lay_out_spans(batch, _solid(spans), spans[:, Kind.CLEAR]))
        self._models.vertices.bind_to_storage_buffer(3)
        self._places.bind_to_storage_buffer(4)
        targets.compute()
        tiles = -(-size // TILE)
        self._drawing(scenery).run(tiles, tiles, len(batch.views))
        self._context.memory_barrier()
        self._compare.clear(0)

    def _draw_plainly(
        self, batch: SceneBatch, spans: NDArray[np.int64], arrays: _Arrays, targets: Targets
    ) -> None:
        """Colours in the middle of each pixel, without shadows, over what is behind them."""
        context = self._context
        targets.begin()
        context.enable_only(context.NOTHING)
        self._backdrop_array.render(vertices=3, instances=len(batch.views))
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "cw"
        context.depth_func = "<="
        _fill(self._places, batch.layers)
        self._draw_all(spans[:, Kind.PLAIN], batch.count, arrays.plain)
        self._draw_all(spans[:, Kind.ADORNED], batch.count, arrays.adorned)
        if spans[:, Kind.CLEAR, 1].any():
            context.enable(context.BLEND)
            context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
            _vector(arrays.adorned.program, "opacity", np.array([0.5]))
            self._draw_all(spans[:, Kind.CLEAR], batch.count, arrays.adorned)
            _vector(arrays.adorned.program, "opacity", np.array([1.0]))

    def _resolve_layers(self, targets: Targets, shadows: Shadows, layers: int) -> None:
        context = self._context
        targets.resolve()
        context.enable_only(context.NOTHING)
        self._gl.bind(targets.sampled, shadows.shade)
        self._resolve_array.render(vertices=3, instances=layers)

    def _draw_exactly(
        self,
        batch: SceneBatch,
        spans: NDArray[np.int64],
        arrays: _Arrays,
        targets: Targets,
    ) -> None:
        """Ids, depths and normals of solid bodies, in the middle of each pixel."""
        context = self._context
        targets.begin_exact()
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "cw"
        _fill(self._places, batch.layers)
        self._draw_all(_solid(spans), batch.count, arrays.exact)

    def _draw_all(
        self, spans: NDArray[np.int64], views: int, array: "moderngl.VertexArray"
    ) -> None:
        commands = make_commands(spans, views)
        if len(commands):
            _fill(self._commands, commands)
            array.render_indirect(self._commands, count=len(commands))

    def _program(self, vertex: str, fragment: str) -> "moderngl.Program":
        return self._context.program(vertex_shader=vertex, fragment_shader=fragment)

    def _find_shaded(self, scenery: Scenery) -> "tuple[tuple[_Program, ...], _Program]":
        """Return the programs that colour bodies, and the one that colours what is behind them."""
        if scenery.plain:
            return self._programs(scenery), self._backdrop
        if self.has_samples(scenery):
            return self._programs(scenery), self._resolve
        drawing = self._drawing(scenery)
        return (drawing,), drawing

    def _programs(self, scenery: Scenery) -> "tuple[moderngl.Program, moderngl.Program]":
        """Return the programs for faces without stickers and with them, made when needed."""
        look = _look(scenery)
        if look not in self._bodies:
            sources = shaders.BODY_VERTEX, shaders.BODY_FRAGMENT
            vertex, fragment = (add_finish(source, scenery) for source in sources)
            stuck = (shaders.add_stickers(source) for source in (vertex, fragment))
            self._bodies[look] = self._program(vertex, fragment), self._program(*stuck)
            for program in self._bodies[look] if scenery.plain else ():
                _vector(program, "opacity", np.array([1.0]))
        return self._bodies[look]

    def _drawing(self, scenery: Scenery) -> "moderngl.ComputeShader":
        """Return the program that computes colours, made when needed."""
        if scenery.finish not in self._drawings:
            program = self._context.compute_shader(build_drawing(scenery))
            _bind_units(program, "shadow_map", "shades")
            self._drawings[scenery.finish] = program
        return self._drawings[scenery.finish]

    def _make_arrays(self, scenery: Scenery) -> "_Arrays":
        painted, adorned = self._programs(scenery)
        models, context = self._models, self._context
        place = (self._places, "2u4/i", "place")
        full = (models.vertices, *_FULL)
        unpainted = (models.vertices, *_UNPAINTED)
        bare = (models.vertices, "3f4 10x1 1u2", "position", "body")
        side = (models.vertices, "3f4 4u1 6x1 1u2", "position", "face", "body")
        return _Arrays(
            models.version,
            _look(scenery),
            context.vertex_array(painted, [unpainted, place], models.indices),
            context.vertex_array(adorned, [full, place], models.indices),
            context.vertex_array(self._shadow, [bare, place], models.indices),
            context.vertex_array(self._exact, [side, place], models.indices),
        )

    def _make_targets(self, key: tuple[int, int, bool, bool]) -> Targets:
        return Targets(self._gl, *key)

    def _make_shadows(self, key: tuple[int, int]) -> Shadows:
        return Shadows(self._gl, *key)


def _take_snapshot(
    go: Go, look: Look, batch: SceneBatch, passes: Sequence[Pass], scenery: Scenery
) -> Snapshot:
    """Return the only scene of a go in its only arrangement."""
    (part,), (cameras,) = go.parts, go.cameras
    scene = part.prepared.scene
    corners = compute_corners(scene, part.transforms[0])
    return Snapshot(scene, corners, cameras, look, batch, frozenset(passes), scenery)


def _solid(spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the spans (S, 2) of all faces that can't be seen through."""
    plain, adorned = spans[:, Kind.PLAIN], spans[:, Kind.ADORNED]
    return np.column_stack([plain[:, 0], plain[:, 1] + adorned[:, 1]])


def _fill(buffer: "moderngl.Buffer", data: NDArray[np.generic]) -> None:
    """Make a buffer hold exactly ``data``, or leave it if that is nothing."""
    if data.nbytes:
        buffer.orphan(data.nbytes)
        buffer.write(np.ascontiguousarray(data))


def _bind_units(program: "_Program", *samplers: str) -> None:
    """Let the samplers read texture units 0, 1, 2, ..."""
    for unit, name in enumerate(samplers):
        cast("moderngl.Uniform", program[name]).value = unit


def _vector(program: "_Program", name: str, values: NDArray[np.float64]) -> None:
    cast("moderngl.Uniform", program[name]).write(values.astype(np.float32).tobytes())


def _moderngl_error() -> type[Exception]:
    import moderngl

    error: type[Exception] = moderngl.Error
    return error
