"""Text over a picture: the view's name, the world's axes, and names of pieces."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Bounds
from pysim.render.camera import Camera

__all__ = [
    "MIN_SIZE",
    "PLAIN",
    "Labels",
    "Overlay",
    "draw_overlay",
    "draw_ruler",
    "has_axes",
    "has_ruler",
    "label",
    "label_texts",
    "name_height",
    "write_title",
]

MIN_SIZE = 96
"""Smaller pictures, in pixels, stay as they are: nothing could be read."""

_MIN_AXES_SIZE = 160
"""Smaller pictures bear the name only: the axes would lie on the puzzle."""

_AXIS = 0.075
"""Length of an axis, as a share of the picture's edge."""

_MIN_RULER_SIZE = 200
"""Smaller pictures bear no ruler: its numbers would lie on each other."""

_LEAST_TITLE = 8
"""Pixels of height below which a title can't be read."""

_LEAST_LABELLED = 12
"""Pixels of a body that are to be seen before it is labelled."""

_INK = (40, 40, 44)
_HALO = (250, 250, 250)
_SUB = 4
"""Bits behind the point in the coordinates of lines."""


class Labels(StrEnum):
    """Labels of pieces."""

    NONE = "none"
    LETTERS = "letters"
    COLOURS = "colours"


@dataclass(frozen=True, slots=True)
class Overlay:
    """Text over pictures.

    Attributes:
        name: the camera's name, top left.
        axes: which way the world's axes point, bottom left.
        labels: letters (A, B, ..., Z, AA, ...) or names on the bodies; more than about 20 colours
            are hard to tell apart.
        ruler: coordinates of cells, in the tiles of shots that ask for them.
    """

    name: bool = True
    axes: bool = True
    labels: Labels = Labels.NONE
    ruler: bool = True


PLAIN = Overlay(name=False, axes=False)
"""Nothing but the rulers that shots ask for."""


def label_texts(names: Sequence[str], labels: Labels) -> dict[int, str]:
    """Return the label of each body, by picture id.

    Args:
        names: of the bodies, in the scene's order.
    """
    if labels is Labels.NONE:
        return {}
    texts = names if labels is Labels.COLOURS else [_letters(i) for i in range(len(names))]
    return dict(enumerate(texts, start=1))


def label(
    rgb: NDArray[np.uint8], ids: NDArray[np.uint16], texts: Mapping[int, str]
) -> NDArray[np.uint8]:
    """Return a copy of a picture (H, W, 3) with texts where the bodies with these ids are seen.

    Each stands where its body is widest, on its largest visible part; a body of which hardly
    anything is seen gets none. Letters are at least 8 pixels high in a picture of 256.
    """
    picture = rgb.copy()
    pen = _Pen(picture, max(min(rgb.shape[:2]), 230) / 512.0)
    for place, text in _label_spots(ids, texts):
        pen.draw_plate(text, *place)
    return picture


def write_title(picture: NDArray[np.uint8], words: str, box: tuple[int, int, int, int]) -> None:
    """Write words into a strip of a picture (H, W, 3), in its middle; it is changed.

    Args:
        box: left, top, width and height of the strip in pixels; below 8 of height nothing is
            written: it could not be read.
    """
    left, top, width, height = box
    if height < _LEAST_TITLE:
        return
    pen = _Pen(picture, (height / 32.0 - 0.25) / 0.3)
    pen.draw_text(words, left + width / 2.0, top + (height + pen.text_height) / 2.0, 0.5)


def draw_overlay(
    rgb: NDArray[np.uint8],
    camera: Camera,
    overlay: Overlay | None = None,
    occupied: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint8]:
    """Return a copy of a picture (H, W, 3) with the name of its camera, and the axes in a corner.

    Args:
        overlay: whether to write the one and the other; None for both.
        occupied: (H, W), where bodies are seen; the axes are drawn in the corner with the fewest of
            these pixels, of equals first bottom left. None for bottom left in any case.

    The strokes are dark with a light halo, so that no piece's colour is imitated. An axis that
    points straight at the viewer ends in a ring.
    """
    picture = rgb.copy()
    size = min(rgb.shape[:2])
    chosen = overlay or Overlay()
    if size >= MIN_SIZE:
        pen = _Pen(picture, max(size, 200) / 512.0)
        if chosen.name:
            pen.draw_text(camera.name, 0.02 * size, 0.02 * size + pen.text_height, 0.0)
        if chosen.axes and has_axes(size, clears=occupied is not None):
            _draw_axes(pen, camera, size, _axes_origin(pen, size, rgb.shape[:2], occupied))
    return picture


def has_axes(size: int, *, clears: bool = False) -> bool:
    """Return whether :func:`draw_overlay` draws the axes in pictures of this size in pixels.

    Args:
        clears: whether it knows which pixels are occupied.
    """
    return size >= (MIN_SIZE if clears else _MIN_AXES_SIZE)


def has_ruler(size: int) -> bool:
    """Return whether :func:`draw_ruler` draws in pictures of this size in pixels."""
    return size >= _MIN_RULER_SIZE


def draw_ruler(picture: NDArray[np.uint8], camera: Camera, block: Bounds) -> None:
    """Number the cells of a block along the outline of its picture (H, H, 3), in place.

    Each axis has one scale on an edge that nothing of the block is outside of, with a tick for
    each cell and the axis's letter at its high end. An axis along the line of sight has none.
    """
    size = picture.shape[0]
    if not has_ruler(size):
        return
    pen = _Pen(picture, 0.7 * max(size, 256) / 512.0)
    for axis in range(3):
        edge = _outline_edge(camera, block, axis, size)
        if edge is not None:
            _draw_scale(pen, axis, edge)


def name_height(size: int) -> int:
    """Return the rows at the top of a square picture in which :func:`draw_overlay` writes."""
    if size < MIN_SIZE:
        return 0
    pen = _Pen(np.zeros((1, 1, 3), dtype=np.uint8), max(size, 200) / 512.0)
    return math.ceil(0.02 * size + 1.4 * pen.text_height) + pen.halo


class _Pen:
    """Draws strokes and words with a halo on one picture."""

    def __init__(self, picture: NDArray[np.uint8], scale: float) -> None:
        self.picture = picture
        self.scale = scale
        self.font_scale = 0.25 + 0.3 * scale
        (_, height), _ = cv2.getTextSize("+X", cv2.FONT_HERSHEY_SIMPLEX, self.font_scale, 1)
        self.text_height = float(height)
        self.halo = self._width(4.0) + 1

    def draw_line(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> None:
        """A stroke between two points (column, row)."""
        ends = [tuple(round(float(v) * 2**_SUB) for v in point) for point in (start, end)]
        for colour, width in ((_HALO, self._width(5.0) + 1), (_INK, self._width(2.2) + 1)):
            cv2.line(self.picture, ends[0], ends[1], colour, width, cv2.LINE_AA, _SUB)

    def draw_tick(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> None:
        """Draw a thin line between two points (column, row)."""
        first, last = (tuple(round(float(v) * 2**_SUB) for v in at) for at in (start, end))
        cv2.line(self.picture, first, last, _INK, self._width(1.6), cv2.LINE_AA, _SUB)

    def draw_ring(self, centre: NDArray[np.float64]) -> None:
        """A ring with a dot: the tip of an axis that points at the viewer."""
        at = tuple(round(float(v) * 2**_SUB) for v in centre)
        radius = round(5.5 * max(self.scale, 0.6) * 2**_SUB)
        cv2.circle(self.picture, at, round(radius * 1.3), _HALO, -1, cv2.LINE_AA, _SUB)
        cv2.circle(self.picture, at, radius, _INK, self._width(1.6), cv2.LINE_AA, _SUB)
        cv2.circle(self.picture, at, radius // 3, _INK, -1, cv2.LINE_AA, _SUB)

    def draw_text(self, words: str, left: float, bottom: float, centred: float) -> None:
        """Words whose box starts at ``left`` - ``centred`` of its width, on a base line."""
        (width, _), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, self.font_scale, 1)
        at = (round(left - centred * width), round(bottom))
        self._write(words, at, _HALO, self.halo)
        self._write(words, at, _INK, self._width(1.2))

    def measure_text(self, words: str) -> tuple[int, int]:
        """Return width and height of words in pixels."""
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, self.font_scale, 1)
        return width, height

    def draw_centred(self, words: str, middle: NDArray[np.float64]) -> None:
        """Write words around a point (column, row), moved so far that they are in the picture."""
        half = np.array(self.measure_text(words)) / 2.0
        size = np.array(self.picture.shape[1::-1], dtype=np.float64)
        column, row = np.clip(middle, half + 1.0, size - half - 1.0)
        self.draw_text(words, float(column), float(row + half[1]), 0.5)

    def draw_plate(self, words: str, column: float, row: float) -> None:
        """Words on a light plate, whose middle is given."""
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, self.font_scale, 1)
        left, bottom = round(column - width / 2.0), round(row + height / 2.0)
        corners = (left - 2, bottom - height - 2), (left + width + 1, bottom + 2)
        cv2.rectangle(self.picture, *corners, _HALO, -1)
        self._write(words, (left, bottom), _INK, 1)

    def _write(
        self, words: str, at: tuple[int, int], colour: tuple[int, int, int], thickness: int
    ) -> None:
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(self.picture, words, at, font, self.font_scale, colour, thickness, cv2.LINE_AA)

    def _width(self, pixels: float) -> int:
        return max(1, round(pixels * self.scale))


def _letters(index: int) -> str:
    """Return a, B, ..., Z, AA, AB, ..."""
    high, low = divmod(index, 26)
    return (_letters(high - 1) if high else "") + chr(ord("A") + low)


def _label_spots(
    ids: NDArray[np.uint16], texts: Mapping[int, str]
) -> Iterator[tuple[tuple[float, float], str]]:
    """Column and row of the middle of each text: the pixel farthest from its body's outline."""
    for number, text in texts.items():
        rows, columns = np.nonzero(ids == number)
        if len(rows) < _LEAST_LABELLED:
            continue
        top, left = rows.min(), columns.min()
        part = ids[top : rows.max() + 1, left : columns.max() + 1] == number
        inside = cv2.distanceTransform(np.pad(part, 1).astype(np.uint8), cv2.DIST_L2, 5)
        row, column = np.unravel_index(int(inside.argmax()), inside.shape)
        yield (float(left + column) - 0.5, float(top + row) - 0.5), text


def _axes_origin(
    pen: _Pen, size: int, shape: tuple[int, ...], occupied: NDArray[np.bool_] | None
) -> NDArray[np.float64]:
    """Return column and row of the axes' origin, in the corner where they cover least."""
    height, width = shape
    reach = _AXIS * size + 1.6 * pen.text_height + 0.02 * size
    left, right, high, low = reach, width - reach, reach, height - reach
    origins = [np.array(at) for at in ((left, low), (right, low), (right, high))]
    if occupied is None:
        return origins[0]
    covered = [_count_around(occupied, origin, reach) for origin in origins]
    return origins[int(np.argmin(covered))]


def _count_around(mask: NDArray[np.bool_], at: NDArray[np.float64], reach: float) -> int:
    """Return how many pixels of a mask (H, W) lie in the square around a column and row."""
    left, top = (max(0, round(x - reach)) for x in at)
    right, low = (round(x + reach) for x in at)
    return int(np.count_nonzero(mask[top:low, left:right]))


def _draw_axes(pen: _Pen, camera: Camera, size: int, origin: NDArray[np.float64]) -> None:
    """Draw the three axes from one origin, the farthest tip first."""
    column, row = origin.tolist()
    axes = _lay_axes(camera, size, (column, row), pen.text_height)
    for tip, faces in axes.tips:
        pen.draw_line(origin, tip)
        if faces:
            pen.draw_ring(tip)
    for name, at in zip("XYZ", axes.labels, strict=True):
        pen.draw_text(f"+{name}", at[0], at[1] + pen.text_height / 2.0, 0.5)


class _Axes(NamedTuple):
    """Axes in a picture: tips and whether each points at the viewer, and middles of labels."""

    tips: list[tuple[NDArray[np.float64], bool]]
    labels: NDArray[np.float64]


@lru_cache(maxsize=256)
def _lay_axes(camera: Camera, size: int, origin: tuple[float, float], text_height: float) -> _Axes:
    """Place the three axes, the farthest tip first."""
    axes = camera.compute_view()[:3, :3]  # columns: where x, y and z point in camera coordinates
    arms = _AXIS * size * axes[:2] * np.array([[1.0], [-1.0]])
    tips = [
        (np.array(origin) + arms[:, index], bool(axes[2, index] > 0.9))
        for index in np.argsort(axes[2])
    ]
    return _Axes(tips, _label_places(np.array(origin), arms, text_height))


@dataclass(frozen=True, slots=True)
class _Edge:
    """An edge of a block on the outline of its picture.

    Attributes:
        numbers: of the cells along it.
        points: (n, 2) pictures of their middles on the edge.
        outward: (2,) unit vector in the picture, away from the block.
    """

    numbers: range
    points: NDArray[np.float64]
    outward: NDArray[np.float64]


def _outline_edge(camera: Camera, block: Bounds, axis: int, size: int) -> _Edge | None:
    """Return the lowest edge along x or y, the leftmost one along z; None if none has a length."""
    ends = np.array([block.low, block.high]) + np.array([[-0.5], [0.5]])
    picks = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(8, 3)
    corners = np.where(picks, ends[1], ends[0])
    flat = camera.project(corners, size)[:, :2]
    numbers = range(block.low[axis], block.high[axis] + 1)
    found: list[tuple[tuple[int, int], _Edge]] = []
    for start in np.flatnonzero(picks[:, axis] == 0):
        cells = np.repeat(corners[start][None], len(numbers), axis=0)
        cells[:, axis] = numbers
        end = np.flatnonzero((picks == picks[start] + np.eye(3, dtype=int)[axis]).all(axis=1))[0]
        along = flat[end] - flat[start]
        if np.linalg.norm(along) < len(numbers):
            continue
        outward = np.array([along[1], -along[0]]) / np.linalg.norm(along)
        aside = (flat - flat[start]) @ outward
        if aside.max() > 0.5 and aside.min() < -0.5:
            continue
        column, row = (round(float(v)) for v in (flat[start] + flat[end]) / 2.0)
        points = camera.project(cells, size)[:, :2]
        rank = (column, row) if axis == 2 else (-row, column)
        found.append((rank, _Edge(numbers, points, outward if aside.max() <= 0.5 else -outward)))
    return min(found, key=lambda one: one[0])[1] if found else None


def _draw_scale(pen: _Pen, axis: int, edge: _Edge) -> None:
    """Draw the ticks of an edge, numbers as close as there is room, and the letter of its axis."""
    extents = np.array([pen.measure_text(str(number)) for number in edge.numbers])
    steps = np.diff(edge.points, axis=0) if len(edge.numbers) > 1 else np.full((1, 2), 99.0)
    ways = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    needed = float((np.abs(ways[-1]) * extents.max(axis=0)).sum()) + 3.0
    spacing = float(np.linalg.norm(steps, axis=1).min())
    every = next((k for k in (1, 2, 5, 10) if k * spacing >= needed), 20)
    tick = 0.4 * pen.text_height
    for number, point, extent in zip(edge.numbers, edge.points, extents, strict=True):
        shown = number % every == 0
        pen.draw_tick(point, point + edge.outward * tick * (1.0 if shown else 0.5))
        if shown:
            away = tick + float((np.abs(edge.outward) * extent).sum()) / 2.0 + 2.0
            pen.draw_centred(str(number), point + edge.outward * away)
    last, extent = edge.points[-1], extents.max(axis=0)
    away = tick + float((np.abs(edge.outward) * extent).sum()) / 2.0 + 2.0
    pen.draw_centred("xyz"[axis], last + edge.outward * away + ways[-1] * (needed + 2.0))


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
