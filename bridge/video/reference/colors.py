"""Distances of colours: of lightness, red - green and blue - yellow."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["measure_differences"]

_WAYS = np.array([[0.27, 0.55, 0.18], [0.6, -0.6, 0.0], [-0.3, -0.4, 0.7]])


def measure_differences(off: NDArray[np.float64], light: float = 1.0) -> NDArray[np.float64]:
    """Return the squared lengths (...,) of differences (..., 3) of colours.

    Args:
        light: share of a difference in lightness that counts.
    """
    ways = off @ (_WAYS * np.array([[light], [1.0], [1.0]])).T
    return np.asarray((ways**2).sum(axis=-1))
