"""Adaptation of a film's look to a video: other light, surfaces, shadows and grounds.

The first frame shows the puzzle as the film begins, so what looks otherwise in it is look. Bodies
are adapted side by side, the ground pixel by pixel.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.appearance import Background
from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Drawing, Look
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS

__all__ = ["adapt_look"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]


def adapt_look(film: TrueFilm, look: Look, first: _Picture, place: int) -> tuple[TrueFilm, Look]:
    """Return a film and a look that are like the first picture (H, W, 3) of a video.

    Args:
        place: position in the film of what it shows.
    """
    bodies = np.flatnonzero(look.drawn)
    start = look.draw(bodies, np.nan_to_num(film.find_poses(place)[bodies]))
    maps = _fit_sides(look, start, first, film.pictures[place])
    shift = _fit_ground(start, first, film.pictures[place])
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
    """Return for each side, and each channel, factor and offset (6 B, 3, 2)."""
    count = len(look.names)
    sides = _find_sides(look, drawing)
    inner = cv2.erode((drawing.depth > 0.0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    maps = np.zeros((6 * count, 3, 2))
    maps[..., 0] = 1.0
    number = np.zeros(6 * count)
    for side in np.unique(sides[inner]).tolist():
        use = inner & (sides == side)
        number[side] = use.sum()
        maps[side] = _fit(expected[use].astype(np.float64), seen[use].astype(np.float64))
    return _guess_hidden(maps.reshape(count, 6, 3, 2), number.reshape(count, 6)).reshape(-1, 3, 2)


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
    found = np.tile([1.0, 0.0], (3, 1))
    for c in range(3):
        x, y = expected[:, c], seen[:, c]
        offset = float(np.median(y - x)) * len(x) / (len(x) + LIMITS.side_ridge)
        found[c] = 1.0, offset
        for _ in range(2):
            near = np.abs(y - found[c, 0] * x - found[c, 1]) < LIMITS.side_outliers
            if near.sum() < 10:
                break
            rows = np.stack([x[near] / 255.0, np.ones(int(near.sum()))], axis=1)
            ridge = np.diag([0.1 * len(x) + LIMITS.side_ridge, 1.0])
            wish = np.array([1.0 * 255.0, offset])
            left = np.linalg.solve(rows.T @ rows + ridge, rows.T @ y[near] + ridge @ wish)
            found[c] = left[0] / 255.0, left[1]
    return found


def _fit_ground(drawing: Drawing, seen: _Picture, expected: _Picture) -> _Plane:
    """Return by how much the ground (H, W, 3) is lighter, filled where bodies cover it."""
    covered = cv2.dilate((drawing.depth > 0.0).astype(np.uint8), np.ones((9, 9), np.uint8))
    off = seen.astype(np.float32) - expected
    weight = (1.0 - covered).astype(np.float32)
    shift = np.where(covered[..., None] > 0, 0.0, off).astype(np.float32)
    for blur in (9, 31, 101, 301):
        around = cv2.blur(weight, (blur, blur))
        spread = (
            cv2.blur(shift * weight[..., None], (blur, blur)) / np.maximum(around, 1e-4)[..., None]
        )
        hole = (weight == 0.0) & (around > 1e-3)
        shift[hole] = spread[hole]
        weight[hole] = 1e-2
    return shift


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
