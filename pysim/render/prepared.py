"""Scenes that are drawn often, with their bodies in other places each time."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.mesh import Model
from pysim.render.palette import Rgb, parse_color
from pysim.scene import Scene

__all__ = ["PreparedScene"]

MAX_BODIES = 65535
"""Picture ids are 16 bits wide, and 0 means nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedScene:
    """A scene with N bodies, checked, and all of it that does not depend on where bodies are.

    Attributes:
        scene: what is drawn.
        colours: (N, 3) uint8 sRGB.
        models: what the bodies look like.
        translucent: (N,) which bodies are seen through.
    """

    scene: Scene
    colours: NDArray[np.uint8]
    models: tuple[Model, ...]
    translucent: NDArray[np.bool_]

    @staticmethod
    def from_scene(scene: Scene, palette: Mapping[str, Rgb]) -> "PreparedScene":
        """Return a scene that was checked.

        Raises:
            InputError: a colour that is not in the palette, or too many bodies.
        """
        bodies = scene.bodies
        if len(bodies) > MAX_BODIES:
            raise InputError(f"a picture shows up to {MAX_BODIES:,} bodies, not {len(bodies):,}")
        colours = [parse_color(body.colour, palette) for body in bodies]
        return PreparedScene(
            scene,
            np.array(colours, dtype=np.uint8).reshape(-1, 3),
            tuple(Model.from_body(body, palette) for body in bodies),
            np.array([body.translucent for body in bodies], dtype=bool),
        )
