"""Actions in chambers, compiled: carried out, and listed."""

import numpy as np
from numpy.typing import NDArray

from pysim.families.portal.compiled.bodies import (
    DOWN,
    fall,
    find_passage,
    fly,
    is_solid,
    put,
    set_course,
    set_speed,
    settle,
    wait,
)
from pysim.families.portal.compiled.sight import can_see
from pysim.families.portal.compiled.situation import (
    RECEIVER,
    find_box,
    find_carried,
    find_exit,
    update_situation,
)
from pysim.families.portal.compiled.walking import OTHER, TRIAL, copy_state, list_walks, walk
from pysim.families.portal.tables import (
    AGENT,
    BLUE,
    BOXES,
    CARRIED,
    FIELD,
    NO_GATE,
    ORANGE,
    TIMERS,
    Memory,
    Room,
    State,
)
from pysim.kernels import kernel

__all__ = ["enter", "list_legal", "perform"]

_PLACE_GATE, _ENTER, _JUMP, _PICK_UP, _DROP, _PRESS, _WAIT = range(1, 8)
"""Tools, in the order of their numbers."""


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
    if side == DOWN or (front != state[AGENT] and not walk(room, memory, state, front)):
        return False
    update_situation(room, memory, state)
    if find_passage(room, memory, state, front, side ^ 1, AGENT) < 0:
        return False
    if side ^ 1 == DOWN:
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
    before = memory.scratch[OTHER]
    copy_state(state, before)
    update_situation(room, memory, state)
    above = state[AGENT] + memory.shifts[DOWN ^ 1]
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
    above = place + memory.shifts[DOWN ^ 1]
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
    over = state[AGENT] + memory.shifts[DOWN ^ 1]
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
    if slot >= room.firsts[RECEIVER] or room.presses[slot] < 0:
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
    for k in range(TIMERS, TIMERS + room.firsts[RECEIVER]):
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
            size = firsts[RECEIVER]
        for number in range(starts[tool], starts[tool] + size):
            copy_state(state, memory.scratch[TRIAL])
            if perform(room, memory, memory.scratch[TRIAL], number):
                found[count] = number
                count += 1
    return count


@kernel(borrowing=True)
def list_gates(
    room: Room, memory: Memory, state: State, found: NDArray[np.int32], count: int
) -> int:
    """Write the numbers of all gates that can be placed behind others; return the count of all."""
    slots, trial = len(room.surfaces), memory.scratch[TRIAL]
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
