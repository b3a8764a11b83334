"""Scores of random answers, computed for each metric."""

from collections.abc import Sequence
from functools import lru_cache
from math import fsum

from bridge.benches.mcube.condition import CubeCondition
from bridge.benches.mcube.cubes import find_cube

__all__ = [
    "BLIND_CELLS",
    "CHANCE_CELLS",
    "CHANCE_PIECES",
    "compute_chance",
    "compute_chance_within",
    "compute_mean_chance",
]

_MIDDLE, _ALONG, _CORNERS = 9, 12, 4
"""Cells of a piece: filled for certain, filled with one half, with one third."""
CHANCE_CELLS = (_MIDDLE + (_ALONG + _CORNERS) / 2) / 25
"""The share of cells that are right if those around the middle are guessed evenly: 0.68."""
CHANCE_PIECES = 0.5 ** (_ALONG + _CORNERS)
"""The share of pieces that are wholly right then: one in 65,536."""
BLIND_CELLS = (_MIDDLE + _ALONG / 2 + _CORNERS * 2 / 3) / 25
"""The best that can be done without looking, by leaving every corner out: 0.7067."""


@lru_cache(maxsize=1 << 14)
def compute_chance(condition: CubeCondition, seed: int) -> float:
    """Return the share of all answers to a question that are right.

    Of all six pieces 6! * 8^6 answers can be given, of which at least 48 are right: the cube turned
    and mirrored.
    """
    from pysim.families.jigsaw.solving import Placing, solve  # Not above: it takes half a second.

    cube = find_cube(condition, seed)
    question = Placing(cube.pieces, cube.given, condition.flips)
    return solve(question).right / question.answers


def compute_mean_chance(
    condition: CubeCondition, seeds: Sequence[int], rounds: int = 1
) -> float | None:
    """The accuracy to be expected of answers by chance within some rounds; None of no questions."""
    shares = [compute_chance_within(compute_chance(condition, seed), rounds) for seed in seeds]
    return fsum(shares) / len(shares) if shares else None


def compute_chance_within(share: float, rounds: int) -> float:
    """Return the chance that one of some answers is right."""
    return 1.0 - (1.0 - share) ** rounds if rounds > 1 else share
