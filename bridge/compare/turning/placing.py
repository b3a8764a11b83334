"""Places on paths: what the picture costs there, and the best one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bridge.compare.tracking.search import WORTH
from bridge.compare.turning.paths import Path

__all__ = ["LEAVE", "PathCost", "Placed", "best_of", "refined"]

LEAVE = 0.01
"""Pixels that have to look better, as a share of all, before a rest is left."""
_FINEST = 0.015
"""Units along a path that are told apart."""
_SNAP = 0.15
"""Units from the end of a path at which it may have been reached."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A place on a path, what the whole picture costs then, and pixels of what has moved."""

    path: Path
    way: float
    cost: float
    seen: int


PathCost = Callable[..., Placed]
"""Of a place along a path, and of how many rows one is looked at."""


def best_of(places: Iterable[Placed]) -> Placed:
    """The one that costs least."""
    return min(places, key=lambda one: one.cost)


def refined(line: PathCost, best: Placed) -> Placed:
    """The best place near one; an end of the path, if that is near and looks as good."""
    step = 0.2
    while step > _FINEST:
        best = best_of([best, *(line(best.way + sign * step) for sign in (1.0, -1.0))])
        step /= 2.0
    for end in (0.0, best.path.length):
        if abs(best.way - end) < _SNAP:
            there = line(end)
            if there.cost < best.cost + WORTH + LEAVE / 2.0 * best.seen:
                return there
    return best
