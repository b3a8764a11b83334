"""Whether pieces can be seen well enough, told from picture ids alone."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera
from pysim.render.renderer import Pass, Renderer
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.viewpoints import Views

__all__ = ["LEAST_PIXELS", "measure_coverage", "measure_observed_coverage"]

LEAST_PIXELS = 30
"""Pixels that a piece has to cover in some view of 256 x 256 to be legible."""


def measure_coverage(
    renderer: Renderer, scene: Scene, cameras: Sequence[Camera], size: int = 256
) -> dict[str, int]:
    """Measure the pixels that each body covers in the view that shows most of it, by name.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    return _counted(scene, renderer.render(scene, cameras, size, passes=[Pass.IDS]).ids)


def measure_observed_coverage(
    renderer: Renderer, scene: Scene, size: int = 256, views: Views = Views.COMPOSED
) -> dict[str, int]:
    """Return the same for the pictures that an agent is shown of a scene.

    Args:
        views: how they are composed.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    return _counted(scene, [view.ids for view in observe(renderer, scene, size, views=views)])


def _counted(scene: Scene, ids: Iterable[NDArray[np.uint16]]) -> dict[str, int]:
    counts = [np.bincount(view.ravel(), minlength=len(scene.bodies) + 1)[1:] for view in ids]
    most = np.max(counts, axis=0).tolist()
    return {body.name: count for body, count in zip(scene.bodies, most, strict=True)}
