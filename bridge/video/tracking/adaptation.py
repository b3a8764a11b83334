"""Adaptation of a film's look to a video: other light, surfaces, shadows and grounds.

The first frame shows the puzzle as the film begins, so what looks otherwise in it is look. Bodies
are adapted side by side, the ground pixel by pixel.
"""

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.appearance import Background
from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Drawing, Look
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import NARROW, compare_pixels, count_unexplained

__all__ = ["Otherness", "adapt_look", "find_otherness"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]

_THIN = np.ones((3, 3), np.uint8)
"""Rims of shadows that are thinner are as sharp as the video."""
_AROUND = np.ones((9, 9), np.uint8)
"""Pixels around a shadow that are mixed with it."""


class Otherness(NamedTuple):
    """Difference of look between the first picture of a video and the film's.

    Attributes:
        looks: the largest share of the ground, or of a body, that looks otherwise.
        shadows: share of the ground in the shadow that is so in only one of the two.
    """

    looks: float
    shadows: float

    @property
    def is_shaded(self) -> bool:
        """Whether shadows fall otherwise, far more than all else looks otherwise."""
        return self.shadows > max(LIMITS.other_look, LIMITS.turned_shadows * self.looks)

    @property
    def is_other(self) -> bool:
        """Whether it is another look."""
        return self.is_shaded or self.looks > LIMITS.other_look


def find_otherness(film: TrueFilm, look: Look, first: _Picture, place: int = 0) -> Otherness:
    """Compare the first picture (H, W, 3) of a video with the film's at a position."""
    expected = film.pictures[place]
    cost = np.empty(look.size, np.float32)
    compare_pixels(first, expected, np.zeros_like(cost), NARROW, cost)
    bodies = np.flatnonzero(look.drawn)
    drawing = look.draw(bodies, np.nan_to_num(film.find_poses(place)[bodies]))
    labels, count = look.label(drawing), len(look.names)
    left = count_unexplained(cost, labels, count)
    area = np.bincount(labels.ravel() + 1, minlength=1 + count).astype(np.float64)
    shaded, shadow = look.background.find_shadows(first), look.background.find_shadows(expected)
    least = LIMITS.other_look_pixels
    looks = float((left / np.maximum(area, least)).max())
    # On a ground that is otherwise bright one can't tell what is in the shadow.
    lit = (labels < 0) & (cv2.dilate((shaded | shadow).astype(np.uint8), _AROUND) == 0)
    is_bright = lit.sum() >= LIMITS.alike_pixels * area[0] and cost[lit].mean() <= LIMITS.other_look
    if not is_bright:
        return Otherness(looks, 0.0)
    other = (shaded ^ shadow) & look.background.shade(first)[1]
    off = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_OPEN, _THIN)
    return Otherness(looks, float(off.sum() / max((shaded | shadow).sum(), least)))


def adapt_look(
    film: TrueFilm, look: Look, first: _Picture, place: int, otherness: Otherness
) -> tuple[TrueFilm, Look]:
    """Return a film and a look that are like the first picture (H, W, 3) of a video.

    Args:
        place: position in the film of what it shows.
        otherness: how much it looks otherwise.
    """
    bodies = np.flatnonzero(look.drawn)
    start = look.draw(bodies, np.nan_to_num(film.find_poses(place)[bodies]))
    maps = _fit_sides(look, start, first, film.pictures[place])
    expected = film.pictures[place]
    if otherness.is_shaded:
        shaded, is_ground = look.background.shade(first)
        expected = np.where(is_ground[..., None], shaded, expected)
    shift = _fit_ground(look.background, start, first, expected)
    poses = np.nan_to_num(film.find_poses(np.arange(len(film.frames)))[:, bodies])
    pictures = PackedPictures(
        _adapt(look, look.draw(bodies, there), picture, maps, shift)
        for there, picture in zip(poses, film.pictures, strict=True)
    )
    background = Background(
        look.background.bright + shift, look.background.dark + shift, look.background.known
    )
    texture = _adapt_texture(look, maps)
    return replace(film, pictures=pictures), replace(look, background=background, texture=texture)


def _find_sides(look: Look, drawing: Drawing) -> NDArray[np.int64]:
    """Return the side (H, W), six of each body, that each pixel shows; -1 for the ground."""
    strongest = np.abs(drawing.normals).argmax(axis=1)
    rows = np.arange(len(strongest))
    looks_back = drawing.normals[rows, strongest] < 0.0
    sides = 6 * look.surfaces.owners + 2 * strongest + looks_back
    return np.asarray(np.append(sides, -1)[drawing.faces])


def _fit_sides(look: Look, drawing: Drawing, seen: _Picture, expected: _Picture) -> _Array:
    """Return for each side, and each channel, factor and offset (6 B, 3, 2).

    What is on all bodies' sides that look the same way is light, which is on their other sides,
    too, once these look that way. What is left is paint.
    """
    count = len(look.names)
    sides = _find_sides(look, drawing)
    inner = cv2.erode((drawing.depth > 0.0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    shown, before, after = sides[inner], expected[inner].astype(float), seen[inner].astype(float)
    light = _fit_light(shown % 6, before, after)
    lit = light[shown % 6, :1] * before + light[shown % 6, 1:]
    maps = np.tile([1.0, 0.0], (6 * count, 3, 1))
    number = np.zeros(6 * count)
    for side in np.unique(shown).tolist():
        use = shown == side
        number[side] = use.sum()
        maps[side] = _fit(lit[use], after[use])
    maps = _guess_hidden(maps.reshape(count, 6, 3, 2), number.reshape(count, 6))
    factor, offset = maps[..., 0], maps[..., 1]
    light = light[None, :, None]
    both = np.stack([factor * light[..., 0], factor * light[..., 1] + offset], axis=-1)
    return both.reshape(-1, 3, 2)


def _fit_light(sides: NDArray[np.int64], expected: _Array, seen: _Array) -> _Array:
    """Return factor and offset (6, 2) of all channels for each of the six ways that sides look.

    Args:
        sides: (N,) the way that each pixel looks.
        expected, seen: (N, 3) its colours.
    """
    maps, number = np.tile([1.0, 0.0], (6, 1)), np.bincount(sides, minlength=6)
    for side in np.flatnonzero(number).tolist():
        x, y = expected[sides == side].ravel(), seen[sides == side].ravel()
        rows = np.stack([x / 255.0, np.ones(len(x))], axis=1)
        ridge = LIMITS.side_ridge * np.eye(2)
        solved = np.linalg.solve(rows.T @ rows + ridge, rows.T @ y + ridge @ [255.0, 0.0])
        maps[side] = solved[0] / 255.0, solved[1]
    if number.any():
        maps[number == 0] = np.average(maps, axis=0, weights=number)
    return maps


def _guess_hidden(maps: _Array, number: _Array) -> _Array:
    """Set the maps (B, 6, 3, 2) of hidden sides: a body's paint and the light on a side add up.

    Args:
        number: (B, 6) pixels that show each side.
    """
    if not number.any():
        return maps
    of_all = np.average(maps, axis=(0, 1), weights=number)
    of_side = _average(maps, number, 0, of_all)
    of_body = _average(maps, number, 1, of_all)
    guess = of_body[:, None] + of_side[None] - of_all
    return np.where((number > 0.0)[..., None, None], maps, guess)


def _average(maps: _Array, number: _Array, axis: int, else_: _Array) -> _Array:
    """Average maps along an axis; what has no pixels is like all others."""
    total = number.sum(axis=axis)[:, None, None]
    mean = (maps * number[..., None, None]).sum(axis=axis) / np.maximum(total, 1.0)
    return np.where(total > 0.0, mean, else_)


def _fit(expected: _Array, seen: _Array) -> _Array:
    """Return factor and offset of each channel (3, 2), robustly and held to no change."""
    return np.array([_fit_channel(x, y) for x, y in zip(expected.T, seen.T, strict=True)])


def _fit_channel(x: _Array, y: _Array) -> _Array:
    """Return factor and offset (2,) from colours (N,) to others."""
    plain = np.array([1.0, float(np.median(y - x)) * len(x) / (len(x) + LIMITS.side_ridge)])
    # Signs that are much paler are too far off to be fitted from none.
    ends = [_fit_near(x, y, plain, start) for start in (plain, _solve(x, y, plain, len(x)))]
    return min(ends, key=lambda one: np.minimum(_measure(x, y, one), LIMITS.side_outliers).sum())


def _fit_near(x: _Array, y: _Array, plain: _Array, found: _Array) -> _Array:
    """Return factor and offset that fit what is near to some."""
    for _ in range(2):
        near = _measure(x, y, found) < LIMITS.side_outliers
        if near.sum() < 10:
            break
        found = _solve(x[near], y[near], plain, len(x))
    return found


def _measure(x: _Array, y: _Array, found: _Array) -> _Array:
    return np.asarray(np.abs(y - found[0] * x - found[1]))


def _solve(x: _Array, y: _Array, plain: _Array, count: int) -> _Array:
    """Return factor and offset of least squares, held to plain ones as by some of all pixels.

    Args:
        count: of all pixels, of which some may be left out.
    """
    rows = np.stack([x / 255.0, np.ones(len(x))], axis=1)
    ridge = np.diag([LIMITS.side_ridge + LIMITS.side_share * count, 1.0])
    wish = ridge @ (plain * [255.0, 1.0])
    found = np.linalg.solve(rows.T @ rows + ridge, rows.T @ y + wish)
    return np.asarray(found / [255.0, 1.0])


def _fit_ground(ground: Background, drawing: Drawing, seen: _Picture, expected: _Picture) -> _Plane:
    """Return by how much the ground (H, W, 3) is lighter.

    It is filled where bodies cover it, and where only one of the two pictures has a shadow.
    """
    bodies = drawing.depth > 0.0
    if bodies.all():
        return np.zeros(seen.shape, np.float32)
    gain = np.median(expected[~bodies] / np.maximum(seen[~bodies], 1.0), axis=0)
    alike = np.asarray(np.clip(gain * seen, 0.0, 255.0), np.uint8)
    turned = ground.find_shadows(alike) ^ ground.find_shadows(expected)
    covered = cv2.dilate((bodies | turned).astype(np.uint8), _AROUND)
    off = seen.astype(np.float32) - expected
    weight = (1.0 - covered).astype(np.float32)
    shift = np.where(covered[..., None] > 0, 0.0, off).astype(np.float32)
    _fill(shift, weight)
    return shift


def _fill(values: _Plane, weight: _Plane) -> None:
    """Fill values (H, W, 3) where they have no weight (H, W) with what is around them."""
    for blur in (9, 31, 101, 301):
        around = cv2.blur(weight, (blur, blur))
        weighted = cv2.blur(values * weight[..., None], (blur, blur))
        spread = weighted / np.maximum(around, 1e-4)[..., None]
        hole = (weight == 0.0) & (around > 1e-3)
        values[hole] = spread[hole]
        weight[hole] = 1e-2


def _adapt(
    look: Look, drawing: Drawing, picture: _Picture, maps: _Array, shift: _Plane
) -> _Picture:
    sides = _find_sides(look, drawing)
    mapped = picture.astype(np.float32) + shift
    shown = sides >= 0
    chosen = maps[sides[shown]].astype(np.float32)
    mapped[shown] = chosen[..., 0] * picture[shown] + chosen[..., 1]
    return np.asarray(np.clip(mapped + 0.5, 0.0, 255.0), np.uint8)


def _adapt_texture(look: Look, maps: _Array) -> _Plane:
    mean = maps.reshape(-1, 6, 3, 2).mean(axis=1)
    owners = np.repeat(look.surfaces.owners, look.surfaces.grid.prod(axis=1))
    chosen = mean[owners].astype(np.float32)
    texture = chosen[..., 0] * look.texture + chosen[..., 1]
    return np.where(look.texture < 0.0, look.texture, np.maximum(texture, 0.0)).astype(np.float32)
