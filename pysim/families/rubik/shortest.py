"""Shortest solutions of cubes that are written down: what ``luban solve`` asks for.

A solution of a shallow cube needs no compiled code, whose compiler alone takes longer to load than
to find it (:mod:`.solver.meet_in_middle`). What else there is to find is found by
:mod:`.solver.search`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.faces import FACELETS
from pysim.families.rubik.moves import Metric, Move, format_solution, parse_moves
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.strings import Letters, Order, parse_cube
from pysim.families.rubik.validity import InvalidCube, check_cube
from pysim.shortest import Searched

if TYPE_CHECKING:
    from pysim.families.rubik.puzzle import CubePuzzle

__all__ = ["SHORTEST", "CubeSolver"]

DEPTH = 4
"""Up to twice so many turns a cube is shallow."""


class CubeSolver:
    """See :class:`~pysim.shortest.ShortestSolver`."""

    family = "rubik"
    metrics: Sequence[str] = tuple(Metric)
    units: Sequence[str] = ("face turns", "quarter turns")

    def read(self, text: str) -> Cube | None:
        """Return the cube after some moves, or the one that 54 letters show; None of other texts.

        Letters of colours are read as level files have them or, if that is no cube, as agents see
        them.
        """
        letters = "".join(text.split())
        if len(letters) != FACELETS:
            words = text.split()
            known = bool(words) and all(word[0] in "URFDLB" for word in words)
            return make_cube(parse_moves(text)) if known else None
        if set(letters) <= set("URFDLB") and letters[4] == "U" and letters[13] == "R":
            return parse_cube(letters, Order.SOLVER, Letters.FACES)
        return _parse_colors(letters) if set(letters) <= set("WRGYOB") else None

    def of(self, puzzle: "CubePuzzle") -> Cube:
        """Return a level's cube."""
        return puzzle.start

    def prepare(self, puzzle: Cube, metric: str, progress: Callable[[float], None]) -> None:
        """Make the tables, unless the cube is near home."""
        unit = Metric(metric)
        if _shallow_way(check_cube(puzzle), unit) is None and not _has_tables(unit):
            from pysim.families.rubik.solver.search import make_tables

            make_tables(puzzle, unit, progress)

    def search(self, puzzle: Cube, metric: str, *, everything: bool) -> Iterator[Searched]:
        """Search bound by bound.

        Raises:
            InvalidCube: no turns lead to this cube.
        """
        unit, cube = Metric(metric), check_cube(puzzle)
        moves = _shallow_way(cube, unit)
        if moves is not None and not everything:
            length = unit.measure(moves)
            return iter([Searched(length, length, 0, 1.0, (format_solution(moves),), over=True)])
        from pysim.families.rubik.solver.search import find, find_with_tables

        if moves is None and _has_tables(unit):
            return find_with_tables(cube, unit, 2 * DEPTH + 1, everything=everything)
        return find(cube, unit, everything=everything)


def _parse_colors(letters: str) -> Cube:
    """Return the cube of 54 letters of colours, in the order of level files or as drawn."""
    try:
        return parse_cube(letters)
    except InvalidCube as error:
        try:
            return parse_cube(letters, Order.DRAWN)
        except InvalidCube:
            raise error from None


def _has_tables(unit: Metric) -> bool:
    from pysim.families.rubik.solver.mapping import has_tables

    return has_tables(unit)


@lru_cache(maxsize=16)
def _shallow_way(cube: Cube, unit: Metric) -> tuple[Move, ...] | None:
    """A shortest solution of a shallow cube, which is asked for twice; None of another one."""
    return create_meet_in_middle(unit, DEPTH).solve(cube)


SHORTEST = CubeSolver()
"""What ``luban solve`` finds in this folder."""
