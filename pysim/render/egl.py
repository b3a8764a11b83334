"""The OpenGL renderer: moderngl on EGL, so it needs no display and runs on a GPU or in software."""

import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Voxels
from pysim.motion import Transform
from pysim.render import shaders
from pysim.render.cache import ReleasingCache
from pysim.render.camera import Camera
from pysim.render.inputs import Inputs, checked
from pysim.render.lights import TO_LIGHT, light_matrix
from pysim.render.mesh import quad_indices, quads
from pysim.render.renderer import Pictures, RendererUnavailable
from pysim.render.walls import draw_walls
from pysim.scene import Scene

if TYPE_CHECKING:
    import moderngl

__all__ = ["EglRenderer"]

_SAMPLES = 4
_SHADOW_SIZE = 1024
_MEBIBYTE = 2**20


class _Program:
    """A linked shader program."""

    def __init__(self, context: "moderngl.Context", vertex: str, fragment: str) -> None:
        self.linked = context.program(vertex_shader=vertex, fragment_shader=fragment)

    def set(self, name: str, values: NDArray[np.float64]) -> None:
        """Give a float uniform its numbers: (1,), a vector, or a square matrix."""
        uniform = cast("moderngl.Uniform", self.linked[name])
        uniform.write(values.T.astype(np.float32).tobytes())  # OpenGL goes column by column

    def bind(self, *samplers: str) -> None:
        """Let the samplers read texture units 0, 1, 2, ..."""
        for unit, name in enumerate(samplers):
            cast("moderngl.Uniform", self.linked[name]).value = unit


class _Targets:
    """The framebuffers for pictures of one size: colour, id and depth, sampled and resolved."""

    def __init__(self, context: "moderngl.Context", size: int) -> None:
        self._sampled = _attachments(context, size, _SAMPLES)
        self._resolved = _attachments(context, size, 0)
        self._depth = context.depth_renderbuffer((size, size), samples=_SAMPLES)
        self.drawn = context.framebuffer(self._sampled, self._depth)
        self.read = context.framebuffer(self._resolved)
        self.nbytes = size * size * (14 * _SAMPLES + 10)

    def use_samples(self) -> None:
        """Bind the sampled colour, id and depth as textures 0, 1 and 2."""
        for unit, texture in enumerate(self._sampled):
            texture.use(unit)

    def begin(self) -> None:
        """Make ready to draw; every pixel of the colours, ids and depths is drawn anyway."""
        self.drawn.use()
        self.drawn.clear(depth=1.0)

    def read_into(
        self, rgb: NDArray[np.uint8], ids: NDArray[np.uint16], depth: NDArray[np.float32]
    ) -> None:
        """Copy the resolved picture into arrays (size, size, 3), (size, size), (size, size)."""
        self.read.read_into(rgb, components=3, alignment=1)
        self.read.read_into(ids, components=1, attachment=1, dtype="u2", alignment=1)
        self.read.read_into(depth, components=1, attachment=2, dtype="f4", alignment=1)

    def release(self) -> None:
        """Free the framebuffers and all that they hold."""
        self.drawn.release()
        self.read.release()
        self._depth.release()
        for texture in (*self._sampled, *self._resolved):
            texture.release()


def _attachments(context: "moderngl.Context", size: int, samples: int) -> list["moderngl.Texture"]:
    return [
        context.texture((size, size), components, samples=samples, dtype=dtype)
        for components, dtype in ((4, "f1"), (1, "u2"), (1, "f4"))
    ]


class _Geometry:
    """The faces of a scene's shapes in one buffer, drawn with one call.

    Where the bodies stand and how they are painted is not in it, so that a scene whose bodies move
    keeps its geometry.
    """

    def __init__(
        self,
        context: "moderngl.Context",
        shapes: tuple[Voxels, ...],
        body_program: "moderngl.Program",
        shadow_program: "moderngl.Program",
    ) -> None:
        faces = [quads(shape) for shape in shapes]
        vertices = np.concatenate(faces)
        vertices["body"] = np.repeat(np.arange(len(faces)), [len(f) for f in faces])[:, None]
        indices = quad_indices(len(vertices))
        self._vertices = context.buffer(vertices.tobytes())
        self._indices = context.buffer(indices.tobytes())
        self.nbytes = vertices.nbytes + indices.nbytes
        full = (self._vertices, "3f4 4u1 1u4", "position", "face", "body")
        bare = (self._vertices, "3f4 4x1 1u4", "position", "body")
        self.body = context.vertex_array(body_program, [full], self._indices)
        self.shadow = context.vertex_array(shadow_program, [bare], self._indices)

    def release(self) -> None:
        """Free the buffers."""
        self.body.release()
        self.shadow.release()
        self._vertices.release()
        self._indices.release()


class EglRenderer:
    """Draws with OpenGL 4.3: soft shadows, edge lines, 4x multisampled colours.

    Colour, id and depth come from one draw. Colours are averaged over a pixel's samples; id and
    depth are those of its first sample, so that at an outline they name a piece that is truly
    there. The ground is drawn only for cameras above it, and never hides a body.

    The picture of a view does not depend on the other views rendered with it, nor on the process;
    it does depend on the driver that ``version`` names. Lives in one thread: it must be used and
    closed in the thread that made it.

    Args:
        device_index: which EGL device to draw with; None for the default one.

    Raises:
        RendererUnavailable: moderngl, EGL or OpenGL 4.3 is missing.
    """

    name = "egl"

    def __init__(self, device_index: int | None = None) -> None:
        self._thread = threading.get_ident()
        self._context = context = _create_context(device_index)
        self._closed = False
        info = context.info
        self._version = f"OpenGL {info['GL_VERSION']}; {info['GL_VENDOR']}; {info['GL_RENDERER']}"
        self._body = _Program(context, shaders.BODY_VERTEX, shaders.BODY_FRAGMENT)
        self._shadow = _Program(context, shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT)
        self._sky = _Program(context, shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        self._resolve = _Program(context, shaders.SCREEN_VERTEX, shaders.RESOLVE_FRAGMENT)
        self._resolve.bind("colours", "ids", "depths")
        self._sky_array = context.vertex_array(self._sky.linked, [])
        self._resolve_array = context.vertex_array(self._resolve.linked, [])
        self._shadow_map = context.depth_texture((_SHADOW_SIZE, _SHADOW_SIZE))
        self._shadow_map.compare_func = "<="
        self._shadow_target = context.framebuffer(depth_attachment=self._shadow_map)
        self._bodies = context.buffer(reserve=80)
        self._targets = ReleasingCache(self._make_targets, count=3, nbytes=256 * _MEBIBYTE)
        self._geometry = ReleasingCache(self._make_geometry, count=16, nbytes=256 * _MEBIBYTE)

    @property
    def version(self) -> str:
        """OpenGL's version, vendor and renderer."""
        return self._version

    def render(
        self,
        scene: Scene,
        cameras: Sequence[Camera],
        size: int,
        transforms: Mapping[str, Transform] | None = None,
    ) -> Pictures:
        """Draw ``scene`` once for each camera; see :class:`~pysim.render.renderer.Renderer`.

        Raises:
            ValueError: as every renderer.
            RuntimeError: called after ``close``, or from another thread than made this renderer.
        """
        inputs = checked(scene, cameras, size, transforms)
        self._check_usable()
        pictures = Pictures(
            np.empty((len(cameras), size, size, 3), dtype=np.uint8),
            np.empty((len(cameras), size, size), dtype=np.uint16),
            np.empty((len(cameras), size, size), dtype=np.float32),
        )
        with self._context:
            self._draw(scene, inputs, cameras, size, pictures)
        if scene.container is not None:
            draw_walls(pictures, scene.container, cameras)
        return pictures

    def close(self) -> None:
        """Free the engine; may be called twice."""
        if self._closed:
            return
        self._check_usable()
        self._closed = True
        with self._context:
            self._targets.clear()
            self._geometry.clear()
        self._context.release()

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
        if self._closed:
            raise RuntimeError("this renderer is closed")
        if threading.get_ident() != self._thread:
            raise RuntimeError("an OpenGL renderer must be used in the thread that made it")

    def _make_targets(self, size: int) -> _Targets:
        return _Targets(self._context, size)

    def _make_geometry(self, shapes: tuple[Voxels, ...]) -> _Geometry:
        return _Geometry(self._context, shapes, self._body.linked, self._shadow.linked)

    def _draw(
        self,
        scene: Scene,
        inputs: Inputs,
        cameras: Sequence[Camera],
        size: int,
        pictures: Pictures,
    ) -> None:
        targets = self._targets.get(size)
        shapes = tuple(body.shape for body in scene.bodies)
        geometry = self._geometry.get(shapes) if shapes else None
        self._draw_shadow(scene, inputs, geometry)
        for index, camera in enumerate(cameras):
            self._draw_view(scene, camera, geometry, targets)
            targets.read_into(pictures.rgb[index], pictures.ids[index], pictures.depth[index])

    def _draw_shadow(self, scene: Scene, inputs: Inputs, geometry: _Geometry | None) -> None:
        """Set what all views share: bodies, light, shadow map."""
        matrix, width = light_matrix(scene, inputs.transforms)
        for program in (self._body, self._shadow, self._sky):
            program.set("light", matrix)
        self._body.set("to_light", TO_LIGHT)
        self._body.set("lift", np.array([2.5 * width / _SHADOW_SIZE]))
        self._write_bodies(inputs)
        context = self._context
        self._shadow_target.use()
        self._shadow_target.clear(depth=1.0)
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "ccw"
        if geometry is not None:
            geometry.shadow.render()

    def _write_bodies(self, inputs: Inputs) -> None:
        """Fill the buffer of ``Body`` structures: pose by columns, colour."""
        if len(inputs.transforms) == 0:
            return
        rows = np.ones((len(inputs.transforms), 20), dtype=np.float32)
        rows[:, :16] = inputs.transforms.transpose(0, 2, 1).reshape(-1, 16)
        rows[:, 16:19] = inputs.colours / np.float32(255.0)
        self._bodies.orphan(rows.nbytes)
        self._bodies.write(rows)
        self._bodies.bind_to_storage_buffer(0)

    def _draw_view(
        self, scene: Scene, camera: Camera, geometry: _Geometry | None, targets: _Targets
    ) -> None:
        """Draw one view into ``targets.read``."""
        context = self._context
        targets.begin()
        self._shadow_map.use(0)
        context.enable_only(context.DEPTH_TEST | context.CULL_FACE)
        context.front_face = "cw"
        context.depth_func = "<="
        if geometry is not None:
            self._body.set("camera", _UPSIDE_DOWN @ camera.projection() @ camera.view())
            geometry.body.render()
        context.enable_only(context.DEPTH_TEST)
        self._draw_sky(scene, camera)
        targets.read.use()
        targets.use_samples()
        context.enable_only(context.NOTHING)
        self._resolve_array.render(vertices=3)

    def _draw_sky(self, scene: Scene, camera: Camera) -> None:
        """Fill what the bodies left free, behind all of them."""
        view, slope = camera.view(), 1.0 / camera.projection()[0, 0]
        rays = np.stack([view[0, :3] * slope, view[1, :3] * slope, -view[2, :3]])
        self._sky.set("rays", rays.T)
        self._sky.set("eye", np.array(camera.eye))
        self._sky.set("ground", np.array(_ground(scene, camera)))
        self._sky_array.render(vertices=3)


_UPSIDE_DOWN = np.diag([1.0, -1.0, 1.0, 1.0])


def _ground(scene: Scene, camera: Camera) -> tuple[float, float, float, float]:
    """Middle x and y, height, and radius of the visible ground; radius 0 for none."""
    if scene.table is None:
        return (0.0, 0.0, 0.0, 0.0)
    height = scene.table.low[2] - 0.5
    if camera.eye[2] <= height:
        return (0.0, 0.0, 0.0, 0.0)
    whole = scene.work.union(scene.table)
    x, y = ((whole.low[i] + whole.high[i]) / 2.0 for i in (0, 1))
    return (x, y, height, max(whole.size) + 4.0)


def _create_context(device_index: int | None) -> "moderngl.Context":
    """A context of its own.

    Raises:
        RendererUnavailable: see :class:`EglRenderer`.
    """
    try:
        import moderngl
    except ImportError as error:
        raise RendererUnavailable(f"moderngl is missing ({error}): pip install moderngl") from error
    # The library's own annotation of its settings is wrong.
    create = cast("Callable[..., moderngl.Context]", moderngl.create_context)
    device = {} if device_index is None else {"device_index": device_index}
    try:
        context = create(standalone=True, backend="egl", require=430, **device)
    except Exception as error:  # moderngl raises bare exceptions
        raise RendererUnavailable(
            f"OpenGL 4.3 can't be had through EGL ({error}): "
            "apt-get install --no-install-recommends libegl1 libgl1"
        ) from error
    if min(context.max_samples, context.max_integer_samples) < _SAMPLES:
        name = context.info["GL_RENDERER"]
        context.release()
        raise RendererUnavailable(f"{name} can't draw with {_SAMPLES} samples a pixel")
    return context
