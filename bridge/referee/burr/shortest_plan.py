"""Branch and bound for the shortest plan of a lock, over groups of pieces that are still together.

The cost of a group is a minimum over all separations of its configurations. A separation costs the
moves that lead there, the separating move, and the cost of its two parts. Separated parts never
meet again, so their costs add up. Layers of configurations are expanded only as long as they can
lead to a cost below the best one known.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from .state_space import Assembly, Expansion, Group, Split, TooManyStates

__all__ = ["CostBound", "Objective", "ShortestPlanSearch"]


class Objective(Enum):
    """Quantity that is minimised; see docs/certification.md."""

    APART = "disassemble"
    """Moves until only pieces that may stay together are still together."""
    KEY = "key"
    """Moves until any one piece is alone."""
    TOGETHER = "assemble"
    """A lower bound of the moves to assemble the pieces, minus one."""


@dataclass(frozen=True, slots=True)
class CostBound:
    """Lower bound of the number of moves.

    Attributes:
        lower_bound: no plan has fewer moves.
        is_exact: whether a plan with that number of moves exists.
        reason: reason for which the search was cut off; empty if it was not.
    """

    lower_bound: int
    is_exact: bool
    reason: str = ""


class ShortestPlanSearch:
    """A search for the shortest plan of one lock.

    Attributes:
        bounds: for each group that was searched, a lower bound of its cost.
    """

    def __init__(
        self, assembly: Assembly, objective: Objective, may_stay: Callable[[Sequence[int]], bool]
    ) -> None:
        """``may_stay``: for :attr:`Objective.APART`, whether pieces may stay together."""
        self._assembly = assembly
        self._objective = objective
        self._may_stay = may_stay
        self._costs: dict[Group, int] = {}
        self._layers: dict[Group, _Layers] = {}
        self.bounds: dict[Group, int] = {}

    def search_below(self, start: Group, limit: int) -> CostBound:
        """Return the cost of a group if it is less than ``limit``, else a lower bound."""
        bound = self.compute_lower_bound(start)
        for cost in range(bound, limit):
            try:
                found = self.compute_cost(start, cost + 1)
            except TooManyStates as error:
                return CostBound(cost, False, str(error))
            if found is not None:
                return CostBound(found, True)
        return CostBound(max(bound, limit), False)

    def compute_lower_bound(self, group: Group) -> int:
        """Return a lower bound from the pieces alone: one move for each part to be separated."""
        if self.is_done(group):
            return 0
        if self._objective is Objective.KEY or self._has_permitted_pair(group):
            return 1
        return len(group) - 1

    def is_done(self, group: Group) -> bool:
        """Return whether a group needs no further move."""
        if self._objective is Objective.APART:
            return self._may_stay(group.pieces)
        return len(group) == 1

    def compute_cost(self, group: Group, below: int) -> int | None:
        """Return the cost of a group; None if it is at least ``below``.

        Raises:
            TooManyStates: the limit of configurations was reached.
        """
        if self.is_done(group):
            return 0 if below > 0 else None
        if group in self._costs:
            cost = self._costs[group]
            return cost if cost < below else None
        if max(self.bounds.get(group, 0), self.compute_lower_bound(group)) >= below:
            return None
        best = self._search(group, below)
        if best < below:
            self._costs[group] = best
        self.bounds[group] = max(best, self.bounds.get(group, 0))
        return best if best < below else None

    def compute_split_bound(self, split: Split) -> int:
        """Return a lower bound of the total cost of both parts of a separation."""
        first, second = split
        one, other = self._get_lower_bound(first), self._get_lower_bound(second)
        if self._objective is Objective.KEY:
            return 0 if min(len(first), len(second)) == 1 else min(one, other)
        if self._objective is Objective.TOGETHER and min(len(first), len(second)) > 1:
            return 1 + max(one + len(second) - 1, other + len(first) - 1)
        return one + other

    def _search(self, group: Group, below: int) -> int:
        best = below
        for depth, splits in enumerate(self._iterate_splits(group)):
            if depth + 1 + self._compute_parts_bound(group) >= best:
                break
            for split in splits:
                cost = self._compute_parts_cost(split, best - depth - 1)
                if cost is not None:
                    best = depth + 1 + cost
        return best

    def _iterate_splits(self, group: Group) -> Iterator[Sequence[Split]]:
        """Yield the separations of each layer that no earlier layer has."""
        if group not in self._layers:
            self._layers[group] = _Layers(self._assembly.generate_layers(group))
        return iter(self._layers[group])

    def _compute_parts_bound(self, group: Group) -> int:
        """Return a lower bound of the total cost of the parts of a group."""
        return max(0, self.compute_lower_bound(group) - 1)

    def _compute_parts_cost(self, split: Split, below: int) -> int | None:
        """Return the cost of both parts of a separation if it is less than ``below``, else None."""
        first, second = split
        if self._objective is Objective.KEY:
            return self._compute_key_cost(split, below)
        if self._objective is Objective.TOGETHER and len(first) > 1 and len(second) > 1:
            return self._compute_parallel_cost(split, below)
        cost = self.compute_cost(first, below - self._get_lower_bound(second))
        if cost is None:
            return None
        other = self.compute_cost(second, below - cost)
        return None if other is None else cost + other

    def _compute_key_cost(self, split: Split, below: int) -> int | None:
        if any(len(part) == 1 for part in split):
            return 0 if below > 0 else None
        best = None
        for part in split:
            cost = self.compute_cost(part, below if best is None else best)
            best = cost if cost is not None else best
        return best

    def _compute_parallel_cost(self, split: Split, below: int) -> int | None:
        """Return the largest sum of the cost of one part and the number of pieces of the other."""
        highest = 0
        for part, other in (split, split[::-1]):
            cost = self.compute_cost(part, below - 1 - (len(other) - 1))
            if cost is None:
                return None
            highest = max(highest, cost + 1 + len(other) - 1)
        return highest

    def _get_lower_bound(self, group: Group) -> int:
        return max(self.bounds.get(group, 0), self.compute_lower_bound(group))

    def _has_permitted_pair(self, group: Group) -> bool:
        pieces = group.pieces
        return self._objective is Objective.APART and any(
            self._may_stay((a, b)) for a in pieces for b in pieces if a < b
        )


class _Layers:
    """New separations of each layer of a group, computed on demand and cached."""

    def __init__(self, expansions: Iterator[Expansion]) -> None:
        self._expansions = expansions
        self._cached: list[Sequence[Split]] = []
        self._seen: set[Split] = set()

    def __iter__(self) -> Iterator[Sequence[Split]]:
        depth = 0
        while True:
            if depth == len(self._cached):
                expansion = next(self._expansions, None)
                if expansion is None:
                    return
                new = expansion.splits - self._seen
                self._seen |= new
                self._cached.append(sorted(new, key=_make_sort_key))
            yield self._cached[depth]
            depth += 1


def _make_sort_key(split: Split) -> tuple[tuple[int, ...], bytes, bytes]:
    first, second = split
    return (first.pieces, first.offsets, second.offsets)
