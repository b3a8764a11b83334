"""Depth of two bodies made of unit cubes in each other, compiled.

The depth of two cubes is the least by which they would have to be moved apart: by the
separating-axis test, with three axes where the bodies are turned alike and fifteen elsewhere.
:mod:`bridge.referee.films` works the same out on its own.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = ["centres_of", "depth_between"]

_Array = NDArray[np.float64]


def centres_of(cells: _Array, pose: _Array) -> _Array:
    """(m, 3) where the middles of (m, 3) cells are, for a 4x4 pose."""
    centres: _Array = np.ascontiguousarray(cells @ pose[:3, :3].T + pose[:3, 3])
    return centres


def depth_between(one: _Array, at: _Array, other: _Array, there: _Array) -> float:
    """The depth of the deepest two cubes of two bodies; 0 if they are apart or touch.

    Args:
        one, other: (m, 3) and (k, 3) cells in body coordinates.
        at, there: their 4x4 poses.
    """
    a, b = np.ascontiguousarray(at[:3, :3]), np.ascontiguousarray(there[:3, :3])
    return float(_deepest(centres_of(one, at), a, centres_of(other, there), b))


@kernel
def _deepest(one: _Array, a: _Array, other: _Array, b: _Array) -> float:
    axes = _axes(a, b)
    reach = np.empty(len(axes))
    for k in range(len(axes)):
        reach[k] = 0.0
        for i in range(3):
            for turn in (a, b):
                dot = axes[k, 0] * turn[0, i] + axes[k, 1] * turn[1, i] + axes[k, 2] * turn[2, i]
                reach[k] += abs(dot) / 2.0
    found = 0.0
    for i in range(len(one)):
        for j in range(len(other)):
            x, y, z = (
                one[i, 0] - other[j, 0],
                one[i, 1] - other[j, 1],
                one[i, 2] - other[j, 2],
            )
            if x * x + y * y + z * z > 3.0:
                continue
            least = 10.0
            for k in range(len(axes)):
                gap = abs(axes[k, 0] * x + axes[k, 1] * y + axes[k, 2] * z)
                least = min(least, reach[k] - gap)
            found = max(found, least)
    return found


@kernel
def _axes(a: _Array, b: _Array) -> _Array:
    """The axes that may part cubes turned by ``a`` and ``b``: (3 or 15, 3), of length 1.

    Written out, as functions of NumPy take numba seconds to compile.
    """
    axes = np.empty((15, 3))
    alike = True
    for i in range(3):
        for j in range(3):
            axes[i, j], axes[3 + i, j] = a[j, i], b[j, i]
            turned = a[0, i] * b[0, j] + a[1, i] * b[1, j] + a[2, i] * b[2, j]
            alike = alike and abs(turned - round(turned)) <= 1e-6
    if alike:
        return axes[:3]
    for i in range(3):
        for j in range(3):
            x = a[1, i] * b[2, j] - a[2, i] * b[1, j]
            y = a[2, i] * b[0, j] - a[0, i] * b[2, j]
            z = a[0, i] * b[1, j] - a[1, i] * b[0, j]
            size = np.sqrt(x * x + y * y + z * z)
            if size <= 1e-6:
                x, y, z, size = a[0, i], a[1, i], a[2, i], 1.0
            k = 6 + 3 * i + j
            axes[k, 0], axes[k, 1], axes[k, 2] = x / size, y / size, z / size
    return axes
