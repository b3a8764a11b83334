"""Checks and preparations of every renderer before it draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.camera import Camera
from pysim.render.mesh import Model
from pysim.render.palette import Rgb, parse_color
from pysim.render.renderer import MAX_SIZE, Pass
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["DrawList", "check_batch"]

MAX_BODIES = 65535
"""Picture ids are 16 bits wide, and 0 means nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawList:
    """A scene with N bodies, ready to draw.

    Attributes:
        scene: what is drawn.
        cameras: from where.
        transforms: (N, 4, 4) from body to world coordinates.
        colours: (N, 3) uint8 sRGB.
        models: what the bodies look like.
    """

    scene: Scene
    cameras: tuple[Camera, ...]
    transforms: NDArray[np.float64]
    colours: NDArray[np.uint8]
    models: tuple[Model, ...]


def check_batch(
    scenes: Sequence[Scene],
    cameras: Sequence[Camera] | Sequence[Sequence[Camera]],
    size: int,
    passes: Sequence[Pass],
    transforms: Sequence[Mapping[str, Transform] | None] | None,
    palette: Mapping[str, Rgb],
) -> tuple[DrawList, ...]:
    """Return a batch, scene by scene.

    Raises:
        InputError: size outside 1..MAX_SIZE; no scene, camera or pass; a colour that is not in the
            palette; transforms for a body that is not in the scene; too many bodies; or not as many
            cameras or transforms for each scene.
    """
    if not 1 <= size <= MAX_SIZE:
        raise InputError(f"a picture is 1 to {MAX_SIZE} pixels wide, not {size}")
    if not scenes:
        raise ValueError("a batch needs at least one scene")
    if not passes:
        raise InputError(f"no pass is requested; known: {', '.join(Pass)}")
    own = _own_cameras(cameras, len(scenes))
    moved = transforms if transforms is not None else [None] * len(scenes)
    if len(moved) != len(scenes):
        raise ValueError(f"there are {len(moved)} sets of transforms for {len(scenes)} scenes")
    return tuple(_job(*parts, palette) for parts in zip(scenes, own, moved, strict=True))


def _own_cameras(
    cameras: Sequence[Camera] | Sequence[Sequence[Camera]], scenes: int
) -> list[tuple[Camera, ...]]:
    """Return the cameras of each scene, equally many."""
    if all(isinstance(camera, Camera) for camera in cameras):
        own = [tuple(cast("Sequence[Camera]", cameras))] * scenes
    else:
        own = [tuple(of_scene) for of_scene in cast("Sequence[Sequence[Camera]]", cameras)]
    if len(own) != scenes or len({len(of_scene) for of_scene in own}) != 1:
        counts = [len(of_scene) for of_scene in own]
        raise ValueError(f"{scenes} scenes need equally many cameras each, not {counts}")
    if not own[0]:
        raise ValueError("a picture needs at least one camera")
    return own


def _job(
    scene: Scene,
    cameras: tuple[Camera, ...],
    transforms: Mapping[str, Transform] | None,
    palette: Mapping[str, Rgb],
) -> DrawList:
    if len(scene.bodies) > MAX_BODIES:
        raise InputError(f"a picture shows up to {MAX_BODIES:,} bodies, not {len(scene.bodies):,}")
    moved = transforms or {}
    if unknown := sorted(set(moved) - {body.name for body in scene.bodies}):
        raise ValueError(f"transforms name bodies that are not in the scene: {', '.join(unknown)}")
    matrices = [
        moved[body.name] if body.name in moved else body.pose.transform() for body in scene.bodies
    ]
    colours = [parse_color(body.colour, palette) for body in scene.bodies]
    return DrawList(
        scene,
        cameras,
        np.array(matrices, dtype=np.float64).reshape(-1, 4, 4),
        np.array(colours, dtype=np.uint8).reshape(-1, 3),
        tuple(Model.from_body(body, palette) for body in scene.bodies),
    )
