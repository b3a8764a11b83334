"""Shots: pictures made of tiles, in place of the usual views."""

from dataclasses import replace

import numpy as np
import pytest

from pysim.geometry import Voxels
from pysim.render.camera import fit
from pysim.render.overlay import Labels, Overlay
from pysim.render.palette import PALETTE
from pysim.render.renderer import BACKDROP, Renderer
from pysim.render.tiling import place_cameras
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.viewpoints import Panel, Vector, View
from tests.render.rays import cast
from tests.render.scenes import body, lock

FRONT = Panel((0, -1, 0), (0, 0, 1))
TOP = Panel((0, 0, 1), (0, 1, 0), row=1)
BESIDE = Panel((1, 0, 0), (0, 0, 1), parallel=True, shaded=False, row=1, column=2)


def with_shots(*shots: View) -> Scene:
    return replace(lock(), views=shots)


def test_shots_take_the_place_of_the_usual_views(renderer: Renderer) -> None:
    views = observe(renderer, with_shots(View("a", (FRONT,)), View("b", (FRONT, BESIDE))), 90)
    assert [view.name for view in views] == ["a", "b"]
    for view in views:
        assert view.rgb.shape == (90, 90, 3) and view.rgb.dtype == np.uint8
        assert view.ids.shape == view.depth.shape == (90, 90)
        assert np.array_equal(np.isfinite(view.depth), view.ids > 0)


def test_no_shots_are_no_pictures_and_cameras_still_see(renderer: Renderer) -> None:
    scene = with_shots()
    assert observe(renderer, scene, 64) == ()
    camera = fit("any", (1.0, -1.0, 1.0), scene.work)
    (view,) = observe(renderer, scene, 64, cameras=[camera])
    assert view.ids.any()


def test_a_shot_of_one_tile_is_what_its_camera_sees_and_bears_no_overlay(
    renderer: Renderer,
) -> None:
    shot = View("a", (FRONT,))
    scene = with_shots(shot)
    seen = renderer.render(scene, place_cameras(scene, shot), 200)
    (view,) = observe(renderer, scene, 200)
    assert np.array_equal(view.rgb, seen.rgb[0]) and np.array_equal(view.ids, seen.ids[0])


@pytest.mark.parametrize("towards", [(1, 0.9, 0), (0.4, 1, -0.2), (1, 0.2, 0.3)])
def test_a_tile_with_an_eye_sees_what_rays_from_there_meet(
    renderer: Renderer, towards: Vector
) -> None:
    """From inside of a body, which is not seen itself."""
    shot = View("a", (Panel(towards, (0, 0, 1), eye=(4.2, 5.1, 0.3)),))
    around = body("tan", Voxels.from_cells([(0, 0, 0)]), (4, 5, 0))
    scene = replace(lock(), bodies=(*lock().bodies, around), views=(shot,))
    (camera,) = place_cameras(scene, shot)
    (view,) = observe(renderer, scene, 64)
    row, column = np.mgrid[0:64:3, 0:64:3].reshape(2, -1)
    hits = cast(scene, camera, 64, np.column_stack([column, row]) + 0.5, {})
    assert hits.ids.any() and np.mean(view.ids[row, column] == hits.ids) > 0.98
    same = hits.ids.astype(bool) & (view.ids[row, column] == hits.ids)
    apart = np.abs(view.depth[row, column][same] - hits.depth[same])
    assert np.mean(apart < 0.1) > 0.98, "all but slivers at edges"


def test_tiles_lie_in_their_places_and_nothing_is_seen_elsewhere(renderer: Renderer) -> None:
    shot = View("a", (FRONT, TOP, BESIDE))
    scene = with_shots(shot)
    (view,) = observe(renderer, scene, 100)
    seen = renderer.render(scene, place_cameras(scene, shot), 33)
    free = np.ones((100, 100), dtype=bool)
    for tile, ids, rgb in zip(shot.panels, seen.ids, seen.rgb, strict=True):
        top, left = 17 + 33 * tile.row, 33 * tile.column
        part = np.s_[top : top + 33, left : left + 33]
        assert np.array_equal(view.ids[part], ids) and np.array_equal(view.rgb[part], rgb)
        free[part] = False
    assert (view.rgb[free] == BACKDROP).all() and not view.ids[free].any()


def test_normals_are_put_together_as_well(egl: Renderer) -> None:
    (view,) = observe(egl, with_shots(View("a", (FRONT, TOP))), 60, normals=True)
    assert view.normals is not None and view.normals.shape == (60, 60, 3)
    lengths = np.linalg.norm(view.normals, axis=2)
    assert np.allclose(lengths, view.ids > 0, atol=1e-3)


def test_a_camera_that_does_not_shade_shows_the_palette_itself(renderer: Renderer) -> None:
    scene = with_shots(View("a", (replace(BESIDE, row=0, column=0),)))
    (view,) = observe(renderer, scene, 200)
    for number, one in enumerate(scene.bodies, start=1):
        pixels = view.rgb[view.ids == number]
        if len(pixels):
            same = (pixels == PALETTE[one.colour]).all(axis=1)
            assert same.mean() > 0.3, "all but lines and corners"
    assert (view.rgb[0, 0] == BACKDROP).all()


def test_what_is_up_in_a_tile_is_up_in_the_picture(renderer: Renderer) -> None:
    upright = replace(FRONT, parallel=True)
    turned = replace(upright, up=(1, 0, 0))
    a, b = observe(renderer, with_shots(View("a", (upright,)), View("b", (turned,))), 61)
    assert np.mean(a.ids != np.rot90(b.ids, -1)) < 0.03
    assert np.mean(a.ids != b.ids) > 0.05


def test_labels_of_pieces_are_written_on_shots_too(egl: Renderer) -> None:
    scene = with_shots(View("a", (FRONT,)))
    plain, labelled = (
        observe(egl, scene, 200, overlay=Overlay(labels=labels))[0].rgb
        for labels in (Labels.NONE, Labels.LETTERS)
    )
    assert not np.array_equal(plain, labelled)


def test_a_tile_leaves_out_bodies_and_the_others_keep_their_ids(renderer: Renderer) -> None:
    scene = with_shots()
    for gone in scene.bodies:
        tile = replace(FRONT, leaves_out=frozenset((gone.name,)))
        (view,) = observe(renderer, replace(scene, views=(View("a", (tile,)),)), 64)
        rest = replace(scene, bodies=tuple(body for body in scene.bodies if body != gone))
        (alone,) = observe(renderer, replace(rest, views=(View("a", (FRONT,)),)), 64)
        names = [None, *(body.name for body in scene.bodies)]
        others = [None, *(body.name for body in rest.bodies)]
        assert {names[k] for k in np.unique(view.ids)} == {others[k] for k in np.unique(alone.ids)}
        assert np.array_equal(view.ids > 0, alone.ids > 0)
        assert np.array_equal(view.rgb, alone.rgb)


def test_scenery_is_drawn_by_tiles_that_name_it_and_has_neither_ids_nor_depth(
    renderer: Renderer,
) -> None:
    flat = Voxels.make_block((41, 1, 41))
    wall = replace(body("tan", flat, (-20, -7, -20)), name="wall")
    scene = replace(lock(), scenery=(wall,))
    tile = replace(FRONT, adds=frozenset(("wall",)), parallel=True)
    plain, hidden = observe(
        renderer,
        replace(
            scene, views=(View("plain", (replace(tile, adds=frozenset()),)), View("w", (tile,)))
        ),
        64,
    )
    assert plain.ids.any() and not hidden.ids.any()
    assert np.isinf(hidden.depth).all() and not np.array_equal(plain.rgb, hidden.rgb)
    for view in observe(renderer, replace(scene, views=None), 64):
        assert view.ids.max() <= len(scene.bodies)


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        ((), "needs a tile"),
        ((FRONT, replace(TOP, row=0)), "in one place"),
        ((replace(FRONT, column=-1),), "counted from 0"),
    ],
)
def test_a_shot_that_makes_no_sense_is_refused(tiles: tuple[Panel, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        View("a", tiles)


def test_a_tile_can_not_be_up_along_its_own_direction(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="points up"):
        observe(renderer, with_shots(View("a", (replace(FRONT, up=(0, 2, 0)),))), 32)


@pytest.mark.parametrize("towards", [(0, 0, 0), (float("nan"), 0, 1), (float("inf"), 0, 1)])
def test_a_tile_needs_a_direction(renderer: Renderer, towards: Vector) -> None:
    with pytest.raises(ValueError, match=r"direction|finite"):
        observe(renderer, with_shots(View("a", (replace(FRONT, towards=towards),))), 32)


def test_two_shots_of_a_scene_can_not_share_a_name() -> None:
    with pytest.raises(ValueError, match="two shots share a name"):
        with_shots(View("a", (FRONT,)), View("a", (TOP,)))


def test_more_tiles_than_pixels_are_refused(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="more than 16 pixels"):
        observe(renderer, with_shots(View("a", (replace(FRONT, row=40),))), 16)


def test_tiles_of_one_size_are_drawn_in_one_go(egl: Renderer) -> None:
    class Counting:
        """Passes everything on, and counts."""

        calls = 0

        def __getattr__(self, name: str) -> object:
            self.calls += name == "render"
            return getattr(egl, name)

    counting = Counting()
    scene = with_shots(View("a", (FRONT, TOP)), View("b", (FRONT, TOP)), View("c", (FRONT,)))
    assert len(observe(counting, scene, 64)) == 3  # type: ignore[arg-type]
    assert counting.calls == 2
