"""Whether pieces can be seen well enough, told from picture ids alone."""

from collections.abc import Sequence

import numpy as np

from pysim.render.camera import Camera
from pysim.render.renderer import Pass, Renderer
from pysim.scene import Scene

__all__ = ["LEAST_PIXELS", "coverage"]

LEAST_PIXELS = 30
"""Pixels that a piece has to cover in some view of 256 x 256 to be legible."""


def coverage(
    renderer: Renderer, scene: Scene, cameras: Sequence[Camera], size: int = 256
) -> dict[str, int]:
    """How many pixels each body covers in the view that shows most of it, by name.

    Raises:
        InputError: as :meth:`~pysim.render.renderer.Renderer.render`.
    """
    ids = renderer.render(scene, cameras, size, passes=[Pass.IDS]).ids
    counts = [np.bincount(view.ravel(), minlength=len(scene.bodies) + 1)[1:] for view in ids]
    most = np.max(counts, axis=0).tolist()
    return {body.name: count for body, count in zip(scene.bodies, most, strict=True)}
