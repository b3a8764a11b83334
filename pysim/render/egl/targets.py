"""Render targets: arrays of pictures of one size, and of shadow maps."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pysim.render.egl.changes import Snapshot
from pysim.render.egl.copying import Copier
from pysim.render.egl.gl import Gl, Region, TexelFormat, Transfer
from pysim.render.renderer import Pass

__all__ = ["SAMPLES", "SEEN_THROUGH", "Shadows", "Targets", "measure_layer"]

SAMPLES = 4
"""Samples of a pixel."""

SEEN_THROUGH = 0b1010
"""Mask of the samples that a translucent body covers: half of them."""

_COARSE = 4
"""Texels of the shadow map along a texel of the shade on the ground."""

_COLOUR = TexelFormat.RGBA8
_EXACT = (TexelFormat.R16UI, TexelFormat.R32F)
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
    Pass.RGB: Transfer.RGB_U8,
    Pass.IDS: Transfer.RED_U16,
    Pass.DEPTH: Transfer.RED_F32,
    Pass.NORMALS: Transfer.RGB_F32,
}


def measure_layer(size: int, normals: bool, has_samples: bool) -> int:
    """Bytes that one picture takes in :class:`Targets`."""
    depth, colour = _TEXEL_BYTES[TexelFormat.DEPTH32F], _TEXEL_BYTES[_COLOUR]
    exact = sum(_TEXEL_BYTES[format] for format in _exact(normals))
    samples = SAMPLES * (colour + depth) if has_samples else 0
    return size * size * (samples + colour + exact + depth)


def _exact(normals: bool) -> tuple[TexelFormat, ...]:
    return (*_EXACT, *((_NORMAL,) if normals else ()))


class Targets:
    """Framebuffers for ``layers`` pictures: colour, id, depth and if asked for normal of each.

    Colours are drawn as samples, and then resolved into the texture that is read. Others are drawn
    into it at once. Ids, depths and normals are drawn for themselves, in the middle of each pixel.

    Args:
        has_samples: whether colours are drawn as samples.

    Attributes:
        region: part of all pictures that is drawn; the rest stays as it is.
        shown: the scene that the pictures show; None if they may show anything.
    """

    def __init__(self, gl: Gl, size: int, layers: int, normals: bool, has_samples: bool) -> None:
        self._gl = gl
        self._size = size
        self._layers = layers
        self.region = Region.whole(size)
        self.shown: Snapshot | None = None
        self._samples: tuple[int, ...] = ()
        if has_samples:
            self._samples = tuple(
                gl.create_texture(format, size, layers, SAMPLES)
                for format in (_COLOUR, TexelFormat.DEPTH32F)
            )
        self._resolved = gl.create_texture(_COLOUR, size, layers)
        self._exact = tuple(gl.create_texture(format, size, layers) for format in _exact(normals))
        self._exact_depth = gl.create_texture(TexelFormat.DEPTH32F, size, layers)
        if has_samples:
            self._drawn = gl.create_framebuffer(self._samples[:1], self._samples[1])
        else:
            self._drawn = gl.create_framebuffer((self._resolved,), self._exact_depth)
        self._read = gl.create_framebuffer((self._resolved,))
        self._middles = gl.create_framebuffer(self._exact, self._exact_depth)
        self.nbytes = layers * measure_layer(size, normals, has_samples)

    @property
    def sampled(self) -> int:
        """Texture of the samples."""
        return self._samples[0]

    def expect(self, scene: Snapshot | None) -> None:
        """Make ready to draw what a scene shows otherwise; None for all of any scenes."""
        self.region = Region.whole(self._size)
        if scene is not None:
            self.region = scene.find_changed_pixels(self.shown, self._size)
        self.shown = None

    def begin(self) -> None:
        """Make ready to draw samples of colours, or plain colours: nothing is seen yet."""
        gl = self._gl
        gl.draw_into(self._drawn, self._size, self.region)
        if self._samples:
            gl.clear_floats(self._drawn, 0)
        gl.clear_depth(self._drawn)

    def begin_exact(self) -> None:
        """Make ready to draw ids, depths and normals: nothing is seen yet."""
        gl = self._gl
        gl.draw_into(self._middles, self._size, self.region)
        gl.clear_integers(self._middles, 0)
        gl.clear_floats(self._middles, 1, np.inf)
        if len(self._exact) > 2:
            gl.clear_floats(self._middles, 2)
        gl.clear_depth(self._middles)

    def resolve(self) -> None:
        """Bind the framebuffers that resolve samples into colours."""
        self._gl.draw_into(self._read, self._size, self.region)

    def compute(self) -> None:
        """Let a shader write the colours as image 0."""
        self._gl.bind_image(self._resolved, _COLOUR)

    def read(self, passes: Iterable[Pass], layers: int) -> dict[Pass, NDArray[np.generic]]:
        """Return the pictures of each pass: (layers, size, size) and channels."""
        shape = (layers, self._size, self._size)
        textures = dict(zip(_TRANSFERS, (self._resolved, *self._exact), strict=False))
        planes = {kind: np.empty((*shape, *kind.channels), dtype=kind.dtype) for kind in passes}
        for kind, plane in planes.items():
            self._gl.read_into(textures[kind], _TRANSFERS[kind], plane)
        return planes

    def copy(self, copier: Copier, kind: Pass, buffer: int, offset: int) -> int:
        """Copy the pictures of a pass into a buffer; see :class:`Copier`."""
        textures = dict(zip(_TRANSFERS, (self._resolved, *self._exact), strict=False))
        return copier.copy(kind, textures[kind], self._size, self._layers, buffer, offset)

    def release(self) -> None:
        """Free everything."""
        self._gl.delete_framebuffers(self._drawn, self._read, self._middles)
        self._gl.delete_textures(*self._samples, self._resolved, *self._exact, self._exact_depth)


class Shadows:
    """Shadow maps of ``layers`` scenes, and how they fall on the ground.

    Attributes:
        region: part of the shade on the ground that is drawn; the rest stays as it is.
        shown: the scene that casts the shadows; None if any may.
    """

    def __init__(self, gl: Gl, size: int, layers: int) -> None:
        self._gl = gl
        self._size = size
        self.region = Region.whole(size // _COARSE)
        self.shown: Snapshot | None = None
        self.map = gl.create_texture(TexelFormat.DEPTH32F, size, layers)
        self.shade = gl.create_texture(TexelFormat.R8, size // _COARSE, layers)
        gl.use_bilinear(self.shade)
        self._cast = gl.create_framebuffer((), self.map)
        self._shaded = gl.create_framebuffer((self.shade,))
        self.nbytes = layers * (4 * size * size + size * size // 16)

    def expect(self, scene: Snapshot | None) -> None:
        """Make ready to draw the shadows of a scene; None for those of any scenes."""
        self.region = Region.whole(self._size // _COARSE)
        if scene is not None:
            self.region = scene.find_changed_shadows(self.shown, self._size // _COARSE)
        self.shown = None

    def begin(self) -> None:
        """Make ready to draw what the sun sees."""
        self._gl.draw_into(self._cast, self._size, self.region.scale(_COARSE))
        self._gl.clear_depth(self._cast)

    def shade_ground(self) -> None:
        """Make ready to draw the shade on the ground."""
        self._gl.draw_into(self._shaded, self._size // _COARSE, self.region)

    def release(self) -> None:
        """Free everything."""
        self._gl.delete_framebuffers(self._cast, self._shaded)
        self._gl.delete_textures(self.map, self.shade)
