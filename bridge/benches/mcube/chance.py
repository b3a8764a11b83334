"""Expected scores of random answers, for each metric."""

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

_CENTRE_CELLS, _EDGE_CELLS, _CORNER_CELLS = 9, 12, 4
"""Cells of a piece: always filled, filled with probability 1/2, and with probability 1/3."""
CHANCE_CELLS = (_CENTRE_CELLS + (_EDGE_CELLS + _CORNER_CELLS) / 2) / 25
"""Expected accuracy of cells if each border cell is guessed with probability 1/2: 0.68."""
CHANCE_PIECES = 0.5 ** (_EDGE_CELLS + _CORNER_CELLS)
"""Expected accuracy of whole pieces with these guesses: one in 65,536."""
BLIND_CELLS = (_CENTRE_CELLS + _EDGE_CELLS / 2 + _CORNER_CELLS * 2 / 3) / 25
"""Best accuracy of cells without the picture, by leaving every corner empty: 0.7067."""


@lru_cache(maxsize=1 << 14)
def compute_chance(condition: CubeCondition, seed: int) -> float:
    """Return the probability that a random answer to a question is correct.

    With all six pieces missing there are 6! * 8^6 answers. At least 48 are correct: the rotations
    and reflections of the cube.
    """
    from pysim.families.jigsaw.solving import Placing, solve  # Imported late: it takes 0.5 s.

    cube = find_cube(condition, seed)
    question = Placing(cube.pieces, cube.given, condition.flips)
    return solve(question).right / question.answers


def compute_mean_chance(
    condition: CubeCondition, seeds: Sequence[int], rounds: int = 1
) -> float | None:
    """Return the expected accuracy of random answers within some rounds; None for no seeds."""
    chances = [compute_chance_within(compute_chance(condition, seed), rounds) for seed in seeds]
    return fsum(chances) / len(chances) if chances else None


def compute_chance_within(chance: float, rounds: int) -> float:
    """Return the probability that any of several random answers is correct."""
    return 1.0 - (1.0 - chance) ** rounds if rounds > 1 else chance
