"""Bodies of chambers, compiled: falling and flying, as :mod:`pysim.families.portal.flight`."""

from pysim.families.portal.chamber import FASTEST
from pysim.families.portal.compiled.situation import (
    BEAM,
    BRIDGE,
    CLOSED,
    PADS,
    RECEIVER,
    find_box,
    find_carried,
    find_exit,
    find_gate,
    update_situation,
)
from pysim.families.portal.flight import LONGEST
from pysim.families.portal.tables import (
    AGENT,
    BLUE,
    BOXES,
    CARRIED,
    DEADLY,
    FIELD,
    FREE,
    NO_GATE,
    ORANGE,
    PAD,
    TIMERS,
    Memory,
    Room,
    State,
)
from pysim.kernels import kernel

__all__ = [
    "DOWN",
    "fall",
    "find_passage",
    "find_restless",
    "fly",
    "is_solid",
    "put",
    "set_course",
    "set_speed",
    "settle",
    "tick",
    "wait",
]

_SPEED, _GONE = range(2)
"""Rows of ``speed``."""
_MOVING, _STAYING, _DYING = range(3)
DOWN = 5


@kernel(borrowing=True)
def is_solid(room: Room, memory: Memory, state: State, place: int, body: int) -> bool:
    """Return whether a body can't enter a place."""
    cell = room.cells[place]
    if not cell & FREE or memory.marks[place] & (CLOSED | BRIDGE):
        return True
    if cell & FIELD and (body != AGENT or find_carried(room, memory, state) >= 0):
        return True
    if body != AGENT and state[AGENT] == place:
        return True
    box = find_box(room, memory, state, place)
    return bool(box >= 0 and box != body)


@kernel(borrowing=True)
def find_passage(room: Room, memory: Memory, state: State, place: int, way: int, body: int) -> int:
    """Return the slot of the gate into which a body goes, -1 if it goes into none."""
    slot = find_gate(room, memory, state, place, way)
    if slot < 0:
        return -1
    front = room.fronts[find_exit(state, slot)]
    return -1 if is_solid(room, memory, state, front, body) else int(slot)


@kernel(borrowing=True)
def is_at_rest(room: Room, memory: Memory, state: State, place: int, body: int) -> bool:
    """Return whether a body stays in a place."""
    way = DOWN
    if memory.marks[place] & BEAM:
        way = int(memory.carries[place])
    ahead = place + memory.shifts[way]
    if find_passage(room, memory, state, place, way, body) >= 0:
        return False
    return bool(is_solid(room, memory, state, ahead, body))


@kernel(borrowing=True)
def put(room: Room, memory: Memory, state: State, body: int, place: int) -> bool:
    """Have a body in the next place of its way; a field there closes the agent's gates."""
    cell = room.cells[place]
    if cell & DEADLY:
        return False
    state[body] = place
    if body == AGENT and cell & FIELD:
        state[ORANGE] = state[BLUE] = NO_GATE
    return True


@kernel(borrowing=True)
def wait(room: Room, memory: Memory, state: State, ticks: int) -> None:
    """Have time pass."""
    for k in range(TIMERS, TIMERS + room.firsts[RECEIVER]):
        state[k] = max(0, state[k] - ticks)


@kernel(borrowing=True)
def set_speed(memory: Memory, x: int, y: int, z: int) -> None:
    """Set the speed of the body that flies."""
    memory.speed[_SPEED, 0] = x
    memory.speed[_SPEED, 1] = y
    memory.speed[_SPEED, 2] = z


@kernel(borrowing=True)
def set_course(memory: Memory, way: int) -> None:
    """Set the speed to one cell per tick in a direction."""
    set_speed(memory, 0, 0, 0)
    memory.speed[_SPEED, way // 2] = 1 - 2 * (way % 2)


@kernel(borrowing=True)
def fly(room: Room, memory: Memory, state: State, body: int, thrown: bool) -> bool:
    """Let a body go on with its speed until it rests."""
    for _ in range(LONGEST):
        update_situation(room, memory, state)
        place, speed = state[body], memory.speed[_SPEED]
        in_beam = memory.marks[place] & BEAM
        if not thrown:
            if speed[2] <= 0 and is_at_rest(room, memory, state, place, body):
                if in_beam or not room.cells[place] & PAD:
                    return True
                throw(room, memory, place)
            elif in_beam:
                set_course(memory, memory.carries[place])
            else:
                speed[2] = max(speed[2] - 1, -FASTEST)
        thrown = False
        if not tick(room, memory, state, body):
            return False
        wait(room, memory, state, 1)
    return False


@kernel(borrowing=True)
def throw(room: Room, memory: Memory, place: int) -> None:
    """Set the speed to that of the pad in a place."""
    for row in range(room.firsts[PADS], room.firsts[PADS + 1]):
        if room.devices[row] == place:
            speed = room.speeds[row]
            set_speed(memory, speed[0], speed[1], speed[2])


@kernel(borrowing=True)
def tick(room: Room, memory: Memory, state: State, body: int) -> bool:
    """Move a body for a tick; return whether it lives."""
    steps = 0
    for axis in range(3):
        memory.speed[_GONE, axis] = 0
        steps = max(steps, abs(memory.speed[_SPEED, axis]))
    carried = memory.marks[state[body]] & BEAM != 0
    for step in range(1, steps + 1):
        for axis in range(3):
            speed = memory.speed[_SPEED, axis]
            due = (2 * abs(speed) * step + steps) // (2 * steps)
            if speed == 0 or abs(memory.speed[_GONE, axis]) == due:
                continue
            found = move_along(room, memory, state, body, axis, carried)
            if found != _MOVING:
                return bool(found == _STAYING)
    return True


@kernel(borrowing=True)
def move_along(
    room: Room, memory: Memory, state: State, body: int, axis: int, carried: bool
) -> int:
    """Move a body by a cell along an axis, or into a gate; return how its tick goes on."""
    place, speed, gone = state[body], memory.speed[_SPEED], memory.speed[_GONE]
    sign = 1 if speed[axis] > 0 else -1
    way = 2 * axis + (sign < 0)
    slot = find_passage(room, memory, state, place, way, body)
    if slot >= 0:
        return pass_gate(room, memory, state, body, slot)
    ahead = place + memory.shifts[way]
    if is_solid(room, memory, state, ahead, body):
        speed[axis] = gone[axis] = 0
        if way == DOWN:
            set_speed(memory, 0, 0, 0)
        return _STAYING if way == DOWN else _MOVING
    if not put(room, memory, state, body, ahead):
        return _DYING
    gone[axis] += sign
    if memory.marks[ahead] & BEAM and not carried:
        set_speed(memory, 0, 0, 0)
        return _STAYING
    return _MOVING


@kernel(borrowing=True)
def pass_gate(room: Room, memory: Memory, state: State, body: int, slot: int) -> int:
    """Move a body through a gate and out of the other one; return how its tick goes on."""
    other = find_exit(state, slot)
    turn_speed(memory, room.sides[slot], room.sides[other])
    alive = put(room, memory, state, body, room.fronts[other])
    return _STAYING if alive else _DYING


@kernel(borrowing=True)
def turn_speed(memory: Memory, side: int, other: int) -> None:
    """Turn the speed as the passage from a gate to another one does."""
    matrix, speed = memory.rotations[side, other], memory.speed[_SPEED]
    x, y, z = speed[0], speed[1], speed[2]
    for k in range(3):
        speed[k] = matrix[k, 0] * x + matrix[k, 1] * y + matrix[k, 2] * z


@kernel(borrowing=True)
def find_restless(room: Room, memory: Memory, state: State) -> int:
    """Return the first body that does not rest, boxes first; -1 if all do."""
    update_situation(room, memory, state)
    for body in range(BOXES, BOXES + room.sizes[0]):
        place = state[body]
        if place != CARRIED and not is_at_rest(room, memory, state, place, body):
            return body
    resting = is_at_rest(room, memory, state, state[AGENT], AGENT)
    return -1 if resting else AGENT


@kernel(borrowing=True)
def settle(room: Room, memory: Memory, state: State) -> bool:
    """Have all come to rest."""
    for _ in range(LONGEST):
        body = find_restless(room, memory, state)
        if body < 0:
            return True
        set_speed(memory, 0, 0, 0)
        if not fly(room, memory, state, body, False):
            return False
    return False


@kernel(borrowing=True)
def fall(room: Room, memory: Memory, state: State) -> bool:
    """Have the agent, and then all, come to rest."""
    set_speed(memory, 0, 0, 0)
    return bool(fly(room, memory, state, AGENT, False) and settle(room, memory, state))
