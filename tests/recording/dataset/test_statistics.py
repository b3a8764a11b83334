"""Statistics against those that numpy works out from all values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from bridge.recording.dataset.statistics import QUANTILES, PixelCount, column_summary

PICTURES = arrays.arrays(np.uint8, st.tuples(st.integers(1, 4), st.just(5), st.just(4), st.just(3)))


@given(arrays.arrays(np.float32, (7, 3), elements=st.floats(-50, 50, width=32)))
def test_columns_are_summed_up_number_by_number(values: NDArray[np.float32]) -> None:
    found = column_summary(values)
    wide = values.astype(np.float64)
    assert found["count"] == [7]
    assert found["mean"] == pytest.approx(wide.mean(axis=0))
    assert found["std"] == pytest.approx(wide.std(axis=0))
    assert (found["min"], found["max"]) == (wide.min(0).tolist(), wide.max(0).tolist())
    assert found["q90"] == pytest.approx(np.quantile(wide, 0.9, axis=0))


def test_a_column_of_single_values_is_summed_up_as_one_number() -> None:
    found = column_summary(np.array([True, False, False, False]))
    assert (found["mean"], found["max"], found["q50"]) == ([0.25], [1.0], [0.0])


@given(PICTURES, PICTURES)
def test_pixels_are_summed_up_over_all_pictures(
    first: NDArray[np.uint8], second: NDArray[np.uint8]
) -> None:
    counts = PixelCount(), PixelCount()
    for pictures, count in zip((first, second), counts, strict=True):
        for picture in pictures:
            count.add(picture)
    found = (counts[0] + counts[1]).summary()
    pixels = np.concatenate([first, second]).reshape(-1, 3) / 255.0
    assert found["count"] == [len(first) + len(second)]
    expected = {"min": pixels.min(0), "max": pixels.max(0), "mean": pixels.mean(0)}
    expected |= {"std": pixels.std(0)}
    expected |= {
        name: np.quantile(pixels, share, axis=0, method="inverted_cdf")
        for name, share in QUANTILES.items()
    }
    for name, values in expected.items():
        assert np.shape(found[name]) == (3, 1, 1)
        assert np.ravel(found[name]) == pytest.approx(values, abs=1e-7)
