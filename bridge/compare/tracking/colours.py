"""What pieces and the background look like, learned from the first true frame, and what it costs.

Colours are sRGB from 0 to 255. A pixel costs from 0, where it looks just as it should, to 1.
"""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["Looks", "colour_costs", "learn_looks", "match_colours", "pixel_costs", "recoloured"]

_Plane = NDArray[np.float32]
_Picture = NDArray[np.float32]

_FEWEST = 12
"""Pixels that tell the colour of a side."""
_SPREAD = 14.0
"""Deviation of colours at least: noise of codecs, lines between cells, soft shadows."""
_CUT = 3.0
"""Deviations beyond which everything is equally unlike."""
_DARK, _LIGHT = 0.70, 1.10
"""How much darker or brighter something may be for its shadow or light."""
_SUDDEN = 0.25
"""By how much any part of the map of colours may change from one frame to the next."""
_UNSEEN = 0.8
"""Brightness of sides that no piece shows at first, beside the brightest ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What is expected.

    Attributes:
        sides: (P, 3, 3) colour of each piece on the sides that are seen along x, y and z.
        spread: (P,) deviation of these colours.
        background: (H, W, 3) what stands behind the pieces.
    """

    sides: NDArray[np.float32]
    spread: NDArray[np.float32]
    background: _Picture

    def expected(self, labels: NDArray[np.int16], wears: NDArray[np.int64]) -> _Picture:
        """The picture (H, W, 3) of some labels, see :mod:`bridge.compare.tracking.zbuffer`.

        Args:
            wears: (P,) whose colours each piece has.
        """
        flat = self.sides[wears][:, [0, 1, 2, 0]].reshape(-1, 3)
        there = labels >= 0
        picture = self.background.copy()
        picture[there] = flat[labels[there]]
        return picture


def learn_looks(
    picture: _Picture, labels: NDArray[np.int16], palette: NDArray[np.float32]
) -> Looks:
    """Learn them from a true frame.

    Args:
        picture: (H, W, 3).
        labels: (H, W) which side of which piece is seen where.
        palette: (P, 3) how pieces are painted.
    """
    inside = _inner(labels)
    count = len(palette)
    sides, found = np.zeros((count, 3, 3), np.float32), np.zeros((count, 3), bool)
    spread = np.full(count, _SPREAD, np.float32)
    for piece in range(count):
        offs = []
        for side in range(3):
            pixels = picture[inside & (labels == 4 * piece + side)]
            if len(pixels) >= _FEWEST:
                sides[piece, side] = np.median(pixels, axis=0)
                found[piece, side] = True
                offs.append(np.abs(pixels - sides[piece, side]).mean(axis=1))
        if offs:
            spread[piece] = max(_SPREAD, 1.25 * float(np.median(np.concatenate(offs))))
    _fill_in(sides, found, palette)
    return Looks(sides, spread, _background(picture, labels))


def _inner(labels: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Pixels whose neighbours have the same label."""
    flat = labels.astype(np.float32)
    kernel = np.ones((3, 3), np.uint8)
    same: NDArray[np.bool_] = cv2.erode(flat, kernel) == cv2.dilate(flat, kernel)
    return same


def _fill_in(
    sides: NDArray[np.float32], found: NDArray[np.bool_], palette: NDArray[np.float32]
) -> None:
    """Sides that were not seen: as bright beside the paint as those of other pieces."""
    bright = np.full(3, np.nan, np.float32)
    for side in range(3):
        some = found[:, side]
        if some.any():
            whole = palette[some].sum(axis=1)
            bright[side] = float(np.median(sides[some, side].sum(axis=1) / np.maximum(whole, 1.0)))
    usual = float(np.nanmax(bright)) * _UNSEEN if np.isfinite(bright).any() else _UNSEEN
    bright = np.where(np.isfinite(bright), bright, usual)
    for piece, side in np.argwhere(~found).tolist():
        sides[piece, side] = np.clip(palette[piece] * bright[side], 0, 255)


def _background(picture: _Picture, labels: NDArray[np.int16]) -> _Picture:
    """The picture without pieces: what they hide is taken from around them."""
    hidden = cv2.dilate((labels >= 0).astype(np.uint8), np.ones((5, 5), np.uint8))
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    mask = cv2.resize(hidden, small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    filled = cv2.inpaint(np.clip(small, 0, 255).astype(np.uint8), mask, 5, cv2.INPAINT_TELEA)
    large = cv2.resize(filled.astype(np.float32), picture.shape[1::-1])
    empty: _Picture = np.where(hidden[..., None] > 0, large, picture).astype(np.float32)
    return empty


def match_colours(
    picture: _Picture, expected: _Picture, last: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The (4, 3) affine map from a picture's colours to the expected ones.

    It is drawn towards no change, and what does not fit is left out, round by round. The light does
    not change all at once: where two pieces change colours, no map makes the one of the other.

    Args:
        last: the map of the frame before; it is kept where the new one is quite another one.
    """
    found = _matched(picture, expected)
    sudden = last is not None and float(np.abs(found - last).max()) > _SUDDEN
    return last if last is not None and sudden else found


def _matched(picture: _Picture, expected: _Picture) -> NDArray[np.float64]:
    step = max(1, int(np.sqrt(picture.shape[0] * picture.shape[1] / 4000)))
    mine = picture[::step, ::step].reshape(-1, 3).astype(np.float64)
    theirs = expected[::step, ::step].reshape(-1, 3).astype(np.float64)
    given = np.column_stack([mine, np.full(len(mine), 255.0)])
    usual = np.vstack([np.eye(3), np.zeros(3)])
    found, limit = usual, 120.0
    for _ in range(5):
        wrong = np.abs(given @ found - theirs)
        off = np.maximum(np.maximum(wrong[:, 0], wrong[:, 1]), wrong[:, 2])
        kept = off < limit
        if kept.sum() < 50:
            return usual
        a, b = given[kept], theirs[kept]
        pull = 20.0 * len(a)
        found = np.linalg.solve(a.T @ a + pull * np.eye(4), a.T @ b + pull * usual)
        limit = max(25.0, limit / 2.0)
    return found


def recoloured(picture: _Picture, colours: NDArray[np.float64]) -> _Picture:
    """A picture (H, W, 3) under an affine map of colours."""
    matrix = np.column_stack([colours[:3].T, 255.0 * colours[3]]).astype(np.float32)
    return cast("_Picture", cv2.transform(picture, matrix))


def colour_costs(looks: Looks, picture: _Picture) -> tuple[_Plane, _Plane]:
    """What each pixel costs for each side of each piece, and for the background.

    Returns:
        (P, 3, H, W) and (H, W).
    """
    shape = picture.shape[:2]
    costs = np.empty((len(looks.sides), 3, *shape), np.float32)
    behind = np.empty(shape, np.float32)
    _fill_costs(looks.sides, looks.spread, looks.background, picture, costs, behind)
    return costs, behind


@njit(cache=True)
def pixel_costs(
    costs: _Plane, empty: _Plane, labels: NDArray[np.int16], wears: NDArray[np.int64]
) -> _Plane:
    """What each pixel (H, W) costs under some labels.

    Args:
        costs, empty: as :func:`colour_costs` returns them.
        labels: (H, W), see :mod:`bridge.compare.tracking.zbuffer`.
        wears: (P,) whose colours each piece has.
    """
    cost = empty.copy()
    for row in range(labels.shape[0]):
        for column in range(labels.shape[1]):
            label = labels[row, column]
            if label >= 0:
                cost[row, column] = costs[wears[label >> 2], label & 3, row, column]
    return cost


@njit(cache=True, fastmath=True, error_model="numpy")
def _fill_costs(
    sides: NDArray[np.float32],
    spread: NDArray[np.float32],
    background: _Picture,
    picture: _Picture,
    costs: _Plane,
    behind: _Plane,
) -> None:
    usual = np.float32(_SPREAD)
    height, width = picture.shape[:2]
    reds, greens, blues = picture[..., 0].copy(), picture[..., 1].copy(), picture[..., 2].copy()
    for row in range(height):
        for column in range(width):
            behind[row, column] = _cost(
                picture[row, column, 0],
                picture[row, column, 1],
                picture[row, column, 2],
                background[row, column, 0],
                background[row, column, 1],
                background[row, column, 2],
                usual,
            )
    r, g, b = reds.reshape(-1), greens.reshape(-1), blues.reshape(-1)
    planes = costs.reshape((len(sides), 3, height * width))
    # Plane by plane, so that what is written lies together, and is compiled to vectors.
    for piece in range(len(sides)):
        for side in range(3):
            red, green, blue = sides[piece, side, 0], sides[piece, side, 1], sides[piece, side, 2]
            plane, wide = planes[piece, side], spread[piece]
            for k in range(np.uintp(height * width)):
                plane[k] = _cost(r[k], g[k], b[k], red, green, blue, wide)


@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _cost(
    r: np.float32,
    g: np.float32,
    b: np.float32,
    red: np.float32,
    green: np.float32,
    blue: np.float32,
    spread: np.float32,
) -> np.float32:
    """The squared distance to a colour, which may be in shadow or in light for a little more."""
    size = max(red * red + green * green + blue * blue, np.float32(1.0))
    light = (r * red + g * green + b * blue) / size
    light = min(max(light, np.float32(_DARK)), np.float32(_LIGHT))
    x, y, z = r - light * red, g - light * green, b - light * blue
    shade = (np.float32(1.0) - light) * np.float32(2.0)
    total = (x * x + y * y + z * z) / (spread * spread) + shade * shade
    return min(total / np.float32(_CUT * _CUT), np.float32(1.0))
