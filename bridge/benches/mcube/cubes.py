"""The cubes that are asked about, by condition and seed; the same in all arms."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from bridge.benches.mcube.condition import CubeCondition, Subtask
from bridge.benches.mcube.given import LETTERS, AskedCube
from pysim.errors import InputError
from pysim.families.jigsaw.cutting import Cut, cut_cube

__all__ = ["LETTERS", "AskedCube", "Viewpoint", "find_cube", "sample_viewpoints"]

_TRIES = 1000


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Angles of a camera in degrees, as :mod:`bridge.benches.mcube.pictures` reads them."""

    elevation: float
    azimuth: float


ELEVATION, AZIMUTH = (-135.0, 20.0), (-120.0, 30.0)
"""Middle and reach of the viewpoints (MARBLE, section 3.2)."""


@lru_cache(maxsize=4096)
def find_cube(condition: CubeCondition, seed: int) -> AskedCube:
    """Return the cube of a seed; of given cubes the one with that number, from 0, over and over."""
    if condition.given is not None:
        return condition.given.pick(seed)
    random = Random(f"mcube 1 {condition.puzzle} {seed}")
    cut = _cut(condition, random)
    missing = (
        range(6) if condition.task is Subtask.CUBE else random.sample(range(6), condition.missing)
    )
    return AskedCube(cut.pieces, cut.places, tuple(sorted(missing)))


def sample_viewpoints(condition: CubeCondition, seed: int) -> tuple[Viewpoint, ...]:
    """From where each of the six pieces is seen: uniform around the middle."""
    cubes = "" if condition.given is None else f" {condition.given.name}"
    random = Random(f"mcube 1 views {condition.puzzle} {seed}{cubes}")
    return tuple(
        Viewpoint(*(round(random.uniform(m - r, m + r), 3) for m, r in (ELEVATION, AZIMUTH)))
        for _ in LETTERS
    )


def _cut(condition: CubeCondition, random: Random) -> Cut:
    for _ in range(_TRIES):
        cut = cut_cube(random, flipped=condition.flips)
        if not condition.unique or _has_one_solution(cut):
            return cut
    raise InputError("no cube with one solution was found")  # One in sixty has several.


def _has_one_solution(cut: Cut) -> bool:
    # Not above: it takes half a second.
    from pysim.families.jigsaw.solving import Placing, count_assemblies, solve

    return count_assemblies(cut.pieces, solve(Placing(cut.pieces, {})).found) == 1
