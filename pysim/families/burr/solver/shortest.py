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
come apart proves that the whole does not. That holds where every piece is to be separated; where
only some ways of coming apart will do, a part that is stuck rules out no more than that separation.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.exploration import Exploration, Separating, Translation, index_cells
from pysim.families.burr.solver.solutions import Aim, Limits, SearchResult, SlideStep
from pysim.geometry import Cell

__all__ = ["find_lower_bound", "find_shortest"]


def find_shortest(
    pieces: Sequence[Sequence[Cell]],
    aim: Aim,
    may_stay: Callable[[Collection[int]], bool],
    limits: Limits,
) -> SearchResult:
    """Return the fewest moves that do what ``aim`` says with assembled pieces.

    Args:
        pieces: each piece's cells in the assembled state.
        may_stay: for :attr:`Aim.APART`, whether some pieces need not be separated any more.

    Raises:
        InputError: there are more pieces, or larger ones, than can be explored.
    """
    return _Search(pieces, aim, may_stay, limits).run()


def find_lower_bound(pieces: Sequence[Sequence[Cell]], most: int, limits: Limits) -> int:
    """Return a number of moves below which assembled pieces can't have been put together.

    Read backwards, every piece leaves by a straight move of its own, from among those that are
    still there, and other moves translate some of these. Such moves may lay pieces apart from each
    other without ending anything, and a later one may then move pieces of both sides at once. So
    after a move that separates two groups only the longer of the two's other moves counts: moves of
    all pieces, restricted to a group, are moves of the group. What was done with a piece before it
    was brought for the last time can be left out.

    Args:
        pieces: each piece's cells in the assembled state.
        most: a number of moves that is known to be enough.

    Returns:
        A lower bound, at most ``most``.
    """
    return (
        _Search(pieces, Aim.TOGETHER, lambda group: len(group) == 1, limits).compute_lower_bound(
            most - 1
        )
        + 1
    )


class _LimitReachedError(Exception):
    """A search was cut off."""


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
    """Knowledge about a group.

    Attributes:
        lower: it does not cost less.
        choice: the separation with which a shortest solution begins, once that is known.
        splits: the separations from the layers that were looked at, each pair of parts once.
        layers: how many layers were looked at.
        stuck: whether it is proven that it can't do what is asked for.
        inseparable: whether it is proven that it does not come apart, in whatever way.
    """

    exploration: Exploration
    lower: int
    choice: _Split | None = None
    splits: list[_Split] = field(default_factory=list)
    layers: int = 0
    stuck: bool = False
    inseparable: bool = False
    seen: set[tuple[_Group, _Group]] = field(default_factory=set)


class _Search:
    def __init__(
        self,
        pieces: Sequence[Sequence[Cell]],
        aim: Aim,
        may_stay: Callable[[Collection[int]], bool],
        limits: Limits,
    ) -> None:
        self._cells = [index_cells(cells) for cells in pieces]
        self._aim = aim
        self._may_stay = may_stay
        self._limits = limits
        self._began = time.monotonic()
        self._visited = 0
        self._records: dict[_Group, _Record] = {}

    def run(self) -> SearchResult:
        """See :func:`find_shortest`."""
        start = self._start()
        if self._is_done(start.pieces):
            return SearchResult((), 0)
        greedy: list[SlideStep] | None = None
        try:
            greedy = self._greedy(start)
            if greedy is None:
                return SearchResult(None, 0, impossible=True)
            cost = self._within(start, len(greedy) - 1)
        except _LimitReachedError:
            return SearchResult(None if greedy is None else tuple(greedy), self._lower(start))
        if cost is None:
            return SearchResult(tuple(greedy), len(greedy))
        steps = tuple(self._steps(start))
        if len(steps) != cost:
            raise AssertionError(f"a way of {len(steps)} moves was said to take {cost}")
        return SearchResult(steps, cost)

    def compute_lower_bound(self, most: int) -> int:
        """No solution takes fewer moves than this; ``most`` at the most."""
        start = self._start()
        if self._is_done(start.pieces):
            return 0
        try:
            cost = self._within(start, most - 1)
        except _LimitReachedError:
            cost = self._lower(start)
        return most if cost is None else cost

    def _start(self) -> _Group:
        count = len(self._cells)
        return _Group(tuple(range(count)), np.zeros((count, 3), np.int16).tobytes())

    def _is_done(self, pieces: tuple[int, ...]) -> bool:
        if self._aim is Aim.APART:
            return self._may_stay(pieces)
        return len(pieces) == 1

    def _least(self, pieces: tuple[int, ...]) -> int:
        """Return a lower bound for taking these pieces apart, whatever their shapes.

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

    def _greedy(self, group: _Group) -> list[SlideStep] | None:
        """A solution that takes the smallest part away at the first possibility; None: none is."""
        record = self._record(group)
        tried = 0
        while not record.stuck:
            found = record.splits[tried:]
            tried = len(record.splits)
            for split in sorted(filter(self._usable, found), key=_smallest_part):
                rest = self._onward(split)
                if rest is not None:
                    return [*self._moves(group, split), *rest]
                if self._aim is not Aim.ONE and any(map(self._is_inseparable, split.parts)):
                    record.stuck = record.inseparable = True
                    return None
            record.stuck = not self._look(group, record)
        record.inseparable = record.inseparable or not record.splits
        return None

    def _is_inseparable(self, group: _Group) -> bool:
        record = self._records.get(group)
        return record is not None and record.inseparable

    def _usable(self, split: _Split) -> bool:
        return self._aim is not Aim.ONE_BY_ONE or _frees_one(split)

    def _onward(self, split: _Split) -> list[SlideStep] | None:
        """Return the rest of a greedy solution after a separation; None if there is none."""
        if self._aim is Aim.ONE:
            if _frees_one(split):
                return []
            smaller_first = sorted(split.parts, key=lambda part: len(part.pieces))
            ways = map(self._greedy, smaller_first)
            return next((way for way in ways if way is not None), None)
        steps: list[SlideStep] = []
        for part in split.parts:
            if not self._is_done(part.pieces):
                way = self._greedy(part)
                if way is None:
                    return None
                steps += way
        return steps

    def _look(self, group: _Group, record: _Record) -> bool:
        """Look at one layer more: at its separations, and first for it.

        Returns:
            Whether there was one: if not, every configuration has been looked at.
        """
        exploration = record.exploration
        while exploration.depth < record.layers:
            known = exploration.configurations
            for count in exploration.expand():
                self._visit(count - known)
                known = count
        if not exploration.get_layer(record.layers):
            if not exploration.complete:
                raise _LimitReachedError
            return False
        for chunk in exploration.list_separations(record.layers):
            self._visit(len(chunk))
            for separating in chunk:
                split = _split(group, exploration, separating, record.layers)
                if split.parts not in record.seen:
                    record.seen.add(split.parts)
                    record.splits.append(split)
        record.layers += 1
        return True

    def _within(self, group: _Group, budget: int) -> int | None:
        """Return the cost of a group, if that is at most ``budget``."""
        if self._is_done(group.pieces):
            return 0 if budget >= 0 else None
        record = self._record(group)
        while record.lower <= budget and not record.stuck:
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
        while record.layers + 1 + after <= total and self._look(group, record):
            pass
        for split in record.splits:
            if self._usable(split) and self._fits(split, total - split.before - 1):
                return split
        if not record.exploration.complete:
            raise _LimitReachedError
        return None

    def _fits(self, split: _Split, left: int) -> bool:
        """Return whether the parts cost no more than ``left`` moves."""
        if left < 0:
            return False
        first, second = split.parts
        if self._aim is Aim.ONE:
            return _frees_one(split) or any(
                self._within(part, left) is not None for part in split.parts
            )
        if self._aim is Aim.TOGETHER and not _frees_one(split):
            # Each part's last piece leaves by a move of its own, and the parts move side by side.
            alone = left - 1
            return all(
                self._within(part, alone - (len(other.pieces) - 1)) is not None
                for part, other in ((first, second), (second, first))
            )
        cost = self._within(first, left - self._lower(second))
        return cost is not None and self._within(second, left - cost) is not None

    def _lower(self, group: _Group) -> int:
        """Return the best known lower bound of a group's cost."""
        record = self._records.get(group)
        return self._least(group.pieces) if record is None else record.lower

    def _steps(self, group: _Group) -> Iterator[SlideStep]:
        """Yield a shortest solution of a group that is known to have one."""
        if self._is_done(group.pieces):
            return
        record = self._records[group]
        assert record.choice is not None
        yield from self._moves(group, record.choice)
        if self._aim is not Aim.ONE:
            for part in record.choice.parts:
                yield from self._steps(part)
        elif not _frees_one(record.choice):
            left = record.lower - record.choice.before - 1
            yield from self._steps(
                next(p for p in record.choice.parts if self._within(p, left) is not None)
            )

    def _moves(self, group: _Group, split: _Split) -> Iterator[SlideStep]:
        """Yield the moves up to a separation, and that."""
        for move in self._records[group].exploration.find_path(split.separating.node):
            yield _step(group, move, False)
        yield _step(group, split.separating.move, True)


def _frees_one(split: _Split) -> bool:
    return any(len(part.pieces) == 1 for part in split.parts)


def _smallest_part(split: _Split) -> int:
    return min(len(part.pieces) for part in split.parts)


def _split(group: _Group, exploration: Exploration, separating: Separating, before: int) -> _Split:
    offsets = exploration.get_offsets(separating.node)
    places: tuple[list[int], list[int]] = ([], [])
    for place in range(len(group.pieces)):
        places[separating.bits >> place & 1].append(place)
    staying, moving = (_part(group, offsets, side) for side in places)
    return _Split(separating, before, (moving, staying))


def _part(group: _Group, offsets: NDArray[np.int16], places: list[int]) -> _Group:
    rows = offsets[places] - offsets[places[0]]
    return _Group(tuple([group.pieces[i] for i in places]), rows.tobytes())


def _step(group: _Group, move: Translation, separates: bool) -> SlideStep:
    moving = frozenset(group.pieces[i] for i in move.moving)
    return SlideStep(group.pieces, moving, move.direction, move.units, separates)
