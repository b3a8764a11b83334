"""Ids, depths and normals are those of the surface in the middle of each pixel."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pysim.catalog import find_family, find_level
from pysim.render.camera import Camera, list_cameras
from pysim.render.renderer import PASSES, Pass, Renderer
from pysim.scene import Scene
from pysim.trajectory import Transform
from tests.render.rays import Hits, cast
from tests.render.scenes import random_scene
from tests.sampling import by_day, these_by_day

MOST = 12_000
"""Rays that are cast into a picture; of larger ones, by chance."""


def scene_of(name: str) -> Scene:
    level = find_level(name)
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


def middles(size: int) -> NDArray[np.int64]:
    """Rows and columns (n, 2) of pixels to look at."""
    every = np.indices((size, size)).reshape(2, -1).T
    if len(every) <= MOST:
        return every
    return np.random.default_rng(size).choice(every, MOST, replace=False)


def compared(
    renderer: Renderer,
    scene: Scene,
    camera: Camera,
    size: int,
    transforms: dict[str, Transform],
    passes: tuple[Pass, ...],
) -> tuple[Hits, dict[Pass, NDArray[np.generic]]]:
    pictures = renderer.render(scene, [camera], size, transforms, passes)[0]
    at = middles(size)
    hits = cast(scene, camera, size, at[:, ::-1] + 0.5, transforms)
    return hits, {kind: plane[tuple(at.T)] for kind, plane in pictures.planes.items()}


def check(hits: Hits, seen: dict[Pass, NDArray[np.generic]]) -> None:
    ids, depth = seen[Pass.IDS], seen[Pass.DEPTH]
    body = (ids > 0) | (hits.ids > 0)
    assert body.sum() > 500
    same = ids == hits.ids
    assert same[body].mean() >= 0.999
    both = same & (ids > 0)
    assert np.abs(depth[both] - hits.depth[both]).max() < 2e-2  # on a face seen from the side
    assert np.quantile(np.abs(depth[both] - hits.depth[both]), 0.99) < 1e-3
    assert (np.isfinite(depth) == (ids > 0)).all()


@pytest.mark.parametrize("size", these_by_day([256], [128, 256, 512, 1024]))
@pytest.mark.parametrize("name", ["burr-piston", "burr-sixteen-bars", "jigsaw-easy-1"])
def test_ids_and_depths_are_those_of_exact_rays(egl: Renderer, name: str, size: int) -> None:
    scene = scene_of(name)
    camera = list_cameras(scene)[size // 128 % 3]
    check(*compared(egl, scene, camera, size, {}, PASSES))


@pytest.mark.parametrize("seed", by_day(range(4), each=2))
def test_they_are_where_bodies_are_turned(egl: Renderer, seed: int) -> None:
    scene, transforms = random_scene(seed)
    check(*compared(egl, scene, list_cameras(scene)[seed], 256, dict(transforms), PASSES))


def test_a_camera_with_a_shift_sees_what_its_rays_meet(egl: Renderer) -> None:
    """A part of a picture, drawn by itself, is that part."""
    from dataclasses import replace

    scene = scene_of("burr-piston")
    camera = list_cameras(scene)[0]
    whole = egl.render(scene, [camera], 256)[0]
    for right, down in ((0, 0), (1, 0), (1, 1)):
        fov = 2.0 * np.degrees(np.arctan(np.tan(np.radians(camera.fov_deg) / 2.0) / 2.0))
        part = replace(camera, fov_deg=fov, shift=(1.0 - 2.0 * right, 1.0 - 2.0 * down))
        seen = egl.render(scene, [part], 128)[0]
        here = np.s_[128 * down : 128 * (down + 1), 128 * right : 128 * (right + 1)]
        assert (seen.ids == whole.ids[here]).mean() > 0.9995
        points = np.array([(0.3, 0.2, 1.0), (2.0, -1.0, 0.5)])
        moved = part.project(points, 128) + (128 * right, 128 * down, 0.0)
        assert np.allclose(moved, camera.project(points, 256))
        assert np.allclose(
            part.compute_intrinsics(128)[:2, 2] - (127.5 - 128 * right, 127.5 - 128 * down), 0
        )


def test_normals_are_of_the_same_surface_as_ids(egl: Renderer) -> None:
    """Every normal looks at the camera, and what is seen lies in its plane."""
    scene = scene_of("burr-sixteen-bars")
    camera = list_cameras(scene)[0]
    seen = egl.render(scene, [camera], 256, passes=[Pass.IDS, Pass.DEPTH, Pass.NORMALS])[0]
    start, ray = camera.compute_rays()
    middle = (np.arange(256) + 0.5) / 128.0 - 1.0
    x, y = middle[None, :, None], -middle[:, None, None]
    at = start[0] + (ray[0] + x * ray[1] + y * ray[2]) * seen.depth[..., None]
    body = seen.ids > 0
    at, normals = at[body], seen.normals[body].astype(np.float64)
    assert (np.einsum("nc,nc->n", normals, np.array(camera.eye) - at) > 0.0).all()
    # Faces lie half-way between whole numbers along their normals.
    heights = np.einsum("nc,nc->n", np.abs(normals), at)
    assert np.isclose(heights % 1.0, 0.5, atol=1e-2).mean() > 0.999
