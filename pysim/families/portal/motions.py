"""Motions of a world for an action: doors that open, bodies, doors that close."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from pysim.families.portal.chamber import Chamber, Door
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.moves import Course
from pysim.families.portal.paths import find_path, split_path
from pysim.families.portal.scene import find_door, find_hover
from pysim.families.portal.state import ChamberState
from pysim.families.portal.views import find_standing, format_door_name
from pysim.geometry import Cell, Direction, subtract
from pysim.motion import Carry, Motion
from pysim.path import Path, Shift

__all__ = ["list_motions"]

_Cells = tuple[Cell, ...]
_NOBODY = frozenset[Cell]()


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
            legs = _legs(chamber, path, others - {path[0]})
            yield Carry(frozenset((name,)), Path(legs), False)


def _order(state: ChamberState, course: Course) -> list[int | None]:
    """The agent goes first, unless a box makes room for it."""
    boxes: list[int | None] = list(range(len(state.boxes)))
    return [*boxes, None] if course.state.agent in state.boxes else [None, *boxes]


def _legs(chamber: Chamber, path: _Cells, others: frozenset[Cell]) -> Callable[[], list[Shift]]:
    """Return the legs of a path, found when they are asked for; gaps in it are gone around."""

    def made() -> list[Shift]:
        cells = [path[0]]
        for here, there in pairwise(path):
            near = sum(map(abs, subtract(there, here))) <= 1
            cells += (there,) if near else _go_around(chamber, here, there, others)
        return list(split_path(cells))

    return made


def _go_around(chamber: Chamber, here: Cell, there: Cell, others: frozenset[Cell]) -> _Cells:
    """Return the cells of a way around walls, doors in either place, and other bodies.

    Where other bodies close every way, they are gone through, and the world says so.
    """
    full = find_standing(chamber)
    ways = (find_path(here, there, chamber.bounds, full | bodies) for bodies in (others, _NOBODY))
    return next((way[1:] for way in ways if way is not None), ())
