"""Shortest plans: breadth first over states at rest.

Of cells to walk to only some are tried: of cells that are equal as far as actions go, one. Two are
equal if they see the same surfaces through the same doors, the same things are beside them, and
one can walk from one to the other while all doors are closed. While a box is carried every cell
counts for itself. In a plain chamber nothing can go wrong with that. In others, where beams and
bridges meet the agent and time matters, a shortest plan is proven by trying every cell.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from pysim.families.portal.actions import Jump, Wait, WalkTo
from pysim.families.portal.canonical_states import classify_cells, find_visible_surfaces
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.legal import list_object_actions, list_walks, try_action
from pysim.families.portal.state import ChamberState, start_of
from pysim.families.portal.walking import find_reach
from pysim.field_types import Steps
from pysim.geometry import Cell, Direction
from pysim.puzzle import Action, Plan, Proof

__all__ = [
    "MOST",
    "ChamberSearch",
    "is_dead_end",
    "is_plain",
    "plan_for",
    "plan_in_stages",
    "prove_plan",
    "search",
]

MOST = 60_000
"""States after which a search gives up."""
SMALL = 2_000
"""The same for chambers that can be searched from field to field instead."""
PROOF = 400
"""The same for the proof that no plan is shorter, where it takes every cell."""


@dataclass(frozen=True, slots=True)
class ChamberSearch:
    """Result of a search.

    Attributes:
        plan: the actions; None if none was found.
        complete: whether a plan was found, or all states were seen.
        states: how many were seen.
        least: actions that every plan has, at least; it is not known of a search that skips cells
            where they may matter.
        last: the state in which the plan ends.
    """

    plan: tuple[Action, ...] | None
    complete: bool
    states: int
    least: int
    last: ChamberState | None = None


def is_plain(chamber: Chamber) -> bool:
    """Return whether it never matters where the agent stands, for cells that are equal for actions.

    It may with beams and bridges, which meet it, with boxes over floors that take gates, which
    fall upon it, and with time.
    """
    if chamber.bridges or chamber.beams or any(button.ticks for button in chamber.buttons):
        return False
    return not (chamber.boxes and any(s.side is Direction.PLUS_Z for s in chamber.surfaces))


@lru_cache(maxsize=64)
def plan_for(chamber: Chamber) -> Plan | None:
    """Return a plan; None if none was found.

    Chambers that are too large to be searched as a whole are searched from field to field.
    """
    large = len(chamber.fields) > 1
    found = search(chamber, most=0 if large else SMALL if chamber.fields else MOST)
    if found.plan is not None and is_plain(chamber):
        return Plan(found.plan, Proof.OPTIMAL, len(found.plan))
    plan = found.plan or plan_in_stages(chamber)
    return None if plan is None else prove_plan(chamber, plan)


def prove_plan(chamber: Chamber, plan: tuple[Action, ...], most: int = PROOF) -> Plan:
    """Return a plan with what a search through every cell says of all plans, or a shorter one.

    Args:
        most: states after which that search gives up.
    """
    found = search(chamber, most=most, every=not is_plain(chamber), deepest=len(plan) - 1)
    best = plan if found.plan is None else found.plan
    least = min(found.least, len(best))
    return Plan(best, Proof.OPTIMAL if least == len(best) else Proof.UPPER_BOUND, least)


def search(
    chamber: Chamber,
    start: ChamberState | None = None,
    *,
    most: int = MOST,
    passed: frozenset[Cell] | None = None,
    every: bool = False,
    deepest: int | None = None,
) -> ChamberSearch:
    """Look for a shortest plan.

    Args:
        start: where it begins; None for the chamber's start.
        most: states after which it gives up.
        passed: fields that were reached before. If given, a plan may also end in another field,
            and it goes through none on its way.
        every: whether every cell is walked to and every time is waited.
        deepest: actions of a plan, at most.
    """
    first = start_of(chamber) if start is None else start
    ends = {chamber.exit, *(() if passed is None else chamber.field_cells - passed)}
    barred: frozenset[Cell] = frozenset() if passed is None else chamber.field_cells
    staged = None if passed is None else ends
    former: dict[ChamberState, tuple[ChamberState, Action] | None] = {first: None}
    strolled = set[ChamberState]()
    layer, length = [first], 0
    while layer and length != deepest:
        length += 1
        reached = []
        for state in layer:
            walks_on = every or state not in strolled
            for action, after, passed_by in list_successors(
                chamber, state, former, every=every, ends=staged, walks_on=walks_on
            ):
                if after in former or not barred.isdisjoint(passed_by or ()):
                    continue
                former[after] = (state, action)
                if passed_by is None:
                    strolled.add(after)
                if after.agent in ends:
                    plan = _traced(former, after)
                    return ChamberSearch(plan, True, len(former), length, after)
                if after.agent not in barred:
                    reached.append(after)
            if len(former) > most:
                return ChamberSearch(None, False, len(former), length)
        layer = reached
    return ChamberSearch(None, not layer, len(former), length + 1)


def is_dead_end(chamber: Chamber, state: ChamberState) -> bool | None:
    """Return whether no plan leads out of a state; None if that is not known within the bound."""
    found = search(chamber, state)
    return not found.plan and state.agent != chamber.exit if found.complete else None


def plan_in_stages(chamber: Chamber, *, every: bool = False) -> tuple[Action, ...] | None:
    """A plan from field to field, without the stops that are not needed; None if none was found.

    Args:
        every: as for :func:`search`.
    """
    state, plan, passed = start_of(chamber), list[Action](), frozenset[Cell]()
    while state.agent != chamber.exit:
        found = search(chamber, state, passed=passed, every=every)
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
        course = try_action(chamber, state, action)
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


_Known = Mapping[ChamberState, object]
_Step = tuple[Action, ChamberState, Sequence[Cell] | None]


def list_successors(
    chamber: Chamber,
    state: ChamberState,
    known: _Known,
    *,
    every: bool,
    ends: AbstractSet[Cell] | None = None,
    walks_on: bool = True,
) -> Iterator[_Step]:
    """List the successors: an action, the state after it, and cells that are passed.

    These are None of a walk that changes nothing but the agent's place. Most walks do so, and they
    need not be carried out; nor does one walk on then, for one walk leads as far as two.

    Walks to states that are known are left out, and if there are ends, those through fields to
    anywhere else.

    Args:
        walks_on: whether walks come next at all.
    """
    if walks_on:
        yield from _walking(chamber, state, known, every=every, ends=ends)
    flat = not every and not classify_cells(chamber, state).may_leap(state.agent)
    for action in list_object_actions(
        chamber, state, tuple(find_visible_surfaces(chamber, state.agent))
    ):
        if flat and isinstance(action, Jump):
            continue  # It leads where a walk leads.
        if (course := try_action(chamber, state, action)) is not None:
            yield action, course.state, course.agent[1:-1]
    for ticks in range(2, max((0, *state.timers))) if every else ():
        if (course := try_action(chamber, state, Wait(Steps(ticks)))) is not None:
            yield Wait(Steps(ticks)), course.state, ()


def _walking(
    chamber: Chamber,
    state: ChamberState,
    known: _Known,
    *,
    every: bool,
    ends: AbstractSet[Cell] | None,
) -> Iterator[_Step]:
    quiet = _quiet(chamber, state)
    near = find_reach(chamber, state, fields=False)
    for walk in list_walks(chamber, state) if every else _some_walks(chamber, state):
        if ends is not None and walk.cell not in ends and near.find_path(walk.cell) is None:
            continue
        if walk.cell in quiet:
            after = state.replace_agent(walk.cell)
            if after not in known:
                yield walk, after, None
        elif (course := try_action(chamber, state, walk)) is not None:
            yield walk, course.state, course.agent[1:-1]


def _quiet(chamber: Chamber, state: ChamberState) -> AbstractSet[Cell]:
    """The cells to which a walk changes nothing else: through no field, to and from no button.

    And across no bridge's way, where there are some, for a bridge ends before the agent; nor over
    buttons then, which may be what switches bridges.
    """
    buttons = {button.cell for button in chamber.buttons}
    if any(state.timers) or state.agent in buttons:
        return frozenset()
    reach = find_reach(chamber, state, fields=False)
    quiet = reach.ground.keys() - reach.brinks.keys() - buttons - {chamber.exit}
    if not chamber.bridges:
        return quiet
    barred = buttons | compute_situation(chamber, state, alone=True).bridge
    clear = set[Cell]()
    for cell, before in reach.ground.items():  # What leads to a cell comes before it.
        if cell not in barred and (before in clear or before == cell):
            clear.add(cell)
    return quiet & clear


def _some_walks(chamber: Chamber, state: ChamberState) -> Iterator[WalkTo]:
    """Yield a walk to one cell of each kind."""
    reach, alike = find_reach(chamber, state), classify_cells(chamber, state)
    kinds = {alike.classify(state.agent)} if state.held is None else set[int]()
    for cell in (*reach.ground, *sorted(reach.brinks)):
        if cell == state.agent:
            continue
        if cell in reach.ground and cell != chamber.exit and state.held is None:
            kind = alike.classify(cell)
            if kind in kinds:
                continue
            kinds.add(kind)
        yield WalkTo(cell)
