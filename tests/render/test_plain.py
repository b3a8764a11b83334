"""The plain finish: jagged and without shadows, and otherwise the same pictures."""

from dataclasses import replace

import numpy as np
import pytest

from pysim.errors import InputError
from pysim.geometry import Bounds, Direction, Voxels
from pysim.render.camera import list_cameras
from pysim.render.renderer import Pass, Renderer
from pysim.render.scenery import PLAIN, create_dressed
from pysim.scene import Body, Colour, Scene, Sticker
from tests.render.scenes import body, lock

SIZE = 256


def test_plain_pictures_differ_at_outlines_and_in_shadows_alone(egl: Renderer) -> None:
    scene = lock()
    cameras = list_cameras(scene)
    full = egl.render(scene, cameras, SIZE, None, tuple(Pass))
    plain = create_dressed(egl, PLAIN).render(scene, cameras, SIZE)
    assert np.array_equal(plain.ids, full.ids) and np.array_equal(plain.depth, full.depth)
    change = (plain.rgb.astype(int) - full.rgb).sum(axis=-1)
    assert (np.abs(change) <= 6).mean() > 0.75, "most of it is the same"
    flat = np.ones_like(full.ids, dtype=bool)
    for axis in (1, 2):
        for step in (-1, 1):
            beside = np.roll(full.normals, step, axis), np.roll(full.ids, step, axis)
            flat &= (beside[0] == full.normals).all(axis=-1) & (beside[1] == full.ids)
    assert (change[flat & (full.ids > 0)] >= -6).mean() > 0.99, "within a face nothing is darker"
    assert (change[flat & (full.ids > 0)] > 30).any(), "and what was in shadow is brighter"


def test_plain_outline_has_no_mixed_colours(egl: Renderer) -> None:
    """A cube of one colour in front of one sky: three faces, lines, and nothing between."""
    scene = Scene(
        (body("red", Voxels.make_block((1, 1, 1)), (0, 0, 0)),), Bounds((0, 0, 0), (0, 0, 0))
    )
    (camera, *_) = list_cameras(scene)
    plain = create_dressed(egl, PLAIN).render(scene, [camera], SIZE)
    sky = plain.rgb[0][plain.ids[0] == 0]
    assert (np.ptp(sky.astype(int), axis=1) < 8).all(), "the sky is grey up to the outline"
    full = egl.render(scene, [camera], SIZE)
    assert (np.ptp(full.rgb[0][full.ids[0] == 0].astype(int), axis=1) >= 8).any()


def test_plain_bodies_that_are_seen_through_are_half_mixed(egl: Renderer) -> None:
    clear = replace(body("red", Voxels.make_block((3, 3, 3)), (0, 0, 0)), translucent=True)
    scene = Scene((clear,), Bounds((0, 0, 0), (2, 2, 2)))
    cameras = list_cameras(scene)
    plain = create_dressed(egl, PLAIN).render(scene, cameras, SIZE)
    full = egl.render(scene, cameras, SIZE)
    assert not plain.ids.any()
    assert np.abs(plain.rgb.astype(int) - full.rgb).mean() < 3


def test_plain_stickers_are_seen(egl: Renderer) -> None:
    cube = Voxels.make_block((1, 1, 1))
    stuck = Body(
        "black",
        cube,
        body("black", cube, (0, 0, 0)).pose,
        Colour("black"),
        stickers=(Sticker((0, 0, 0), Direction.PLUS_Z, Colour("#00ff00")),),
    )
    scene = Scene((stuck,), Bounds((0, 0, 0), (0, 0, 0)))
    rgb = create_dressed(egl, PLAIN).render(scene, list_cameras(scene)[:1], SIZE).rgb[0]
    assert (rgb == (0, 255, 0)).all(axis=-1).sum() > 500


def test_plain_renderer_says_so_in_its_version(egl: Renderer) -> None:
    plain = create_dressed(egl, PLAIN)
    assert plain.name == "egl" and "plain finish" in plain.version
    assert "plain" not in egl.version


def test_plain_and_full_pictures_may_alternate(egl: Renderer) -> None:
    scene = lock()
    cameras, plain = list_cameras(scene), create_dressed(egl, PLAIN)
    first = egl.render(scene, cameras, 96), plain.render(scene, cameras, 96)
    again = egl.render(scene, cameras, 96), plain.render(scene, cameras, 96, passes=[Pass.RGB])
    assert np.array_equal(first[0].rgb, again[0].rgb)
    assert np.array_equal(first[1].rgb, again[1].rgb)


def test_tiny_has_no_plain_finish(tiny: Renderer) -> None:
    with pytest.raises(InputError, match="has no finishes"):
        create_dressed(tiny, PLAIN)
