"""The rules of chambers, compiled: the same as those of the other modules, on rows of numbers.

A function that moves things changes the state that it is given, and returns whether the rules allow
that. After a refusal the state is of no use. Bodies have the numbers of their places in a state:
:data:`~pysim.families.portal.tables.AGENT`, and those from ``BOXES`` on.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.families.portal.chamber import FASTEST
from pysim.families.portal.flight import LONGEST
from pysim.families.portal.tables import (
    AGENT,
    BLUE,
    BOXES,
    CARRIED,
    DEADLY,
    DOOR_CELL,
    FIELD,
    FREE,
    NO_GATE,
    ORANGE,
    PAD,
    STOPPED,
    TIMERS,
    Memory,
    Room,
)
from pysim.kernels import kernel

__all__ = ["copy_state", "list_legal", "observe_state", "perform"]

State = NDArray[np.int16]

_CLOSED, _BRIDGE, _BEAM = 1, 2, 4
"""Bits of what is in a place now: a closed door, a bridge, a beam."""
_BUTTON, _RECEIVER, _DOOR, _LASER, _BRIDGES, _BEAMS, _FIELDS, _PADS = range(8)
"""Kinds of devices."""
_WORKS, _HIT = range(2)
"""Rows of ``working``."""
_SPEED, _GONE = range(2)
"""Rows of ``speed``."""
_MARKED, _STAMP, _GROUND, _BRINKS = 0, 1, 3, 5
"""Entries of ``counts``; of stamps, the ground and brinks there are two."""
_AROUND, _THROUGH = range(2)
"""Ways on foot: around fields, and through them."""
_TO_GROUND, _TO_BRINK = range(2)
"""Ends of ways on foot."""
_MOVING, _STAYING, _DYING = range(3)
_DOWN = 5
_WALKER, _TRIAL, _OTHER = range(1, 4)
"""States of ``scratch``; the first one is the caller's."""
_PLACE_GATE, _ENTER, _JUMP, _PICK_UP, _DROP, _PRESS, _WAIT = range(1, 8)
"""Tools, in the order of their numbers."""


@kernel(borrowing=True)
def find_box(room: Room, memory: Memory, state: State, place: int) -> int:
    """Return the body of the box in a place, -1 if there is none."""
    for body in range(BOXES, BOXES + room.sizes[0]):
        if state[body] == place:
            return body
    return -1


@kernel(borrowing=True)
def find_carried(room: Room, memory: Memory, state: State) -> int:
    """Return the body of the box that is carried, -1 if none is."""
    return int(find_box(room, memory, state, CARRIED))


@kernel(borrowing=True)
def find_gate(room: Room, memory: Memory, state: State, place: int, way: int) -> int:
    """Return the slot of the open gate that is met in going on from a place, -1 if none is."""
    if state[ORANGE] == NO_GATE or state[BLUE] == NO_GATE:
        return -1
    for number in (ORANGE, BLUE):
        slot = state[number]
        ahead = room.surfaces[slot] == place + memory.shifts[way]
        if ahead and room.sides[slot] == way ^ 1:
            return int(slot)
    return -1


@kernel(borrowing=True)
def find_exit(state: State, slot: int) -> int:
    """Return the slot of the other gate."""
    return int(state[BLUE] if state[ORANGE] == slot else state[ORANGE])


# -- devices --------------------------------------------------------------------------------------


@kernel(borrowing=True)
def note(memory: Memory, place: int, value: int) -> bool:
    """Write an entry of what the marks follow from; return whether it is another one."""
    changed = memory.key[place] != value
    memory.key[place] = value
    return bool(changed)


@kernel(borrowing=True)
def note_situation(room: Room, memory: Memory, state: State) -> bool:
    """Write what the marks follow from; return whether it has changed."""
    firsts, boxes = room.firsts, room.sizes[0]
    last = BOXES + boxes if firsts[_LASER] < firsts[_BEAMS] else BOXES
    open_gates = state[ORANGE] != NO_GATE and state[BLUE] != NO_GATE
    changed = note(memory, 0, room.number[0])
    changed |= note(memory, 1, state[ORANGE] if open_gates else NO_GATE)
    changed |= note(memory, 2, state[BLUE] if open_gates else NO_GATE)
    changed |= note(memory, 3, state[AGENT] if firsts[_BRIDGES] < firsts[_BEAMS] else 0)
    for body in range(BOXES, last):
        changed |= note(memory, 4 + body - BOXES, state[body])
    behind = 4 + last - BOXES
    for row in range(firsts[_RECEIVER]):
        changed |= note(memory, behind + row, is_pressed(room, memory, state, row))
    for row in range(firsts[_DOOR], firsts[_LASER]):
        held = has_body(room, memory, state, room.devices[row])
        changed |= note(memory, behind + row, held)
    return bool(changed)


@kernel(borrowing=True)
def has_body(room: Room, memory: Memory, state: State, place: int) -> bool:
    """Return whether the agent or a box is in a place."""
    return state[AGENT] == place or find_box(room, memory, state, place) >= 0


@kernel(borrowing=True)
def is_pressed(room: Room, memory: Memory, state: State, row: int) -> bool:
    """Return whether a button works."""
    if state[TIMERS + row] > 0:
        return True
    held = has_body(room, memory, state, room.devices[row])
    return bool(held and room.ticks[row] == 0)


@kernel(borrowing=True)
def is_ready(room: Room, memory: Memory, row: int) -> bool:
    """Return whether all that a device needs works."""
    for needed in range(room.firsts[_DOOR]):
        if room.needs[row, needed] and not memory.working[_WORKS, needed]:
            return False
    return True


@kernel(borrowing=True)
def update_situation(room: Room, memory: Memory, state: State) -> None:
    """Write what is in each place now, if that may have changed."""
    if not note_situation(room, memory, state):
        return
    firsts = room.firsts
    clear_marks(memory)
    for row in range(firsts[_DOOR]):
        pressed = row < firsts[_RECEIVER] and is_pressed(room, memory, state, row)
        memory.working[_WORKS, row] = pressed
    for row in range(firsts[_DOOR], firsts[_LASER]):
        mark(memory, room.devices[row], _CLOSED)
    while True:
        close_doors(room, memory, state)
        if not shine(room, memory, state):
            break
    for row in range(firsts[_BRIDGES], firsts[_FIELDS]):
        if is_ready(room, memory, row):
            trace(room, memory, state, row, _BRIDGES if row < firsts[_BEAMS] else _BEAMS)


@kernel(borrowing=True)
def clear_marks(memory: Memory) -> None:
    """Take all marks away."""
    for k in range(memory.counts[_MARKED]):
        memory.marks[memory.listed[0, k]] = 0
    memory.counts[_MARKED] = 0


@kernel(borrowing=True)
def mark(memory: Memory, place: int, bit: int) -> None:
    """Mark a place."""
    memory.marks[place] |= bit
    memory.listed[0, memory.counts[_MARKED]] = place
    memory.counts[_MARKED] += 1


@kernel(borrowing=True)
def close_doors(room: Room, memory: Memory, state: State) -> None:
    """Mark closed doors; one stays open while something is in it."""
    for row in range(room.firsts[_DOOR], room.firsts[_LASER]):
        place = room.devices[row]
        shut = not is_ready(room, memory, row) and not has_body(room, memory, state, place)
        memory.marks[place] = _CLOSED if shut else 0


@kernel(borrowing=True)
def shine(room: Room, memory: Memory, state: State) -> bool:
    """Have lasers hit receivers; return whether more works than before."""
    firsts, more = room.firsts, False
    if firsts[_LASER] == firsts[_BRIDGES]:
        return False
    for row in range(firsts[_RECEIVER], firsts[_DOOR]):
        memory.working[_HIT, row] = 0
    for row in range(firsts[_LASER], firsts[_BRIDGES]):
        if is_ready(room, memory, row):
            trace(room, memory, state, row, _LASER)
    for row in range(firsts[_RECEIVER], firsts[_DOOR]):
        if memory.working[_HIT, row] and not memory.working[_WORKS, row]:
            memory.working[_WORKS, row] = 1
            more = True
    return more


@kernel(borrowing=True)
def trace(room: Room, memory: Memory, state: State, row: int, kind: int) -> None:
    """Follow what an emitter sends out, through gates and over boxes that turn lasers."""
    place, way, count = int(room.devices[row]), int(room.ways[row]), 0
    while not is_stopping(room, memory, state, place, kind):
        if memory.crossed[place] >> way & 1:
            break
        memory.crossed[place] |= 1 << way
        memory.listed[1, count] = place
        count += 1
        box = find_box(room, memory, state, place) if kind == _LASER else -1
        if box >= 0:
            way = int(room.turns[box - BOXES])
            if way == STOPPED:
                break
        leave_trace(room, memory, state, place, way, kind)
        place, way = go_on(room, memory, state, place, way)
    for k in range(count):
        memory.crossed[memory.listed[1, k]] = 0


@kernel(borrowing=True)
def go_on(room: Room, memory: Memory, state: State, place: int, way: int) -> tuple[int, int]:
    """Return the next place of a ray, maybe through gates, and its way there."""
    slot = find_gate(room, memory, state, place, way)
    if slot < 0:
        return place + int(memory.shifts[way]), way
    other = find_exit(state, slot)
    return int(room.fronts[other]), int(room.sides[other])


@kernel(borrowing=True)
def is_stopping(room: Room, memory: Memory, state: State, place: int, kind: int) -> bool:
    """Return whether a ray ends before a place."""
    if not room.cells[place] & FREE or memory.marks[place] & _CLOSED:
        return True
    return bool(kind == _BRIDGES and has_body(room, memory, state, place))


@kernel(borrowing=True)
def leave_trace(room: Room, memory: Memory, state: State, place: int, way: int, kind: int) -> None:
    """Write what a ray does in a place that it leaves by a way."""
    if kind == _LASER:
        for row in range(room.firsts[_RECEIVER], room.firsts[_DOOR]):
            is_ahead = room.devices[row] == place + memory.shifts[way]
            if is_ahead and find_gate(room, memory, state, place, way) < 0:
                memory.working[_HIT, row] = 1
        return
    mark(memory, place, _BRIDGE if kind == _BRIDGES else _BEAM)
    if kind == _BEAMS:
        memory.carries[place] = way


# -- bodies ---------------------------------------------------------------------------------------


@kernel(borrowing=True)
def is_solid(room: Room, memory: Memory, state: State, place: int, body: int) -> bool:
    """Return whether a body can't enter a place."""
    cell = room.cells[place]
    if not cell & FREE or memory.marks[place] & (_CLOSED | _BRIDGE):
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
    way = _DOWN
    if memory.marks[place] & _BEAM:
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
    for k in range(TIMERS, TIMERS + room.firsts[_RECEIVER]):
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
        in_beam = memory.marks[place] & _BEAM
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
    for row in range(room.firsts[_PADS], room.firsts[_PADS + 1]):
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
    carried = memory.marks[state[body]] & _BEAM != 0
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
        if way == _DOWN:
            set_speed(memory, 0, 0, 0)
        return _STAYING if way == _DOWN else _MOVING
    if not put(room, memory, state, body, ahead):
        return _DYING
    gone[axis] += sign
    if memory.marks[ahead] & _BEAM and not carried:
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


# -- walking --------------------------------------------------------------------------------------


@kernel(borrowing=True)
def is_open(room: Room, memory: Memory, state: State, place: int, kind: int) -> bool:
    """Return whether the agent may enter a place on foot."""
    if kind == _AROUND and room.cells[place] & FIELD:
        return False
    return not is_solid(room, memory, state, place, AGENT)


@kernel(borrowing=True)
def has_footing(room: Room, memory: Memory, state: State, place: int) -> bool:
    """Return whether the agent comes to rest in a place, alive, and can go on from it."""
    if room.cells[place] & (PAD | DEADLY) or memory.marks[place] & _BEAM:
        return False
    if find_passage(room, memory, state, place, _DOWN, AGENT) >= 0:
        return False
    return bool(is_solid(room, memory, state, place + memory.shifts[_DOWN], AGENT))


@kernel(borrowing=True)
def reach(room: Room, memory: Memory, state: State, kind: int) -> None:
    """Find the places to which the agent can walk, while all stays as it is."""
    update_situation(room, memory, state)
    memory.counts[_STAMP + kind] += 1
    memory.counts[_GROUND + kind] = memory.counts[_BRINKS + kind] = 0
    add_ground(memory, kind, state[AGENT], state[AGENT])
    memory.queue[0] = state[AGENT]
    first, last = 0, 1
    while first < last:
        place = memory.queue[first]
        first += 1
        for way in range(4):
            there = step_out(room, memory, state, place + memory.shifts[way], place, kind)
            if there >= 0:
                memory.queue[last] = there
                last += 1


@kernel(borrowing=True)
def step_out(room: Room, memory: Memory, state: State, there: int, place: int, kind: int) -> int:
    """Step into the place beside one; return where one can walk on from, -1 if from nowhere."""
    ground, stamp = memory.reached[kind, _TO_GROUND], memory.counts[_STAMP + kind]
    if ground[there] == stamp or not is_open(room, memory, state, there, kind):
        return -1
    if has_footing(room, memory, state, there):
        add_ground(memory, kind, there, place)
        return int(there)
    add_brink(memory, kind, there, place)
    lower = there + memory.shifts[_DOWN]
    if ground[lower] == stamp or not is_leading_down(room, memory, state, there, kind):
        return -1
    add_ground(memory, kind, there, place)
    add_ground(memory, kind, lower, there)
    return int(lower)


@kernel(borrowing=True)
def is_leading_down(room: Room, memory: Memory, state: State, place: int, kind: int) -> bool:
    """Return whether one can step from a place into the one below it, and stay there."""
    if memory.marks[place] & _BEAM or room.cells[place] & DEADLY:
        return False
    lower = place + memory.shifts[_DOWN]
    return bool(
        is_open(room, memory, state, lower, kind) and has_footing(room, memory, state, lower)
    )


@kernel(borrowing=True)
def add_ground(memory: Memory, kind: int, place: int, before: int) -> None:
    """Note a place on which one can stand, or through which one steps down."""
    memory.order[kind, memory.counts[_GROUND + kind]] = place
    memory.counts[_GROUND + kind] += 1
    memory.before[kind, _TO_GROUND, place] = before
    memory.reached[kind, _TO_GROUND, place] = memory.counts[_STAMP + kind]


@kernel(borrowing=True)
def add_brink(memory: Memory, kind: int, place: int, before: int) -> None:
    """Note a place into which one can step, if it is new."""
    if memory.reached[kind, _TO_BRINK, place] == memory.counts[_STAMP + kind]:
        return
    memory.brinks[kind, memory.counts[_BRINKS + kind]] = place
    memory.counts[_BRINKS + kind] += 1
    memory.before[kind, _TO_BRINK, place] = before
    memory.reached[kind, _TO_BRINK, place] = memory.counts[_STAMP + kind]


@kernel(borrowing=True)
def find_end(memory: Memory, kind: int, place: int) -> int:
    """Return whether the way to a place ends on the ground or on a brink; -1 if there is none."""
    for end in (_TO_GROUND, _TO_BRINK):
        if memory.reached[kind, end, place] == memory.counts[_STAMP + kind]:
            return end
    return -1


@kernel(borrowing=True)
def walk(room: Room, memory: Memory, state: State, goal: int) -> bool:
    """Walk to a place, around fields if there is such a way, a tick for each cell."""
    kind = _AROUND
    reach(room, memory, state, kind)
    if find_end(memory, kind, goal) < 0:
        kind = _THROUGH
        reach(room, memory, state, kind)
    end = find_end(memory, kind, goal)
    if end < 0:
        return False
    for k in range(write_way(memory, state[AGENT], goal, kind, end) - 1, -1, -1):
        update_situation(room, memory, state)
        if is_solid(room, memory, state, memory.queue[k], AGENT):
            return False
        wait(room, memory, state, 1)
        if not put(room, memory, state, AGENT, memory.queue[k]):
            return False
    return True


@kernel(borrowing=True)
def write_way(memory: Memory, start: int, goal: int, kind: int, end: int) -> int:
    """Write the places of a way into the queue, the last one first; return how many there are."""
    length, place = 0, goal
    while place != start:
        memory.queue[length] = place
        length += 1
        place = memory.before[kind, end, place]
        end = _TO_GROUND
    return length


@kernel(borrowing=True)
def list_walks(
    room: Room, memory: Memory, state: State, found: NDArray[np.int32], count: int
) -> int:
    """Write the numbers of all walks that are legal behind others; return how many there are."""
    reach(room, memory, state, _THROUGH)
    if room.firsts[_FIELDS] < room.firsts[_PADS]:
        reach(room, memory, state, _AROUND)
        follow_walks(room, memory, state, _AROUND)
    else:
        memory.counts[_STAMP + _AROUND] += 1
    follow_walks(room, memory, state, _THROUGH)
    sort_brinks(memory)
    for k in range(memory.counts[_GROUND + _THROUGH]):
        count = add_walk(memory, found, count, memory.order[_THROUGH, k])
    for k in range(memory.counts[_BRINKS + _THROUGH]):
        place = memory.brinks[_THROUGH, k]
        if find_end(memory, _THROUGH, place) == _TO_BRINK:
            count = add_walk(memory, found, count, place)
    return count


@kernel(borrowing=True)
def add_walk(memory: Memory, found: NDArray[np.int32], count: int, place: int) -> int:
    """Write the number of the walk to a place, if it is legal; return how many there are."""
    if memory.allowed[place] == memory.counts[_STAMP + _THROUGH]:
        found[count] = memory.walks[place]
        return count + 1
    return count


@kernel(borrowing=True)
def sort_brinks(memory: Memory) -> None:
    """Sort the places that are brinks."""
    brinks = memory.brinks[_THROUGH]
    for k in range(1, memory.counts[_BRINKS + _THROUGH]):
        place, before = brinks[k], k - 1
        while before >= 0 and brinks[before] > place:
            brinks[before + 1] = brinks[before]
            before -= 1
        brinks[before + 1] = place


@kernel(borrowing=True)
def follow_walks(room: Room, memory: Memory, state: State, kind: int) -> None:
    """Walk to all places at once: ways begin with ways to places before."""
    start = state[AGENT]
    memory.alive[kind, start] = memory.counts[_STAMP + kind]
    memory.steps[kind, start] = 0
    for k in range(memory.counts[_GROUND + kind]):
        place = memory.order[kind, k]
        if not begin_walker(room, memory, state, kind, place):
            continue
        for way in range(4):
            step_on(room, memory, kind, place, place + memory.shifts[way])
        step_on(room, memory, kind, place, place + memory.shifts[_DOWN])
        if place != start:
            judge_end(room, memory, kind, place)
    for k in range(memory.counts[_BRINKS + kind]):
        place = memory.brinks[kind, k]
        is_end = find_end(memory, kind, place) == _TO_BRINK
        if is_end and begin_walker(room, memory, state, kind, place):
            judge_end(room, memory, kind, place)


@kernel(borrowing=True)
def begin_walker(room: Room, memory: Memory, state: State, kind: int, place: int) -> bool:
    """Have the state in which one comes to a place on foot; return whether one does."""
    if memory.alive[kind, place] != memory.counts[_STAMP + kind]:
        return False
    walker, steps = memory.scratch[_WALKER], memory.steps[kind, place]
    copy_state(state, walker)
    walker[AGENT] = place
    if steps < 0:
        walker[ORANGE] = walker[BLUE] = NO_GATE
    wait(room, memory, walker, steps if steps >= 0 else -1 - steps)
    update_situation(room, memory, walker)
    return True


@kernel(borrowing=True)
def copy_state(state: State, copy: State) -> None:
    """Copy a state into another one."""
    for k in range(len(state)):
        copy[k] = state[k]


@kernel(borrowing=True)
def step_on(room: Room, memory: Memory, kind: int, place: int, there: int) -> None:
    """Note that one comes to a place alive, if the way there leads on from another place."""
    end = find_end(memory, kind, there)
    if end < 0 or memory.before[kind, end, there] != place or there == place:
        return
    cell = room.cells[there]
    if cell & DEADLY or is_solid(room, memory, memory.scratch[_WALKER], there, AGENT):
        return
    steps = memory.steps[kind, place]
    through = steps < 0 or cell & FIELD != 0
    ticks = 1 + (steps if steps >= 0 else -1 - steps)
    memory.steps[kind, there] = -1 - ticks if through else ticks
    memory.alive[kind, there] = memory.counts[_STAMP + kind]


@kernel(borrowing=True)
def judge_end(room: Room, memory: Memory, kind: int, place: int) -> None:
    """Note that the walk to a place is legal, if all comes to rest there, and it is the way."""
    if kind == _THROUGH and find_end(memory, _AROUND, place) >= 0:
        return
    walker, trial = memory.scratch[_WALKER], memory.scratch[_TRIAL]
    legal = not room.cells[place] & PAD and find_restless(room, memory, walker) < 0
    if not legal:
        copy_state(walker, trial)
        legal = fall(room, memory, trial)
    if legal:
        memory.allowed[place] = memory.counts[_STAMP + _THROUGH]


# -- sight ----------------------------------------------------------------------------------------


@kernel(borrowing=True)
def can_see(room: Room, memory: Memory, state: State, slot: int) -> bool:
    """Return whether the agent sees a surface: the line with the fewest doors is open."""
    place, fewest, is_shut = int(state[AGENT]), -1, True
    if room.cells[place] & FIELD:
        return False
    for k in range(5):
        eye = place if k == 0 else place + memory.shifts[k - 1]
        cell = room.cells[eye]
        if k > 0 and (not cell & FREE or cell & (FIELD | DOOR_CELL)):
            continue
        doors = count_doors(room, memory, eye, slot)
        if doors >= 0 and (fewest < 0 or doors // 2 < fewest):
            fewest, is_shut = doors // 2, doors % 2 > 0
        if fewest == 0:
            break
    return not is_shut


@kernel(borrowing=True)
def count_doors(room: Room, memory: Memory, place: int, slot: int) -> int:
    """Return twice the doors on a line from a place to a surface, and 1 if one is closed.

    It is -1 if something else is on the line. Lengths along the axes are doubled, so that planes
    between cells are met after odd ones. They are met in turn, or at once along an edge.
    """
    eye, goal = memory.spots[place], memory.spots[room.surfaces[slot]]
    side, found, closed = room.sides[slot], 0, 0
    if (eye[side // 2] - goal[side // 2]) * (1 - 2 * (side % 2)) < 1:
        return -1
    x, y, z = 2 * (goal[0] - eye[0]), 2 * (goal[1] - eye[1]), 2 * (goal[2] - eye[2])
    x += int(side == 0) - int(side == 1)
    y += int(side == 2) - int(side == 3)
    z += int(side == 4) - int(side == 5)
    width, depth, height, one, two, three = abs(x), abs(y), abs(z), 1, 1, 1
    while True:
        cell = room.cells[place]
        if not cell & FREE or cell & FIELD:
            return -1
        if cell & DOOR_CELL:
            found += 1
            closed |= memory.marks[place] & _CLOSED
        goes_x = is_next(one, width, two, depth) and is_next(one, width, three, height)
        goes_y = is_next(two, depth, one, width) and is_next(two, depth, three, height)
        goes_z = is_next(three, height, one, width) and is_next(three, height, two, depth)
        at_end = (goes_x and one >= width) or (goes_y and two >= depth)
        if at_end or (goes_z and three >= height):
            return 2 * found + closed
        if goes_x:
            place, one = place + memory.shifts[int(x < 0)], one + 2
        if goes_y:
            place, two = place + memory.shifts[2 + int(y < 0)], two + 2
        if goes_z:
            place, three = place + memory.shifts[4 + int(z < 0)], three + 2


@kernel(borrowing=True, inline=True)
def is_next(one: int, length: int, two: int, other: int) -> bool:
    """Return whether a plane along an axis is met no later than one along another axis."""
    return length > 0 and (other == 0 or one * other <= two * length)


# -- actions --------------------------------------------------------------------------------------


@kernel(borrowing=True)
def perform(room: Room, memory: Memory, state: State, number: int) -> bool:
    """Make an action by its number."""
    tool = 0
    while number >= memory.starts[tool + 1]:
        tool += 1
    rest, slots = number - memory.starts[tool], len(room.surfaces)
    if tool == _PLACE_GATE:
        update_situation(room, memory, state)
        known = rest % slots < room.sizes[1]
        if not known or not can_see(room, memory, state, rest % slots):
            return False
        return place_gate(room, memory, state, rest // slots, rest % slots)
    if tool == _ENTER:
        return enter(room, memory, state, rest)
    if tool == _JUMP:
        return jump(room, memory, state, memory.floor[rest])
    if tool == _PICK_UP:
        return pick_up(room, memory, state, rest)
    if tool == _DROP:
        return drop(room, memory, state, memory.floor[rest // 2], rest % 2)
    if tool == _PRESS:
        return press(room, memory, state, rest)
    if tool == _WAIT:
        return wait_on(room, memory, state, rest + 1)
    place = memory.places[rest]
    away = place != state[AGENT] and walk(room, memory, state, place)
    return bool(away and fall(room, memory, state))


@kernel(borrowing=True)
def place_gate(room: Room, memory: Memory, state: State, gate: int, slot: int) -> bool:
    """Place a gate on a surface that is seen."""
    if slot in (state[ORANGE], state[BLUE]):
        return False
    state[ORANGE + gate] = slot
    if state[ORANGE] == NO_GATE or state[BLUE] == NO_GATE:
        return True  # A gate alone leads nowhere.
    return bool(settle(room, memory, state))


@kernel(borrowing=True)
def enter(room: Room, memory: Memory, state: State, gate: int) -> bool:
    """Walk to a gate and go in."""
    if state[ORANGE] == NO_GATE or state[BLUE] == NO_GATE:
        return False
    slot = state[ORANGE + gate]
    side, front = room.sides[slot], room.fronts[slot]
    if side == _DOWN or (front != state[AGENT] and not walk(room, memory, state, front)):
        return False
    update_situation(room, memory, state)
    if find_passage(room, memory, state, front, side ^ 1, AGENT) < 0:
        return False
    if side ^ 1 == _DOWN:
        return bool(fall(room, memory, state))
    other = find_exit(state, slot)
    way = room.sides[other]
    if not put(room, memory, state, AGENT, room.fronts[other]):
        return False
    set_course(memory, way)
    return bool(fly(room, memory, state, AGENT, False) and settle(room, memory, state))


@kernel(borrowing=True)
def jump(room: Room, memory: Memory, state: State, way: int) -> bool:
    """Jump up and on."""
    before = memory.scratch[_OTHER]
    copy_state(state, before)
    update_situation(room, memory, state)
    above = state[AGENT] + memory.shifts[_DOWN ^ 1]
    if is_solid(room, memory, state, above, AGENT):
        return False
    if not put(room, memory, state, AGENT, above):
        return False
    set_course(memory, way)
    if not fly(room, memory, state, AGENT, True) or not settle(room, memory, state):
        return False
    return is_elsewhere(state, before)


@kernel(borrowing=True)
def is_elsewhere(state: State, other: State) -> bool:
    """Return whether two states differ in more than time."""
    found = False
    for k in range(TIMERS):
        found |= state[k] != other[k]
    return found


@kernel(borrowing=True)
def pick_up(room: Room, memory: Memory, state: State, box: int) -> bool:
    """Take up a box that is beside the agent."""
    if box >= room.sizes[0] or find_carried(room, memory, state) >= 0:
        return False
    place, is_near = state[BOXES + box], False
    for way in range(4):
        beside = state[AGENT] + memory.shifts[way]
        is_near |= abs(place - beside) <= 1  # The places of a column follow each other.
    above = place + memory.shifts[_DOWN ^ 1]
    if not is_near or find_box(room, memory, state, above) >= 0:
        return False
    if room.cells[state[AGENT]] & FIELD:
        return False
    state[BOXES + box] = CARRIED
    return bool(settle(room, memory, state))


@kernel(borrowing=True)
def drop(room: Room, memory: Memory, state: State, way: int, up: int) -> bool:
    """Put the box that is carried beside the agent, or one cell higher."""
    body = find_carried(room, memory, state)
    if body < 0:
        return False
    over = state[AGENT] + memory.shifts[_DOWN ^ 1]
    place = (over if up else state[AGENT]) + memory.shifts[way]
    update_situation(room, memory, state)
    if up and is_solid(room, memory, state, over, AGENT):
        return False
    if is_solid(room, memory, state, place, body) or not put(room, memory, state, body, place):
        return False
    set_speed(memory, 0, 0, 0)
    return bool(fly(room, memory, state, body, False) and settle(room, memory, state))


@kernel(borrowing=True)
def press(room: Room, memory: Memory, state: State, slot: int) -> bool:
    """Press a button for some ticks."""
    if slot >= room.firsts[_RECEIVER] or room.presses[slot] < 0:
        return False
    place, button = room.devices[slot], room.presses[slot]
    is_near = place == state[AGENT]
    for way in range(4):
        is_near |= place == state[AGENT] + memory.shifts[way]
    if not is_near or state[TIMERS + button] == room.ticks[button]:
        return False
    state[TIMERS + button] = room.ticks[button]
    return bool(settle(room, memory, state))


@kernel(borrowing=True)
def wait_on(room: Room, memory: Memory, state: State, ticks: int) -> bool:
    """Wait while a button works."""
    longest = 0
    for k in range(TIMERS, TIMERS + room.firsts[_RECEIVER]):
        longest = max(longest, state[k])
    if not longest:
        return False
    wait(room, memory, state, min(ticks, longest))
    return bool(settle(room, memory, state))


@kernel(borrowing=True)
def list_legal(room: Room, memory: Memory, state: State, found: NDArray[np.int32]) -> int:
    """Write the numbers of all legal actions; return how many there are."""
    count = list_walks(room, memory, state, found, 0)
    count = list_gates(room, memory, state, found, count)
    firsts, starts = room.firsts, memory.starts
    for tool in range(_ENTER, _WAIT + 1):
        size = starts[tool + 1] - starts[tool]
        if tool == _PICK_UP:
            size = room.sizes[0]
        if tool == _PRESS:
            size = firsts[_RECEIVER]
        for number in range(starts[tool], starts[tool] + size):
            copy_state(state, memory.scratch[_TRIAL])
            if perform(room, memory, memory.scratch[_TRIAL], number):
                found[count] = number
                count += 1
    return count


@kernel(borrowing=True)
def list_gates(
    room: Room, memory: Memory, state: State, found: NDArray[np.int32], count: int
) -> int:
    """Write the numbers of all gates that can be placed behind others; return the count of all."""
    slots, trial = len(room.surfaces), memory.scratch[_TRIAL]
    update_situation(room, memory, state)
    for slot in range(room.sizes[1]):
        memory.visible[slot] = can_see(room, memory, state, slot)
    for gate in range(2):
        for slot in range(room.sizes[1]):
            if memory.visible[slot]:
                copy_state(state, trial)
                if place_gate(room, memory, trial, gate, slot):
                    found[count] = memory.starts[_PLACE_GATE] + gate * slots + slot
                    count += 1
    return count


# -- features -------------------------------------------------------------------------------------


@kernel(borrowing=True)
def observe_state(room: Room, memory: Memory, state: State, seen: NDArray[np.uint8]) -> None:
    """Write the features that change: pieces, gates on surfaces, ticks left and what works."""
    update_situation(room, memory, state)
    show_body(memory, seen, 0, state[AGENT], 1, 0)
    for box in range(room.sizes[0]):
        place, turns = state[BOXES + box], room.turns[box] + 1
        is_carried = place == CARRIED
        shown = state[AGENT] if is_carried else place
        show_body(memory, seen, 1 + box, shown, 2 if is_carried else 1, turns)
    start = 5 * (1 + len(room.turns))
    for number in (ORANGE, BLUE):
        if state[number] != NO_GATE:
            seen[start + state[number]] += number
    start += len(room.surfaces)
    firsts = room.firsts
    for row in range(firsts[_PADS + 1]):
        if row < firsts[_RECEIVER]:
            seen[start + 2 * row] = state[TIMERS + row]
        seen[start + 2 * row + 1] = is_working(room, memory, row)


@kernel(borrowing=True)
def show_body(
    memory: Memory, seen: NDArray[np.uint8], row: int, place: int, standing: int, turns: int
) -> None:
    """Write the features of a body."""
    seen[5 * row] = standing
    for axis in range(3):
        seen[5 * row + 1 + axis] = memory.spots[place, axis]
    seen[5 * row + 4] = turns


@kernel(borrowing=True)
def is_working(room: Room, memory: Memory, row: int) -> bool:
    """Return whether a device works; of a door, whether it is open."""
    if row < room.firsts[_DOOR]:
        return bool(memory.working[_WORKS, row])
    if row < room.firsts[_LASER]:
        return not memory.marks[room.devices[row]] & _CLOSED
    return bool(is_ready(room, memory, row))
