"""Shortest solutions: iterative deepening with pruning tables (Korf 1997, Reid 1997).

Bounds are raised one by one (in the quarter-turn metric by two: a turn changes the parity of the
corners), and each bound is searched whole. So the first solution found is proven to be a shortest.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pysim.families.rubik.cube import Cube, parity
from pysim.families.rubik.moves import Metric, Move, all_moves
from pysim.families.rubik.solver.building import corner_classes, distances, edge_classes, pack
from pysim.families.rubik.solver.coordinates import coordinates
from pysim.families.rubik.solver.searching import Tables, search
from pysim.families.rubik.solver.states import search_tables, start_of
from pysim.families.rubik.solver.storing import has_table, load_table
from pysim.families.rubik.validity import check_cube

__all__ = ["Solution", "has_tables", "prepare", "solve_optimally"]

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
    return has_table(f"edges-{metric}")


def prepare(metric: Metric, progress: Callable[[float], None] = lambda share: None) -> None:
    """Make the tables of a metric, 73 MB on disk, if they are missing; it takes a while.

    Args:
        progress: told now and then which share is done.

    Raises:
        OSError: the cache folder can't be written.
    """
    _tables(metric, progress)


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
    tables, start = _tables(metric), start_of(cube)
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


def _tables(metric: Metric, progress: Callable[[float], None] = lambda share: None) -> Tables:
    if metric not in _LOADED:
        numbers = coordinates()
        edges, corners = edge_classes(numbers), corner_classes(numbers)
        far_corners = load_table(
            f"corners-{metric}", lambda: pack(distances(corners, numbers, metric)[0])
        )
        far_edges = load_table(
            f"edges-{metric}", lambda: pack(distances(edges, numbers, metric, progress)[0])
        )
        _LOADED[metric] = search_tables(numbers, metric, (far_edges, edges), (far_corners, corners))
    return _LOADED[metric]
