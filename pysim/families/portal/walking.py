"""Walking: on level ground and one cell down."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pysim.families.portal.actions import ChamberReason, FloorWay
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.circuits import Situation, situation_of
from pysim.families.portal.flight import is_solid, rests
from pysim.families.portal.state import ChamberState
from pysim.geometry import Cell, add
from pysim.puzzle import IllegalMove, Reason

__all__ = ["WalkReach", "reach_of", "walked"]

SIDES = tuple(way.direction.vector for way in FloorWay)
_DOWN: Cell = (0, 0, -1)


@dataclass(frozen=True, slots=True)
class WalkReach:
    """Where the agent can walk.

    Attributes:
        ground: cell -> the one before it on a shortest way, for cells where it comes to rest; the
            agent's own cell leads to itself.
        brinks: the same for cells into which it can step, and in which it does not rest.
    """

    ground: Mapping[Cell, Cell]
    brinks: Mapping[Cell, Cell]

    def way_to(self, cell: Cell) -> tuple[Cell, ...] | None:
        """The cells of a shortest way, both ends among them; None if there is none."""
        if cell not in self.ground and cell not in self.brinks:
            return None
        way = [cell]
        if cell not in self.ground:
            way.append(self.brinks[cell])
        while self.ground[way[-1]] != way[-1]:
            way.append(self.ground[way[-1]])
        return tuple(reversed(way))


def reach_of(chamber: Chamber, state: ChamberState, *, fields: bool = True) -> WalkReach:
    """Where the agent can walk, doors, bridges and beams staying as they are.

    Args:
        fields: whether it may go through fields that erase gates.
    """
    now = situation_of(chamber, state)
    ground, brinks = {state.agent: state.agent}, dict[Cell, Cell]()
    queue = deque([state.agent])
    while queue:
        cell = queue.popleft()
        for side in SIDES:
            there = add(cell, side)
            if there in ground or _barred(chamber, now, state, there, fields=fields):
                continue
            if rests(chamber, now, state, there, None) and _is_plain(chamber, now, there):
                ground[there] = cell
                queue.append(there)
                continue
            brinks.setdefault(there, cell)
            lower = add(there, _DOWN)
            if not _steps(chamber, now, state, lower, fields=fields) or there in now.beam:
                continue
            if lower not in ground and there not in chamber.liquid:
                ground[there], ground[lower] = cell, there
                queue.append(lower)
    for cell in [c for c in ground if c in brinks]:
        if rests(chamber, now, state, cell, None):
            del brinks[cell]
    return WalkReach(ground, brinks)


def _barred(
    chamber: Chamber, now: Situation, state: ChamberState, cell: Cell, *, fields: bool
) -> bool:
    if is_solid(chamber, now, state, cell, None):
        return True
    return not fields and cell in chamber.field_cells


def _is_plain(chamber: Chamber, now: Situation, cell: Cell) -> bool:
    """Whether one can go on from a cell: nothing there throws or carries."""
    return cell not in chamber.pad_at and cell not in now.beam


def _steps(
    chamber: Chamber, now: Situation, state: ChamberState, lower: Cell, *, fields: bool
) -> bool:
    """Whether one can step down into a cell and stay there."""
    if _barred(chamber, now, state, lower, fields=fields) or lower in chamber.liquid:
        return False
    return rests(chamber, now, state, lower, None) and _is_plain(chamber, now, lower)


def walked(chamber: Chamber, state: ChamberState, way: tuple[Cell, ...]) -> ChamberState:
    """The state after a walk, a tick for each cell; timers run, and doors do as they do.

    Raises:
        IllegalMove: a door closes before the agent (DOOR_CLOSED), or it would die (DEADLY).
    """
    for cell in way[1:]:
        now = situation_of(chamber, state)
        if cell in now.closed:
            door = chamber.door_at[cell].name
            raise IllegalMove(ChamberReason.DOOR_CLOSED, f"{door} closes before you get there")
        if is_solid(chamber, now, state, cell, None):
            raise IllegalMove(Reason.BLOCKED, f"something closes the way at {cell}")
        if cell in chamber.liquid:
            who = chamber.agent
            message = f"{who} would get into the liquid"
            raise IllegalMove(ChamberReason.DEADLY, message, culprits=(who,))
        state = replace(state.later(), agent=cell)
        if cell in chamber.field_cells:
            state = replace(state, orange=None, blue=None)
    return state
