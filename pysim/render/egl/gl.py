"""The OpenGL calls that moderngl lacks: layered multisample textures, and what draws into them.

Objects are named by the integers that OpenGL gives them. Every call acts on the current context.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_float, c_int, c_uint, c_void_p
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["Gl", "Region", "TexelFormat", "Transfer"]

_TEXTURE_2D_ARRAY = 0x8C1A
_TEXTURE_2D_MULTISAMPLE_ARRAY = 0x9102
_TEXTURE_BUFFER = 0x8C2A
_COLOR_ATTACHMENT0, _DEPTH_ATTACHMENT = 0x8CE0, 0x8D00
_FRAMEBUFFER = 0x8D40
_COLOR, _DEPTH = 0x1800, 0x1801
_SAMPLE_MASK, _SCISSOR_TEST = 0x8E51, 0x0C11
_PACK_ALIGNMENT = 0x0D05
_MAG_FILTER, _MIN_FILTER, _WRAP_S, _WRAP_T = 0x2800, 0x2801, 0x2802, 0x2803
_NEAREST, _LINEAR, _CLAMP_TO_EDGE = 0x2600, 0x2601, 0x812F
_WRITE_ONLY = 0x88B9
_BORDER = 2
"""Pixels around a region that are drawn as well, so that rounding leaves nothing out."""


class TexelFormat(IntEnum):
    """Storage of a texel."""

    RGBA8 = 0x8058
    R8 = 0x8229
    R16UI = 0x8234
    R32F = 0x822E
    RGBA16F = 0x881A
    RGBA32F = 0x8814
    DEPTH32F = 0x8CAC


class Transfer(IntEnum):
    """Format in which texels are read: channels and type of number."""

    RGB_U8 = 0x1907 << 16 | 0x1401
    RED_U16 = 0x8D94 << 16 | 0x1403
    RED_F32 = 0x1903 << 16 | 0x1406
    RGB_F32 = 0x1907 << 16 | 0x1406


_CALLS: dict[str, tuple[type, ...]] = {
    "glCreateTextures": (c_uint, c_int, c_void_p),
    "glDeleteTextures": (c_int, c_void_p),
    "glTextureStorage3D": (c_uint, c_int, c_uint, c_int, c_int, c_int),
    "glTextureStorage3DMultisample": (c_uint, c_int, c_uint, c_int, c_int, c_int, ctypes.c_ubyte),
    "glTextureParameteri": (c_uint, c_uint, c_int),
    "glBindTextureUnit": (c_uint, c_uint),
    "glBindImageTexture": (c_uint, c_uint, c_int, ctypes.c_ubyte, c_int, c_uint, c_uint),
    "glGetTextureImage": (c_uint, c_int, c_uint, c_uint, c_int, c_void_p),
    "glCreateFramebuffers": (c_int, c_void_p),
    "glDeleteFramebuffers": (c_int, c_void_p),
    "glNamedFramebufferTexture": (c_uint, c_uint, c_uint, c_int),
    "glNamedFramebufferDrawBuffers": (c_uint, c_int, c_void_p),
    "glBindFramebuffer": (c_uint, c_uint),
    "glClearNamedFramebufferfv": (c_uint, c_uint, c_int, c_void_p),
    "glClearNamedFramebufferuiv": (c_uint, c_uint, c_int, c_void_p),
    "glViewport": (c_int, c_int, c_int, c_int),
    "glScissor": (c_int, c_int, c_int, c_int),
    "glPixelStorei": (c_uint, c_int),
    "glEnable": (c_uint,),
    "glDisable": (c_uint,),
    "glSampleMaski": (c_uint, c_uint),
    "glCreateBuffers": (c_int, c_void_p),
    "glDeleteBuffers": (c_int, c_void_p),
    "glNamedBufferStorage": (c_uint, ctypes.c_ssize_t, c_void_p, c_uint),
    "glTextureBufferRange": (c_uint, c_uint, c_uint, ctypes.c_ssize_t, ctypes.c_ssize_t),
}


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a square picture, in pixels from its first row and column; it may be empty."""

    left: int
    top: int
    width: int
    height: int

    def __bool__(self) -> bool:
        return self.width > 0 and self.height > 0

    def scale(self, factor: int) -> "Region":
        """Return the same part of a picture that is a few times as large."""
        parts = (self.left, self.top, self.width, self.height)
        return Region(*(factor * part for part in parts))

    @staticmethod
    def whole(size: int) -> "Region":
        """Return all of a picture of an edge."""
        return Region(0, 0, size, size)

    @staticmethod
    def around(points: NDArray[np.float64], size: int) -> "Region":
        """Return the pixels around some points (n, 2) in a picture of an edge."""
        if not len(points):
            return Region(0, 0, 0, 0)
        low = np.clip(np.floor(points.min(axis=0)) - _BORDER, 0, size).astype(int).tolist()
        high = np.clip(np.ceil(points.max(axis=0)) + _BORDER, 0, size).astype(int).tolist()
        return Region(low[0], low[1], high[0] - low[0], high[1] - low[1])


class Gl:
    """Raw OpenGL 4.5.

    Raises:
        OSError: there is no EGL library.
        LookupError: the driver lacks one of the calls.
    """

    def __init__(self) -> None:
        egl = ctypes.CDLL("libEGL.so.1")
        egl.eglGetProcAddress.restype, egl.eglGetProcAddress.argtypes = c_void_p, (c_char_p,)
        egl.eglGetCurrentContext.restype = c_void_p
        self._current = egl.eglGetCurrentContext
        self._calls = {}
        for name, arguments in _CALLS.items():
            address = egl.eglGetProcAddress(name.encode())
            if not address:
                raise LookupError(f"the driver has no {name}")
            self._calls[name] = ctypes.CFUNCTYPE(None, *arguments)(address)

    def has_context(self) -> bool:
        """Return whether this thread has a current context."""
        return bool(self._current())

    def create_texture(self, format: TexelFormat, size: int, layers: int, samples: int = 0) -> int:
        """Return a new array of square pictures without mipmaps; ``samples`` 0 for plain ones."""
        target = _TEXTURE_2D_MULTISAMPLE_ARRAY if samples else _TEXTURE_2D_ARRAY
        name = c_uint()
        self._calls["glCreateTextures"](target, 1, ctypes.byref(name))
        if samples:
            self._calls["glTextureStorage3DMultisample"](
                name, samples, format, size, size, layers, 1
            )
            return name.value
        self._calls["glTextureStorage3D"](name, 1, format, size, size, layers)
        for setting, value in (
            (_MIN_FILTER, _NEAREST),
            (_MAG_FILTER, _NEAREST),
            (_WRAP_S, _CLAMP_TO_EDGE),
            (_WRAP_T, _CLAMP_TO_EDGE),
        ):
            self._calls["glTextureParameteri"](name, setting, value)
        return name.value

    def use_bilinear(self, texture: int) -> None:
        """Have a texture read with bilinear interpolation."""
        for setting in (_MIN_FILTER, _MAG_FILTER):
            self._calls["glTextureParameteri"](texture, setting, _LINEAR)

    def bind(self, *textures: int) -> None:
        """Bind textures to the units 0, 1, 2, ..."""
        for unit, texture in enumerate(textures):
            self._calls["glBindTextureUnit"](unit, texture)

    def bind_image(self, texture: int, format: TexelFormat) -> None:
        """Let shaders write to all layers of a texture as image 0."""
        self._calls["glBindImageTexture"](0, texture, 0, 1, 0, _WRITE_ONLY, format)

    def create_framebuffer(self, colours: tuple[int, ...], depth: int | None = None) -> int:
        """Return a new framebuffer that draws into all layers of some textures."""
        name = c_uint()
        self._calls["glCreateFramebuffers"](1, ctypes.byref(name))
        places = [_COLOR_ATTACHMENT0 + index for index in range(len(colours))]
        for place, texture in zip(places, colours, strict=True):
            self._calls["glNamedFramebufferTexture"](name, place, texture, 0)
        if depth is not None:
            self._calls["glNamedFramebufferTexture"](name, _DEPTH_ATTACHMENT, depth, 0)
        array = (c_uint * max(1, len(places)))(*places)
        self._calls["glNamedFramebufferDrawBuffers"](name, len(places), array)
        return name.value

    def draw_into(self, framebuffer: int, size: int, region: Region) -> None:
        """Send what is drawn and cleared from now on to a region of a framebuffer."""
        self._calls["glBindFramebuffer"](_FRAMEBUFFER, framebuffer)
        self._calls["glViewport"](0, 0, size, size)
        self._calls["glEnable"](_SCISSOR_TEST)
        self._calls["glScissor"](region.left, region.top, region.width, region.height)

    def clear_floats(self, framebuffer: int, place: int, *values: float) -> None:
        """Fill colour number ``place`` of a framebuffer, in all layers."""
        array = (c_float * 4)(*values)
        self._calls["glClearNamedFramebufferfv"](framebuffer, _COLOR, place, array)

    def clear_integers(self, framebuffer: int, place: int) -> None:
        """Fill an integer colour of a framebuffer with 0, in all layers."""
        self._calls["glClearNamedFramebufferuiv"](framebuffer, _COLOR, place, (c_uint * 4)())

    def clear_depth(self, framebuffer: int) -> None:
        """Fill the depth of a framebuffer with 1, in all layers."""
        self._calls["glClearNamedFramebufferfv"](framebuffer, _DEPTH, 0, (c_float * 1)(1.0))

    @contextmanager
    def mask_samples(self, mask: int) -> Iterator[None]:
        """Draw only into the samples of each pixel whose bits are set."""
        self._calls["glEnable"](_SAMPLE_MASK)
        self._calls["glSampleMaski"](0, mask)
        yield
        self._calls["glDisable"](_SAMPLE_MASK)

    def read_into(self, texture: int, transfer: Transfer, array: NDArray[np.generic]) -> None:
        """Copy all layers of a texture into a contiguous array, row by row."""
        self._calls["glBindFramebuffer"](_FRAMEBUFFER, 0)
        self._calls["glPixelStorei"](_PACK_ALIGNMENT, 1)
        channels, kind = transfer >> 16, transfer & 0xFFFF
        self._calls["glGetTextureImage"](
            texture, 0, channels, kind, array.nbytes, array.ctypes.data_as(c_void_p)
        )

    def create_buffer(self, nbytes: int) -> int:
        """Return a new buffer that only the graphics card writes to and reads."""
        name = c_uint()
        self._calls["glCreateBuffers"](1, ctypes.byref(name))
        self._calls["glNamedBufferStorage"](name, nbytes, None, 0)
        return name.value

    def create_view(self, buffer: int, format: TexelFormat, offset: int, nbytes: int) -> int:
        """Return a new texture with one row, whose texels are in a buffer from an offset on."""
        name = c_uint()
        self._calls["glCreateTextures"](_TEXTURE_BUFFER, 1, ctypes.byref(name))
        self._calls["glTextureBufferRange"](name, format, buffer, offset, nbytes)
        return name.value

    def delete_buffers(self, *buffers: int) -> None:
        """Free buffers."""
        self._calls["glDeleteBuffers"](len(buffers), (c_uint * len(buffers))(*buffers))

    def delete_textures(self, *textures: int) -> None:
        """Free textures."""
        self._calls["glDeleteTextures"](len(textures), (c_uint * len(textures))(*textures))

    def delete_framebuffers(self, *framebuffers: int) -> None:
        """Free framebuffers, but not what they draw into."""
        array = (c_uint * len(framebuffers))(*framebuffers)
        self._calls["glDeleteFramebuffers"](len(framebuffers), array)
