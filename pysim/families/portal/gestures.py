"""Walking by hand: to a cell that is pointed at, or a step by an arrow key."""

from collections.abc import Iterator

from pysim.families.portal.actions import FloorWay, Jump, WalkTo
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.legal import list_walks, try_action
from pysim.families.portal.state import ChamberState
from pysim.families.portal.walking import WalkReach, find_reach
from pysim.geometry import Cell, add
from pysim.puzzle import Action, GoGesture, Level

__all__ = ["list_gestures"]


def list_gestures(level: Level[Chamber], state: ChamberState) -> Iterator[GoGesture]:
    """Yield a walk to each cell that can be reached, and a step or a jump each way."""
    chamber = level.puzzle
    for walk in list_walks(chamber, state):
        yield GoGesture(walk, cell=walk.cell)
    reach = find_reach(chamber, state)
    for way in FloorWay:
        step = _find_step(reach, state.agent, way)
        action: Action = Jump(way) if step is None else WalkTo(step)
        if step is not None or try_action(chamber, state, action) is not None:
            yield GoGesture(action, key=way.direction)


def _find_step(reach: WalkReach, cell: Cell, way: FloorWay) -> Cell | None:
    """Return the cell beside a cell, or the one below that, to which a step leads."""
    there = add(cell, way.direction.vector)
    lower = add(there, (0, 0, -1))
    if there in reach.brinks and lower in reach.ground:
        return lower
    return there if there in reach.ground or there in reach.brinks else None
