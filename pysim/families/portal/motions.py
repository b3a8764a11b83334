"""Motions of a world for an action: doors that open, bodies, doors that close."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise, product

from pysim.families.portal.chamber import Chamber, Door
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.moves import Course
from pysim.families.portal.paths import find_path, split_path
from pysim.families.portal.scene import find_door, find_hover
from pysim.families.portal.state import ChamberState
from pysim.families.portal.views import format_door_name, is_standing
from pysim.geometry import Cell, Direction, subtract
from pysim.motion import Carry, Motion
from pysim.path import Path, Shift

__all__ = ["list_motions"]

_Cells = tuple[Cell, ...]
_Free = Callable[[Cell], bool]


def list_motions(chamber: Chamber, state: ChamberState, course: Course) -> tuple[Motion, ...]:
    """Return the motions that lead from a state to what comes of an action."""
    before, after = compute_situation(chamber, state), compute_situation(chamber, course.state)
    moved = [d for d in chamber.doors if find_door(d, before) != find_door(d, after)]
    opened = [_door(d, Direction.MINUS_Z) for d in moved if d.cell not in after.closed]
    closed = [_door(d, Direction.PLUS_Z) for d in moved if d.cell in after.closed]
    return (*opened, *_bodies(chamber, state, course), *closed)


def _door(door: Door, way: Direction) -> Carry:
    return Carry(frozenset((format_door_name(door.name),)), Path((Shift(way, 1),)), False)


def _bodies(chamber: Chamber, state: ChamberState, course: Course) -> Iterator[Motion]:
    """Yield the agent, then the boxes, each around all that is where it is at that time."""
    places = [find_hover(chamber, state.agent) if cell is None else cell for cell in state.boxes]
    agent, flown = state.agent, dict(course.boxes)
    order = _order(state, course)
    for body in order:
        others = frozenset([*places, agent])
        if body is None:
            path, name = course.agent, chamber.agent
            if path[-1] != course.state.agent:
                path = (*path, course.state.agent)
            agent = course.state.agent
        else:
            cell = course.state.boxes[body]
            end = find_hover(chamber, course.state.agent) if cell is None else cell
            path, name = (places[body], *flown.get(body, ()), end), chamber.boxes[body].name
            places[body] = end
        if path[0] != path[-1]:
            free = _free(chamber, others - {path[0]})
            yield Carry(frozenset((name,)), Path(_legs(chamber, path, free)), False)


def _order(state: ChamberState, course: Course) -> list[int | None]:
    """The agent goes first, unless a box makes room for it."""
    boxes: list[int | None] = list(range(len(state.boxes)))
    return [*boxes, None] if course.state.agent in state.boxes else [None, *boxes]


def _free(chamber: Chamber, others: frozenset[Cell]) -> _Free:
    """Whether a cell of the scene is free of walls, doors in either place, and other bodies."""
    full = _standing(chamber)
    return lambda cell: cell not in full and cell not in others


@lru_cache(maxsize=64)
def _standing(chamber: Chamber) -> frozenset[Cell]:
    """Return all cells in which worlds have something for ever."""
    cells = product(*map(range, chamber.size))
    return frozenset((x, y, z) for x, y, z in cells if is_standing(chamber, (x, y, z)))


def _legs(chamber: Chamber, path: _Cells, free: _Free) -> Callable[[], list[Shift]]:
    """Return the legs of a path, found when they are asked for; gaps in it are gone around.

    Where other bodies close every way, they are gone through, and the world says so.
    """
    walls = _free(chamber, frozenset())

    def around(here: Cell, there: Cell) -> _Cells:
        ways = (find_path(here, there, chamber.bounds, f) for f in (free, walls))
        return next((way[1:] for way in ways if way is not None), ())

    def made() -> list[Shift]:
        cells = [path[0]]
        for here, there in pairwise(path):
            near = sum(map(abs, subtract(there, here))) <= 1
            cells += (there,) if near else around(here, there)
        return list(split_path(cells))

    return made
