"""Comparison of pictures, pixel by pixel, with colours that are calibrated first.

Colours are compared as lightness, red - green and blue - yellow; lightness counts half where a
video is not clear, since light and shadows change it. A pixel costs the squared distance by that at
which it is not explained at all, at most 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.appearance import Background
from bridge.video.reference.colors import (
    COLD,
    ROSE,
    WHITE,
    find_largest,
    find_ranges,
    measure_differences,
)
from bridge.video.thresholds import LIMITS
from pysim.kernels import kernel

__all__ = [
    "FULL",
    "NARROW",
    "WIDE",
    "ColorCalibration",
    "Tolerance",
    "compare_pixels",
    "count_unexplained",
    "find_alike",
    "find_region",
    "is_light_kept",
    "measure_clarity",
    "price_color",
    "sample_colors",
    "sum_changes",
    "sum_differences",
]

_Array = NDArray[np.float64]
_Picture = NDArray[np.uint8]

_GRAY = np.full((1, 3), 180.0)
_SPREADS, _FAR = LIMITS.spread_factor, LIMITS.far_colors[1]
_LIGHT = LIMITS.counted_lightness[1]
_NOISE = (7, 7)
"""Pixels whose mean is taken: noise would pull the map to grey."""


@dataclass(frozen=True, slots=True, eq=False)
class ColorCalibration:
    """An affine map from the colours of a video to those of the true film.

    Attributes:
        matrix: (3, 3), and
        offset: (3,) so that film = matrix @ video + offset.
    """

    matrix: _Array
    offset: _Array

    @staticmethod
    def fit(seen: _Picture, expected: _Picture) -> "ColorCalibration":
        """Fit the map to two pictures (H, W, 3) of the same; robust against what differs.

        Most of a picture may be grey, which tells nothing of colours: they are as bright as it.
        """
        colors, target = _sample(seen, expected)
        plain = ColorCalibration(np.eye(3), np.zeros(3))._fit_light(colors, target)
        found = prior = np.vstack([plain.matrix.T, plain.offset / 255.0])
        rows = np.concatenate([colors, np.full((len(colors), 1), 255.0)], axis=1)
        for far in LIMITS.calibration_outliers:
            use = find_largest(np.abs(rows @ found - target)) < far
            ridge = LIMITS.calibration_ridge * 255.0**2 * max(1, int(use.sum())) * np.eye(4)
            normal = rows[use].T @ rows[use] + ridge
            found = np.linalg.solve(normal, rows[use].T @ target[use] + ridge @ prior)
        return ColorCalibration(found[:3].T, 255.0 * found[3])._match_vivid(colors, target)

    def renew(
        self, seen: _Picture, expected: _Picture, is_kept: bool = False
    ) -> "ColorCalibration":
        """Return the map for a later picture (H, W, 3), if its light or its colours drift.

        Args:
            is_kept: whether it is in the light of one that this map fits.
        """
        colors, target = _sample(seen, expected)
        lit = self if is_kept else self._fit_light(colors, target)
        return lit._match_vivid(colors, target)

    def fits(self, seen: _Picture, expected: _Picture) -> bool:
        """Whether most pixels of a picture (H, W, 3) look as expected."""
        return self._is_lit(*_sample(seen, expected))

    def renew_light(
        self, seen: _Picture, expected: _Picture, ground: Background
    ) -> "ColorCalibration":
        """Return the map for a later picture (H, W, 3), if its light drifts.

        The film's look was adapted to what this map makes of the video: colours that are off are so
        in the film, and shadows may fall otherwise.
        """
        shadows = ground.find_shadows(self.apply(seen)) | ground.find_shadows(expected)
        return self._fit_light(*_sample(seen, expected, shadows))

    def _match_vivid(self, colors: _Array, target: _Array) -> "ColorCalibration":
        """Return the map that fits vivid colours (n, 3), too, which few pixels may have."""
        vivid = find_ranges(target) > LIMITS.vivid_levels
        if vivid.sum() < LIMITS.vivid_samples or (
            np.median(self._measure(colors[vivid], target[vivid])) < LIMITS.same_colors
        ):
            return self
        paler = find_ranges(self._map(colors[vivid])) / find_ranges(target[vivid])
        share = max(LIMITS.least_saturation, float(np.median(paler)))
        more = np.eye(3) / share + (1.0 - 1.0 / share) / 3.0
        # Colours that are much paler are too far off to be fitted from none.
        deeper = ColorCalibration(more @ self.matrix, more @ self.offset)
        found = [one._fit_colors(colors, target) for one in (self, deeper)]
        other = min(found, key=lambda one: one._sum_costs(colors, target))
        # Where the film shows another picture, a map to greys explains the whole better.
        parts = (colors, target), (colors[vivid], target[vivid])
        is_better = all(
            other._sum_costs(*part) * LIMITS.still_factor < self._sum_costs(*part) for part in parts
        )
        return other if is_better else self

    def _fit_light(self, colors: _Array, target: _Array) -> "ColorCalibration":
        """Return the map from colours (n, 3) to others that are lighter or darker."""
        if self._is_lit(colors, target):
            return self
        mapped = self._map(colors)
        # A light that changes fast is too far off to be fitted from none.
        for gain in (1.0, float(np.median(target.sum(axis=1) / (1.0 + mapped.sum(axis=1))))):
            if (light := _fit_gain(mapped, target, gain)) is not None:
                factor, offset = light
                return ColorCalibration(factor * self.matrix, factor * self.offset + offset)
        return self

    def _fit_colors(self, colors: _Array, target: _Array) -> "ColorCalibration":
        """Return the map from colours (n, 3) to others that are greyer, or of another hue."""
        matrix, offset = self.matrix, self.offset
        for far in LIMITS.calibration_outliers:
            use = find_largest(np.abs(colors @ matrix.T + offset - target)) < far
            if use.mean() < LIMITS.alike_pixels:
                return self
            middle, wanted = colors[use].mean(axis=0), target[use].mean(axis=0)
            own = colors[use] - middle
            ridge = LIMITS.calibration_ridge * 255.0**2 * len(own) * np.eye(3)
            normal = own.T @ own + ridge
            aim = own.T @ (target[use] - wanted) + ridge @ self.matrix.T
            matrix = np.linalg.solve(normal, aim).T
            offset = wanted - matrix @ middle
        return ColorCalibration(matrix, offset)

    def _is_lit(self, colors: _Array, target: _Array) -> bool:
        return bool(np.median(self._measure(colors, target)) < LIMITS.same_light)

    def _measure(self, colors: _Array, target: _Array) -> _Array:
        """Return by how many levels mapped colours (n, 3) differ from others."""
        return find_largest(np.abs(self._map(colors) - target))

    def _sum_costs(self, colors: _Array, target: _Array) -> float:
        off = self._measure(colors, target) / LIMITS.calibration_outliers[0]
        return float(np.minimum(1.0, off * off).sum())

    def differs(self, other: "ColorCalibration") -> bool:
        """Whether the light is so much brighter or darker than in another picture."""
        own, others = self._map(_GRAY)[0], other._map(_GRAY)[0]
        return float(np.abs(own - others).max()) > LIMITS.other_light

    def _map(self, colors: _Array) -> _Array:
        return np.asarray(colors @ self.matrix.T + self.offset)

    def apply(self, picture: _Picture) -> _Picture:
        """Return a picture (H, W, 3) in the colours of the film."""
        affine = np.column_stack([self.matrix, self.offset])
        return np.asarray(cv2.transform(picture, affine), np.uint8)


def is_light_kept(picture: _Picture, earlier: _Array) -> bool:
    """Return whether enough of a picture (H, W, 3) looks as it did in an earlier one of its video.

    Bodies that move may be before most of what stands still.

    Args:
        earlier: (n, 3) samples of that.
    """
    off = (sample_colors(picture) - earlier)[_find_telling(picture)]
    levels, share = LIMITS.kept_light
    return bool(np.quantile(find_largest(np.abs(off)), share) < levels)


def sample_colors(picture: _Picture) -> _Array:
    """Return colours (n, 3) of a picture (H, W, 3), at the same pixels of all of its size."""
    return cv2.blur(picture, _NOISE).reshape(-1, 3)[:: _find_step(picture)].astype(np.float64)


def _find_step(picture: _Picture) -> int:
    return max(1, picture[..., 0].size // LIMITS.calibration_samples)


def _sample(
    seen: _Picture, expected: _Picture, shadows: NDArray[np.bool_] | None = None
) -> tuple[_Array, _Array]:
    """Return some colours (n, 3) of two pictures (H, W, 3), each at the same pixels.

    Args:
        shadows: (H, W) where neither is taken.
    """
    use = _find_telling(seen, shadows)
    return sample_colors(seen)[use], sample_colors(expected)[use]


def _find_telling(seen: _Picture, shadows: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Return which samples (n,) of a picture (H, W, 3) tell of its light.

    Those that a video can't show as bright as they are tell nothing of the others.

    Args:
        shadows: (H, W) that do not count.
    """
    wrong = find_largest(seen) >= LIMITS.brightest
    wrong = wrong if shadows is None else wrong | shadows
    use = cv2.blur(np.asarray(wrong, np.float32), _NOISE).reshape(-1)[:: _find_step(seen)] == 0.0
    if use.sum() < LIMITS.vivid_samples:
        use[:] = True
    return np.asarray(use)


def _fit_gain(colors: _Array, target: _Array, factor: float) -> tuple[float, _Array] | None:
    """Return factor and offset (3,) from colours (n, 3) to others; None where few are alike."""
    offset = np.zeros(3)
    for far in LIMITS.calibration_outliers:
        use = find_largest(np.abs(factor * colors + offset - target)) < far
        if use.mean() < LIMITS.alike_pixels:
            return None
        x, y = colors[use], target[use]
        x, middle = x - x.mean(axis=0), y.mean(axis=0)
        ridge = LIMITS.calibration_ridge * 255.0**2 * x.size
        factor = float(((x * (y - middle)).sum() + ridge) / ((x * x).sum() + ridge))
        offset = middle - factor * colors[use].mean(axis=0)
    return factor, offset


class Tolerance(NamedTuple):
    """Differences of pixels that are none.

    Attributes:
        far: the distance at which a pixel is not explained at all.
        light: share of a difference in lightness that counts.
        free: costs up to this count nothing, and those above are the less: 1 stays 1.
    """

    far: float
    light: float
    free: float

    @staticmethod
    def fit(clarities: Sequence[float]) -> "Tolerance":
        """Return that of a video with such clarities of its frames, of which few may be broken."""
        most = float(np.quantile(clarities, LIMITS.clearest_frames))
        far = float(np.interp(most, LIMITS.clear_distances, LIMITS.far_colors))
        counted = float(np.interp(most, LIMITS.clear_distances, LIMITS.counted_lightness))
        return Tolerance(far, counted, LIMITS.free_cost)


def measure_clarity(seen: _Picture, expected: _Picture) -> float:
    """Return how far apart pixels of two pictures (H, W, 3) are, but for a twentieth of them."""
    off = seen[::2, ::2].astype(np.float64) - expected[::2, ::2]
    return math.sqrt(float(np.quantile(measure_differences(off), 0.95)))


WIDE = Tolerance(LIMITS.far_colors[1], LIMITS.counted_lightness[1], LIMITS.free_cost)
FULL = WIDE._replace(free=0.0)
NARROW = Tolerance(LIMITS.far_colors[0], LIMITS.counted_lightness[0], LIMITS.free_cost)
"""Tolerances of videos of another look, the same with all that differs, and of clear ones."""


@kernel(nogil=True, inline=True)
def price_color(
    red: float, green: float, blue: float, far: float, light: float, spread: float
) -> float:
    """Return the cost of a pixel whose channels are off by so much.

    Args:
        spread: by how much they are off anyhow, squared.
    """
    white = light * (WHITE[0] * red + WHITE[1] * green + WHITE[2] * blue)
    rose = ROSE[0] * red + ROSE[1] * green + ROSE[2] * blue
    cold = COLD[0] * red + COLD[1] * green + COLD[2] * blue
    return min(1.0, (white * white + rose * rose + cold * cold) / (far * far + _SPREADS * spread))


@kernel(nogil=True)
def sum_differences(seen: _Picture, expected: _Picture) -> float:
    """Return the sum of the costs of all pixels of two pictures (H, W, 3), in the usual way."""
    total = 0.0
    far, light = _FAR, _LIGHT
    for row in range(seen.shape[0]):
        for column in range(seen.shape[1]):
            a, b = seen[row, column], expected[row, column]
            red, green, blue = float(a[0]), float(a[1]), float(a[2])
            total += price_color(
                red - float(b[0]), green - float(b[1]), blue - float(b[2]), far, light, 0.0
            )
    return total


@kernel(nogil=True)
def sum_changes(
    seen: _Picture,
    bright: _Picture,
    expected: _Picture,
    runs: NDArray[np.int32],
    colors: _Picture,
    ends: NDArray[np.int64],
    out: _Array,
) -> None:
    """Set :func:`sum_differences` for pictures of which is known where they differ from another.

    Args:
        seen: (N, 3) the pixels of one picture, and
        bright: of it without shadows.
        expected: (N, 3) those of the other one, or (N, 4): the first without shadows is compared
            with it where the last channel is not zero.
        runs: (M, 2) of pixels in which pictures differ from that, one after another: the first of
            each, and how many.
        colors: (C, 3), or (C, 4), of all these pixels.
        ends: (P,) of the runs of each of these pictures.
        out: (P,) takes the sums.
    """
    far, light, is_lifted = _FAR, _LIGHT, expected.shape[1] > 3
    prices, whole = np.empty(len(seen)), 0.0
    for k in range(len(seen)):
        a, b = bright[k] if is_lifted and expected[k, 3] else seen[k], expected[k]
        red, green, blue = float(a[0]), float(a[1]), float(a[2])
        prices[k] = price_color(
            red - float(b[0]), green - float(b[1]), blue - float(b[2]), far, light, 0.0
        )
        whole += prices[k]
    run = count = 0
    for picture in range(len(ends)):
        total = 0.0
        while run < ends[picture]:
            for k in range(runs[run, 0], runs[run, 0] + runs[run, 1]):
                b = colors[count]
                a = bright[k] if is_lifted and b[3] else seen[k]
                red, green, blue = float(a[0]), float(a[1]), float(a[2])
                total += price_color(
                    red - float(b[0]), green - float(b[1]), blue - float(b[2]), far, light, 0.0
                )
                total -= prices[k]
                count += 1
            run += 1
        out[picture] = whole + total


@kernel(nogil=True)
def compare_pixels(
    seen: _Picture,
    expected: _Picture,
    spread: NDArray[np.float32],
    tolerance: Tolerance,
    out: NDArray[np.float32],
) -> float:
    """Set the cost of each pixel (H, W) of two pictures (H, W, 3); return the sum.

    Args:
        spread: (H, W) by how much pixels are off anyhow, squared.
    """
    total = 0.0
    far, light, free = tolerance
    for row in range(seen.shape[0]):
        for column in range(seen.shape[1]):
            a, b = seen[row, column], expected[row, column]
            red, green, blue = float(a[0]), float(a[1]), float(a[2])
            price = price_color(
                red - float(b[0]), green - float(b[1]), blue - float(b[2]), far, light,
                float(spread[row, column]),
            )  # fmt: skip
            price = max(0.0, price - free) / (1.0 - free)
            out[row, column] = price
            total += price
    return total


@kernel(nogil=True)
def find_alike(colors: _Array, palette: _Array, far: float, out: NDArray[np.bool_]) -> None:
    """Set whether colours (N, 3) are near one of a palette (P, 3), summed over channels."""
    for k in range(len(colors)):
        out[k] = False
        for other in range(len(palette)):
            off = 0.0
            for c in range(3):
                off += abs(colors[k, c] - palette[other, c])
            if off < far:
                out[k] = True
                break


def count_unexplained(cost: NDArray[np.float32], labels: NDArray[np.int64], bodies: int) -> _Array:
    """Return the unexplained pixels of the ground and of each body (B + 1,), but for thin lines.

    Args:
        cost: (H, W) of each pixel, from 0 to 1.
        labels: (H, W) the body that each pixel shows; -1 for the ground.
    """
    thick = np.maximum(0.0, cv2.blur(cost, (3, 3)) - LIMITS.thin_line) / (1.0 - LIMITS.thin_line)
    counted = np.bincount(labels.ravel() + 1, thick.ravel(), 1 + bodies)
    return counted.astype(np.float64)


def find_region(cost: NDArray[np.float32], labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the largest part (H, W) of the ground that nothing explains, in one piece.

    Args:
        cost: (H, W) of each pixel, from 0 to 1.
        labels: (H, W) the body that each pixel shows; -1 for the ground.
    """
    wrong = (cv2.blur(cost, (3, 3)) > LIMITS.wholly_unlike) & (labels < 0)
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(wrong.view(np.uint8), connectivity=4)
    if count == 1:
        return wrong
    return np.asarray(parts == 1 + int(boxes[1:, cv2.CC_STAT_AREA].argmax()))
