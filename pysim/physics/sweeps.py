"""Straight ways of bodies that move as one, and how far such a way is free."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pysim.geometry import Direction

__all__ = ["FINE", "Line", "Pair", "measure_free_distance"]

SUBSTEPS = 10
"""Looks per unit of a sweep. No part of a body is thinner than 0.99 units."""
FINE = 0.005
"""Units to which the place of contact is found."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A moving body and another one, near its way between two distances from the start.

    Attributes:
        depth: units they may be in each other without standing in each other's way.
    """

    mover: str
    other: str
    first: float
    last: float
    depth: float


@dataclass(frozen=True, slots=True)
class Line:
    """A straight way of bodies that move as one; a sweep, or a leg of a carry."""

    bodies: frozenset[str]
    direction: Direction
    distance: int


def measure_free_distance(
    pairs: Sequence[Pair], line: Line, blocked: Callable[[float], bool]
) -> tuple[float, float]:
    """Return the last free and the first blocked distance (the end: nothing is in the way).

    Args:
        pairs: what may meet on the way.
        blocked: whether anything meets at a distance from the start.
    """
    end = float(line.distance)
    if not pairs:
        return end, end
    first = max(0.0, min(pair.first for pair in pairs))
    last = min(end, max(pair.last for pair in pairs))
    for k in range(math.floor(first * SUBSTEPS), math.ceil(last * SUBSTEPS)):
        if blocked((k + 1) / SUBSTEPS):
            return _contact(blocked, k / SUBSTEPS, (k + 1) / SUBSTEPS)
    return end, end


def _contact(blocked: Callable[[float], bool], free: float, hit: float) -> tuple[float, float]:
    """Bisection between a free and a blocked distance, until they are close."""
    while hit - free > FINE:
        middle = (free + hit) / 2.0
        if blocked(middle):
            hit = middle
        else:
            free = middle
    return free, hit
