"""Other ways to look at a scene: taken apart, cut open, seen through.

Each makes a scene of its own, which any renderer draws; picture ids are those of the new scene.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.geometry import Bounds, Direction, Voxels
from pysim.scene import Body, Scene

__all__ = ["MAX_SPREAD", "cut_away", "explode", "make_translucent"]

MAX_SPREAD = 1000


def explode(scene: Scene, spread: float = 1.5) -> Scene:
    """Return the held bodies moved apart from their common middle, in whole units.

    Args:
        spread: by how many times its distance from the middle a body is moved; 0 moves nothing.

    Raises:
        InputError: ``spread`` is negative or above ``MAX_SPREAD``.
    """
    if not 0.0 <= spread <= MAX_SPREAD:
        raise InputError(
            f"bodies are spread by 0 to {MAX_SPREAD} times their distance, not {spread}"
        )
    held = [body for body in scene.bodies if not body.loose]
    if not held:
        return scene
    middle = _middle(Bounds.cover(body.place().bounds for body in held))
    bodies = tuple(body if body.loose else _moved(body, middle, spread) for body in scene.bodies)
    work = Bounds.cover([scene.work, *(b.place().bounds for b in bodies if not b.loose)])
    return replace(scene, bodies=bodies, work=work)


def cut_away(scene: Scene, side: Direction, at: int) -> Scene:
    """Return a scene without the cells beyond a plane.

    Args:
        side: where to; cells farther that way than ``at`` are taken off.
        at: coordinate of the last layer of cells that stays, along the axis of ``side``.

    Bodies of which nothing is left are gone; stickers on cells that are gone, too.
    """
    cut = (_cut(body, side, at) for body in scene.bodies)
    return replace(scene, bodies=tuple(body for body in cut if body is not None))


def make_translucent(scene: Scene, names: Collection[str]) -> Scene:
    """Return a scene in which some bodies are translucent: they have no ids, depth or shadow.

    Raises:
        KeyError: no body has one of the names.
    """
    for name in names:
        scene.find_body(name)
    bodies = tuple(
        replace(body, translucent=body.translucent or body.name in names) for body in scene.bodies
    )
    return replace(scene, bodies=bodies)


def _moved(body: Body, middle: NDArray[np.float64], spread: float) -> Body:
    step = np.rint(spread * (_middle(body.place().bounds) - middle)).astype(int).tolist()
    return replace(body, pose=body.pose.translate((step[0], step[1], step[2])))


def _middle(bounds: Bounds) -> NDArray[np.float64]:
    middle: NDArray[np.float64] = (np.array(bounds.low) + np.array(bounds.high)) / 2.0
    return middle


def _cut(body: Body, side: Direction, at: int) -> Body | None:
    axis = side.axis.number
    pose = body.pose.transform()
    cells = np.array(body.shape.cells)
    reach = np.rint(cells @ pose[axis, :3] + pose[axis, 3]).astype(int)
    stays = side.sign * reach <= side.sign * at
    if stays.all():
        return body
    left = {cell for cell, stay in zip(body.shape.cells, stays, strict=True) if stay}
    if not left:
        return None
    stickers = tuple(sticker for sticker in body.stickers if sticker.cell in left)
    return replace(body, shape=Voxels.from_cells(left), stickers=stickers)
