"""View-frames per second of the OpenGL renderer against PyBullet's TinyRenderer.

Both draw the same scene from the same cameras, and take turns in short rounds. Ours draws with
4 samples a pixel, soft shadows, ids and depth; TinyRenderer with ids and depth, without smoothing
or shadow. Ours keeps what does not change from one picture to the next, so all pieces move each
time. On a GPU also batches of many scenes, and where their time goes.

With ``--families``, of one level of each kind also the processor's milliseconds for a view of 128
pixels, colours alone, with all threads that draw: in batches of states that random play reaches,
with the full finish (``cpu_ms_per_view_NAME``), with the plain one (``..._plain``), and the same
states one at a time with the full finish (``..._single``).
"""

import math
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from perf.harness import Report, run_benchmark
from perf.render_peers import PEERS, bullet_frames, rate_of
from pysim.catalog import find_family, find_level
from pysim.geometry import Bounds, Direction, Pose, Rotation, Voxels, add
from pysim.render.camera import Camera, list_cameras, make_camera_set, measure_bounds
from pysim.render.cuda import CudaRenderer
from pysim.render.egl import EglRenderer
from pysim.render.egl.context import is_software
from pysim.render.encoding import EncodingPool
from pysim.render.palette import PALETTE
from pysim.render.renderer import Pass, RendererUnavailable
from pysim.render.scenery import PLAIN, create_dressed
from pysim.render.tiling import place_cameras
from pysim.scene import Body, Colour, Scene

SIZES = (512, 256)
BATCH_SIZES = (128, 256, 512)
BATCHES = (1, 4, 16, 64, 256, 1024)
CUDA_BATCH = 512
ROUNDS = 7
SECONDS = 0.6
PIECES, CELLS = 30, 23
CASES = {
    "piston": ("burr-piston", 0.7),
    "34_bars": ("burr-thirty-four-bars", 0.9),
    "packing": ("packing-hard-30", 0.5),
    "cube": ("rubik-l120-hard-01", 0.9),
    "net": ("nets-hard-01", 0.7),
    "chamber": ("portal-d2-20", 2.5),
}
"""Levels, and the milliseconds that a view of each may take."""
CASE_SIZE, CASE_STATES, CASE_VIEWS, CASE_ROUNDS = 128, 32, 4, 3
COMMAND = "python -m perf.render --json"


@dataclass(frozen=True, slots=True)
class States:
    """States of a level, each with the same bodies, and cameras."""

    scenes: tuple[Scene, ...]
    cameras: tuple[Camera, ...]

    @property
    def poses(self) -> NDArray[np.float64]:
        """Poses (S, N, 4, 4) of the bodies."""
        return np.array([[b.pose.transform() for b in scene.bodies] for scene in self.scenes])


def crowd(seed: int = 5) -> Scene:
    """30 random pieces of 23 cells, each in a box of 5 x 5 x 4, in rows on a table."""
    choice = random.Random(seed)
    bodies = []
    for index, name in enumerate(list(PALETTE)[:PIECES]):
        shape = _piece(choice)
        corner = (6 * (index % 6) - 18, 6 * (index // 6) - 15, 0)
        pose = Pose.place_corner(shape, Rotation(choice.randrange(24)), corner)
        bodies.append(Body(name, shape, pose, Colour(name)))
    block = Bounds.cover(body.place().bounds for body in bodies)
    return Scene(tuple(bodies), block, block)


def lift(scene: Scene) -> Scene:
    """Return a scene with all bodies a unit higher."""
    bodies = (replace(body, pose=body.pose.translate((0, 0, 1))) for body in scene.bodies)
    return replace(scene, bodies=tuple(bodies))


def cameras_of(scene: Scene) -> tuple[Camera, ...]:
    """Return four cameras above the ground, all around."""
    return make_camera_set("turntable4", measure_bounds(scene))


def measure(*, peers: bool, sweep: bool, families: bool) -> Report:
    """Return the ratio to TinyRenderer; peers; families; and batches where there is a GPU."""
    report = Report("render")
    scene = crowd()
    cameras = cameras_of(scene)
    with EglRenderer(memory=2 * 2**30) as renderer:
        report.notes["renderer"] = renderer.version
        _compare(renderer, scene, cameras, report)
        if families and is_software(renderer.version):
            _measure_cases(renderer, report)
        if sweep or not is_software(renderer.version):
            _sweep(renderer, scene, cameras, report, BATCHES if not sweep else (1, 4))
        else:
            report.notes["batches"] = f"not measured: no GPU here; where there is one: {COMMAND}"
    with EglRenderer(memory=16 * 2**30) as renderer:
        _deliver(renderer, report)
    if peers:
        _add_peers(report)
    return report


def _compare(
    renderer: EglRenderer, scene: Scene, cameras: tuple[Camera, ...], report: Report
) -> None:
    """View-frames per second beside TinyRenderer, where PyBullet is installed."""
    try:
        tiny = bullet_frames(scene, cameras)
    except ImportError as error:
        report.notes["to_tiny"] = f"not measured: PyBullet is missing ({error})"
        return
    scenes = cycle((scene, lift(scene)))
    for size in SIZES:
        ours, theirs = _duel(
            partial(_draw_next, renderer, scenes, cameras, size), partial(tiny, size)
        )
        report.figures |= {
            f"egl_{size}_frames_per_s": 4 * statistics.median(ours),
            f"tiny_{size}_frames_per_s": 4 * statistics.median(theirs),
            f"to_tiny_{size}": statistics.median(a / b for a, b in zip(ours, theirs, strict=True)),
        }
    report.targets["to_tiny_512"] = (">=", 1.3)


def _draw_next(
    renderer: EglRenderer, scenes: Iterator[Scene], cameras: tuple[Camera, ...], size: int
) -> None:
    renderer.render(next(scenes), cameras, size)


def _measure_cases(renderer: EglRenderer, report: Report) -> None:
    """Milliseconds of the processor for a view of each case."""
    finishes = {"": renderer, "_plain": create_dressed(renderer, PLAIN)}
    for case, (name, goal) in CASES.items():
        states = reach_states(name)
        poses, cameras = states.poses, states.cameras
        prepared = renderer.prepare(states.scenes[0])
        for suffix, dressed in finishes.items():
            figure = f"cpu_ms_per_view_{case}{suffix}"
            draw = partial(dressed.render_poses, prepared, poses, cameras, CASE_SIZE, [Pass.RGB])
            report.figures[figure] = _cost(draw) / len(poses) / len(cameras)
            report.targets[figure] = ("<=", goal)
        singly = partial(_draw_singly, renderer, states)
        report.figures[f"cpu_ms_per_view_{case}_single"] = _cost(singly) / len(poses) / len(cameras)


def _draw_singly(renderer: EglRenderer, states: States) -> None:
    for scene in states.scenes:
        renderer.render(scene, states.cameras, CASE_SIZE, None, [Pass.RGB])


def _cost(call: Callable[[], object]) -> float:
    """Return the milliseconds that a call takes of all cores, the best of some rounds."""
    best = math.inf
    for number in range(CASE_ROUNDS + 1):
        began = _count_cpu_seconds()
        call()
        if number:
            best = min(best, _count_cpu_seconds() - began)
    return 1000.0 * best


def _count_cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def reach_states(name: str) -> States:
    """Return states of a level that random play reaches."""
    level = find_level(name)
    rules = find_family(level).rules
    choice, state = random.Random(1), rules.initial(level)
    first = rules.scene(level, state)
    names = [body.name for body in first.bodies]
    scenes: list[Scene] = []
    while len(scenes) < CASE_STATES:
        scene = rules.scene(level, state)
        same = [body.name for body in scene.bodies] == names
        if same:
            scenes.append(scene)
        legal = list(rules.legal(level, state))
        if not same or not legal or choice.random() < 0.1:
            state = rules.initial(level)
        else:
            state = rules.apply(level, state, choice.choice(legal)).state
    shots = first.views
    every = (
        list_cameras(first)
        if shots is None
        else tuple(camera for shot in shots for camera in place_cameras(first, shot))
    )
    return States(tuple(scenes), every[:CASE_VIEWS])


def _duel(one: Callable[[], object], other: Callable[[], object]) -> tuple[list[float], ...]:
    """Return calls per second of both in each of some rounds, after one round to warm up."""
    rates: tuple[list[float], ...] = ([], [])
    for number in range(ROUNDS + 1):
        for call, rate in zip((one, other), rates, strict=True):
            began, calls = time.perf_counter(), 0
            while (elapsed := time.perf_counter() - began) < SECONDS:
                call()
                calls += 1
            if number:
                rate.append(calls / elapsed)
    return rates


def _sweep(
    renderer: EglRenderer,
    scene: Scene,
    cameras: tuple[Camera, ...],
    report: Report,
    batches: tuple[int, ...],
) -> None:
    """Arrangements of a scene: view-frames per second, and the share of each part."""
    prepared = renderer.prepare(scene)
    with EncodingPool() as pool:
        for size in BATCH_SIZES:
            for count in batches:
                poses = arrange(scene, count)
                renderer.render_poses(prepared, poses, cameras, size)
                began = time.perf_counter()
                pictures = renderer.render_poses(prepared, poses, cameras, size)
                seconds = time.perf_counter() - began
                draw, read = renderer.seconds
                began = time.perf_counter()
                pool.encode(pictures.rgb.reshape(-1, size, size, 3), "png")
                encode = time.perf_counter() - began
                total = seconds + encode
                report.figures |= {
                    f"batch_{count}_at_{size}_frames_per_s": len(cameras) * count / seconds,
                    f"batch_{count}_at_{size}_draw_share": draw / total,
                    f"batch_{count}_at_{size}_readback_share": read / total,
                    f"batch_{count}_at_{size}_png_share": encode / total,
                }


def arrange(scene: Scene, count: int) -> NDArray[np.float64]:
    """Return a scene's bodies (count, N, 4, 4) at their poses, and each a little aside."""
    home = np.array([body.pose.transform() for body in scene.bodies])
    poses = np.repeat(home[None], count, axis=0)
    poses[1:, :, :3, 3] += np.random.default_rng(5).integers(-1, 2, (count - 1, len(home), 3))
    return poses


def _deliver(renderer: EglRenderer, report: Report) -> None:
    """Colours of Piston at 256 pixels that stay on the GPU: views a second, all in all."""
    try:
        with CudaRenderer(renderer) as cuda:
            scene = find_scene("burr-piston")
            cameras = make_camera_set("iso4", measure_bounds(scene))
            prepared, poses = renderer.prepare(scene), arrange(scene, CUDA_BATCH)

            def draw() -> None:
                cuda.render_poses(prepared, poses, cameras, 256, [Pass.RGB])
                cuda.synchronize()

            draw()
            began, calls = time.perf_counter(), 0
            while (elapsed := time.perf_counter() - began) < 4 * SECONDS:
                draw()
                calls += 1
            report.figures["gpu_views_per_s_256"] = calls * CUDA_BATCH * len(cameras) / elapsed
            report.targets["gpu_views_per_s_256"] = (">=", 20_000)
    except RendererUnavailable as error:
        report.notes["gpu_views_per_s_256"] = f"not measured: {error}"


def find_scene(name: str) -> Scene:
    """Return a level's scene at its start."""
    level = find_level(name)
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


def _add_peers(report: Report) -> None:
    for name in PEERS:
        rates = rate_of(name)
        if isinstance(rates, str):
            report.notes[name] = rates
            continue
        for size, rate in rates.items():
            report.figures[f"{name}_{size}_frames_per_s"] = rate


def _piece(choice: random.Random) -> Voxels:
    cells = {(0, 0, 0)}
    while len(cells) < CELLS:
        beside = add(choice.choice(sorted(cells)), choice.choice(list(Direction)).vector)
        if all(0 <= c < limit for c, limit in zip(beside, (5, 5, 4), strict=True)):
            cells.add(beside)
    return Voxels.from_cells(cells)


if __name__ == "__main__":
    run_benchmark(
        measure,
        "View-frames per second against PyBullet's TinyRenderer.",
        peers="also measure pyrender, VTK and PyBullet's EGL plugin, where installed",
        sweep="also draw small batches, if there is no GPU",
        families="also measure the processor's time for a view of each family",
    )
