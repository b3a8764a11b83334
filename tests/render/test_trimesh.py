"""Ids, depth and normals against rays cast at the triangles of trimesh."""

from dataclasses import dataclass

import numpy as np
import pytest
import trimesh

from pysim.geometry.meshes import build_surface_mesh
from pysim.render.camera import Camera, make_camera_set, measure_bounds
from pysim.render.renderer import PASSES, Pass, Renderer
from pysim.scene import Scene
from pysim.trajectory import Transform
from tests.render.scenes import random_scene
from tests.sampling import by_day

SIZE = 240
SLACK = 0.03
"""How far from a triangle's sides, in barycentric coordinates, a ray must pass to count."""


@dataclass(frozen=True)
class Soup:
    """All triangles of a scene in the world: (n, 3, 3), and the id of the body of each."""

    triangles: np.ndarray
    ids: np.ndarray

    @staticmethod
    def of(scene: Scene, transforms: dict[str, Transform]) -> "Soup":
        meshes = []
        for body in scene.bodies:
            mesh = build_surface_mesh(body.shape)
            mesh.apply_transform(transforms.get(body.name, body.pose.transform()))
            meshes.append(mesh.triangles)
        ids = np.repeat(np.arange(1, len(meshes) + 1), [len(m) for m in meshes])
        return Soup(np.concatenate(meshes), ids)

    def first(self, origin: np.ndarray, ray: np.ndarray) -> tuple[int, float, np.ndarray] | None:
        """Id, distance in lengths of the ray, and normal of what it meets; None if it grazes."""
        count = len(self.triangles)
        normals = trimesh.triangles.normals(self.triangles)[0]
        points, valid = trimesh.intersections.planes_lines(
            self.triangles[:, 0], normals, np.tile(origin, (count, 1)), np.tile(ray, (count, 1))
        )
        met = np.flatnonzero(valid)
        distance = (points - origin) @ ray / (ray @ ray)
        inner = trimesh.triangles.points_to_barycentric(self.triangles[met], points)
        near = (inner > -SLACK).all(axis=1) & (distance > 0.0)
        if not near.any():
            return 0, np.inf, np.zeros(3)
        order = np.flatnonzero(near)[np.argsort(distance[near])]
        best = order[0]
        # On the diagonal of a face two triangles are met at once: they are of one plane.
        rivals = order[distance[order] < distance[best] + 0.05]
        same = (self.ids[met[rivals]] == self.ids[met[best]]) & np.isclose(
            normals[met[rivals]], normals[met[best]]
        ).all(axis=1)
        clear = same.all() and (len(rivals) > 1 or (inner[best] > SLACK).all())
        if not clear:
            return None
        return int(self.ids[met[best]]), float(distance[best]), normals[met[best]]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("seed", by_day(range(4)))
def test_pictures_show_what_rays_meet(renderer: Renderer, seed: int, orthographic: bool) -> None:
    scene, transforms = random_scene(seed)
    soup = Soup.of(scene, transforms)
    passes = (*PASSES, Pass.NORMALS) if renderer.name == "egl" else PASSES
    cameras = make_camera_set("iso4", measure_bounds(scene), orthographic=orthographic)
    precision = 0.01 if renderer.name == "tiny" and orthographic else 0.003
    pictures = renderer.render(scene, cameras, SIZE, transforms, passes)
    choice = np.random.default_rng(seed)
    bodies = 0
    for index, camera in enumerate(cameras):
        for column, row in choice.integers(0, SIZE, (150, 2)):
            hits = [soup.first(*ray(camera, column + x, row + y)) for x, y in SPREAD]
            if None in hits or len({hit[0] for hit in hits if hit}) != 1:
                continue
            number, depth, normal = hits[0] or (0, 0.0, np.zeros(3))
            if any(not np.allclose(hit[2], normal) for hit in hits if hit):
                continue
            assert pictures.ids[index, row, column] == number
            if number:
                bodies += 1
                assert pictures.depth[index, row, column] == pytest.approx(depth, abs=precision)
                if Pass.NORMALS in passes:
                    seen = pictures.normals[index, row, column]
                    assert seen == pytest.approx(normal, abs=2e-3)
    assert bodies > 15


SPREAD = ((0.5, 0.5), (0.05, 0.05), (0.95, 0.05), (0.05, 0.95), (0.95, 0.95))
"""The middle of a pixel, and points near its corners."""


def ray(camera: Camera, column: float, row: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the ray of a point of the picture starts and goes, by OpenCV's matrices.

    The direction is 1 long along the camera's axis, so that lengths along it are depths.
    """
    inside = np.linalg.inv(camera.compute_intrinsics(SIZE))
    outside = np.linalg.inv(camera.compute_extrinsics())
    x, y, _ = inside @ np.array([column - 0.5, row - 0.5, 1.0])
    turn, eye = outside[:3, :3], outside[:3, 3]
    if camera.width is None:
        return eye, turn @ np.array([x, y, 1.0])
    return eye + turn @ np.array([x, y, 0.0]), turn @ np.array([0.0, 0.0, 1.0])
