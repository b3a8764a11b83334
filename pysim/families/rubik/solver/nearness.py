"""The tables of :mod:`~.near`, made when they are first asked for.

Who only names tasks and benches need not load the compiler that the tables take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.families.rubik.moves import Metric

if TYPE_CHECKING:
    from pysim.families.rubik.solver.near import DistanceTable

__all__ = ["load_distance_table"]


def load_distance_table(metric: Metric) -> DistanceTable:
    """The distances in a metric; the table is made once in a process."""
    from pysim.families.rubik.solver import near as tables

    return tables.load_distance_table(metric)
