"""Statistics of the columns of a dataset, as LeRobot keeps them to normalise by.

For each number of a column: least and greatest value, mean, standard deviation (of the whole
population), count of frames, and five quantiles. Those of pictures are taken over all pixels of all
frames, channel by channel, on a scale from 0 to 1. Nothing is sampled.
"""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["QUANTILES", "ColumnSummary", "PixelCount", "column_summary"]

QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}

ColumnSummary = Mapping[str, object]
"""Name of a statistic -> a list: one number for each of a column, or [[[r]], [[g]], [[b]]]."""


def column_summary(values: NDArray[np.generic]) -> ColumnSummary:
    """Return the statistics of a column (frames,) or (frames, numbers); at least one frame."""
    rows = values.reshape(len(values), -1).astype(np.float64)
    return {
        "min": rows.min(axis=0).tolist(),
        "max": rows.max(axis=0).tolist(),
        "mean": rows.mean(axis=0).tolist(),
        "std": rows.std(axis=0).tolist(),
        "count": [len(rows)],
        **{name: np.quantile(rows, q, axis=0).tolist() for name, q in QUANTILES.items()},
    }


class PixelCount:
    """Histogram of the brightness of each channel over some pictures."""

    def __init__(self) -> None:
        self.frames = 0
        self._counts = np.zeros((3, 256), dtype=np.int64)

    def add(self, picture: NDArray[np.uint8], times: int = 1) -> None:
        """Count a picture (H, W, 3)."""
        self.frames += times
        for channel in range(3):
            found = np.bincount(picture[..., channel].reshape(-1), minlength=256)
            self._counts[channel] += times * found

    def __add__(self, other: "PixelCount") -> "PixelCount":
        both = PixelCount()
        both.frames = self.frames + other.frames
        both._counts = self._counts + other._counts
        return both

    def summary(self) -> ColumnSummary:
        """Return the statistics; at least one picture."""
        levels = np.arange(256) / 255.0
        totals = self._counts.sum(axis=1)
        mean = self._counts @ levels / totals
        square = self._counts @ levels**2 / totals
        return {
            "min": _channels(levels[np.argmax(counts > 0)] for counts in self._counts),
            "max": _channels(levels[255 - np.argmax(c[::-1] > 0)] for c in self._counts),
            "mean": _channels(mean),
            "std": _channels(np.sqrt(np.maximum(square - mean**2, 0.0))),
            "count": [self.frames],
            **{name: _channels(self._quantiles(q)) for name, q in QUANTILES.items()},
        }

    def _quantiles(self, share: float) -> NDArray[np.float64]:
        """Return the least brightness that at least this share of pixels does not exceed."""
        reached = np.cumsum(self._counts, axis=1) >= share * self._counts.sum(axis=1)[:, None]
        brightness: NDArray[np.float64] = np.argmax(reached, axis=1) / 255.0
        return brightness


def _channels(values: Iterable[float]) -> list[list[list[float]]]:
    return [[[float(value)]] for value in values]
