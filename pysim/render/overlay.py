"""What is written over a picture: the view's name, and which way the world's axes point."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.render.camera import Camera

__all__ = ["MIN_SIZE", "annotate"]

MIN_SIZE = 96
"""Smaller pictures, in pixels, stay as they are: nothing could be read."""

_MIN_AXES_SIZE = 160
"""Smaller pictures bear the name only: the axes would lie on the puzzle."""

_INK = (40, 40, 44)
_HALO = (250, 250, 250)
_SUB = 4
"""Bits behind the point in the coordinates of lines."""


def annotate(rgb: NDArray[np.uint8], camera: Camera) -> NDArray[np.uint8]:
    """A copy of a picture (H, W, 3) with the camera's name top left and the axes bottom left.

    The strokes are dark with a light halo, so that no piece's colour is imitated. An axis that
    points straight at the viewer ends in a ring.
    """
    picture = rgb.copy()
    size = min(rgb.shape[:2])
    if size >= MIN_SIZE:
        pen = _Pen(picture, max(size, 200) / 512.0)
        pen.text(camera.name, 0.02 * size, 0.02 * size + pen.text_height, 0.0)
        if size >= _MIN_AXES_SIZE:
            _draw_axes(pen, camera, size, rgb.shape[0])
    return picture


class _Pen:
    """Draws strokes and words with a halo on one picture."""

    def __init__(self, picture: NDArray[np.uint8], scale: float) -> None:
        self.picture = picture
        self.scale = scale
        self.font_scale = 0.25 + 0.3 * scale
        (_, height), _ = cv2.getTextSize("+X", cv2.FONT_HERSHEY_SIMPLEX, self.font_scale, 1)
        self.text_height = float(height)

    def line(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> None:
        """A stroke between two points (column, row)."""
        ends = [tuple(round(float(v) * 2**_SUB) for v in point) for point in (start, end)]
        for colour, width in ((_HALO, self._width(5.0) + 1), (_INK, self._width(2.2) + 1)):
            cv2.line(self.picture, ends[0], ends[1], colour, width, cv2.LINE_AA, _SUB)

    def ring(self, centre: NDArray[np.float64]) -> None:
        """A ring with a dot: the tip of an axis that points at the viewer."""
        at = tuple(round(float(v) * 2**_SUB) for v in centre)
        radius = round(5.5 * max(self.scale, 0.6) * 2**_SUB)
        cv2.circle(self.picture, at, round(radius * 1.3), _HALO, -1, cv2.LINE_AA, _SUB)
        cv2.circle(self.picture, at, radius, _INK, self._width(1.6), cv2.LINE_AA, _SUB)
        cv2.circle(self.picture, at, radius // 3, _INK, -1, cv2.LINE_AA, _SUB)

    def text(self, words: str, left: float, bottom: float, centred: float) -> None:
        """Words whose box starts at ``left`` - ``centred`` of its width, on a base line."""
        (width, _), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, self.font_scale, 1)
        at = (round(left - centred * width), round(bottom))
        for colour, thickness in ((_HALO, self._width(4.0) + 1), (_INK, self._width(1.2))):
            cv2.putText(
                self.picture,
                words,
                at,
                cv2.FONT_HERSHEY_SIMPLEX,
                self.font_scale,
                colour,
                thickness,
                cv2.LINE_AA,
            )

    def _width(self, pixels: float) -> int:
        return max(1, round(pixels * self.scale))


def _draw_axes(pen: _Pen, camera: Camera, size: int, height: int) -> None:
    """The three axes from one origin, the farthest tip first."""
    length = 0.075 * size
    reach = length + 1.6 * pen.text_height + 0.02 * size
    origin = np.array([reach, height - reach])
    axes = camera.view()[:3, :3]  # columns: where x, y and z point in camera coordinates
    flat = axes[:2] * np.array([[1.0], [-1.0]])
    for index in np.argsort(axes[2]):
        tip = origin + length * flat[:, index]
        pen.line(origin, tip)
        if axes[2, index] > 0.9:
            pen.ring(tip)
    labels = _label_places(origin, length * flat, pen.text_height)
    for index, at in enumerate(labels):
        pen.text("+" + "XYZ"[index], at[0], at[1] + pen.text_height / 2.0, 0.5)


def _label_places(
    origin: NDArray[np.float64], arms: NDArray[np.float64], text_height: float
) -> NDArray[np.float64]:
    """Middles (3, 2) of the labels of three arms (2, 3): beyond their tips, not on each other."""
    away = -arms.sum(axis=1)
    places = np.empty((3, 2))
    for index, arm in enumerate(arms.T):
        aim = _unit(arm) if np.linalg.norm(arm) > text_height else _unit(away)
        places[index] = origin + arm + aim * (0.9 * text_height + 2.0)
    for _ in range(8):
        for a, b in ((0, 1), (0, 2), (1, 2)):
            apart = places[b] - places[a]
            # Labels are about twice as wide as they are high.
            missing = 1.0 - np.linalg.norm(apart / (2.4 * text_height, 1.5 * text_height))
            if missing > 0.0:
                push = _unit(apart) * missing * text_height
                places[a] -= push
                places[b] += push
    return places


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    length = math.hypot(vector[0], vector[1])
    return vector / length if length > 1e-9 else np.array([0.7, 0.7])
