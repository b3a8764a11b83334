"""Draws the pictures of ``docs/printing.md``: ``python tools/draw_printing.py LEVEL``.

LEVEL is the lock that the page makes. Of it ``docs/media/printing.png`` shows the assembled pieces
and the bed of a printer. ``docs/media/printing-edges.png`` shows meshes, by PyBullet's software
renderer: the assembled lock, and a piece two cells of which touch along an edge only.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pybullet
from numpy.typing import NDArray

from bridge.meshes.pieces import Piece, lay_down, list_assembled_bodies, list_bodies, make_pieces
from pysim.catalog import AnyLevel, find_level
from pysim.geometry import Bounds, Pose
from pysim.geometry.solids import Dimensions
from pysim.level_selection import load_level
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.egl import EglRenderer
from pysim.render.exploded_views import explode
from pysim.render.overlay import PLAIN
from pysim.render.renderer import Renderer
from pysim.render.views import observe, tile
from pysim.scene import Body, Scene

MEDIA = Path(__file__).resolve().parent.parent / "docs" / "media"
SIZE = 400
"""Edge of a panel in pixels."""
USUAL, COARSE = Dimensions(), Dimensions(tolerance=0.8, bevel=1.2)
"""The second one to show what a picture would hide otherwise."""
TOUCHING = ("burr-sixteen-bars", "orange")
"""A piece with cells that touch along an edge."""


def main() -> None:
    """Draw everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("level", help="id of a level, or a level file")
    level = load_level(parser.parse_args().level)
    with EglRenderer() as renderer:
        scenes = _assembled(level), explode(_assembled(level)), _bed(level)
        _save("printing", [_draw(renderer, scene) for scene in scenes])
    bodies = list_assembled_bodies(level)
    assert bodies is not None
    _save(
        "printing-edges",
        [
            _draw_meshes(make_pieces(bodies, USUAL)),
            _draw_meshes(make_pieces(bodies, COARSE)),
            _draw_meshes(make_pieces([_find_touching()], COARSE)),
        ],
    )


def _assembled(level: AnyLevel) -> Scene:
    bodies = list_assembled_bodies(level)
    assert bodies is not None
    return Scene(bodies, Bounds.cover(body.place().bounds for body in bodies))


def _bed(level: AnyLevel) -> Scene:
    """Return all pieces as they are printed, in rows."""
    laid = [lay_down(body) for body in list_bodies(level)]
    sizes = [body.place().bounds.size for body in laid]
    wide, deep = (1 + max(size[axis] for size in sizes) for axis in (0, 1))
    columns = max(1, round((len(laid) * deep / wide) ** 0.5))
    bodies = []
    for number, body in enumerate(laid):
        corner = (number % columns * wide, number // columns * deep, 0)
        pose = Pose.place_corner(body.shape, body.pose.rotation, corner)
        bodies.append(replace(body, pose=pose, loose=True))
    bounds = Bounds.cover(body.place().bounds for body in bodies)
    return Scene(tuple(bodies), bounds, bounds)


def _find_touching() -> Body:
    name, colour = TOUCHING
    return next(body for body in list_bodies(find_level(name)) if body.name == colour)


def _draw(renderer: Renderer, scene: Scene) -> NDArray[np.uint8]:
    cameras = make_camera_set("iso4", measure_bounds(scene))[:1]
    return observe(renderer, scene, SIZE, overlay=PLAIN, cameras=cameras)[0].rgb


def _draw_meshes(pieces: Sequence[Piece]) -> NDArray[np.uint8]:
    """Return a picture of meshes, drawn twice as large and made smaller."""
    client = pybullet.connect(pybullet.DIRECT)
    try:
        for piece in pieces:
            _add_mesh(client, piece)
        camera = make_camera_set("iso4", _cover(pieces))[0]
        view = pybullet.computeViewMatrix(camera.eye, camera.target, camera.up)
        lens = pybullet.computeProjectionMatrixFOV(camera.fov_deg, 1.0, 1.0, 1000.0)
        _, _, rgba, _, _ = pybullet.getCameraImage(
            2 * SIZE,
            2 * SIZE,
            view,
            lens,
            lightDirection=[3.0, -5.0, 8.0],
            shadow=0,
            renderer=pybullet.ER_TINY_RENDERER,
            physicsClientId=client,
        )
    finally:
        pybullet.disconnect(client)
    picture = np.array(rgba, np.uint8).reshape(2 * SIZE, 2 * SIZE, 4)[:, :, :3]
    return np.asarray(cv2.resize(picture, (SIZE, SIZE), interpolation=cv2.INTER_AREA), np.uint8)


def _cover(pieces: Sequence[Piece]) -> Bounds:
    """Return the block of cells around pieces; a camera that fits it shows them as large."""
    high = np.max([piece.place_vertices().max(axis=0) for piece in pieces], axis=0)
    x, y, z = (round(float(edge) / USUAL.edge + 0.1) - 1 for edge in high)
    return Bounds((0, 0, 0), (x, y, z))


def _add_mesh(client: int, piece: Piece) -> None:
    corners = piece.place_vertices()[piece.solid.triangles] / USUAL.edge - 0.5
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    shape = pybullet.createVisualShape(
        pybullet.GEOM_MESH,
        vertices=corners.reshape(-1, 3).tolist(),
        indices=list(range(3 * len(corners))),
        normals=np.repeat(normals, 3, axis=0).tolist(),
        rgbaColor=[*(np.array(piece.colour) / 255.0).tolist(), 1.0],
        physicsClientId=client,
    )
    pybullet.createMultiBody(baseVisualShapeIndex=shape, physicsClientId=client)


def _save(name: str, pictures: Sequence[NDArray[np.uint8]]) -> None:
    picture = cv2.cvtColor(tile(pictures, len(pictures)), cv2.COLOR_RGB2BGR)
    path = MEDIA / f"{name}.png"
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(f"{path.name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
