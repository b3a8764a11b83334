"""Shortest solutions with word of how far the search has come: one of them, or all.

Cubes near home need no tables on disk: their distances are worked out from the states around home
(:mod:`.distance_table`). Farther ones are searched with the tables. As soon as there is enough to
do for compiled code, each bound is searched in parts, side by side (:mod:`.ida_star.parts`), for
the search holds no lock of Python's.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.moves import Metric, Move, format_moves, format_solution, list_moves
from pysim.families.rubik.solver.distance_table import load_distance_table
from pysim.families.rubik.solver.ida_star.parts import Bound
from pysim.families.rubik.solver.ida_star.search import search_briefly
from pysim.families.rubik.solver.mapping import choose_size, load_tables
from pysim.families.rubik.solver.phases import keep_phases
from pysim.families.rubik.solver.states import list_bounds, start_of
from pysim.families.rubik.solver.twophase import solve_in_two_phases
from pysim.shortest import Searched

__all__ = ["NEAR_HOME", "find", "find_with_tables", "make_tables"]

NEAR_HOME = {Metric.HTM: 11, Metric.QTM: 12}
"""So far from home a distance is worked out in a moment without tables on disk."""


def make_tables(cube: Cube, unit: Metric, progress: Callable[[float], None]) -> None:
    """Make the tables, unless the cube is near home."""
    if load_distance_table(unit).find_distance(cube, NEAR_HOME[unit]) > NEAR_HOME[unit]:
        load_tables(unit, progress)


def find(cube: Cube, unit: Metric, *, everything: bool) -> Iterator[Searched]:
    """Search without tables as far as that goes, then with them."""
    distance = load_distance_table(unit).find_distance(cube, NEAR_HOME[unit])
    if distance <= NEAR_HOME[unit]:
        return _nearby(cube, unit, distance, everything=everything)
    return find_with_tables(cube, unit, distance, everything=everything)


def _nearby(cube: Cube, unit: Metric, distance: int, *, everything: bool) -> Iterator[Searched]:
    if not everything:
        moves = load_distance_table(unit).plan(cube)
        yield Searched(distance, distance, 0, 1.0, (format_solution(moves),), over=True)
        return
    found = tuple(sorted(map(format_solution, _all_ways(cube, unit, distance, None))))
    yield Searched(distance, distance, 0, 1.0, found, over=True)


def _all_ways(
    cube: Cube, unit: Metric, distance: int, last: Move | None
) -> Iterator[tuple[Move, ...]]:
    """Yield every shortest solution; turns of opposite faces in one order only."""
    if distance == 0:
        yield ()
        return
    ahead = load_distance_table(unit).list_progress(cube)
    for move, left in ahead.items():
        if left < distance and _follows(last, move, unit):
            for way in _all_ways(cube.compose(turn_of(move)), unit, left, move):
                yield (move, *way)


def _follows(last: Move | None, move: Move, unit: Metric) -> bool:
    """Return whether a move is worth trying after another one: see ``follows`` of the tables."""
    if last is None:
        return True
    if move.face is last.face:
        return unit is Metric.QTM and move == last and move.turns == 1
    return move.face.number != last.face.number - 3


def find_with_tables(
    cube: Cube, unit: Metric, at_least: int, *, everything: bool
) -> Iterator[Searched]:
    """Search with the tables, bound by bound.

    Args:
        at_least: no solution is shorter than this, which is more than what three moves cost.
    """
    tables, start, nodes = load_tables(unit), start_of(cube, choose_size(unit)), 0
    for bound in list_bounds(cube, unit, at_least):
        ways, looked = search_briefly(tables, start, bound, everything=everything)
        if ways is None:
            yield from _search_side_by_side(cube, unit, bound, nodes, everything=everything)
            return
        nodes += looked
        if ways:
            yield Searched(bound, bound, nodes, 1.0, _sorted(ways), over=True)
            return


def _search_side_by_side(
    cube: Cube, unit: Metric, at_least: int, nodes: int, *, everything: bool
) -> Iterator[Searched]:
    with suppress(OSError):  # They were made for this process at least.
        keep_phases()
    upper, before = unit.measure(solve_in_two_phases(cube)), None
    tables, start = load_tables(unit), start_of(cube, choose_size(unit))
    for bound in list_bounds(cube, unit, at_least):
        found: set[str] = set()
        search = Bound(tables, start, bound, before)
        for word in search.search(everything=everything):
            nodes += word.nodes
            found |= set(_sorted(word.solutions))
            if found:
                upper = bound
            yield Searched(bound, upper, nodes, word.share, tuple(sorted(found)))
        if found:
            yield Searched(bound, bound, nodes, 1.0, tuple(sorted(found)), over=True)
            return
        before = search.looked


def _sorted(ways: list[list[int]]) -> tuple[str, ...]:
    """Write solutions that are given as the numbers of their moves."""
    return tuple(sorted(format_moves(list_moves()[k] for k in way) for way in ways))
