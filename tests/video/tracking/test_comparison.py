"""Comparison of pictures: two ways to the same sums."""

import numpy as np
import pytest

from bridge.video.reference.pictures import PackedPictures
from bridge.video.tracking.comparison import sum_changes, sum_differences


def test_sum_of_changes_is_what_pictures_differ_more_than_the_first() -> None:
    rng = np.random.default_rng(0)
    seen = rng.integers(0, 256, (30, 40, 3), dtype=np.uint8)
    pictures = [np.clip(seen + rng.normal(0.0, 9.0, seen.shape), 0, 255).astype(np.uint8)]
    for row in (0, 5, 20):
        picture = pictures[0].copy()
        picture[row : row + 10, 17:] = rng.integers(0, 256, (10, 23, 3))
        pictures.append(picture)
    packed = PackedPictures(pictures)
    order = [2, 0, 3, 1]
    places, colors = zip(*map(packed.find_changes, order), strict=True)
    more, ends = np.empty(4), np.cumsum([len(some) for some in places])
    sum_changes(seen, packed.first, np.concatenate(places), np.concatenate(colors), ends, more)
    usual = sum_differences(seen, packed.first)
    expected = [sum_differences(seen, pictures[position]) for position in order]
    assert usual + more == pytest.approx(expected, rel=1e-12)
    assert usual < 0.8 * min(expected[0], *expected[2:])
