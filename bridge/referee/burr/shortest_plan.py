"""The fewest moves that do what a lock asks for, found by branch and bound over whole groups.

What a group costs is the least, over every separation that any of its configurations allows, of the
moves that lead there, one more, and what the two parts cost. Parts that are separated never meet
again, so their costs add up. The bound is whatever is known to be enough; layers of configurations
are looked at only as long as something below it could follow.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from .state_space import Assembly, Expansion, Group, Split, TooManyStates

__all__ = ["CostBound", "Objective", "ShortestPlanSearch"]


class Objective(Enum):
    """Quantity that is minimised; see docs/certification.md."""

    APART = "disassemble"
    """Moves until only pieces that may stay together are together."""
    KEY = "key"
    """Moves until any one piece is alone."""
    TOGETHER = "assemble"
    """What putting together takes at least, less one."""


@dataclass(frozen=True, slots=True)
class CostBound:
    """Bounds of the fewest moves.

    Attributes:
        at_least: there is no way with fewer moves.
        exactly: whether there is a way with that number.
        reason: why the search was cut off; empty if it was not.
    """

    at_least: int
    exactly: bool
    reason: str = ""


class ShortestPlanSearch:
    """Searches one lock.

    Attributes:
        bounds: for each group that was looked at, moves that it is known to cost at least.
    """

    def __init__(
        self, assembly: Assembly, task: Objective, may_stay: Callable[[Sequence[int]], bool]
    ) -> None:
        """``may_stay``: for :attr:`Objective.APART`, whether pieces need not be separated."""
        self._assembly = assembly
        self._task = task
        self._may_stay = may_stay
        self._known: dict[Group, int] = {}
        self._layers: dict[Group, _Layers] = {}
        self.bounds: dict[Group, int] = {}

    def search_below(self, start: Group, most: int) -> CostBound:
        """Return the cost of a group if it is less than ``most``, else a lower bound."""
        least = self.compute_lower_bound(start)
        for cost in range(least, most):
            try:
                found = self.compute_cost(start, cost + 1)
            except TooManyStates as error:
                return CostBound(cost, False, str(error))
            if found is not None:
                return CostBound(found, True)
        return CostBound(max(least, most), False)

    def compute_lower_bound(self, group: Group) -> int:
        """Return a lower bound for such pieces: a move for each part that must come off."""
        if self.is_done(group):
            return 0
        if self._task is Objective.KEY or self._has_companions(group):
            return 1
        return len(group) - 1

    def is_done(self, group: Group) -> bool:
        """Return whether nothing needs to be done with a group any more."""
        if self._task is Objective.APART:
            return self._may_stay(group.pieces)
        return len(group) == 1

    def compute_cost(self, group: Group, below: int) -> int | None:
        """Return the cost of a group; None if it is known to be ``below`` or more.

        Raises:
            TooManyStates: the limit was reached before that was known.
        """
        if self.is_done(group):
            return 0 if below > 0 else None
        if group in self._known:
            cost = self._known[group]
            return cost if cost < below else None
        if max(self.bounds.get(group, 0), self.compute_lower_bound(group)) >= below:
            return None
        best = self._search(group, below)
        if best < below:
            self._known[group] = best
        self.bounds[group] = max(best, self.bounds.get(group, 0))
        return best if best < below else None

    def lower(self, split: Split) -> int:
        """Return a lower bound for the parts of a separation together."""
        first, second = split
        one, other = self._bound(first), self._bound(second)
        if self._task is Objective.KEY:
            return 0 if min(len(first), len(second)) == 1 else min(one, other)
        if self._task is Objective.TOGETHER and min(len(first), len(second)) > 1:
            return 1 + max(one + len(second) - 1, other + len(first) - 1)
        return one + other

    def _search(self, group: Group, below: int) -> int:
        best = below
        for depth, splits in enumerate(self._splits(group)):
            if depth + 1 + self._least_after(group) >= best:
                break
            for split in splits:
                rest = self._after(split, best - depth - 1)
                if rest is not None:
                    best = depth + 1 + rest
        return best

    def _splits(self, group: Group) -> Iterator[Sequence[Split]]:
        """Return the separations from each layer, those of earlier layers left out."""
        if group not in self._layers:
            self._layers[group] = _Layers(self._assembly.generate_layers(group))
        return iter(self._layers[group])

    def _least_after(self, group: Group) -> int:
        """Return a lower bound for the parts of a group together."""
        return max(0, self.compute_lower_bound(group) - 1)

    def _after(self, split: Split, below: int) -> int | None:
        """Return the cost of both parts of a separation, if it is less than ``below``."""
        first, second = split
        if self._task is Objective.KEY:
            return self._after_key(split, below)
        if self._task is Objective.TOGETHER and len(first) > 1 and len(second) > 1:
            return self._after_side_by_side(split, below)
        cost = self.compute_cost(first, below - self._bound(second))
        if cost is None:
            return None
        other = self.compute_cost(second, below - cost)
        return None if other is None else cost + other

    def _after_key(self, split: Split, below: int) -> int | None:
        if any(len(part) == 1 for part in split):
            return 0 if below > 0 else None
        best = None
        for part in split:
            cost = self.compute_cost(part, below if best is None else best)
            best = cost if cost is not None else best
        return best

    def _after_side_by_side(self, split: Split, below: int) -> int | None:
        """Parts that leave piece by piece, their other moves side by side, and one piece more."""
        total = 0
        for part, other in (split, split[::-1]):
            cost = self.compute_cost(part, below - 1 - (len(other) - 1))
            if cost is None:
                return None
            total = max(total, cost + 1 + len(other) - 1)
        return total

    def _bound(self, group: Group) -> int:
        return max(self.bounds.get(group, 0), self.compute_lower_bound(group))

    def _has_companions(self, group: Group) -> bool:
        pieces = group.pieces
        return self._task is Objective.APART and any(
            self._may_stay((a, b)) for a in pieces for b in pieces if a < b
        )


class _Layers:
    """The layers of a group, kept as far as they were asked for: each one's new separations."""

    def __init__(self, expansions: Iterator[Expansion]) -> None:
        self._expansions = expansions
        self._found: list[Sequence[Split]] = []
        self._seen: set[Split] = set()

    def __iter__(self) -> Iterator[Sequence[Split]]:
        depth = 0
        while True:
            if depth == len(self._found):
                expansion = next(self._expansions, None)
                if expansion is None:
                    return
                new = expansion.splits - self._seen
                self._seen |= new
                self._found.append(sorted(new, key=_by_pieces))
            yield self._found[depth]
            depth += 1


def _by_pieces(split: Split) -> tuple[tuple[int, ...], bytes, bytes]:
    first, second = split
    return (first.pieces, first.offsets, second.offsets)
