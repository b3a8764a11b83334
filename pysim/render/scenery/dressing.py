"""Finish of bodies, and light, sky and ground."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.render.renderer import Renderer
from pysim.render.scenery.lights import SUN
from pysim.viewpoints import Vector

__all__ = ["DIAGRAM", "PLAIN", "Finish", "Scenery", "create_dressed"]


class Finish(StrEnum):
    """Apparent material of bodies."""

    DIAGRAM = "diagram"
    """Lines at edges and between cells, so that cells can be counted."""
    PLAIN = "plain"
    """Painted, without any line."""
    WOOD = "wood"
    """Stained wood: rings, pores and rounded edges, in the colour of the piece."""


@dataclass(frozen=True, slots=True)
class Scenery:
    """Surroundings of a scene: everything that is drawn besides its bodies.

    Attributes:
        finish: what bodies seem to be made of.
        sun: towards the light, of any length; above the ground.
        sky_top, sky_bottom, ground: colours behind the bodies, 0 to 1 in sRGB.
        plain: whether pictures are drawn sooner, with jagged outlines and without shadows: for
            training. Renderers of such pictures say so in their version.

    Raises:
        InputError: the light comes from below, or a colour is none.
    """

    finish: Finish = Finish.DIAGRAM
    sun: Vector = SUN
    sky_top: Vector = (0.965, 0.972, 0.980)
    sky_bottom: Vector = (0.890, 0.900, 0.910)
    ground: Vector = (0.880, 0.878, 0.862)
    plain: bool = False

    def __post_init__(self) -> None:
        length = float(np.linalg.norm(self.sun))
        if not (0.0 < length < float("inf") and self.sun[2] / length >= 0.2):
            raise InputError(f"the light of a scene comes from well above, not from {self.sun}")
        colours = (self.sky_top, self.sky_bottom, self.ground)
        if not all(0.0 <= part <= 1.0 for colour in colours for part in colour):
            raise InputError("the colours of sky and ground are made of shares from 0 to 1")

    @property
    def to_light(self) -> NDArray[np.float64]:
        """Unit vector (3,) from the scene to the sun."""
        sun = np.array(self.sun)
        unit: NDArray[np.float64] = sun / np.linalg.norm(sun)
        return unit


DIAGRAM = Scenery()
"""What everything is drawn with unless something else is asked for."""

PLAIN = Scenery(plain=True)
"""The same without smoothing and shadows, for training."""


@runtime_checkable
class SceneryRenderer(Protocol):
    """A renderer that can draw with other sceneries."""

    def with_scenery(self, scenery: Scenery) -> Renderer:
        """A renderer that draws with it. It lives as long as this one, and need not be closed."""


def create_dressed(renderer: Renderer, scenery: Scenery) -> Renderer:
    """Return a renderer that draws with a scenery, on the engine of another one.

    Raises:
        InputError: that one can't.
    """
    if scenery == DIAGRAM:
        return renderer
    if not isinstance(renderer, SceneryRenderer):
        raise InputError(f"the renderer {renderer.name} has no finishes or lights; egl has")
    return renderer.with_scenery(scenery)
