"""Light of a chamber: open doors, bridges and beams, as reachable nodes of a graph.

A node is a cell and the direction in which light comes into it. Each node has at most one
successor, so a ray is the orbit of its first node, and all lasers together are one set of nodes. An
open door only ever adds nodes. So the doors that lasers open are a least fixed point, which is
reached by going on from where closed doors have held the light up.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from .room import DOWN, UP, Emitter, Room, State

__all__ = ["Light", "LightTable", "Passages", "link_gates", "turn"]

Node = tuple[int, int]
Passages = Mapping[int, tuple[int, tuple[int, ...]]]
"""From each face with an open gate to the cell before the other gate, and the direction in which
each direction is turned."""


@lru_cache(maxsize=36)
def turn(entrance: int, way_out: int) -> tuple[int, ...]:
    """Return the direction that each direction becomes between gates that look to two sides.

    Into the one gate is out of the other. Up, or +y at a floor or ceiling, stays so. Both leave
    one rotation, which fixes the third axis.
    """
    ahead, above = (entrance ^ 1, way_out), (_find_above(entrance), _find_above(way_out))
    aside = (_cross(ahead[0], above[0]), _cross(ahead[1], above[1]))
    turned = dict((ahead, above, aside))
    return tuple(turned[d] if d in turned else turned[d ^ 1] ^ 1 for d in range(6))


def _find_above(side: int) -> int:
    return 2 if side in (UP, DOWN) else UP


def _cross(a: int, b: int) -> int:
    """Return the direction of the cross product of two directions of unlike axes."""
    axis = 3 - (a >> 1) - (b >> 1)
    is_cyclic = (b >> 1) == ((a >> 1) + 1) % 3
    return 2 * axis + ((a ^ b ^ (not is_cyclic)) & 1)


def link_gates(orange: int, blue: int) -> Passages:
    """Return the passages between two gates; none unless both exist."""
    if not (orange and blue):
        return {}
    return {
        here: (there // 6, turn(here % 6, there % 6))
        for here, there in ((orange, blue), (blue, orange))
    }


@dataclass(frozen=True, slots=True)
class Light:
    """Everything that works in a state.

    Attributes:
        closed: cells of closed doors, a bit set.
        bridges: cells that bridges fill, a bit set.
        beams: direction of the beam in each cell that has one.
        beam_cells: these cells, a bit set.
    """

    closed: int
    bridges: int
    beams: Mapping[int, int]
    beam_cells: int


class LightTable:
    """The light of each state of a room, computed once for all states that can't differ in it.

    Attributes:
        has_lit_field: whether any light has ever come into a field.
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self.has_lit_field = False
        self._known: dict[tuple[object, ...], Light] = {}
        self._sensitive = room.button_cells | room.door_cells

    def find(self, state: State) -> Light:
        """Return the light of a state.

        The agent matters on a button, in a door, and where it is in the way of a bridge.
        """
        agent = state.agent if self._sensitive >> state.agent & 1 else 0
        light = self._find(agent, state)
        if light.bridges >> state.agent & 1 or (agent and self.room.bridges):
            return self._find(-state.agent, state)
        return light

    def _find(self, agent: int, state: State) -> Light:
        key = (agent, state.boxes, state.orange, state.blue, *map(bool, state.timers))
        if key not in self._known:
            self._known[key] = self._compute(abs(agent), state, stops_bridges=agent < 0)
        return self._known[key]

    def _compute(self, agent: int, state: State, *, stops_bridges: bool) -> Light:
        room = self.room
        bodies = {agent, *state.boxes}
        rays = _Rays(room, state)
        works = {
            name
            for (cell, name, ticks), left in zip(room.buttons, state.timers, strict=True)
            if left or (not ticks and cell in bodies)
        }
        closed, lasers = rays.follow_lasers(works, bodies)
        boxes = sum({1 << box for box in state.boxes})
        bridges = 0
        for cell, _ in rays.follow(room.bridges, works, closed | boxes | stops_bridges << agent):
            bridges |= 1 << cell
        beams = dict(rays.follow(room.beams, works, closed))
        beam_cells = sum(1 << cell for cell in beams)
        self.has_lit_field |= bool((lasers | bridges | beam_cells) & room.fields)
        return Light(closed, bridges, beams, beam_cells)


class _Rays:
    """Successors of nodes, with gates and boxes where a state has them."""

    def __init__(self, room: Room, state: State) -> None:
        self.room = room
        self.gates = {state.orange, state.blue}
        self.passages = link_gates(state.orange, state.blue)
        self.arrows = dict(zip(state.boxes, room.arrows, strict=True))

    def find_next(self, node: Node) -> Node:
        """Return the successor of a node, which may be in a solid cell."""
        cell, direction = node
        passage = self.passages.get(6 * cell + (direction ^ 1))
        if passage:
            return passage[0], passage[1][direction]
        return cell + self.room.steps[direction], direction

    def follow(self, emitters: Iterable[Emitter], works: set[str], stops: int) -> Iterator[Node]:
        """Yield the nodes of rays that go through boxes, one emitter after another."""
        stops |= self.room.solid
        for emitter in emitters:
            seen: set[Node] = set()
            node = (emitter.start, emitter.direction)
            while emitter.needs <= works and node not in seen and not stops >> node[0] & 1:
                seen.add(node)
                yield node
                node = self.find_next(node)

    def follow_lasers(self, works: set[str], bodies: set[int]) -> tuple[int, int]:
        """Add the receivers that are hit to what works.

        Returns:
            The doors that stay closed and the cells that are lit, as bit sets.
        """
        lit: set[Node] = set()
        waiting = [((laser.start, laser.direction), laser.needs) for laser in self.room.lasers]
        while True:
            closed, before = self._find_closed(works, bodies), len(works)
            held_up = []
            for node, needs in waiting:
                end = self._spread(node, closed, lit, works) if needs <= works else node
                if end:
                    held_up.append((end, needs))
            waiting = held_up
            if len(works) == before:
                return closed, sum({1 << cell for cell, _ in lit})

    def _find_closed(self, works: set[str], bodies: set[int]) -> int:
        return sum(
            1 << cell
            for cell, (_, needs) in self.room.doors.items()
            if not needs <= works and cell not in bodies
        )

    def _spread(self, node: Node, closed: int, lit: set[Node], works: set[str]) -> Node | None:
        """Light the orbit of a node; return where a closed door holds it up, if one does."""
        while node not in lit and not self.room.solid >> node[0] & 1:
            if closed >> node[0] & 1:
                return node
            lit.add(node)
            cell, direction = node
            out = self.arrows.get(cell, direction)
            ends = out is None
            out = direction if out is None else out
            receiver = self.room.receivers.get(cell + self.room.steps[out])
            if receiver and 6 * cell + (out ^ 1) not in self.gates:
                works.add(receiver)
            if ends:
                return None
            node = self.find_next((cell, out))
        return None
