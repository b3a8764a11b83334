"""Writes ``tests/golden/looks``: ``python tools/gen_look_vectors.py``.

What our own renderer works out before it draws, for one in another language to be held to: the
faces of bodies, with where they bend and how open their corners are; where the sun and the rays of
cameras are; the ground, and the lines of boxes. Each scene goes as a request of unity.proto, in
base64.
"""

import argparse
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from json import dumps
from pathlib import Path

import numpy as np

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import pictures
from pysim.catalog import discover_families, find_family, list_shipped_levels
from pysim.geometry import Direction
from pysim.render import walls
from pysim.render.camera import Camera, list_cameras, make_camera_set, measure_bounds
from pysim.render.egl.batch import measure_ground
from pysim.render.mesh import Model, build_quads
from pysim.render.scenery.lights import compute_light_matrix
from pysim.scene import Body, Container, Scene

__all__ = ["documents"]

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "looks"


def main() -> None:
    """Write every file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=GOLDEN)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (out / name).write_text(dumps(document) + "\n", encoding="utf-8")


def documents() -> Mapping[str, object]:
    """File name -> what is in it."""
    return {"looks.json": [_look(scene) for scene in _scenes()]}


def _scenes() -> Iterator[Scene]:
    """Yield the first level of each family, one of them in a box of its own."""
    for family in discover_families():
        level = next(level for level in list_shipped_levels() if level.family == family)
        rules = find_family(level).rules
        scene = replace(rules.scene(level, rules.initial(level)), views=None)
        yield scene
    yield replace(scene, container=Container(measure_bounds(scene), frozenset({Direction.PLUS_Z})))


def _look(scene: Scene) -> Mapping[str, object]:
    corners = make_camera_set("iso4", measure_bounds(scene), orthographic=True)
    first, second, *_ = list_cameras(scene)
    cameras = [first, replace(second, shift=(0.25, -0.5)), *corners[2:]]
    exhibit = pictures.encode_exhibit(pictures.GalleryScene(scene, cameras, {}))
    request = pb.PlayerRequest(id=1, gallery=pb.PlayerGallery(exhibits=[exhibit], size=1))
    matrix, width = compute_light_matrix(
        scene, np.array([b.pose.transform() for b in scene.bodies])
    )
    return {
        "request": b64encode(request.SerializeToString(deterministic=True)).decode("ascii"),
        "faces": [_faces(body) for body in scene.bodies[:3]],
        "light": [*matrix.ravel().tolist(), float(width)],
        "cameras": [_camera(scene, camera) for camera in cameras],
    }


def _faces(body: Body) -> list[list[int]]:
    """Of each face the cell and the side, where it bends and how open it is; sorted."""
    found = []
    for face in build_quads(Model(body.shape)):
        side = int(face["normal"][0])
        middle = face["position"].mean(axis=0) - np.array(list(Direction)[side].vector) / 2.0
        cell = np.rint(middle).astype(int).tolist()
        found.append([*cell, side + 1, int(face["edges"][0]), int(face["openness"][0])])
    return sorted(found)


def _camera(scene: Scene, camera: Camera) -> Mapping[str, object]:
    box = scene.container
    segments = [] if box is None else [*walls.list_grid_lines(box, camera), *walls.list_edges(box)]
    return {
        "rays": camera.compute_rays().ravel().tolist(),
        "ground": list(measure_ground(scene, camera)),
        "lines": [segment.ravel().tolist() for segment in segments],
    }


if __name__ == "__main__":
    main()
