"""What every renderer keeps, whichever it is."""

import random

import numpy as np
import pytest

from pysim.geometry import Bounds, Voxels
from pysim.render.camera import Camera, fit, list_cameras
from pysim.render.palette import PALETTE
from pysim.render.renderer import MAX_SIZE, Pictures, Renderer
from pysim.scene import Body, Colour, Scene
from tests.render.rays import cast
from tests.render.scenes import NAMES, body, lock, random_scene

CUBE = Voxels.from_cells([(0, 0, 0)])
NEAR_ORIGIN = Bounds((-1, -1, -1), (1, 1, 1))
FRONT = fit("front", (0.3, -1.0, 0.5), NEAR_ORIGIN)


def same(a: Pictures, b: Pictures) -> bool:
    return all(np.array_equal(getattr(a, k), getattr(b, k)) for k in ("rgb", "ids", "depth"))


def test_a_renderer_follows_the_protocol_and_says_what_it_is(renderer: Renderer) -> None:
    assert isinstance(renderer, Renderer)
    assert renderer.name in ("egl", "tiny")
    assert len(renderer.version) > 10


def test_pictures_have_the_promised_shapes_and_types(renderer: Renderer) -> None:
    scene = lock()
    cameras = list_cameras(scene)
    pictures = renderer.render(scene, cameras, 40)
    assert pictures.rgb.shape == (len(cameras), 40, 40, 3) and pictures.rgb.dtype == np.uint8
    assert pictures.ids.shape == (len(cameras), 40, 40) and pictures.ids.dtype == np.uint16
    assert pictures.depth.shape == pictures.ids.shape and pictures.depth.dtype == np.float32
    assert np.array_equal(np.isinf(pictures.depth), pictures.ids == 0)
    assert set(np.unique(pictures.ids)) <= set(range(len(scene.bodies) + 1))


@pytest.mark.by_day(3)
@pytest.mark.parametrize("seed", range(6))
def test_ids_and_depth_agree_with_ray_casting(renderer: Renderer, seed: int) -> None:
    scene, transforms = random_scene(seed)
    size = 96
    cameras = list_cameras(scene)
    pictures = renderer.render(scene, cameras, size, transforms)
    choice = np.random.default_rng(seed)
    checked = 0
    for index, camera in enumerate(cameras):
        cells = choice.integers(0, size, (600, 2))
        # A pixel counts if its middle and its corners see the same side of the same body.
        offsets = np.array([(0.5, 0.5), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
        points = (cells[:, None] + offsets).reshape(-1, 2)
        hits = cast(scene, camera, size, points, transforms)
        sides, depths = hits.side.reshape(-1, 5), hits.depth.reshape(-1, 5)
        even = np.ptp(np.nan_to_num(depths, posinf=0.0), axis=1) < 0.5
        inside = (sides == sides[:, :1]).all(axis=1) & even
        column, row = cells[inside].T
        assert np.array_equal(pictures.ids[index, row, column], hits.ids.reshape(-1, 5)[inside, 0])
        seen = np.isfinite(depths[inside, 0])
        error = pictures.depth[index, row, column][seen] - depths[inside, 0][seen]
        assert np.abs(error).max(initial=0.0) < 0.002
        checked += int(seen.sum())
    assert checked > 60


def test_a_scene_without_bodies_is_empty(renderer: Renderer) -> None:
    pictures = renderer.render(Scene((), NEAR_ORIGIN, NEAR_ORIGIN), [FRONT], 32)
    assert not pictures.ids.any()
    assert np.isinf(pictures.depth).all()
    assert pictures.rgb.min() > 120  # neutral and light


def test_one_pixel_is_enough(renderer: Renderer) -> None:
    wall = body("red", Voxels.make_block((9, 1, 9)), (-4, 0, -4))
    pictures = renderer.render(Scene((wall,), NEAR_ORIGIN), [FRONT], 1)
    assert pictures.ids.tolist() == [[[1]]]


@pytest.mark.parametrize("size", [0, -1, MAX_SIZE + 1, 5000])
def test_a_size_out_of_range_is_refused(renderer: Renderer, size: int) -> None:
    with pytest.raises(ValueError, match=str(size)):
        renderer.render(lock(), [FRONT], size)


def test_no_camera_is_refused(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="camera"):
        renderer.render(lock(), [], 32)


def test_an_unknown_colour_is_refused_with_a_hint(renderer: Renderer) -> None:
    odd = Body("odd", CUBE, body("red", CUBE, (0, 0, 0)).pose, Colour("bleu"))
    with pytest.raises(ValueError, match="did you mean 'blue'"):
        renderer.render(Scene((odd,), NEAR_ORIGIN), [FRONT], 32)


def test_a_transform_for_a_body_that_is_not_there_is_refused(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="ghost"):
        renderer.render(lock(), [FRONT], 32, {"ghost": np.eye(4)})


def test_a_body_behind_the_camera_is_not_seen(renderer: Renderer) -> None:
    camera = Camera("back", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    scene = Scene((body("red", CUBE, (0, -5, 0)),), NEAR_ORIGIN)
    assert not renderer.render(scene, [camera], 32).ids.any()


def test_a_transform_takes_the_place_of_the_pose(renderer: Renderer) -> None:
    moved, other = body("red", CUBE, (0, 0, 0)), body("blue", CUBE, (1, 0, 0))
    scene = Scene((moved, other), NEAR_ORIGIN)
    there = Scene((body("red", CUBE, (-1, 0, 1)), other), NEAR_ORIGIN)
    shift = np.eye(4)
    shift[:3, 3] = (-1.0, 0.0, 1.0)
    by_transform = renderer.render(scene, [FRONT], 64, {"red": shift})
    assert same(by_transform, renderer.render(there, [FRONT], 64))
    assert not same(by_transform, renderer.render(scene, [FRONT], 64))


def test_the_same_request_gives_the_same_picture(renderer: Renderer) -> None:
    scene, transforms = random_scene(11)
    cameras = list_cameras(scene)
    first = renderer.render(scene, cameras, 80, transforms)
    renderer.render(lock(), list_cameras(lock()), 50)
    assert same(first, renderer.render(scene, cameras, 80, transforms))


def test_a_view_does_not_depend_on_the_views_beside_it(renderer: Renderer) -> None:
    scene = lock()
    cameras = list_cameras(scene)
    together = renderer.render(scene, cameras, 80)
    backward = renderer.render(scene, cameras[::-1], 80)
    assert np.array_equal(together.rgb, backward.rgb[::-1])
    for index, camera in enumerate(cameras):
        alone = renderer.render(scene, [camera], 80)
        assert np.array_equal(alone.rgb[0], together.rgb[index])
        assert np.array_equal(alone.ids[0], together.ids[index])
        assert np.array_equal(alone.depth[0], together.depth[index])


def test_two_hundred_bodies_are_told_apart(renderer: Renderer) -> None:
    shape = Voxels.make_block((1, 1, 2))
    bodies = tuple(
        Body(f"b{i}", shape, body("red", shape, (2 * (i % 20), 2 * (i // 20), 0)).pose, colour)
        for i, colour in enumerate(Colour(NAMES[i % 40]) for i in range(200))
    )
    work = Bounds((0, 0, 0), (38, 18, 1))
    ids = renderer.render(Scene(bodies, work), [fit("top", (0.1, -0.2, 1.0), work)], 192).ids
    assert np.array_equal(np.unique(ids), np.arange(201))


def test_a_shape_of_more_than_sixteen_boxes_is_drawn_whole(renderer: Renderer) -> None:
    shape = Voxels.from_cells([(2 * x, 2 * y, 0) for x in range(6) for y in range(6)])
    scene = Scene((body("red", shape, (0, 0, 0)),), shape.bounds)
    camera = fit("top", (0.0, 0.0, 1.0), shape.bounds)
    ids = renderer.render(scene, [camera], 256).ids[0]
    tops = camera.project(np.array(shape.cells) + (0.0, 0.0, 0.5), 256)
    assert (ids[tops[:, 1].astype(int), tops[:, 0].astype(int)] == 1).all()


@pytest.mark.parametrize("name", random.Random(3).sample(NAMES[:48], 6))
def test_a_piece_is_seen_in_a_shade_of_its_colour(renderer: Renderer, name: str) -> None:
    pictures = renderer.render(Scene((body(name, CUBE, (0, 0, 0)),), NEAR_ORIGIN), [FRONT], 64)
    column, row, _ = FRONT.project(np.array([[0.0, 0.0, 0.5]]), 64)[0]
    top = pictures.rgb[0, int(row), int(column)].astype(float)
    assert np.abs(top - np.array(PALETTE[name])).max() < 30


def test_close_may_be_called_twice_and_ends_the_work() -> None:
    from pysim.render.factory import create_renderer

    renderer, _ = create_renderer()
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="closed"):
        renderer.render(lock(), [FRONT], 32)
