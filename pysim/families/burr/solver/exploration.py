"""Every configuration that a group of interlocked pieces can reach, layer by layer, compiled.

Layer k holds the configurations that k moves lead to and fewer do not. A move translates a set of
pieces along one axis by a whole number of units; as moving a set one way or the others the other
way is the same, only +x, +y and +z are tried, with every set that can go. These sets are the unions
of the smallest sets with a given piece (see :func:`~.movement.compute_closure`).

A set is separated from the others when the blocks around the two no longer overlap. For n pieces
that spread over s units a configuration takes O(s n^3) steps, and more where many sets are free.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.burr.solver.movement import (
    MAX_PIECES,
    MAX_SPREAD,
    PairCache,
    compute_closure,
    create_cache,
    fill_reach,
    has_set,
    list_movable_sets,
    move_set,
)
from pysim.geometry import Cell, Direction
from pysim.kernels import Kernel, is_interpreting, kernel

__all__ = ["Exploration", "Separating", "Translation", "index_cells", "is_parted", "measure_span"]

P = ParamSpec("P")
R = TypeVar("R")

MAX_SETS = 1024
"""Sets that are tried in one direction and distance; up to ten pieces never have more."""
FEWER_SETS = 256
"""As :data:`MAX_SETS`, of groups of more than ten pieces, where most sets are of no use."""
_DIRECTIONS = tuple(Direction)
_FEW_CELLS = 200
_FEW_SETS = 2000
"""So many cells, and units times pairs of pieces, are soon gone through without compiled code."""
_CHUNK = 2048
"""Configurations that are looked at in one call, so that an interrupt is heard soon."""
_INTERPRETED = 8
"""As :data:`_CHUNK`, of small groups without compiled code."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation of some pieces of a group.

    Attributes:
        moving: places of the pieces in the group.
        direction: where to.
        units: how far.
    """

    moving: frozenset[int]
    direction: Direction
    units: int


@dataclass(frozen=True, slots=True)
class Separating:
    """A move that separates a group in two.

    Attributes:
        node: number of the configuration from which it is made.
        bits: the pieces that move, as bits.
        axis: 0, 1 or 2 for x, y or z; they move towards +.
        units: how far; this is enough to separate them.
    """

    node: int
    bits: int
    axis: int
    units: int

    @property
    def move(self) -> Translation:
        """The move."""
        return _move(self.bits, 2 * self.axis, self.units)


class Exploration:
    """The configurations of one group, found breadth first as far as asked for.

    Attributes:
        depth: number of the last layer that is known.
        complete: whether every set that can move has been tried so far.
    """

    def __init__(self, cells: Sequence[NDArray[np.int32]], offsets: NDArray[np.int32]) -> None:
        """``cells``: (m, 3) for each piece; ``offsets``: (n, 3), added to them.

        Raises:
            InputError: there are too many pieces, or they spread too far.
        """
        spread = sum(int(np.ptp(piece, axis=0).max()) + 1 for piece in cells)
        if len(cells) > MAX_PIECES or spread > MAX_SPREAD:
            raise InputError(f"{len(cells)} pieces over {spread} units are too many to explore")
        self._cells = np.concatenate(cells).astype(np.int32)
        self._starts = np.cumsum([0] + [len(piece) for piece in cells]).astype(np.int64)
        self._boxes = np.array([[c.min(axis=0), c.max(axis=0)] for c in cells], np.int32)
        count = len(cells)
        self._is_small = len(self._cells) <= _FEW_CELLS and spread * count**2 <= _FEW_SETS
        self._nodes = np.zeros((64, count, 3), np.int16)
        self._nodes[0] = offsets - offsets[0]
        # Each node's parent and the move that leads here from it: parent, axis, units; and the set.
        self._origins = np.zeros((64, 3), np.int32)
        self._sets = np.zeros(64, np.uint64)
        self._table = np.full(256, -1, np.int64)
        self._cache: PairCache = create_cache.run()
        self._layers = [0, 1]
        self.complete = True
        _enter.run(self._nodes, 0, self._table)

    @property
    def depth(self) -> int:
        """Number of the last layer that is known."""
        return len(self._layers) - 2

    @property
    def configurations(self) -> int:
        """Number of configurations that are known."""
        return self._layers[-1]

    def get_layer(self, depth: int) -> range:
        """Return the numbers of the configurations of a known layer."""
        return range(self._layers[depth], self._layers[depth + 1])

    def get_offsets(self, node: int) -> NDArray[np.int16]:
        """(n, 3), the pieces' offsets, relative to the first piece's."""
        offsets: NDArray[np.int16] = self._nodes[node]
        return offsets

    def find_path(self, node: int) -> list[Translation]:
        """Return the moves that lead to a configuration."""
        moves = []
        while node:
            parent, axis, units = (int(v) for v in self._origins[node])
            moves.append(_move(int(self._sets[node]), 2 * axis, units))
            node = parent
        return moves[::-1]

    def list_separations(self, depth: int) -> Iterator[list[Separating]]:
        """Yield the separating moves from a known layer, smaller sets first, chunk by chunk."""
        for separations, first, last in self._chunks(_separations, self.get_layer(depth)):
            found, complete, self._cache = separations(
                self._cells, self._starts, self._boxes, self._nodes, first, last, self._cache
            )
            self.complete = self.complete and bool(complete)
            yield [Separating(node, int(bits), axis, units) for node, bits, axis, units in found]

    def list_minimal(self) -> Iterator[tuple[Translation, bool]]:
        """Yield the moves from the first configuration that are no unions of others.

        Every move is a sequence of these. They go direction by direction and farther and farther,
        each set until it is separated, which the second value says.
        """
        minimal = _minimal.run if self._is_small else _minimal
        found = minimal(self._cells, self._starts, self._boxes, self._nodes[0])
        for direction, units, bits, parted in found:
            yield _move(int(bits), direction, units), parted

    def expand(self) -> Iterator[int]:
        """Find the next layer; yields the number of known configurations after each chunk."""
        first = self._layers[-1]
        count = first
        for expand, start, end in self._chunks(_expand, self.get_layer(self.depth)):
            (
                count, complete, self._nodes, self._origins, self._sets, self._table, self._cache,
            ) = expand(
                self._cells, self._starts, self._boxes, self._nodes, self._origins, self._sets,
                self._table, count, start, end, self._cache,
            )  # fmt: skip
            self.complete = self.complete and bool(complete)
            yield int(count)
        self._layers.append(int(count))

    def _chunks(
        self, look: Kernel[P, R], nodes: range
    ) -> Iterator[tuple[Callable[P, R], int, int]]:
        """Yield the parts of a layer, and in which form to look at each."""
        first = nodes.start
        while first < nodes.stop:
            interpreted = self._is_small and is_interpreting()
            last = min(first + (_INTERPRETED if interpreted else _CHUNK), nodes.stop)
            yield (look.interpreted if interpreted else look), first, last
            first = last


def _move(bits: int, direction: int, units: int) -> Translation:
    moving = frozenset(i for i in range(bits.bit_length()) if bits >> i & 1)
    return Translation(moving, _DIRECTIONS[direction], units)


def index_cells(cells: Sequence[Cell]) -> NDArray[np.int32]:
    """Return cells as (m, 3)."""
    return np.array(cells, np.int32).reshape(-1, 3)


@kernel
def _place(nodes: NDArray[np.int16], node: int, table: NDArray[np.int64]) -> int:
    """Return the slot of a configuration in the hash table: its own or an empty one."""
    last = np.uint64(len(table) - 1)
    key = np.uint64(1469598103934665603)
    n = nodes.shape[1]
    for i in range(1, n):
        for a in range(3):
            key = (key ^ np.uint64(nodes[node, i, a] + 4096)) * np.uint64(1099511628211)
    place = (key ^ (key >> np.uint64(29))) & last
    while table[place] >= 0:
        other = table[place]
        same = True
        for i in range(1, n):
            for a in range(3):
                if nodes[other, i, a] != nodes[node, i, a]:
                    same = False
        if same:
            break
        place = (place + np.uint64(1)) & last
    return int(place)


@kernel
def _enter(nodes: NDArray[np.int16], node: int, table: NDArray[np.int64]) -> bool:
    """Put a configuration into the hash table; whether it is new."""
    place = _place(nodes, node, table)
    if table[place] >= 0:
        return False
    table[place] = node
    return True


@kernel
def is_parted(
    boxes: NDArray[np.int32], offsets: NDArray[np.int16], bits: np.uint64, axis: int, units: int
) -> bool:
    """Return whether the blocks around a set that has moved and around the rest do not overlap."""
    far = 1 << 20
    low = np.full((2, 3), far, np.int64)
    high = np.full((2, 3), -far, np.int64)
    for i in range(len(offsets)):
        side = 1 if bits >> np.uint64(i) & np.uint64(1) else 0
        for a in range(3):
            low[side, a] = min(low[side, a], boxes[i, 0, a] + offsets[i, a])
            high[side, a] = max(high[side, a], boxes[i, 1, a] + offsets[i, a])
    low[1, axis] += units
    high[1, axis] += units
    for a in range(3):  # noqa: SIM110
        if low[0, a] > high[1, a] or low[1, a] > high[0, a]:
            return True
    return False


@kernel
def measure_span(boxes: NDArray[np.int32], offsets: NDArray[np.int16], axis: int) -> int:
    """Return units over which a configuration extends along an axis."""
    low, high = 1 << 20, -(1 << 20)
    for i in range(len(offsets)):
        low = min(low, boxes[i, 0, axis] + offsets[i, axis])
        high = max(high, boxes[i, 1, axis] + offsets[i, axis])
    return high - low + 1


@kernel
def _separations(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    boxes: NDArray[np.int32],
    nodes: NDArray[np.int16],
    first: int,
    last: int,
    cache: PairCache,
) -> tuple[list[tuple[int, np.int64, int, int]], bool, PairCache]:
    """Separating moves (node, bits, axis, units), each set once for each node and axis."""
    n = nodes.shape[1]
    pieces, reach = np.arange(n), np.full((6, n, n), 1 << 20, np.int32)
    sets = np.empty(MAX_SETS if n <= 10 else FEWER_SETS, np.uint64)
    seen = np.empty(2 * MAX_SETS, np.uint64)
    found = [(0, np.int64(0), 0, 0) for _ in range(0)]
    complete = True
    for node in range(first, last):
        cache = fill_reach(cells, starts, pieces, nodes[node].astype(np.int32), cache, reach)
        for axis in range(3):
            known = 0
            for units in range(1, measure_span(boxes, nodes[node], axis) + 1):
                count, every = list_movable_sets(reach, 2 * axis, units, n, sets)
                complete = complete and every
                if count == 0:
                    break
                for s in range(count):
                    if has_set(seen, known, sets[s]):
                        continue
                    if not is_parted(boxes, nodes[node], sets[s], axis, units):
                        continue
                    if known < len(seen):
                        seen[known] = sets[s]
                        known += 1
                    found.append((node, np.int64(sets[s]), axis, units))
    return found, complete, cache


@kernel
def _minimal(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    boxes: NDArray[np.int32],
    offsets: NDArray[np.int16],
) -> list[tuple[int, int, np.int64, bool]]:
    """Return moves (direction, units, bits, whether they separate) of the smallest sets."""
    n = len(offsets)
    full = (np.uint64(1) << np.uint64(n)) - np.uint64(1)
    pieces, reach = np.arange(n), np.full((6, n, n), 1 << 20, np.int32)
    fill_reach(cells, starts, pieces, offsets.astype(np.int32), create_cache(), reach)
    sets = np.empty(n, np.uint64)
    out = np.empty(n * n, np.uint64)  # With each piece fewer than n sets go: they only grow.
    found = [(0, 0, np.int64(0), False) for _ in range(0)]
    for d in range(6):
        gone = 0
        for units in range(1, measure_span(boxes, offsets, d >> 1) + 1):
            count = 0
            for piece in range(n):
                bits = compute_closure(reach, d, piece, units, n)
                if bits == full or has_set(sets, count, bits) or has_set(out, gone, bits):
                    continue
                sets[count] = bits
                count += 1
                parted = is_parted(boxes, offsets, bits, d >> 1, units if d % 2 == 0 else -units)
                found.append((d, units, np.int64(bits), parted))
                if parted:
                    out[gone] = bits
                    gone += 1
    return found


@kernel
def _expand(
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    boxes: NDArray[np.int32],
    nodes: NDArray[np.int16],
    origins: NDArray[np.int32],
    moved: NDArray[np.uint64],
    table: NDArray[np.int64],
    count: int,
    first: int,
    last: int,
    cache: PairCache,
) -> tuple[
    int, bool, NDArray[np.int16], NDArray[np.int32], NDArray[np.uint64], NDArray[np.int64],
    PairCache,
]:  # fmt: skip
    """Write the configurations behind those from ``first`` to ``last`` that are new."""
    n = nodes.shape[1]
    pieces, reach = np.arange(n), np.full((6, n, n), 1 << 20, np.int32)
    sets = np.empty(MAX_SETS if n <= 10 else FEWER_SETS, np.uint64)
    complete = True
    for node in range(first, last):
        cache = fill_reach(cells, starts, pieces, nodes[node].astype(np.int32), cache, reach)
        for axis in range(3):
            for units in range(1, measure_span(boxes, nodes[node], axis) + 1):
                available, every = list_movable_sets(reach, 2 * axis, units, n, sets)
                complete = complete and every
                if available == 0:
                    break
                for s in range(available):
                    if is_parted(boxes, nodes[node], sets[s], axis, units):
                        continue
                    if count == len(nodes):
                        nodes = np.concatenate((nodes, np.empty_like(nodes)))
                        origins = np.concatenate((origins, np.empty_like(origins)))
                        moved = np.concatenate((moved, np.empty_like(moved)))
                    move_set(nodes, node, count, n, sets[s], axis, units)
                    if not _enter(nodes, count, table):
                        continue
                    origins[count, 0], origins[count, 1], origins[count, 2] = node, axis, units
                    moved[count] = sets[s]
                    count += 1
                    if 2 * count > len(table):
                        table = np.full(4 * len(table), -1, np.int64)
                        for k in range(count):
                            _enter(nodes, k, table)
    return count, complete, nodes, origins, moved, table, cache
