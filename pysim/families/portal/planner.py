"""Shortest plans: breadth first over states at rest.

Of cells to walk to only some are tried: of cells that are equal as far as actions go, one. Two are
equal if they see the same surfaces through the same doors, and the same things are beside them.
While a box is carried every cell counts for itself, and timed buttons make every step count.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pysim.families.portal.actions import WalkTo
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.circuits import situation_of
from pysim.families.portal.gates import sight
from pysim.families.portal.legal import deeds, tried
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.walking import SIDES, reach_of
from pysim.geometry import Cell, add
from pysim.puzzle import Action, Plan, Proof

__all__ = ["MOST", "ChamberSearch", "is_dead_end", "plan_for", "search"]

MOST = 60_000
"""States after which a search gives up."""
SMALL = 3_000
"""The same for chambers that can be searched from field to field instead."""


@dataclass(frozen=True, slots=True)
class ChamberSearch:
    """What became of a search.

    Attributes:
        plan: the actions; None if none was found.
        complete: whether a plan was found, or all states were seen.
        states: how many were seen.
        last: the state in which the plan ends.
    """

    plan: tuple[Action, ...] | None
    complete: bool
    states: int
    last: ChamberState | None = None


@lru_cache(maxsize=64)
def plan_for(chamber: Chamber) -> Plan | None:
    """A plan; None if none was found.

    It is OPTIMAL if the whole chamber was searched. Timed buttons make the search leave out ways to
    spend time, and chambers that are too large are searched from field to field.
    """
    timed = any(button.ticks for button in chamber.buttons)
    large = len(chamber.fields) > 1 or (timed and chamber.fields)
    found = search(chamber, most=0 if large else SMALL if chamber.fields else MOST)
    if found.plan is not None and not timed:
        return Plan(found.plan, Proof.OPTIMAL, len(found.plan))
    plan = found.plan or _in_stages(chamber)
    return None if plan is None else Plan(plan, Proof.UPPER_BOUND, 1)


def search(
    chamber: Chamber,
    start: ChamberState | None = None,
    *,
    most: int = MOST,
    passed: frozenset[Cell] | None = None,
) -> ChamberSearch:
    """Look for a shortest plan.

    Args:
        start: where it begins; None for the chamber's start.
        most: states after which it gives up.
        passed: fields that were reached before. If given, a plan may also end in another field,
            and it goes through none on its way.
    """
    first = start_of(chamber) if start is None else start
    ends = {chamber.exit, *(() if passed is None else chamber.field_cells - passed)}
    barred: frozenset[Cell] = frozenset() if passed is None else chamber.field_cells
    former: dict[ChamberState, tuple[ChamberState, Action] | None] = {first: None}
    layer = [first]
    while layer:
        following = []
        for state in layer:
            for action in _candidates(chamber, state):
                course = tried(chamber, state, action)
                if course is None or course.state in former:
                    continue
                if barred.intersection(course.agent[1:-1]):
                    continue
                former[course.state] = (state, action)
                if course.state.agent in ends:
                    plan = _traced(former, course.state)
                    return ChamberSearch(plan, True, len(former), course.state)
                if course.state.agent not in barred:
                    following.append(course.state)
            if len(former) > most:
                return ChamberSearch(None, False, len(former))
        layer = following
    return ChamberSearch(None, True, len(former))


def is_dead_end(chamber: Chamber, state: ChamberState) -> bool | None:
    """Whether no plan leads out of a state; None if that is not known within the bound."""
    found = search(chamber, state)
    return not found.plan and state.agent != chamber.exit if found.complete else None


def _in_stages(chamber: Chamber) -> tuple[Action, ...] | None:
    """A plan from field to field, without the stops that are not needed."""
    state, plan, passed = start_of(chamber), list[Action](), frozenset[Cell]()
    while state.agent != chamber.exit:
        found = search(chamber, state, passed=passed)
        if found.plan is None or found.last is None:
            return None
        plan, state = [*plan, *found.plan], found.last
        passed |= {state.agent}
    for action in [a for a in plan if isinstance(a, WalkTo) and a.cell in passed]:
        shorter = [a for a in plan if a is not action]
        if _solves(chamber, shorter):
            plan = shorter
    return tuple(plan)


def _solves(chamber: Chamber, plan: list[Action]) -> bool:
    state = start_of(chamber)
    for action in plan:
        course = tried(chamber, state, action)
        if course is None or state.agent == chamber.exit:
            return False
        state = course.state
    return state.agent == chamber.exit


def _traced(
    former: Mapping[ChamberState, tuple[ChamberState, Action] | None], last: ChamberState
) -> tuple[Action, ...]:
    way: list[Action] = []
    step = former[last]
    while step is not None:
        way.append(step[1])
        step = former[step[0]]
    return tuple(reversed(way))


def _candidates(chamber: Chamber, state: ChamberState) -> Iterator[Action]:
    """A walk to one cell of each kind, and all deeds."""
    reach = reach_of(chamber, state)
    kinds = set[object]()
    if state.held is None:
        kinds.add(_kind(chamber, state, state.agent))
    for cell in (*reach.ground, *sorted(reach.brinks)):
        if cell == state.agent:
            continue
        if cell in reach.ground and cell != chamber.exit and state.held is None:
            kind = _kind(chamber, state, cell)
            if kind in kinds:
                continue
            kinds.add(kind)
        yield WalkTo(cell)
    yield from deeds(chamber, state)


def _kind(chamber: Chamber, state: ChamberState, cell: Cell) -> object:
    """Equal for cells that are equal as far as actions go."""
    near = [
        (k, cell)
        for k, box in enumerate(state.boxes)
        if box is not None and abs(box[0] - cell[0]) + abs(box[1] - cell[1]) == 1
    ]
    return (_place(chamber, cell), tuple(near), _leaps(chamber, state, cell))


@lru_cache(maxsize=50_000)
def _place(chamber: Chamber, cell: Cell) -> object:
    """What never changes: the surfaces that are seen, and what is on or beside the cell."""
    seen = frozenset((s, d) for s in chamber.surfaces if (d := sight(chamber, cell, s)) is not None)
    special = {chamber.exit, *chamber.pad_at, *chamber.fields, *chamber.door_at}
    special |= {button.cell for button in chamber.buttons}
    special |= {add(b.cell, side) for b in chamber.buttons if b.ticks for side in SIDES}
    special |= {s.front for s in chamber.surfaces if s.side.value == "+z"}
    return (seen, cell if cell in special else None)


def _leaps(chamber: Chamber, state: ChamberState, cell: Cell) -> object:
    """The cell itself if a jump from it may lead on, else nothing."""
    now = situation_of(chamber, state)
    full = {*state.boxes, *now.bridge}
    for side in SIDES:
        there = add(cell, side)
        if chamber.is_wall(there) or there in full:
            above = add(there, (0, 0, 1))
            if not chamber.is_wall(above):
                return cell
        elif not chamber.is_wall(add(there, (0, 0, -1))):
            return cell
    return None
