"""Exact distances near home: all states up to a depth, counted breadth first, and two such meeting.

It needs no files: five turns away are 574,908 states. With all states up to depth d at hand, the
distance of a state up to 2d follows by going d turns from it.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import SOLVED, Cube, turn_of
from pysim.families.rubik.moves import Metric, Move

__all__ = ["MeetInMiddle", "create_meet_in_middle"]

Keys = NDArray[np.bytes_]
States = NDArray[np.uint8]
"""(n, 20): ``3 * corner + twist`` of each corner slot, then ``2 * edge + flip`` of each edge."""


class MeetInMiddle:
    """All states up to a depth in a metric, counted when a cube is so far away.

    Args:
        depth: up to which they are counted; each turn more takes some ten times as much.
    """

    def __init__(self, metric: Metric, depth: int) -> None:
        self.metric, self.depth = metric, depth
        self._turns = [_Turn(move) for move in metric.moves]
        self._farthest = _states([SOLVED])
        self._levels = [_keys(self._farthest)]

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of states at each distance from 0 on."""
        return tuple(map(len, self._all_levels()))

    def _all_levels(self) -> Iterator[Keys]:
        """Yield the states at each distance, which are counted as they are asked for."""
        for distance in range(self.depth + 1):
            if distance == len(self._levels):
                self._farthest, keys = self._next(self._farthest, *self._levels[-2:])
                self._levels.append(keys)
            yield self._levels[distance]

    def find_distance(self, cube: Cube) -> int | None:
        """Return the distance of a cube; None if it is more than twice the depth."""
        solution = self.solve(cube)
        return None if solution is None else len(solution)

    def solve(self, cube: Cube) -> tuple[Move, ...] | None:
        """Return a shortest solution, None if it takes more than twice the depth."""
        near, levels = self._around(cube)
        if near is None:
            return None
        # Back from where the two met to the cube, then on from there to home.
        way: list[Move] = []
        state = near
        for level in range(len(levels) - 2, -1, -1):
            move, state = self._step(state, levels[level])
            way.insert(0, move.inverse)
        state = near
        for level in range(self._level_of(near), 0, -1):
            move, state = self._step(state, self._levels[level - 1])
            way.append(move)
        return tuple(way)

    def _around(self, cube: Cube) -> tuple[States | None, list[Keys]]:
        """The first state (1, 20) around a cube that is in the table, and what was seen before."""
        level = _states([cube])
        levels = [_keys(level)]
        for _ in range(self.depth + 1):
            known = (np.flatnonzero(_isin(_keys(level), keys)) for keys in self._all_levels())
            hits = next((found for found in known if len(found)), None)
            if hits is not None:
                return level[hits[:1]], levels
            if len(levels) > self.depth:
                break
            level, keys = self._next(level, *levels[-2:])
            levels.append(keys)
        return None, levels

    def _next(self, level: States, *seen: Keys) -> tuple[States, Keys]:
        """Return the states one turn further on that are not ``seen``, sorted by their keys."""
        around = np.concatenate([turn.apply(level) for turn in self._turns])
        keys, first = np.unique(_keys(around), return_index=True)
        new = ~np.any([_isin(keys, known) for known in seen], axis=0)
        return around[first[new]], keys[new]

    def _level_of(self, state: States) -> int:
        key = _keys(state)
        return next(i for i, keys in enumerate(self._levels) if _isin(key, keys)[0])

    def _step(self, state: States, goal: Keys) -> tuple[Move, States]:
        """Return a move to one of the states of ``goal``."""
        for turn in self._turns:
            after = turn.apply(state)
            if _isin(_keys(after), goal)[0]:
                return turn.move, after
        raise AssertionError("every state of a level has a neighbour in the level below")


@cache
def create_meet_in_middle(metric: Metric, depth: int) -> MeetInMiddle:
    """Return the states up to a depth, made once in a process."""
    return MeetInMiddle(metric, depth)


class _Turn:
    """A move, for many states at once."""

    def __init__(self, move: Move) -> None:
        cube = turn_of(move)
        self.move = move
        self._origins = np.array([*cube.corners, *(8 + edge for edge in cube.edges)])
        by = np.array([*cube.twists, *cube.flips])
        sizes = np.array([3] * 8 + [2] * 12)
        values = np.arange(24)
        self._values = np.array(
            [
                values - values % size + (values + turn) % size
                for turn, size in zip(by, sizes, strict=True)
            ],
            dtype=np.uint8,
        )

    def apply(self, states: States) -> States:
        """(n, 20) states after the move."""
        moved = states[:, self._origins]
        result: States = self._values[np.arange(20), moved]
        return result


def _states(cubes: list[Cube]) -> States:
    """(n, 20) some cubes."""
    return np.array(
        [
            [
                *(3 * c + t for c, t in zip(cube.corners, cube.twists, strict=True)),
                *(2 * e + f for e, f in zip(cube.edges, cube.flips, strict=True)),
            ]
            for cube in cubes
        ],
        dtype=np.uint8,
    )


def _keys(states: States) -> Keys:
    """(n,) one word for each state, equal for equal states; words may not hold zero bytes."""
    return np.ascontiguousarray(states + np.uint8(1)).view("S20").ravel()


def _isin(keys: Keys, known: Keys) -> NDArray[np.bool_]:
    """Return the keys that are among ``known``, which is sorted."""
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == keys
    return found
