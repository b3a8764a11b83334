"""What the viewer draws, beside golden pictures that somebody has looked at."""

from typing import Any

import numpy as np

from tests.sampling import more
from tests.web.goldens import FOLDER, draw_all, read
from tests.web.test_playing import SHORT

MEAN, FAR, SHARE = 3.0, 48, 0.02
"""Mean difference of a value, what is far off, and the share of values that may be."""


def test_scenes_look_as_in_the_golden_pictures(browser: Any) -> None:
    names, families = set(), more(1, night=len(SHORT))
    for name, data in draw_all(browser, families):
        names.add(name)
        found, golden = read(data), read((FOLDER / name).read_bytes())
        assert found.shape == golden.shape
        off = np.abs(found.astype(int) - golden)
        assert off.mean() < MEAN, name
        assert (off > FAR).mean() < SHARE, name
    of_others = {f"{v.family}{end}.png" for v in SHORT[families:] for end in ("", "-solved")}
    assert names == {path.name for path in FOLDER.iterdir()} - of_others
