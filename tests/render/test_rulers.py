"""Rulers: numbers along the edges of a picture by which cells can be named."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from pysim.geometry import Bounds
from pysim.render.overlay import Overlay
from pysim.render.panels import describe_marks
from pysim.render.renderer import Renderer
from pysim.render.tiling import place_cameras
from pysim.render.views import observe
from pysim.scene import Scene
from pysim.viewpoints import Panel, View, Views
from tests.render.scenes import lock

PLAN = Panel((0, 0, 1), (0, 1, 0), parallel=True, ruler=True)
CORNER = Panel((1.0, -1.3, 1.1), (0, 0, 1), ruler=True)
BLOCK = Bounds((0, 0, 0), (6, 3, 4))
DARK, FAINT = 100, 190


def seen_by(tile: Panel, block: Bounds = BLOCK) -> tuple[Scene, View]:
    shot = View("seen", (tile,))
    return replace(lock(), work=block, views=(shot,)), shot


def overlaid(renderer: Renderer, scene: Scene, size: int) -> NDArray[np.bool_]:
    """Return (H, W) which pixels the ruler changes."""
    (ruled,), (bare,) = (
        observe(renderer, scene, size, overlay=Overlay(ruler=ruler)) for ruler in (True, False)
    )
    assert np.array_equal(ruled.ids, bare.ids)
    return (ruled.rgb != bare.rgb).any(axis=2)


@pytest.mark.parametrize("size", [200, 256, 512])
def test_plan_with_ruler_ticks_the_column_and_row_of_each_cell(
    renderer: Renderer, size: int
) -> None:
    scene, shot = seen_by(PLAN)
    (camera,) = place_cameras(scene, shot)
    (view,) = observe(renderer, scene, size)
    dark = view.rgb.max(axis=2) < DARK
    below = camera.project(np.array([[x, -0.5, 0.0] for x in range(7)]), size)[:, :2]
    left = camera.project(np.array([[-0.5, y, 0.0] for y in range(4)]), size)[:, :2]
    for column, row in below:
        near = dark[int(row) : int(row) + 3, int(column) - 1 : int(column) + 2]
        assert near.any()
    for column, row in left:
        near = dark[int(row) - 1 : int(row) + 2, int(column) - 3 : int(column) + 1]
        assert near.any()


@pytest.mark.parametrize("tile", [PLAN, CORNER])
@pytest.mark.parametrize("size", [200, 512])
def test_ruler_covers_nothing_of_the_block(renderer: Renderer, tile: Panel, size: int) -> None:
    scene, shot = seen_by(tile)
    (camera,) = place_cameras(scene, shot)
    changed = overlaid(renderer, scene, size)
    assert changed.any() and not changed[[0, -1]].any() and not changed[:, [0, -1]].any()
    corners = np.array([[x, y, z] for x in (-0.5, 6.5) for y in (-0.5, 3.5) for z in (-0.5, 4.5)])
    hull = cv2.convexHull(camera.project(corners, size)[:, :2].astype(np.float32))
    inside = np.zeros((size, size), np.uint8)
    cv2.fillConvexPoly(inside, np.round(hull).astype(np.int32), 1)
    core = cv2.erode(inside, np.ones((7, 7), np.uint8))
    assert not (changed & (core > 0)).any()


def test_corner_with_ruler_has_a_scale_along_each_axis(renderer: Renderer) -> None:
    """As many separate marks lie around the block as there are ticks, numbers and letters."""
    scene, _ = seen_by(CORNER)
    count, _ = cv2.connectedComponents(overlaid(renderer, scene, 512).astype(np.uint8))
    assert count - 1 >= 7 + 4 + 5 + 3


def test_ruler_of_a_long_block_skips_numbers_but_no_tick(renderer: Renderer) -> None:
    scene, shot = seen_by(PLAN, Bounds((0, 0, 0), (23, 5, 4)))
    (camera,) = place_cameras(scene, shot)
    (view,) = observe(renderer, scene, 256)
    dark = view.rgb.max(axis=2) < FAINT
    for column, row, _ in camera.project(np.array([[x, -0.5, 0.0] for x in range(24)]), 256):
        assert dark[int(row) : int(row) + 3, int(column) - 1 : int(column) + 2].any()


def test_small_picture_bears_no_ruler_and_nothing_is_said_of_one(renderer: Renderer) -> None:
    scene, _ = seen_by(PLAN)
    assert not overlaid(renderer, scene, 199).any()
    assert describe_marks(scene, 199) == ""
    assert describe_marks(scene, 200).startswith("In seen the numbers along the edges")


def test_marks_of_usual_views_are_the_gizmo_where_it_fits() -> None:
    scene = replace(lock(), views=None)
    for views, least in ((Views.CLASSIC, 160), (Views.COMPOSED, 194), (Views.SHEET, 194)):
        assert "gizmo" in describe_marks(scene, least, views)
        assert describe_marks(scene, least - 1, views) == ""
    assert describe_marks(replace(scene, views=()), 512) == ""


def test_marks_of_a_sheet_name_its_panels_in_reading_order() -> None:
    scene, _ = seen_by(PLAN)
    shots = tuple(replace(scene.views[0], name=name) for name in "abcde")
    marks = describe_marks(replace(scene, views=shots), 512, Views.SHEET)
    assert marks.startswith("The panels of the picture are, row by row: a, b, c, d. In a, b, c, d")


def test_text_of_a_tile_is_the_same_with_a_ruler() -> None:
    assert repr(PLAN) == repr(replace(PLAN, ruler=False))
