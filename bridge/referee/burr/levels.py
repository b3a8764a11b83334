"""Whether an assembled lock can have the level that is said of it, as designers write levels.

``a.b.c``: moves to the first separation, then those of each part, parts that need only single
moves left out. Several separations may be equally early, and which of them is followed is a
convention of each program; so a level is confirmed if any choice of the earliest separations gives
it, either part first.
"""

from collections.abc import Callable, Sequence

from .state_space import Assembly, Group, Split

__all__ = ["Levels", "parse_level"]

BurrLevel = tuple[int, ...]


class Levels:
    """The levels that one lock can have."""

    def __init__(self, assembly: Assembly, may_stay: Callable[[Sequence[int]], bool]) -> None:
        """``may_stay``: whether pieces need not be separated from each other."""
        self._assembly = assembly
        self._may_stay = may_stay
        self._first: dict[Group, tuple[int, Sequence[Split]]] = {}
        self._matched: dict[tuple[Group, BurrLevel], bool] = {}

    def is_possible(self, group: Group, level: BurrLevel) -> bool:
        """Return whether a group can have a level; empty stands for single moves only.

        Raises:
            TooManyStates: too much would have to be looked at.
        """
        if self._may_stay(group.pieces):
            return not level
        key = (group, level)
        if key not in self._matched:
            self._matched[key] = self._match(group, level)
        return self._matched[key]

    def find_first_separation(self, group: Group) -> tuple[int, Sequence[Split]]:
        """The moves to the first separation, and all separations after so many; 0 if none is.

        Raises:
            TooManyStates: too much would have to be looked at.
        """
        if group not in self._first:
            self._first[group] = self._search(group)
        return self._first[group]

    def is_separable(self, group: Group) -> bool:
        """Return whether a group comes apart completely.

        Any separation will do: parts that come apart at all do so from wherever they are.

        Raises:
            TooManyStates: too much would have to be looked at.
        """
        if self._may_stay(group.pieces):
            return True
        _, splits = self.find_first_separation(group)
        return bool(splits) and all(map(self.is_separable, splits[0]))

    def _search(self, group: Group) -> tuple[int, Sequence[Split]]:
        for depth, expansion in enumerate(self._assembly.generate_layers(group)):
            if expansion.splits:
                return depth + 1, sorted(expansion.splits, key=_smaller_part)
        return 0, ()

    def _match(self, group: Group, level: BurrLevel) -> bool:
        moves, splits = self.find_first_separation(group)
        if moves != (level[0] if level else 1) or not splits:
            return False
        rest = level[1:]
        return any(
            self._split_matches(order, rest[:cut], rest[cut:])
            for split in splits
            for order in (split, split[::-1])
            for cut in range(len(rest) + 1)
        )

    def _split_matches(self, split: Split, one: BurrLevel, other: BurrLevel) -> bool:
        if any(part and max(part) == 1 for part in (one, other)):
            return False
        first, second = split
        return self.is_possible(first, one) and self.is_possible(second, other)


def _smaller_part(split: Split) -> tuple[int, tuple[int, ...], bytes, bytes]:
    first, second = split
    return min(len(first), len(second)), first.pieces, first.offsets, second.offsets


def parse_level(level: str) -> BurrLevel:
    """``9.3`` as numbers.

    Raises:
        ValueError: it is no level.
    """
    if not all(part.isdecimal() and int(part) > 0 for part in level.split(".")):
        raise ValueError(f"{level!r:.40} is no level")
    return tuple(map(int, level.split(".")))
