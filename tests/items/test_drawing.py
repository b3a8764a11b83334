"""Pictures of items: what they show can be read back, whatever is done to them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.benches.cube_bench.condition import Perturbation, Task, parse_condition
from bridge.benches.cube_bench.questions import make_claim, make_face_trial
from bridge.items.pictures import apply_retouch, draw
from pysim.items import Brightness, Cover, Picture, Shade
from pysim.render.factory import create_renderer
from pysim.render.palette import PALETTE
from pysim.render.renderer import Renderer
from pysim.render.tiling import place_cameras
from pysim.scene import Scene
from pysim.viewpoints import View

SIZE = 480
COLOURS = {name[0].upper(): name for name in ("white", "red", "green", "yellow", "orange", "blue")}
MIDDLES = [(column, -1.5, -row) for row in (-1.0, 0.0, 1.0) for column in (-1.0, 0.0, 1.0)]
"""Of the stickers of the front face, in the world, row by row."""


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made, _ = create_renderer()
    yield made
    made.close()


def read_front(rgb: NDArray[np.uint8], picture: Picture) -> tuple[str, ...]:
    """The letters of the front face in a picture of 480 pixels, where its camera sees them.

    In a net, tiles are 120 pixels wide below labels of 20; Front is in the second row and column.
    """
    assert picture.views is not None
    (shot,) = picture.views
    number = [tile.label for tile in shot.panels].index("Front" if shot.labelled else "")
    assert isinstance(picture.of, Scene)
    camera = place_cameras(picture.of, shot)[number]
    edge, left, top = (120, 120, 190) if shot.labelled else (SIZE, 0, 0)
    places = camera.project(np.array(MIDDLES), edge)[:, :2] + (left, top)
    return tuple(letter_at(rgb, round(y), round(x), edge // 12) for x, y in places.tolist())


def letter_at(rgb: NDArray[np.uint8], row: int, column: int, reach: int) -> str:
    """The colour that most pixels around a place are nearest to, their brightness left out."""
    patch = rgb[row - reach : row + reach + 1, column - reach : column + reach + 1].reshape(-1, 3)
    names = list(COLOURS)
    known = np.array([PALETTE[COLOURS[name]] for name in names], dtype=np.float64)
    gaps = [hues(patch.astype(np.float64))[:, None] - hues(known)[None]]
    nearest = np.square(gaps[0]).sum(axis=2).argmin(axis=1)
    return names[Counter(nearest.tolist()).most_common(1)[0][0]]


def hues(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = colours / np.maximum(colours.max(axis=1, keepdims=True), 1.0)
    return result


@pytest.mark.by_day(1)
@pytest.mark.parametrize("perturb", ["", *Perturbation])
def test_the_front_face_can_be_read_from_the_picture(renderer: Renderer, perturb: str) -> None:
    named = {"picture": "front"} | ({"perturb": perturb} if perturb else {})
    for seed in range(6):
        single = make_face_trial(parse_condition(Task.FACE, 3, named), seed)
        (picture,) = single.item.pictures
        (view,) = draw(renderer, picture, SIZE)
        assert (view.name, view.format, view.rgb().shape) == ("front", "png", (SIZE, SIZE, 3))
        assert read_front(view.rgb(), picture) == single.item.gold, seed


@pytest.mark.by_day(2)
@pytest.mark.parametrize("perturb", ["", *Perturbation])
def test_the_front_face_can_be_read_from_the_net(renderer: Renderer, perturb: str) -> None:
    named = {"perturb": perturb} if perturb else {}
    for seed in range(6):
        single = make_face_trial(parse_condition(Task.FACE, 4, {**named, "picture": "net"}), seed)
        (picture,) = single.item.pictures
        (view,) = draw(renderer, picture, SIZE)
        assert read_front(view.rgb(), picture) == single.item.gold, seed


def test_the_same_item_is_drawn_alike_to_the_last_byte(renderer: Renderer) -> None:
    named = {"perturb": "+".join(Perturbation), "template": "all"}
    one, two = (make_claim(parse_condition(Task.VERIFICATION, 5, named), 3).item for _ in range(2))
    assert draw(renderer, one.pictures[0], 200) == draw(renderer, two.pictures[0], 200)
    assert one.digest == two.digest


GREY = np.full((40, 60, 3), 100, dtype=np.uint8)


def test_brightness_multiplies_and_stops_at_white() -> None:
    assert (apply_retouch(GREY, Brightness(0.5)) == 50).all()
    assert (apply_retouch(GREY, Brightness(9.0)) == 255).all()


def test_light_comes_from_one_side() -> None:
    lit = apply_retouch(GREY, Shade(angle=0.0, depth=0.5))[..., 0]
    assert (lit[:, -1] == 100).all()
    assert (lit[:, 0] == 50).all()
    assert (np.diff(lit[0].astype(int)) >= 0).all()
    above = apply_retouch(GREY, Shade(angle=90.0, depth=1.0))[..., 0]
    assert (above[0] == 100).all()
    assert (above[-1] == 0).all()


def test_a_bar_covers_its_share_and_the_picture_is_not_changed() -> None:
    covered = apply_retouch(GREY, Cover(left=0.5, top=0.0, width=0.1, height=1.0))
    changed = (covered != GREY).any(axis=2)
    assert changed.sum() == 40 * 6
    assert changed[:, 30:36].all()
    assert (GREY == 100).all()


@dataclass(frozen=True)
class Stripes:
    """A page twice as wide as high."""

    def draw(self, size: int) -> NDArray[np.uint8]:
        page = np.full((size // 2, size, 3), 255, dtype=np.uint8)
        page[:, ::2] = 0
        return page


@dataclass(frozen=True)
class Broken:
    def draw(self, size: int) -> NDArray[np.uint8]:
        return np.zeros((size, size), dtype=np.uint8)


def test_a_drawing_may_have_any_shape_and_is_retouched_like_a_scene(renderer: Renderer) -> None:
    (view,) = draw(renderer, Picture("stripes", Stripes(), "wide"), 60)
    assert (view.name, view.width, view.height) == ("stripes", 60, 30)
    assert (view.rgb() == Stripes().draw(60)).all()
    (covered,) = draw(renderer, Picture("s", Stripes(), "w", (Cover(0.0, 0.0, 1.0, 1.0),)), 60)
    assert (covered.rgb() == 128).all()


def test_a_drawing_that_is_no_picture_is_said(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match=r"the drawing of gap is no uint8 \(H, W, 3\)"):
        draw(renderer, Picture("gap", Broken(), ""), 60)


def test_a_scene_with_several_shots_gives_a_view_of_each(renderer: Renderer) -> None:
    (picture,) = make_face_trial(
        parse_condition(Task.FACE, 3, {"picture": "front"}), 0
    ).item.pictures
    assert isinstance(picture.of, Scene)
    assert picture.of.views is not None
    front = picture.of.views[0]
    behind = View("behind", (replace(front.panels[0], towards=(-0.4, 1.0, 0.4)),))
    both = replace(picture, of=replace(picture.of, views=(front, behind)))
    views = draw(renderer, both, 120)
    assert [view.name for view in views] == [f"front {front.name}", "front behind"]
    assert views[0].data == draw(renderer, picture, 120)[0].data
    assert views[1].data != views[0].data
