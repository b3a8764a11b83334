"""Many scenes at once: the same pictures as one by one."""

import hashlib
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pysim.geometry import Bounds
from pysim.render.camera import Camera, list_cameras, make_camera_set, measure_bounds
from pysim.render.egl import EglRenderer
from pysim.render.encoding import EncodingPool
from pysim.render.renderer import PASSES, Pass, Pictures, Renderer
from pysim.render.views import encode
from pysim.scene import Scene
from pysim.trajectory import Transform
from tests.render.scenes import lock, random_scene

SIZE = 72
RANDOM = [random_scene(seed, count=3 + seed % 3) for seed in range(4)]
EMPTY = Scene((), Bounds((0, 0, 0), (2, 2, 2)), Bounds((0, 0, 0), (2, 2, 2)))
SCENES = [lock(), EMPTY, *(scene for scene, _ in RANDOM)]
MOVED: list[dict[str, Transform] | None] = [None, None, *(moved for _, moved in RANDOM)]
CAMERAS = [make_camera_set("iso4", measure_bounds(scene)) for scene in SCENES]


def assert_same(a: Pictures, b: Pictures) -> None:
    for kind in a.planes:
        assert np.array_equal(a.planes[kind], b.planes[kind]), kind


def test_a_batch_has_the_pictures_of_each_scene_alone(renderer: Renderer) -> None:
    batch = renderer.render_batch(SCENES, CAMERAS, SIZE, PASSES, MOVED)
    assert batch.rgb.shape == (6, 4, SIZE, SIZE, 3)
    assert batch.ids.shape == batch.depth.shape == (6, 4, SIZE, SIZE)
    for index, (scene, cameras, moved) in enumerate(zip(SCENES, CAMERAS, MOVED, strict=True)):
        assert_same(batch[index], renderer.render(scene, cameras, SIZE, moved))


@pytest.mark.parametrize("shift", [1, 2, 5])
def test_the_place_in_a_batch_changes_no_pixel(egl: Renderer, shift: int) -> None:
    order = np.roll(np.arange(len(SCENES)), shift)
    first = egl.render_batch(SCENES, CAMERAS, SIZE, tuple(Pass), MOVED)
    turned = egl.render_batch(
        [SCENES[i] for i in order],
        [CAMERAS[i] for i in order],
        SIZE,
        tuple(Pass),
        [MOVED[i] for i in order],
    )
    for place, index in enumerate(order):
        assert_same(turned[place], first[int(index)])


def test_a_batch_that_needs_more_memory_is_drawn_in_several_goes(egl: Renderer) -> None:
    expected = egl.render_batch(SCENES, CAMERAS, SIZE, PASSES, MOVED)
    with EglRenderer(memory=1) as frugal:
        assert_same(frugal.render_batch(SCENES, CAMERAS, SIZE, PASSES, MOVED), expected)


@pytest.mark.slow
def test_more_views_than_a_texture_has_layers_can_be_drawn(egl: Renderer) -> None:
    cameras = make_camera_set("turntable2100", measure_bounds(SCENES[0]))
    ids = egl.render(SCENES[0], cameras, 8, passes=[Pass.IDS]).ids
    few = egl.render(SCENES[0], cameras[2047:2050], 8, passes=[Pass.IDS]).ids
    assert np.array_equal(ids[2047:2050], few)


def test_scenes_may_share_cameras(renderer: Renderer) -> None:
    cameras = CAMERAS[0][:2]
    batch = renderer.render_batch(SCENES[:2], cameras, SIZE)
    assert_same(batch[0], renderer.render(SCENES[0], cameras, SIZE))


def test_only_the_passes_that_are_asked_for_are_there(renderer: Renderer) -> None:
    everything = renderer.render(SCENES[0], CAMERAS[0], SIZE)
    for kind in PASSES:
        pictures = renderer.render(SCENES[0], CAMERAS[0], SIZE, passes=[kind])
        assert set(pictures.planes) == {kind}
        assert np.array_equal(pictures.planes[kind], everything.planes[kind])
    with pytest.raises(ValueError, match="'normals' was not asked for"):
        _ = everything.normals


def test_tiny_says_that_it_has_no_normals(tiny: Renderer) -> None:
    with pytest.raises(ValueError, match="normals"):
        tiny.render(SCENES[0], CAMERAS[0], SIZE, passes=[Pass.NORMALS])


def test_normals_agree_with_the_slope_of_the_depth(egl: Renderer) -> None:
    """A plane's normal n, its points p = eye + depth * ray: n.p is the same at neighbours."""
    scene, moved = RANDOM[2]
    camera = make_camera_set("iso4", measure_bounds(scene))[0]
    pictures = egl.render(scene, [camera], 256, moved, tuple(Pass))
    ids, normals = pictures.ids[0], pictures.normals[0]
    depth = np.where(ids > 0, pictures.depth[0], 0.0)
    assert np.array_equal(normals.any(axis=2), ids > 0)
    assert np.abs(np.linalg.norm(normals[ids > 0], axis=1) - 1.0).max() < 2e-3
    start, ray = camera.compute_rays()
    middle = (np.arange(256) + 0.5) / 128.0 - 1.0
    x, y = middle[None, :, None], -middle[:, None, None]
    points = start[0] + (ray[0] + x * ray[1] + y * ray[2]) * depth[..., None]
    inside = np.ones_like(ids, dtype=bool)
    for axis in (0, 1):
        for step in (-2, 2):
            same = (np.roll(ids, step, axis) == ids) & (
                np.abs(np.roll(normals, step, axis) - normals).max(axis=2) == 0
            )
            inside &= same & (np.abs(np.roll(depth, step, axis) - depth) < 0.15)
    inside &= ids > 0
    assert inside.sum() > 500
    right = np.roll(points, -1, axis=1) - points
    gap = np.abs((right * normals).sum(axis=2))[inside]
    assert np.median(gap) < 1e-3


@pytest.mark.parametrize(
    ("scenes", "cameras", "passes", "transforms", "message"),
    [
        ([], [], PASSES, None, "at least one scene"),
        (SCENES[:2], CAMERAS[:1], PASSES, None, "equally many"),
        (SCENES[:2], [CAMERAS[0], CAMERAS[0][:1]], PASSES, None, "equally many"),
        (SCENES[:1], [()], PASSES, None, "at least one camera"),
        (SCENES[:1], CAMERAS[0], (), None, "no pass"),
        (SCENES[:2], CAMERAS[0], PASSES, [None], "1 sets of transforms for 2 scenes"),
    ],
)
def test_a_batch_that_makes_no_sense_is_refused(
    renderer: Renderer,
    scenes: list[Scene],
    cameras: list[Camera],
    passes: tuple[Pass, ...],
    transforms: list[None] | None,
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        renderer.render_batch(scenes, cameras, SIZE, passes, transforms)


def digest(renderer: Renderer) -> str:
    pictures = renderer.render_batch(SCENES, CAMERAS, SIZE, PASSES, MOVED)
    total = hashlib.sha256()
    for kind in PASSES:
        total.update(pictures.planes[kind].tobytes())
    return total.hexdigest()


def digest_of_a_new_renderer() -> str:
    with EglRenderer() as renderer:
        return digest(renderer)


@pytest.mark.slow
def test_renderers_in_several_threads_draw_the_same(egl: Renderer) -> None:
    expected = digest(egl)
    with ThreadPoolExecutor(3) as pool:
        found = [pool.submit(digest_of_a_new_renderer) for _ in range(6)]
        assert {future.result() for future in found} == {expected}


def in_a_process(code: str) -> str:
    lines = f"from tests.render.test_batches import *\n{code}"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_lost_context_is_built_anew(egl: Renderer) -> None:
    """Ending the display really takes all contexts of a process away."""
    code = (
        "import ctypes\n"
        "lib = ctypes.CDLL('libEGL.so.1')\n"
        "lib.eglGetCurrentDisplay.restype = ctypes.c_void_p\n"
        "renderer = EglRenderer()\n"
        "before = digest(renderer)\n"
        "with renderer._engine._context: display = lib.eglGetCurrentDisplay()\n"
        "assert lib.eglTerminate(ctypes.c_void_p(display)) == 1\n"
        "assert digest(renderer) == before\n"
        "print(before)"
    )
    assert in_a_process(code) == digest(egl)


def test_memory_that_is_released_comes_back_and_changes_no_pixel(egl: Renderer) -> None:
    code = (
        "from bridge.episode.rendering import SharedRenderer\n"
        "from tests.soak.memory import forget_peak, peak\n"
        "renderer = SharedRenderer('egl')\n"
        "before = digest(renderer)\n"
        "renderer.render_batch(SCENES[:1], CAMERAS[:1], 1024)\n"
        "assert renderer.release_idle_memory(60.0) is None\n"
        "most = peak()\n"
        "renderer.release_idle_memory(0.0).result()\n"
        "assert renderer.release_idle_memory(0.0) is None\n"
        "forget_peak()\n"
        "assert peak() < most - 100 * 2**20, (peak(), most)\n"
        "assert digest(renderer) == before\n"
        "renderer.close()\n"
        "print(before)"
    )
    assert in_a_process(code) == digest(egl)


@pytest.mark.slow
def test_memory_does_not_grow_over_ten_thousand_frames(egl: Renderer) -> None:
    def draw(count: int) -> int:
        for seed in range(count):
            scene, moved = random_scene(seed % 97, count=4)
            egl.render(scene, list_cameras(scene), 16 + seed % 5, moved)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    warm = draw(500)
    assert draw(2500) - warm < 20 * 1024  # KiB, over 10,000 view-frames


def test_a_pool_encodes_in_order(egl: Renderer) -> None:
    rgb = egl.render_batch(SCENES, CAMERAS, SIZE, [Pass.RGB]).rgb.reshape(-1, SIZE, SIZE, 3)
    with EncodingPool(threads=3) as pool:
        for format in ("png", "jpeg", "raw"):
            assert pool.encode(rgb, format) == [encode(one, format) for one in rgb]
        with pytest.raises(ValueError, match="bmp"):
            pool.encode(rgb, "bmp")
    with pytest.raises(RuntimeError):
        pool.encode(rgb, "png")


def test_the_device_is_chosen_by_its_index(egl: Renderer) -> None:
    with EglRenderer(0) as first:
        assert first.version.startswith("OpenGL")
