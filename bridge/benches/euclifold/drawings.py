"""Line drawings of cubes and nets with coloured arrows, in the style of the paper.

The paper uses matplotlib (4.2), as does :mod:`bridge.benches.euclifold.plots` where it is
installed. These drawings are made with OpenCV and are the same on every machine. The page is white
without axes, edges are black and arrows filled. A cube is seen from the front right and 30 degrees
above, in parallel projection.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.families.nets.cube import ArrowColour, CornerView
from pysim.families.nets.faces import VISIBLE, Frame, Heading
from pysim.families.nets.folding import ArrowNet

__all__ = ["ARROW", "FILL_COLOURS", "SQUARE", "CubeDrawing", "NetDrawing", "make_rotation"]

FILL_COLOURS = {
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
_PAGE_RATIO = 0.86
"""Ratio of the drawing's size to the page's."""
_SUBPIXEL_BITS = 4
"""Fractional bits of the pixel coordinates that OpenCV gets."""

_Points = NDArray[np.float64]
"""(n, 2) coordinates: right and up."""
_Polygon = tuple[_Points, tuple[int, int, int] | None]
"""A polygon and its sRGB fill; None draws a black outline instead."""

ARROW = np.array(
    [[-0.09, -0.34], [0.09, -0.34], [0.09, 0.02], [0.24, 0.02], [0.0, 0.34], [-0.24, 0.02]]
    + [[-0.09, 0.02]]
)
"""An arrow that points up, in the unit square around the origin."""
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True)
class CubeDrawing:
    """A view of a cube from the corner of its visible faces; see :class:`pysim.items.Drawing`."""

    view: CornerView

    def draw(self, size: int) -> NDArray[np.uint8]:
        """Return a (size, size, 3) sRGB image."""
        polygons: list[_Polygon] = []
        for face, arrow in zip(VISIBLE, self.view, strict=True):
            frame = Frame(face, arrow.towards)
            polygons.append((_project_face(frame, SQUARE), None))
            polygons.append((_project_face(frame, ARROW), FILL_COLOURS[arrow.colour]))
        return _draw_polygons(polygons, size)


@dataclass(frozen=True, slots=True)
class NetDrawing:
    """A net; see :class:`pysim.items.Drawing`."""

    net: ArrowNet

    def draw(self, size: int) -> NDArray[np.uint8]:
        """Return a (size, size, 3) sRGB image."""
        polygons: list[_Polygon] = []
        for square, arrow in zip(self.net.shape, self.net.arrows, strict=True):
            arrow_points = ARROW @ make_rotation(arrow.way)
            polygons.append((SQUARE + square, None))
            polygons.append((arrow_points + square, FILL_COLOURS[arrow.colour]))
        return _draw_polygons(polygons, size)


def make_rotation(heading: Heading) -> _Points:
    """Return a (2, 2) matrix that rotates row vectors from up to a heading."""
    x, y = heading.step
    return np.array([[y, -x], [x, y]], dtype=np.float64)


def _project_face(frame: Frame, points: _Points) -> _Points:
    """Project points of a face of the unit cube around the origin to the page."""
    right, up, out = (
        np.array(face.side.vector, dtype=np.float64)
        for face in (frame.find_face(Heading.RIGHT), frame.up, frame.outward)
    )
    projected: _Points = (points @ np.array([right, up]) + out / 2.0) @ _make_projection()
    return projected


def _make_projection() -> _Points:
    """Return a (3, 2) matrix from world coordinates to right and up on the page."""
    elevation = np.radians(30.0)
    right = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    behind = np.array([-1.0, 1.0, 0.0]) / np.sqrt(2.0)
    up = behind * np.sin(elevation) + np.array([0.0, 0.0, 1.0]) * np.cos(elevation)
    return np.array([right, up]).T


def _draw_polygons(polygons: Sequence[_Polygon], size: int) -> NDArray[np.uint8]:
    """Draw polygons in order on a white page, scaled to fit."""
    import cv2  # Loaded here, as nothing else in the rules or items of nets needs it.

    page = np.full((size, size, 3), 255, dtype=np.uint8)
    all_points = np.concatenate([points for points, _ in polygons])
    low, high = all_points.min(axis=0), all_points.max(axis=0)
    scale = _PAGE_RATIO * size / float((high - low).max())
    thickness = max(1, size // 200)
    for points, fill in polygons:
        pixels = (points - (low + high) / 2.0) * [scale, -scale] + size / 2.0
        corners = np.rint(pixels * (1 << _SUBPIXEL_BITS)).astype(np.int32)
        if fill is None:
            cv2.polylines(
                page, [corners], True, _BLACK, thickness, cv2.LINE_AA, shift=_SUBPIXEL_BITS
            )
        else:
            cv2.fillPoly(page, [corners], fill, cv2.LINE_AA, shift=_SUBPIXEL_BITS)
    return page
