"""What every renderer checks and works out before it draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.motion import Transform
from pysim.render.camera import Camera
from pysim.render.palette import rgb
from pysim.render.renderer import MAX_SIZE
from pysim.scene import Scene

__all__ = ["Inputs", "checked"]

MAX_BODIES = 65535
"""Picture ids are 16 bits wide, and 0 means nothing."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where the N bodies of a scene are, and how they are painted.

    Attributes:
        transforms: (N, 4, 4) from body to world coordinates.
        colours: (N, 3) uint8 sRGB.
    """

    transforms: NDArray[np.float64]
    colours: NDArray[np.uint8]


def checked(
    scene: Scene,
    cameras: Sequence[Camera],
    size: int,
    transforms: Mapping[str, Transform] | None,
) -> Inputs:
    """The bodies of a scene, ready to draw.

    Raises:
        ValueError: size outside 1..MAX_SIZE, no camera, a colour that is not in the palette, a
            transform for a body that is not in the scene, or too many bodies.
    """
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(f"a picture is 1 to {MAX_SIZE} pixels wide, not {size}")
    if not cameras:
        raise ValueError("a picture needs at least one camera")
    if len(scene.bodies) > MAX_BODIES:
        raise ValueError(f"a picture shows up to {MAX_BODIES:,} bodies, not {len(scene.bodies):,}")
    moved = transforms or {}
    if unknown := sorted(set(moved) - {body.name for body in scene.bodies}):
        raise ValueError(f"transforms name bodies that are not in the scene: {', '.join(unknown)}")
    matrices = [
        moved[body.name] if body.name in moved else body.pose.transform() for body in scene.bodies
    ]
    colours = [rgb(body.colour) for body in scene.bodies]
    return Inputs(
        np.array(matrices, dtype=np.float64).reshape(-1, 4, 4),
        np.array(colours, dtype=np.uint8).reshape(-1, 3),
    )
