"""Ways of bodies through the scene, for worlds and films.

A body that goes through gates can't go there straight: the world knows nothing of gates. It is
brought there around all walls, over the open top of the scene.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from pysim.errors import InputError
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.views import is_standing
from pysim.geometry import Bounds, Cell, Direction, add, subtract
from pysim.path import Shift

__all__ = ["check_paths", "find_path", "split_path"]

MARGIN = 3
"""Cells around a room that a way may use."""


def find_path(
    start: Cell, goal: Cell, bounds: Bounds, is_free: Callable[[Cell], bool]
) -> tuple[Cell, ...] | None:
    """Return a shortest way from cell to cell, both ends among them; None if there is none."""
    room = bounds.expand((MARGIN,) * 3, (MARGIN,) * 3)
    former, queue = {start: start}, deque([start])
    while queue and goal not in former:
        cell = queue.popleft()
        for side in reversed(Direction):
            there = add(cell, side.vector)
            if there not in former and room.has_cell(there) and is_free(there):
                former[there] = cell
                queue.append(there)
    if goal not in former:
        return None
    way = [goal]
    while way[-1] != start:
        way.append(former[way[-1]])
    return tuple(reversed(way))


def split_path(cells: Sequence[Cell]) -> Iterator[Shift]:
    """Yield the straight parts of a way from neighbour to neighbour."""
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


def check_paths(chamber: Chamber) -> None:
    """Refuse a chamber that worlds can't have: each free cell has to be reached from above.

    Raises:
        InputError: one is closed in.
    """
    reached = set[Cell]()
    for cell in sorted(_covered(chamber)):
        if cell not in reached:
            way, out = _outwards(chamber, cell, reached)
            if not out:
                raise InputError(f"{cell} is closed in, by an inner ceiling for instance")
            reached |= way


def _covered(chamber: Chamber) -> Iterator[Cell]:
    """Yield the cells that bodies may be in, and over which there is something."""
    columns: dict[tuple[int, int], list[int]] = {}
    for x, y, z in chamber.free - chamber.liquid - chamber.door_at.keys():
        columns.setdefault((x, y), []).append(z)
    top = chamber.size[2] - 1
    for (x, y), heights in columns.items():
        if top - min(heights) == len(heights) and top not in heights:
            continue  # Free up to the ceiling.
        yield from ((x, y, z) for z in heights if not _is_open(chamber, (x, y, z)))


def _is_open(chamber: Chamber, cell: Cell) -> bool:
    """Return whether nothing is straight above a cell."""
    x, y, z = cell
    return not any(is_standing(chamber, (x, y, k)) for k in range(z, chamber.size[2]))


def _outwards(chamber: Chamber, start: Cell, reached: AbstractSet[Cell]) -> tuple[set[Cell], bool]:
    """Return the cells that are seen in looking for a way out, and whether there is one."""
    room = chamber.bounds.expand((1, 1, 1), (2, 2, 2))
    seen, queue = {start}, [start]
    while queue:
        cell = queue.pop()
        if cell in reached or not chamber.bounds.has_cell(cell) or _is_open(chamber, cell):
            return seen, True
        for side in Direction:
            there = add(cell, side.vector)
            if there not in seen and room.has_cell(there) and not is_standing(chamber, there):
                seen.add(there)
                queue.append(there)
    return seen, False
