"""The referee of chambers agrees with the rules, and sees through what is false."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import bridge.referee.portal.judging as judging
from bridge.benches.portal.frozen_items import AskedChamber, load_chambers
from bridge.benches.portal.mistakes import COUNT, apply_mistakes, enumerate_subsets
from bridge.referee.documents import PlanStep
from bridge.referee.portal import judge
from bridge.referee.portal.judging import find_shortest
from bridge.referee.portal.light import LightTable
from bridge.referee.portal.play import IllegalAction, enumerate_actions, play
from bridge.referee.portal.room import DIRECTIONS, Room, State, iterate_bits, read_room
from bridge.referee.portal.search import Search
from bridge.referee.portal.zones import find_zones, join_zones
from pysim.catalog import discover_families, encode_level
from pysim.families.portal.actions import WalkTo
from pysim.families.portal.chamber import Button, Chamber, Door, Emitter, Surface
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.gates import find_sight_doors
from pysim.families.portal.generator.building import build
from pysim.families.portal.generator.generate import draw_module
from pysim.families.portal.generator.modules import MAKERS
from pysim.families.portal.planner import search
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState
from pysim.field_types import build_action, encode_arguments
from pysim.geometry import Direction, add
from pysim.puzzle import Action, IllegalMove, Level
from pysim.scene import Colour
from pysim.suites import find_suite, load_levels
from tests.families.portal.rooms import level_of
from tests.referee.chambers import draw_chamber
from tests.sampling import by_day

LEVELS: list[Level[Chamber]] = list(load_levels(find_suite("portal-16")))
CHAINS: list[Level[Chamber]] = list(load_levels(find_suite("portal-100")))[20:60]
COLORS = ("orange", "blue")
RULES = PortalRules()
TYPES = {kind.tool: kind for kind in discover_families()["portal"].actions}


def document_of(level: Level[Chamber]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(encode_level(level)))
    return found


def same(room: Room, mine: State, theirs: ChamberState) -> bool:
    gates = [None if g is None else (g.cell, g.side.value) for g in (theirs.orange, theirs.blue)]
    return mine == room.make_state(theirs.agent, theirs.boxes, gates, theirs.timers)


@pytest.mark.parametrize("level", by_day(LEVELS, name=lambda level: level.id, each=2))
def test_every_claim_is_confirmed_or_left_open(level: Level[Chamber]) -> None:
    found = judge(document_of(level))
    assert found.false == ()
    assert {"plan", "tier", "budget", "facts.moves"} <= set(found.confirmed)
    assert {finding.claim for finding in found.undecided} <= {"proof", "lower_bound"}


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ("d['plan']['actions'].pop()", "plan"),
        ("d['plan']['actions'].reverse()", "plan"),
        ("d['plan']['actions'].append(d['plan']['actions'][-1])", "plan"),
        ("d['facts']['moves'] += 1", "facts.moves"),
        ("d['tier'] = 'hard'", "tier"),
        ("d['budget'] = 3", "budget"),
    ],
)
def test_false_claims_are_seen_through(change: str, claim: str) -> None:
    document = document_of(LEVELS[0])
    exec(change, {"d": document})
    assert claim in {finding.claim for finding in judge(document).false}


@pytest.mark.parametrize("difficulty", range(1, 6))
def test_chain_of_another_length_than_the_difficulty_has_is_false(
    difficulty: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "_QUICK_STATES", 1)
    generated = load_levels(find_suite("portal-100"))
    level = next(one for one in generated if one.facts["difficulty"] == difficulty)
    document = document_of(level)
    assert "facts.chain" in judge(document).confirmed
    document["facts"]["chain"] += " gates"
    assert "facts.chain" in {finding.claim for finding in judge(document).false}


def test_room_of_a_single_row_is_played_like_any_other() -> None:
    """Nothing but a floor, three cells to stand in and a ceiling."""
    chamber = Chamber((("#####",), ("#...#",), ("#####",)), Colour("green"), (1, 0, 1), (3, 0, 1))
    room = read_room(document_of(level_of(chamber)))
    assert find_shortest(room, 1, 10) == (1, 1)
    assert search(chamber).plan == (WalkTo((3, 0, 1)),)


@pytest.mark.parametrize("number", by_day(range(len(LEVELS)), each=6))
def test_random_play_comes_to_the_same_as_in_the_rules(number: int) -> None:
    """Every step of a plan, and random actions beside it, allowed or not."""
    level, rng = LEVELS[number], random.Random(number)
    assert level.plan is not None
    room = read_room(document_of(level))
    mine, theirs = room.make_initial(), RULES.initial(level)
    for action in level.plan.actions:
        listed = list(enumerate_actions(room, mine))
        for step in rng.sample(listed, min(25, len(listed))):
            made = build_action(TYPES[step.name], json.loads(json.dumps(dict(step.arguments))))
            try:
                there = RULES.apply(level, theirs, made).state
            except IllegalMove:
                with pytest.raises(IllegalAction):
                    play(room, mine, step)
            else:
                assert same(room, play(room, mine, step), there), step
        mine = play(room, mine, PlanStep(action.tool, encode_arguments(action)))
        theirs = RULES.apply(level, theirs, action).state
        assert same(room, mine, theirs)


@pytest.mark.parametrize("seed", by_day(range(2000), each=40))
def test_random_rooms_are_played_alike_by_rules_and_referee(seed: int) -> None:
    """Thirty actions in a room with any devices; states and reasons of refusals are the same."""
    rng = random.Random(seed)
    chamber, room = draw_chamber(rng)
    level = level_of(chamber)
    mine, theirs = room.make_initial(), RULES.initial(level)
    for _ in range(30):
        step = draw_step(rng, room, mine)
        made = build_action(TYPES[step.name], json.loads(json.dumps(dict(step.arguments))))
        try:
            theirs = RULES.apply(level, theirs, made).state
        except IllegalMove as refused:
            with pytest.raises(IllegalAction, match=f"^{refused.reason}$"):
                play(room, mine, step)
        else:
            mine = play(room, mine, step)
            assert same(room, mine, theirs), step


def test_boxes_stop_bridges_alike_in_rules_and_referee() -> None:
    """Bridges of random rooms, with and without the boxes: some boxes are in the way of one."""
    stopped = 0
    for seed in range(400):
        chamber, room = draw_chamber(random.Random(seed))
        if not chamber.bridges or not chamber.boxes:
            continue
        start = RULES.initial(level_of(chamber))
        bare = replace(start, boxes=(None,) * len(start.boxes))
        for theirs in (start, bare):
            mine = room.make_state(theirs.agent, theirs.boxes, (None, None), theirs.timers)
            light = LightTable(room).find(mine)
            cells = {room.get_coordinates(cell) for cell in iterate_bits(light.bridges)}
            situation = compute_situation(chamber, theirs)
            assert cells == situation.bridge, seed
        stopped += compute_situation(chamber, start).bridge != situation.bridge
    assert stopped >= 3


@pytest.mark.slow
def test_sight_is_through_the_same_doors_in_rules_and_referee() -> None:
    """Of lines through as many doors the first is taken; see docs/portal.md."""
    several = 0
    for seed in range(100):
        chamber, room = draw_chamber(random.Random(seed))
        if len(chamber.doors) < 2:
            continue
        cells = room.everything & ~room.solid & ~room.fields
        for agent, face in product(iterate_bits(cells), room.faces):
            front, side = divmod(face, 6)
            way = Direction(DIRECTIONS[side])
            front_cell, eye = room.get_coordinates(front), room.get_coordinates(agent)
            surface = Surface(add(front_cell, way.opposite.vector), way)
            names = find_sight_doors(chamber, eye, surface)
            doors = room.find_sight(agent, face)
            found = {room.get_coordinates(door) for door in iterate_bits(doors or 0)}
            assert (names is None) == (doors is None)
            assert {chamber.door_at[cell].name for cell in found} == (names or set())
            several += bool(names)
    assert several > 100


def draw_step(rng: random.Random, room: Room, state: State) -> PlanStep:
    """Draw an action: one that is listed, as often of one kind as of another, or any one at all."""
    listed = list(enumerate_actions(room, state))
    if listed and rng.random() < 0.85:
        name = rng.choice(sorted({step.name for step in listed}))
        return rng.choice([step for step in listed if step.name == name])
    cell = [max(0, v + rng.randint(-2, 2)) for v in room.get_coordinates(state.agent)]
    gate, way, side = rng.choice(COLORS), rng.choice(DIRECTIONS[:4]), rng.choice(DIRECTIONS)
    anything = [
        PlanStep("walk_to", {"cell": cell}),
        PlanStep("place_gate", {"gate": gate, "cell": cell, "side": side}),
        PlanStep("enter", {"gate": gate}),
        PlanStep("jump", {"way": way}),
        PlanStep("drop", {"cell": cell}),
        PlanStep("press", {"cell": cell}),
        PlanStep("wait", {"ticks": rng.randint(1, 12)}),
        *(PlanStep("pick_up", {"box": box}) for box in room.boxes),
    ]
    return rng.choice(anything)


@pytest.mark.parametrize("seed", by_day(range(300), each=8))
def test_search_finds_every_state_of_random_play(seed: int) -> None:
    """No more actions are counted than were played, so that the lower bound holds."""
    rng = random.Random(seed)
    room = replace(draw_chamber(rng)[1], exit=0)
    search = Search(room, join_zones(room), 300)
    search.run(3)
    for _ in range(20):
        assert_states_are_found(search, room, rng, count_complete_layers(search))


@pytest.mark.parametrize("level", by_day(CHAINS, name=lambda level: level.id, each=4))
def test_search_that_forgets_finds_every_state_of_random_play(level: Level[Chamber]) -> None:
    """The states of the plan, and random play that does not go back through a field."""
    assert level.plan is not None
    room = read_room(document_of(level))
    zones = find_zones(room)
    assert zones is not None
    search = Search(room, zones, 2000)
    search.run(len(level.plan.actions))
    complete = count_complete_layers(search)
    state = room.make_initial()
    for length, action in enumerate(level.plan.actions[:complete], 1):
        assert_states_are_found(search, room, random.Random(length), complete, state, length - 1)
        state = play(room, state, PlanStep(action.tool, encode_arguments(action)))
        assert search.has_reached(state, length)


def build_timed_room() -> Chamber:
    """Two ways to the panel on the right: the short one goes through a hatch.

    The panel on the left is in a hall of its own, and a bridge fills the cell before it.
    """
    flat = (
        "########",
        "########",
        "##.....o",
        "##.....#",
        "########",
        "o......#",
        "########",
    )
    solid = ("########",) * len(flat)
    return Chamber(
        layers=(solid, flat, solid),
        agent=Colour("green"),
        start=(2, 2, 1),
        exit=(6, 5, 1),
        buttons=(
            Button("hatch opener", (4, 3, 1), 2),
            Button("bridge builder", (5, 3, 1), 6),
            Button("clock", (6, 3, 1), 12),
            Button("second clock", (3, 3, 1), 9),
        ),
        doors=(Door("hatch", (4, 2, 1), ("hatch opener",)),),
        bridges=(Emitter((1, 6, 1), Direction.MINUS_Y, ("bridge builder",)),),
    )


@pytest.mark.parametrize("gate", ["orange", "blue"])
def test_search_finds_who_comes_to_a_gate_when_the_bridge_behind_it_ends(gate: str) -> None:
    """From another cell with the same timers the gate is reached too early, through the hatch.

    One tick later the hatch is closed. Only who waits before the gate comes through it as early.
    """
    room = read_room(document_of(level_of(build_timed_room())))
    left, right = ((0, 5, 1), "+x"), ((7, 2, 1), "-x")
    gates = (right, left) if gate == "orange" else (left, right)
    start = room.make_state((2, 2, 1), (), gates, (2, 6, 12, 0))
    room = replace(room, start=start, exit=0)
    search, state = Search(room, join_zones(room), 1_000), start
    search.run(3)
    for step in (
        PlanStep("walk_to", {"cell": [2, 3, 1]}),
        PlanStep("press", {"cell": [3, 3, 1]}),
        PlanStep("enter", {"gate": gate}),
    ):
        state = play(room, state, step)
    assert room.get_coordinates(state.agent) == (1, 5, 1) and state.timers == (0, 0, 6, 4)
    assert count_complete_layers(search) == 3 and search.has_reached(state, 3)


def count_complete_layers(search: Search) -> int:
    """Return the number of actions up to which all states are found."""
    return len(search.layers) - (2 if search.effort < 0 else 1)


def assert_states_are_found(
    search: Search,
    room: Room,
    rng: random.Random,
    depth: int,
    state: State | None = None,
    length: int = 0,
) -> None:
    """Play random actions up to a depth, from a state that is so many actions away."""
    state, zones = state or room.make_initial(), search.zones
    while length < depth and state.agent != room.exit:
        before = zones.ahead[zones.numbers[state.agent]]
        try:
            state = play(room, state, draw_step(rng, room, state))
        except IllegalAction:
            length += 1
            continue
        if not zones.ahead[zones.numbers[state.agent]] <= before:
            return
        length += 1
        assert search.has_reached(state, length)


@pytest.mark.parametrize("name", [n for n in MAKERS if n not in ("timer",)])
def test_brute_force_finds_no_shorter_plan_in_a_module(name: str) -> None:
    chamber = build([draw_module(name, 0)]).chamber
    found = search(chamber)
    assert found.plan is not None
    room = read_room(document_of(level_of(chamber)))
    assert find_shortest(room, len(found.plan), 400)[1] >= min(len(found.plan), 3)


@pytest.mark.parametrize("one", by_day(load_chambers(), each=8, name=lambda one: one.level.id))
def test_mistakes_make_a_plan_fail_by_the_referees_rules_too(one: AskedChamber) -> None:
    """Each alone and all together; of short plans every selection."""
    room = read_room(document_of(one.level))
    for chosen in enumerate_subsets():
        if len(one.plan) > 12 and sum(chosen) not in (0, 1, COUNT):
            continue
        wrong = [m for m, is_made in zip(one.mistakes, chosen, strict=True) if is_made]
        assert leads_out(room, apply_mistakes(one.plan, wrong)) == (not wrong)


def leads_out(room: Room, plan: Sequence[Action]) -> bool:
    """Whether a plan ends in the exit, by the referee."""
    state = room.make_initial()
    for action in plan:
        try:
            state = play(room, state, PlanStep(action.tool, encode_arguments(action)))
        except IllegalAction:
            return False
    return state.agent == room.exit
