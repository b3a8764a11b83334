"""Distances of cubes from home: breadth first from both ends.

A state is where 20 stickers are, one of each corner and edge, in pairs: a code below 24 * 24 for
two of them. States are recognised by a sum of 64-bit numbers, one for each code. Equal states have
equal sums, so that a search without a match proves that there is no way; a match proves nothing
until a way home was walked from it, turn by turn, and it is walked.

Sequences are made run by run: a run is a turn of one face, and of two runs of opposite faces that
follow each other only one order is tried. So nearly every state is met once, and nothing needs to
be remembered but the ball around the solved cube.
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
"""(10, n) two stickers' places in each row, n states."""
Sums = NDArray[np.uint64]

_CHUNK = 1 << 17
_FACES = "FBLRUD"
_FIRST = {"B": "F", "R": "L", "D": "U"}
"""The face that is only turned before this one, as both orders lead to the same state."""
_ROWS = 10
_PLACES = tuple(
    tuple(place for cubie in cubies for place in cubie) for cubies in (list_corners(), list_edges())
)
"""The 24 places of stickers of corners, and those of edges."""


class Metric(StrEnum):
    """Measure of turns."""

    HTM = "HTM"
    """A face by any angle."""
    QTM = "QTM"
    """A face by 90 degrees; a half turn counts twice."""

    def compute_cost(self, name: str) -> int:
        """Return the cost of a turn of a face."""
        return 2 if self is Metric.QTM and name.endswith("2") else 1


RADII = {Metric.HTM: 6, Metric.QTM: 7}
"""How far the ball goes around the solved cube: some nine million states, 70 MB."""


@dataclass(frozen=True, slots=True)
class Ball:
    """All states up to a distance from the solved cube.

    Attributes:
        metric: what counts as one turn.
        shells: the sums of the states at each distance, ascending.
        sieve: one bit for each range of sums, set if there is one in it.
        shift: the bits of a sum below those that number its range.
    """

    metric: Metric
    shells: tuple[Sums, ...]
    sieve: NDArray[np.uint8]
    shift: np.uint64

    @property
    def radius(self) -> int:
        """The largest distance."""
        return len(self.shells) - 1

    def find_candidates(self, sums: Sums) -> NDArray[np.intp]:
        """Return the numbers of the sums that belong to a state in the ball."""
        bits = sums >> self.shift
        marks = self.sieve[bits >> np.uint64(3)] << (bits & np.uint64(7)).astype(np.uint8)
        (likely,) = np.nonzero(marks & np.uint8(128))
        found = np.zeros(len(likely), bool)
        for shell in self.shells:
            found |= _within(shell, sums[likely])
        return likely[found]

    def measure_distance_home(self, state: Codes) -> int | None:
        """The distance of one state (10, 1), walked turn by turn; None if it is not in the ball."""
        for start, shell in enumerate(self.shells):
            if _within(shell, _sums(state))[0] and self._walks(state, start):
                return start
        return None

    def _walks(self, state: Codes, left: int) -> bool:
        if left == 0:
            return bool((state == _codes(HOME)).all())
        for name in TURNS:
            after, rest = _after(state, name), left - self.metric.compute_cost(name)
            if rest >= 0 and _within(self.shells[rest], _sums(after))[0]:
                return self._walks(after, rest)
        return False


def find_distance(
    labels: FaceNumbers, metric: Metric, most: int, radius: int | None = None
) -> int | None:
    """Return the fewest turns that solve a cube; None if that takes more than ``most``.

    Args:
        most: the search ends here. Its time grows 13-fold (HTM) or 9-fold (QTM) with each turn
            beyond ``radius + 5``.
        radius: how far the ball goes, as ``RADII`` unless given.

    Raises:
        ArithmeticError: two states have one sum, so that nothing is proven; it takes a miracle.
    """
    around = make_ball(metric, min(most, RADII[metric] if radius is None else radius))
    start = _codes(labels)
    for length in range(max(0, most - around.radius) + 1):
        for states, name in _last_runs(start, metric, length):
            for match in around.find_candidates(_sums(states, name)):
                rest = around.measure_distance_home(_after(states[:, match : match + 1], name))
                if rest is None:
                    raise ArithmeticError("two states have one sum")
                return length + rest
    return None


def count_states(metric: Metric, most: int) -> list[int]:
    """Count the states at each distance from the solved cube."""
    return [len(shell) for shell in make_ball(metric, most).shells]


@cache
def make_ball(metric: Metric, radius: int) -> Ball:
    """Return the ball around the solved cube; kept, as it takes seconds to make."""
    shells: list[Sums] = []
    for length in range(radius + 1):
        runs = _last_runs(_codes(HOME), metric, length)
        own = np.sort(np.concatenate([_sums(states, name) for states, name in runs]))
        # Much faster than np.unique.
        own = own[np.concatenate([[True], own[1:] != own[:-1]])]
        for nearer in shells:
            own = own[~_within(nearer, own)]
        shells.append(own)
    bits = max(10, sum(map(len, shells)).bit_length() + 4)
    return Ball(metric, tuple(shells), _sieve(shells, bits), np.uint64(64 - bits))


def _sieve(shells: list[Sums], bits: int) -> NDArray[np.uint8]:
    """Made in parts of 2 ** 24 bits at most, which take a byte each for a while."""
    part = min(bits, 24)
    packed = []
    for number in range(1 << (bits - part)):
        flags = np.zeros(1 << part, bool)
        for shell in shells:
            own = _between(shell, number, 64 - bits + part)
            flags[(own >> np.uint64(64 - bits)) & np.uint64((1 << part) - 1)] = True
        packed.append(np.packbits(flags))
    return np.concatenate(packed)


def _between(shell: Sums, number: int, width: int) -> Sums:
    """Return the sums whose bits above so many are this number."""
    ends = np.array([number << width, ((number + 1) << width) - 1], np.uint64)
    return shell[np.searchsorted(shell, ends[0]) : np.searchsorted(shell, ends[1], "right")]


def _states(start: Codes, metric: Metric, length: int) -> Iterator[tuple[Codes, str]]:
    """Yield states after all sequences of a length, in chunks, with the face of the last run."""
    if length == 0:
        yield start, ""
        return
    waiting: dict[str, list[Codes]] = {face: [] for face in _FACES}
    for states, name in _last_runs(start, metric, length):
        own = waiting[name[0]]
        own.append(_after(states, name))
        if sum(part.shape[1] for part in own) >= _CHUNK:
            yield np.concatenate(own, axis=1), name[0]
            own.clear()
    for face, left in waiting.items():
        if left:
            yield np.concatenate(left, axis=1), face


def _last_runs(start: Codes, metric: Metric, length: int) -> Iterator[tuple[Codes, str]]:
    """Yield the same, each chunk before its last run, with that run; none for the length 0."""
    if length == 0:
        yield start, ""
    for cost in (1, 2):
        names = [name for name in TURNS if metric.compute_cost(name) == cost]
        if not names or cost > length:
            continue
        for states, last in _states(start, metric, length - cost):
            for name in names:
                if last != name[0] and _FIRST.get(last) != name[0]:
                    yield states, name


def _codes(labels: FaceNumbers) -> Codes:
    """Return a cube as a state (10, 1)."""
    place = {sticker: k for k, sticker in enumerate(labels)}
    found = [own.index(place[cubie[0]]) for own in _PLACES for cubie in _cubies(own)]
    pairs = [24 * one + other for one, other in zip(found[::2], found[1::2], strict=True)]
    return np.array(pairs, np.uint16)[:, np.newaxis]


def _after(states: Codes, name: str) -> Codes:
    """Return states after a turn."""
    if not name:
        return states
    moves = _moves(name)
    return np.stack([moves[_kind(row)][states[row]] for row in range(_ROWS)])


def _sums(states: Codes, name: str = "") -> Sums:
    """Return the sums of states, or of what they are after a turn."""
    values = _values(name)
    total: Sums = values[0][states[0]]
    for row in range(1, _ROWS):
        total += values[row][states[row]]
    return total


@cache
def _moves(name: str) -> tuple[Codes, Codes]:
    """(576,) the code after a turn, of two corners and of two edges."""
    to = {source: place for place, source in enumerate(turn(name))}
    corner, edge = ([own.index(to[place]) for place in own] for own in _PLACES)
    return _paired(corner), _paired(edge)


def _paired(moved: list[int]) -> Codes:
    return np.array([24 * one + other for one in moved for other in moved], np.uint16)


@cache
def _values(name: str) -> Sums:
    """(10, 576) what each code adds to the sum of the state after a turn."""
    rng = np.random.default_rng(20)
    plain = rng.integers(0, 2**64, (_ROWS, 576), np.uint64)
    if not name:
        return plain
    return np.stack([plain[row][_moves(name)[_kind(row)]] for row in range(_ROWS)])


def _kind(row: int) -> int:
    """0 for rows of corners, 1 for rows of edges."""
    return int(row >= len(list_corners()) // 2)


def _cubies(places: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return list_corners() if places is _PLACES[0] else list_edges()


def _within(shell: Sums, sums: Sums) -> NDArray[np.bool_]:
    places = np.minimum(np.searchsorted(shell, sums), len(shell) - 1)
    found: NDArray[np.bool_] = shell[places] == sums
    return found
