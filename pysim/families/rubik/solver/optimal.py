"""Shortest solutions: iterative deepening with pruning tables (Korf 1997, Reid 1997).

Bounds are raised one by one (in the quarter-turn metric by two: a turn changes the parity of the
corners), and each bound is searched whole. So the first solution found is proven to be a shortest.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pysim.families.rubik.cube import Cube, parity
from pysim.families.rubik.moves import Metric, Move, all_moves
from pysim.families.rubik.solver.arrays import pack_arrays, unpack_arrays
from pysim.families.rubik.solver.building import corner_classes, distances, edge_classes, pack
from pysim.families.rubik.solver.coordinates import coordinates
from pysim.families.rubik.solver.searching import Tables, search
from pysim.families.rubik.solver.states import search_tables, start_of
from pysim.families.rubik.solver.storing import (
    Bytes,
    TableDraft,
    cache_folder,
    has_table,
    load_table,
)
from pysim.families.rubik.validity import check_cube

__all__ = [
    "MOST",
    "Solution",
    "announcement",
    "has_tables",
    "prepare",
    "solve_optimally",
    "tables_of",
]

MOST = {Metric.HTM: 20, Metric.QTM: 26}
"""No cube is farther from home (Rokicki, Kociemba, Davidson, Dethridge 2010; Rokicki and Davidson
2014)."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search found.

    Attributes:
        moves: a shortest solution; None if there is none of at most the length asked for.
        lower_bound: no solution is shorter than this.
        nodes: how many states were expanded.
    """

    moves: tuple[Move, ...] | None
    lower_bound: int
    nodes: int


def has_tables(metric: Metric) -> bool:
    """Whether the tables of a metric have been made."""
    return all(has_table(_name(part, metric)) for part in ("edges", "corners"))


def announcement(metric: Metric) -> str:
    """What is made before the first search, where it is kept, and how long that takes."""
    return (
        f"making the tables for shortest solutions in {metric.upper()}, once: 79 MB in "
        f"{cache_folder()}, about half a minute of one core"
    )


def prepare(metric: Metric, progress: Callable[[float], None] = lambda share: None) -> None:
    """Make the tables of a metric, 79 MB on disk, if they are missing; it takes a while.

    Args:
        progress: told now and then which share is done.

    Raises:
        OSError: the cache folder can't be written.
    """
    tables_of(metric, progress)


def solve_optimally(
    cube: Cube, metric: Metric = Metric.HTM, at_least: int = 0, at_most: int | None = None
) -> Solution:
    """A shortest solution of a cube.

    Args:
        at_least: a length that is known to be too short or just enough; shorter ones are not tried.
        at_most: longer ones are not tried.

    Raises:
        InvalidCube: no turns lead to this cube.
        OSError: the tables are missing and can't be written.
    """
    check_cube(cube)
    if cube.solved:
        return Solution((), 0, 0)
    tables, start = tables_of(metric), start_of(cube)
    step = 1 if metric is Metric.HTM else 2
    bound = max(at_least, 1)
    if metric is Metric.QTM:
        bound += (bound + parity(cube.corners)) % 2
    nodes = 0
    while bound <= (MOST[metric] if at_most is None else at_most):
        path, looked = search(tables, start, bound)
        nodes += looked
        if path is not None:
            return Solution(tuple(all_moves()[index] for index in path), bound, nodes)
        bound += step
    return Solution(None, bound, nodes)


_LOADED: dict[Metric, Tables] = {}
"""The tables of this process."""


def tables_of(metric: Metric, progress: Callable[[float], None] = lambda share: None) -> Tables:
    """What a search reads, mapped from its files; see :func:`prepare`."""
    if metric not in _LOADED:
        if not has_table(_name("edges", metric)):
            _LOG.warning("%s", announcement(metric))
        edges = load_table(_name("edges", metric), lambda: _edges(metric, progress))
        corners = load_table(_name("corners", metric), lambda: _corners(metric))
        others = load_table(_name("numbers", metric), lambda: _numbers(metric))
        arrays = {"edges": edges, "corners": corners, **unpack_arrays(others)}
        _LOADED[metric] = Tables(**arrays)
    return _LOADED[metric]


_LOG = logging.getLogger(__name__)
_PARTS = ("edges", "corners", "numbers")


def _name(part: str, metric: Metric) -> str:
    return f"{part}-{metric}"


def _edges(metric: Metric, progress: Callable[[float], None]) -> Bytes:
    numbers, keep = coordinates(), TableDraft(_name("edges", metric))
    table, _ = distances(edge_classes(numbers), numbers, metric, progress, keep)
    packed = pack(table)
    keep.drop()
    return packed


def _corners(metric: Metric) -> Bytes:
    numbers = coordinates()
    return pack(distances(corner_classes(numbers), numbers, metric)[0])


def _numbers(metric: Metric) -> Bytes:
    """Everything that a search reads besides: quickly made, but more quickly read."""
    numbers, nothing = coordinates(), np.zeros(0, dtype=np.uint8)
    edges, corners = (nothing, edge_classes(numbers)), (nothing, corner_classes(numbers))
    made = search_tables(numbers, metric, edges, corners)._asdict()
    return pack_arrays({name: array for name, array in made.items() if name not in _PARTS})
