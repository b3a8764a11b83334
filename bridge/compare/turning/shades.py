"""What pixels cost for paints in light and in shadow, and under labels; compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["cost_under", "shaded_costs", "toned"]

_Plane = NDArray[np.float32]
_Labels = NDArray[np.int16]

_SHADOWED = 0.04
"""What a pixel costs for being in a shadow."""
_TONE, _TONED = 25.0, 0.12
"""Levels of 255 by which something is surely in another light, and what a pixel costs for that."""


@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _off(grey: np.float32, usual: np.float32) -> np.float32:
    off = min(abs(grey - usual) / np.float32(_TONE), np.float32(1.0))
    return np.float32(_TONED) * off * off


@njit(cache=True, fastmath=True, error_model="numpy")
def toned(grey: _Plane, usual: _Plane) -> _Plane:
    """What it costs (H, W) to be brighter or darker than usual, as far as that is no shadow."""
    found = np.empty_like(grey)
    for row in range(grey.shape[0]):
        for column in range(grey.shape[1]):
            found[row, column] = _off(grey[row, column], usual[row, column])
    return found


@njit(cache=True, fastmath=True, error_model="numpy")
def shaded_costs(
    light: _Plane, dark: _Plane, grey: _Plane, usual: _Plane, under: NDArray[np.bool_]
) -> _Plane:
    """What a pixel costs (C, 4, H, W) for each paint, along each axis and along none.

    What looks along no axis may be as light as anything between them.

    Args:
        light, dark: (C, 3, H, W) what it costs in light, and in shadow but for the shadow.
        grey: (H, W) how bright a pixel is.
        usual: (C, 3) how bright a paint is.
        under: (C,) which paints are those that stickers stick on: their brightness counts.
    """
    paints, _, height, width = light.shape
    found = np.empty((paints, 4, height, width), np.float32)
    tone = grey.reshape(-1)
    for paint in range(paints):
        sides = found[paint].reshape((4, height * width))
        least = sides[3]
        for side in range(3):
            plane = sides[side]
            bright, dim = light[paint, side].reshape(-1), dark[paint, side].reshape(-1)
            _fill(bright, dim, tone, usual[paint, side], under[paint], plane)
        for k in range(np.uintp(height * width)):
            least[k] = min(sides[0, k], sides[1, k], sides[2, k])
    return found


@njit(cache=True, fastmath=True, error_model="numpy")
def _fill(
    bright: _Plane, dim: _Plane, tone: _Plane, level: np.float32, counts: bool, plane: _Plane
) -> None:
    for k in range(np.uintp(len(plane))):
        plane[k] = min(bright[k], dim[k] + np.float32(_SHADOWED))
    if counts:
        for k in range(np.uintp(len(plane))):
            plane[k] += _off(tone[k], level)


@njit(cache=True)
def cost_under(costs: _Plane, empty: _Plane, labels: _Labels) -> _Plane:
    """What each pixel (H, W) costs under some labels.

    Args:
        costs: as :func:`shaded_costs` returns them.
        empty: (H, W) what a pixel costs if nothing is there.
        labels: as :mod:`bridge.compare.turning.patches` has them.
    """
    cost = empty.copy()
    paints = len(costs)
    for row in range(labels.shape[0]):
        for column in range(labels.shape[1]):
            label = labels[row, column]
            if label >= 0:
                cost[row, column] = costs[(label >> 2) % paints, label & 3, row, column]
    return cost
