"""A scene drawn in many arrangements at once, and delivered in several ways."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render import dlpack
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.egl import EglRenderer
from pysim.render.egl.copying import Copy, measure_texel
from pysim.render.renderer import PASSES, Pass, Renderer
from pysim.scene import Scene
from tests.render.scenes import lock, random_scene

SIZE = 72


def arrangements(scene: Scene, count: int, seed: int = 0) -> NDArray[np.float64]:
    """Bodies at their poses, and slid by whole and by broken distances."""
    rng = np.random.default_rng(seed)
    home = np.array([body.pose.transform() for body in scene.bodies])
    poses = np.repeat(home[None], count, axis=0)
    for number in range(1, count):
        shift = rng.integers(-1, 2, (len(home), 3)) * (1.0 if number % 2 else 0.37)
        poses[number, :, :3, 3] += shift
    return poses


@pytest.mark.parametrize("seed", range(3))
def test_arrangements_have_the_pictures_of_a_batch(renderer: Renderer, seed: int) -> None:
    scene = lock() if seed == 0 else random_scene(seed)[0]
    cameras = make_camera_set("iso4", measure_bounds(scene))
    poses = arrangements(scene, 5, seed)
    names = [body.name for body in scene.bodies]
    moved = [dict(zip(names, own, strict=True)) for own in poses]
    expected = renderer.render_batch([scene] * 5, cameras, SIZE, PASSES, moved)
    found = renderer.render_poses(renderer.prepare(scene), poses, cameras, SIZE)
    for kind in PASSES:
        assert np.array_equal(found.planes[kind], expected.planes[kind]), kind


def test_arrangements_that_need_more_memory_are_drawn_in_several_goes(egl: Renderer) -> None:
    scene = lock()
    cameras = make_camera_set("iso4", measure_bounds(scene))
    poses = arrangements(scene, 5)
    expected = egl.render_poses(egl.prepare(scene), poses, cameras, SIZE)
    for memory in (1, 4 << 20):
        with EglRenderer(memory=memory) as frugal:
            found = frugal.render_poses(frugal.prepare(scene), poses, cameras, SIZE)
        for kind in PASSES:
            assert np.array_equal(found.planes[kind], expected.planes[kind]), kind


@pytest.mark.parametrize("shape", [(9, 4, 4), (2, 8, 4, 4), (2, 9, 3, 4), (0, 9, 4, 4)])
def test_poses_of_another_shape_are_refused(renderer: Renderer, shape: tuple[int, ...]) -> None:
    scene = lock()
    cameras = make_camera_set("iso4", measure_bounds(scene))
    with pytest.raises(InputError, match=r"\(S, 9, 4, 4\)"):
        renderer.render_poses(renderer.prepare(scene), np.zeros(shape), cameras, SIZE)


def read_buffer(name: int, array: NDArray[np.generic]) -> None:
    """Copy a buffer of the current OpenGL context into an array."""
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    kinds = (ctypes.c_uint, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_void_p)
    read = ctypes.CFUNCTYPE(None, *kinds)(egl.eglGetProcAddress(b"glGetNamedBufferSubData"))
    read(name, 0, array.nbytes, array.ctypes.data)


@pytest.mark.parametrize("memory", [1, 64 << 20])
def test_pictures_in_a_buffer_are_those_that_are_read_back(memory: int) -> None:
    scene = lock()
    cameras = make_camera_set("iso4", measure_bounds(scene))
    poses = arrangements(scene, 3)
    with EglRenderer(memory=memory) as renderer:
        prepared = renderer.prepare(scene)
        expected = renderer.render_poses(prepared, poses, cameras, SIZE, tuple(Pass))
        with renderer.use_context() as gl:
            names = {
                kind: gl.create_buffer(3 * 4 * SIZE * SIZE * measure_texel(kind)) for kind in Pass
            }
        offsets = dict.fromkeys(Pass, 0)

        def deliver(copy: Copy) -> None:
            for kind in Pass:
                offsets[kind] = copy(kind, names[kind], offsets[kind])

        renderer.deliver_poses(prepared, poses, cameras, SIZE, tuple(Pass), deliver)
        for kind in Pass:
            plane = expected.planes[kind]
            channels = (4,) if kind.channels else ()
            found = np.empty((*plane.shape[:4], *channels), dtype=kind.dtype)
            with renderer.use_context() as gl:
                read_buffer(names[kind], found)
                gl.delete_buffers(names[kind])
            assert np.array_equal(found[..., :3] if channels else found, plane), kind


class Exporter:
    """Part of an array, exported by our capsules."""

    def __init__(self, array: NDArray[np.generic]) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return (dlpack.CPU, 0)

    def __dlpack__(self, **options: object) -> object:
        array = self.array
        steps = [step // array.itemsize for step in array.strides]
        return dlpack.make_capsule(
            array.ctypes.data, array.shape, steps, array.dtype, self.__dlpack_device__(), self
        )


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_capsule_shares_strided_memory_and_lets_it_go(dtype: type[np.generic]) -> None:
    whole = np.arange(2 * 3 * 4).astype(dtype).reshape(2, 3, 4)
    held = len(dlpack._held)
    shared = np.from_dlpack(Exporter(whole[..., :3]))
    assert np.array_equal(shared, whole[..., :3])
    whole[:] = 1
    assert (shared == 1).all(), "it is the same memory"
    assert len(dlpack._held) == held + 1
    del shared
    assert len(dlpack._held) == held


def test_capsule_that_nobody_opens_lets_its_memory_go() -> None:
    held = len(dlpack._held)
    capsule = Exporter(np.zeros(3)).__dlpack__()
    assert len(dlpack._held) == held + 1
    del capsule
    assert len(dlpack._held) == held


def test_pictures_are_shared_by_dlpack(egl: Renderer) -> None:
    scene = lock()
    pictures = egl.render(scene, make_camera_set("iso4", measure_bounds(scene)), SIZE)
    for plane in pictures.planes.values():
        shared = np.from_dlpack(plane)
        assert shared.ctypes.data == plane.ctypes.data and np.array_equal(shared, plane)


def test_without_cuda_the_reason_is_said() -> None:
    """In a process of its own: a library of CUDA may start threads."""
    code = (
        "from pysim.render.cuda import CudaRenderer\n"
        "from pysim.render.egl import EglRenderer\n"
        "from pysim.render.renderer import RendererUnavailable\n"
        "renderer = EglRenderer()\n"
        "try: CudaRenderer(renderer).close(); print('there is CUDA')\n"
        "except RendererUnavailable as error: print('unavailable:', error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        ("there is CUDA", "unavailable: cuda-bindings is missing", "unavailable: there is no GPU")
    )
