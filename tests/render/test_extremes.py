"""Very many, very large, very small, very far."""

import numpy as np
import pytest

from pysim.geometry import Bounds, Voxels
from pysim.render.camera import Camera, fit, make_camera_set, measure_bounds
from pysim.render.renderer import MAX_SIZE, PASSES, Pass, Renderer
from pysim.scene import Scene
from tests.render.rays import cast
from tests.render.scenes import body, lock

CUBE = Voxels.from_cells([(0, 0, 0)])


@pytest.mark.slow
def test_a_picture_of_4096_pixels_shows_the_same_as_a_small_one(egl: Renderer) -> None:
    scene = lock()
    camera = make_camera_set("iso4", scene.work)[0]
    small = egl.render(scene, [camera], 64, passes=[Pass.IDS]).ids[0]
    large = egl.render(scene, [camera], MAX_SIZE, passes=[Pass.IDS]).ids[0]
    assert large.shape == (4096, 4096)
    # The middles of the small picture's pixels lie between these of the large one.
    agreeing = (small == large[32::64, 32::64]) | (small == large[31::64, 31::64])
    assert agreeing.mean() > 0.98


@pytest.mark.parametrize("size", [1, 2, 5])
def test_the_smallest_pictures_show_what_rays_meet(egl: Renderer, size: int) -> None:
    wall = body("red", Voxels.make_block((5, 1, 5)), (-2, 0, -2))
    camera = fit("front", (0.2, -1.0, 0.1), Bounds((-1, 0, -1), (1, 0, 1)))
    scene = Scene((wall,), wall.place().bounds)
    pictures = egl.render(scene, [camera], size, passes=tuple(Pass))
    middles = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 2) + 0.5
    hits = cast(scene, camera, size, middles, {})
    assert np.array_equal(pictures.ids[0].ravel(), hits.ids)


@pytest.mark.slow
@pytest.mark.parametrize(("edge", "holes"), [(48, 8), (60, 2)])
def test_a_hundred_thousand_voxels_are_drawn(egl: Renderer, edge: int, holes: int) -> None:
    """A sponge: a cube without the cells whose coordinates add up to a multiple of a number."""
    full = np.argwhere(np.indices((edge, edge, edge)).sum(axis=0) % holes)
    shape = Voxels.from_cells([tuple(cell) for cell in full.tolist()])
    assert len(shape.cells) >= 96_000
    scene = Scene((body("teal", shape, (0, 0, 0)),), shape.bounds)
    cameras = make_camera_set("iso4", measure_bounds(scene))
    first = egl.render(scene, cameras, 128)
    assert ((first.ids == 1).mean(axis=(1, 2)) > 0.2).all()
    again = egl.render(scene, cameras, 128)
    assert all(np.array_equal(first.planes[kind], again.planes[kind]) for kind in PASSES)


@pytest.mark.parametrize("width", [None, 6.0])
def test_what_is_behind_or_beside_the_camera_is_not_seen(
    renderer: Renderer, width: float | None
) -> None:
    camera = Camera("ahead", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), width=width)
    places = [(0, -5, 0), (50, 0, 0), (0, 3, 0)]
    names = ("red", "blue", "green")
    bodies = [body(name, CUBE, at) for name, at in zip(names, places, strict=True)]
    ids = renderer.render(Scene(tuple(bodies), Bounds((0, 0, 0), (0, 0, 0))), [camera], 33).ids
    assert set(np.unique(ids)) == {0, 3}


def test_two_bodies_in_one_place_do_not_mix(egl: Renderer) -> None:
    twins = tuple(body(name, CUBE, (0, 0, 0)) for name in ("red", "blue"))
    scene = Scene(twins, CUBE.bounds)
    pictures = egl.render(scene, make_camera_set("iso4", CUBE.bounds), 64)
    assert set(np.unique(pictures.ids)) == {0, 2}, "the later one is seen, everywhere"


def test_a_far_away_scene_is_drawn_as_a_near_one(egl: Renderer) -> None:
    away = (100_000, -50_000, 20_000)
    near, far = (
        Scene((body("red", Voxels.make_block((2, 1, 1)), at),), Bounds(at, at))
        for at in ((0, 0, 0), away)
    )
    a, b = (egl.render(s, make_camera_set("iso4", measure_bounds(s)), 64) for s in (near, far))
    assert (a.ids == b.ids).mean() > 0.98
