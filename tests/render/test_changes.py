"""Pictures of which only the part that changes is drawn."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from pysim.render.camera import Camera, make_camera_set, measure_bounds
from pysim.render.egl import EglRenderer
from pysim.render.egl.gl import Region
from pysim.render.renderer import PASSES, Pass, Renderer
from pysim.render.scenery import DIAGRAM, PLAIN, Finish, Scenery, create_dressed
from pysim.scene import Scene
from tests.render.scenes import lock, random_scene

SIZE = 144


def wander(scene: Scene, count: int, seed: int = 0) -> Iterator[NDArray[np.float64]]:
    """Yield poses of bodies of which one or two move at a time, by whole and broken distances."""
    rng = np.random.default_rng(seed)
    poses = np.array([body.pose.transform() for body in scene.bodies])
    for number in range(count):
        yield poses
        poses = poses.copy()
        for body in rng.integers(len(poses), size=1 + number % 2):
            poses[body, :3, 3] += rng.integers(-1, 2, 3) * (1.0 if number % 3 else 0.37)
            if number % 5 == 4:
                poses[body, :3, :3] = poses[body, [1, 0, 2], :3] * [[-1.0], [1.0], [1.0]]


def name_poses(scene: Scene, poses: NDArray[np.float64]) -> Mapping[str, NDArray[np.float64]]:
    return dict(zip((body.name for body in scene.bodies), poses, strict=True))


@pytest.fixture(scope="module")
def other() -> Iterator[EglRenderer]:
    """Another renderer, which does not know what the first one has drawn."""
    with EglRenderer() as renderer:
        yield renderer


def draw_whole(
    renderer: Renderer, scene: Scene, camera: Camera, poses: NDArray[np.float64]
) -> Mapping[Pass, NDArray[np.generic]]:
    """Return pictures of which no part is kept: the one before is from another side."""
    moved = name_poses(scene, poses)
    renderer.render(scene, [replace(camera, fov_deg=60.0)], SIZE, moved)
    return renderer.render(scene, [camera], SIZE, moved).planes


@pytest.mark.by_day(1)
@pytest.mark.parametrize("scenery", [DIAGRAM, PLAIN, Scenery(Finish.WOOD, sun=(0.9, 0.2, 0.4))])
@pytest.mark.parametrize("seed", range(4))
def test_moved_bodies_have_the_pictures_of_a_scene_that_is_drawn_whole(
    egl: Renderer, other: EglRenderer, scenery: Scenery, seed: int
) -> None:
    scene = lock() if seed == 0 else random_scene(seed)[0]
    dressed, whole = (create_dressed(renderer, scenery) for renderer in (egl, other))
    cameras = make_camera_set("iso4", measure_bounds(scene))[:2]
    for number, poses in enumerate(wander(scene, 24, seed)):
        camera = cameras[number // 8 % 2]
        found = dressed.render(scene, [camera], SIZE, name_poses(scene, poses))
        expected = draw_whole(whole, scene, camera, poses)
        for kind in PASSES:
            assert np.array_equal(found.planes[kind], expected[kind]), (number, kind)


def test_scenes_in_turn_have_the_pictures_that_they_have_alone(
    egl: Renderer, other: EglRenderer
) -> None:
    scenes = [lock(), random_scene(1)[0], random_scene(2)[0]]
    (camera,) = make_camera_set("iso4", measure_bounds(scenes[0]))[:1]
    for poses in zip(*(wander(scene, 4) for scene in scenes), strict=True):
        for scene, own in zip(scenes, poses, strict=True):
            found = egl.render(scene, [camera], SIZE, name_poses(scene, own), [Pass.RGB])
            assert np.array_equal(found.rgb, draw_whole(other, scene, camera, own)[Pass.RGB])


def test_slide_of_one_body_redraws_a_part_of_the_picture() -> None:
    scene = lock()
    (camera,) = make_camera_set("iso4", measure_bounds(scene))[:1]
    poses = np.array([body.pose.transform() for body in scene.bodies])
    with EglRenderer() as renderer:
        if "llvmpipe" not in renderer.version:
            pytest.skip(f"NOT TESTED: {renderer.version} draws pictures whole")
        regions = []
        for height in (0.0, 0.25, 0.25):
            poses[0, 2, 3] = scene.bodies[0].pose.transform()[2, 3] + height
            renderer.render(scene, [camera], SIZE, name_poses(scene, poses))
            regions.append(renderer._find_engine()._targets.get((SIZE, 1, False, True)).region)
    assert regions[0] == Region.whole(SIZE)
    assert 0 < regions[1].width * regions[1].height < SIZE * SIZE / 2
    assert not regions[2], "nothing has moved"
