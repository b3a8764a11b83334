"""Colours that compute shaders draw, beside those of the rasterizer."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from perf.render import reach_states
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.egl import EglRenderer
from pysim.render.renderer import Pass
from pysim.render.scenery import Finish, Scenery, create_dressed
from tests.render.scenes import lock

SIZE = 97


@pytest.fixture(scope="module")
def rasterizer() -> Iterator[EglRenderer]:
    with EglRenderer(computes=False) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def computer() -> Iterator[EglRenderer]:
    with EglRenderer(computes=True) as renderer:
        yield renderer


def compare(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[float, int]:
    """Return the share of pixels that differ by over two levels, and the largest difference."""
    differences = np.abs(one.astype(int) - other).max(axis=-1)
    return float((differences > 2).mean()), int(differences.max())


@pytest.mark.by_day(4)
@pytest.mark.parametrize("finish", list(Finish))
@pytest.mark.parametrize(
    "level", ["burr-piston", "burr-thirty-four-bars", "rubik-l120-hard-01", "nets-hard-01"]
)
def test_computed_colours_are_those_of_the_rasterizer(
    rasterizer: EglRenderer, computer: EglRenderer, level: str, finish: Finish
) -> None:
    states = reach_states(level)
    scene, poses = states.scenes[0], states.poses
    cameras = make_camera_set("iso4", measure_bounds(scene))
    drawn = [
        create_dressed(renderer, Scenery(finish=finish))
        .render_poses(renderer.prepare(scene), poses[:2], cameras, SIZE, [Pass.RGB])
        .rgb
        for renderer in (rasterizer, computer)
    ]
    share, most = compare(*drawn)
    assert share < 1e-3
    assert most <= 64 + 2, "an outline may cross one of four samples, but no face is missing"


def test_computed_body_that_is_seen_through_covers_half_the_samples(
    rasterizer: EglRenderer, computer: EglRenderer
) -> None:
    solid = lock()
    clear = replace(solid.bodies[0], translucent=True)
    scene = replace(solid, bodies=(clear, *solid.bodies[1:]))
    cameras = make_camera_set("iso4", measure_bounds(scene))
    one, other = (draw.render(scene, cameras, SIZE).rgb for draw in (rasterizer, computer))
    assert compare(one, other)[0] < 1e-3
    assert compare(computer.render(solid, cameras, SIZE).rgb, other)[0] > 0.01


@pytest.mark.slow
def test_computed_picture_does_not_depend_on_its_batch(computer: EglRenderer) -> None:
    states = reach_states("burr-thirty-four-bars")
    scene, poses = states.scenes[0], states.poses
    cameras = make_camera_set("iso4", measure_bounds(scene))
    prepared = computer.prepare(scene)
    batch = computer.render_poses(prepared, poses[:3], cameras, SIZE, [Pass.RGB]).rgb
    alone = computer.render_poses(prepared, poses[2:3], cameras[3:], SIZE, [Pass.RGB]).rgb
    assert np.array_equal(batch[2, 3], alone[0, 0])
