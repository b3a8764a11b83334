"""Taking interlocked pieces apart, looked at whole: every set of pieces, direction and distance.

A group is pieces that have not been separated, each with an offset from where it is in the
assembled lock; only offsets from the group's first piece matter. A move translates any set of the
pieces along an axis by whole units, nothing in its way. If the blocks around the set and around the
rest then have no cell in common, the two are separated, and are groups of their own.

How far a set can go is the least that one of its pieces can go before it hits one of the others.
For a pair of pieces that depends on their relative position alone; it stands in a table over all
such positions, made from the differences of their cells. Whole layers of configurations are
expanded at once. Every set is tried, so the work grows with 2 to the number of pieces; of more than
:data:`EVERY_SET` pieces the sets that can go are put together from those that a piece takes along.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge.referee.polycubes import Shape

__all__ = ["EVERY_SET", "Assembly", "Expansion", "Group", "Split", "TooManyStates"]

EVERY_SET = 12
"""Pieces up to which every set of them is tried."""
MOST_SETS = 4096
"""Sets that are put together for one direction and distance, of more pieces."""
_FREE = 1 << 14
"""Units that stand for no end."""
_SIGNS = np.array([1, -1, 1, -1, 1, -1], np.int64)
_CHUNK = 1 << 22
"""Numbers in the largest table that is made for one chunk of configurations."""

Offsets = NDArray[np.int16]
Split = tuple["Group", "Group"]


class TooManyStates(Exception):
    """More configurations than the limit would have to be looked at."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that are together.

    Attributes:
        pieces: their numbers, in order.
        offsets: (n, 3) int16 as bytes: how far each is from home, relative to the first one.
    """

    pieces: tuple[int, ...]
    offsets: bytes

    @staticmethod
    def at_home(pieces: Sequence[int]) -> "Group":
        """Return pieces of the assembled lock."""
        return Group(tuple(pieces), bytes(6 * len(pieces)))

    def __len__(self) -> int:
        return len(self.pieces)

    def to_array(self) -> Offsets:
        """Return the offsets as (n, 3)."""
        return np.frombuffer(self.offsets, np.int16).reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class Expansion:
    """Successors of one layer of configurations.

    Attributes:
        layer: (m, n, 3) int16, the layer itself.
        splits: the separations from it, each pair of parts once; the part with the first piece
            comes first.
    """

    layer: Offsets
    splits: frozenset[Split]


class Assembly:
    """Tables of one lock's pieces, and a count of the configurations that were looked at.

    Attributes:
        states: configurations looked at so far, of all groups.
    """

    def __init__(self, homes: Sequence[Shape], limit: int) -> None:
        """``limit``: configurations that may be looked at in all."""
        self._cells = [np.array(sorted(cells), np.int64) for cells in homes]
        self._lows = np.array([cells.min(axis=0) for cells in self._cells])
        self._highs = np.array([cells.max(axis=0) for cells in self._cells])
        self._tables: dict[tuple[int, int], _PairClearance] = {}
        self._limit = limit
        self.states = 0

    def generate_layers(self, group: Group) -> Iterator[Expansion]:
        """Yield the configurations of a group, breadth first, until there are no new ones.

        Raises:
            TooManyStates: the limit is reached.
        """
        layer = group.to_array()[None].copy()
        seen = {group.offsets}
        while len(layer):
            self.states += len(layer)
            if self.states > self._limit:
                raise TooManyStates(f"more than {self._limit:,} configurations")
            following: list[bytes] = []
            splits: set[Split] = set()
            for chunk in self._chunks(layer):
                expand = self._moves if len(group) <= EVERY_SET else self._moves_of_many
                joined, parted, moving = expand(group.pieces, chunk)
                for code in {row.tobytes() for row in joined} - seen:
                    seen.add(code)
                    following.append(code)
                splits.update(self._parts(group.pieces, parted, moving))
            yield Expansion(layer, frozenset(splits))
            layer = np.frombuffer(b"".join(following), np.int16).reshape(-1, len(group), 3)

    def measure_free_units(self, pieces: Sequence[int], layer: Offsets) -> NDArray[np.int16]:
        """(m, 6, 2**n) units that each set of pieces, as bits, can go along +x -x +y -y +z -z.

        Sets of none or of all pieces can go without end, like all that hit nothing: ``1 << 14`` or
        more.
        """
        n = len(pieces)
        gaps = self._gaps(pieces, layer)
        # For each set the least gap of its pieces to each piece, built up piece by piece.
        least = np.full((len(layer), 6, 1 << n, n), _FREE, np.int16)
        for i in range(n):
            first = 1 << i
            np.minimum(
                least[:, :, :first], gaps[:, :, i, None, :], out=least[:, :, first : 2 * first]
            )
        members = np.arange(1 << n)[:, None] >> np.arange(n) & 1 == 1
        least[:, :, members] = _FREE
        free: NDArray[np.int16] = least.min(axis=3)
        return free

    def _chunks(self, layer: Offsets) -> Iterator[Offsets]:
        n = layer.shape[1]
        size = max(1, _CHUNK // (6 * n << min(n, EVERY_SET)))
        for first in range(0, len(layer), size):
            yield layer[first : first + size]

    def _gaps(self, pieces: Sequence[int], layer: Offsets) -> NDArray[np.int16]:
        """(m, 6, n, n): units that piece i can go before it hits piece j."""
        n = len(pieces)
        gaps = np.full((len(layer), 6, n, n), _FREE, np.int16)
        for i in range(n):
            for j in range(i + 1, n):
                relative = layer[:, j].astype(np.int64) - layer[:, i]
                found = self._pair(pieces[i], pieces[j]).measure_gaps(relative)
                gaps[:, :, i, j] = found
                # The other piece going the other way meets this one after as many units.
                gaps[:, :, j, i] = found[:, [1, 0, 3, 2, 5, 4]]
        return gaps

    def _pair(self, i: int, j: int) -> "_PairClearance":
        if (i, j) not in self._tables:
            self._tables[i, j] = _PairClearance(self._cells[i], self._cells[j])
        return self._tables[i, j]

    def _moves(
        self, pieces: tuple[int, ...], layer: Offsets
    ) -> tuple[Offsets, Offsets, NDArray[np.int64]]:
        """Return every move from a chunk of configurations.

        Moving a set is moving the others the other way: the first piece always stays.

        Returns:
            The configurations in which the pieces are still together, (a, n, 3); those in which two
            parts were just separated, before the move, (b, n, 3); and the set that moved, (b,).
        """
        n = len(pieces)
        sets = np.arange(2, 1 << n, 2)
        member = sets[:, None] >> np.arange(n) & 1 == 1
        free = self.measure_free_units(pieces, layer)[:, :, sets].astype(np.int64)
        lows = layer + self._lows[list(pieces)]
        highs = layer + self._highs[list(pieces)]
        mine = _boxes(lows, highs, member)
        rest = _boxes(lows, highs, ~member)
        # Beyond this many units a set has left the others behind along its way.
        ahead = rest[1] - mine[0] + 1
        behind = mine[1] - rest[0] + 1
        enough = np.stack((ahead, behind), axis=3).reshape(*ahead.shape[:2], 6).swapaxes(1, 2)
        most = np.minimum(free, np.maximum(enough, 1))
        node, way, which = np.nonzero(most > 0)
        count = most[node, way, which]
        repeat = np.repeat(np.arange(len(node)), count)
        units = np.arange(len(repeat)) - np.repeat(np.cumsum(count) - count, count) + 1
        node, way, which = node[repeat], way[repeat], which[repeat]
        shift = np.zeros((len(node), 3), np.int64)
        shift[np.arange(len(node)), way >> 1] = _SIGNS[way] * units
        apart = _disjoint(
            mine[0][node, which] + shift,
            mine[1][node, which] + shift,
            rest[0][node, which],
            rest[1][node, which],
        )
        kept = ~apart
        after = layer[node[kept]] + (member[which[kept], :, None] * shift[kept, None, :]).astype(
            np.int16
        )
        return after, layer[node[apart]], sets[which[apart]]

    def _moves_of_many(
        self, pieces: tuple[int, ...], layer: Offsets
    ) -> tuple[Offsets, Offsets, NDArray[np.int64]]:
        """As :meth:`_moves`, of groups with too many sets to try them all."""
        n = len(pieces)
        joined, parted, moving = [np.empty((0, n, 3), np.int16)], [layer[:0]], []
        gaps = self._gaps(pieces, layer)
        for node, way in np.ndindex(len(layer), 6):
            low = layer[node] + self._lows[list(pieces)]
            high = layer[node] + self._highs[list(pieces)]
            axis, span = way >> 1, int(np.ptp(np.vstack((low, high)), axis=0)[way >> 1]) + 1
            for units in range(1, span + 1):
                sets = _sets_that_go(gaps[node, way] < units)
                for bits in (b for b in sets if not b & 1):
                    member = bits >> np.arange(n) & 1 == 1
                    shift = np.where(np.arange(3) == axis, _SIGNS[way] * units, 0)
                    mine = low[member].min(axis=0) + shift, high[member].max(axis=0) + shift
                    rest = low[~member].min(axis=0), high[~member].max(axis=0)
                    if ((mine[1] < rest[0]) | (rest[1] < mine[0])).any():
                        parted.append(layer[node][None])
                        moving.append(bits)
                    else:
                        joined.append(
                            (layer[node] + member[:, None] * shift)[None].astype(np.int16)
                        )
        return np.concatenate(joined), np.concatenate(parted), np.array(moving, np.int64)

    def _parts(
        self, pieces: tuple[int, ...], before: Offsets, moving: NDArray[np.int64]
    ) -> Iterator[Split]:
        n = len(pieces)
        for bits in np.unique(moving):
            taken = [i for i in range(n) if int(bits) >> i & 1]
            left = [i for i in range(n) if i not in taken]
            rows = before[moving == bits]
            codes = zip(_codes(rows[:, left]), _codes(rows[:, taken]), strict=True)
            for first, second in set(codes):
                yield (
                    Group(tuple(pieces[i] for i in left), first),
                    Group(tuple(pieces[i] for i in taken), second),
                )


class _PairClearance:
    """Distances that one piece can go before it hits another one, for every relative position."""

    def __init__(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> None:
        differences = (first[:, None] - second[None]).reshape(-1, 3)
        self._low = differences.min(axis=0) - 1
        size = differences.max(axis=0) - self._low + 2
        hit = np.zeros(size, bool)
        hit[tuple((differences - self._low).T)] = True
        self._tables = [self._scan(hit, axis, forward) for axis in range(3) for forward in (1, 0)]

    @staticmethod
    def _scan(hit: NDArray[np.bool_], axis: int, forward: int) -> NDArray[np.int16]:
        """Free units along one direction, over relative positions of the second piece."""
        # The first piece goes forward: the second one comes nearer from the high side.
        there = np.moveaxis(hit, axis, 0)
        there = there if forward else there[::-1]
        free = np.full(there.shape, _FREE, np.int16)
        for k in range(1, len(there)):
            free[k] = np.where(there[k - 1], 0, np.minimum(free[k - 1] + 1, _FREE))
        free = free if forward else free[::-1]
        return np.moveaxis(free, 0, axis)

    def measure_gaps(self, relative: NDArray[np.int64]) -> NDArray[np.int16]:
        """(m, 6) for (m, 3) offsets of the second piece from the first one."""
        place = relative - self._low
        size = np.array(self._tables[0].shape)
        inside = (place >= 0) & (place < size)
        near = tuple(np.clip(place, 0, size - 1).T)
        found = np.empty((len(relative), 6), np.int16)
        for d in range(6):
            axis = d >> 1
            over = place[:, axis] - (size[axis] - 1) if d % 2 == 0 else -place[:, axis]
            units = self._tables[d][near] + np.maximum(over, 0)
            beside = np.delete(inside, axis, axis=1).all(axis=1)
            found[:, d] = np.where(beside, np.minimum(units, _FREE), _FREE)
        return found


def _boxes(
    lows: NDArray[np.int64], highs: NDArray[np.int64], member: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Blocks around sets of pieces: (m, s, 3) low and high corners, of (m, n, 3) pieces."""
    far = 1 << 20
    chosen = member[None, :, :, None]
    return (
        np.where(chosen, lows[:, None], far).min(axis=2),
        np.where(chosen, highs[:, None], -far).max(axis=2),
    )


def _disjoint(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    other_low: NDArray[np.int64],
    other_high: NDArray[np.int64],
) -> NDArray[np.bool_]:
    return np.asarray(((high < other_low) | (other_high < low)).any(axis=1))


def _sets_that_go(takes: NDArray[np.bool_]) -> set[int]:
    """Return the sets, as bits, of which no piece takes along another one: not empty, and not all.

    Args:
        takes: (n, n), whether piece i takes piece j along.

    Raises:
        TooManyStates: there are more than :data:`MOST_SETS`.
    """
    n = len(takes)
    along: NDArray[np.bool_] = takes.copy()
    np.fill_diagonal(along, True)
    for _ in range(n.bit_length()):
        along = np.matmul(along, along)
    least = {sum(1 << int(j) for j in np.nonzero(row)[0]) for row in along}
    least.discard((1 << n) - 1)
    found = set(least)
    for bits in least:
        found |= {bits | other for other in found}
        found.discard((1 << n) - 1)
        if len(found) > MOST_SETS:
            raise TooManyStates(f"more than {MOST_SETS:,} sets of {n} pieces can move one way")
    return found


def _codes(rows: Offsets) -> list[bytes]:
    relative = rows - rows[:, :1]
    return [row.tobytes() for row in relative]
