"""Actions in a chamber, from ``docs/portal.md`` alone."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from bridge.referee.documents import PlanStep, read_int, read_sequence, read_text

from .light import link_gates
from .motion import AGENT, IllegalAction, World, make_speed
from .room import DIRECTIONS, DOWN, UP, Room, State, iterate_bits
from .walks import Ground, find_path, survey_ground

__all__ = ["IllegalAction", "enumerate_actions", "play"]

_COLORS = ("orange", "blue")
_FLAT = DIRECTIONS[:4]

Arguments = Mapping[str, object]


def play(room: Room, state: State, step: PlanStep) -> State:
    """Return the state after an action, when everything rests again.

    Raises:
        IllegalAction: the rules refuse it.
        ValueError: there is no such action, or an argument is malformed.
    """
    if step.name not in _ACTIONS:
        raise ValueError(f"there is no action {step.name}")
    world = get_world(room)
    return world.settle(_ACTIONS[step.name](world, state, step.arguments))


@lru_cache(maxsize=8)
def get_world(room: Room) -> World:
    """Return the world of a room, with all light that it has computed already."""
    return World(room)


def require(holds: object, reason: str) -> None:
    """Refuse an action unless a condition holds."""
    if not holds:
        raise IllegalAction(reason)


def _read_place(world: World, arguments: Arguments) -> int:
    x, y, z = (
        read_int(v, "a coordinate") for v in read_sequence(arguments.get("cell"), "the cell")
    )
    return world.room.find_cell((x, y, z))


def _read_choice(arguments: Arguments, key: str, choices: tuple[str, ...]) -> int:
    chosen = read_text(arguments.get(key), f"the {key}")
    if chosen not in choices:
        raise ValueError(f"there is no {key} {chosen}")
    return choices.index(chosen)


def _walk(world: World, state: State, goal: int) -> State:
    require(not world.lights.find(state).closed >> goal & 1, "DOOR_CLOSED")
    for avoids_fields in (True, False):
        ground = survey(world, state, avoids_fields=avoids_fields)
        path = find_path(ground, state.agent, goal)
        if path is not None:
            break
    else:
        raise IllegalAction("UNREACHABLE")
    for cell in path:
        around = world.look_around(state)
        require(not around.light.closed >> cell & 1, "DOOR_CLOSED")
        require(not around.full >> cell & 1, "BLOCKED")
        state = world.enter_cell(world.pass_time(state), AGENT, cell)
    return state


def survey(world: World, state: State, *, avoids_fields: bool) -> Ground:
    """Find where the agent can walk in a state."""
    around = world.look_around(state)
    return survey_ground(world.room, around, 1 << state.agent, avoids_fields=avoids_fields)


def _walk_to(world: World, state: State, arguments: Arguments) -> State:
    goal = _read_place(world, arguments)
    require(goal != state.agent, "NO_EFFECT")
    return world.release(_walk(world, state, goal), AGENT)


def _place_gate(world: World, state: State, arguments: Arguments) -> State:
    gate = _read_choice(arguments, "gate", _COLORS)
    side = _read_choice(arguments, "side", DIRECTIONS)
    face = world.room.find_face(_read_place(world, arguments), side)
    gates = [state.orange, state.blue]
    require(face, "NOT_PORTALABLE")
    require(gates[gate] != face, "NO_EFFECT")
    require(face not in gates, "NOT_FREE")
    doors = world.room.find_sight(state.agent, face)
    is_seen = doors is not None and not doors & world.lights.find(state).closed
    require(is_seen, "NO_LINE_OF_SIGHT")
    gates[gate] = face
    return state._replace(orange=gates[0], blue=gates[1])


def _enter(world: World, state: State, arguments: Arguments) -> State:
    entrance = (state.orange, state.blue)[_read_choice(arguments, "gate", _COLORS)]
    require(link_gates(state.orange, state.blue), "NOT_FREE")
    front, side = divmod(entrance, 6)
    require(side != DOWN, "UNREACHABLE")
    state = _walk(world, state, front)
    passage = world.look_around(state).passages.get(entrance)
    if passage is None:
        raise IllegalAction("BLOCKED")
    if side == UP:
        return world.release(state, AGENT)
    cell, turned = passage
    state = world.enter_cell(state, AGENT, cell)
    return world.release(state, AGENT, make_speed(turned[side ^ 1]))


def _jump(world: World, state: State, arguments: Arguments) -> State:
    way = _read_choice(arguments, "way", _FLAT)
    above = state.agent + world.room.steps[UP]
    require(not world.look_around(state).full >> above & 1, "BLOCKED")
    leaping = world.fly_into(state, AGENT, above)
    after = world.settle(world.release(leaping, AGENT, make_speed(way), leaps=True))
    require(after._replace(timers=state.timers) != state, "NO_EFFECT")
    return after


def _pick_up(world: World, state: State, arguments: Arguments) -> State:
    number = _read_choice(arguments, "box", world.room.boxes)
    box, up = state.boxes[number], world.room.steps[UP]
    require(0 not in state.boxes, "NOT_FREE")
    require(
        box in {cell + up * n for cell in _list_beside(world, state) for n in (-1, 0, 1)},
        "UNREACHABLE",
    )
    require(box + up not in state.boxes, "BLOCKED")
    require(not world.room.fields >> state.agent & 1, "BLOCKED")
    return state._replace(boxes=tuple(0 if cell == box else cell for cell in state.boxes))


def _list_beside(world: World, state: State) -> list[int]:
    return [state.agent + step for step in world.room.steps[:4]]


def _drop(world: World, state: State, arguments: Arguments) -> State:
    cell, up = _read_place(world, arguments), world.room.steps[UP]
    require(0 in state.boxes, "NO_EFFECT")
    body = state.boxes.index(0)
    beside = _list_beside(world, state)
    require(cell in beside or cell - up in beside, "UNREACHABLE")
    if cell not in beside:
        require(not world.look_around(state).full >> state.agent + up & 1, "BLOCKED")
    require(not world.look_around(state, body).full >> cell & 1, "BLOCKED")
    return world.release(world.enter_cell(state, body, cell), body)


def _press(world: World, state: State, arguments: Arguments) -> State:
    cell = _read_place(world, arguments)
    timed = world.room.timed_buttons
    require(cell in timed, "NO_EFFECT")
    require(cell in (state.agent, *_list_beside(world, state)), "UNREACHABLE")
    timers = world.room.press(state.timers, timed[cell])
    require(timers != state.timers, "NO_EFFECT")
    return state._replace(timers=timers)


def _wait(world: World, state: State, arguments: Arguments) -> State:
    ticks = read_int(arguments.get("ticks"), "the ticks")
    require(any(state.timers), "NO_EFFECT")
    return world.pass_time(state, ticks)


_ACTIONS: Mapping[str, Callable[[World, State, Arguments], State]] = {
    "walk_to": _walk_to,
    "place_gate": _place_gate,
    "enter": _enter,
    "jump": _jump,
    "pick_up": _pick_up,
    "drop": _drop,
    "press": _press,
    "wait": _wait,
}


def enumerate_actions(room: Room, state: State) -> Iterator[PlanStep]:
    """Yield the actions of a state, some of which may be refused."""
    world = get_world(room)
    ends = survey(world, state, avoids_fields=False).ends
    cells = iterate_bits(ends & ~(1 << state.agent))
    yield from (_make_step(room, "walk_to", cell) for cell in cells)
    for face in room.faces:
        panel, side = face // 6 - room.steps[face % 6], DIRECTIONS[face % 6]
        for gate in _COLORS:
            yield _make_step(room, "place_gate", panel, gate=gate, side=side)
    if state.orange and state.blue:
        yield from (PlanStep("enter", {"gate": gate}) for gate in _COLORS)
    yield from (PlanStep("jump", {"way": way}) for way in _FLAT)
    for box in room.boxes if 0 not in state.boxes else ():
        yield PlanStep("pick_up", {"box": box})
    for cell in _list_beside(world, state) if 0 in state.boxes else ():
        yield _make_step(room, "drop", cell)
        yield _make_step(room, "drop", cell + room.steps[UP])
    yield from (_make_step(room, "press", cell) for cell in sorted(room.timed_buttons))
    for ticks in range(1, max(state.timers, default=0) + 1):
        yield PlanStep("wait", {"ticks": ticks})


def _make_step(room: Room, name: str, cell: int, **arguments: object) -> PlanStep:
    return PlanStep(name, {"cell": list(room.get_coordinates(cell))} | arguments)
