"""Appearance of sides that a film never shows."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.reference.appearance import (
    Observations,
    borrow_texture,
    learn_background,
    learn_paint,
)
from bridge.video.reference.surfaces import build_surfaces
from pysim.geometry import Voxels

SIDE = np.eye(6)[:1]
"""All is seen from one side."""


def observe(
    texels: NDArray[np.int32],
    looks: NDArray[np.int32],
    colors: NDArray[np.uint8],
    sides: NDArray[np.float64] = SIDE,
) -> Observations:
    return Observations(texels, looks, colors, np.zeros(len(texels), bool), sides)


@pytest.mark.parametrize("stickered", [False, True])
def test_hidden_sides_of_a_body_without_stickers_have_its_colour(stickered: bool) -> None:
    """Of a body that is hardly seen, shadows and rims make each texel look otherwise."""
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])], 4)
    shown = np.arange(16, dtype=np.int32)
    colors = np.full((16, 3), (47, 92, 157), np.uint8)
    colors[::2] += np.uint8(60)
    seen = observe(shown, np.zeros(16, np.int32), colors)
    paint = learn_paint(surfaces, seen, np.array([stickered]), [0] * 6)
    hidden = paint.texture[16:]
    assert len(hidden) == 5 * 16
    assert (hidden < 0.0).all() if stickered else np.ptp(hidden, axis=0).max() == 0.0
    assert stickered or np.abs(hidden[0] - paint.texture[:16].mean(axis=0)).max() < 35.0


@pytest.mark.parametrize("stickered", [False, True])
def test_rest_of_a_side_that_is_hardly_seen_has_the_colour_of_a_body_without_stickers(
    stickered: bool,
) -> None:
    """Only the rim of such a side is seen, and that looks like what is beside it, too."""
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])], 4)
    blue, rim = np.array([47, 92, 157], np.uint8), np.array([90, 130, 60], np.uint8)
    shown = np.arange(18, dtype=np.int32)
    seen = observe(shown, np.zeros(18, np.int32), np.array([blue] * 16 + [rim] * 2))
    texture = learn_paint(surfaces, seen, np.array([stickered]), [0] * 6).texture
    assert np.abs(texture[18:32] - texture[16 if stickered else 0]).max() < 1.0


def test_part_of_a_side_that_is_never_seen_looks_like_what_is_around_it() -> None:
    """The half of a wall that is in a shadow tells nothing of the other one."""
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])], 16)
    colors = np.full((16, 16, 3), 90, np.uint8)
    colors[:8] = 180
    hole = np.zeros((16, 16), bool)
    hole[1:3, 5:10] = True
    shown = np.flatnonzero(~hole.ravel()).astype(np.int32)
    looks = np.zeros(len(shown), np.int32)
    seen = observe(shown, looks, colors.reshape(-1, 3)[shown])
    texture = learn_paint(surfaces, seen, np.array([False]), [0] * 6).texture[:256]
    there = texture[hole.ravel()] / texture[0]
    assert np.abs(there - 1.0).max() < 0.02


def test_part_of_a_side_that_is_seen_beside_others_alone_looks_like_what_is_around_it() -> None:
    """A body in front of it gives its own colour to the pixels at its rim."""
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])], 16)
    colors = np.full((16, 16, 3), (47, 92, 157), np.uint8)
    mixed = np.zeros((16, 16), bool)
    mixed[:, 10:] = True
    colors[mixed] = 120, 100, 80
    shown = np.flatnonzero(np.arange(256) % 16 < 12).astype(np.int32)
    seen = observe(shown, np.zeros(len(shown), np.int32), colors.reshape(-1, 3)[shown])
    seen = seen._replace(mixed=mixed.ravel()[shown])
    texture = learn_paint(surfaces, seen, np.array([False]), [0] * 6).texture[:256]
    assert np.abs(texture / texture[0] - 1.0).max() < 0.02


def test_light_on_a_side_does_not_depend_on_the_colours_that_look_there() -> None:
    """A cube's front may be all green: that little red is seen there does not mean red light."""
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])] * 2, 4)
    green, white, orange = ((8, 142, 64), (220, 220, 220), (230, 120, 20))
    colors = np.array([green, white, orange, white], np.uint8)
    shown = np.concatenate([np.arange(32), 96 + np.arange(32)]).astype(np.int32)
    looks = np.tile(np.repeat(np.arange(2, dtype=np.int32), 16), 2)
    seen = observe(shown, looks, np.repeat(colors, 16, axis=0), np.eye(6)[[0, 4]])
    alike = ["green", "white", *["bare"] * 4, "orange", "white", *["bare"] * 4]
    shade = learn_paint(surfaces, seen, np.array([True, True]), alike).shade
    assert shade[[0, 4]] == pytest.approx(1.0, abs=0.02)


def test_bare_side_that_looks_bright_in_a_dim_light_gets_the_colour_of_bare_sides() -> None:
    surfaces = build_surfaces([Voxels.from_cells([(0, 0, 0)])], 4)
    dark, green = np.array([26.0, 28.0, 27.0]), np.array([43, 168, 104], np.uint8)
    seen = observe(
        np.arange(32, dtype=np.int32),
        np.zeros(32, np.int32),
        np.repeat([green, dark.astype(np.uint8)], 16, axis=0),
    )
    paint = learn_paint(surfaces, seen, np.array([True]), [0] * 6)
    paints = [("black",), ("black",), ("black",), ("black", "red"), ("grey",), None]
    bare = {("black",): dark, ("grey",): 3.0 * dark}
    texture = borrow_texture(surfaces, paint, paints, bare).texture.reshape(6, 16, 3)
    own = paint.texture.reshape(6, 16, 3)
    assert np.allclose(texture[1], own[1]) and np.allclose(texture[[0, 2]], own[1, 0], atol=1.0)
    assert (texture[3] < 0.0).all() and (texture[5] < 0.0).all()
    assert np.allclose(texture[4], 3.0 * dark)


def test_shadow_that_falls_on_little_is_as_dark_elsewhere() -> None:
    pictures = np.full((60, 100, 100, 3), 200, np.uint8)
    pictures[30:, 40:50, 40:50] = 148  # One per cent of the ground, for half of the time.
    ground = learn_background(pictures, np.zeros(pictures.shape[:3], bool))
    assert ground.dark[10, 10] == pytest.approx(148, abs=1)
    darker = pictures[0].copy()
    darker[10:20, 10:20] = 148
    assert ground.find_shadows(darker).sum() == 100
