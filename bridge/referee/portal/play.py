"""Playing in a chamber, one action at a time; written anew, from ``docs/portal.md``."""

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

__all__ = ["IllegalAction", "enumerate_actions", "follow", "play"]

LEVEL = ("+x", "-x", "+y", "-y")
FASTEST, LONGEST = 8, 120
AGENT = -1
MOST_WALKS = 1000
"""How many are kept."""


class IllegalAction(Exception):
    """An action is not allowed; the text says why."""


def play(room: Room, state: State, step: PlanStep) -> State:
    """Return the state after a step of a plan.

    Raises:
        Refused: it is not allowed.
        ValueError: it is no action.
    """
    given = step.arguments
    match step.name:
        case "walk_to":
            return _walk(room, state, _cell(given))
        case "place_gate":
            side = read_text(given.get("side"), "a side")
            return _place(room, state, read_text(given.get("gate"), "a gate"), (_cell(given), side))
        case "enter":
            return _enter(room, state, read_text(given.get("gate"), "a gate"))
        case "jump":
            return _jump(room, state, read_text(given.get("way"), "a way"))
        case "pick_up":
            return _pick_up(room, state, read_text(given.get("box"), "a box"))
        case "drop":
            return _drop(room, state, _cell(given))
        case "press":
            return _press(room, state, _cell(given))
        case "wait":
            return _wait(room, state, read_int(given.get("ticks"), "ticks"))
    raise ValueError(f"there is no action {step.name!r:.40}")


def follow(room: Room, state: State, steps: tuple[PlanStep, ...]) -> State:
    """Return the state after some steps; raises as :func:`play`."""
    for step in steps:
        state = play(room, state, step)
    return state


def _cell(given: Mapping[str, object]) -> Cell:
    x, y, z = (
        read_int(number, "a coordinate") for number in read_sequence(given.get("cell"), "a cell")
    )
    return (x, y, z)


def _older(state: State) -> State:
    return state._replace(left=tuple(max(0, left - 1) for left in state.left))


def _at(state: State, body: int) -> Cell:
    cell = state.agent if body == AGENT else state.boxes[body]
    assert cell is not None
    return cell


def _put(room: Room, state: State, body: int, cell: Cell) -> State:
    if cell in room.liquid:
        raise IllegalAction("DEADLY")
    if body != AGENT:
        return state._replace(boxes=(*state.boxes[:body], cell, *state.boxes[body + 1 :]))
    state = state._replace(agent=cell)
    return state._replace(orange=None, blue=None) if cell in room.fields else state


def _fly(room: Room, state: State, body: int, v: Cell, *, thrown: bool = False) -> State:
    for _ in range(LONGEST):
        now, cell = DerivedState(room, state), _at(state, body)
        if not thrown:
            if v[2] <= 0 and now.is_resting(cell, body):
                if cell not in room.pads or cell in now.beam:
                    return state
                v = room.pads[cell]
            elif cell in now.beam:
                v = AHEAD[now.beam[cell]]
            else:
                v = (v[0], v[1], max(v[2] - 1, -FASTEST))
        thrown = False
        state, v = _tick(room, now, state, body, v)
        state = _older(state)
    raise IllegalAction("UNSTABLE")


def _tick(room: Room, now: DerivedState, state: State, body: int, v: Cell) -> tuple[State, Cell]:
    steps, gone, speed = max(map(abs, v)), [0, 0, 0], list(v)
    from_beam = _at(state, body) in now.beam
    for k in range(1, steps + 1):
        for axis in range(3):
            due = (2 * abs(speed[axis]) * k + steps) // (2 * steps)
            if speed[axis] == 0 or abs(gone[axis]) >= due:
                continue
            way = ("+" if speed[axis] > 0 else "-") + "xyz"[axis]
            now.state = state
            cell = _at(state, body)
            gate = now.open_gate(cell, way, body)
            if gate is not None:
                (_, inside), (solid, outside) = gate
                state = _put(room, state, body, add(solid, AHEAD[outside]))
                return state, transform_through_gate(
                    inside, outside, (speed[0], speed[1], speed[2])
                )
            ahead = add(cell, AHEAD[way])
            if now.is_full(ahead, body):
                if way == "-z":
                    return state, (0, 0, 0)
                speed[axis] = gone[axis] = 0
                continue
            state = _put(room, state, body, ahead)
            gone[axis] += 1 if speed[axis] > 0 else -1
            if ahead in now.beam and not from_beam:
                return state, (0, 0, 0)
    return state, (speed[0], speed[1], speed[2])


def _settle(room: Room, state: State) -> State:
    for _ in range(LONGEST):
        now = DerivedState(room, state)
        bodies = [*(k for k, cell in enumerate(state.boxes) if cell is not None), AGENT]
        body = next((b for b in bodies if not now.is_resting(_at(state, b), b)), None)
        if body is None:
            return state
        state = _fly(room, state, body, (0, 0, 0))
    raise IllegalAction("UNSTABLE")


def _reach(room: Room, state: State, *, fields: bool) -> Walks:
    if (state, fields) not in room.walks:
        if len(room.walks) > MOST_WALKS:
            room.walks.clear()
        room.walks[state, fields] = _explored(room, state, fields=fields)
    return room.walks[state, fields]


def _explored(room: Room, state: State, *, fields: bool) -> Walks:
    now = DerivedState(room, state)

    def barred(cell: Cell) -> bool:
        return now.is_full(cell, AGENT) or (not fields and cell in room.fields)

    def plain(cell: Cell) -> bool:
        return cell not in room.pads and cell not in now.beam and now.is_resting(cell, AGENT)

    ground, brinks = {state.agent: state.agent}, dict[Cell, Cell]()
    queue = deque([state.agent])
    while queue:
        cell = queue.popleft()
        for side in LEVEL:
            there = add(cell, AHEAD[side])
            if there in ground or barred(there):
                continue
            if plain(there):
                ground[there] = cell
                queue.append(there)
                continue
            brinks.setdefault(there, cell)
            low = add(there, (0, 0, -1))
            wet = there in room.liquid or low in room.liquid
            if wet or there in now.beam or low in ground or barred(low) or not plain(low):
                continue
            ground[there], ground[low] = cell, there
            queue.append(low)
    resting = [c for c in ground if c in brinks and now.is_resting(c, AGENT)]
    for cell in resting:
        del brinks[cell]
    return ground, brinks


def _way(room: Room, state: State, goal: Cell) -> list[Cell]:
    if goal in DerivedState(room, state).shut:
        raise IllegalAction("DOOR_CLOSED")
    for fields in (False, True):
        ground, brinks = _reach(room, state, fields=fields)
        if goal in ground or goal in brinks:
            way = [goal] if goal in ground else [goal, brinks[goal]]
            while ground[way[-1]] != way[-1]:
                way.append(ground[way[-1]])
            return way[::-1]
    raise IllegalAction("UNREACHABLE")


def _walked(room: Room, state: State, way: list[Cell]) -> State:
    for cell in way[1:]:
        now = DerivedState(room, state)
        if cell in now.shut:
            raise IllegalAction("DOOR_CLOSED")
        if now.is_full(cell, AGENT):
            raise IllegalAction("BLOCKED")
        state = _put(room, _older(state), AGENT, cell)
    return state


def _walk(room: Room, state: State, goal: Cell) -> State:
    if goal == state.agent:
        raise IllegalAction("NO_EFFECT")
    after = _walked(room, state, _way(room, state, goal))
    return _settle(room, _fly(room, after, AGENT, (0, 0, 0)))


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
    way = [front] if front == state.agent else _way(room, state, front)
    after = _walked(room, state, way)
    if side == "+z":
        return _settle(room, _fly(room, after, AGENT, (0, 0, 0)))
    if front not in _reach(room, after, fields=True)[0]:
        raise IllegalAction("UNREACHABLE")
    found = DerivedState(room, after).open_gate(front, BACK[side], AGENT)
    if found is None:
        raise IllegalAction("BLOCKED")
    (_, inside), (other, outside) = found
    out = _put(room, after, AGENT, add(other, AHEAD[outside]))
    v = transform_through_gate(inside, outside, AHEAD[BACK[side]])
    return _settle(room, _fly(room, out, AGENT, v))


def _jump(room: Room, state: State, way: str) -> State:
    if way not in LEVEL:
        raise ValueError(f"there is no way {way!r:.40}")
    above = add(state.agent, (0, 0, 1))
    if DerivedState(room, state).is_full(above, AGENT):
        raise IllegalAction("BLOCKED")
    lifted = state._replace(agent=above)
    after = _settle(room, _fly(room, lifted, AGENT, AHEAD[way], thrown=True))
    if after._replace(left=state.left) == state:
        raise IllegalAction("NO_EFFECT")
    return after


def _pick_up(room: Room, state: State, name: str) -> State:
    number = next((k for k, box in enumerate(room.boxes) if box[0] == name), None)
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
    now = DerivedState(room, state)
    if dz and now.is_full(add(state.agent, (0, 0, 1)), AGENT):
        raise IllegalAction("BLOCKED")
    if now.is_full(cell, number):
        raise IllegalAction("BLOCKED")
    put = _put(room, state, number, cell)
    return _settle(room, _fly(room, put, number, (0, 0, 0)))


def _press(room: Room, state: State, cell: Cell) -> State:
    number = next(
        (k for k, (_, at, ticks) in enumerate(room.buttons) if ticks and at == cell), None
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
    """Yield all actions that may be allowed, waiting for one tick among them."""
    ground, brinks = _reach(room, state, fields=True)
    for cell in (*ground, *brinks):
        yield PlanStep("walk_to", {"cell": cell})
    for gate in ("orange", "blue"):
        yield PlanStep("enter", {"gate": gate})
        for cell, side in sorted(room.panels):
            yield PlanStep("place_gate", {"gate": gate, "cell": cell, "side": side})
    for side in LEVEL:
        yield PlanStep("jump", {"way": side})
        beside = add(state.agent, AHEAD[side])
        yield PlanStep("drop", {"cell": beside})
        yield PlanStep("drop", {"cell": add(beside, (0, 0, 1))})
    yield from (PlanStep("pick_up", {"box": box[0]}) for box in room.boxes)
    yield from (PlanStep("press", {"cell": cell}) for _, cell, ticks in room.buttons if ticks)
    if any(state.left):
        yield PlanStep("wait", {"ticks": 1})
