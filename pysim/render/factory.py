"""The one place where renderers are chosen and their engines loaded."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pysim.errors import InputError
from pysim.limits import quote
from pysim.render.palette import PALETTES, Rgb
from pysim.render.renderer import Renderer, RendererUnavailable

__all__ = ["create_renderer", "list_renderers"]


def list_renderers() -> tuple[str, ...]:
    """Return the names of all renderers, best first, whether or not they can be used here."""
    return tuple(_MAKERS)


def create_renderer(
    name: str = "auto", *, palette: str = "standard", device_index: int | None = None
) -> tuple[Renderer, str]:
    """Return a renderer, and a note on how it was chosen.

    Args:
        name: one of :func:`list_renderers`, or ``auto`` for the best one that can be used here.
        palette: one of :data:`~pysim.render.palette.PALETTES`.
        device_index: which GPU to draw with, as EGL counts them; None for the default one. Only
            ``egl`` takes notice.

    Returns:
        The renderer, and a sentence for people if ``auto`` had to fall back; else an empty string.

    Raises:
        InputError: no renderer or palette has that name.
        RendererUnavailable: it, or for ``auto`` none of them, can be used here.
    """
    if palette not in PALETTES:
        raise InputError(f"{quote(palette)} is no palette; known: {', '.join(PALETTES)}")
    if name == "auto":
        return _best(PALETTES[palette], device_index)
    if name not in _MAKERS:
        raise InputError(f"{quote(name)} is no renderer; known: auto, {', '.join(_MAKERS)}")
    return _MAKERS[name](PALETTES[palette], device_index), ""


def _best(palette: Mapping[str, Rgb], device_index: int | None) -> tuple[Renderer, str]:
    reasons: list[str] = []
    for name, make in _MAKERS.items():
        try:
            renderer = make(palette, device_index)
        except RendererUnavailable as error:
            reasons.append(f"Renderer {name} is unavailable: {error}.")
            continue
        return renderer, " ".join([*reasons, f"Using {name}."]) if reasons else ""
    raise RendererUnavailable(" ".join(reasons))


def _egl(palette: Mapping[str, Rgb], device_index: int | None) -> Renderer:
    from pysim.render.egl import EglRenderer

    return EglRenderer(device_index, palette=palette)


def _tiny(palette: Mapping[str, Rgb], device_index: int | None) -> Renderer:
    from pysim.render.tiny import TinyRenderer

    return TinyRenderer(palette=palette)


_Maker = Callable[[Mapping[str, Rgb], int | None], Renderer]

_MAKERS: Mapping[str, _Maker] = MappingProxyType({"egl": _egl, "tiny": _tiny})
