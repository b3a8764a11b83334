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
from functools import cached_property, lru_cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from bridge.referee.polycubes import Shape
from bridge.referee.progress import report

__all__ = ["Assembly", "Expansion", "Group", "Split", "TooManyStates"]

EVERY_SET = 7
"""Pieces up to which every set of them is tried."""
MOST_SETS = 4096
"""Sets that are put together for one direction and distance, of more pieces."""
_FREE = 1 << 14
"""Units that stand for no end."""
_SIGNS = np.array([1, -1, 1, -1, 1, -1], np.int64)
_CHUNK = 1 << 22
"""Numbers in the largest table that is made for one chunk of configurations."""
_BLOCK = 1 << 14
"""Moves of many pieces that are made at once, or few more."""

Offsets = NDArray[np.int16]
Split = tuple["Group", "Group"]
_Moves = tuple[Offsets, Offsets, NDArray[np.int64]]
"""Results of moves: the configurations in which the pieces are still together, (a, n, 3); those in
which two parts were just separated, before the move, (b, n, 3); and the set that moved, (b,)."""


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

    def __init__(self, homes: Sequence[Shape], limit: int, question: str = "") -> None:
        """Make the tables.

        Args:
            homes: cells of each piece.
            limit: configurations that may be looked at in all.
            question: what they are looked at for, in reports; empty for no reports.
        """
        self._cells = [np.array(sorted(cells), np.int64) for cells in homes]
        self._lows = np.array([cells.min(axis=0) for cells in self._cells])
        self._highs = np.array([cells.max(axis=0) for cells in self._cells])
        self._limit = limit
        self._question = question
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
            self._report()
            following: list[bytes] = []
            splits: set[Split] = set()
            for chunk in self._chunks(layer):
                expand = self._moves if len(group) <= EVERY_SET else self._moves_of_many
                parted, moving = [chunk[:0]], [np.empty(0, np.int64)]
                for joined, before, sets in expand(group.pieces, chunk):
                    for code in {row.tobytes() for row in joined} - seen:
                        seen.add(code)
                        following.append(code)
                    parted.append(before)
                    moving.append(sets)
                splits.update(
                    self._parts(group.pieces, np.concatenate(parted), np.concatenate(moving))
                )
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

    def _report(self) -> None:
        if self._question:
            report(f"{self._question}, {self.states:,} configurations")

    def _chunks(self, layer: Offsets) -> Iterator[Offsets]:
        n = layer.shape[1]
        numbers = n << n if n <= EVERY_SET else n * n
        size = max(1, _CHUNK // (6 * numbers))
        for first in range(0, len(layer), size):
            yield layer[first : first + size]

    def _gaps(self, pieces: Sequence[int], layer: Offsets) -> NDArray[np.int16]:
        """(m, 6, n, n): units that piece i can go before it hits piece j."""
        n = len(pieces)
        first, second = np.triu_indices(n, 1)
        numbers = np.array(pieces)
        relative = layer[:, second].astype(np.int32) - layer[:, first]
        found = self._clearances.measure(numbers[first], numbers[second], relative)
        gaps = np.full((len(layer), 6, n, n), _FREE, np.int16)
        gaps[:, :, first, second] = found.swapaxes(1, 2)
        # The other piece going the other way meets this one after as many units.
        gaps[:, :, second, first] = found[:, :, [1, 0, 3, 2, 5, 4]].swapaxes(1, 2)
        return gaps

    @cached_property
    def _clearances(self) -> "_Clearances":
        return _Clearances(self._cells)

    def _moves(self, pieces: tuple[int, ...], layer: Offsets) -> Iterator[_Moves]:
        """Yield every move from a chunk of configurations.

        Moving a set is moving the others the other way: the first piece always stays.
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
        shift = _shifts(way, units)
        apart = _disjoint(
            mine[0][node, which] + shift,
            mine[1][node, which] + shift,
            rest[0][node, which],
            rest[1][node, which],
        )
        yield _divide(layer[node], member[which], shift, sets[which], apart)

    def _moves_of_many(self, pieces: tuple[int, ...], layer: Offsets) -> Iterator[_Moves]:
        """As :meth:`_moves`, of groups with too many sets to try them all, some at a time."""
        n = len(pieces)
        lows = layer + self._lows[list(pieces)]
        highs = layer + self._highs[list(pieces)]
        span = highs.max(axis=1) - lows.min(axis=1) + 1
        corners = np.stack((lows, -highs), axis=2).reshape(len(layer), n, 6).swapaxes(0, 1)
        gaps = self._gaps(pieces, layer).reshape(-1, n, n)
        live = np.arange(len(gaps))
        for units in range(1, int(span.max(initial=0)) + 1):
            live = live[span[live // 6, live % 6 >> 1] >= units]
            takes = (gaps[live] < units) @ (1 << np.arange(n))
            # More pieces hold the first one over a longer way, never fewer.
            carriers = _find_carriers(takes)
            some = ~carriers.all(axis=1)
            live, takes = live[some], np.where(carriers, 0, takes)[some]
            for row, sets in _list_sets(live, takes, carriers[some]):
                node, way = row // 6, row % 6
                member = sets[:, None] >> np.arange(n) & 1 == 1
                shift = _shifts(way, np.full(len(row), units))
                apart = _are_apart(corners[:, node], member.T, shift)
                yield _divide(layer[node], member, shift, sets, apart)

    def _parts(
        self, pieces: tuple[int, ...], before: Offsets, moving: NDArray[np.int64]
    ) -> Iterator[Split]:
        n = len(pieces)
        order = np.argsort(moving, kind="stable")
        each, firsts = np.unique(moving[order], return_index=True)
        # Before the first cut is nothing.
        for bits, rows in zip(each, np.split(before[order], firsts)[1:], strict=True):
            taken = [i for i in range(n) if int(bits) >> i & 1]
            left = [i for i in range(n) if i not in taken]
            one, other = (tuple(pieces[i] for i in part) for part in (left, taken))
            codes = zip(_codes(rows[:, left]), _codes(rows[:, taken]), strict=True)
            for first, second in set(codes):
                yield Group(one, first), Group(other, second)


class _Clearances:
    """Distances that a piece can go before it hits another one, for every relative position."""

    def __init__(self, cells: Sequence[NDArray[np.int64]]) -> None:
        n = len(cells)
        pairs = list(combinations(range(n), 2))
        tables = [self._measure_pair(cells[i], cells[j]) for i, j in pairs]
        self._pair = np.zeros((n, n), np.int64)
        self._pair[*np.triu_indices(n, 1)] = np.arange(len(pairs))
        self._lows = np.array([low for low, _ in tables], np.int32).reshape(-1, 3)
        sizes = np.array([free.shape[:3] for _, free in tables], np.int32).reshape(-1, 3)
        self._last = sizes - 1
        counts = sizes.prod(axis=1)
        self._starts = np.cumsum(counts) - counts
        one = np.ones_like(counts)
        self._strides = np.stack((sizes[:, 1] * sizes[:, 2], sizes[:, 2], one), axis=1)
        self._free = np.concatenate([free.reshape(-1, 6) for _, free in tables])

    def measure(
        self, first: NDArray[np.int64], second: NDArray[np.int64], relative: NDArray[np.int32]
    ) -> NDArray[np.int16]:
        """(m, p, 6) units along +x -x +y -y +z -z, for (m, p, 3) offsets between p pairs.

        Args:
            first: (p,) numbers of the pieces that go, each lower than that of the other one.
            second: (p,) numbers of the pieces that stand in the way.
            relative: offsets of the second pieces from the first ones.
        """
        pair = self._pair[first, second]
        place = relative - self._lows[pair]
        # Nothing is hit in the outermost planes of a table, so all beyond them is as they are.
        near = np.clip(place, 0, self._last[pair])
        rows = self._starts[pair] + (near * self._strides[pair]).sum(axis=2)
        beyond = place - near
        way = np.stack((beyond, -beyond), axis=3).reshape(*rows.shape, 6)
        units: NDArray[np.int64] = self._free[rows] + np.maximum(way, 0)
        return np.asarray(np.minimum(units, _FREE), np.int16)

    def _measure_pair(
        self, first: NDArray[np.int64], second: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """Return the lowest relative position of a table, and the table, (x, y, z, 6)."""
        differences = (first[:, None] - second[None]).reshape(-1, 3)
        low = differences.min(axis=0) - 1
        hit = np.zeros(differences.max(axis=0) - low + 2, bool)
        hit[tuple((differences - low).T)] = True
        ways = [self._scan(hit, axis, forward) for axis in range(3) for forward in (1, 0)]
        return low, np.stack(ways, axis=3)

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


def _are_apart(
    corners: NDArray[np.int64], member: NDArray[np.bool_], shift: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(k,) whether the blocks around sets of pieces and the rest are apart after moves.

    Args:
        corners: (n, k, 6) low corners of the pieces, and their high ones times -1.
        member: (n, k) pieces that move.
        shift: (k, 3) translations of these.
    """
    far = 1 << 20
    mine = np.where(member[:, :, None], corners, far).min(axis=0)
    rest = np.where(member[:, :, None], far, corners).min(axis=0)
    mine += np.concatenate((shift, -shift), axis=1)
    ahead = mine[:, :3] > -rest[:, 3:]
    return np.asarray((ahead | (rest[:, :3] > -mine[:, 3:])).any(axis=1))


def _shifts(way: NDArray[np.int64], units: NDArray[np.int64]) -> NDArray[np.int64]:
    """(k, 3) translations by some units along +x -x +y -y +z -z."""
    shift = np.zeros((len(way), 3), np.int64)
    shift[np.arange(len(way)), way >> 1] = _SIGNS[way] * units
    return shift


def _divide(
    before: Offsets,
    member: NDArray[np.bool_],
    shift: NDArray[np.int64],
    sets: NDArray[np.int64],
    apart: NDArray[np.bool_],
) -> _Moves:
    """Return the results of k moves of sets of pieces, of which some part them from the rest."""
    kept = ~apart
    moved = (member[kept, :, None] * shift[kept, None, :]).astype(np.int16)
    return before[kept] + moved, before[apart], sets[apart]


def _find_carriers(takes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(r, n) which pieces take the first one along, and itself; of (r, n) sets that each takes."""
    bits = 1 << np.arange(takes.shape[1])
    found = np.ones(len(takes), np.int64)
    while True:
        carriers = takes & found[:, None] != 0
        carriers[:, 0] = True
        if (carriers @ bits == found).all():
            return np.asarray(carriers)
        found = carriers @ bits


def _list_sets(
    rows: NDArray[np.int64], takes: NDArray[np.int64], carriers: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield rows with each of the sets that can go there, about :data:`_BLOCK` at a time.

    Args:
        rows: (r,) numbers of rows.
        takes: (r, n), as bits the pieces that each takes along there; none of carriers.
        carriers: (r, n), the pieces that take the first one along, and itself.

    Raises:
        TooManyStates: more than :data:`MOST_SETS` can go in a row.
    """
    if not len(rows):
        return
    own = 1 << np.arange(takes.shape[1])
    codes = [row.tobytes() for row in np.where(carriers, 0, takes | own)]
    kinds = {code: _sets_that_go(code) for code in set(codes)}
    ends = np.cumsum([len(kinds[code]) for code in codes])
    cuts = np.unique(np.searchsorted(ends, np.arange(_BLOCK, ends[-1], _BLOCK))).tolist()
    for first, last in pairwise([0, *cuts, len(rows)]):
        there = [kinds[code] for code in codes[first:last]]
        if there:
            yield np.repeat(rows[first:last], list(map(len, there))), np.concatenate(there)


@lru_cache(maxsize=1 << 14)
def _sets_that_go(code: bytes) -> NDArray[np.int64]:
    """Return the sets, as bits, of which no piece takes along another one; not the empty one.

    Args:
        code: int64 for each piece: as bits itself and those that it takes along; 0 if it can't go.

    Raises:
        TooManyStates: there are more than :data:`MOST_SETS`.
    """
    takes = np.frombuffer(code, np.int64).tolist()
    found: set[int] = set()
    for least in {_close(bits, takes) for bits in takes if bits}:
        found |= {least, *(least | other for other in found)}
        if len(found) > MOST_SETS:
            n = len(takes)
            raise TooManyStates(f"more than {MOST_SETS:,} sets of {n} pieces can move one way")
    return np.array(sorted(found), np.int64)


def _close(bits: int, takes: Sequence[int]) -> int:
    """Return a set with all that its pieces take along, and so on."""
    while True:
        more = bits
        for piece, others in enumerate(takes):
            if bits >> piece & 1:
                more |= others
        if more == bits:
            return bits
        bits = more


def _codes(rows: Offsets) -> list[bytes]:
    relative = rows - rows[:, :1]
    return [row.tobytes() for row in relative]
