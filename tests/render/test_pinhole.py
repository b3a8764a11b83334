"""Cameras made of matrices see what cameras made of places see, in pictures of any shape."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.geometry import Bounds
from pysim.render.camera import fit, list_cameras
from pysim.render.pinhole import Pinhole
from pysim.render.renderer import Renderer
from tests.render.scenes import lock, random_scene

CAMERA = fit("a", (0.6, -1.0, 0.5), Bounds((-3, -2, 0), (3, 2, 4)), 35.0)
POINTS: NDArray[np.float64] = np.random.default_rng(2).uniform(-3.0, 4.0, (30, 3))


@given(size=st.integers(16, 2000), right=st.floats(-1, 1), down=st.floats(-1, 1))
def test_a_camera_and_its_matrices_see_points_in_the_same_places(
    size: int, right: float, down: float
) -> None:
    camera = replace(CAMERA, shift=(right, down))
    assert np.allclose(
        Pinhole.from_camera(camera, size).project(POINTS), camera.project(POINTS, size)
    )


@given(
    left=st.integers(-40, 200),
    top=st.integers(-40, 200),
    width=st.integers(1, 400),
    height=st.integers(1, 400),
)
def test_the_camera_of_a_part_sees_points_where_the_part_has_them(
    left: int, top: int, width: int, height: int
) -> None:
    whole = Pinhole.from_camera(CAMERA, 300)
    part = whole.crop(left, top, width, height)
    assert np.allclose(part.project(POINTS) + (left, top, 0.0), whole.project(POINTS))
    square, window = part.make_square()
    size = max(width, height)
    assert np.allclose(
        square.project(POINTS, size), part.project(POINTS) + (window.left, window.top, 0)
    )
    assert (window.width, window.height) == (width, height)


@given(factor=st.sampled_from((0.25, 0.5, 2.0, 3.5)))
def test_a_smaller_picture_is_the_same_picture(factor: float) -> None:
    whole = Pinhole.from_camera(CAMERA, 400).crop(10, 90, 320, 200)
    small = whole.scale(round(320 * factor), round(200 * factor))
    assert np.allclose(small.project(POINTS), whole.project(POINTS) * (factor, factor, 1.0))
    with pytest.raises(InputError, match="not shaped"):
        whole.scale(320, 220)


def test_pictures_of_any_shape_are_parts_of_larger_ones(egl: Renderer) -> None:
    scene, transforms = random_scene(3)
    camera = list_cameras(scene)[0]
    whole = Pinhole.from_camera(camera, 240)
    seen = egl.render(scene, [camera], 240, transforms)[0]
    for left, top, width, height in ((30, 80, 200, 90), (100, 20, 64, 200)):
        square, window = whole.crop(left, top, width, height).make_square()
        part = egl.render(scene, [square], max(width, height), transforms)[0]
        here = np.s_[top : top + height, left : left + width]
        ids = window.crop(part.ids)
        assert ids.shape == (height, width)
        assert (ids == seen.ids[here]).mean() > 0.999
        both = (ids > 0) & (ids == seen.ids[here])
        apart = np.abs(window.crop(part.depth)[both] - seen.depth[here][both])
        assert np.quantile(apart, 0.99) < 1e-3


def test_the_last_resort_sees_the_same_part(egl: Renderer, tiny: Renderer) -> None:
    square, window = (
        Pinhole.from_camera(list_cameras(lock())[0], 160).crop(20, 50, 130, 70).make_square()
    )
    one, other = (window.crop(r.render(lock(), [square], 130)[0].ids) for r in (egl, tiny))
    assert (one > 0).mean() > 0.3 and (one == other).mean() > 0.98


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        (np.diag([100.0, 90.0, 1.0]), np.eye(4)),
        (np.diag([-100.0, -100.0, 1.0]), np.eye(4)),
        (np.diag([100.0, 100.0, 2.0]), np.eye(4)),
        (np.eye(4), np.eye(4)),
        (np.diag([100.0, 100.0, np.nan]), np.eye(4)),
        (np.diag([100.0, 100.0, 1.0]), np.diag([1.0, 1.0, -1.0, 1.0])),
        (np.diag([100.0, 100.0, 1.0]), 2.0 * np.eye(4)),
    ],
)
def test_matrices_of_no_such_camera_are_refused(
    inside: NDArray[np.float64], outside: NDArray[np.float64]
) -> None:
    with pytest.raises(InputError):
        Pinhole(inside, outside, 64, 48)
    with pytest.raises(InputError, match="pixels"):
        Pinhole(np.diag([100.0, 100.0, 1.0]), np.eye(4), 0, 48)
