"""Dark lines around the sides of pieces, where a film has them: they tell white from light grey.

What is drawn with lines has them at the edges of each side. A shadow on the ground has none, and a
sheet of paper that looks away has nothing else that tells it from the ground.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge.compare.turning.patches import TOUCHING, same_side

__all__ = ["Outlines", "dark_lines", "edge_pixels"]

_Plane = NDArray[np.float32]
_Labels = NDArray[np.int16]
_Flags = NDArray[np.bool_]

_WIDE = np.ones((5, 5), np.uint8)
"""Lines are narrower than this."""
_OFF = np.ones((3, 3), np.uint8)
"""As far as this a line may be from where it should be."""
_WORTH = 0.5
"""What a pixel of an edge costs at most that has no line, and is worth at most if it has one."""
_CLEAR = 25.0
"""Levels by which edges are darker than what is around them, if there are lines at all."""
_FEWEST = 100
"""Pixels of edges that tell whether there are."""


def dark_lines(picture: _Plane) -> _Plane:
    """How much darker (H, W) than what is on both sides of it a narrow line is, in levels."""
    grey = np.asarray(picture.mean(axis=2), np.float32)
    lines = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, _WIDE)
    return np.asarray(cv2.dilate(lines, _OFF), np.float32)


@njit(cache=True)
def edge_pixels(depth: _Plane, labels: _Labels, paints: int) -> _Flags:
    """(H, W) where a side of a piece ends: before other sides, other pieces, or the ground.

    Args:
        depth: (H, W) inverse depth.
        labels: (H, W) as :mod:`bridge.compare.turning.patches` has them.
        paints: how many there are.
    """
    height, width = labels.shape
    edges = np.zeros((height, width), np.bool_)
    for row in range(height):
        for column in range(width):
            if labels[row, column] >= 0:
                near, own = depth[row, column], labels[row, column]
                for k in range(4):
                    r, c = row + (k == 0) - (k == 1), column + (k == 2) - (k == 3)
                    if not (0 <= r < height and 0 <= c < width):
                        continue
                    if depth[r, c] <= TOUCHING * near and _parts(own, labels[r, c], paints):
                        edges[row, column] = True
    return edges


@njit(cache=True, inline="always")
def _parts(one: int, other: int, paints: int) -> bool:
    return other < 0 or not same_side(one, other, paints)


@dataclass(frozen=True, slots=True)
class Outlines:
    """How dark lines are in a video.

    Attributes:
        likely: levels above which a pixel is rather one of a line than not.
        surely: levels from there to where it surely is; 0 for a video without lines.
    """

    likely: float
    surely: float

    @staticmethod
    def none() -> "Outlines":
        """There are none, or it is not known."""
        return Outlines(0.0, 0.0)

    @staticmethod
    def learned(lines: _Plane, edges: _Flags, there: _Flags) -> "Outlines":
        """Learn it from a frame in which it is known where everything is.

        Args:
            lines: (H, W) as :func:`dark_lines` has them.
            edges: (H, W) where sides end.
            there: (H, W) where any piece is.
        """
        within = there & (cv2.dilate(edges.astype(np.uint8), _WIDE) == 0)
        if edges.sum() < _FEWEST or within.sum() < _FEWEST:
            return Outlines.none()
        on, off = float(np.median(lines[edges])), float(np.median(lines[within]))
        if on - off < _CLEAR:
            return Outlines.none()
        return Outlines((on + off) / 2.0, (on - off) / 2.0)

    def costs(self, picture: _Plane) -> _Plane:
        """What it costs (H, W) to be a pixel of an edge; negative where there is a line."""
        if self.surely <= 0.0:
            return np.zeros(picture.shape[:2], np.float32)
        like = (dark_lines(picture) - np.float32(self.likely)) / np.float32(self.surely)
        return np.asarray(-_WORTH * np.clip(like, -1.0, 1.0), np.float32)
