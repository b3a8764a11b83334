"""Distances of colours: of lightness, red - green and blue - yellow."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLD", "ROSE", "WHITE", "find_largest", "find_ranges", "measure_differences"]

V = TypeVar("V", bound=np.generic)

WHITE = 0.27, 0.55, 0.18
ROSE = 0.6, -0.6, 0.0
COLD = -0.3, -0.4, 0.7
"""Shares of red, green and blue in each of them."""

_WAYS = np.array([WHITE, ROSE, COLD])


def measure_differences(off: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the squared lengths (...,) of differences (..., 3) of colours."""
    return np.asarray(((off @ _WAYS.T) ** 2).sum(axis=-1))


def find_largest(colors: NDArray[V]) -> NDArray[V]:
    """Return the largest (...,) of the three channels of colours (..., 3)."""
    red, green, blue = np.moveaxis(colors, -1, 0)  # Ten times as fast as along a short axis.
    return np.asarray(np.maximum(np.maximum(red, green), blue))


def find_ranges(colors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much the channels of colours (..., 3) differ (...,)."""
    return np.asarray(find_largest(colors) + find_largest(-colors))
