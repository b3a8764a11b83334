"""Sampling the pieces of a puzzle, with a packing of them, in one of three ways."""

import random
from enum import StrEnum

from pysim.families.packing.covers import cover_of
from pysim.families.packing.generator.growth import Growth, make_distinct
from pysim.families.packing.generator.plates import list_easy_cuboids
from pysim.geometry import Cell, Voxels
from pysim.search.exact_cover import solve

__all__ = ["STAGES", "Sampling", "sample"]

MOST = 6
"""Cells of the largest piece of ``mid`` and ``hard``."""
_MOST_EASY = 8
_NODES = 20_000
"""Rows tried to pack cuboids before others are drawn."""


class Sampling(StrEnum):
    """Settings by which pieces are drawn."""

    EASY = "easy"
    """Cuboids with at least two equal dimensions."""
    MID = "mid"
    """Connected pieces, each of them flat."""
    HARD = "hard"
    """Connected pieces, no two of them equal."""


STAGES = {Sampling.EASY: (4, 3, 2), Sampling.MID: (4, 3), Sampling.HARD: (4, 3)}
"""Fewest cells of a piece: the first is tried first, the next if nothing comes of it."""


def sample(size: Cell, sampling: Sampling, least: int, rng: random.Random) -> tuple[int, ...] | str:
    """Pieces of ``least`` cells or more that fill a box, as their cells; or why there are none."""
    if sampling is Sampling.EASY:
        return _cuboids(size, least, rng)
    growth = Growth(size, least, MOST, flat=sampling is Sampling.MID)
    pieces = growth.partition(rng)
    if pieces is None:
        return "a piece found no room to grow"
    if sampling is Sampling.MID:
        return tuple(pieces)
    unlike = make_distinct(growth, pieces, rng)
    return "two pieces stayed equal" if unlike is None else tuple(unlike)


def _cuboids(size: Cell, least: int, rng: random.Random) -> tuple[int, ...] | str:
    """Cuboids with the volume of the box, drawn one by one, and a random packing of them."""
    kinds = list_easy_cuboids(size, least, _MOST_EASY)
    left = size[0] * size[1] * size[2]
    drawn: list[Voxels] = []
    while left:
        fitting = [kind for kind in kinds if len(kind.cells) <= left]
        if not fitting:
            return "no cuboid has the volume that is left"
        drawn.append(rng.choice(fitting))
        left -= len(drawn[-1].cells)
    cover = cover_of(size, drawn, rng=rng)
    first = solve(cover.matrix, max_covers=1, max_nodes=_NODES).first
    return "the cuboids do not pack" if first is None else cover.list_masks(first)
