"""Ways of bodies through the scene, for worlds and films.

A body that goes through gates can't go there straight: the world knows nothing of gates. It is
brought there around all walls, over the open top of the scene.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from pysim.geometry import Bounds, Cell, Direction, add, subtract
from pysim.legs import Shift

__all__ = ["legs_of", "way_around"]

MARGIN = 3
"""Cells around a room that a way may use."""


def way_around(
    start: Cell, goal: Cell, bounds: Bounds, is_free: Callable[[Cell], bool]
) -> tuple[Cell, ...] | None:
    """A shortest way from cell to cell, both ends among them; None if there is none."""
    room = bounds.grown((MARGIN,) * 3, (MARGIN,) * 3)
    former, queue = {start: start}, deque([start])
    while queue and goal not in former:
        cell = queue.popleft()
        for side in reversed(Direction):
            there = add(cell, side.vector)
            if there not in former and room.holds(there) and is_free(there):
                former[there] = cell
                queue.append(there)
    if goal not in former:
        return None
    way = [goal]
    while way[-1] != start:
        way.append(former[way[-1]])
    return tuple(reversed(way))


def legs_of(cells: Sequence[Cell]) -> Iterator[Shift]:
    """The straight parts of a way from neighbour to neighbour."""
    here: tuple[Direction, int] | None = None
    for way in _directions(cells):
        if here is not None and here[0] is way:
            here = (way, here[1] + 1)
            continue
        if here is not None:
            yield Shift(*here)
        here = (way, 1)
    if here is not None:
        yield Shift(*here)


def _directions(cells: Sequence[Cell]) -> Iterable[Direction]:
    vectors = {way.vector: way for way in Direction}
    return (vectors[subtract(there, here)] for here, there in pairwise(cells) if here != there)
