"""Shortest solutions with the tables but without compiled code, which takes longer to load.

All states that as many moves lead to are looked at together. Those that the small table puts too
far from home, along any of the three axes, are dropped. Up to thirteen face turns few are left;
where there are many, compiled code goes on (:mod:`.search`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import CORNERS, SOLVED, Cube
from pysim.families.rubik.moves import Metric, format_moves, list_moves
from pysim.families.rubik.solver.coordinates import SLICES, TWISTS
from pysim.families.rubik.solver.ida_star.tables import Tables
from pysim.families.rubik.solver.mapping import choose_size, load_tables
from pysim.families.rubik.solver.states import list_bounds, list_cubies, start_of
from pysim.shortest import Searched

__all__ = ["find_solutions", "find_uncompiled"]

MOST = 500_000
"""States for one bound: to look at these takes a twentieth of a second and 60 MB, and compiled code
half a second to load."""
_FACELESS = 6
"""What stands for the face that was turned last at the start."""

_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Ply:
    """The states that some moves lead to.

    Attributes:
        parent, move: (n,) the state before, and the move that led from it.
        left: (n,) what may still be spent.
        numbers: (n, 3, 3) flip, place and twist along each axis.
        cubies: (n, 20) as :func:`~.states.list_cubies` has them.
    """

    parent: _Numbers
    move: _Numbers
    left: _Numbers
    numbers: _Numbers
    cubies: NDArray[np.uint8]


def find_uncompiled(
    cube: Cube, unit: Metric, at_least: int, *, everything: bool
) -> Iterator[Searched]:
    """Search bound by bound, with compiled code from where there is much to look at.

    Args:
        at_least: no solution is shorter than this, which is more than what three moves cost.
    """
    tables, start, total = load_tables(unit), start_of(cube, choose_size(unit)), 0
    for bound in list_bounds(cube, unit, at_least):
        ways, nodes = find_solutions(tables, start, bound)
        total += nodes
        if ways is None:
            from pysim.families.rubik.solver.search import find_compiled

            return find_compiled(cube, unit, bound, everything=everything)
        if ways:
            found = sorted(format_moves(list_moves()[move] for move in way) for way in ways)
            kept = tuple(found if everything else found[:1])
            return iter([Searched(bound, bound, total, 1.0, kept, over=True)])
    raise AssertionError("there is a way home from every cube")


def find_solutions(
    t: Tables, start: _Numbers, bound: int, most: int = MOST
) -> tuple[list[list[int]] | None, int]:
    """All ways home that cost ``bound``, as numbers of moves; and how many states were looked at.

    None in place of the ways if more than ``most`` would have to be.

    Args:
        start: as :func:`~.states.start_of` makes it.
    """
    plies, ways, looked = [_first(start, bound)], [], 0
    while len(plies[-1].left):
        looked += len(plies[-1].left) * len(t.costs)
        if looked > most:
            return None, looked
        plies.append(_after(t, plies[-1]))
        home = (plies[-1].left == 0) & (plies[-1].cubies == list_cubies(SOLVED)).all(axis=1)
        ways += [_way(plies, int(row)) for row in np.flatnonzero(home)]
    return ways, looked


def _first(start: _Numbers, bound: int) -> _Ply:
    return _Ply(
        parent=np.zeros(1, dtype=np.int64),
        move=np.full(1, 3 * _FACELESS),
        left=np.full(1, bound),
        numbers=start[:9].reshape(1, 3, 3),
        cubies=start[10:].reshape(1, -1).astype(np.uint8),
    )


def _after(t: Tables, ply: _Ply) -> _Ply:
    """Return the states one move further on that may be home in time."""
    rest = ply.left[:, None] - t.costs
    follows = t.follows[ply.move // 3][:, None] >> np.arange(len(t.costs)) & 1
    parent, move = np.nonzero((rest >= 0) & (follows == 1))
    left = rest[parent, move]
    columns: list[_Numbers] = []
    for axis in range(3):
        seen = t.axis_moves[axis, move]
        before = ply.numbers[parent, axis]
        moved = [table[before[:, k], seen] for k, table in enumerate((t.flip, t.place, t.twist))]
        column = np.stack(moved, axis=1).astype(np.int64)
        good = _far(t, column) <= left
        parent, move, left = parent[good], move[good], left[good]
        columns = [other[good] for other in (*columns, column)]
    corners, edges = np.split(ply.cubies[parent], [CORNERS], axis=1)
    cubies = [t.corner_moves[move[:, None], corners], t.edge_moves[move[:, None], edges]]
    return _Ply(parent, move, left, np.stack(columns, axis=1), np.concatenate(cubies, axis=1))


def _far(t: Tables, numbers: _Numbers) -> NDArray[np.uint8]:
    """(n,) what the small table has for flips, places and twists (n, 3)."""
    flip, place, twist = numbers.T
    where = t.edge_where[flip * SLICES + t.place_slice[place]].astype(np.int64)
    entry = (where >> 4) * TWISTS + t.seen_twist[twist, where & 15]
    far: NDArray[np.uint8] = t.nearest[entry >> 1] >> ((entry & 1) << 2).astype(np.uint8) & 15
    return far


def _way(plies: list[_Ply], row: int) -> list[int]:
    way: list[int] = []
    for ply in reversed(plies[1:]):
        way.insert(0, int(ply.move[row]))
        row = int(ply.parent[row])
    return way
