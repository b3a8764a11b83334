"""Simulate actions in a chamber; an independent implementation of ``docs/portal.md``."""

from collections import deque
from collections.abc import Iterator, Mapping

from bridge.referee.documents import PlanStep, read_int, read_sequence, read_text

from .room import (
    AHEAD,
    BACK,
    Cell,
    DerivedState,
    PanelFace,
    Room,
    State,
    Walks,
    add,
    transform_through_gate,
)

__all__ = ["IllegalAction", "enumerate_actions", "play"]

HORIZONTAL = ("+x", "-x", "+y", "-y")
MAX_SPEED = 8
"""Cells per tick of a fall."""
MAX_TICKS = 120
"""Ticks of a flight, and flights after an action, at most."""
AGENT = -1
"""Number of the agent among the bodies; boxes count from 0."""
MAX_CACHED_WALKS = 1000


class IllegalAction(Exception):
    """An action is not allowed; the message is the reason."""


def play(room: Room, state: State, step: PlanStep) -> State:
    """Return the state after a step of a plan.

    Raises:
        IllegalAction: the step is not allowed.
        ValueError: the step is no valid action.
    """
    arguments = step.arguments
    match step.name:
        case "walk_to":
            return _walk(room, state, _read_cell(arguments))
        case "place_gate":
            side = read_text(arguments.get("side"), "a side")
            gate = read_text(arguments.get("gate"), "a gate")
            return _place(room, state, gate, (_read_cell(arguments), side))
        case "enter":
            return _enter(room, state, read_text(arguments.get("gate"), "a gate"))
        case "jump":
            return _jump(room, state, read_text(arguments.get("way"), "a way"))
        case "pick_up":
            return _pick_up(room, state, read_text(arguments.get("box"), "a box"))
        case "drop":
            return _drop(room, state, _read_cell(arguments))
        case "press":
            return _press(room, state, _read_cell(arguments))
        case "wait":
            return _wait(room, state, read_int(arguments.get("ticks"), "ticks"))
    raise ValueError(f"there is no action {step.name!r:.40}")


def _read_cell(arguments: Mapping[str, object]) -> Cell:
    x, y, z = (
        read_int(number, "a coordinate")
        for number in read_sequence(arguments.get("cell"), "a cell")
    )
    return (x, y, z)


def _decrement_timers(state: State) -> State:
    """Return the state with one tick less on each button."""
    return state._replace(left=tuple(max(0, left - 1) for left in state.left))


def _locate(state: State, body: int) -> Cell:
    cell = state.agent if body == AGENT else state.boxes[body]
    assert cell is not None
    return cell


def _move_body(room: Room, state: State, body: int, cell: Cell) -> State:
    """Return the state with a body in a cell; an agent in a field clears both gates."""
    if cell in room.liquid:
        raise IllegalAction("DEADLY")
    if body != AGENT:
        return state._replace(boxes=(*state.boxes[:body], cell, *state.boxes[body + 1 :]))
    state = state._replace(agent=cell)
    return state._replace(orange=None, blue=None) if cell in room.fields else state


def _simulate_flight(
    room: Room, state: State, body: int, velocity: Cell, *, is_thrown: bool = False
) -> State:
    """Return the state after a body has come to rest.

    Args:
        velocity: cells per tick.
        is_thrown: whether the first tick has that velocity, without gravity.
    """
    for _ in range(MAX_TICKS):
        derived, cell = DerivedState(room, state), _locate(state, body)
        if not is_thrown:
            if velocity[2] <= 0 and derived.is_resting(cell, body):
                if cell not in room.pads or cell in derived.beam:
                    return state
                velocity = room.pads[cell]
            elif cell in derived.beam:
                velocity = AHEAD[derived.beam[cell]]
            else:
                velocity = (velocity[0], velocity[1], max(velocity[2] - 1, -MAX_SPEED))
        is_thrown = False
        state, velocity = _simulate_tick(room, derived, state, body, velocity)
        state = _decrement_timers(state)
    raise IllegalAction("UNSTABLE")


def _simulate_tick(
    room: Room, derived: DerivedState, state: State, body: int, velocity: Cell
) -> tuple[State, Cell]:
    """Return the state and the velocity of a body after one tick of flight."""
    steps, travelled, speed = max(map(abs, velocity)), [0, 0, 0], list(velocity)
    starts_in_beam = _locate(state, body) in derived.beam
    for step in range(1, steps + 1):
        for axis in range(3):
            target = (2 * abs(speed[axis]) * step + steps) // (2 * steps)
            if speed[axis] == 0 or abs(travelled[axis]) >= target:
                continue
            direction = ("+" if speed[axis] > 0 else "-") + "xyz"[axis]
            derived.state = state
            cell = _locate(state, body)
            gate = derived.open_gate(cell, direction, body)
            if gate is not None:
                (_, inside), (solid, outside) = gate
                state = _move_body(room, state, body, add(solid, AHEAD[outside]))
                return state, transform_through_gate(
                    inside, outside, (speed[0], speed[1], speed[2])
                )
            ahead = add(cell, AHEAD[direction])
            if derived.is_full(ahead, body):
                if direction == "-z":
                    return state, (0, 0, 0)
                speed[axis] = travelled[axis] = 0
                continue
            state = _move_body(room, state, body, ahead)
            travelled[axis] += 1 if speed[axis] > 0 else -1
            if ahead in derived.beam and not starts_in_beam:
                return state, (0, 0, 0)
    return state, (speed[0], speed[1], speed[2])


def _settle(room: Room, state: State) -> State:
    """Return the state after all unsupported bodies have come to rest."""
    for _ in range(MAX_TICKS):
        derived = DerivedState(room, state)
        bodies = [*(box for box, cell in enumerate(state.boxes) if cell is not None), AGENT]
        body = next((b for b in bodies if not derived.is_resting(_locate(state, b), b)), None)
        if body is None:
            return state
        state = _simulate_flight(room, state, body, (0, 0, 0))
    raise IllegalAction("UNSTABLE")


def _get_walks(room: Room, state: State, *, fields: bool) -> Walks:
    """Return the cached walks of the agent; ``fields``: whether it may cross fields."""
    if (state, fields) not in room.walks:
        if len(room.walks) > MAX_CACHED_WALKS:
            room.walks.clear()
        room.walks[state, fields] = _explore(room, state, fields=fields)
    return room.walks[state, fields]


def _explore(room: Room, state: State, *, fields: bool) -> Walks:
    """Find the cells that the agent can walk to, breadth first."""
    derived = DerivedState(room, state)

    def is_blocked(cell: Cell) -> bool:
        return derived.is_full(cell, AGENT) or (not fields and cell in room.fields)

    def is_ground(cell: Cell) -> bool:
        is_stopping = cell not in room.pads and cell not in room.liquid
        return is_stopping and cell not in derived.beam and derived.is_resting(cell, AGENT)

    ground, edges = {state.agent: state.agent}, dict[Cell, Cell]()
    queue = deque([state.agent])
    while queue:
        cell = queue.popleft()
        for side in HORIZONTAL:
            beside = add(cell, AHEAD[side])
            if beside in ground or is_blocked(beside):
                continue
            if is_ground(beside):
                ground[beside] = cell
                queue.append(beside)
                continue
            edges.setdefault(beside, cell)
            below = add(beside, (0, 0, -1))
            if beside in room.liquid or beside in derived.beam or below in ground:
                continue
            if is_blocked(below) or not is_ground(below):
                continue
            ground[beside], ground[below] = cell, beside
            queue.append(below)
    supported = [c for c in ground if c in edges and derived.is_resting(c, AGENT)]
    for cell in supported:
        del edges[cell]
    return ground, edges


def _find_path(room: Room, state: State, goal: Cell) -> list[Cell]:
    """Return the cells of a walk to a goal, around fields if possible."""
    if goal in DerivedState(room, state).shut:
        raise IllegalAction("DOOR_CLOSED")
    for fields in (False, True):
        ground, edges = _get_walks(room, state, fields=fields)
        if goal in ground or goal in edges:
            path = [goal] if goal in ground else [goal, edges[goal]]
            while ground[path[-1]] != path[-1]:
                path.append(ground[path[-1]])
            return path[::-1]
    raise IllegalAction("UNREACHABLE")


def _follow_path(room: Room, state: State, path: list[Cell]) -> State:
    for cell in path[1:]:
        derived = DerivedState(room, state)
        if cell in derived.shut:
            raise IllegalAction("DOOR_CLOSED")
        if derived.is_full(cell, AGENT):
            raise IllegalAction("BLOCKED")
        state = _move_body(room, _decrement_timers(state), AGENT, cell)
    return state


def _walk(room: Room, state: State, goal: Cell) -> State:
    if goal == state.agent:
        raise IllegalAction("NO_EFFECT")
    after = _follow_path(room, state, _find_path(room, state, goal))
    return _settle(room, _simulate_flight(room, after, AGENT, (0, 0, 0)))


def _place(room: Room, state: State, gate: str, face: PanelFace) -> State:
    if gate not in ("orange", "blue"):
        raise ValueError(f"there is no gate {gate!r:.40}")
    if face not in room.panels:
        raise IllegalAction("NOT_PORTALABLE")
    if face in (state.orange, state.blue):
        raise IllegalAction("a gate is there")
    doors = room.find_doors_seen_through(state.agent, face)
    if doors is None or doors & DerivedState(room, state).shut:
        raise IllegalAction("NO_LINE_OF_SIGHT")
    changed = state._replace(orange=face) if gate == "orange" else state._replace(blue=face)
    return _settle(room, changed)


def _enter(room: Room, state: State, gate: str) -> State:
    face = state.orange if gate == "orange" else state.blue
    if state.orange is None or state.blue is None or face is None:
        raise IllegalAction("NOT_FREE")
    solid, side = face
    if side == "-z":
        raise IllegalAction("UNREACHABLE")
    front = add(solid, AHEAD[side])
    path = [front] if front == state.agent else _find_path(room, state, front)
    after = _follow_path(room, state, path)
    if side != "+z" and front not in _get_walks(room, after, fields=True)[0]:
        raise IllegalAction("UNREACHABLE")
    gates = DerivedState(room, after).open_gate(front, BACK[side], AGENT)
    if gates is None:
        raise IllegalAction("BLOCKED")
    if side == "+z":
        return _settle(room, _simulate_flight(room, after, AGENT, (0, 0, 0)))
    (_, inside), (other, outside) = gates
    outcome = _move_body(room, after, AGENT, add(other, AHEAD[outside]))
    velocity = transform_through_gate(inside, outside, AHEAD[BACK[side]])
    return _settle(room, _simulate_flight(room, outcome, AGENT, velocity))


def _jump(room: Room, state: State, way: str) -> State:
    if way not in HORIZONTAL:
        raise ValueError(f"there is no way {way!r:.40}")
    above = add(state.agent, (0, 0, 1))
    if DerivedState(room, state).is_full(above, AGENT):
        raise IllegalAction("BLOCKED")
    lifted = _move_body(room, state, AGENT, above)
    after = _settle(room, _simulate_flight(room, lifted, AGENT, AHEAD[way], is_thrown=True))
    if after._replace(left=state.left) == state:
        raise IllegalAction("NO_EFFECT")
    return after


def _pick_up(room: Room, state: State, name: str) -> State:
    number = next((i for i, box in enumerate(room.boxes) if box[0] == name), None)
    if number is None or None in state.boxes:
        raise IllegalAction("NOT_FREE")
    cell = state.boxes[number]
    assert cell is not None
    dx, dy, dz = (abs(cell[i] - state.agent[i]) for i in range(3))
    if dx + dy != 1 or dz > 1:
        raise IllegalAction("UNREACHABLE")
    if add(cell, (0, 0, 1)) in state.boxes or state.agent in room.fields:
        raise IllegalAction("BLOCKED")
    boxes = (*state.boxes[:number], None, *state.boxes[number + 1 :])
    return _settle(room, state._replace(boxes=boxes))


def _drop(room: Room, state: State, cell: Cell) -> State:
    if None not in state.boxes:
        raise IllegalAction("NO_EFFECT")
    number = state.boxes.index(None)
    dx, dy, dz = (cell[i] - state.agent[i] for i in range(3))
    if abs(dx) + abs(dy) != 1 or dz not in (0, 1):
        raise IllegalAction("UNREACHABLE")
    derived = DerivedState(room, state)
    if dz and derived.is_full(add(state.agent, (0, 0, 1)), AGENT):
        raise IllegalAction("BLOCKED")
    if derived.is_full(cell, number):
        raise IllegalAction("BLOCKED")
    dropped = _move_body(room, state, number, cell)
    return _settle(room, _simulate_flight(room, dropped, number, (0, 0, 0)))


def _press(room: Room, state: State, cell: Cell) -> State:
    number = next(
        (i for i, (_, at, ticks) in enumerate(room.buttons) if ticks and at == cell), None
    )
    if number is None:
        raise IllegalAction("NO_EFFECT")
    dx, dy, dz = (abs(cell[i] - state.agent[i]) for i in range(3))
    if dx + dy > 1 or dz:
        raise IllegalAction("UNREACHABLE")
    left = (*state.left[:number], room.buttons[number][2], *state.left[number + 1 :])
    if left == state.left:
        raise IllegalAction("NO_EFFECT")
    return _settle(room, state._replace(left=left))


def _wait(room: Room, state: State, ticks: int) -> State:
    if not any(state.left):
        raise IllegalAction("NO_EFFECT")
    spent = min(ticks, max(state.left))
    return _settle(room, state._replace(left=tuple(max(0, n - spent) for n in state.left)))


def enumerate_actions(room: Room, state: State) -> Iterator[PlanStep]:
    """Yield all legal actions, of waits only one tick, and some illegal ones."""
    ground, edges = _get_walks(room, state, fields=True)
    for cell in (*ground, *edges):
        yield PlanStep("walk_to", {"cell": cell})
    for gate in ("orange", "blue"):
        yield PlanStep("enter", {"gate": gate})
        for cell, side in sorted(room.panels):
            yield PlanStep("place_gate", {"gate": gate, "cell": cell, "side": side})
    for side in HORIZONTAL:
        yield PlanStep("jump", {"way": side})
        beside = add(state.agent, AHEAD[side])
        yield PlanStep("drop", {"cell": beside})
        yield PlanStep("drop", {"cell": add(beside, (0, 0, 1))})
    yield from (PlanStep("pick_up", {"box": box[0]}) for box in room.boxes)
    yield from (PlanStep("press", {"cell": cell}) for _, cell, ticks in room.buttons if ticks)
    if any(state.left):
        yield PlanStep("wait", {"ticks": 1})
