"""The one place where renderers are chosen and their engines loaded."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pysim.render.renderer import Renderer, RendererUnavailable

__all__ = ["create_renderer", "renderers"]


def renderers() -> tuple[str, ...]:
    """The names of all renderers, best first, whether or not they can be used here."""
    return tuple(_MAKERS)


def create_renderer(name: str = "auto") -> tuple[Renderer, str]:
    """A renderer, and a note on how it was chosen.

    Args:
        name: one of :func:`renderers`, or ``auto`` for the best one that can be used here.

    Returns:
        The renderer, and a sentence for people if ``auto`` had to fall back; else an empty string.

    Raises:
        ValueError: no renderer has that name.
        RendererUnavailable: it, or for ``auto`` none of them, can be used here.
    """
    if name == "auto":
        return _best()
    if name not in _MAKERS:
        raise ValueError(f"{name!r} is no renderer; known: auto, {', '.join(_MAKERS)}")
    return _MAKERS[name](), ""


def _best() -> tuple[Renderer, str]:
    reasons: list[str] = []
    for name, make in _MAKERS.items():
        try:
            renderer = make()
        except RendererUnavailable as error:
            reasons.append(f"Renderer {name} is unavailable: {error}.")
            continue
        return renderer, " ".join([*reasons, f"Using {name}."]) if reasons else ""
    raise RendererUnavailable(" ".join(reasons))


def _egl() -> Renderer:
    from pysim.render.egl import EglRenderer

    return EglRenderer()


def _tiny() -> Renderer:
    from pysim.render.tiny import TinyRenderer

    return TinyRenderer()


_MAKERS: Mapping[str, Callable[[], Renderer]] = MappingProxyType({"egl": _egl, "tiny": _tiny})
