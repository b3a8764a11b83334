"""Appearance of bodies and of what is behind them, learned from a whole film."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.colors import find_largest, measure_differences
from bridge.video.reference.pictures import cover_picture
from bridge.video.reference.surfaces import Surfaces
from bridge.video.thresholds import LIMITS
from pysim.kernels import kernel

__all__ = [
    "UNSEEN",
    "Background",
    "Observations",
    "borrow_texture",
    "learn_background",
    "learn_paint",
    "split_sides",
]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]

UNSEEN = -1.0
"""Colour of texels that the film never shows."""
_MOST_SPREAD = 400.0
"""Squared distance beyond which a pixel tells no more of a texel's spread."""
_SHADOW = 0.95
"""Share of its light that the background keeps in a shadow, at most."""
_GROUND_LEVELS = LIMITS.ground_levels
_SHADED_PIXELS = 50
"""Pixels in a shadow that tell how dark it is."""
_ROUNDS = 4
_GRAY_LIGHT = 0.02
"""Share of the pixels of a side by which the light on it is held to be gray."""
_OUTLIER = 40.0
"""Colours farther than this from a first fit are shadows or rims."""
_ENOUGH = 0.25
"""Share of the texels of a rectangle that has to be seen for the others to look like these."""
_AT_ONCE = 2**15
"""Pixels that are compared at a time."""


class Observations(NamedTuple):
    """Pixels in which single rectangles are seen, well inside them.

    Attributes:
        texels: (N,) texels.
        looks: (N,) where each looks to, a row of ``sides``.
        colors: (N, 3) what is seen.
        mixed: (N,) whether each is beside a body in front of it, and looks like both of them.
        sides: (S, 6) share of the light along +x, -x, +y, -y, +z and -z: squared normals.
    """

    texels: NDArray[np.int32]
    looks: NDArray[np.int32]
    colors: _Picture
    mixed: NDArray[np.bool_]
    sides: _Array

    def select(self, use: NDArray[np.bool_]) -> "Observations":
        """Return some of the pixels (N,)."""
        own = (self.texels[use], self.looks[use], self.colors[use], self.mixed[use])
        return Observations(*own, self.sides)


def split_sides(normals: _Array) -> _Array:
    """Return the squares of normals (n, 3), each on the side to which it looks (n, 6)."""
    squares = normals**2
    sides = np.zeros((len(normals), 6))
    sides[:, 0::2] = np.where(normals > 0.0, squares, 0.0)
    sides[:, 1::2] = np.where(normals > 0.0, 0.0, squares)
    return sides


class Paint(NamedTuple):
    """Appearance of surfaces.

    Attributes:
        texture: (T, 3) colours of texels in even light, 0 to 255; :data:`UNSEEN` where never seen.
        spread: (T,) mean squared distance, as pixels are compared, of what texels look like from
            that: large where there are thin lines and rims.
        shade: (6, 3) light along +x, -x, +y, -y, +z and -z, for each channel.
    """

    texture: _Plane
    spread: _Plane
    shade: _Array


def learn_paint(
    surfaces: Surfaces,
    seen: Observations,
    stickered: NDArray[np.bool_],
    alike: Sequence[Hashable],
) -> Paint:
    """Fit textures and light by alternating least squares.

    Texels that are never seen, or only beside what is in front of them, look like those around
    them. Those of rectangles that are never seen, or hardly, look like their body if nothing sticks
    on it. Of bodies with stickers, rectangles that are never seen are negative: :data:`UNSEEN`.

    Args:
        stickered: (B,) bodies that have more colours than may have been seen.
        alike: (F,) equal for rectangles of one colour, more or less.
    """
    count = surfaces.texels
    # Light is first fitted to one colour of each, so that texels of one side tell of it.
    numbers = {one: number for number, one in enumerate(dict.fromkeys(alike))}
    group = np.array([numbers[one] for one in alike], np.int64)
    group = np.repeat(group, surfaces.grid.prod(axis=1))[seen.texels]
    shade = _fit_light(seen, _means(group, seen.colors, len(numbers)), group)
    texture, used = np.zeros((count, 3)), seen
    for round_ in range(_ROUNDS):
        light = used.sides @ shade
        for c in range(3):
            own = light[used.looks, c]
            over = np.bincount(used.texels, own * used.colors[:, c], count)
            under = np.bincount(used.texels, own**2, count)
            texture[:, c] = over / np.maximum(under, 1e-9)
        shade = _fit_light(used, texture, used.texels)
        if round_:
            residuals = _list_residuals(seen, texture, shade)
            used = seen.select(
                np.concatenate([find_largest(np.abs(off)) < _OUTLIER for off in residuals])
            )
    number = np.bincount(seen.texels, minlength=count)
    residuals = _list_residuals(seen, texture, shade)
    off = np.concatenate(
        [np.minimum(measure_differences(some), _MOST_SPREAD) for some in residuals]
    )
    spread = np.bincount(seen.texels, off, count) / np.maximum(number, 1)
    spread[number == 0] = off.mean()
    pure = np.bincount(seen.texels[~seen.mixed], minlength=count)
    texture = _fill(surfaces, texture, pure > 0, ~stickered)
    return Paint(texture.astype(np.float32), spread.astype(np.float32), shade)


def borrow_texture(
    surfaces: Surfaces,
    paint: Paint,
    paints: Sequence[Hashable | None],
    bare: Mapping[Hashable, _Array],
) -> Paint:
    """Return a paint in which rectangles that are never seen look like others, more or less.

    Args:
        paints: (F,) equal for rectangles that look alike; None for one that looks like no other.
        bare: colours (3,) of those that have no sticker. Of these, too, what is seen in a light
            that is hardly known may be far off, and is not used.
    """
    texture, spread = paint.texture.copy(), paint.spread.copy()
    ends = [slice(b, b + n) for b, n in zip(surfaces.base, surfaces.grid.prod(axis=1), strict=True)]
    seen: dict[Hashable, list[_Plane]] = {}
    for own, end in zip(paints, ends, strict=True):
        if own in bare and _is_far_off(texture[end], bare[own]):
            texture[end] = UNSEEN
        if own is not None and texture[end, 0].min() >= 0.0:
            seen.setdefault(own, []).append(texture[end])
    for own, end in zip(paints, ends, strict=True):
        if texture[end, 0].max() < 0.0 and (own in seen or own in bare):
            texture[end] = np.median(seen[own], axis=0) if own in seen else bare[own]
            # Others may have been seen in another light only.
            spread[end] = _MOST_SPREAD
    return paint._replace(texture=texture, spread=spread)


def _is_far_off(texels: _Plane, color: _Array) -> bool:
    return bool(np.abs(np.median(texels, axis=0) - color).sum() > LIMITS.like_color)


def _list_residuals(seen: Observations, texture: _Array, shade: _Array) -> Iterator[_Array]:
    """Yield how much brighter pixels (n, 3) are than texels (T, 3) in a light; some at a time."""
    lights = seen.sides @ shade
    for first in range(0, max(1, len(seen.texels)), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        yield seen.colors[some] - texture[seen.texels[some]] * lights[seen.looks[some]]


def _means(groups: NDArray[np.integer[Any]], values: _Picture, count: int) -> _Array:
    number = np.maximum(np.bincount(groups, minlength=count), 1)
    return np.stack([np.bincount(groups, v, count) / number for v in values.T], axis=1)


def _fit_light(seen: Observations, plain: _Array, groups: NDArray[np.integer[Any]]) -> _Array:
    """Fit the light (6, 3) under which plain colours (G, 3) of groups (N,) look as they are."""
    sides, normals, rights = seen.sides, [], []
    for c in range(3):
        own = plain[groups, c]
        many = np.bincount(seen.looks, own * own, len(sides))
        normals.append(sides.T @ (many[:, None] * sides))
        rights.append(sides.T @ np.bincount(seen.looks, own * seen.colors[:, c], len(sides)))
    ridge = 1e-3 * float(sum(np.trace(one) for one in normals)) / 3.0
    gray = np.linalg.solve(sum(normals) + ridge * np.eye(6), sum(rights) + ridge)
    # Where one channel is hardly seen on a side, light is as in the others.
    held = np.diag(_GRAY_LIGHT * np.diag(sum(normals)) + ridge)
    each = [
        np.linalg.solve(n + held, r + held @ gray) for n, r in zip(normals, rights, strict=True)
    ]
    return np.stack(each, axis=1)


def _fill(
    surfaces: Surfaces,
    texture: _Array,
    known: NDArray[np.bool_],
    plain: NDArray[np.bool_],
) -> _Array:
    owners, counts = surfaces.owners, surfaces.grid.prod(axis=1)
    rectangle = np.repeat(np.arange(len(owners)), counts)
    body = owners[rectangle]
    number = np.bincount(rectangle[known], minlength=len(owners))
    # Few texels of a rectangle are those at its rim, which look like what is beside it, too.
    is_enough = np.where(plain[owners], number >= _ENOUGH * counts, number > 0)
    for k in np.flatnonzero(is_enough & (number < counts)).tolist():
        own = slice(surfaces.base[k], surfaces.base[k] + counts[k])
        shape = tuple(surfaces.grid[k])
        around = _fill_unknown(texture[own].reshape(*shape, 3), known[own].reshape(shape))
        texture[own] = around.reshape(-1, 3)
    lacks = ~known & ~is_enough[rectangle]
    texture[lacks] = UNSEEN
    for own in np.unique(body[lacks]).tolist():
        seen = known & (body == own)
        if seen.any() and plain[own]:
            texture[lacks & (body == own)] = np.median(texture[seen], axis=0)
    return texture


@dataclass(frozen=True, eq=False)
class Background:
    """All that never moves, as it looks from the camera.

    Attributes:
        bright, dark: (H, W, 3) between which its colours are: without and with shadows or signs.
        known: (H, W) whether it was ever seen.
    """

    bright: _Plane
    dark: _Plane
    known: NDArray[np.bool_]

    @cached_property
    def _range(self) -> tuple[_Plane, _Plane, _Plane]:
        """Colours without shadows (H, W, 3), the way to those with, and it by its square."""
        bright = self.bright.astype(np.float32)
        way = (self.dark - self.bright).astype(np.float32)
        length = np.maximum((way**2).sum(axis=2), 1.0)
        return bright, way, np.asarray(way / length[..., None], np.float32)

    @cached_property
    def _plain(self) -> _Picture:
        return np.clip(self.bright, 0.0, 255.0).astype(np.uint8)

    def shade(self, picture: _Picture) -> tuple[_Picture, NDArray[np.bool_]]:
        """Return the background in the shadows of a picture (H, W, 3), and where it is seen."""
        shaded, is_ground, _ = self._shade(picture)
        return shaded, is_ground

    def find_shadows(self, picture: _Picture) -> NDArray[np.bool_]:
        """Return where the background is in the shadow in a picture (H, W, 3)."""
        return self._shade(picture)[2]

    def remove_shadows(self, picture: _Picture) -> _Picture:
        """Return a picture (H, W, 3) without the shadows on its background."""
        return cover_picture(picture, self._plain, self.find_shadows(picture).view(np.uint8))

    def _shade(self, picture: _Picture) -> tuple[_Picture, NDArray[np.bool_], NDArray[np.bool_]]:
        shaded = np.empty(picture.shape, np.uint8)
        is_ground, is_shadow = np.empty((2, *picture.shape[:2]), np.bool_)
        _shade_ground(picture, *self._range, self._plain, shaded, is_ground, is_shadow)
        return shaded, is_ground, is_shadow


@kernel(nogil=True)
def _shade_ground(
    picture: _Picture,
    bright: _Plane,
    way: _Plane,
    slope: _Plane,
    plain: _Picture,
    shaded: _Picture,
    is_ground: NDArray[np.bool_],
    is_shadow: NDArray[np.bool_],
) -> None:
    """Set the background in the shadows of a picture (H, W, 3), and where that is seen, shaded.

    Args:
        bright: (H, W, 3) colours without shadows, and
        way: to those with shadows; it, and
        slope: it by its square.
        plain: the first, as bytes.
        shaded: (H, W, 3), and
        is_ground, is_shadow: (H, W) take the result.
    """
    levels, most = _GROUND_LEVELS, _SHADOW
    for row in range(picture.shape[0]):
        for column in range(picture.shape[1]):
            seen, light = picture[row, column], bright[row, column]
            dark, tilt = way[row, column], slope[row, column]
            share = np.float32(0.0)
            for c in range(3):
                share += (np.float32(seen[c]) - light[c]) * tilt[c]
            share = min(max(share, np.float32(0.0)), np.float32(1.0))
            off, total, usual = 0, 0, 0
            for c in range(3):
                level = int(
                    min(max(light[c] + dark[c] * share, np.float32(0.0)), np.float32(255.0))
                )
                shaded[row, column, c] = level
                off = max(off, abs(level - int(seen[c])))
                total += level
                usual += int(plain[row, column, c])
            ground = off < levels
            is_ground[row, column] = ground
            # What is about as bright as the background may be a bright body.
            is_shadow[row, column] = ground and total < most * usual


def learn_background(pictures: NDArray[np.uint8], covered: NDArray[np.bool_]) -> Background:
    """Learn the background of pictures (N, H, W, 3), where nothing that moves covers it."""
    light = pictures.sum(axis=3, dtype=np.uint16)
    light[covered] = np.iinfo(np.uint16).max  # That comes last.
    known = np.asarray(~covered.all(axis=0))
    number = (~covered).sum(axis=0)
    places = np.maximum(number - 1, 0) * 9 // 10, np.maximum(number - 1, 0) // 20
    bright, dark = np.zeros((2, *pictures.shape[1:]), np.float32)
    for row in range(len(known)):
        order = np.argsort(light[:, row], axis=0, kind="stable")
        for place, found in zip(places, (bright, dark), strict=True):
            frame = np.take_along_axis(order, place[row][None], axis=0)[0]
            found[row] = pictures[frame, row, np.arange(len(frame))]
    bright = _without_shadows(bright, known)
    # A shadow may fall where none fell in the film.
    shadow = _find_shadow(_share(dark, bright)[known])
    dark = np.minimum(dark, bright * np.float32(shadow))
    bright = _fill_unknown(bright, known)
    dark[~known] = bright[~known] * np.float32(shadow)
    return Background(bright, dark, known)


def _find_shadow(shares: _Plane) -> float:
    """Return the share of its light that the background keeps in a shadow; 1 if there is none.

    Args:
        shares: (N,) of pixels, where they were darkest.
    """
    # However little is shaded: the rims of shadows are lighter, and signs are darker.
    shaded = shares[shares < _SHADOW]
    return float(np.quantile(shaded, 0.25)) if len(shaded) >= _SHADED_PIXELS else 1.0


def _fill_unknown(bright: _Plane | _Array, known: NDArray[np.bool_]) -> _Plane:
    """Return a picture (H, W, 3) with what was never seen as what is around it."""
    if not known.any():
        return np.full_like(bright, 128.0)
    whole = np.asarray(np.clip(bright + 0.5, 0.0, 255.0), np.uint8)
    filled = cv2.inpaint(whole, (~known).astype(np.uint8), 5.0, cv2.INPAINT_NS)
    return np.where(known[..., None], bright, filled).astype(np.float32)


def _without_shadows(bright: _Plane, known: NDArray[np.bool_]) -> _Plane:
    """Return what is smooth and light, where only a shadow of it was ever seen."""
    rows, columns = np.indices(known.shape, np.float64) / max(known.shape) - 0.5
    terms = np.stack([rows**0, rows, columns, rows**2, columns**2, rows * columns], axis=-1)
    use, smooth = known.copy(), bright.astype(np.float64)
    for _ in range(6):
        fit, *_ = np.linalg.lstsq(terms[use], bright[use], rcond=None)
        smooth = terms @ fit
        off = (bright - smooth).sum(axis=2)
        use = known & (off > -12.0) & (off < 30.0)
        if use.mean() < 0.3:
            return bright  # It is not smooth at all: a chamber.
    share = bright.sum(axis=2) / np.maximum(smooth.sum(axis=2), 1.0)
    shaded = ((share < 0.95) & (share > 0.5)).astype(np.uint8)
    # What is thin and dark is a line.
    shaded = cv2.dilate(cv2.erode(shaded, np.ones((7, 7))), np.ones((9, 9))) > 0
    return np.where(shaded[..., None], smooth, bright).astype(np.float32)


def _share(dark: _Plane, bright: _Plane) -> _Plane:
    return np.asarray(dark.sum(axis=2) / np.maximum(bright.sum(axis=2), 1.0), np.float32)
