"""Making an OpenGL context."""

from collections.abc import Callable, Mapping
from ctypes.util import find_library
from functools import cache
from typing import TYPE_CHECKING, cast

from pysim.render.egl.gl import Gl
from pysim.render.egl.targets import SAMPLES
from pysim.render.renderer import RendererUnavailable

if TYPE_CHECKING:
    import moderngl

__all__ = ["create_context", "describe", "is_software"]

_LAYERS = "GL_ARB_shader_viewport_layer_array"
_INSTALL = "apt-get install --no-install-recommends libegl1 libgl1"


def create_context(device_index: int | None) -> "tuple[moderngl.Context, Gl]":
    """Return a context of its own, not current, and the calls that moderngl lacks.

    Args:
        device_index: which EGL device; None for the default one.

    Raises:
        RendererUnavailable: moderngl, EGL or OpenGL 4.5 is missing, or the driver can't do what the
            renderer needs.
    """
    try:
        import moderngl
    except ImportError as error:
        raise RendererUnavailable(f"moderngl is missing ({error}): pip install moderngl") from error
    # The library's own annotation of its settings is wrong.
    create = cast("Callable[..., moderngl.Context]", moderngl.create_context)
    device = {} if device_index is None else {"device_index": device_index}
    try:
        context = create(standalone=True, backend="egl", require=450, **device, **_find_libraries())
    except Exception as error:  # moderngl raises bare exceptions
        where = "" if device_index is None else f" on device {device_index}"
        raise RendererUnavailable(
            f"OpenGL 4.5 can't be had through EGL{where} ({error}): {_INSTALL}"
        ) from error
    with context:
        missing = _missing(context)
    if not missing:
        try:
            return context, Gl()
        except (OSError, LookupError) as error:
            missing = str(error)
    name = context.info["GL_RENDERER"]
    context.release()
    raise RendererUnavailable(f"{name} can't be used: {missing}")


@cache
def _find_libraries() -> Mapping[str, str]:
    """Return the libraries that glcontext would start two processes to find, for each context."""
    found = {"libgl": find_library("GL"), "libegl": find_library("EGL")}
    return {name: library for name, library in found.items() if library is not None}


def describe(context: "moderngl.Context") -> str:
    """OpenGL's version, vendor and renderer."""
    info = context.info
    return f"OpenGL {info['GL_VERSION']}; {info['GL_VENDOR']}; {info['GL_RENDERER']}"


def is_software(version: str) -> bool:
    """Return whether the renderer that :func:`describe` describes draws on a processor."""
    return any(name in version for name in ("llvmpipe", "softpipe", "SwiftShader"))


def _missing(context: "moderngl.Context") -> str:
    if min(context.max_samples, context.max_integer_samples) < SAMPLES:
        return f"it can't draw with {SAMPLES} samples a pixel"
    if _LAYERS not in context.extensions:
        return f"it lacks {_LAYERS}"
    return ""
