"""Recipes of clips: everything that is drawn at random."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bridge.recording.dataset.clips.request import ClipsRequest
from pysim.catalog import AnyLevel, find_level
from pysim.render.palette import COLOURS
from pysim.render.scenery import Finish, Scenery
from pysim.scene import Body, Colour
from pysim.viewpoints import Vector

__all__ = ["ClipRecipe", "other_colours", "recipe_of"]

_GROUNDS = (
    (0.880, 0.878, 0.862),
    (0.78, 0.72, 0.62),
    (0.55, 0.44, 0.34),
    (0.70, 0.76, 0.72),
    (0.62, 0.66, 0.74),
)
_SKIES = (
    ((0.965, 0.972, 0.980), (0.890, 0.900, 0.910)),
    ((0.80, 0.87, 0.95), (0.93, 0.94, 0.95)),
    ((0.90, 0.86, 0.80), (0.96, 0.94, 0.91)),
)


@dataclass(frozen=True, slots=True)
class ClipRecipe:
    """Recipe of a clip.

    Attributes:
        level: of which it shows a part.
        first_step: the first action of the plan that it may show, from 1.
        rest: frames before that begins.
        direction: where the camera stands, seen from the bodies.
        opening: of the camera, in degrees across the shorter side.
        zoom: how much larger the picture could be without losing anything.
        scenery: light and finish.
        recoloured: whether pieces have other colours than their names say.
        blurred: whether what moves is blurred.
        forged: whether it is to have a violation.
        seed: of what is decided later.
    """

    level: AnyLevel
    first_step: int
    rest: int
    direction: Vector
    opening: float
    zoom: float
    scenery: Scenery
    recoloured: bool
    blurred: bool
    forged: bool
    seed: int

    @property
    def chance(self) -> np.random.Generator:
        """Random numbers, the same each time."""
        return np.random.default_rng(self.seed)


def recipe_of(request: ClipsRequest, number: int) -> ClipRecipe:
    """Return the recipe of clip ``number``: the same whenever and wherever it is drawn."""
    chance = np.random.default_rng([request.seed, number])
    families = _by_family(request.levels)
    level = find_level(str(chance.choice(families[int(chance.integers(len(families)))])))
    assert level.plan is not None
    azimuth, height = chance.uniform(-math.pi, math.pi), chance.uniform(0.35, 1.3)
    return ClipRecipe(
        level=level,
        first_step=int(chance.integers(len(level.plan.actions))) + 1,
        rest=int(chance.integers(1, request.fps // 2 + 2)),
        direction=(math.sin(azimuth), math.cos(azimuth), float(height)),
        opening=float(chance.uniform(18.0, 40.0)),
        zoom=float(chance.uniform(1.0, 1.25)),
        scenery=_scenery(request.finishes, chance),
        recoloured=bool(chance.random() < 0.5),
        blurred=bool(chance.random() < request.blurred),
        forged=bool(chance.random() < request.forged),
        seed=int(chance.integers(2**62)),
    )


@lru_cache(maxsize=4)
def _by_family(levels: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The levels of each family: each family has as many clips, however many levels it has."""
    found: dict[str, list[str]] = {}
    for level in levels:
        found.setdefault(find_level(level).family, []).append(level)
    return tuple(map(tuple, found.values()))


def _scenery(finishes: Sequence[Finish], chance: np.random.Generator) -> Scenery:
    azimuth, height = chance.uniform(-math.pi, math.pi), chance.uniform(0.6, 1.6)
    top, bottom = _SKIES[int(chance.integers(len(_SKIES)))]
    return Scenery(
        finish=finishes[int(chance.integers(len(finishes)))],
        sun=(math.sin(azimuth), math.cos(azimuth), float(height)),
        sky_top=top,
        sky_bottom=bottom,
        ground=_GROUNDS[int(chance.integers(len(_GROUNDS)))],
    )


def other_colours(bodies: Sequence[Body], chance: np.random.Generator) -> Mapping[str, Colour]:
    """A colour for each body, no two alike; those with stickers keep theirs."""
    kept = {body.name: body.colour for body in bodies if body.stickers}
    free = [colour for colour in COLOURS if colour not in kept.values()]
    drawn = chance.permutation(len(free))
    others = [body.name for body in bodies if not body.stickers]
    if len(others) > len(free):
        return {body.name: body.colour for body in bodies}
    return kept | {name: free[k] for name, k in zip(others, drawn, strict=False)}
