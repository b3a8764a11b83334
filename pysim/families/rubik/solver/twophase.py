"""Near-optimal solutions, quickly: Kociemba's two-phase algorithm.

A cube is looked at along its three axes, as it is and inverted. The first phase gets longer one by
one; every way of that length into the subgroup <U, D, R2, L2, F2, B2> is continued, and each
solution must be shorter than the last. The search ends after a number of states, not after a time,
so that a cube always gets the same answer.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import Cube, parse_facelets
from pysim.families.rubik.moves import Move, invert_moves, list_moves
from pysim.families.rubik.solver.coordinates import index_flip, index_slice, index_twist
from pysim.families.rubik.solver.phases import load_phases
from pysim.families.rubik.solver.states import list_cubies
from pysim.families.rubik.solver.symmetry import (
    list_thirds,
    move_map,
    stack_facelets,
    transform_states,
)
from pysim.families.rubik.solver.two_phase_search import search_two_phases
from pysim.families.rubik.validity import check_cube

__all__ = ["solve_in_two_phases"]

_ENOUGH = 800_000
"""States to look at; then the best solution so far will do,"""
_GOOD = 22
"""unless it is longer than this."""
_SECOND = 11
"""Most moves of the second phase: longer ones take long to find and seldom pay."""
_SECOND_AT_FIRST = 12
"""The same as long as there is no solution."""
_FIRST = 20
"""Most moves of the first phase: no cube is farther from home (see
:mod:`pysim.families.rubik.solver.optimal`), so one of at most so many moves ends there."""


@dataclass(frozen=True, slots=True)
class _View:
    """A cube, or its inverse, as seen along one of its axes.

    Attributes:
        start: (23,) twist, flip and slice, and the states of the cubies.
        seen: (18,) each move as seen.
        inverted: whether it is the inverse.
    """

    start: NDArray[np.int64]
    seen: tuple[int, ...]
    inverted: bool

    def map_solution(self, numbers: list[int]) -> tuple[Move, ...]:
        """Map the solution of a view of the cube to one of the cube."""
        moves = tuple(list_moves()[self.seen.index(number)] for number in numbers)
        return invert_moves(moves) if self.inverted else moves


def solve_in_two_phases(cube: Cube) -> tuple[Move, ...]:
    """A solution of at most 22 face turns, mostly 19 to 21: not a shortest, but always the same.

    The first call in a process makes the tables.

    Raises:
        InvalidCube: no turns lead to this cube.
    """
    check_cube(cube)
    best: tuple[Move, ...] | None = None
    left = _ENOUGH
    for first, view in product(range(_FIRST + 1), _views(cube)):
        good = best is not None and len(best) <= _GOOD
        second = _SECOND_AT_FIRST if best is None else min(_SECOND, len(best) - first - 1)
        if second < 0 or (good and left <= 0):
            break
        found, looked = search_two_phases(
            load_phases(), view.start, first, second, left if good else None
        )
        left -= looked
        best = best if found is None else view.map_solution(found)
    assert best is not None
    return best


def _views(cube: Cube) -> list[_View]:
    """Up to six, each once: symmetric cubes look the same from several sides."""
    both = ((cube, False), (cube.invert(), True))
    views = (_view(*one, third) for third in list_thirds() for one in both)
    return list({tuple(view.start.tolist()): view for view in views}.values())


def _view(cube: Cube, inverted: bool, third: tuple[int, ...]) -> _View:
    seen = transform_states(stack_facelets([cube]), third)
    numbers = [int(number(seen)[0]) for number in (index_twist, index_flip, index_slice)]
    cubies = list_cubies(parse_facelets(tuple(seen[0].tolist())))
    return _View(np.array([*numbers, *cubies], dtype=np.int64), _move_map(third), inverted)


_move_map = cache(move_map)
