"""Shortest solutions with word of how far the search has come, on all cores, one of them or all.

Cubes near home need no tables on disk: their distances are worked out from the states around home
(:mod:`.near`). Farther ones are searched with the tables (:mod:`.optimal`), each bound in parts:
one for each way to make the first two turns. The parts are searched side by side, for the search
holds no lock of Python's.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count, groupby, product
from threading import Event

from pysim.families.rubik.cube import Cube, cube_after, parity, turn_of
from pysim.families.rubik.faces import FACELETS, Face
from pysim.families.rubik.moves import Metric, Move, all_moves, format_moves, parse_moves
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.solver.near import near
from pysim.families.rubik.solver.optimal import tables_of
from pysim.families.rubik.solver.searching import PausableSearch, Tables
from pysim.families.rubik.solver.states import start_of
from pysim.families.rubik.solver.twophase import solve_in_two_phases
from pysim.families.rubik.strings import Letters, Order, parse_cube
from pysim.families.rubik.validity import check_cube
from pysim.shortest import Searched

__all__ = ["CubeSolver"]

NEAR = {Metric.HTM: 11, Metric.QTM: 12}
"""So far from home a distance is worked out in a moment without tables on disk."""
_MOMENT = 200_000
"""States that a part looks at before it gives word: a few hundredths of a second."""
_TIMES = 0.25
"""Seconds between two words at most."""


class CubeSolver:
    """See :class:`~pysim.shortest.ShortestSolver`."""

    metrics: Sequence[str] = tuple(Metric)
    units: Sequence[str] = ("face turns", "quarter turns")

    def read(self, text: str) -> Cube | None:
        """The cube after some moves, or the one that 54 letters show, in the order of either."""
        letters = "".join(text.split())
        if len(letters) != FACELETS:
            words = text.split()
            known = bool(words) and all(word[0] in "URFDLB" for word in words)
            return cube_after(parse_moves(text)) if known else None
        if set(letters) <= set("URFDLB") and letters[4] == "U" and letters[13] == "R":
            return parse_cube(letters, Order.SOLVER, Letters.FACES)
        return parse_cube(letters) if set(letters) <= set("WRGYOB") else None

    def of(self, puzzle: CubePuzzle) -> Cube:
        """A level's cube."""
        return puzzle.start

    def prepare(self, puzzle: Cube, metric: str, progress: Callable[[float], None]) -> None:
        """Make the tables, unless the cube is near home."""
        unit = Metric(metric)
        if near(unit).distance(check_cube(puzzle), NEAR[unit]) > NEAR[unit]:
            tables_of(unit, progress)

    def search(self, puzzle: Cube, metric: str, *, everything: bool) -> Iterator[Searched]:
        """PausableSearch bound by bound.

        Raises:
            InvalidCube: no turns lead to this cube.
        """
        unit, cube = Metric(metric), check_cube(puzzle)
        distance = near(unit).distance(cube, NEAR[unit])
        if distance <= NEAR[unit]:
            return _nearby(cube, unit, distance, everything=everything)
        return _far(cube, unit, distance, everything=everything)


def _nearby(cube: Cube, unit: Metric, distance: int, *, everything: bool) -> Iterator[Searched]:
    if not everything:
        moves = near(unit).plan(cube)
        yield Searched(distance, distance, 0, 1.0, (_written(moves),), over=True)
        return
    found = tuple(sorted(map(_written, _all_ways(cube, unit, distance, None))))
    yield Searched(distance, distance, 0, 1.0, found, over=True)


def _written(moves: Iterable[Move]) -> str:
    """Moves as text, two quarter turns of a face as one half turn."""
    turns = [(face, sum(move.turns for move in own) % 4) for face, own in groupby(moves, _face_of)]
    return format_moves(Move(face, number) for face, number in turns)


def _face_of(move: Move) -> Face:
    return move.face


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


def _far(cube: Cube, unit: Metric, distance: int, *, everything: bool) -> Iterator[Searched]:
    known = solve_in_two_phases(cube)
    upper, step = unit.length(known), 1 if unit is Metric.HTM else 2
    first = distance + (0 if unit is Metric.HTM else (distance + parity(cube.corners)) % 2)
    nodes = 0
    for bound in count(first, step):
        found: set[str] = set()
        share = 0.0
        for word, looked, share in _bound(cube, unit, bound, everything=everything):
            nodes += looked
            found |= word
            if found:
                upper = bound
            yield Searched(bound, upper, nodes, share, tuple(sorted(found)))
        if found:
            yield Searched(bound, bound, nodes, 1.0, tuple(sorted(found)), over=True)
            return


Word = tuple[set[str], int, float]
"""New solutions, states looked at since the last word, and which share of the bound is searched."""


def _bound(cube: Cube, unit: Metric, bound: int, *, everything: bool) -> Iterator[Word]:
    """All ways of one length; ends with the first solution, unless all are asked for."""
    tables, parts = tables_of(unit), list(_beginnings())
    stop, cores = Event(), len(os.sched_getaffinity(0))
    total, done = len(parts), 0
    with ThreadPoolExecutor(cores) as pool:
        try:
            words = [_Part(tables, cube, unit, moves, bound, stop) for moves in parts]
            futures = {pool.submit(part.run) for part in words}
            while futures:
                over = {future for future in futures if future.done()}
                futures -= over
                done += len(over)
                for future in over:
                    future.result()
                found = {way for part in words for way in part.take()}
                looked = sum(part.take_nodes() for part in words)
                yield found, looked, done / total
                if found and not everything:
                    return
                if futures and not over:
                    stop.wait(_TIMES / 10)
        finally:
            stop.set()


def _beginnings() -> Iterator[tuple[Move, ...]]:
    """The first two turns, none twice in another order."""
    for pair in product(all_moves(), repeat=2):
        if _follows(pair[0], pair[1], Metric.HTM):
            yield pair


class _Part:
    """The ways that begin with some moves."""

    def __init__(
        self,
        tables: Tables,
        cube: Cube,
        unit: Metric,
        moves: tuple[Move, ...],
        bound: int,
        stop: Event,
    ) -> None:
        self._tables, self._cube, self._moves = tables, cube, moves
        self._left, self._stop = bound - unit.length(moves), stop
        self._found: list[str] = []
        self._nodes = 0

    def run(self) -> None:
        """PausableSearch, until it is done or all are to stop."""
        if self._stop.is_set() or self._left < 1:
            return
        start = start_of(self._cube.after(self._moves))
        one = PausableSearch(self._tables, start, self._left, self._moves[-1].index)
        while not one.over and not self._stop.is_set():
            before = one.nodes
            for path in one.go(_MOMENT):
                way = (*self._moves, *(all_moves()[index] for index in path))
                self._found.append(format_moves(way))
            self._nodes += one.nodes - before

    def take(self) -> list[str]:
        """The solutions since this was asked last."""
        taken = self._found[:]
        del self._found[: len(taken)]
        return taken

    def take_nodes(self) -> int:
        """States looked at since this was asked last; about right while it runs."""
        taken, self._nodes = self._nodes, 0
        return taken
