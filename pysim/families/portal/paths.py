"""Ways of bodies through the scene, for worlds and films.

A body that goes through gates can't go there straight: the world knows nothing of gates. It is
brought there around all walls, over the open top of the scene.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise

from pysim.errors import InputError
from pysim.families.portal.chamber import AIR, DULL, Chamber
from pysim.families.portal.views import is_standing
from pysim.geometry import Bounds, Cell, Direction, add, subtract
from pysim.path import Shift

__all__ = ["check_paths", "find_path", "split_path"]

MARGIN = 3
"""Cells around a room that a way may use."""


def find_path(
    start: Cell, goal: Cell, bounds: Bounds, closed: AbstractSet[Cell]
) -> tuple[Cell, ...] | None:
    """Return a shortest way from cell to cell, both ends among them; None if there is none."""
    room = bounds.expand((MARGIN,) * 3, (MARGIN,) * 3)
    sides = [side.vector for side in reversed(Direction)]
    former, queue = {start: start}, deque([start])
    while queue and goal not in former:
        x, y, z = cell = queue.popleft()
        for dx, dy, dz in sides:
            there = (x + dx, y + dy, z + dz)
            if there not in former and there not in closed and room.has_cell(there):
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
    layers = [list(layer) for layer in chamber.layers]
    for x, y, z in chamber.door_at:
        layers[z][y] = layers[z][y][:x] + DULL + layers[z][y][x + 1 :]
    for y, rows in enumerate(zip(*layers, strict=True)):
        for x, z in _find_covered_air(rows):
            if z <= _find_roof(chamber, x, y):
                yield (x, y, z)


@lru_cache(maxsize=1024)
def _find_covered_air(rows: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return x and z of the air in a slice of a chamber, but not of what is free to the ceiling.

    Most slices of a chamber are like its others.
    """
    columns = [(x, "".join(column)) for x, column in enumerate(zip(*rows, strict=True))]
    covered = ((x, c) for x, c in columns if not c[:-1].endswith(AIR * c.count(AIR)))
    return tuple((x, z) for x, column in covered for z, sign in enumerate(column) if sign == AIR)


@lru_cache(maxsize=1024)
def _find_roof(chamber: Chamber, x: int, y: int) -> int:
    """Return the height of the highest thing in a column; -1 if nothing is there."""
    heights = reversed(range(chamber.size[2]))
    return next((z for z in heights if is_standing(chamber, (x, y, z))), -1)


def _outwards(chamber: Chamber, start: Cell, reached: AbstractSet[Cell]) -> tuple[set[Cell], bool]:
    """Return the cells that are seen in looking for a way out, and whether there is one."""
    seen, queue = {start}, [start]
    while queue:
        cell = queue.pop()
        for side in Direction:
            x, y, z = there = add(cell, side.vector)
            inside = there not in reached and chamber.bounds.has_cell(there)
            if not inside or z > _find_roof(chamber, x, y):
                return seen, True
            if there not in seen and not is_standing(chamber, there):
                seen.add(there)
                queue.append(there)
    return seen, False
