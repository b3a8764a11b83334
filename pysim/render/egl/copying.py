"""Copies of pictures in a GPU's memory, which it computes: transfers of pixels are slower."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pysim.render.egl.gl import Gl, TexelFormat
from pysim.render.renderer import Pass

if TYPE_CHECKING:
    import moderngl

__all__ = ["Copier", "Copy", "measure_texel"]

Copy = Callable[[Pass, int, int], int]
"""Copies the pictures of a pass into a buffer from an offset in bytes on; returns the next one."""

_TILE = 16
_MOST_TEXELS = 1 << 26
"""Texels that are copied at once; half of what a texture of a buffer must be able to hold."""

_ALIGNMENT = 256
"""Bytes between the places where such a texture may begin, at most."""

_FORMATS = {
    Pass.RGB: (TexelFormat.RGBA8, "rgba8", ""),
    Pass.IDS: (TexelFormat.R16UI, "r16ui", "u"),
    Pass.DEPTH: (TexelFormat.R32F, "r32f", ""),
    Pass.NORMALS: (TexelFormat.RGBA32F, "rgba32f", ""),
}
"""Texels of copies, for OpenGL and for its shaders, and the letter before what holds integers."""

_COPY = """#version 450
layout(local_size_x = {tile}, local_size_y = {tile}) in;
uniform {letter}sampler2DArray pictures;
layout({format}, binding = 0) writeonly uniform {letter}imageBuffer copies;
uniform ivec2 first;  // texel of the copies, layer of the pictures

void main() {{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(pictures, 0).xy;
    if (any(greaterThanEqual(at, size))) return;
    int layer = int(gl_GlobalInvocationID.z);
    int place = first.x + (layer * size.y + at.y) * size.x + at.x;
    imageStore(copies, place, texelFetch(pictures, ivec3(at, first.y + layer), 0));
}}
"""


def measure_texel(kind: Pass) -> int:
    """Bytes of a pixel in a copy, with four channels where there are three."""
    return kind.dtype.itemsize * (4 if kind.channels else 1)


class Copier:
    """Copies arrays of square pictures into buffers, row by row."""

    def __init__(self, context: "moderngl.Context", gl: Gl) -> None:
        self._context = context
        self._gl = gl
        self._programs: dict[Pass, moderngl.ComputeShader] = {}

    def copy(
        self, kind: Pass, texture: int, size: int, layers: int, buffer: int, offset: int
    ) -> int:
        """Copy all layers of a texture into a buffer, from an offset in bytes on.

        Returns:
            The offset behind them.
        """
        self._gl.bind(texture)
        most = max(1, _MOST_TEXELS // size**2)
        for layer in range(0, layers, most):
            count = min(most, layers - layer)
            self._copy(kind, size, layer, count, buffer, offset)
            offset += count * size**2 * measure_texel(kind)
        self._context.memory_barrier()
        return offset

    def _copy(
        self, kind: Pass, size: int, layer: int, count: int, buffer: int, offset: int
    ) -> None:
        """Copy some layers that are not too many for one texture of the buffer."""
        before = offset % _ALIGNMENT
        nbytes = before + count * size**2 * measure_texel(kind)
        texel = _FORMATS[kind][0]
        view = self._gl.create_view(buffer, texel, offset - before, nbytes)
        self._gl.bind_image(view, texel)
        program = self._program(kind)
        program["first"].value = (before // measure_texel(kind), layer)
        tiles = -(-size // _TILE)
        program.run(tiles, tiles, count)
        self._gl.delete_textures(view)

    def _program(self, kind: Pass) -> "moderngl.ComputeShader":
        if kind not in self._programs:
            _, format, letter = _FORMATS[kind]
            source = _COPY.format(tile=_TILE, letter=letter, format=format)
            self._programs[kind] = self._context.compute_shader(source)
        return self._programs[kind]
