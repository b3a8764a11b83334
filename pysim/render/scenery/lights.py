"""The sun of a scene, and the box in which its shadows are worked out."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pysim.scene import Scene
from pysim.viewpoints import Vector

__all__ = ["SUN", "TO_LIGHT", "compute_corners", "compute_light_matrix"]

SUN: Vector = (0.34, -0.46, 0.82)
"""From the scene to the usual sun."""
TO_LIGHT: NDArray[np.float64] = np.array(SUN) / np.linalg.norm(SUN)
"""Unit vector from the scene to the sun: above the front, a little to the right."""

_STEP = 4.0
"""The shadow box grows in steps of this size, so that shadows don't crawl while bodies move."""

_MARGIN = 0.1
"""Share of a step that stays free around the bodies, so that no shadow touches the map's border."""

_PICKS = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(1, 8, 3)
"""For each corner of a block and each axis, whether it is at the high end."""


def compute_light_matrix(
    scene: Scene, transforms: NDArray[np.float64], sun: Vector = SUN
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return orthographic views from the sun around all bodies.

    Args:
        transforms: (..., N, 4, 4) from body to world coordinates.
        sun: from the scene to the sun, of any length.

    Returns:
        The matrices (..., 4, 4) from world to the shadow map (x, y and depth from 0 to 1), and the
        widths (...) of the maps in units of a cell edge.
    """
    axes = _sun_axes(sun)
    corners = compute_corners(scene, transforms)
    if not scene.bodies:
        corners = np.zeros((*corners.shape[:-3], 1, 1, 3))
    corners = corners.reshape(*corners.shape[:-3], -1, 3) @ axes.T
    low = np.floor(corners.min(axis=-2) / _STEP - _MARGIN) * _STEP
    high = np.ceil(corners.max(axis=-2) / _STEP + _MARGIN) * _STEP
    half = (high - low) / 2.0
    half[..., :2] = half[..., :2].max(axis=-1, keepdims=True)
    matrix = np.tile(np.eye(4), (*half.shape[:-1], 1, 1))
    scale = 2.0 * half * (1.0, 1.0, -1.0)  # Depth grows away from the sun.
    matrix[..., :3, :3] = axes / scale[..., None]
    matrix[..., :3, 3] = 0.5 - (low + high) / 2.0 / scale
    return matrix, 2.0 * half[..., 0]


@lru_cache(maxsize=16)
def _sun_axes(sun: Vector) -> NDArray[np.float64]:
    """Return rows: two axes across the sunlight, and the one towards the sun."""
    to_light = np.array(sun) / np.linalg.norm(sun)
    upright = abs(to_light[2]) > 0.999
    right = np.cross((0.0, 1.0, 0.0) if upright else (0.0, 0.0, 1.0), to_light)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(to_light, right), to_light])


def compute_corners(scene: Scene, transforms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return world corners (..., N, 8, 3) of the blocks around the N bodies of a scene.

    Args:
        transforms: (..., N, 4, 4) from body to world coordinates.
    """
    bounds = [(body.shape.bounds.low, body.shape.bounds.high) for body in scene.bodies]
    ends = np.array(bounds).reshape(-1, 2, 3) + np.array([[-0.5], [0.5]])
    local = np.where(_PICKS, ends[:, 1:], ends[:, :1])
    turned: NDArray[np.float64] = local @ transforms[..., :3, :3].swapaxes(-1, -2)
    return turned + transforms[..., None, :3, 3]
