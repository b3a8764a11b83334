"""Cubes and nets as plain drawings, in the look of the paper: lines on white, arrows in colour.

The paper's pictures are made with matplotlib (4.2); :mod:`bridge.benches.euclifold.plots` uses
it where it is installed. These are drawn with OpenCV in its manner: a white page without axes,
black edges, filled arrows, and a cube from the front right and from 30 degrees above with parallel
rays. They are no copies, and the same everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.families.nets.cube import ArrowColour, CornerView
from pysim.families.nets.faces import VISIBLE, Frame, Heading
from pysim.families.nets.folding import ArrowNet

__all__ = ["ARROW", "PAINT", "SQUARE", "CubeDrawing", "NetDrawing", "make_turn"]

PAINT = {
    ArrowColour.GREY: (87, 87, 87),
    ArrowColour.RED: (173, 35, 35),
    ArrowColour.BLUE: (42, 75, 215),
    ArrowColour.GREEN: (29, 105, 20),
    ArrowColour.BROWN: (129, 74, 25),
    ArrowColour.PURPLE: (129, 38, 192),
    ArrowColour.CYAN: (41, 208, 208),
    ArrowColour.YELLOW: (255, 238, 51),
}
"""sRGB of the colours of CLEVR (its ``properties.json``)."""
_BLACK = (0, 0, 0)
_SHARE = 0.86
"""Of the page that the drawing takes."""
_FRACTION = 16
"""Parts of a pixel to which corners are placed: the fourth power of 2, as OpenCV counts."""

_Points = NDArray[np.float64]
"""(n, 2): to the right and up."""
Outline = tuple[_Points, tuple[int, int, int] | None]
"""A polygon and what it is filled with; None for an edge around it and nothing in it."""

ARROW = np.array(
    [[-0.09, -0.34], [0.09, -0.34], [0.09, 0.02], [0.24, 0.02], [0.0, 0.34], [-0.24, 0.02]]
    + [[-0.09, 0.02]]
)
"""An arrow that points up, in a square of edge 1 around the origin."""
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True)
class CubeDrawing:
    """A cube from the corner between its visible faces; see :class:`pysim.items.Drawing`."""

    view: CornerView

    def draw(self, size: int) -> NDArray[np.uint8]:
        """(size, size, 3) sRGB."""
        outlines: list[Outline] = []
        for face, arrow in zip(VISIBLE, self.view, strict=True):
            frame = Frame(face, arrow.towards)
            outlines.append((_on_face(frame, SQUARE), None))
            outlines.append((_on_face(frame, ARROW), PAINT[arrow.colour]))
        return _drawn(outlines, size)


@dataclass(frozen=True, slots=True)
class NetDrawing:
    """A net; see :class:`pysim.items.Drawing`."""

    net: ArrowNet

    def draw(self, size: int) -> NDArray[np.uint8]:
        """(size, size, 3) sRGB."""
        outlines: list[Outline] = []
        for square, arrow in zip(self.net.shape, self.net.arrows, strict=True):
            turned = ARROW @ make_turn(arrow.way)
            outlines.append((SQUARE + square, None))
            outlines.append((turned + square, PAINT[arrow.colour]))
        return _drawn(outlines, size)


def make_turn(way: Heading) -> _Points:
    """(2, 2): turns rows of points that mean up so that they point this way."""
    x, y = way.step
    return np.array([[y, -x], [x, y]], dtype=np.float64)


def _on_face(frame: Frame, points: _Points) -> _Points:
    """Return points of a face of the cube of edge 1 around the origin, where they are seen."""
    right, up, out = (
        np.array(face.side.vector, dtype=np.float64)
        for face in (frame.find_face(Heading.RIGHT), frame.up, frame.outward)
    )
    seen: _Points = (points @ np.array([right, up]) + out / 2.0) @ _camera()
    return seen


def _camera() -> _Points:
    """(3, 2): from the room to what lies right and up on the page."""
    elevation = np.radians(30.0)
    right = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    behind = np.array([-1.0, 1.0, 0.0]) / np.sqrt(2.0)
    up = behind * np.sin(elevation) + np.array([0.0, 0.0, 1.0]) * np.cos(elevation)
    return np.array([right, up]).T


def _drawn(outlines: Sequence[Outline], size: int) -> NDArray[np.uint8]:
    """Polygons in order on a white page, as large as they fit."""
    import cv2  # Not above: nothing else in the rules or items of nets needs it.

    page = np.full((size, size, 3), 255, dtype=np.uint8)
    everything = np.concatenate([points for points, _ in outlines])
    low, high = everything.min(axis=0), everything.max(axis=0)
    scale = _SHARE * size / float((high - low).max())
    thick = max(1, size // 200)
    for points, fill in outlines:
        there = (points - (low + high) / 2.0) * [scale, -scale] + size / 2.0
        corners = np.rint(there * _FRACTION).astype(np.int32)
        if fill is None:
            cv2.polylines(page, [corners], True, _BLACK, thick, cv2.LINE_AA, shift=4)
        else:
            cv2.fillPoly(page, [corners], fill, cv2.LINE_AA, shift=4)
    return page
