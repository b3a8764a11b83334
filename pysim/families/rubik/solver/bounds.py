"""How long a solution can be."""

from collections.abc import Iterator
from itertools import count

from pysim.families.rubik.cube import Cube, compute_parity
from pysim.families.rubik.moves import Metric

__all__ = ["list_bounds"]


def list_bounds(cube: Cube, metric: Metric, at_least: int) -> Iterator[int]:
    """The lengths from ``at_least`` on; a quarter turn changes the parity of the corners."""
    if metric is Metric.HTM:
        return count(at_least)
    return count(at_least + (at_least + compute_parity(cube.corners)) % 2, 2)
