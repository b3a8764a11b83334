"""What a piece costs at least, wherever it is: where that is not much less, nothing is tried."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["least_cost"]

_Plane = NDArray[np.float32]

_ROUNDED = 1e-6
"""Sums of hypotheses are rounded, each in its own order."""


def least_cost(costs: _Plane, cost_behind: _Plane) -> float:
    """What no hypothesis is below, be the piece turned, stretched or in parts.

    Just those pixels would show it that look better with it, each of them its likeliest side.

    Args:
        costs: (3, H, W) what a pixel costs if a side of the piece is seen there.
        cost_behind: (H, W) what it costs without the piece.
    """
    return -_gained(costs, cost_behind) - _ROUNDED


@njit(cache=True, error_model="numpy")
def _gained(costs: _Plane, cost_behind: _Plane) -> float:
    height, width = cost_behind.shape
    x, y, z = costs[0].reshape(-1), costs[1].reshape(-1), costs[2].reshape(-1)
    behind, sums = cost_behind.reshape(-1), np.zeros(width)
    # As the rows of faces are: compiled to vectors.
    for row in range(height):
        begin = np.uintp(row * width)
        for k in range(np.uintp(width)):
            at = begin + k
            gain = behind[at] - min(x[at], min(y[at], z[at]))
            was = sums[k]
            sums[k] = was + np.float64(gain if gain > np.float32(0.0) else np.float32(0.0))
    return float(sums.sum())
