"""A plot of voxels as Matplotlib draws them: unit cubes with black edges on white, in perspective.

The figures of papers that show voxels mostly look like this. Nothing else is drawn: no axes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["VoxelPlot"]

Spots = NDArray[np.float64]

_COLOUR = np.array((31, 119, 180), dtype=np.float64)
"""The first colour of Matplotlib's usual cycle."""
_LIGHT = np.array((0.3, 0.5, -0.8))
"""Towards the light: a face is the darker, the farther it looks away from it."""
_AMBIENT = 0.55
_FAR = 10.0
"""Distance of the eye in halves of the box's edge; Matplotlib's usual."""
_SHARE = 0.62
"""Of half the picture that half the piece takes up, unforeshortened."""
_SUB = 4
"""Bits behind the point in the coordinates of corners."""
_SIDES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


@dataclass(frozen=True)
class VoxelPlot:
    """A piece as a plot; see :class:`pysim.items.Drawing`.

    Attributes:
        rows: the piece; columns go along x, rows along y.
        elevation, azimuth: of the eye, in degrees.
    """

    rows: tuple[str, ...]
    elevation: float
    azimuth: float

    def draw(self, size: int) -> NDArray[np.uint8]:
        """It, (size, size, 3)."""
        picture = np.full((size, size, 3), 255, dtype=np.uint8)
        width = max(1, round(size / 256))
        for corners, normal in self._quads():
            at = np.rint(self._seen(corners, size) * (1 << _SUB)).astype(np.int32)
            cv2.fillConvexPoly(picture, at, _shade(normal), cv2.LINE_AA, _SUB)
            cv2.polylines(picture, [at], True, (0, 0, 0), width, cv2.LINE_AA, _SUB)
        return picture

    @property
    def _eye(self) -> Spots:
        """Towards the eye."""
        e, a = radians(self.elevation), radians(self.azimuth)
        return np.array((cos(e) * cos(a), cos(e) * sin(a), sin(e)))

    def _quads(self) -> Iterator[tuple[Spots, Spots]]:
        """The sides of cells that look towards the eye, the farthest first, each with its normal.

        Sides between two cells are never seen. Sorted so, no side is drawn over a nearer one, since
        all have the same size.
        """
        half = len(self.rows) / 2
        cells = {
            (column, row, 0)
            for row, line in enumerate(self.rows)
            for column, mark in enumerate(line)
            if mark == "#"
        }
        quads = []
        for x, y, z in cells:
            for side in _SIDES:
                if (x + side[0], y + side[1], z + side[2]) not in cells:
                    normal = np.array(side, dtype=np.float64)
                    middle = np.array((x + 0.5 - half, y + 0.5 - half, 0.0)) + normal / 2
                    if normal @ (self._eye * _FAR * half - middle) > 0:
                        quads.append((_corners(middle, normal), normal, middle))
        quads.sort(key=lambda quad: (float(quad[2] @ self._eye), *quad[2]))
        yield from ((corners, normal) for corners, normal, _ in quads)

    def _seen(self, points: Spots, size: int) -> Spots:
        """Return points (n, 3) as pixels (n, 2)."""
        eye = self._eye
        up = np.array((0.0, 0.0, -1.0 if abs(self.elevation) > 90 else 1.0))
        right = np.cross(up, eye)
        right /= np.linalg.norm(right)
        above = np.cross(eye, right)
        half = len(self.rows) / 2
        nearer = _FAR * half / (_FAR * half - points @ eye)
        scale = _SHARE * size / 2 / half * nearer
        return np.stack(
            [size / 2 + points @ right * scale, size / 2 - points @ above * scale], axis=1
        )


def _corners(middle: Spots, normal: Spots) -> Spots:
    """Return the corners (4, 3) of a side, in order around it."""
    along, across = np.roll(np.abs(normal), 1) / 2, np.roll(np.abs(normal), 2) / 2
    ways = (along + across, along - across, -along - across, across - along)
    return np.stack([middle + way for way in ways])


def _shade(normal: Spots) -> tuple[float, float, float]:
    light = float(normal @ _LIGHT) / float(np.linalg.norm(_LIGHT))
    shade = np.rint(_COLOUR * (_AMBIENT + (1 - _AMBIENT) * (1 + light) / 2))
    return (float(shade[0]), float(shade[1]), float(shade[2]))
