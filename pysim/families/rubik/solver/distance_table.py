"""Exact distances of cubes near home, for those who ask often.

All states up to a depth lie in a hash table with their distances; the distance of a state beyond it
follows by going on from it until the table is met, some turns beyond only where :mod:`.heuristics`
says that it can be. A look is far quicker than one of :mod:`~.meet_in_middle`, which needs no
compiled code.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import CORNERS, EDGES, SOLVED, Cube, turn_of
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver.heuristics import (
    NO_HEURISTICS,
    build_heuristics,
    compute_lower_bound,
    index_axes,
    move_coordinates,
)
from pysim.families.rubik.solver.states import list_cubie_moves, list_cubies
from pysim.kernels import kernel

__all__ = ["DistanceTable", "load_distance_table"]

DEPTHS = {Metric.HTM: 5, Metric.QTM: 6}
"""How deep the tables are: 621,649 states and 983,926 (Rokicki and others, cube20.org)."""
_SLOTS = {Metric.HTM: 20, Metric.QTM: 21}
"""Logarithms of the sizes of the tables, which are at most 60 % full."""


_UNGUIDED_TURNS = 3
"""So many turns beyond the table it is quicker to try all ways than to make bounds."""
_NOWHERE = np.zeros((3, 3), dtype=np.int64)
REMEMBERED = 10_000
"""Of so many states the distances around are kept: who plays asks for them again and again."""


class _Table(NamedTuple):
    """A hash table with open addressing.

    Attributes:
        moves: (m,) the indices of the metric's moves.
        corner_moves, edge_moves: (18, 24) the state of a cubie after a move.
        low, high: (slots,) a state's cubies, 5 bits each: corners in ``low``, edges in ``high``.
        far: (slots,) its distance, or -1 in an empty slot.
        depth: the greatest distance in it.
        whole: whether half turns are moves, so that none turns a face that was just turned.
    """

    moves: NDArray[np.int64]
    corner_moves: NDArray[np.uint8]
    edge_moves: NDArray[np.uint8]
    low: NDArray[np.uint64]
    high: NDArray[np.uint64]
    far: NDArray[np.int8]
    depth: int
    whole: bool


class DistanceTable:
    """Distances in a metric: megabytes that take a moment; use :func:`load_distance_table`."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        slots = 1 << _SLOTS[metric]
        self._table = _Table(
            np.array([move.index for move in metric.moves], dtype=np.int64),
            list_cubie_moves(CORNERS, 3),
            list_cubie_moves(EDGES, 2),
            np.zeros(slots, dtype=np.uint64),
            np.zeros(slots, dtype=np.uint64),
            np.full(slots, -1, dtype=np.int8),
            DEPTHS[metric],
            metric is Metric.HTM,
        )
        self._remembered = lru_cache(REMEMBERED)(self._after_each)
        self._remembered_ahead = lru_cache(REMEMBERED)(self._ahead)
        self.counts = tuple(map(int, _fill(self._table, _cubies(SOLVED))))

    def find_distance(self, cube: Cube, at_most: int = 26) -> int:
        """Return the distance of a cube, ``at_most + 1`` if it is farther.

        Up to eight turns beyond the table it takes seconds at most; each turn more takes ten times
        as long as the one before.
        """
        cubies, plain = _cubies(cube), min(at_most, self._table.depth + _UNGUIDED_TURNS)
        found = int(_distance(self._table, NO_HEURISTICS, cubies, _NOWHERE, 1, plain))
        if found <= plain or plain == at_most:
            return found
        beyond = _UNGUIDED_TURNS + 1
        numbers = index_axes(cube)
        return int(_distance(self._table, build_heuristics(), cubies, numbers, beyond, at_most))

    def list_distances(self, cube: Cube) -> Mapping[Move, int]:
        """Return the distance after each of the metric's moves, in their order."""
        return self._remembered(cube)

    def list_progress(self, cube: Cube) -> Mapping[Move, int]:
        """As :meth:`list_distances`, but of moves that don't lead nearer no more than that.

        They are said to leave the distance as it is. That is found ten times as quickly.
        """
        return self._remembered_ahead(cube)

    def _after_each(self, cube: Cube) -> Mapping[Move, int]:
        here = self.find_distance(cube)
        if here <= self._table.depth + _UNGUIDED_TURNS:
            found = _after_each(self._table, NO_HEURISTICS, _cubies(cube), _NOWHERE, here).tolist()
            return MappingProxyType(dict(zip(self.metric.moves, found, strict=True)))
        return self._around(cube, here)

    def _ahead(self, cube: Cube) -> Mapping[Move, int]:
        return self._around(cube, self.find_distance(cube) - 1)

    def _around(self, cube: Cube, at_most: int) -> Mapping[Move, int]:
        moves = self.metric.moves
        after = {move: self.find_distance(cube.compose(turn_of(move)), at_most) for move in moves}
        return MappingProxyType(after)

    def plan(self, cube: Cube) -> tuple[Move, ...]:
        """A shortest solution: at each step the first of the metric's moves that leads nearer."""
        moves: list[Move] = []
        while not cube.solved:
            after = self.list_progress(cube)
            move = min(after, key=after.__getitem__)
            moves.append(move)
            cube = cube.compose(turn_of(move))
        return tuple(moves)


@cache
def load_distance_table(metric: Metric) -> DistanceTable:
    """Return the distances in a metric; the table is made once in a process."""
    return DistanceTable(metric)


def _cubies(cube: Cube) -> NDArray[np.uint8]:
    return np.array(list_cubies(cube), dtype=np.uint8)


@kernel(nogil=True)
def _fill(table, home):  # type: ignore[no-untyped-def]
    """Put all states up to the depth into the table, breadth first; how many at each distance."""
    counts = np.zeros(table.depth + 1, dtype=np.int64)
    counts[0] = 1
    _put(table, home, 0)
    level = home.reshape(1, 20)
    for distance in range(1, table.depth + 1):
        last = distance == table.depth
        after = np.empty((1 if last else len(level) * len(table.moves), 20), dtype=np.uint8)
        found = 0
        for row in range(len(level)):
            for move in table.moves:
                place = 0 if last else found
                _turn(table, level[row], move, after[place])
                found += _put(table, after[place], distance)
        counts[distance] = found
        level = after[:found]
    return counts


@kernel(nogil=True)
def _distance(table, guide, cubies, numbers, beyond, at_most):  # type: ignore[no-untyped-def]
    """Return the distance of a state, or ``at_most + 1`` if it is farther than ``at_most``.

    It is in the table, or at least ``beyond`` moves beyond it.
    """
    known = _look_up(table, cubies)
    if known >= 0:
        return min(known, at_most + 1)
    most = at_most - table.depth
    path = np.empty((max(most, 0) + 1, 20), dtype=np.uint8)
    way = np.empty((max(most, 0) + 1, 3, 3), dtype=np.int64)
    for k in range(20):
        path[0, k] = cubies[k]
    for axis in range(3):
        for k in range(3):
            way[0, axis, k] = numbers[axis, k]
    for length in range(beyond, most + 1):
        if _meets(table, guide, path, way, length):
            return table.depth + length
    return at_most + 1


@kernel(nogil=True)
def _meets(table, guide, path, way, length):  # type: ignore[no-untyped-def]
    """Whether so many moves from ``path[0]`` lead into the table; what is behind it is overwritten.

    Args:
        way: the numbers of the states of ``path``, where the guide has bounds.
    """
    choice = np.full(length, -1, dtype=np.int64)
    step = 0
    while step >= 0:
        choice[step] += 1
        if choice[step] == len(table.moves):
            choice[step] = -1
            step -= 1
            continue
        move = table.moves[choice[step]]
        if step > 0:
            face, last = move // 3, table.moves[choice[step - 1]] // 3
            if (face == last and table.whole) or face + 3 == last:
                continue  # Opposite faces commute: they are turned in one order only.
        if guide.known:
            move_coordinates(guide, way[step], move, way[step + 1])
            if compute_lower_bound(guide, way[step + 1]) > length - step - 1 + table.depth:
                continue
        _turn(table, path[step], move, path[step + 1])
        if step + 1 < length:
            step += 1
        elif _look_up(table, path[length]) >= 0:
            return True
    return False


@kernel(nogil=True)
def _after_each(table, guide, cubies, numbers, here):  # type: ignore[no-untyped-def]
    """(m,) the distances of the neighbours, which differ from the state's by at most 1."""
    after = np.empty(20, dtype=np.uint8)
    result = np.empty(len(table.moves), dtype=np.int64)
    for k in range(len(table.moves)):
        _turn(table, cubies, table.moves[k], after)
        result[k] = _distance(table, guide, after, numbers, 1, here)
    return result


@kernel(nogil=True, inline=True)
def _turn(table, before, move, after):  # type: ignore[no-untyped-def]
    for k in range(8):
        after[k] = table.corner_moves[move, before[k]]
    for k in range(8, 20):
        after[k] = table.edge_moves[move, before[k]]


@kernel(nogil=True)
def _key(cubies):  # type: ignore[no-untyped-def]
    """Corners and edges as two numbers."""
    low, high = np.uint64(0), np.uint64(0)
    for k in range(8):
        low = low << np.uint64(5) | np.uint64(cubies[k])
    for k in range(8, 20):
        high = high << np.uint64(5) | np.uint64(cubies[k])
    return low, high


@kernel(nogil=True)
def _slot(table, low, high):  # type: ignore[no-untyped-def]
    """Return the slot of a state, or the one for it (multiplicative hashing, linear probing)."""
    mixed = (low ^ high * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xD6E8FEB86659FD93)
    mask = np.uint64(len(table.far) - 1)
    slot = mixed >> np.uint64(40) & mask
    while table.far[slot] >= 0 and (table.low[slot] != low or table.high[slot] != high):
        slot = slot + np.uint64(1) & mask
    return slot


@kernel(nogil=True)
def _look_up(table, cubies):  # type: ignore[no-untyped-def]
    """Return the distance of a state, or -1 if it is not in the table."""
    low, high = _key(cubies)
    return np.int64(table.far[_slot(table, low, high)])


@kernel(nogil=True)
def _put(table, cubies, distance):  # type: ignore[no-untyped-def]
    """Add a state; whether it is new."""
    low, high = _key(cubies)
    slot = _slot(table, low, high)
    if table.far[slot] >= 0:
        return False
    table.low[slot], table.high[slot], table.far[slot] = low, high, distance
    return True
