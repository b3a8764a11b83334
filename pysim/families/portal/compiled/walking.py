"""Ways on foot in chambers, compiled, as :mod:`pysim.families.portal.walking`."""

import numpy as np
from numpy.typing import NDArray

from pysim.families.portal.compiled.bodies import (
    DOWN,
    fall,
    find_passage,
    find_restless,
    is_solid,
    put,
    wait,
)
from pysim.families.portal.compiled.situation import (
    BEAM,
    BRINKS,
    FIELDS,
    GROUND,
    PADS,
    STAMP,
    update_situation,
)
from pysim.families.portal.tables import (
    AGENT,
    BLUE,
    DEADLY,
    FIELD,
    NO_GATE,
    ORANGE,
    PAD,
    Memory,
    Room,
    State,
)
from pysim.kernels import kernel

__all__ = ["OTHER", "TRIAL", "copy_state", "list_walks", "walk"]

_AROUND, _THROUGH = range(2)
"""Ways on foot: around fields, and through them."""
_TO_GROUND, _TO_BRINK = range(2)
"""Ends of ways on foot."""
WALKER, TRIAL, OTHER = range(1, 4)
"""States of ``scratch``; the first one is the caller's."""


@kernel(borrowing=True)
def is_open(room: Room, memory: Memory, state: State, place: int, kind: int) -> bool:
    """Return whether the agent may enter a place on foot."""
    if kind == _AROUND and room.cells[place] & FIELD:
        return False
    return not is_solid(room, memory, state, place, AGENT)


@kernel(borrowing=True)
def has_footing(room: Room, memory: Memory, state: State, place: int) -> bool:
    """Return whether the agent comes to rest in a place, alive, and can go on from it."""
    if room.cells[place] & (PAD | DEADLY) or memory.marks[place] & BEAM:
        return False
    if find_passage(room, memory, state, place, DOWN, AGENT) >= 0:
        return False
    return bool(is_solid(room, memory, state, place + memory.shifts[DOWN], AGENT))


@kernel(borrowing=True)
def reach(room: Room, memory: Memory, state: State, kind: int) -> None:
    """Find the places to which the agent can walk, while all stays as it is."""
    update_situation(room, memory, state)
    memory.counts[STAMP + kind] += 1
    memory.counts[GROUND + kind] = memory.counts[BRINKS + kind] = 0
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
    ground, stamp = memory.reached[kind, _TO_GROUND], memory.counts[STAMP + kind]
    if ground[there] == stamp or not is_open(room, memory, state, there, kind):
        return -1
    if has_footing(room, memory, state, there):
        add_ground(memory, kind, there, place)
        return int(there)
    add_brink(memory, kind, there, place)
    lower = there + memory.shifts[DOWN]
    if ground[lower] == stamp or not is_leading_down(room, memory, state, there, kind):
        return -1
    add_ground(memory, kind, there, place)
    add_ground(memory, kind, lower, there)
    return int(lower)


@kernel(borrowing=True)
def is_leading_down(room: Room, memory: Memory, state: State, place: int, kind: int) -> bool:
    """Return whether one can step from a place into the one below it, and stay there."""
    if memory.marks[place] & BEAM or room.cells[place] & DEADLY:
        return False
    lower = place + memory.shifts[DOWN]
    return bool(
        is_open(room, memory, state, lower, kind) and has_footing(room, memory, state, lower)
    )


@kernel(borrowing=True)
def add_ground(memory: Memory, kind: int, place: int, before: int) -> None:
    """Note a place on which one can stand, or through which one steps down."""
    memory.order[kind, memory.counts[GROUND + kind]] = place
    memory.counts[GROUND + kind] += 1
    memory.before[kind, _TO_GROUND, place] = before
    memory.reached[kind, _TO_GROUND, place] = memory.counts[STAMP + kind]


@kernel(borrowing=True)
def add_brink(memory: Memory, kind: int, place: int, before: int) -> None:
    """Note a place into which one can step, if it is new."""
    if memory.reached[kind, _TO_BRINK, place] == memory.counts[STAMP + kind]:
        return
    memory.brinks[kind, memory.counts[BRINKS + kind]] = place
    memory.counts[BRINKS + kind] += 1
    memory.before[kind, _TO_BRINK, place] = before
    memory.reached[kind, _TO_BRINK, place] = memory.counts[STAMP + kind]


@kernel(borrowing=True)
def find_end(memory: Memory, kind: int, place: int) -> int:
    """Return whether the way to a place ends on the ground or on a brink; -1 if there is none."""
    for end in (_TO_GROUND, _TO_BRINK):
        if memory.reached[kind, end, place] == memory.counts[STAMP + kind]:
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
    if room.firsts[FIELDS] < room.firsts[PADS]:
        reach(room, memory, state, _AROUND)
        follow_walks(room, memory, state, _AROUND)
    else:
        memory.counts[STAMP + _AROUND] += 1
    follow_walks(room, memory, state, _THROUGH)
    sort_brinks(memory)
    for k in range(memory.counts[GROUND + _THROUGH]):
        count = add_walk(memory, found, count, memory.order[_THROUGH, k])
    for k in range(memory.counts[BRINKS + _THROUGH]):
        place = memory.brinks[_THROUGH, k]
        if find_end(memory, _THROUGH, place) == _TO_BRINK:
            count = add_walk(memory, found, count, place)
    return count


@kernel(borrowing=True)
def add_walk(memory: Memory, found: NDArray[np.int32], count: int, place: int) -> int:
    """Write the number of the walk to a place, if it is legal; return how many there are."""
    if memory.allowed[place] == memory.counts[STAMP + _THROUGH]:
        found[count] = memory.walks[place]
        return count + 1
    return count


@kernel(borrowing=True)
def sort_brinks(memory: Memory) -> None:
    """Sort the places that are brinks."""
    brinks = memory.brinks[_THROUGH]
    for k in range(1, memory.counts[BRINKS + _THROUGH]):
        place, before = brinks[k], k - 1
        while before >= 0 and brinks[before] > place:
            brinks[before + 1] = brinks[before]
            before -= 1
        brinks[before + 1] = place


@kernel(borrowing=True)
def follow_walks(room: Room, memory: Memory, state: State, kind: int) -> None:
    """Walk to all places at once: ways begin with ways to places before."""
    start = state[AGENT]
    memory.alive[kind, start] = memory.counts[STAMP + kind]
    memory.steps[kind, start] = 0
    for k in range(memory.counts[GROUND + kind]):
        place = memory.order[kind, k]
        if not begin_walker(room, memory, state, kind, place):
            continue
        for way in range(4):
            step_on(room, memory, kind, place, place + memory.shifts[way])
        step_on(room, memory, kind, place, place + memory.shifts[DOWN])
        if place != start:
            judge_end(room, memory, kind, place)
    for k in range(memory.counts[BRINKS + kind]):
        place = memory.brinks[kind, k]
        is_end = find_end(memory, kind, place) == _TO_BRINK
        if is_end and begin_walker(room, memory, state, kind, place):
            judge_end(room, memory, kind, place)


@kernel(borrowing=True)
def begin_walker(room: Room, memory: Memory, state: State, kind: int, place: int) -> bool:
    """Have the state in which one comes to a place on foot; return whether one does."""
    if memory.alive[kind, place] != memory.counts[STAMP + kind]:
        return False
    walker, steps = memory.scratch[WALKER], memory.steps[kind, place]
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
    if cell & DEADLY or is_solid(room, memory, memory.scratch[WALKER], there, AGENT):
        return
    steps = memory.steps[kind, place]
    through = steps < 0 or cell & FIELD != 0
    ticks = 1 + (steps if steps >= 0 else -1 - steps)
    memory.steps[kind, there] = -1 - ticks if through else ticks
    memory.alive[kind, there] = memory.counts[STAMP + kind]


@kernel(borrowing=True)
def judge_end(room: Room, memory: Memory, kind: int, place: int) -> None:
    """Note that the walk to a place is legal, if all comes to rest there, and it is the way."""
    if kind == _THROUGH and find_end(memory, _AROUND, place) >= 0:
        return
    walker, trial = memory.scratch[WALKER], memory.scratch[TRIAL]
    legal = not room.cells[place] & PAD and find_restless(room, memory, walker) < 0
    if not legal:
        copy_state(walker, trial)
        legal = fall(room, memory, trial)
    if legal:
        memory.allowed[place] = memory.counts[STAMP + _THROUGH]
