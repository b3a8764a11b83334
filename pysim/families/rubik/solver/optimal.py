"""Shortest solutions: iterative deepening with pruning tables (Korf 1997, Reid 1997).

Bounds are raised one by one (in the quarter-turn metric by two: a turn changes the parity of the
corners), and each bound is searched whole. So the first solution found is proven to be a shortest.
"""

from dataclasses import dataclass

from pysim.families.rubik.cube import Cube
from pysim.families.rubik.moves import Metric, Move, list_moves
from pysim.families.rubik.solver.ida_star.search import search
from pysim.families.rubik.solver.mapping import choose_size, load_tables
from pysim.families.rubik.solver.states import list_bounds, start_of
from pysim.families.rubik.validity import check_cube

__all__ = ["MOST", "Solution", "solve_optimally"]

MOST = {Metric.HTM: 20, Metric.QTM: 26}
"""No cube is farther from home (Rokicki, Kociemba, Davidson, Dethridge 2010; Rokicki and Davidson
2014)."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Result of a search.

    Attributes:
        moves: a shortest solution; None if there is none of at most the length asked for.
        lower_bound: no solution is shorter than this.
        nodes: how many states were expanded.
    """

    moves: tuple[Move, ...] | None
    lower_bound: int
    nodes: int


def solve_optimally(
    cube: Cube, metric: Metric = Metric.HTM, at_least: int = 0, at_most: int | None = None
) -> Solution:
    """Return a shortest solution of a cube.

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
    tables, start = load_tables(metric), start_of(cube, choose_size(metric))
    most, nodes = MOST[metric] if at_most is None else at_most, 0
    for bound in list_bounds(cube, metric, max(at_least, 1)):
        if bound > most:
            return Solution(None, bound, nodes)
        path, looked = search(tables, start, bound)
        nodes += looked
        if path is not None:
            return Solution(tuple(list_moves()[index] for index in path), bound, nodes)
    raise AssertionError("bounds have no end")
