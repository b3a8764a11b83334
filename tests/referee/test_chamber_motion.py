"""Flights and walks end alike by the rules of chambers and by their referee."""

import random
from itertools import product

import pytest

from bridge.referee.documents import PlanStep
from bridge.referee.portal.motion import AGENT, IllegalAction, World
from bridge.referee.portal.play import play
from bridge.referee.portal.room import Room, State, read_room
from pysim.catalog import encode_level
from pysim.families.portal.actions import WalkTo
from pysim.families.portal.chamber import Chamber
from pysim.families.portal.flight import simulate_flight
from pysim.families.portal.moves import apply_action
from pysim.families.portal.state import ChamberState
from pysim.geometry import Cell
from pysim.puzzle import IllegalMove
from pysim.scene import Colour
from tests.families.portal.rooms import level_of
from tests.sampling import by_day

SIZE = (10, 7, 16)


def draw_hall(rng: random.Random) -> Chamber:
    """Draw a high hall with panels on its walls, and pillars and drops of liquid in it."""
    liquid = rng.choice((0, 1))
    signs = {}
    for cell in product(*map(range, SIZE)):
        is_inside = all(0 < v < n - 1 for v, n in zip(cell, SIZE, strict=True))
        weights = (60, 2, 0, liquid) if is_inside else (0, 6, 1, 0)
        (signs[cell],) = rng.choices(".#o~", weights)
    return make_chamber(signs | {(1, 1, 0): "#", (1, 1, 1): ".", (2, 1, 1): "."})


def make_chamber(signs: dict[Cell, str]) -> Chamber:
    x, y, z = (1 + max(cell[i] for cell in signs) for i in range(3))
    layers = tuple(
        tuple("".join(signs[i, j, k] for i in range(x)) for j in range(y)) for k in range(z)
    )
    return Chamber(layers, Colour("green"), (1, 1, 1), (2, 1, 1))


def find_end(room: Room, state: ChamberState, speed: Cell) -> State | str:
    """Return the end of an agent's flight by the referee, or why there is none."""
    gates = [None if g is None else (g.cell, g.side.value) for g in (state.orange, state.blue)]
    start = room.make_state(state.agent, state.boxes, gates, state.timers)
    try:
        return World(room).release(start, AGENT, speed)
    except IllegalAction as refused:
        return str(refused)


@pytest.mark.parametrize("seed", by_day(range(200), each=8))
def test_random_flights_end_alike(seed: int) -> None:
    """From any cell at any speed, with gates in any two faces."""
    rng = random.Random(seed)
    chamber = draw_hall(rng)
    room, cells = read_room(encode_level(level_of(chamber))), sorted(chamber.free)
    ends = set()
    for _ in range(40):
        gates = rng.sample(sorted(chamber.surfaces, key=lambda s: (s.cell, s.side.value)), 2)
        speed = (rng.randint(-6, 6), rng.randint(-6, 6), rng.randint(-8, 8))
        start = ChamberState(rng.choice(cells), (), gates[0], gates[1], ())
        theirs = find_end(room, start, speed)
        try:
            last = simulate_flight(chamber, start, None, speed).state
        except IllegalMove as refused:
            assert theirs == str(refused.reason)
        else:
            assert isinstance(theirs, State)
            assert room.get_coordinates(theirs.agent) == last.agent
            ends.add(last.agent)
    assert len(ends) > 5


@pytest.mark.parametrize("seed", by_day(range(400), each=20))
def test_walks_over_steps_and_puddles_go_alike(seed: int) -> None:
    """To every cell of two storeys, of which some are full and some are wet."""
    rng = random.Random(seed)
    signs = dict.fromkeys(product(range(7), range(6), range(5)), "#")
    for x, y in product(range(1, 6), range(1, 5)):
        low, middle = rng.choices(".~#", (3, 1, 2))[0], rng.choices(".~#", (6, 2, 1))[0]
        signs |= {(x, y, 1): low, (x, y, 2): middle, (x, y, 3): "."}
    signs |= {(1, 1, 1): ".", (2, 1, 1): "."}
    starts = [c for c, sign in signs.items() if sign == "." and signs[c[0], c[1], c[2] - 1] == "#"]
    chamber = make_chamber(signs)
    room = read_room(encode_level(level_of(chamber)))
    start = ChamberState(rng.choice(starts), (), None, None, ())
    mine = room.make_state(start.agent, (), (None, None), ())
    for cell in sorted(chamber.free | chamber.liquid):
        try:
            after = apply_action(chamber, start, WalkTo(cell)).state
        except IllegalMove as refused:
            with pytest.raises(IllegalAction, match=f"^{refused.reason}$"):
                play(room, mine, PlanStep("walk_to", {"cell": list(cell)}))
        else:
            there = play(room, mine, PlanStep("walk_to", {"cell": list(cell)}))
            assert room.get_coordinates(there.agent) == after.agent
