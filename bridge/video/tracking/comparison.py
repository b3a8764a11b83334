"""Comparison of pictures, pixel by pixel, with colours that are calibrated first.

Colours are compared as lightness, red - green and blue - yellow; lightness counts half, since light
and shadows change it. A pixel costs the squared distance by that at which it is not explained at
all, at most 1.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = [
    "ColorCalibration",
    "compare_pixels",
    "count_unexplained",
    "price_color",
    "sum_differences",
]

_Array = NDArray[np.float64]
_Picture = NDArray[np.uint8]

FAR = 45.0
"""Distance at which a pixel is not explained at all."""
_THIN = 0.3
"""Share of the pixels around one that a line covers: rims differ a little."""
FREE = 0.2
"""Cost of a pixel that noise, codecs and rims may have."""
_RIDGE = 0.002
"""How much a calibration is held to no change, as a share of the pixels."""
_LIKE = (25.0, 20.0, 15.0)
"""Colours farther apart than this take no part in each round of a calibration."""
_SAMPLES = 20_000
"""Pixels that are enough for it, more or less."""


@dataclass(frozen=True, slots=True, eq=False)
class ColorCalibration:
    """An affine map from the colours of a video to those of the true film.

    Attributes:
        matrix: (3, 3), and
        offset: (3,) so that film = matrix @ video + offset.
    """

    matrix: _Array
    offset: _Array

    @staticmethod
    def fit(seen: _Picture, expected: _Picture) -> "ColorCalibration":
        """Fit the map to two pictures (H, W, 3) of the same; robust against what differs."""
        step = max(1, seen.shape[0] * seen.shape[1] // _SAMPLES)
        colors = seen.reshape(-1, 3)[::step].astype(np.float64)
        target = expected.reshape(-1, 3)[::step].astype(np.float64)
        rows = np.concatenate([colors, np.full((len(colors), 1), 255.0)], axis=1)
        found = plain = np.vstack([np.eye(3), np.zeros((1, 3))])
        for far in _LIKE:
            use = np.abs(rows @ found - target).max(axis=1) < far
            ridge = _RIDGE * 255.0**2 * max(1, int(use.sum())) * np.eye(4)
            normal = rows[use].T @ rows[use] + ridge
            found = np.linalg.solve(normal, rows[use].T @ target[use] + ridge @ plain)
        return ColorCalibration(found[:3].T, 255.0 * found[3])

    def apply(self, picture: _Picture) -> _Picture:
        """Return a picture (H, W, 3) in the colours of the film."""
        mapped = picture @ self.matrix.T.astype(np.float32) + self.offset.astype(np.float32)
        return np.asarray(np.clip(mapped + 0.5, 0.0, 255.0), np.uint8)


@kernel(nogil=True, inline=True)
def price_color(red: float, green: float, blue: float) -> float:
    """Return the cost of a pixel whose channels are off by so much."""
    light = 0.15 * red + 0.3 * green + 0.1 * blue
    rose, cold = 0.6 * (red - green), 0.7 * blue - 0.3 * red - 0.4 * green
    return min(1.0, (light * light + rose * rose + cold * cold) / (FAR * FAR))


@kernel(nogil=True)
def sum_differences(seen: _Picture, expected: _Picture) -> float:
    """Return the sum of the costs of all pixels of two pictures (H, W, 3)."""
    total = 0.0
    for row in range(seen.shape[0]):
        for column in range(seen.shape[1]):
            a, b = seen[row, column], expected[row, column]
            total += price_color(
                float(a[0]) - float(b[0]), float(a[1]) - float(b[1]), float(a[2]) - float(b[2])
            )
    return total


@kernel(nogil=True)
def compare_pixels(
    seen: _Picture, expected: _Picture, free: float, out: NDArray[np.float32]
) -> float:
    """Set the cost of each pixel (H, W) of two pictures (H, W, 3); return the sum.

    Args:
        free: costs up to this count nothing, and those above are the less: 1 stays 1.
    """
    total = 0.0
    for row in range(seen.shape[0]):
        for column in range(seen.shape[1]):
            a, b = seen[row, column], expected[row, column]
            price = price_color(
                float(a[0]) - float(b[0]), float(a[1]) - float(b[1]), float(a[2]) - float(b[2])
            )
            price = max(0.0, price - free) / (1.0 - free)
            out[row, column] = price
            total += price
    return total


def count_unexplained(cost: NDArray[np.float32], labels: NDArray[np.int64], bodies: int) -> _Array:
    """Return the unexplained pixels of the ground and of each body (B + 1,), but for thin lines.

    Args:
        cost: (H, W) of each pixel, from 0 to 1.
        labels: (H, W) the body that each pixel shows; -1 for the ground.
    """
    thick = np.maximum(0.0, cv2.blur(cost, (3, 3)) - _THIN) / (1.0 - _THIN)
    counted = np.bincount(labels.ravel() + 1, thick.ravel(), 1 + bodies)
    return counted.astype(np.float64)
