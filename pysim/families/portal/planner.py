"""Shortest plans: breadth first over states at rest.

Of cells to walk to only some are tried: of cells that are equal as far as actions go, one. Two are
equal if they see the same surfaces through the same doors, and the same things are beside them.
While a box is carried every cell counts for itself, and timed buttons make every step count.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.circuits import situation_of
from pysim.families.portal.gates import sight
from pysim.families.portal.legal import deeds, tried
from pysim.families.portal.actions import WalkTo
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.walking import SIDES, reach_of
from pysim.geometry import Cell, add
from pysim.puzzle import Action, Plan, Proof

__all__ = ["MOST", "Search", "plan_for", "search"]

MOST = 60_000
"""States after which a search gives up."""


class Search:
    """What became of a search.

    Attributes:
        plan: the actions; None if none was found.
        complete: whether all states were seen, or a plan was found, within the bound.
        states: how many were seen.
    """

    __slots__ = ("complete", "plan", "states")

    def __init__(self, plan: tuple[Action, ...] | None, complete: bool, states: int) -> None:
        self.plan = plan
        self.complete = complete
        self.states = states


def plan_for(chamber: Chamber) -> Plan | None:
    """A plan; OPTIMAL unless timed buttons make the search leave out ways to spend time."""
    found = search(chamber)
    if found.plan is None:
        return None
    length = len(found.plan)
    if any(button.ticks for button in chamber.buttons):
        return Plan(found.plan, Proof.UPPER_BOUND, 1)
    return Plan(found.plan, Proof.OPTIMAL, length)


def search(
    chamber: Chamber, start: ChamberState | None = None, most: int = MOST, depth: int = 1000
) -> Search:
    """Look for a shortest plan.

    Args:
        start: where it begins; None for the chamber's start.
        most: states after which it gives up.
        depth: actions that the plan may have.
    """
    first = start_of(chamber) if start is None else start
    former: dict[ChamberState, tuple[ChamberState, Action] | None] = {first: None}
    layer = [first]
    if first.agent == chamber.exit:
        return Search((), True, 1)
    for _ in range(depth):
        following = []
        for state in layer:
            for action in _candidates(chamber, state):
                course = tried(chamber, state, action)
                if course is None or course.state in former:
                    continue
                former[course.state] = (state, action)
                if course.state.agent == chamber.exit:
                    return Search(_traced(former, course.state), True, len(former))
                following.append(course.state)
            if len(former) > most:
                return Search(None, False, len(former))
        if not following:
            return Search(None, True, len(former))
        layer = following
    return Search(None, False, len(former))


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
    """Deeds that are not refused at first sight, and a walk to one cell of each kind."""
    yield from (action for action in deeds(chamber, state) if action is not None)
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
