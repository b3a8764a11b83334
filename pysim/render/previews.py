"""Picture sheets: all that a person wants to see of a puzzle, in one picture."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from pysim.puzzle import PreviewPanel
from pysim.render.camera import list_cameras
from pysim.render.overlay import Overlay, draw_overlay
from pysim.render.renderer import Renderer
from pysim.render.views import observe, tile

__all__ = ["draw_preview"]


def draw_preview(
    renderer: Renderer, panels: Sequence[PreviewPanel], size: int = 256
) -> NDArray[np.uint8]:
    """The panels, row by row, each its scene's first shot or seen from the first usual camera.

    Args:
        panels: what :attr:`pysim.puzzle.Family.preview` gives.
        size: edge of each panel in pixels; below 96 there is no room for the titles.

    Returns:
        (H, W, 3) uint8, sRGB; each panel bears its title top left.

    Raises:
        InputError: no panels, or as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    if not panels:
        raise ValueError("a sheet needs at least one panel")
    return tile([_draw(renderer, panel, size) for panel in panels], _columns(len(panels)))


def _draw(renderer: Renderer, panel: PreviewPanel, size: int) -> NDArray[np.uint8]:
    camera = replace(list_cameras(panel.scene)[0], name=panel.title)
    if panel.scene.views:
        shot, *_ = observe(renderer, panel.scene, size)
        return draw_overlay(shot.rgb, camera, Overlay(axes=False))
    return draw_overlay(renderer.render(panel.scene, [camera], size).rgb[0], camera)


def _columns(count: int) -> int:
    """Return columns of a sheet a little wider than high, with the fewest empty places."""
    least = ceil(sqrt(count))
    return min(range(least, 3 * least // 2 + 1), key=lambda columns: (-count % columns, columns))
