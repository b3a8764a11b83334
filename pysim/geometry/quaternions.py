"""Rotations of space as unit quaternions (x, y, z, w), as matrices and as vectors.

A rotation vector is the axis, as long as the angle in radians, at most half a turn. Numbers are
plain floats: rotations are computed one at a time.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Quaternion",
    "compute_matrix",
    "compute_quaternion",
    "compute_rotation_vector",
    "interpolate_rotation",
    "rotate_by_vector",
]

Quaternion = tuple[float, float, float, float]
Matrix = NDArray[np.float64]
_SMALL = 1e-3
"""Angle in radians below which a series is more exact than a quotient of small numbers."""


def compute_quaternion(matrix: Matrix) -> Quaternion:
    """Return the quaternion of a rotation matrix (3, 3), by its largest component first.

    Source: S. W. Shepperd, Quaternion from rotation matrix, 1978.
    """
    rows = matrix.tolist()
    diagonal = [rows[0][0], rows[1][1], rows[2][2]]
    trace = sum(diagonal)
    largest = max(diagonal)
    if trace > largest:
        found = (
            rows[2][1] - rows[1][2],
            rows[0][2] - rows[2][0],
            rows[1][0] - rows[0][1],
            1.0 + trace,
        )
        return _normalize(found)
    i = diagonal.index(largest)
    j, k = (i + 1) % 3, (i + 2) % 3
    parts = [0.0, 0.0, 0.0, rows[k][j] - rows[j][k]]
    parts[i] = 1.0 - trace + 2.0 * rows[i][i]
    parts[j] = rows[j][i] + rows[i][j]
    parts[k] = rows[k][i] + rows[i][k]
    return _normalize(parts)


def compute_matrix(quaternion: Quaternion) -> Matrix:
    """Return the matrix (3, 3) of a unit quaternion."""
    x, y, z, w = quaternion
    return np.array(
        [
            [x * x - y * y - z * z + w * w, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), y * y - x * x - z * z + w * w, 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), z * z - x * x - y * y + w * w],
        ]
    )


def compute_rotation_vector(matrix: Matrix) -> Matrix:
    """Return the rotation vector (3,) of a rotation matrix."""
    return np.array(_find_vector(compute_quaternion(matrix)))


def rotate_by_vector(vector: Matrix) -> Matrix:
    """Return the matrix (3, 3) of a rotation vector."""
    return compute_matrix(_rotate(vector.tolist()))


def interpolate_rotation(first: Matrix, second: Matrix, share: float) -> Matrix:
    """Return the matrix a share of the way from one rotation to another, on the shortest arc."""
    start = compute_quaternion(first)
    x, y, z, w = start
    between = _find_vector(_multiply((-x, -y, -z, w), compute_quaternion(second)))
    part = _rotate([share * value for value in between])
    return compute_matrix(_normalize(_multiply(start, part)))


def _find_vector(quaternion: Quaternion) -> list[float]:
    sign = -1.0 if quaternion[3] < 0.0 else 1.0
    x, y, z, w = (sign * value for value in quaternion)
    angle = 2.0 * math.atan2(math.sqrt(x * x + y * y + z * z), w)
    if angle <= _SMALL:
        scale = 2.0 + angle**2 / 12.0 + 7.0 * angle**4 / 2880.0
    else:
        scale = angle / math.sin(angle / 2.0)
    return [scale * x, scale * y, scale * z]


def _rotate(vector: Sequence[float]) -> Quaternion:
    x, y, z = vector
    angle = math.sqrt(x * x + y * y + z * z)
    if angle <= _SMALL:
        scale = 0.5 - angle**2 / 48.0 + angle**4 / 3840.0
    else:
        scale = math.sin(angle / 2.0) / angle
    return (scale * x, scale * y, scale * z, math.cos(angle / 2.0))


def _multiply(one: Quaternion, two: Quaternion) -> Quaternion:
    a, b, c, d = one
    x, y, z, w = two
    return (
        d * x + w * a + b * z - c * y,
        d * y + w * b + c * x - a * z,
        d * z + w * c + a * y - b * x,
        d * w - a * x - b * y - c * z,
    )


def _normalize(values: Sequence[float]) -> Quaternion:
    length = math.sqrt(sum(value * value for value in values))
    x, y, z, w = (value / length for value in values)
    return (x, y, z, w)
