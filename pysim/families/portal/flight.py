"""Falling, flying and being carried: exact, in whole cells and ticks.

A tick of a body that is not at rest: a beam moves it by one cell; else gravity takes one cell per
tick from its upward speed, and it goes as far as its speed says, cell by cell. It rests where it
comes to the ground, or where a beam can't carry it on.
"""

from dataclasses import dataclass, replace

from pysim.errors import InputError
from pysim.families.portal.actions import ChamberReason
from pysim.families.portal.chamber import FASTEST, Chamber, Surface
from pysim.families.portal.circuits import Situation, compute_situation
from pysim.families.portal.gates import find_other_gate, rotate_through
from pysim.families.portal.state import ChamberState, start_of
from pysim.geometry import Cell, Direction, add, scale, subtract
from pysim.puzzle import IllegalMove, Reason
from pysim.scene import Colour

__all__ = [
    "Flight",
    "check_rest",
    "find_passage",
    "is_at_rest",
    "is_solid",
    "move_agent",
    "move_box",
    "settle",
    "simulate_flight",
]

LONGEST = 120
"""Ticks after which a flight is said never to end."""
STILL: Cell = (0, 0, 0)
_DOWN = Direction.MINUS_Z


@dataclass(frozen=True, slots=True)
class Flight:
    """Result of a flight.

    Attributes:
        state: at its end.
        path: the cells of the body, from the first one; where it goes through gates, two that
            follow each other are no neighbours.
        speeds: the speed with which each tick ended.
    """

    state: ChamberState
    path: tuple[Cell, ...]
    speeds: tuple[Cell, ...] = ()


def is_solid(
    chamber: Chamber, now: Situation, state: ChamberState, cell: Cell, body: int | None
) -> bool:
    """Return whether a body can't enter a cell.

    Args:
        body: the number of a box, or None for the agent.
    """
    if cell not in chamber.free or cell in now.closed or cell in now.bridge:
        return True
    if cell in chamber.field_cells and (body is not None or state.held is not None):
        return True
    if body is not None and cell == state.agent:
        return True
    return cell in state.boxes and (body is None or state.boxes.index(cell) != body)


def find_passage(
    chamber: Chamber,
    now: Situation,
    state: ChamberState,
    cell: Cell,
    way: Direction,
    body: int | None,
) -> tuple[Surface, Surface] | None:
    """The gate into which a body goes, and the one that it leaves by; None if there is none."""
    met = find_other_gate(state.pair, cell, way)
    if met is None or is_solid(chamber, now, state, met[1].front, body):
        return None
    return met


def is_at_rest(
    chamber: Chamber, now: Situation, state: ChamberState, cell: Cell, body: int | None
) -> bool:
    """Return whether a body stays in a cell."""
    if cell in now.beam:
        way = now.beam[cell]
        ahead = add(cell, way.vector)
        free = not is_solid(chamber, now, state, ahead, body)
        return not free and find_passage(chamber, now, state, cell, way, body) is None
    return _is_held_up(chamber, now, state, cell, body)


def _is_held_up(
    chamber: Chamber, now: Situation, state: ChamberState, cell: Cell, body: int | None
) -> bool:
    below = add(cell, _DOWN.vector)
    if find_passage(chamber, now, state, cell, _DOWN, body) is not None:
        return False
    return is_solid(chamber, now, state, below, body)


def simulate_flight(
    chamber: Chamber,
    state: ChamberState,
    body: int | None,
    speed: Cell = STILL,
    *,
    thrown: bool = False,
) -> Flight:
    """Let a body go until it rests.

    Args:
        body: the number of a box, or None for the agent.
        speed: with which it starts.
        thrown: whether it goes for a tick before gravity takes some of that speed.

    Raises:
        IllegalMove: it would come into liquid (DEADLY), or never to rest (UNSTABLE).
    """
    path, speeds = [_place(state, body)], list[Cell]()
    for _ in range(LONGEST):
        now, cell = compute_situation(chamber, state), _place(state, body)
        if not thrown:
            if is_at_rest(chamber, now, state, cell, body) and speed[2] <= 0:
                if cell not in chamber.pad_at or cell in now.beam:
                    return Flight(state, tuple(path), tuple(speeds))
                speed = chamber.pad_at[cell]
            elif cell in now.beam:
                speed = now.beam[cell].vector
            else:
                speed = (speed[0], speed[1], max(speed[2] - 1, -FASTEST))
        thrown = False
        state, speed = _tick(chamber, now, state, body, speed, path)
        state = state.wait()
        speeds.append(speed)
    who = chamber.agent if body is None else chamber.boxes[body].name
    raise IllegalMove(Reason.UNSTABLE, f"{who} would never come to rest", culprits=(who,))


def _place(state: ChamberState, body: int | None) -> Cell:
    cell = state.agent if body is None else state.boxes[body]
    assert cell is not None
    return cell


def _tick(
    chamber: Chamber,
    now: Situation,
    state: ChamberState,
    body: int | None,
    speed: Cell,
    path: list[Cell],
) -> tuple[ChamberState, Cell]:
    """Return a body after a tick with a speed, and its speed then; cells are added to its path."""
    gone, steps, carried = STILL, max(map(abs, speed)), _place(state, body) in now.beam
    for step in range(1, steps + 1):
        for axis in range(3):
            way = _way(axis, speed[axis])
            if gone[axis] == _share(speed[axis], step, steps) or way is None:
                continue
            cell = _place(state, body)
            through = find_passage(chamber, now, state, cell, way, body)
            if through is not None:
                state = _moved(chamber, state, body, through[1].front, path)
                return state, rotate_through(*through, speed)
            ahead = add(cell, way.vector)
            if is_solid(chamber, now, state, ahead, body):
                if way is _DOWN:
                    return state, STILL
                speed = _without(speed, axis)
                gone = _without(gone, axis)
                continue
            state = _moved(chamber, state, body, ahead, path)
            gone = add(gone, way.vector)
            if ahead in now.beam and not carried:
                return state, STILL  # The beam has it.
    return state, speed


def _share(speed: int, step: int, steps: int) -> int:
    """Return the progress of a body after some of a tick's steps, rounded to the nearest cell."""
    whole = (2 * abs(speed) * step + steps) // (2 * steps)
    return whole if speed > 0 else -whole


def _way(axis: int, speed: int) -> Direction | None:
    return Direction(("+" if speed > 0 else "-") + "xyz"[axis]) if speed else None


def _without(vector: Cell, axis: int) -> Cell:
    unit: Cell = (int(axis == 0), int(axis == 1), int(axis == 2))
    return subtract(vector, scale(unit, vector[axis]))


def _moved(
    chamber: Chamber, state: ChamberState, body: int | None, cell: Cell, path: list[Cell]
) -> ChamberState:
    """Return a body in the next cell of its way."""
    path.append(cell)
    if body is None:
        return move_agent(chamber, state, cell)
    return move_box(chamber, state, body, cell)


def move_agent(chamber: Chamber, state: ChamberState, cell: Cell) -> ChamberState:
    """Return the state with the agent in the next cell of its way; a field there closes the gates.

    Raises:
        IllegalMove: the cell is deadly.
    """
    _check_alive(chamber, cell, chamber.agent)
    state = state.replace_agent(cell)
    return state.close_gates() if cell in chamber.field_cells else state


def move_box(chamber: Chamber, state: ChamberState, box: int, cell: Cell) -> ChamberState:
    """Return the state with a box in a cell.

    Raises:
        IllegalMove: the cell is deadly.
    """
    _check_alive(chamber, cell, chamber.boxes[box].name)
    return state.replace_box(box, cell)


def _check_alive(chamber: Chamber, cell: Cell, name: Colour) -> None:
    if cell in chamber.liquid:
        raise IllegalMove(
            ChamberReason.DEADLY, f"{name} would get into the liquid", culprits=(name,)
        )


def settle(chamber: Chamber, state: ChamberState) -> tuple[ChamberState, dict[int | None, Flight]]:
    """Settle a state in which something may not rest any more: boxes first, in order.

    Returns:
        The state at rest, and of each body that flew its flights as one, by its number.

    Raises:
        IllegalMove: as :func:`simulate_flight`.
    """
    flights: dict[int | None, Flight] = {}
    for _ in range(LONGEST):
        restless = _restless(chamber, state)
        if not restless:
            return state, flights
        body = restless[0]
        flight = simulate_flight(chamber, state, body)
        before = flights[body].path if body in flights else ()
        flights[body] = replace(flight, path=(*before, *flight.path))
        state = flight.state
    raise IllegalMove(Reason.UNSTABLE, "it would never come to rest")


def check_rest(chamber: Chamber) -> None:
    """Check that nothing falls, flies or is carried before the first action.

    Raises:
        InputError: something does.
    """
    for body in _restless(chamber, start_of(chamber)):
        name = chamber.agent if body is None else chamber.boxes[body].name
        raise InputError(f"{name} has to rest at the start: put it on firm ground")


def _restless(chamber: Chamber, state: ChamberState) -> list[int | None]:
    """Return the numbers of the bodies that do not rest; None is the agent."""
    now = compute_situation(chamber, state)
    bodies = [(k, cell) for k, cell in enumerate(state.boxes) if cell is not None]
    moving: list[int | None] = [k for k, c in bodies if not is_at_rest(chamber, now, state, c, k)]
    return moving if is_at_rest(chamber, now, state, state.agent, None) else [*moving, None]
