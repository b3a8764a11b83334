"""Exact distance of a cube from the solved state, by bidirectional breadth-first search.

The search meets a *ball*: the set of all states within a radius of the solved state.

A state gives the positions of 20 stickers, one of each corner and edge. Two positions, each below
24, are packed into a *code* below 576, so that a state is 10 codes. A state is hashed to the sum of
one random 64-bit number for each code (Zobrist hashing). Equal states have equal hashes: a search
without a match proves that no solution of that length exists. A match proves nothing by itself, and
is confirmed by walking from it to the solved state, turn by turn.

Turn sequences never turn one face twice in a row, and take two opposite faces, whose turns commute,
in one order only. Few states are reached twice, and only the ball is kept in memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .stickers import HOME, TURNS, FaceNumbers, list_corners, list_edges, turn

__all__ = ["RADII", "Ball", "Metric", "count_states", "find_distance", "make_ball"]

Codes = NDArray[np.uint16]
"""Shape (10, n): the codes of n states, a column for each."""
Hashes = NDArray[np.uint64]
"""Shape (n,): the hashes of n states."""

_CHUNK = 1 << 17
_FACES = "FBLRUD"
_PRECEDING = {"B": "F", "R": "L", "D": "U"}
"""The opposite face, which is turned before this one and never directly after it."""
_ROWS = 10
_POSITIONS = tuple(
    tuple(sticker for cubie in cubies for sticker in cubie)
    for cubies in (list_corners(), list_edges())
)
"""The 24 positions of corner stickers, and the 24 of edge stickers."""


class Metric(StrEnum):
    """Metric that counts turns."""

    HTM = "HTM"
    """Half-turn metric: a turn of a face by any angle counts once."""
    QTM = "QTM"
    """Quarter-turn metric: a turn by 180 degrees counts twice."""

    def compute_cost(self, name: str) -> int:
        """Return the cost of a turn of a face."""
        return 2 if self is Metric.QTM and name.endswith("2") else 1


RADII = {Metric.HTM: 6, Metric.QTM: 7}
"""Radius of the ball in each metric: some nine million states, 70 MB."""


@dataclass(frozen=True, slots=True)
class Ball:
    """All states up to a distance from the solved cube.

    Attributes:
        metric: the metric of distances.
        shells: for each distance the hashes of its states, ascending.
        filter_bits: a bit for each value of a hash's leading bits, set if the ball has such a hash.
        shift: the number of a hash's trailing bits, which ``filter_bits`` ignores.
    """

    metric: Metric
    shells: tuple[Hashes, ...]
    filter_bits: NDArray[np.uint8]
    shift: np.uint64

    @property
    def radius(self) -> int:
        """The largest distance in the ball."""
        return len(self.shells) - 1

    def find_candidates(self, hashes: Hashes) -> NDArray[np.intp]:
        """Return the indices of the hashes that the ball contains."""
        bits = hashes >> self.shift
        marks = self.filter_bits[bits >> np.uint64(3)] << (bits & np.uint64(7)).astype(np.uint8)
        (likely,) = np.nonzero(marks & np.uint8(128))
        found = np.zeros(len(likely), bool)
        for shell in self.shells:
            found |= _contains(shell, hashes[likely])
        return likely[found]

    def measure_distance_home(self, state: Codes) -> int | None:
        """Return the distance of one state (10, 1), checked turn by turn; None outside the ball."""
        for distance, shell in enumerate(self.shells):
            if _contains(shell, _hash(state))[0] and self._can_solve(state, distance):
                return distance
        return None

    def _can_solve(self, state: Codes, left: int) -> bool:
        """Return whether turns of cost ``left``, inwards shell by shell, solve a state."""
        if left == 0:
            return bool((state == _encode(HOME)).all())
        for name in TURNS:
            after, rest = _apply_turn(state, name), left - self.metric.compute_cost(name)
            if rest >= 0 and _contains(self.shells[rest], _hash(after))[0]:
                return self._can_solve(after, rest)
        return False


def find_distance(
    labels: FaceNumbers, metric: Metric, most: int, radius: int | None = None
) -> int | None:
    """Return the least cost of turns that solve a cube; None if it is more than ``most``.

    Args:
        most: the largest distance that is searched. Time grows 13-fold (HTM) or 9-fold (QTM) with
            each turn beyond ``radius + 5``.
        radius: radius of the ball; by default that of ``RADII``.

    Raises:
        ArithmeticError: two different states have the same 64-bit hash, so that nothing is proven.
    """
    ball = make_ball(metric, min(most, RADII[metric] if radius is None else radius))
    start = _encode(labels)
    for length in range(max(0, most - ball.radius) + 1):
        for states, name in _generate_last_turns(start, metric, length):
            for match in ball.find_candidates(_hash(states, name)):
                rest = ball.measure_distance_home(_apply_turn(states[:, match : match + 1], name))
                if rest is None:
                    raise ArithmeticError("two states have the same hash")
                return length + rest
    return None


def count_states(metric: Metric, most: int) -> list[int]:
    """Count the states at each distance from the solved cube."""
    return [len(shell) for shell in make_ball(metric, most).shells]


@cache
def make_ball(metric: Metric, radius: int) -> Ball:
    """Return the ball of a radius. It is cached, since it takes seconds to compute."""
    shells: list[Hashes] = []
    for length in range(radius + 1):
        turns = _generate_last_turns(_encode(HOME), metric, length)
        shell = np.sort(np.concatenate([_hash(states, name) for states, name in turns]))
        # Much faster than np.unique.
        shell = shell[np.concatenate([[True], shell[1:] != shell[:-1]])]
        for nearer in shells:
            shell = shell[~_contains(nearer, shell)]
        shells.append(shell)
    bits = max(10, sum(map(len, shells)).bit_length() + 4)
    return Ball(metric, tuple(shells), _build_filter(shells, bits), np.uint64(64 - bits))


def _build_filter(shells: list[Hashes], bits: int) -> NDArray[np.uint8]:
    """Build the filter of ``2 ** bits`` bits, in parts that take a byte a bit for a while."""
    part = min(bits, 24)
    packed = []
    for number in range(1 << (bits - part)):
        flags = np.zeros(1 << part, bool)
        for shell in shells:
            members = _select_prefix(shell, number, 64 - bits + part)
            flags[(members >> np.uint64(64 - bits)) & np.uint64((1 << part) - 1)] = True
        packed.append(np.packbits(flags))
    return np.concatenate(packed)


def _select_prefix(shell: Hashes, number: int, width: int) -> Hashes:
    """Return the hashes ``h`` of a shell with ``h >> width == number``."""
    ends = np.array([number << width, ((number + 1) << width) - 1], np.uint64)
    return shell[np.searchsorted(shell, ends[0]) : np.searchsorted(shell, ends[1], "right")]


def _generate_states(start: Codes, metric: Metric, length: int) -> Iterator[tuple[Codes, str]]:
    """Yield the states after all sequences of a cost, in chunks, with the face turned last."""
    if length == 0:
        yield start, ""
        return
    waiting: dict[str, list[Codes]] = {face: [] for face in _FACES}
    for states, name in _generate_last_turns(start, metric, length):
        parts = waiting[name[0]]
        parts.append(_apply_turn(states, name))
        if sum(part.shape[1] for part in parts) >= _CHUNK:
            yield np.concatenate(parts, axis=1), name[0]
            parts.clear()
    for face, left in waiting.items():
        if left:
            yield np.concatenate(left, axis=1), face


def _generate_last_turns(start: Codes, metric: Metric, length: int) -> Iterator[tuple[Codes, str]]:
    """Yield the states before the last turn of all sequences of a cost, in chunks, with that turn.

    For cost 0 the turn is empty.
    """
    if length == 0:
        yield start, ""
    for cost in (1, 2):
        names = [name for name in TURNS if metric.compute_cost(name) == cost]
        if not names or cost > length:
            continue
        for states, last in _generate_states(start, metric, length - cost):
            for name in names:
                if last != name[0] and _PRECEDING.get(last) != name[0]:
                    yield states, name


def _encode(labels: FaceNumbers) -> Codes:
    """Return a cube as a state (10, 1)."""
    position = {sticker: k for k, sticker in enumerate(labels)}
    found = [
        positions.index(position[cubie[0]])
        for positions, cubies in zip(_POSITIONS, (list_corners(), list_edges()), strict=True)
        for cubie in cubies
    ]
    pairs = [24 * one + other for one, other in zip(found[::2], found[1::2], strict=True)]
    return np.array(pairs, np.uint16)[:, np.newaxis]


def _apply_turn(states: Codes, name: str) -> Codes:
    """Return states after a turn; an empty name is no turn."""
    if not name:
        return states
    moves = _code_tables(name)
    return np.stack([moves[_kind(row)][states[row]] for row in range(_ROWS)])


def _hash(states: Codes, name: str = "") -> Hashes:
    """Return the hashes of states, or of the states that a turn makes of them."""
    values = _hash_values(name)
    total: Hashes = values[0][states[0]]
    for row in range(1, _ROWS):
        total += values[row][states[row]]
    return total


@cache
def _code_tables(name: str) -> tuple[Codes, Codes]:
    """Return the code (576,) that a turn makes of each code, for corners and for edges."""
    to = {source: position for position, source in enumerate(turn(name))}
    corner, edge = ([own.index(to[position]) for position in own] for own in _POSITIONS)
    return _pair(corner), _pair(edge)


def _pair(moved: list[int]) -> Codes:
    return np.array([24 * one + other for one in moved for other in moved], np.uint16)


@cache
def _hash_values(name: str) -> Hashes:
    """Return the number (10, 576) that each code adds to the hash of the state after a turn."""
    rng = np.random.default_rng(20)
    plain = rng.integers(0, 2**64, (_ROWS, 576), np.uint64)
    if not name:
        return plain
    return np.stack([plain[row][_code_tables(name)[_kind(row)]] for row in range(_ROWS)])


def _kind(row: int) -> int:
    """Return 0 for a row of corner codes, and 1 for one of edge codes."""
    return int(row >= len(list_corners()) // 2)


def _contains(shell: Hashes, hashes: Hashes) -> NDArray[np.bool_]:
    """Return for each hash whether a shell contains it."""
    places = np.minimum(np.searchsorted(shell, hashes), len(shell) - 1)
    found: NDArray[np.bool_] = shell[places] == hashes
    return found
