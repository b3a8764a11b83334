"""What the viewer draws, beside golden pictures that somebody has looked at."""

from typing import Any

import numpy as np

from tests.web.goldens import FOLDER, draw_all, read

MEAN, FAR, SHARE = 3.0, 48, 0.02
"""Mean difference of a value, what is far off, and the share of values that may be."""


def test_scenes_look_as_in_the_golden_pictures(browser: Any) -> None:
    names = set()
    for name, data in draw_all(browser):
        names.add(name)
        found, golden = read(data), read((FOLDER / name).read_bytes())
        assert found.shape == golden.shape
        off = np.abs(found.astype(int) - golden)
        assert off.mean() < MEAN, name
        assert (off > FAR).mean() < SHARE, name
    assert names == {path.name for path in FOLDER.iterdir()}
