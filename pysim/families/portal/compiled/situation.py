"""Devices of chambers, compiled: doors, bridges and beams as they are now, and gates."""

from pysim.families.portal.tables import (
    AGENT,
    BLUE,
    BOXES,
    CARRIED,
    FREE,
    NO_GATE,
    ORANGE,
    STOPPED,
    TIMERS,
    Memory,
    Room,
    State,
)
from pysim.kernels import kernel

__all__ = [
    "BEAM",
    "BRIDGE",
    "BRINKS",
    "CLOSED",
    "DOOR",
    "FIELDS",
    "GROUND",
    "LASER",
    "PADS",
    "RECEIVER",
    "STAMP",
    "WORKS",
    "find_box",
    "find_carried",
    "find_exit",
    "find_gate",
    "is_ready",
    "update_situation",
]

CLOSED, BRIDGE, BEAM = 1, 2, 4
"""Bits of what is in a place now: a closed door, a bridge, a beam."""
BUTTON, RECEIVER, DOOR, LASER, BRIDGES, BEAMS, FIELDS, PADS = range(8)
"""Kinds of devices."""
WORKS, HIT = range(2)
"""Rows of ``working``."""
MARKED, STAMP, GROUND, BRINKS = 0, 1, 3, 5
"""Entries of ``counts``; of stamps, the ground and brinks there are two."""


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
    last = BOXES + boxes if firsts[LASER] < firsts[BEAMS] else BOXES
    open_gates = state[ORANGE] != NO_GATE and state[BLUE] != NO_GATE
    changed = note(memory, 0, room.number[0])
    changed |= note(memory, 1, state[ORANGE] if open_gates else NO_GATE)
    changed |= note(memory, 2, state[BLUE] if open_gates else NO_GATE)
    changed |= note(memory, 3, state[AGENT] if firsts[BRIDGES] < firsts[BEAMS] else 0)
    for body in range(BOXES, last):
        changed |= note(memory, 4 + body - BOXES, state[body])
    behind = 4 + last - BOXES
    for row in range(firsts[RECEIVER]):
        changed |= note(memory, behind + row, is_pressed(room, memory, state, row))
    for row in range(firsts[DOOR], firsts[LASER]):
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
    for needed in range(room.firsts[DOOR]):
        if room.needs[row, needed] and not memory.working[WORKS, needed]:
            return False
    return True


@kernel(borrowing=True)
def update_situation(room: Room, memory: Memory, state: State) -> None:
    """Write what is in each place now, if that may have changed."""
    if not note_situation(room, memory, state):
        return
    firsts = room.firsts
    clear_marks(memory)
    for row in range(firsts[DOOR]):
        pressed = row < firsts[RECEIVER] and is_pressed(room, memory, state, row)
        memory.working[WORKS, row] = pressed
    for row in range(firsts[DOOR], firsts[LASER]):
        mark(memory, room.devices[row], CLOSED)
    while True:
        close_doors(room, memory, state)
        if not shine(room, memory, state):
            break
    for row in range(firsts[BRIDGES], firsts[FIELDS]):
        if is_ready(room, memory, row):
            trace(room, memory, state, row, BRIDGES if row < firsts[BEAMS] else BEAMS)


@kernel(borrowing=True)
def clear_marks(memory: Memory) -> None:
    """Take all marks away."""
    for k in range(memory.counts[MARKED]):
        memory.marks[memory.listed[0, k]] = 0
    memory.counts[MARKED] = 0


@kernel(borrowing=True)
def mark(memory: Memory, place: int, bit: int) -> None:
    """Mark a place."""
    memory.marks[place] |= bit
    memory.listed[0, memory.counts[MARKED]] = place
    memory.counts[MARKED] += 1


@kernel(borrowing=True)
def close_doors(room: Room, memory: Memory, state: State) -> None:
    """Mark closed doors; one stays open while something is in it."""
    for row in range(room.firsts[DOOR], room.firsts[LASER]):
        place = room.devices[row]
        shut = not is_ready(room, memory, row) and not has_body(room, memory, state, place)
        memory.marks[place] = CLOSED if shut else 0


@kernel(borrowing=True)
def shine(room: Room, memory: Memory, state: State) -> bool:
    """Have lasers hit receivers; return whether more works than before."""
    firsts, more = room.firsts, False
    if firsts[LASER] == firsts[BRIDGES]:
        return False
    for row in range(firsts[RECEIVER], firsts[DOOR]):
        memory.working[HIT, row] = 0
    for row in range(firsts[LASER], firsts[BRIDGES]):
        if is_ready(room, memory, row):
            trace(room, memory, state, row, LASER)
    for row in range(firsts[RECEIVER], firsts[DOOR]):
        if memory.working[HIT, row] and not memory.working[WORKS, row]:
            memory.working[WORKS, row] = 1
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
        box = find_box(room, memory, state, place) if kind == LASER else -1
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
    if not room.cells[place] & FREE or memory.marks[place] & CLOSED:
        return True
    return bool(kind == BRIDGES and has_body(room, memory, state, place))


@kernel(borrowing=True)
def leave_trace(room: Room, memory: Memory, state: State, place: int, way: int, kind: int) -> None:
    """Write what a ray does in a place that it leaves by a way."""
    if kind == LASER:
        for row in range(room.firsts[RECEIVER], room.firsts[DOOR]):
            is_ahead = room.devices[row] == place + memory.shifts[way]
            if is_ahead and find_gate(room, memory, state, place, way) < 0:
                memory.working[HIT, row] = 1
        return
    mark(memory, place, BRIDGE if kind == BRIDGES else BEAM)
    if kind == BEAMS:
        memory.carries[place] = way
