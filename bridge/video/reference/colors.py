"""Distances of colours: of lightness, red - green and blue - yellow."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLD", "ROSE", "WHITE", "measure_differences"]

WHITE = 0.27, 0.55, 0.18
ROSE = 0.6, -0.6, 0.0
COLD = -0.3, -0.4, 0.7
"""Shares of red, green and blue in each of them."""

_WAYS = np.array([WHITE, ROSE, COLD])


def measure_differences(off: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the squared lengths (...,) of differences (..., 3) of colours."""
    return np.asarray(((off @ _WAYS.T) ** 2).sum(axis=-1))
