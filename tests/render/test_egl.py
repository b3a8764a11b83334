"""What only the OpenGL renderer promises."""

import hashlib
import subprocess
import sys
import threading

import numpy as np
import pytest

from pysim.geometry import Bounds, Voxels
from pysim.render.camera import Camera, fit, list_cameras
from pysim.render.egl import EglRenderer
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.scene import Scene
from tests.render.rays import cast
from tests.render.scenes import body, lock, random_scene

CUBE = Voxels.from_cells([(0, 0, 0)])


def digest(renderer: Renderer) -> str:
    scene, transforms = random_scene(5)
    total = hashlib.sha256()
    for pictures in (
        renderer.render(scene, list_cameras(scene), 96, transforms),
        renderer.render(lock(), list_cameras(lock()), 128),
    ):
        for array in (pictures.rgb, pictures.ids, pictures.depth):
            total.update(array.tobytes())
    return total.hexdigest()


def test_a_fresh_process_draws_the_same_pictures(egl: Renderer) -> None:
    code = (
        "from tests.render.test_egl import *\n"
        "with EglRenderer() as renderer: print(digest(renderer))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(egl)


def test_two_renderers_in_one_process_do_not_disturb_each_other(egl: Renderer) -> None:
    expected = digest(egl)
    other, _ = create_renderer("egl")
    assert digest(other) == expected
    assert digest(egl) == expected
    other.close()
    assert digest(egl) == expected


def test_tiny_shows_nearly_the_same_bodies(egl: Renderer, tiny: Renderer) -> None:
    for seed in range(3):
        scene, transforms = random_scene(seed)
        a, b = (r.render(scene, list_cameras(scene), 128, transforms) for r in (egl, tiny))
        assert (a.ids == b.ids).mean() > 0.98


@pytest.mark.slow
def test_every_id_at_an_outline_belongs_to_a_body_within_a_pixel(egl: Renderer) -> None:
    scene, transforms = random_scene(2)
    camera, size = list_cameras(scene)[0], 96
    pictures = egl.render(scene, [camera], size, transforms)
    row, column = np.indices((size, size)).reshape(2, -1)
    fine = np.linspace(0.06, 0.94, 4)
    offsets = np.stack(np.meshgrid(fine, fine), axis=-1).reshape(-1, 2)
    points = (np.column_stack([column, row])[:, None] + offsets).reshape(-1, 2)
    hits = cast(scene, camera, size, points, transforms)
    near = hits.ids.reshape(-1, len(offsets)) == pictures.ids[0, row, column][:, None]
    assert near.any(axis=1).mean() > 0.998  # the rest are slivers between the rays
    depth, seen = hits.depth.reshape(-1, len(offsets)), pictures.depth[0, row, column]
    least, most = depth.min(axis=1) - 0.2, np.where(np.isinf(depth), 0, depth).max(axis=1) + 0.2
    body_seen = np.isfinite(seen)
    assert ((seen >= least) & (seen <= most))[body_seen].mean() > 0.99


def test_a_body_across_the_camera_plane_is_cut_cleanly(egl: Renderer) -> None:
    camera = Camera("inside", (0.0, -3.0, 1.2), (0.0, 0.0, 0.0), fov_deg=60.0)
    scene = Scene(
        (body("red", Voxels.make_block((1, 12, 1)), (0, -6, 0)),), Bounds((0, 0, 0), (0, 0, 0))
    )
    pictures = egl.render(scene, [camera], 64)
    assert (pictures.ids == 1).any() and (pictures.ids == 0).any()
    assert pictures.depth.min() >= camera.near - 1e-4


def test_the_ground_is_seen_from_above_only(egl: Renderer) -> None:
    work = Bounds((-2, -2, 0), (2, 2, 3))
    with_table, without = (
        Scene((body("red", CUBE, (0, 0, 0)),), work, table) for table in (work, None)
    )
    above, below = fit("above", (0.3, -1.0, 0.7), work), fit("below", (0.3, -1.0, -0.7), work)
    a, b = (egl.render(scene, [above, below], 64).rgb for scene in (with_table, without))
    assert not np.array_equal(a[0], b[0])
    assert np.array_equal(a[1], b[1])


def test_a_body_casts_a_shadow_on_the_ground(egl: Renderer) -> None:
    work = Bounds((-4, -4, 0), (4, 4, 4))
    camera = fit("top", (0.0, -0.2, 1.0), work)
    bare = egl.render(Scene((), work, work), [camera], 96).rgb[0].astype(int)
    scene = Scene((body("red", Voxels.make_block((2, 2, 4)), (0, 0, 0)),), work, work)
    pictures = egl.render(scene, [camera], 96)
    darker = (bare - pictures.rgb[0]).min(axis=2) > 20
    assert (darker & (pictures.ids[0] == 0)).sum() > 50


def test_lines_divide_the_voxels_of_a_flat_face(egl: Renderer) -> None:
    shape = Voxels.make_block((4, 1, 1))
    camera = fit("top", (0.0, 0.0, 1.0), shape.bounds)
    row = egl.render(Scene((body("green", shape, (0, 0, 0)),), shape.bounds), [camera], 256)
    level = row.rgb[0, 128].astype(int).sum(axis=1)
    inner = camera.project(np.array([(x + 0.5, 0.0, 0.5) for x in range(3)]), 256)[:, 0]
    for column in inner.astype(int):
        assert level[column - 2 : column + 3].min() < level[column - 15] - 15


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_scenes(egl: Renderer) -> None:
    assert isinstance(egl, EglRenderer)
    for seed in range(40):
        scene, transforms = random_scene(seed, count=3)
        egl.render(scene, list_cameras(scene)[:1], 16 + seed % 7, transforms)
    assert egl._engine is not None
    assert len(egl._engine._targets) <= 4


def test_another_thread_is_turned_away(egl: Renderer) -> None:
    caught: list[BaseException] = []

    def work() -> None:
        try:
            egl.render(lock(), list_cameras(lock()), 32)
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(caught) == 1 and "thread" in str(caught[0])


def test_the_version_names_the_driver(egl: Renderer) -> None:
    assert egl.version.startswith("OpenGL 4.") and egl.version.count("; ") >= 2


@pytest.mark.by_day(3)
@pytest.mark.parametrize("size", [1, 2, 3, 97, 640])
def test_odd_sizes_are_read_back_straight(egl: Renderer, size: int) -> None:
    work = Bounds((0, 0, 0), (0, 0, 0))
    wall = body("red", Voxels.make_block((9, 1, 9)), (-4, 0, -4))
    camera = fit("front", (0.0, -1.0, 0.01), work)
    pictures = egl.render(Scene((wall,), work), [camera], size)
    assert (pictures.ids == 1).all()
    assert pictures.depth == pytest.approx(pictures.depth.mean(), abs=0.1)
