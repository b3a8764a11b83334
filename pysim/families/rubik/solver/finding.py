"""Shortest solutions with word of how far the search has come: one of them, or all.

Cubes near home need no tables on disk: their distances are worked out from the states around home
(:mod:`.near`). Farther ones are searched with the tables, each bound in parts, side by side
(:mod:`.deep.parts`), for the search holds no lock of Python's.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.moves import Metric, Move, all_moves, format_moves
from pysim.families.rubik.solver.bounds import bounds
from pysim.families.rubik.solver.deep.parts import Bound
from pysim.families.rubik.solver.mapping import size_for, tables_of
from pysim.families.rubik.solver.near import near
from pysim.families.rubik.solver.phases import keep_phases
from pysim.families.rubik.solver.states import start_of
from pysim.families.rubik.solver.twophase import solve_in_two_phases
from pysim.families.rubik.solver.writing import written
from pysim.shortest import Searched

__all__ = ["NEAR", "find", "find_compiled", "make_tables"]

NEAR = {Metric.HTM: 11, Metric.QTM: 12}
"""So far from home a distance is worked out in a moment without tables on disk."""


def make_tables(cube: Cube, unit: Metric, progress: Callable[[float], None]) -> None:
    """Make the tables, unless the cube is near home."""
    if near(unit).distance(cube, NEAR[unit]) > NEAR[unit]:
        tables_of(unit, progress)


def find(cube: Cube, unit: Metric, *, everything: bool) -> Iterator[Searched]:
    """Search without tables as far as that goes, then with them."""
    distance = near(unit).distance(cube, NEAR[unit])
    if distance <= NEAR[unit]:
        return _nearby(cube, unit, distance, everything=everything)
    return find_compiled(cube, unit, distance, everything=everything)


def _nearby(cube: Cube, unit: Metric, distance: int, *, everything: bool) -> Iterator[Searched]:
    if not everything:
        moves = near(unit).plan(cube)
        yield Searched(distance, distance, 0, 1.0, (written(moves),), over=True)
        return
    found = tuple(sorted(map(written, _all_ways(cube, unit, distance, None))))
    yield Searched(distance, distance, 0, 1.0, found, over=True)


def _all_ways(
    cube: Cube, unit: Metric, distance: int, last: Move | None
) -> Iterator[tuple[Move, ...]]:
    """Every shortest solution; turns of opposite faces in one order only."""
    if distance == 0:
        yield ()
        return
    ahead = near(unit).ahead(cube)
    for move, left in ahead.items():
        if left < distance and _follows(last, move, unit):
            for way in _all_ways(cube.then(turn_of(move)), unit, left, move):
                yield (move, *way)


def _follows(last: Move | None, move: Move, unit: Metric) -> bool:
    """Whether a move is worth trying after another one: see ``follows`` of the tables."""
    if last is None:
        return True
    if move.face is last.face:
        return unit is Metric.QTM and move == last and move.turns == 1
    return move.face.number != last.face.number - 3


def find_compiled(
    cube: Cube, unit: Metric, at_least: int, *, everything: bool
) -> Iterator[Searched]:
    """Search with the tables, bound by bound.

    Args:
        at_least: no solution is shorter than this, which is more than what three moves cost.
    """
    with suppress(OSError):  # They were made for this process at least.
        keep_phases()
    upper, nodes, before = unit.length(solve_in_two_phases(cube)), 0, None
    tables, start = tables_of(unit), start_of(cube, size_for(unit))
    for bound in bounds(cube, unit, at_least):
        found: set[str] = set()
        search = Bound(tables, start, bound, before)
        for word in search.words(everything=everything):
            nodes += word.nodes
            found |= {format_moves(all_moves()[k] for k in way) for way in word.solutions}
            if found:
                upper = bound
            yield Searched(bound, upper, nodes, word.share, tuple(sorted(found)))
        if found:
            yield Searched(bound, bound, nodes, 1.0, tuple(sorted(found)), over=True)
            return
        before = search.looked
