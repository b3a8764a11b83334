"""Walking: on level ground and one cell down."""

from collections import deque
from collections.abc import Container, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from pysim.families.portal.actions import ChamberReason, FloorWay
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.flight import find_passage, is_at_rest, is_solid, move_agent
from pysim.families.portal.state import ChamberState
from pysim.geometry import Cell, Direction
from pysim.puzzle import IllegalMove, Reason

__all__ = ["WalkReach", "find_reach", "walk"]

SIDES = tuple(way.direction.vector for way in FloorWay)


@dataclass(frozen=True, slots=True)
class WalkReach:
    """Cells that the agent can walk to.

    Attributes:
        ground: cell -> the one before it on a shortest way, for cells where it comes to rest; the
            agent's own cell leads to itself.
        brinks: the same for cells into which it can step, and in which it does not rest.
    """

    ground: Mapping[Cell, Cell]
    brinks: Mapping[Cell, Cell]

    def find_path(self, cell: Cell) -> tuple[Cell, ...] | None:
        """Return the cells of a shortest way, both ends among them; None if there is none."""
        if cell not in self.ground and cell not in self.brinks:
            return None
        way = [cell]
        if cell not in self.ground:
            way.append(self.brinks[cell])
        while self.ground[way[-1]] != way[-1]:
            way.append(self.ground[way[-1]])
        return tuple(reversed(way))


@lru_cache(maxsize=4_096)
def find_reach(chamber: Chamber, state: ChamberState, *, fields: bool = True) -> WalkReach:
    """Find the cells that the agent can walk to, while doors, bridges and beams stay as they are.

    Args:
        fields: whether it may go through fields that erase gates.
    """
    if not fields:
        reach = find_reach(chamber, state)
        if chamber.field_cells.isdisjoint(reach.ground) and chamber.field_cells.isdisjoint(
            reach.brinks
        ):
            return reach
    floor = _Floor.from_state(chamber, state, fields=fields)
    ground, brinks = {state.agent: state.agent}, dict[Cell, Cell]()
    queue = deque([state.agent])
    while queue:
        cell = queue.popleft()
        x, y, z = cell
        for there in ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z)):
            if there in ground or there not in floor.open:
                continue
            if floor.has_footing(there):
                ground[there] = cell
                queue.append(there)
                continue
            brinks.setdefault(there, cell)
            lower = (there[0], there[1], z - 1)
            if lower in ground or not floor.is_leading_down(there, lower):
                continue
            ground[there], ground[lower] = cell, there
            queue.append(lower)
    now = compute_situation(chamber, state)
    for cell in [c for c in ground if c in brinks]:
        if is_at_rest(chamber, now, state, cell, None):
            del brinks[cell]
    return WalkReach(ground, brinks)


@dataclass(frozen=True, slots=True)
class _Floor:
    """State as far as walking depends on it.

    Attributes:
        open: the cells that the agent may enter.
        firm: all cells that are free for ever, but full now.
        loose: the cells where one does not come to rest or can't go on from: launch pads, beams,
            and those over an open gate.
        liquid: the deadly cells.
        free: the cells that are not walls.
        beam: the cells of beams.
    """

    open: AbstractSet[Cell]
    firm: AbstractSet[Cell]
    loose: AbstractSet[Cell]
    liquid: AbstractSet[Cell]
    free: AbstractSet[Cell]
    beam: Container[Cell]

    @staticmethod
    def from_state(chamber: Chamber, state: ChamberState, *, fields: bool) -> "_Floor":
        now = compute_situation(chamber, state)
        firm = now.closed | now.bridge | {box for box in state.boxes if box is not None}
        if state.held is not None:
            firm |= chamber.field_cells
        barred = firm if fields else firm | chamber.field_cells
        holes = (g.front for g in state.pair or () if g.side is Direction.PLUS_Z)
        over = {c for c in holes if find_passage(chamber, now, state, c, Direction.MINUS_Z, None)}
        loose = over.union(chamber.pad_at, now.beam)
        return _Floor(
            chamber.free - barred, firm, loose, chamber.liquid, chamber.free, now.beam.keys()
        )

    def has_footing(self, cell: Cell) -> bool:
        """Return whether one comes to rest in a cell, alive, and can go on from it."""
        below = (cell[0], cell[1], cell[2] - 1)
        if cell in self.loose or cell in self.liquid:
            return False
        return below not in self.free or below in self.firm

    def is_leading_down(self, cell: Cell, lower: Cell) -> bool:
        """Return whether one can step from a cell into the one below it, and stay there."""
        if cell in self.beam or cell in self.liquid:
            return False
        return lower in self.open and self.has_footing(lower)


def walk(chamber: Chamber, state: ChamberState, way: tuple[Cell, ...]) -> ChamberState:
    """Return the state after a walk, a tick for each cell; timers run, and doors do as they do.

    Raises:
        IllegalMove: a door closes before the agent (DOOR_CLOSED), or it would die (DEADLY).
    """
    for cell in way[1:]:
        now = compute_situation(chamber, state)
        if cell in now.closed:
            door = chamber.door_at[cell].name
            raise IllegalMove(ChamberReason.DOOR_CLOSED, f"{door} closes before you get there")
        if is_solid(chamber, now, state, cell, None):
            raise IllegalMove(Reason.BLOCKED, f"something closes the way at {cell}")
        state = move_agent(chamber, state.wait(), cell)
    return state
