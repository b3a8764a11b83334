"""Checks and preparations of every renderer before it draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.camera import Camera
from pysim.render.mesh import Model
from pysim.render.palette import Rgb
from pysim.render.prepared import PreparedScene
from pysim.render.renderer import MAX_SIZE, Pass
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["DrawList", "check_batch", "check_poses"]


@dataclass(frozen=True, slots=True, eq=False)
class DrawList:
    """A scene with N bodies, ready to draw.

    Attributes:
        prepared: what is drawn.
        cameras: from where.
        transforms: (N, 4, 4) from body to world coordinates.
    """

    prepared: PreparedScene
    cameras: tuple[Camera, ...]
    transforms: NDArray[np.float64]

    @property
    def scene(self) -> Scene:
        """Scene that is drawn."""
        return self.prepared.scene

    @property
    def colours(self) -> NDArray[np.uint8]:
        """Colours of the bodies (N, 3) uint8, sRGB."""
        return self.prepared.colours

    @property
    def models(self) -> tuple[Model, ...]:
        """Looks of the bodies."""
        return self.prepared.models


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
    check_request(size, passes)
    if not scenes:
        raise ValueError("a batch needs at least one scene")
    own = _own_cameras(cameras, len(scenes))
    moved = transforms if transforms is not None else [None] * len(scenes)
    if len(moved) != len(scenes):
        raise ValueError(f"there are {len(moved)} sets of transforms for {len(scenes)} scenes")
    own_scenes = {id(scene): scene for scene in scenes}
    prepared = {
        number: PreparedScene.from_scene(scene, palette) for number, scene in own_scenes.items()
    }
    return tuple(
        DrawList(prepared[id(scene)], cameras, _transforms(scene, poses))
        for scene, cameras, poses in zip(scenes, own, moved, strict=True)
    )


def check_poses(
    prepared: PreparedScene,
    poses: NDArray[np.float64],
    cameras: Sequence[Camera],
    size: int,
    passes: Sequence[Pass],
) -> NDArray[np.float64]:
    """Return the poses (S, N, 4, 4) of arrangements of a scene.

    Raises:
        InputError: as :func:`check_batch`; also poses of another shape, or none.
    """
    check_request(size, passes)
    if not cameras:
        raise ValueError("a picture needs at least one camera")
    found = np.asarray(poses, dtype=np.float64)
    wanted = (len(prepared.scene.bodies), 4, 4)
    if found.ndim != 4 or found.shape[1:] != wanted or not len(found):
        raise InputError(
            f"poses have the shape (S, {wanted[0]}, 4, 4) for S arrangements, not {found.shape}"
        )
    return found


def check_request(size: int, passes: Sequence[Pass]) -> None:
    """Check what is asked of each picture.

    Raises:
        InputError: size outside 1..MAX_SIZE, or no pass.
    """
    if not 1 <= size <= MAX_SIZE:
        raise InputError(f"a picture is 1 to {MAX_SIZE} pixels wide, not {size}")
    if not passes:
        raise InputError(f"no pass is requested; known: {', '.join(Pass)}")


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


def _transforms(scene: Scene, moved: Mapping[str, Transform] | None) -> NDArray[np.float64]:
    """Return the transforms (N, 4, 4) of bodies, at their poses unless they are moved."""
    at = moved or {}
    if unknown := sorted(set(at) - {body.name for body in scene.bodies}):
        raise ValueError(f"transforms name bodies that are not in the scene: {', '.join(unknown)}")
    matrices = [
        at[body.name] if body.name in at else body.pose.transform() for body in scene.bodies
    ]
    return np.array(matrices, dtype=np.float64).reshape(-1, 4, 4)
