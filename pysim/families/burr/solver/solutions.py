"""Goals, limits and results of the search for disassemblies with the fewest moves."""

from dataclasses import dataclass
from enum import Enum

from pysim.geometry import Direction

__all__ = ["Aim", "Limits", "SearchResult", "SlideStep"]


class Aim(Enum):
    """Condition of success."""

    APART = "apart"
    """Every piece is separated, or stands only with pieces that it may stay with."""
    ONE_BY_ONE = "one by one"
    """Every piece is separated, each by a move that leaves all others together."""
    ONE = "one"
    """Any one piece is separated."""
    TOGETHER = "together"
    """A lower bound for assembly: the moves that it takes at least, minus the one of the last
    piece. Each piece leaves by a move of its own. A move of several pieces that are already apart
    from each other counts once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search.

    Attributes:
        configurations: most configurations and separations that are looked at in all; the same on
            every machine.
        seconds: most time that is taken, from the start of the search; None for any.
    """

    configurations: int = 500_000
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SlideStep:
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
class SearchResult:
    """Result of a search.

    Attributes:
        steps: the shortest solution that is known; None if none is.
        lower_bound: no solution is shorter. It is the solution's own length if that is shortest.
        impossible: whether it is proven that there is none.
    """

    steps: tuple[SlideStep, ...] | None
    lower_bound: int
    impossible: bool = False
