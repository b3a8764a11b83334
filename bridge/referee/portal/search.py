"""Shortest plans by breadth-first search over sets of states.

The search finds at least every state that can be reached in so many actions. It may find more, so
its lower bound holds, while a plan counts only once it has been played. Three kinds of states are
merged.

**Cells of the agent.** A *setting* is all of a state but the agent's cell: boxes, gates and
timers. The agents of one setting are one bit set. The light is the same for all cells but those
of buttons, doors and bridges. So one action of agents in many cells is computed once: a walk is a
flood, a gate is placed from all cells that see the face, a box is taken from all cells beside it.
Agents in buttons, doors, fields, pads, beams and in the way of bridges are played action by
action. A flood leaves out that what works may change on the way and refuse the walk, which only
adds states.

**Time.** While timers run, it may pass for nothing: with a state come all that differ by ticks
that are lost. So nothing waits, and of two walks to a cell the shorter one stands for both.

**States behind the agent.** Fields part a chamber into zones. Boxes never get through a field,
sight ends at it, and both gates close in it. Let the zones be a tree, no need and no light lead
from one zone into another one, and the agent come from zone to zone on foot alone. Then zones
that are not on the way from the agent to the exit are put back as they were at the start. For let
a plan leave its zone backwards and come in again later. Both take an action, and both walks go
through one field. Walking into that field and from there to where the plan comes in again takes
no more: the gates are closed, the zone and those ahead are the same but for ticks, and ticks are
lost for nothing. So some shortest plan never goes back. The conditions are checked in all that is
played. Suppose that a plan first broke one in some zone. All that it did in this zone until then
is a way through states of the search: whenever it was in a zone ahead, it may as well have stood
in the field between. It came to this zone no sooner than the search. So the search comes to the
same action in no more actions than the plan, and sees it. Then it begins anew and forgets
nothing.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from bridge.referee.documents import PlanStep

from .motion import AGENT, IllegalAction, Surroundings
from .play import enumerate_actions, get_world, play
from .room import DIRECTIONS, DOWN, UP, Room, State, iterate_bits
from .walks import Ground, move, survey_ground
from .zones import Zones, find_zones, join_zones

__all__ = ["Search", "find_shortest"]

Setting = tuple[tuple[int, ...], int, int, tuple[int, ...]]
"""State without the agent: boxes, orange and blue gate, timers."""
Layer = dict[Setting, int]
"""Cells of the agent in each setting, as bit sets."""
_FLAT = (0, 1, 2, 3)
_PLAYED_AGAIN = 300
"""States in which each action is tried to confirm a plan."""


class _Entangled(Exception):
    """A condition for forgetting does not hold."""


def find_shortest(room: Room, depth: int, max_states: int) -> tuple[int | None, int]:
    """Find the length of a shortest plan.

    Args:
        depth: maximum length of a plan.
        max_states: settings, and cells that are played one by one, to expand before the search
            stops.

    Returns:
        The length, or None if no plan was found, and a lower bound on the length of any plan.
    """
    zones = find_zones(room)
    if zones is not None:
        try:
            return Search(room, zones, max_states).run(depth)
        except _Entangled:
            pass
    return Search(room, join_zones(room), max_states).run(depth)


def _pass_tick(setting: Setting, ticks: int = 1) -> Setting:
    boxes, orange, blue, timers = setting
    return boxes, orange, blue, tuple(max(0, left - ticks) for left in timers)


@dataclass(frozen=True, slots=True)
class _Scene:
    """Things that are alike for all cells of the agent in a setting.

    Attributes:
        state: a state with the agent nowhere.
        steady: cells without a field in which the agent rests and changes no light.
        boxes_rest: whether all boxes rest, wherever the agent is. They do if they rest without it,
            for it only ever stops them.
    """

    state: State
    around: Surroundings
    ground: Ground
    steady: int
    boxes_rest: bool


class Search:
    """A breadth-first search, one layer of states after another."""

    def __init__(self, room: Room, zones: Zones, max_states: int) -> None:
        self.room, self.zones, self.effort = room, zones, max_states
        self.world = get_world(room)
        self.home = room.start
        self.reached: Layer = {}
        self.layers: list[Layer] = []
        self.parents: list[dict[Setting, set[Setting]]] = []
        self.scenes: dict[Setting, _Scene] = {}
        self.sights: dict[int, dict[int, int]] = {}
        self.current: Setting = self.home[1:]
        self.begin_layer()
        self.add_state(self.home)

    def run(self, depth: int) -> tuple[int | None, int]:
        """Search layer by layer; see :func:`find_shortest`."""
        for length in range(1, depth + 1):
            layer = self.layers[-1]
            self.begin_layer()
            for self.current, cells in layer.items():
                if not self.expand(cells):
                    return None, length
            if any(cells >> self.room.exit & 1 for cells in self.layers[-1].values()):
                return (length if self.find_plan() else None), length
        return None, depth + 1

    def has_reached(self, state: State, length: int) -> bool:
        """Return whether a state, or what counts as the same, was found with so many actions."""
        found = self.forget(state)
        layers = self.layers[: length + 1]
        return any(layer.get(found[1:], 0) >> found.agent & 1 for layer in layers)

    def begin_layer(self) -> None:
        self.layers.append({})
        self.parents.append(defaultdict(set))

    def add(self, setting: Setting, cells: int) -> None:
        """Add states to the layer that is being made, and all that come of them in time."""
        known = self.reached.get(setting, 0)
        fresh = cells & ~known
        if not fresh:
            return
        self.reached[setting] = known | fresh
        layer = self.layers[-1]
        layer[setting] = layer.get(setting, 0) | fresh
        self.parents[-1][setting].add(self.current)
        if any(setting[3]):
            self.admit(_pass_tick(setting), fresh)

    def add_state(self, state: State) -> None:
        state = self.forget(state)
        self.add(state[1:], 1 << state.agent)

    def forget(self, state: State) -> State:
        """Put back everything that lies behind the agent."""
        zones = self.zones.numbers
        here = zones[state.agent]
        homes = [zones[box] for box in self.home.boxes]
        for box, home in zip(state.boxes, homes, strict=True):
            if home != (zones[box] if box else here):
                raise _Entangled
        for gate in (state.orange, state.blue):
            if gate and zones[gate // 6] != here:
                raise _Entangled
        return State(state.agent, *self.put_back(state[1:], here))

    def put_back(self, setting: Setting, zone: int) -> Setting:
        """Put back everything that lies behind a zone."""
        boxes, orange, blue, timers = setting
        zones, ahead, start = self.zones.numbers, self.zones.ahead[zone], self.home
        boxes = tuple(
            box if zones[home] in ahead else home
            for box, home in zip(boxes, start.boxes, strict=True)
        )
        timers = tuple(
            left if zones[button[0]] in ahead else 0
            for left, button in zip(timers, self.room.buttons, strict=True)
        )
        return boxes, orange, blue, timers

    def check(self) -> None:
        """Make sure that agents come from zone to zone on foot alone, and light does not at all."""
        is_broken = self.world.has_flown_into_field or self.world.lights.has_lit_field
        if self.zones.doorways and is_broken:
            raise _Entangled

    def find_scene(self, setting: Setting) -> _Scene:
        if setting not in self.scenes:
            self.scenes[setting] = self.look_at(State(0, *setting))
        return self.scenes[setting]

    def look_at(self, state: State) -> _Scene:
        room, around = self.room, self.world.look_around(state)
        ground = survey_ground(room, around, 0, avoids_fields=True)
        touchy = room.button_cells | room.door_cells | around.light.bridges
        return _Scene(
            state=state,
            around=around,
            ground=ground,
            steady=ground.footing & ~touchy,
            boxes_rest=all(
                not box or self.world.look_around(state, n).is_resting(box, room.steps)
                for n, box in enumerate(state.boxes)
            ),
        )

    def admit(self, setting: Setting, cells: int, *, arrives: bool = False) -> None:
        """Add the states that come of a setting in which things may still move.

        Args:
            arrives: whether the agent has just walked into its cell.
        """
        scene = self.find_scene(setting)
        steady = cells & scene.steady if scene.boxes_rest else 0
        for zone, inside in self.zones.cells.items() if steady else ():
            if steady & inside:
                self.add(self.put_back(setting, zone), steady & inside)
        for cell in iterate_bits(cells & ~steady):
            state = scene.state._replace(agent=cell)
            try:
                if arrives:
                    state = self.world.enter_cell(state, AGENT, cell)
                    state = self.world.release(state, AGENT)
                state = self.world.settle(state)
            except IllegalAction:
                continue
            self.add_state(state)

    def expand(self, cells: int) -> bool:
        """Add everything that one action leads to; return False once the effort is spent."""
        scene = self.find_scene(self.current)
        plain = cells & scene.steady
        self.effort -= bool(plain) + (cells & ~plain).bit_count()
        if self.effort < 0:
            return False
        for cell in iterate_bits(cells & ~plain):
            self.play_everything(scene.state._replace(agent=cell))
        if plain:
            self.add_walks(scene, plain)
            self.add_gates(scene, plain)
            self.add_jumps(scene, plain)
            self.add_boxes(scene, plain)
            self.add_presses(scene, plain)
        self.check()
        return True

    def play_everything(self, state: State) -> None:
        """Add what comes of each action in a single state."""
        for step in enumerate_actions(self.room, state):
            try:
                self.add_state(play(self.room, state, step))
            except IllegalAction:
                continue

    def add_walks(self, scene: _Scene, cells: int) -> None:
        """Add walks, and gates that are entered, from each level part of the ground."""
        while cells:
            ground = self.explore(scene, cells & -cells, avoids_fields=True)
            part = self.explore_level(ground, cells & -cells)
            self.add_ends(self.current, ground, part & cells, ~0)
            if self.room.fields:
                beyond = self.explore(scene, cells & -cells, avoids_fields=False)
                self.add_crossings(beyond, part & cells, beyond.ends & ~ground.ends)
            cells &= ~part

    def add_crossings(self, ground: Ground, starts: int, beyond: int) -> None:
        """Add walks through fields, from where they come into the first one."""
        if not beyond:
            return
        boxes, _, _, timers = self.current
        setting = (boxes, 0, 0, timers)
        if not any(timers):
            self.admit(setting, beyond, arrives=True)
            return
        for ticks, cells in enumerate(self.list_arrivals(ground, starts, self.current)):
            now = _pass_tick(setting, ticks)
            for field in iterate_bits(cells & beyond & self.room.fields):
                self.admit(now, 1 << field, arrives=True)
                onward = self.explore(self.find_scene(now), 1 << field, avoids_fields=False)
                self.add_ends(now, onward, 1 << field, beyond)

    def add_ends(self, setting: Setting, ground: Ground, starts: int, within: int) -> None:
        """Add the ends of walks, and gates before them, with the ticks that are left there."""
        if not any(setting[3]):
            self.add_end(setting, ground.ends & within)
            return
        restless = 0
        for cells in self.list_arrivals(ground, starts, setting):
            self.add_end(setting, (cells | restless) & within)
            restless |= cells & ~self.find_scene(setting).steady
            restless |= cells & (1 << setting[1] // 6 | 1 << setting[2] // 6)
            setting = _pass_tick(setting)
        while restless and any(setting[3]):
            self.add_end(setting, restless & within)
            setting = _pass_tick(setting)
        self.add_end(setting, restless & within)

    def add_end(self, setting: Setting, cells: int) -> None:
        _, orange, blue, _ = setting
        self.admit(setting, cells, arrives=True)
        for gate, name in ((orange, "orange"), (blue, "blue")):
            if orange and blue and cells >> gate // 6 & 1:
                self.add_entrance(State(0, *setting), gate // 6, name)

    def list_arrivals(self, ground: Ground, starts: int, setting: Setting) -> Iterator[int]:
        """Yield the cells in which walks are after no tick, one tick, and so on.

        A cell is only given for the first tick: that more time passes is added anyhow.
        """
        reached, now, falling = starts, starts, 0
        while now or falling:
            yield now
            full = self.find_scene(setting).around.full
            beside = 0
            for direction in _FLAT:
                beside |= ground.advance(now & (ground.footing | starts), direction)
            beside &= ~full & ~reached
            lower = move(falling, self.room.steps[DOWN]) & ground.footing & ~full & ~reached
            now, falling = beside | lower, beside & ground.edges
            reached |= now
            setting = _pass_tick(setting)

    def explore(self, scene: _Scene, starts: int, *, avoids_fields: bool) -> Ground:
        return survey_ground(self.room, scene.around, starts, avoids_fields=avoids_fields)

    def explore_level(self, ground: Ground, start: int) -> int:
        """Find the footings between which the agent comes and goes without a step down."""
        part, grown = 0, start
        while part != grown:
            part = grown
            for direction in _FLAT:
                grown |= ground.advance(part, direction) & ground.footing
        return part

    def add_entrance(self, state: State, front: int, gate: str) -> None:
        try:
            there = self.world.enter_cell(state, AGENT, front)
            after = play(self.room, there, PlanStep("enter", {"gate": gate}))
        except IllegalAction:
            return
        self.add_state(after)

    def add_gates(self, scene: _Scene, cells: int) -> None:
        """Add each gate on each face, with all cells from which it is seen."""
        boxes, orange, blue, timers = self.current
        seen: dict[int, int] = defaultdict(int)
        for cell in iterate_bits(cells):
            for face, doors in self.find_sights(cell).items():
                if not doors & scene.around.light.closed:
                    seen[face] |= 1 << cell
        for face, eyes in seen.items():
            if face not in (orange, blue):
                self.admit((boxes, face, blue, timers), eyes)
                self.admit((boxes, orange, face, timers), eyes)

    def find_sights(self, cell: int) -> dict[int, int]:
        """Find the faces that are seen from a cell, with the doors on the lines to them."""
        if cell not in self.sights:
            zones = self.zones.numbers
            lines = {face: self.room.find_sight(cell, face) for face in self.room.faces}
            found = {face: doors for face, doors in lines.items() if doors is not None}
            if any(zones[face // 6] != zones[cell] for face in found):
                raise _Entangled
            self.sights[cell] = found
        return self.sights[cell]

    def add_jumps(self, scene: _Scene, cells: int) -> None:
        """Add jumps, but those that end where they began, or where a walk leads on level ground."""
        full, up = scene.around.full, self.room.steps[UP]
        clear = ~full & ~self.room.liquid & ~self.room.fields & ~self.room.door_cells
        clear &= ~scene.around.light.beam_cells & ~self.room.button_cells
        level = scene.steady & move(clear, -up)
        faces = {face - 6 * up: face for face in scene.around.passages}
        for direction in _FLAT:
            step = self.room.steps[direction]
            stays = move(clear, -up) & move(full, -up - step)
            onward = level & move(level, -step) & move(level, -2 * step)
            for face in faces:
                if face % 6 == direction ^ 1:
                    stays &= ~(1 << face // 6)
            for cell in iterate_bits(cells & ~move(full, -up) & ~stays & ~onward):
                self.play(scene, cell, PlanStep("jump", {"way": DIRECTIONS[direction]}))

    def play(self, scene: _Scene, cell: int, step: PlanStep) -> None:
        """Add what comes of one action in a single state."""
        try:
            state = scene.state._replace(agent=cell)
            self.add_state(play(self.room, state, step))
        except IllegalAction:
            return

    def add_boxes(self, scene: _Scene, cells: int) -> None:
        boxes, orange, blue, timers = self.current
        if 0 in boxes:
            self.add_drops(scene, cells, boxes.index(0))
            return
        for number, box in enumerate(boxes):
            if box + self.room.steps[UP] not in boxes:
                beside = self.list_beside(1 << box) & cells
                if beside & ~self.zones.cells[self.zones.numbers[box]]:
                    raise _Entangled
                taken = boxes[:number] + (0,) + boxes[number + 1 :]
                self.admit((taken, orange, blue, timers), beside)

    def list_beside(self, cells: int) -> int:
        """Return the cells beside some cells, and those above and below them."""
        up = self.room.layer
        beside = self.list_level(cells)
        return beside | beside << up | beside >> up

    def list_level(self, cells: int) -> int:
        found = 0
        for direction in _FLAT:
            found |= move(cells, self.room.steps[direction])
        return found

    def add_drops(self, scene: _Scene, cells: int, body: int) -> None:
        """Add each drop: if the box stays where it is, with all cells from which it is dropped."""
        up, (boxes, orange, blue, timers) = self.room.layer, self.current
        full = self.world.look_around(scene.state, body).full | 1
        tall = cells & ~move(scene.around.full, -up)
        targets = self.list_level(cells) | self.list_level(tall) << up
        stays = 0
        for cell in iterate_bits(targets & ~full & ~self.room.liquid):
            setting = (boxes[:body] + (cell,) + boxes[body + 1 :], orange, blue, timers)
            sources = self.list_level(1 << cell) & cells | self.list_level(1 << cell - up) & tall
            around = self.world.look_around(State(0, *setting), body)
            if self.world.launch(around, cell, (0, 0, 0)) is None:
                stays |= 1 << cell
                self.admit(setting, sources)
            elif not stays >> cell - up & 1:
                for source in iterate_bits(sources):
                    place = list(self.room.get_coordinates(cell))
                    self.play(scene, source, PlanStep("drop", {"cell": place}))

    def add_presses(self, scene: _Scene, cells: int) -> None:
        boxes, orange, blue, timers = self.current
        for place, number in self.room.timed_buttons.items():
            pressed = self.room.press(timers, number)
            near = (1 << place | self.list_level(1 << place)) & cells
            if near:
                self.admit((boxes, orange, blue, pressed), near)

    def find_plan(self) -> bool:
        """Return whether a plan along the layers can be played, with nothing forgotten."""
        useful = [{s for s, cells in self.layers[-1].items() if cells >> self.room.exit & 1}]
        for parents in reversed(self.parents[1:]):
            useful.append({p for s in useful[-1] for p in parents.get(s, ())})
        useful.reverse()
        stack, seen = [(0, self.home)], {(0, self.home)}
        for _ in range(_PLAYED_AGAIN):
            if not stack:
                break
            length, state = stack.pop()
            if length == len(self.layers) - 1:
                return True
            for after in self.list_successors(state, length + 1, useful[length + 1]):
                if (length + 1, after) not in seen:
                    seen.add((length + 1, after))
                    stack.append((length + 1, after))
        return False

    def list_successors(self, state: State, length: int, useful: set[Setting]) -> Iterator[State]:
        """Yield the states after one action that stand in a layer and lead to the exit."""
        is_last = length == len(self.layers) - 1
        for step in enumerate_actions(self.room, state):
            try:
                after = play(self.room, state, step)
                found = self.forget(after)
            except (IllegalAction, _Entangled):
                continue
            if is_last and after.agent != self.room.exit:
                continue
            cells = self.layers[length].get(found[1:], 0)
            if found[1:] in useful and cells >> found.agent & 1:
                yield after
