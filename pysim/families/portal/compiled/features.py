"""Features of the states of chambers, compiled."""

import numpy as np
from numpy.typing import NDArray

from pysim.families.portal.compiled.situation import (
    CLOSED,
    DOOR,
    LASER,
    PADS,
    RECEIVER,
    WORKS,
    is_ready,
    update_situation,
)
from pysim.families.portal.tables import (
    AGENT,
    BLUE,
    BOXES,
    CARRIED,
    NO_GATE,
    ORANGE,
    TIMERS,
    Memory,
    Room,
    State,
)
from pysim.kernels import kernel

__all__ = ["observe_state"]


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
    for row in range(firsts[PADS + 1]):
        if row < firsts[RECEIVER]:
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
    if row < room.firsts[DOOR]:
        return bool(memory.working[WORKS, row])
    if row < room.firsts[LASER]:
        return not memory.marks[room.devices[row]] & CLOSED
    return bool(is_ready(room, memory, row))
