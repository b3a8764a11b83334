"""Which colours a video has beside the true ones, told by what has not moved.

Sheets of paper are white on a light ground: their shades, which change as they turn, say nothing,
and colours of arrows are blurred by codecs. So the whole map is learned from the first frame, in
which everything is known, and later only how light each channel is, from what is as it was.
"""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.colours import recoloured

__all__ = ["first_tint", "later_tint"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]

_SAMPLED = 6000
"""Pixels that are looked at, more or less."""
_FEWEST = 200
"""Pixels that tell a tint."""
_BLUR = (5, 5)
"""Pixels over which codecs blur colours."""
_PULL = 20.0
"""Levels squared, for each pixel, with which no change is taken to be likelier."""
_LIMITS = (120.0, 60.0, 30.0, 15.0, 15.0)
"""Levels off beyond which a pixel tells nothing, round by round."""
_SUDDEN = 0.25
"""Light does not change by more from one frame to the next."""


def first_tint(picture: _Picture, expected: _Picture) -> _Array:
    """The (4, 3) affine map from a picture's colours to the expected ones, in the first frame."""
    given = np.column_stack([_sampled(picture), np.full(_count(picture), 255.0)])
    theirs = _sampled(expected)
    usual = np.vstack([np.eye(3), np.zeros(3)])
    found = usual
    for limit in _LIMITS:
        kept = np.abs(given @ found - theirs).max(axis=1) < limit
        if kept.sum() < _FEWEST:
            return usual
        a, b = given[kept], theirs[kept]
        pull = _PULL * len(a)
        found = np.linalg.solve(a.T @ a + pull * np.eye(4), a.T @ b + pull * usual)
    return found


def later_tint(
    picture: _Picture, expected: _Picture, known: NDArray[np.bool_], last: _Array
) -> _Array:
    """The map of a later frame: the last one, with each channel lighter or darker.

    Args:
        known: (H, W) where nothing has moved since ``expected`` was seen.
        last: the map of the frame before; it is kept where too little tells.
    """
    told = _sampled(known.astype(np.float32)[..., None])[:, 0] > 0.99
    mine, theirs = _sampled(recoloured(picture, last))[told], _sampled(expected)[told]
    if len(mine) < _FEWEST:
        return last
    lighter = np.array([_lighter(mine[:, c], theirs[:, c]) for c in range(3)])
    found: _Array = last * lighter[:, 0]
    found[3] += lighter[:, 1] / 255.0
    return last if np.abs(found - last).max() > _SUDDEN else found


def _lighter(mine: _Array, theirs: _Array) -> _Array:
    """Gain and offset of a channel, drawn towards none."""
    usual, found = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    for limit in _LIMITS[2:]:
        kept = np.abs(mine * found[0] + found[1] - theirs) < limit
        if kept.sum() < _FEWEST:
            return usual
        a = np.column_stack([mine[kept], np.ones(kept.sum())])
        pull = np.diag([_PULL * 50.0, 0.05]) * len(a)
        found = np.linalg.solve(a.T @ a + pull, a.T @ theirs[kept] + pull @ usual)
    return found


def _step(picture: _Picture) -> int:
    return max(1, round(float(np.sqrt(picture.shape[0] * picture.shape[1] / _SAMPLED))))


def _count(picture: _Picture) -> int:
    step = _step(picture)
    return len(range(0, picture.shape[0], step)) * len(range(0, picture.shape[1], step))


def _sampled(picture: _Picture) -> _Array:
    """(n, C) colours at some pixels, as blurred as codecs make them."""
    step = _step(picture)
    soft = cast("_Picture", cv2.blur(picture, _BLUR))
    if soft.ndim == 2:
        soft = soft[..., None]
    return soft[::step, ::step].reshape(-1, soft.shape[2]).astype(np.float64)
