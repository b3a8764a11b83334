"""Effect of actions."""

from dataclasses import dataclass, replace

from pysim.families.portal.actions import (
    ChamberReason,
    Drop,
    Enter,
    Gate,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.families.portal.chamber import Chamber, Surface
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.flight import (
    find_passage,
    is_solid,
    move_agent,
    move_box,
    settle,
    simulate_flight,
)
from pysim.families.portal.gates import find_sight_doors, rotate_through
from pysim.families.portal.state import ChamberState
from pysim.families.portal.walking import find_reach, walk
from pysim.geometry import Cell, Direction, add, subtract
from pysim.puzzle import Action, IllegalMove, InvalidAction, Reason
from pysim.scene import Colour

__all__ = ["Course", "apply_action"]

_UP: Cell = (0, 0, 1)


@dataclass(frozen=True, slots=True)
class Course:
    """Effect of an action.

    Attributes:
        state: after it, at rest.
        agent: the cells of the agent, from where it was.
        boxes: the number of each box that flew, and its cells.
    """

    state: ChamberState
    agent: tuple[Cell, ...]
    boxes: tuple[tuple[int, tuple[Cell, ...]], ...] = ()


def apply_action(chamber: Chamber, state: ChamberState, action: Action) -> Course:
    """Apply an action.

    Raises:
        InvalidAction: it names what does not exist, or is none of a chamber.
        IllegalMove: it is not allowed now.
    """
    match action:
        case WalkTo():
            return _walk(chamber, state, action.cell)
        case PlaceGate():
            return _place(chamber, state, action.gate, Surface(action.cell, action.side))
        case Enter():
            return _enter(chamber, state, action.gate)
        case Jump():
            return _jump(chamber, state, action.way.direction)
        case PickUpBox():
            return _pick_up(chamber, state, action.box)
        case Drop():
            return _drop(chamber, state, action.cell)
        case Press():
            return _press(chamber, state, action.cell)
        case Wait():
            return _wait(chamber, state, action.ticks)
    raise InvalidAction(Reason.UNKNOWN_ACTION, f"a chamber has no {type(action).__name__}")


def _ended(chamber: Chamber, state: ChamberState, way: tuple[Cell, ...] = ()) -> Course:
    """Return an action at whose end all that is not at rest gets there."""
    last, flights = settle(chamber, state)
    path = way or (state.agent,)
    own = flights.pop(None, None)
    if own is not None:
        path = (*path, *own.path[1:])
    boxes = tuple((k, flight.path) for k, flight in flights.items() if k is not None)
    return Course(last, path, boxes)


def _fallen(chamber: Chamber, state: ChamberState, way: tuple[Cell, ...]) -> Course:
    """Rest, a fall or whatever else comes at the end of a way."""
    flight = simulate_flight(chamber, state, None)
    return _ended(chamber, flight.state, (*way, *flight.path[1:]))


def _walk(chamber: Chamber, state: ChamberState, cell: Cell) -> Course:
    if cell == state.agent:
        raise IllegalMove(Reason.NO_EFFECT, f"{chamber.agent} is at {cell} already")
    way = _way(chamber, state, cell)
    return _fallen(chamber, walk(chamber, state, way), way)


def _way(chamber: Chamber, state: ChamberState, cell: Cell) -> tuple[Cell, ...]:
    """Return the way to a cell, around fields if there is such a one.

    Raises:
        IllegalMove: there is none.
    """
    if cell in compute_situation(chamber, state).closed:
        door = chamber.door_at[cell].name
        raise IllegalMove(ChamberReason.DOOR_CLOSED, f"{door} is closed")
    around = find_reach(chamber, state, fields=False).find_path(cell)
    way = around or find_reach(chamber, state).find_path(cell)
    if way is None:
        raise IllegalMove(Reason.UNREACHABLE, f"there is no way on foot to {cell}")
    return way


def _place(chamber: Chamber, state: ChamberState, gate: Gate, surface: Surface) -> Course:
    if surface not in chamber.surfaces:
        what = f"the side {surface.side} of {surface.cell}"
        raise IllegalMove(ChamberReason.NOT_PORTALABLE, f"{what} is no surface that takes a gate")
    if state.get_gate(gate) == surface:
        raise IllegalMove(Reason.NO_EFFECT, f"{gate} is there already")
    if surface in (state.orange, state.blue):
        raise IllegalMove(Reason.NOT_FREE, "the other gate is there")
    doors = find_sight_doors(chamber, state.agent, surface)
    closed = {chamber.door_at[cell].name for cell in compute_situation(chamber, state).closed}
    if doors is None or doors & closed:
        raise IllegalMove(ChamberReason.NO_LINE_OF_SIGHT, "that surface can't be seen from here")
    after = state.replace_gate(gate, surface)
    if state.pair is None and after.pair is None:
        return Course(after, (state.agent,))  # A gate alone leads nowhere.
    return _ended(chamber, after)


def _enter(chamber: Chamber, state: ChamberState, gate: Gate) -> Course:
    surface = state.get_gate(gate)
    if surface is None or state.pair is None:
        raise IllegalMove(Reason.NOT_FREE, "a gate leads nowhere until there are two")
    if surface.side is Direction.MINUS_Z:
        raise IllegalMove(Reason.UNREACHABLE, f"{gate} is in the ceiling")
    front = surface.front
    way = (front,) if front == state.agent else _way(chamber, state, front)
    after = walk(chamber, state, way)
    into = surface.side.opposite
    now = compute_situation(chamber, after)
    if into is not Direction.MINUS_Z and front not in find_reach(chamber, after).ground:
        raise IllegalMove(Reason.UNREACHABLE, f"there is nothing to stand on before {gate}")
    through = find_passage(chamber, now, after, front, into, None)
    if through is None:
        raise IllegalMove(Reason.BLOCKED, "no way leads out of the other gate, or there is none")
    if into is Direction.MINUS_Z:
        return _fallen(chamber, after, way)
    out = move_agent(chamber, after, through[1].front)
    flight = simulate_flight(chamber, out, None, rotate_through(*through, into.vector))
    return _ended(chamber, flight.state, (*way, *flight.path))


def _jump(chamber: Chamber, state: ChamberState, way: Direction) -> Course:
    now, above = compute_situation(chamber, state), add(state.agent, _UP)
    if is_solid(chamber, now, state, above, None):
        raise IllegalMove(Reason.BLOCKED, "there is no room above to jump")
    flight = simulate_flight(
        chamber, move_agent(chamber, state, above), None, way.vector, thrown=True
    )
    course = _ended(chamber, flight.state, (state.agent, *flight.path))
    if replace(course.state, timers=state.timers) == state:
        raise IllegalMove(Reason.NO_EFFECT, f"{chamber.agent} would come down where it is")
    return course


def _number(chamber: Chamber, name: Colour) -> int:
    """Return the number of a box.

    Raises:
        InvalidAction: there is none of that name.
    """
    names = [box.name for box in chamber.boxes]
    if name not in names:
        known = ", ".join(names) or "none"
        message = f"there is no box {name}; there are {known}"
        raise InvalidAction(Reason.UNKNOWN_COLOUR, message, culprits=(name,))
    return names.index(name)


def _pick_up(chamber: Chamber, state: ChamberState, name: Colour) -> Course:
    number = _number(chamber, name)
    if state.held is not None:
        held = chamber.boxes[state.held].name
        raise IllegalMove(Reason.NOT_FREE, f"{held} is carried already", culprits=(held,))
    cell = state.boxes[number]
    assert cell is not None
    dx, dy, dz = subtract(cell, state.agent)
    if abs(dx) + abs(dy) != 1 or abs(dz) > 1:
        raise IllegalMove(Reason.UNREACHABLE, f"{name} is not beside you", culprits=(name,))
    above = add(cell, _UP)
    on = [box.name for box, c in zip(chamber.boxes, state.boxes, strict=True) if c == above]
    if on:
        raise IllegalMove(Reason.BLOCKED, f"{on[0]} stands on {name}", culprits=tuple(on))
    if state.agent in chamber.field_cells:
        raise IllegalMove(Reason.BLOCKED, "nothing can be taken up in a field")
    return _ended(chamber, state.replace_box(number, None))


def _drop(chamber: Chamber, state: ChamberState, cell: Cell) -> Course:
    number = state.held
    if number is None:
        raise IllegalMove(Reason.NO_EFFECT, "nothing is carried")
    dx, dy, dz = subtract(cell, state.agent)
    if abs(dx) + abs(dy) != 1 or dz not in (0, 1):
        raise IllegalMove(Reason.UNREACHABLE, f"{cell} is not beside you")
    now = compute_situation(chamber, state)
    over = add(state.agent, _UP)
    if dz and is_solid(chamber, now, state, over, None):
        raise IllegalMove(Reason.BLOCKED, "there is no room to lift it so high")
    if is_solid(chamber, now, state, cell, number):
        raise IllegalMove(Reason.BLOCKED, f"{cell} is not free")
    flight = simulate_flight(chamber, move_box(chamber, state, number, cell), number)
    after = _ended(chamber, flight.state)
    more = dict(after.boxes)
    path = (*flight.path, *more.pop(number, ())[1:])
    return replace(after, boxes=((number, path), *more.items()))


def _press(chamber: Chamber, state: ChamberState, cell: Cell) -> Course:
    timed = {button.cell: k for k, button in enumerate(chamber.buttons) if button.ticks}
    if cell not in timed:
        raise IllegalMove(Reason.NO_EFFECT, f"there is no button to press at {cell}")
    dx, dy, dz = subtract(cell, state.agent)
    if abs(dx) + abs(dy) > 1 or dz:
        raise IllegalMove(Reason.UNREACHABLE, f"the button at {cell} is not beside you")
    number = timed[cell]
    ticks = chamber.buttons[number].ticks
    timers = (*state.timers[:number], ticks, *state.timers[number + 1 :])
    if timers == state.timers:
        raise IllegalMove(Reason.NO_EFFECT, "it has just been pressed")
    return _ended(chamber, replace(state, timers=timers))


def _wait(chamber: Chamber, state: ChamberState, ticks: int) -> Course:
    if not any(state.timers):
        raise IllegalMove(Reason.NO_EFFECT, "nothing changes by waiting: no button is running")
    return _ended(chamber, state.wait(min(ticks, max(state.timers))))
