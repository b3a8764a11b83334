"""Sight in chambers, compiled, as :mod:`pysim.families.portal.gates`."""

from pysim.families.portal.compiled.situation import CLOSED
from pysim.families.portal.tables import AGENT, DOOR_CELL, FIELD, FREE, Memory, Room, State
from pysim.kernels import kernel

__all__ = ["can_see"]


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
            closed |= memory.marks[place] & CLOSED
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
