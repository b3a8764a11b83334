"""Motion of bodies in a chamber, as a list of events of which some change the parabola.

A body in free fall crosses planes between cells at moments that follow from its speed alone:
:func:`list_crossings` has them for a tick, in closed form. Only walls, gates, beams, liquid and
fields on the way make anything else of a motion. What works is looked up when a tick begins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .light import Light, LightTable, Passages, link_gates
from .room import DOWN, Cell, Room, State

__all__ = ["AGENT", "IllegalAction", "Surroundings", "World"]

AGENT = -1
"""Number of the agent among the bodies; boxes have their own."""
_REST = (0, 0, 0)
_TICKS = _MOTIONS = 119
_FASTEST_FALL = -8


class IllegalAction(Exception):
    """An action that the rules refuse; its text is the reason."""


@cache
def list_crossings(speed: Cell) -> tuple[int, ...]:
    """List the directions in which a body crosses from cell to cell in one tick, in order.

    Of ``n`` steps the ``j``-th crossing along an axis with speed ``s`` falls into the first step
    ``k`` with ``|s| k / n >= j - 1/2``. Crossings of one step are in the order x, y, z.
    """
    n = max(map(abs, speed))
    crossings = (
        (-((1 - 2 * j) * n // (2 * abs(s))), axis, 2 * axis + (s < 0))
        for axis, s in enumerate(speed)
        for j in range(1, abs(s) + 1)
    )
    return tuple(direction for _, _, direction in sorted(crossings))


def make_speed(direction: int, size: int = 1) -> Cell:
    """Return a speed along a direction."""
    along = -size if direction & 1 else size
    axis = direction >> 1
    return (along * (axis == 0), along * (axis == 1), along * (axis == 2))


def rotate(speed: Cell, turned: tuple[int, ...]) -> Cell:
    """Return a speed after a gate that turns directions."""
    found = [0, 0, 0]
    for axis, size in enumerate(speed):
        out = turned[2 * axis]
        found[out >> 1] += -size if out & 1 else size
    return (found[0], found[1], found[2])


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A state, as one of its bodies meets it.

    Attributes:
        full: cells that are full for the body.
        passages: gates that let it through.
    """

    light: Light
    full: int
    passages: Passages

    def is_resting(self, cell: int, steps: tuple[int, ...]) -> bool:
        ahead = self.light.beams.get(cell, DOWN)
        return 6 * cell + (ahead ^ 1) not in self.passages and bool(
            self.full >> cell + steps[ahead] & 1
        )


class World:
    """The moving parts of a room: every method returns another state, or refuses.

    Attributes:
        has_flown_into_field: whether the agent has ever come into a field other than on foot.
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self.lights = LightTable(room)
        self.has_flown_into_field = False

    def look_around(self, state: State, body: int = AGENT) -> Surroundings:
        """Return what is around a body at this moment."""
        room, light = self.room, self.lights.find(state)
        full = room.solid | light.closed | light.bridges
        for number, box in enumerate(state.boxes):
            if number != body:
                full |= 1 << box
        if body != AGENT:
            full |= room.fields | 1 << state.agent
        elif 0 in state.boxes:
            full |= room.fields
        passages = {
            face: passage
            for face, passage in link_gates(state.orange, state.blue).items()
            if not full >> passage[0] & 1
        }
        return Surroundings(light, full, passages)

    def enter_cell(self, state: State, body: int, cell: int) -> State:
        """Put a body into a cell, with what the cell does to it."""
        if self.room.liquid >> cell & 1:
            raise IllegalAction("DEADLY")
        if body != AGENT:
            boxes = state.boxes[:body] + (cell,) + state.boxes[body + 1 :]
            return state._replace(boxes=boxes)
        if self.room.fields >> cell & 1:
            return state._replace(agent=cell, orange=0, blue=0)
        return state._replace(agent=cell)

    def fly_into(self, state: State, body: int, cell: int) -> State:
        """Put a body into a cell that it reaches by air."""
        self.has_flown_into_field |= bool(self.room.fields >> cell & 1)
        return self.enter_cell(state, body, cell)

    def pass_time(self, state: State, ticks: int = 1) -> State:
        """Take ticks from each button that has some left."""
        if not any(state.timers):
            return state
        return state._replace(timers=tuple(max(0, left - ticks) for left in state.timers))

    def release(
        self, state: State, body: int, speed: Cell = _REST, *, leaps: bool = False
    ) -> State:
        """Let a body move until it stays.

        Args:
            leaps: in the first tick it has this speed, wherever it is.

        Raises:
            IllegalAction: it comes into liquid, or moves for too long.
        """
        for _ in range(_TICKS + 1):
            around = self.look_around(state, body)
            launched = speed if leaps else self.launch(around, _locate(state, body), speed)
            if launched is None:
                return state
            state, speed = self._cross(state, body, launched, around)
            state, leaps = self.pass_time(state), False
        raise IllegalAction("UNSTABLE")

    def launch(self, around: Surroundings, cell: int, speed: Cell) -> Cell | None:
        """Return the speed in a tick, or None if the body stays."""
        beam = around.light.beams.get(cell)
        if speed[2] <= 0 and around.is_resting(cell, self.room.steps):
            return self.room.pads.get(cell) if beam is None else None
        if beam is not None:
            return make_speed(beam)
        return speed[0], speed[1], max(speed[2] - 1, _FASTEST_FALL)

    def _cross(
        self, state: State, body: int, speed: Cell, around: Surroundings
    ) -> tuple[State, Cell]:
        """Carry out the crossings of a tick; return the state and the speed after it."""
        cell = _locate(state, body)
        can_be_caught = cell not in around.light.beams
        stopped: set[int] = set()
        for direction in list_crossings(speed):
            if direction in stopped:
                continue
            face, ahead = 6 * cell + (direction ^ 1), cell + self.room.steps[direction]
            if face in around.passages and face in (state.orange, state.blue):
                cell, turned = around.passages[face]
                speed = rotate(_stop(speed, stopped), turned)
                return self.fly_into(state, body, cell), speed
            if around.full >> ahead & 1:
                if direction == DOWN:
                    return state, _REST
                stopped.add(direction)
                continue
            cell, state = ahead, self.fly_into(state, body, ahead)
            if can_be_caught and cell in around.light.beams:
                return state, _REST
        return state, _stop(speed, stopped)

    def settle(self, state: State) -> State:
        """Let everything move that does not rest: boxes first, in their order, then the agent."""
        for _ in range(_MOTIONS + 1):
            restless = next(self._find_restless(state), None)
            if restless is None:
                return state
            state = self.release(state, restless)
        raise IllegalAction("UNSTABLE")

    def _find_restless(self, state: State) -> Iterator[int]:
        for body in (*range(len(state.boxes)), AGENT):
            cell = _locate(state, body)
            if cell and not self.look_around(state, body).is_resting(cell, self.room.steps):
                yield body


def _locate(state: State, body: int) -> int:
    return state.agent if body == AGENT else state.boxes[body]


def _stop(speed: Cell, directions: set[int]) -> Cell:
    """Return a speed without its parts along some directions."""
    axes = {direction >> 1 for direction in directions}
    x, y, z = (0 if axis in axes else size for axis, size in enumerate(speed))
    return x, y, z
