"""The pictures of items."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.episode.observation import View
from pysim.errors import InputError
from pysim.items import Brightness, Cover, Picture, Retouch, Shade
from pysim.render.overlay import PLAIN
from pysim.render.renderer import Renderer
from pysim.render.views import encode, observe
from pysim.scene import Scene
from pysim.viewpoints import Views

__all__ = ["apply_retouch", "draw"]

_GREY = 128


def draw(renderer: Renderer, picture: Picture, size: int) -> tuple[View, ...]:
    """The views of a picture as PNG: one for each shot of its scene, or the one of its drawing.

    Args:
        size: edge of the views of a scene in pixels; the longer edge of a drawing, about.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`, or a drawing is no picture.
    """
    if isinstance(picture.of, Scene):
        drawn = [
            (v.name, v.rgb)
            for v in observe(renderer, picture.of, size, overlay=PLAIN, views=Views.CLASSIC)
        ]
    else:
        drawn = [("", _checked(picture, picture.of.draw(size)))]
    title, several = picture.title or picture.name, len(drawn) > 1
    return tuple(
        _view(f"{title} {name}" if several else title, rgb, picture.retouches)
        for name, rgb in drawn
    )


def _checked(picture: Picture, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3 or not rgb.size:
        found = f"{rgb.dtype} {rgb.shape}"
        raise InputError(f"the drawing of {picture.name} is no uint8 (H, W, 3), but {found}")
    return rgb


def _view(name: str, rgb: NDArray[np.uint8], retouches: Sequence[Retouch]) -> View:
    for retouch in retouches:
        rgb = apply_retouch(rgb, retouch)
    height, width, _ = rgb.shape
    return View(name, width, height, "png", encode(rgb, "png"))


def apply_retouch(rgb: NDArray[np.uint8], retouch: Retouch) -> NDArray[np.uint8]:
    """Return a copy of a picture (H, W, 3), changed."""
    match retouch:
        case Brightness(factor):
            return _scaled(rgb, factor)
        case Shade(angle, depth):
            return _scaled(rgb, _light(rgb.shape[0], rgb.shape[1], angle, depth)[..., None])
        case Cover(left, top, width, height):
            result = rgb.copy()
            rows, columns = _span(top, height, rgb.shape[0]), _span(left, width, rgb.shape[1])
            result[rows, columns] = _GREY
            return result


def _scaled(rgb: NDArray[np.uint8], factor: float | NDArray[np.float64]) -> NDArray[np.uint8]:
    result: NDArray[np.uint8] = np.clip(np.rint(rgb * factor), 0, 255).astype(np.uint8)
    return result


def _light(height: int, width: int, angle: float, depth: float) -> NDArray[np.float64]:
    """(H, W) factors from 1 at the border towards the light to 1 - depth at the one opposite."""
    x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    rows = np.linspace(1.0, -1.0, height)[:, None]
    columns = np.linspace(-1.0, 1.0, width)
    towards = (x * columns + y * rows) / (abs(x) + abs(y))
    light: NDArray[np.float64] = 1.0 - depth * (1.0 - towards) / 2.0
    return light


def _span(start: float, length: float, size: int) -> slice:
    first = round(start * size)
    return slice(first, max(first + 1, round((start + length) * size)))
