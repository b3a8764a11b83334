"""The search of the two-phase algorithm: every way into the subgroup, and from there home."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.solver.phases import Phases
from pysim.kernels import kernel

__all__ = ["search_two_phases"]

_LONGEST = 32
_FACELESS = 99
"""As the face of the move before the first one."""


class _Way(NamedTuple):
    """A way down, and what the numbers are before each of its moves.

    Attributes:
        moves: (n,) of both phases.
        best: (n,) the moves of the shortest solution so far.
        twist, flip, slice: (n,) before each move of the first phase.
        corners, edges, middle: (n,) before each move of the second.
        cubies: (n,) where the 20 cubies are after the first phase.
    """

    moves: NDArray[np.int64]
    best: NDArray[np.int64]
    twist: NDArray[np.int64]
    flip: NDArray[np.int64]
    slice: NDArray[np.int64]
    corners: NDArray[np.int64]
    edges: NDArray[np.int64]
    middle: NDArray[np.int64]
    cubies: NDArray[np.int64]


def search_two_phases(
    t: Phases, start: NDArray[np.int64], first: int, second: int, nodes: int | None
) -> tuple[list[int] | None, int]:
    """Return the shortest solution that is found with exactly ``first`` moves in the first phase.

    Args:
        t: the tables.
        start: (23,) twist, flip and slice, and the states of the 8 corners and 12 edges.
        second: the second phase has at most this number of moves.
        nodes: how many states may be looked at; None for no end before a solution is found.

    Returns:
        The numbers of the moves, None if there is no such solution or it was not found; and how
        many states were looked at.
    """
    way = _Way(*np.zeros((9, _LONGEST), dtype=np.int64))
    way.twist[0], way.flip[0], way.slice[0] = start[:3]
    length, looked = _first_phase(t, way, start[3:], first, second, nodes or 0, nodes is None)
    return (None if length < 0 else way.best[:length].tolist()), looked


@kernel(nogil=True)
def _first_phase(t, way, cubies, first, second, nodes, endless):  # type: ignore[no-untyped-def]
    """Return the length of the best solution, or -1; and how many states were looked at."""
    length, looked, ply = -1, 1, 0
    if _outside(t, way, 0) > first:
        return length, looked
    way.moves[0] = -1
    while ply >= 0 and second >= 0 and (endless or looked < nodes):
        if ply == first:
            found, more = _second_phase(t, way, cubies, first, second)
            looked += more
            if found >= 0:
                length, second, endless = found, found - first - 1, False
                for k in range(len(way.best)):
                    way.best[k] = way.moves[k]
            ply -= 1
            continue
        way.moves[ply] += 1
        move = way.moves[ply]
        if move == 18:
            ply -= 1
            continue
        # Where the last move is one of the subgroup, a shorter first phase has led there.
        if not _follows(way, ply, move) or (ply + 1 == first and t.is_inner[move]):
            continue
        looked += 1
        way.twist[ply + 1] = t.twist[way.twist[ply], move]
        way.flip[ply + 1] = t.flip[way.flip[ply], move]
        way.slice[ply + 1] = t.slice[way.slice[ply], move]
        if _outside(t, way, ply + 1) < first - ply:
            ply += 1
            way.moves[ply] = -1
    return length, looked


@kernel
def _outside(t, way, ply):  # type: ignore[no-untyped-def]
    """Return a lower bound of the moves into the subgroup; 0 in it only."""
    place = way.slice[ply]
    return max(t.twist_far[way.twist[ply], place], t.flip_far[way.flip[ply], place])


@kernel
def _second_phase(t, way, cubies, first, second):  # type: ignore[no-untyped-def]
    """As above, after a first phase; the shortest solution of at most ``second`` more moves."""
    _turn(t, way, cubies, first)
    way.corners[first] = _rank(way.cubies[:8] // 3, 0, 8)
    way.edges[first] = _rank(way.cubies[8:20] // 2, 0, 8)
    way.middle[first] = _rank(way.cubies[8:20] // 2, 8, 12)
    looked = 1
    bound = _far(t, way.corners[first], way.edges[first], way.middle[first])
    while bound <= second:
        found, more = _home(t, way, first, first + bound)
        looked += more
        if found:
            return first + bound, looked
        bound += 1
    return -1, looked


@kernel
def _home(t, way, first, length):  # type: ignore[no-untyped-def]
    """Whether the second phase can end after ``length`` moves in all; and states looked at."""
    if length == first:
        return True, 0
    looked, ply = 0, first
    tried = np.zeros(_LONGEST, dtype=np.int64)
    while ply >= first:
        if tried[ply] == 10:
            tried[ply] = 0
            ply -= 1
            continue
        inner = tried[ply]
        tried[ply] += 1
        way.moves[ply] = t.inner[inner]
        if not _follows(way, ply, way.moves[ply]):
            continue
        looked += 1
        corners, edges = t.corners[way.corners[ply], inner], t.edges[way.edges[ply], inner]
        middle = t.middle[way.middle[ply], inner]
        rest = length - ply - 1
        if _far(t, corners, edges, middle) > rest:
            continue
        if rest == 0:
            return True, looked
        ply += 1
        way.corners[ply], way.edges[ply], way.middle[ply] = corners, edges, middle
    return False, looked


@kernel
def _far(t, corners, edges, middle):  # type: ignore[no-untyped-def]
    """Return a lower bound of the moves within the subgroup; 0 at home only."""
    return max(t.corners_far[corners, middle], t.edges_far[edges, middle])


@kernel
def _follows(way, ply, move):  # type: ignore[no-untyped-def]
    """After a face neither the same one again nor, if it is D, L or B, its opposite."""
    before = way.moves[ply - 1] // 3 if ply else _FACELESS
    return move // 3 != before and move // 3 != before - 3


@kernel
def _turn(t, way, cubies, count):  # type: ignore[no-untyped-def]
    """Put the cubies where the first moves of the way bring them."""
    for cubie in range(20):
        state = cubies[cubie]
        for ply in range(count):
            moved = t.corner_moves if cubie < 8 else t.edge_moves
            state = moved[way.moves[ply], state]
        way.cubies[cubie] = state


@kernel
def _rank(slots, low, high):  # type: ignore[no-untyped-def]
    """Return the place in lexicographic order of what is in some slots, by where each cubie is."""
    there = np.zeros(12, dtype=np.int64)
    for cubie in range(len(slots)):
        there[slots[cubie]] = cubie
    rank = 0
    for slot in range(low, high):
        smaller = 0
        for later in range(slot + 1, high):
            smaller += there[later] < there[slot]
        rank = rank * (high - slot) + smaller
    return rank
