"""Camera of a film: in front if that is close enough, else at its own place."""

import math
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Bounds
from pysim.render.camera import FIELD_OF_VIEW, Camera, fit, make_stage_camera
from pysim.render.pinhole import Pinhole
from pysim.viewpoints import Vector

__all__ = ["block_corners", "closest_camera", "closest_pinhole", "pinhole_of", "unit_share"]

_CLOSE = 12.0 / 480.0
"""A film is seen from the front if a unit is this share of its shorter side, or more: 12 pixels of
480."""
_LARGE = 20.0 / 480.0
"""The same of films that are looked at by programs."""
_AZIMUTHS = (20.0, -20.0, 32.0, -32.0, 58.0, -58.0, 70.0, -70.0)
_HEIGHTS = (0.5, 0.68, 1.0)
_OPENINGS = (FIELD_OF_VIEW, 12.0)
"""Degrees to both sides of the front, heights at a distance of 1, and openings that are tried: from
all of them three faces of a cube are seen."""


def closest_camera(
    blocks: Sequence[Bounds], aspect: float = 1.0, *, enough: float = _CLOSE
) -> Camera:
    """Return a camera that sees every cell of some blocks, with a small margin.

    Args:
        blocks: one or more.
        aspect: as in :func:`~pysim.render.camera.fit`.
        enough: how large a unit has to be for the usual camera to do, as a share of the shorter
            side.
    """
    corners = block_corners(blocks)
    usual = make_stage_camera(*blocks, aspect=aspect)
    if unit_share(usual, corners) >= enough:
        return usual
    candidates = (
        fit("stage", _direction(azimuth, height), blocks, opening, aspect=aspect)
        for azimuth, height, opening in product(_AZIMUTHS, _HEIGHTS, _OPENINGS)
    )
    return max((usual, *candidates), key=lambda camera: unit_share(camera, corners))


def closest_pinhole(blocks: Sequence[Bounds], size: tuple[int, int]) -> Pinhole:
    """The same for pictures of a width and a height in pixels, where smaller units don't do."""
    return pinhole_of(closest_camera(blocks, size[0] / size[1], enough=_LARGE), size)


def pinhole_of(camera: Camera, size: tuple[int, int]) -> Pinhole:
    """Return the pinhole of a camera for a picture whose shorter side is that of its square one."""
    width, height = size
    seen = Pinhole.from_camera(camera, min(size))
    inside = seen.intrinsics.copy()
    inside[:2, 2] = width / 2.0, height / 2.0
    return Pinhole(inside, seen.extrinsics, width, height)


def unit_share(camera: Camera, points: NDArray[np.float64]) -> float:
    """Return a unit's size at the farthest of some points (n, 3), as a share of the picture.

    Along the picture plane; what lies along the gaze looks shorter.
    """
    farthest = float(camera.project(points, 1)[:, 2].max())
    return 0.5 / (math.tan(math.radians(camera.fov_deg) / 2.0) * farthest)


def block_corners(blocks: Iterable[Bounds]) -> NDArray[np.float64]:
    """Return the outer corners (8 n, 3) of n blocks of cells."""
    ends = np.array([[block.low, block.high] for block in blocks]) + [[-0.5] * 3, [0.5] * 3]
    picks = np.indices((2, 2, 2)).reshape(3, 8).T
    return ends[:, picks, [0, 1, 2]].reshape(-1, 3)


def _direction(azimuth: float, height: float) -> Vector:
    return math.sin(math.radians(azimuth)), -math.cos(math.radians(azimuth)), height
