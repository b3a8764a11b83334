"""Pictures that were looked at and found good.

The renderer that made a picture is named in it, and the processor beside it: the same renderer
draws the same pixels on the same processor, but for a few that a distribution's patch may round
otherwise: Debian's Mesa 22.3.6 has changed so. On another processor it draws them within a stated
tolerance. Another renderer draws something that looks alike, and the same ids away from outlines.

``python -m tests.render.test_golden`` draws them anew. Look at them before you keep them.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest
from skimage.metrics import structural_similarity

from bridge.runs.provenance import describe_provenance
from pysim.render.egl import EglRenderer
from pysim.render.renderer import Renderer
from pysim.render.views import Rendered, encode, observe
from pysim.viewpoints import Views
from tests.render.scenes import lock

FOLDER = Path(__file__).parent.parent / "golden" / "render"
VIEWS = ("+x-y+z", "-x+y-z", "table")
SIZE = 256
PROCESSOR = FOLDER / "processor.txt"
"""The processor on which a software renderer made them."""
SHADES, SHARE = 8, 0.005
"""Across processors no more than this share of pixels differs by more than so many shades."""
PATCHED = 0.0005
"""Share of pixels that may differ where a renderer was patched."""


def drawn(renderer: Renderer) -> dict[str, Rendered]:
    views = observe(renderer, lock(), SIZE, views=Views.CLASSIC)
    return {view.name: view for view in views if view.name in VIEWS}


def path(view: str, ending: str = ".png") -> Path:
    return FOLDER / f"lock{view if view[0] in '+-' else '-' + view}{ending}"


def filed(view: str) -> np.ndarray:
    picture = cv2.imread(str(path(view)), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.ascontiguousarray(picture[..., ::-1])


def filed_ids(view: str) -> np.ndarray:
    ids = cv2.imread(str(path(view, ".ids.png")), cv2.IMREAD_UNCHANGED)
    assert ids is not None
    return ids


def is_by(view: str, renderer: Renderer) -> bool:
    return f"Renderer\0{renderer.version}".encode() in path(view).read_bytes()


def away_from_outlines(ids: np.ndarray) -> np.ndarray:
    shape = np.ones((3, 3), dtype=np.uint8)
    return cv2.dilate(ids, shape) == cv2.erode(ids, shape)


def similarity(first: np.ndarray, second: np.ndarray) -> float:
    """Mean structural similarity of two pictures in grey."""
    grey = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in (first, second))
    return float(structural_similarity(*grey))


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_looks_like_the_one_on_file(egl: Renderer, view: str) -> None:
    now = drawn(egl)[view].rgb
    assert np.abs(now.astype(int) - filed(view)).mean() < 1.5
    assert similarity(now, filed(view)) > 0.97


@pytest.mark.parametrize("view", VIEWS)
def test_the_renderer_that_made_a_picture_draws_its_pixels_again(egl: Renderer, view: str) -> None:
    if not is_by(view, egl):
        pytest.skip(f"NOT TESTED: the pictures on file are not by {egl.version}")
    if str(describe_provenance()["processor"]) != PROCESSOR.read_text(encoding="utf-8").strip():
        pytest.skip("NOT TESTED: the pictures on file were made on another processor")
    now = drawn(egl)[view]
    assert (now.rgb != filed(view)).any(axis=2).mean() <= PATCHED
    assert (now.ids != filed_ids(view)).mean() <= PATCHED


def beyond_tolerance(first: np.ndarray, second: np.ndarray) -> float:
    """The share of pixels that differ by more than may be."""
    return float((np.abs(first.astype(int) - second).max(axis=2) > SHADES).mean())


@pytest.mark.parametrize("view", VIEWS)
def test_on_any_processor_a_picture_is_within_the_tolerance(egl: Renderer, view: str) -> None:
    if not is_by(view, egl):
        pytest.skip(f"NOT TESTED: the pictures on file are not by {egl.version}")
    now = drawn(egl)[view]
    assert beyond_tolerance(now.rgb, filed(view)) <= SHARE
    assert (now.ids != filed_ids(view)).mean() <= SHARE


@pytest.mark.parametrize("view", VIEWS)
def test_the_tolerance_is_too_small_for_another_picture(egl: Renderer, view: str) -> None:
    picture = filed(view)
    assert beyond_tolerance(np.roll(picture, 1, axis=1), picture) > SHARE
    darker = np.clip(picture.astype(int) - SHADES - 1, 0, 255)
    assert beyond_tolerance(darker, picture) > SHARE


def test_on_one_processor_a_second_renderer_draws_every_pixel_the_same(egl: Renderer) -> None:
    first = drawn(egl)
    with EglRenderer() as other:
        second = drawn(other)
    for view in VIEWS:
        assert np.array_equal(first[view].rgb, second[view].rgb)
        assert np.array_equal(first[view].ids, second[view].ids)


@pytest.mark.parametrize("view", VIEWS)
def test_every_renderer_has_the_ids_on_file(renderer: Renderer, view: str) -> None:
    ids = drawn(renderer)[view].ids
    inside = away_from_outlines(filed_ids(view))
    assert inside.mean() > 0.9
    assert np.array_equal(ids[inside], filed_ids(view)[inside])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    PROCESSOR.write_text(f"{describe_provenance()['processor']}\n", encoding="utf-8")
    with EglRenderer() as renderer:
        for name, view in drawn(renderer).items():
            path(name).write_bytes(encode(view.rgb, "png", renderer=renderer.version))
            cv2.imwrite(str(path(name, ".ids.png")), view.ids)
