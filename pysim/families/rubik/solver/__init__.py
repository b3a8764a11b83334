"""Solvers of the cube, from a search in memory to compiled search with tables on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.families.rubik.moves import Metric

if TYPE_CHECKING:
    from pysim.families.rubik.solver.distance_table import DistanceTable

__all__ = ["load_distance_table"]


def load_distance_table(metric: Metric) -> DistanceTable:
    """Return the distances in a metric, made once in a process.

    The table takes a compiler, which programs that only name tasks and benches need not load.
    """
    from pysim.families.rubik.solver import distance_table

    return distance_table.load_distance_table(metric)
