"""The fewest moves that take a group of interlocked pieces apart, with proof.

Taking a group apart costs the moves up to a separation plus the cost of the two parts, which can't
get in each other's way afterwards. First a solution is made greedily: the parts of the earliest
separation, and so on; it bounds the cost from above. Then costs are refuted one by one, from the
least that is possible: a group of cost c must be separated by its (c - r)-th move at the latest,
where r is what its parts cost at least, so that only so many layers of configurations are looked
at. What is learnt of a part is kept, for the same parts come back in many ways. The first cost that
can't be refuted is the least; if the search is cut off, it is a lower bound.

A group that can be taken apart can be so from every configuration that it reaches, and so can each
subset of it: moves can be undone, and fewer pieces are less in the way. So a part that does not
come apart proves that the whole does not.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.exploring import Exploration, Move, Separating, cell_array
from pysim.geometry import Cell, Direction

__all__ = ["Aim", "Found", "Limits", "Step", "shortest"]


class Aim(Enum):
    """What counts as done."""

    APART = "apart"
    """Every piece is separated, or stands only with pieces that it may stay with."""
    ONE_BY_ONE = "one by one"
    """Every piece is separated, each by a move that leaves all others together."""
    ONE = "one"
    """Any one piece is separated."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search is cut off.

    Attributes:
        configurations: most configurations and separations that are looked at in all; the same on
            every machine.
        seconds: most time that is taken, from the start of the search; None for any.
    """

    configurations: int = 500_000
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a solution.

    Attributes:
        group: the pieces that are together before it.
        moving: those that move.
        direction: where to.
        units: how far; where it separates, this is enough.
        separates: whether ``moving`` is separated from the others by it.
    """

    group: tuple[int, ...]
    moving: frozenset[int]
    direction: Direction
    units: int
    separates: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        steps: the shortest solution that is known; None if none is.
        lower_bound: no solution is shorter. It is the solution's own length if that is shortest.
        impossible: whether it is proven that there is none.
    """

    steps: tuple[Step, ...] | None
    lower_bound: int
    impossible: bool = False


def shortest(
    pieces: Sequence[Sequence[Cell]],
    aim: Aim,
    may_stay: Callable[[Collection[int]], bool],
    limits: Limits,
) -> Found:
    """The fewest moves that do what ``aim`` says with assembled pieces.

    Args:
        pieces: each piece's cells in the assembled state.
        may_stay: for :attr:`Aim.APART`, whether some pieces need not be separated any more.

    Raises:
        ValueError: there are more pieces, or larger ones, than can be explored.
    """
    return _Search(pieces, aim, may_stay, limits).run()


class _LimitReachedError(Exception):
    """A search was cut off."""


class _ImpossibleError(Exception):
    """A group does not come apart."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Pieces and their offsets, relative to the first one's: (n, 3) int16 as bytes."""

    pieces: tuple[int, ...]
    offsets: bytes


@dataclass(frozen=True, slots=True)
class _Split:
    """A separation of a group: the move, how many came before it, and the parts."""

    separating: Separating
    before: int
    parts: tuple[_Group, _Group]


@dataclass
class _Record:
    """What is known of a group.

    Attributes:
        lower: it does not cost less.
        choice: the separation with which a shortest solution begins, once that is known.
        splits: the separations from the layers that were looked at, each pair of parts once.
        layers: how many layers were looked at.
    """

    exploration: Exploration
    lower: int
    choice: _Split | None = None
    splits: list[_Split] = field(default_factory=list)
    layers: int = 0
    seen: set[tuple[_Group, _Group]] = field(default_factory=set)


class _Search:
    def __init__(
        self,
        pieces: Sequence[Sequence[Cell]],
        aim: Aim,
        may_stay: Callable[[Collection[int]], bool],
        limits: Limits,
    ) -> None:
        self._cells = [cell_array(cells) for cells in pieces]
        self._aim = aim
        self._may_stay = may_stay
        self._limits = limits
        self._began = time.monotonic()
        self._visited = 0
        self._records: dict[_Group, _Record] = {}

    def run(self) -> Found:
        """See :func:`shortest`."""
        count = len(self._cells)
        start = _Group(tuple(range(count)), np.zeros((count, 3), np.int16).tobytes())
        if self._is_done(start.pieces):
            return Found((), 0)
        greedy: tuple[Step, ...] | None = None
        try:
            greedy = tuple(self._greedy(start))
            if self._within(start, len(greedy) - 1) is not None:
                steps = tuple(self._steps(start))
                return Found(steps, len(steps))
        except _ImpossibleError:
            return Found(None, 0, impossible=True)
        except _LimitReachedError:
            return Found(greedy, self._lower(start))
        return Found(greedy, len(greedy))

    def _is_done(self, pieces: tuple[int, ...]) -> bool:
        if self._aim is Aim.APART:
            return self._may_stay(pieces)
        return len(pieces) == 1

    def _least(self, pieces: tuple[int, ...]) -> int:
        """What taking these pieces apart costs at least, whatever they look like.

        Each separation makes one group more. What may stay together is not worked out; such groups
        cost one move at least.
        """
        if self._is_done(pieces):
            return 0
        if self._aim is Aim.ONE or not self._is_strict:
            return 1
        return len(pieces) - 1

    @property
    def _is_strict(self) -> bool:
        """Whether every piece must be separated from every other one."""
        everything = range(len(self._cells))
        return self._aim is not Aim.APART or not any(
            self._may_stay((i, j)) for i in everything for j in everything if i < j
        )

    def _record(self, group: _Group) -> _Record:
        record = self._records.get(group)
        if record is None:
            cells = [self._cells[i] for i in group.pieces]
            offsets = np.frombuffer(group.offsets, np.int16).reshape(-1, 3)
            exploration = Exploration(cells, offsets.astype(np.int32))
            self._visit(1)
            record = _Record(exploration, self._least(group.pieces))
            self._records[group] = record
        return record

    def _visit(self, configurations: int) -> None:
        self._visited += configurations
        seconds = self._limits.seconds
        if self._visited > self._limits.configurations or (
            seconds is not None and time.monotonic() - self._began > seconds
        ):
            raise _LimitReachedError

    def _greedy(self, group: _Group) -> Iterator[Step]:
        """A solution that takes the smallest part away at the first possibility."""
        record = self._record(group)
        while not any(self._usable(split) for split in record.splits):
            self._look(group, record)
        split = min(
            (s for s in record.splits if self._usable(s)),
            key=lambda s: min(len(part.pieces) for part in s.parts),
        )
        yield from self._moves(group, split)
        for part in self._rest(split):
            yield from self._greedy(part)

    def _usable(self, split: _Split) -> bool:
        return self._aim is not Aim.ONE_BY_ONE or any(len(p.pieces) == 1 for p in split.parts)

    def _rest(self, split: _Split) -> list[_Group]:
        """The parts with which a greedy solution goes on."""
        if self._aim is Aim.ONE:
            if any(len(part.pieces) == 1 for part in split.parts):
                return []
            return [min(split.parts, key=lambda part: len(part.pieces))]
        return [part for part in split.parts if not self._is_done(part.pieces)]

    def _look(self, group: _Group, record: _Record) -> None:
        """Look at one layer more: at its separations, and first for it.

        Raises:
            _ImpossibleError: there is none, and no separation was found.
        """
        exploration = record.exploration
        while exploration.depth < record.layers:
            known = exploration.configurations
            for count in exploration.advance():
                self._visit(count - known)
                known = count
        if not exploration.layer(record.layers):
            if not any(self._usable(split) for split in record.splits) and exploration.complete:
                raise _ImpossibleError
            raise _LimitReachedError
        for chunk in exploration.separations(record.layers):
            self._visit(len(chunk))
            for separating in chunk:
                split = _split(group, exploration, separating, record.layers)
                if split.parts not in record.seen:
                    record.seen.add(split.parts)
                    record.splits.append(split)
        record.layers += 1

    def _within(self, group: _Group, budget: int) -> int | None:
        """What a group costs, if that is at most ``budget``."""
        if self._is_done(group.pieces):
            return 0
        record = self._record(group)
        while record.lower <= budget:
            if record.choice is None:
                record.choice = self._way(group, record)
            if record.choice is not None:
                return record.lower
            record.lower += 1
        return None

    def _way(self, group: _Group, record: _Record) -> _Split | None:
        """A separation with which a solution of no more than ``record.lower`` moves begins."""
        total = record.lower
        after = max(0, self._least(group.pieces) - 1)
        while record.layers + 1 + after <= total and self._has_more(record):
            self._look(group, record)
        for split in record.splits:
            if self._usable(split) and self._fits(split, total - split.before - 1):
                return split
        if not record.exploration.complete:
            raise _LimitReachedError
        return None

    def _has_more(self, record: _Record) -> bool:
        """Whether there is a layer that was not looked at."""
        exploration = record.exploration
        return exploration.depth < record.layers or bool(exploration.layer(record.layers))

    def _fits(self, split: _Split, left: int) -> bool:
        """Whether the parts cost no more than ``left`` moves."""
        first, second = split.parts
        if self._aim is Aim.ONE:
            if any(len(part.pieces) == 1 for part in split.parts):
                return left >= 0
            return any(self._within(part, left) is not None for part in split.parts)
        cost = self._within(first, left - self._lower(second))
        return cost is not None and self._within(second, left - cost) is not None

    def _lower(self, group: _Group) -> int:
        """What is known to be the least cost of a group."""
        record = self._records.get(group)
        return self._least(group.pieces) if record is None else record.lower

    def _steps(self, group: _Group) -> Iterator[Step]:
        """A shortest solution of a group that is known to have one."""
        if self._is_done(group.pieces):
            return
        record = self._records[group]
        assert record.choice is not None
        yield from self._moves(group, record.choice)
        if self._aim is not Aim.ONE:
            for part in record.choice.parts:
                yield from self._steps(part)
        elif all(len(part.pieces) > 1 for part in record.choice.parts):
            left = record.lower - record.choice.before - 1
            yield from self._steps(
                next(p for p in record.choice.parts if self._within(p, left) is not None)
            )

    def _moves(self, group: _Group, split: _Split) -> Iterator[Step]:
        """The moves up to a separation, and that."""
        for move in self._records[group].exploration.path(split.separating.node):
            yield _step(group, move, False)
        yield _step(group, split.separating.move, True)


def _split(group: _Group, exploration: Exploration, separating: Separating, before: int) -> _Split:
    offsets = exploration.offsets(separating.node)
    places: tuple[list[int], list[int]] = ([], [])
    for place in range(len(group.pieces)):
        places[separating.bits >> place & 1].append(place)
    staying, moving = (_part(group, offsets, side) for side in places)
    return _Split(separating, before, (moving, staying))


def _part(group: _Group, offsets: NDArray[np.int16], places: list[int]) -> _Group:
    rows = offsets[places] - offsets[places[0]]
    return _Group(tuple([group.pieces[i] for i in places]), rows.tobytes())


def _step(group: _Group, move: Move, separates: bool) -> Step:
    moving = frozenset(group.pieces[i] for i in move.moving)
    return Step(group.pieces, moving, move.direction, move.units, separates)
