"""What is drawn into: arrays of pictures of one size, and of shadow maps."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pysim.render.egl.gl import Gl, TexelFormat, Transfer
from pysim.render.renderer import Pass

__all__ = ["SAMPLES", "Shadows", "Targets", "layer_bytes"]

SAMPLES = 4
"""Samples of a pixel."""

_SAMPLED = (TexelFormat.RGBA8, TexelFormat.R16UI, TexelFormat.R32F)
_NORMAL = TexelFormat.RGBA16F
_TEXEL_BYTES = {
    TexelFormat.RGBA8: 4,
    TexelFormat.R8: 1,
    TexelFormat.R16UI: 2,
    TexelFormat.R32F: 4,
    TexelFormat.RGBA16F: 8,
    TexelFormat.DEPTH32F: 4,
}
_TRANSFERS = {
    Pass.RGB: (0, Transfer.RGB_U8),
    Pass.IDS: (1, Transfer.RED_U16),
    Pass.DEPTH: (2, Transfer.RED_F32),
    Pass.NORMALS: (3, Transfer.RGB_F32),
}


def layer_bytes(size: int, normals: bool) -> int:
    """Bytes that one picture takes in :class:`Targets`."""
    formats = (*_SAMPLED, *((_NORMAL,) if normals else ()))
    texels = sum(_TEXEL_BYTES[format] for format in formats)
    return size * size * (SAMPLES * (texels + _TEXEL_BYTES[TexelFormat.DEPTH32F]) + texels)


class Targets:
    """Framebuffers for ``layers`` pictures: colour, id, depth and if asked for normal of each.

    Samples are drawn, then resolved into the textures that are read.
    """

    def __init__(self, gl: Gl, size: int, layers: int, normals: bool) -> None:
        self._gl = gl
        self._size = size
        formats = (*_SAMPLED, *((_NORMAL,) if normals else ()))
        self.sampled = tuple(gl.texture(format, size, layers, SAMPLES) for format in formats)
        self._depth = gl.texture(TexelFormat.DEPTH32F, size, layers, SAMPLES)
        self._resolved = tuple(gl.texture(format, size, layers) for format in formats)
        self._drawn = gl.framebuffer(self.sampled, self._depth)
        self._read = gl.framebuffer(self._resolved[:3])
        self._read_normals = gl.framebuffer(self._resolved[3:]) if normals else None
        self.nbytes = layers * layer_bytes(size, normals)

    def begin(self) -> None:
        """Make ready to draw samples: nothing is seen yet."""
        gl = self._gl
        gl.draw_into(self._drawn, self._size)
        gl.clear_floats(self._drawn, 0)
        gl.clear_integers(self._drawn, 1)
        gl.clear_floats(self._drawn, 2, np.inf)
        if len(self.sampled) > 3:
            gl.clear_floats(self._drawn, 3)
        gl.clear_depth(self._drawn)

    def resolve(self) -> None:
        """Make ready to draw colours, ids and depths from samples."""
        self._gl.draw_into(self._read, self._size)

    def resolve_normals(self) -> bool:
        """Make ready to draw normals from samples; False if there are none."""
        if self._read_normals is None:
            return False
        self._gl.draw_into(self._read_normals, self._size)
        return True

    def read(self, passes: Iterable[Pass], layers: int) -> dict[Pass, NDArray[np.generic]]:
        """The pictures of each pass: (layers, size, size) and channels."""
        shape = (layers, self._size, self._size)
        planes = {kind: np.empty((*shape, *kind.channels), dtype=kind.dtype) for kind in passes}
        for kind, plane in planes.items():
            place, transfer = _TRANSFERS[kind]
            self._gl.read_into(self._resolved[place], transfer, plane)
        return planes

    def release(self) -> None:
        """Free everything."""
        framebuffers = (self._drawn, self._read, self._read_normals)
        self._gl.delete_framebuffers(*(name for name in framebuffers if name is not None))
        self._gl.delete_textures(*self.sampled, self._depth, *self._resolved)


class Shadows:
    """Shadow maps of ``layers`` scenes, and how they fall on the ground."""

    def __init__(self, gl: Gl, size: int, layers: int) -> None:
        self._gl = gl
        self._size = size
        self.map = gl.texture(TexelFormat.DEPTH32F, size, layers)
        self.shade = gl.texture(TexelFormat.R8, size // 4, layers)
        gl.smooth(self.shade)
        self._cast = gl.framebuffer((), self.map)
        self._shaded = gl.framebuffer((self.shade,))
        self.nbytes = layers * (4 * size * size + size * size // 16)

    def begin(self) -> None:
        """Make ready to draw what the sun sees."""
        self._gl.draw_into(self._cast, self._size)
        self._gl.clear_depth(self._cast)

    def shade_ground(self) -> None:
        """Make ready to draw the shade on the ground."""
        self._gl.draw_into(self._shaded, self._size // 4)

    def release(self) -> None:
        """Free everything."""
        self._gl.delete_framebuffers(self._cast, self._shaded)
        self._gl.delete_textures(self.map, self.shade)
