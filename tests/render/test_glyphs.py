"""Glyphs on stickers: all four orientations, on every side, in every renderer alike."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from pysim.geometry import HOME, Bounds, Direction, Voxels
from pysim.glyphs import ARROW, GLYPHS, Glyph
from pysim.render.camera import Camera
from pysim.render.factory import create_renderer, list_renderers
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.viewpoints import Panel, View
from tests.needs import needs_pybullet
from tests.sampling import by_day

SIZE = 112
UPRIGHT = {
    side: (0.0, 1.0, 0.0) if side.axis.value == "z" else (0.0, 0.0, 1.0) for side in Direction
}
CHIRAL = "FGJLPQR24"


@pytest.fixture(scope="module", params=["egl", "tiny"])
def renderer(request: pytest.FixtureRequest) -> Renderer:
    if request.param not in list_renderers():
        pytest.skip(f"NOT TESTED: no renderer {request.param} here")
    made, _ = create_renderer(request.param)
    request.addfinalizer(made.close)
    return made


def cube(side: Direction, glyph: Glyph | None, paint: str = "white") -> Scene:
    """A black cell with one sticker, looked at straight from that side, upright."""
    sticker = Sticker((0, 0, 0), side, Colour(paint), glyph)
    body = Body("c", Voxels.from_cells([(0, 0, 0)]), HOME, Colour("grey"), stickers=(sticker,))
    x, y, z = side.vector
    tile = Panel((float(x), float(y), float(z)), UPRIGHT[side], parallel=True, shaded=False)
    return Scene((body,), Bounds((0, 0, 0), (0, 0, 0)), views=(View("s", (tile,)),))


def strokes(renderer: Renderer, scene: Scene) -> NDArray[np.bool_]:
    """What is inked, as 7 x 7 squares from the top, read in the middle of each."""
    (view,) = observe(renderer, scene, SIZE)
    rows, columns = np.nonzero(view.ids)
    top, left = rows.min(), columns.min()
    edge = rows.max() + 1 - top
    places = (0.5 + 0.58 * ((np.arange(7) + 0.5) / 7 - 0.5)) * edge
    at = np.floor(places).astype(int)
    plain = view.rgb[top + at[0] - 4, left + at[0] - 4].astype(int)
    found = view.rgb[np.ix_(top + at, left + at)].astype(int)
    inked: NDArray[np.bool_] = np.abs(found - plain).sum(axis=2) > 150
    return inked


def as_told(sign: str) -> NDArray[np.bool_]:
    return np.array([[c == "#" for c in f".{row}."] for row in GLYPHS[sign]])


@pytest.mark.parametrize("side", list(Direction))
@pytest.mark.parametrize("turns", by_day(range(4), each=2))
def test_a_glyph_can_be_read_on_every_side_in_every_orientation(
    renderer: Renderer, side: Direction, turns: int
) -> None:
    found = strokes(renderer, cube(side, Glyph("F", turns)))
    assert (found == np.rot90(as_told("F"), -turns)).all()


@pytest.mark.parametrize("sign", list(GLYPHS))
def test_every_glyph_looks_as_it_is_told(renderer: Renderer, sign: str) -> None:
    assert (strokes(renderer, cube(Direction.MINUS_Y, Glyph(sign))) == as_told(sign)).all()


def test_glyphs_are_dark_on_bright_and_light_on_dark_stickers(renderer: Renderer) -> None:
    for paint in ("white", "yellow", "red", "blue", "navy", "green"):
        scene = cube(Direction.PLUS_X, Glyph(ARROW), paint)
        assert (strokes(renderer, scene) == as_told(ARROW)).all(), paint


def test_a_glyph_changes_colours_only(renderer: Renderer) -> None:
    (plain,) = observe(renderer, cube(Direction.PLUS_Y, None), SIZE)
    (marked,) = observe(renderer, cube(Direction.PLUS_Y, Glyph("R", 1)), SIZE)
    assert (plain.ids == marked.ids).all()
    assert (plain.depth == marked.depth).all()
    assert (plain.rgb != marked.rgb).any()


@needs_pybullet
def test_renderers_draw_glyphs_alike() -> None:
    """From aside and in perspective, where strokes are a few pixels wide."""
    if not {"egl", "tiny"} <= set(list_renderers()):
        pytest.skip("NOT TESTED: not both renderers are here")
    camera = Camera("aside", (1.2, -2.5, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    inked = []
    for kind in ("egl", "tiny"):
        made, _ = create_renderer(kind)
        scenes = (cube(Direction.MINUS_Y, glyph) for glyph in (None, Glyph("R", 3)))
        plain, marked = (made.render(scene, [camera], 256).rgb[0].astype(int) for scene in scenes)
        made.close()
        inked.append(np.abs(plain - marked).sum(axis=2) > 250)
    either, both = inked[0] | inked[1], inked[0] & inked[1]
    assert both.sum() > 2000
    assert both.sum() > 0.9 * either.sum()


def test_four_orientations_of_a_chiral_glyph_are_four_pictures() -> None:
    for sign in (*CHIRAL, ARROW):
        turned = [np.rot90(as_told(sign), k) for k in range(4)]
        assert all((a != b).any() for a, b in combinations(turned, 2)), sign


def test_all_glyphs_differ() -> None:
    assert len(set(GLYPHS.values())) == len(GLYPHS)
    assert all(len(rows) == 7 and {len(row) for row in rows} == {5} for rows in GLYPHS.values())


@pytest.mark.parametrize(("sign", "turns"), [("f", 0), ("", 0), ("FF", 0), ("F", 4), ("F", -1)])
def test_what_is_no_glyph_is_said(sign: str, turns: int) -> None:
    with pytest.raises(ValueError, match="glyph"):
        Glyph(sign, turns)
