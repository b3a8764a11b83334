"""Pictures that were looked at and found good; drivers may differ by a little.

``python -m tests.render.test_golden`` draws them anew. Look at them before you keep them.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest

from pysim.render.egl import EglRenderer
from pysim.render.renderer import Renderer
from pysim.render.views import encode, observe
from tests.render.scenes import lock

FOLDER = Path(__file__).parent.parent / "golden" / "render"
VIEWS = ("+x-y+z", "-x+y-z", "table")
SIZE = 256


def drawn(renderer: Renderer) -> dict[str, np.ndarray]:
    views = observe(renderer, lock(), SIZE)
    return {view.name: view.rgb for view in views if view.name in VIEWS}


def path(view: str) -> Path:
    return FOLDER / f"lock{view if view[0] in '+-' else '-' + view}.png"


def similarity(first: np.ndarray, second: np.ndarray) -> float:
    """Mean structural similarity (Wang et al., 2004) of two pictures, by 8 x 8 boxes."""
    a, b = (cv2.cvtColor(p, cv2.COLOR_RGB2GRAY).astype(np.float64) for p in (first, second))

    def mean(picture: np.ndarray) -> np.ndarray:
        return cv2.blur(picture, (8, 8))

    ma, mb = mean(a), mean(b)
    va, vb, cov = mean(a * a) - ma * ma, mean(b * b) - mb * mb, mean(a * b) - ma * mb
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    ssim = (2 * ma * mb + c1) * (2 * cov + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2))
    return float(ssim.mean())


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_looks_like_the_one_on_file(egl: Renderer, view: str) -> None:
    now = drawn(egl)[view]
    filed = cv2.imread(str(path(view)), cv2.IMREAD_COLOR)[..., ::-1]
    assert np.abs(now.astype(int) - filed).mean() < 1.5
    assert similarity(now, np.ascontiguousarray(filed)) > 0.97


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with EglRenderer() as renderer:
        for view, rgb in drawn(renderer).items():
            path(view).write_bytes(encode(rgb, "png", renderer=renderer.version))
