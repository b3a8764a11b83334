"""What chambers allow, what they refuse, and what never changes."""

import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.referee.portal.judging import find_shortest
from bridge.referee.portal.room import read_room
from pysim.catalog import encode_level
from pysim.families.portal.actions import (
    ChamberReason,
    Drop,
    Enter,
    FloorWay,
    Gate,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.families.portal.chamber import (
    Button,
    Chamber,
    Door,
    Emitter,
    MovableBox,
    Pad,
    Receiver,
    Surface,
)
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.flight import simulate_flight
from pysim.families.portal.gates import find_sight_doors, rotate_through
from pysim.families.portal.planner import is_dead_end, plan_for, search
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState, start_of
from pysim.field_types import Steps
from pysim.geometry import Axis, Cell, Direction, add, scale
from pysim.physics.factory import create_world
from pysim.puzzle import Action, IllegalMove, InvalidAction, Level, Outcome, Reason
from pysim.scene import Colour
from pysim.suites import find_suite, load_levels
from tests.families.portal.rooms import level_of, room
from tests.sampling import by_day

RULES = PortalRules()
LEVELS: list[Level[Chamber]] = list(load_levels(find_suite("portal-16")))
RED = Colour("red")
GAP = {(x, y, z): "~" if z == 3 else "." for x in (3, 4, 5) for y in (1, 2, 3) for z in (3, 4)}
PIT = {(2, 2, z): "." for z in range(1, 5)} | {(2, 2, 0): "o", (0, 2, 9): "o"}
SURFACES = st.builds(
    Surface, st.tuples(*[st.integers(-3, 3)] * 3), st.sampled_from(list(Direction))
)


def played(chamber: Chamber, *actions: Action) -> ChamberState:
    level = level_of(chamber)
    state = RULES.initial(level)
    for action in actions:
        state = RULES.apply(level, state, action).state
    return state


def refused(chamber: Chamber, *actions: Action) -> str:
    """Why the last one is refused."""
    state = played(chamber, *actions[:-1])
    with pytest.raises(IllegalMove) as error:
        RULES.apply(level_of(chamber), state, actions[-1])
    return error.value.reason


def size(vector: Cell) -> int:
    return sum(v * v for v in vector)


@given(SURFACES, SURFACES, st.tuples(*[st.integers(-8, 8)] * 3))
def test_gates_keep_speed_and_the_way_back_undoes_the_way_there(
    one: Surface, two: Surface, vector: Cell
) -> None:
    there = rotate_through(one, two, vector)
    assert size(there) == size(vector)
    assert scale(rotate_through(two, one, scale(there, -1)), -1) == vector


@given(SURFACES, SURFACES)
def test_what_goes_into_a_gate_comes_straight_out_of_the_other_one(
    one: Surface, two: Surface
) -> None:
    assert rotate_through(one, two, one.side.opposite.vector) == two.side.vector


@given(SURFACES, SURFACES)
def test_gates_turn_and_never_mirror(one: Surface, two: Surface) -> None:
    """Left stays left: a turning has the determinant 1, and a mirror image -1."""
    rows = [rotate_through(one, two, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert round(np.linalg.det(rows)) == 1
    if Axis.Z not in (one.side.axis, two.side.axis):
        assert rotate_through(one, two, (0, 0, 1)) == (0, 0, 1)


def test_a_fall_becomes_a_fling() -> None:
    chamber = room(GAP | PIT)
    gates = (
        PlaceGate(Gate.ORANGE, (2, 2, 0), Direction.PLUS_Z),
        PlaceGate(Gate.BLUE, (0, 2, 9), Direction.PLUS_X),
    )
    level = level_of(chamber)
    state = played(chamber, *gates, WalkTo((2, 2, 5)))
    assert state.agent == (6, 2, 5)
    assert RULES.outcome(level, state) is Outcome.SOLVED
    assert refused(chamber, WalkTo((3, 2, 5))) is Reason.UNREACHABLE
    assert refused(chamber, Jump(FloorWay.PLUS_X)) is ChamberReason.DEADLY


TALL = room(PIT | {(0, y, z): "o" for y in (1, 2, 3) for z in (6, 8)} | {(7, 2, 9): "o"})


@given(
    st.sampled_from([c for c in sorted(TALL.free) if c[2] > 4]),
    st.tuples(st.integers(-8, 8), st.integers(-8, 8), st.integers(-8, 8)),
    st.permutations(TALL.surfaces),
)
def test_energy_grows_by_gravity_alone(
    cell: Cell, speed: Cell, surfaces: Sequence[Surface]
) -> None:
    """Tick by tick: gravity takes 1 from the upward speed, and nothing else makes a body faster."""
    state = ChamberState(cell, (), surfaces[0], surfaces[1], ())
    try:
        flight = simulate_flight(TALL, state, None, speed)
    except IllegalMove as error:
        assert error.reason is Reason.UNSTABLE
        return
    for now in flight.speeds:
        assert size(now) <= size(speed) - 2 * speed[2] + 1
        speed = now


@given(
    st.sampled_from([c for c in sorted(TALL.free) if c[2] > 4]),
    st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(-4, 8)),
)
def test_nothing_gets_higher_than_its_energy_lets_it(cell: Cell, speed: Cell) -> None:
    """Speed squared less the upward speed, and twice the height: free flight keeps their sum."""
    flight = simulate_flight(TALL, ChamberState(cell, (), None, None, ()), None, speed)
    energy = size(speed) - speed[2] + 2 * cell[2]
    assert all(2 * passed[2] <= energy for passed in flight.path)


@pytest.mark.parametrize(("vx", "height"), list(product((0, 1, 3, 5), (4, 7, 10))))
def test_a_flight_is_the_parabola_of_bullet_within_half_a_cell(vx: int, height: int) -> None:
    """Cells per tick and gravity 1; a body that is let go has fallen (t + t²) / 2 after t ticks."""
    pybullet = pytest.importorskip("pybullet", reason="NOT TESTED: no PyBullet")
    width = 24
    solid, free = "#" * width, "#" + "." * (width - 2) + "#"
    layers = ((solid,) * 3, *((solid, free, solid),) * 14, (solid,) * 3)
    chamber = Chamber(layers, Colour("green"), (1, 1, 1), (2, 1, 1))
    state = ChamberState((1, 1, height), (), None, None, ())
    lattice = [(1, height)]
    speed: Cell = (vx, 0, 0)
    client = pybullet.connect(pybullet.DIRECT)
    try:
        pybullet.setGravity(0, 0, -1, physicsClientId=client)
        pybullet.setTimeStep(1 / 240, physicsClientId=client)
        ball = pybullet.createMultiBody(
            1,
            pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=0.1, physicsClientId=client),
            basePosition=(1, 1, height),
            physicsClientId=client,
        )
        pybullet.changeDynamics(ball, -1, linearDamping=0, physicsClientId=client)
        pybullet.resetBaseVelocity(ball, (vx, 0, -0.5), physicsClientId=client)
        flight = simulate_flight(chamber, state, None, speed)
        for tick in range(1, len(flight.speeds) + 1):
            x, z = 1 + vx * tick, height - tick * (tick + 1) // 2
            if z < 1 or x > width - 2:
                break
            lattice.append((x, z))
            for _ in range(240):
                pybullet.stepSimulation(physicsClientId=client)
            (px, _, pz), _ = pybullet.getBasePositionAndOrientation(ball, physicsClientId=client)
            assert abs(px - x) <= 0.5 and abs(pz - z) <= 0.5
    finally:
        pybullet.disconnect(client)
    assert len(lattice) > 1 and all((x, 1, z) in flight.path for x, z in lattice)


def test_boxes_weigh_buttons_down_and_doors_close_behind_them() -> None:
    wall = {(4, y, z): "#" for y in (1, 3) for z in range(5, 10)}
    wall |= {(4, 2, z): "#" for z in range(6, 10)}
    chamber = room(
        wall,
        boxes=(MovableBox(RED, (2, 1, 5)),),
        buttons=(Button("plate", (3, 3, 5)),),
        doors=(Door("hatch", (4, 2, 5), ("plate",)),),
    )
    assert refused(chamber, WalkTo((4, 2, 5))) is ChamberReason.DOOR_CLOSED
    assert refused(chamber, WalkTo((3, 3, 5)), WalkTo((6, 2, 5))) is ChamberReason.DOOR_CLOSED
    carried = (WalkTo((2, 2, 5)), PickUpBox(RED), WalkTo((3, 2, 5)), Drop((3, 3, 5)))
    assert played(chamber, *carried, WalkTo((6, 2, 5))).agent == chamber.exit
    assert refused(chamber, *carried[:2], PickUpBox(RED)) is Reason.NOT_FREE
    with pytest.raises(InvalidAction):
        played(chamber, PickUpBox(Colour("pink")))


def test_boxes_go_through_gates() -> None:
    chamber = room({(2, 1, 4): "o", (7, 3, 8): "o"}, boxes=(MovableBox(RED, (2, 3, 5)),))
    state = played(
        chamber,
        PlaceGate(Gate.ORANGE, (2, 1, 4), Direction.PLUS_Z),
        PlaceGate(Gate.BLUE, (7, 3, 8), Direction.MINUS_X),
        WalkTo((2, 2, 5)),
        PickUpBox(RED),
        Drop((2, 1, 5)),
    )
    assert state.boxes == ((4, 3, 5),)
    assert state.agent == (2, 2, 5)


def test_lasers_are_turned_by_boxes_and_led_by_gates() -> None:
    laser, receiver = Emitter((0, 1, 5), Direction.PLUS_X), Receiver("eye", (3, 4, 5))
    box = MovableBox(RED, (3, 1, 5), Direction.PLUS_Y)
    chamber = room({}, lasers=(laser,), receivers=(receiver,), boxes=(box,))
    assert compute_situation(chamber, start_of(chamber)).working == {"eye"}
    plain = room({}, lasers=(laser,), receivers=(receiver,), boxes=(MovableBox(RED, (3, 1, 5)),))
    assert not compute_situation(plain, start_of(plain)).working
    led = room({(7, 1, 5): "o", (3, 0, 5): "o"}, lasers=(laser,), receivers=(receiver,))
    state = played(
        led,
        PlaceGate(Gate.ORANGE, (7, 1, 5), Direction.MINUS_X),
        PlaceGate(Gate.BLUE, (3, 0, 5), Direction.PLUS_Y),
    )
    assert compute_situation(led, state).working == {"eye"}


def test_laser_that_goes_into_a_gate_does_not_hit_the_receiver_behind_it() -> None:
    chamber = room(
        {(7, 2, 5): "o", (0, 3, 5): "o"},
        lasers=(Emitter((0, 2, 5), Direction.PLUS_X),),
        receivers=(Receiver("eye", (7, 2, 5)),),
    )
    orange = PlaceGate(Gate.ORANGE, (7, 2, 5), Direction.MINUS_X)
    blue = PlaceGate(Gate.BLUE, (0, 3, 5), Direction.PLUS_X)
    assert compute_situation(chamber, played(chamber, orange)).working == {"eye"}
    assert compute_situation(chamber, played(chamber, orange, blue)).working == frozenset()


def test_bridges_hold_and_beams_carry() -> None:
    bridge = room(GAP, bridges=(Emitter((6, 2, 4), Direction.MINUS_X),))
    assert played(bridge, WalkTo((6, 2, 5))).agent == (6, 2, 5)
    beam = room(GAP, beams=(Emitter((0, 2, 5), Direction.PLUS_X),), start=(1, 1, 5))
    assert played(beam, WalkTo((1, 2, 5))).agent == (6, 2, 5)


def test_fields_erase_gates_and_stop_boxes() -> None:
    panels = {(0, 1, 5): "o", (0, 3, 5): "o"}
    chamber = room(
        panels, fields=((4, 1, 5), (4, 2, 5), (4, 3, 5)), boxes=(MovableBox(RED, (2, 2, 5)),)
    )
    gates = (
        PlaceGate(Gate.ORANGE, (0, 1, 5), Direction.PLUS_X),
        PlaceGate(Gate.BLUE, (0, 3, 5), Direction.PLUS_X),
    )
    state = played(chamber, *gates, WalkTo((6, 2, 5)))
    assert state.pair is None and state.orange is None
    assert refused(chamber, PickUpBox(RED), WalkTo((6, 2, 5))) is Reason.UNREACHABLE


def test_pads_throw() -> None:
    chamber = room(GAP, pads=(Pad((2, 2, 5), (2, 0, 2)),))
    assert played(chamber, WalkTo((2, 2, 5))).agent == (6, 2, 5)


def test_timed_buttons_run_out() -> None:
    wall = {(4, y, z): "#" for y in (1, 2, 3) for z in range(5, 10)} | {(4, 2, 5): "."}
    door = (Door("hatch", (4, 2, 5), ("clock",)),)
    for ticks, opens in ((4, True), (2, False)):
        chamber = room(wall, buttons=(Button("clock", (1, 2, 5), ticks),), doors=door)
        if opens:
            assert played(chamber, Press((1, 2, 5)), WalkTo((6, 2, 5))).agent == (6, 2, 5)
        else:
            why = refused(chamber, Press((1, 2, 5)), WalkTo((6, 2, 5)))
            assert why is ChamberReason.DOOR_CLOSED
    waited = played(chamber, Press((1, 2, 5)), Wait(Steps(1)))
    assert waited.timers == (1,)
    assert refused(chamber, Wait(Steps(1))) is Reason.NO_EFFECT


def test_refusals_say_why() -> None:
    chamber = room(GAP | {(7, 2, 5): "o", (3, 2, 2): "o"})
    assert refused(chamber, PlaceGate(Gate.ORANGE, (0, 2, 5), Direction.PLUS_X)) is (
        ChamberReason.NOT_PORTALABLE
    )
    assert refused(chamber, WalkTo((3, 2, 5))) is ChamberReason.DEADLY
    assert refused(chamber, WalkTo((6, 2, 5))) is Reason.UNREACHABLE
    assert refused(chamber, Enter(Gate.BLUE)) is Reason.NOT_FREE
    hidden = room({(3, y, z): "#" for y in (1, 2, 3) for z in range(5, 10)} | {(7, 2, 5): "o"})
    assert refused(hidden, PlaceGate(Gate.BLUE, (7, 2, 5), Direction.MINUS_X)) is (
        ChamberReason.NO_LINE_OF_SIGHT
    )


FLOOR = [(x, y, 5) for x in range(1, 7) for y in range(1, 4)]
PUDDLES = st.dictionaries(st.sampled_from(FLOOR[1:-1]), st.sampled_from("~#"), max_size=12)


@given(PUDDLES)
def test_walks_keep_out_of_puddles(signs: dict[Cell, str]) -> None:
    chamber = room(signs, start=FLOOR[0], exit=FLOOR[-1])
    dry = {cell for cell in FLOOR if cell not in signs}
    found = [FLOOR[0]]
    for x, y, z in found:
        beside = ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z))
        found.extend(cell for cell in beside if cell in dry and cell not in found)
    for cell in set(FLOOR) - {FLOOR[0]}:
        if cell in found:
            assert played(chamber, WalkTo(cell)).agent == cell
        else:
            wet = signs.get(cell) == "~" and any(
                abs(cell[0] - x) + abs(cell[1] - y) == 1 for x, y, _ in found
            )
            reason = refused(chamber, WalkTo(cell))
            assert reason is (ChamberReason.DEADLY if wet else Reason.UNREACHABLE)
    plan = plan_for(chamber)
    if chamber.exit in found:
        assert plan is not None and plan.actions == (WalkTo(chamber.exit),)
    elif plan is not None:
        assert any(isinstance(action, Jump) for action in plan.actions)
        assert played(chamber, *plan.actions).agent == chamber.exit
    judged = read_room(encode_level(level_of(chamber)))
    assert find_shortest(judged, 1, 10)[0] == (1 if chamber.exit in found else None)


def test_jump_into_what_is_overhead_is_as_going_there() -> None:
    wet = room({(1, 2, 6): "~"})
    assert refused(wet, Jump(FloorWay.PLUS_X)) is ChamberReason.DEADLY
    panels = {(0, 2, 5): "o", (1, 2, 4): "o"}
    gates = (
        PlaceGate(Gate.ORANGE, (0, 2, 5), Direction.PLUS_X),
        PlaceGate(Gate.BLUE, (7, 2, 5), Direction.MINUS_X),
    )
    ledge = room({(3, 2, 5): "#", (7, 2, 5): "o"} | panels, fields=((2, 2, 6),))
    after = played(ledge, *gates, WalkTo((2, 2, 5)), Jump(FloorWay.PLUS_X))
    assert (after.agent, after.pair) == ((3, 2, 6), None)


def test_gate_in_the_floor_without_room_behind_the_other_one_is_blocked() -> None:
    chamber = room({(3, 2, 4): "o", (7, 2, 5): "o"}, boxes=(MovableBox(RED, (6, 2, 5)),))
    gates = (
        PlaceGate(Gate.ORANGE, (3, 2, 4), Direction.PLUS_Z),
        PlaceGate(Gate.BLUE, (7, 2, 5), Direction.MINUS_X),
    )
    assert refused(chamber, *gates, Enter(Gate.ORANGE)) is Reason.BLOCKED
    stands = (*gates, WalkTo((3, 2, 5)))
    assert played(chamber, *stands).agent == (3, 2, 5)
    assert refused(chamber, *stands, Enter(Gate.ORANGE)) is Reason.BLOCKED


def test_endless_falls_are_refused() -> None:
    chamber = room({(3, 2, 4): "o", (3, 2, 10): "o"})
    gates = (
        PlaceGate(Gate.ORANGE, (3, 2, 4), Direction.PLUS_Z),
        PlaceGate(Gate.BLUE, (3, 2, 10), Direction.MINUS_Z),
    )
    assert refused(chamber, *gates, Enter(Gate.ORANGE)) is Reason.UNSTABLE


def test_sight_never_goes_through_walls() -> None:
    chamber = room(GAP | PIT)
    for surface in chamber.surfaces:
        assert find_sight_doors(chamber, surface.front, surface) == frozenset()
        assert (
            find_sight_doors(chamber, add(surface.cell, surface.side.opposite.vector), surface)
            is None
        )


@pytest.mark.parametrize("name", ["lattice", "bullet"])
@pytest.mark.parametrize("level", by_day(LEVELS, each=4, name=lambda level: level.id))
def test_plans_replay_in_both_worlds(level: Level[Chamber], name: str) -> None:
    world, state = create_world(name), RULES.initial(level)
    world.reset(RULES.scene(level, state))
    assert level.plan is not None
    for action in level.plan.actions:
        made = RULES.apply(level, state, action)
        assert world.execute(made.motions).completed
        state = made.state
    assert RULES.outcome(level, state) is Outcome.SOLVED
    world.close()


@pytest.mark.parametrize("level", LEVELS[:6], ids=lambda level: level.id)
def test_no_action_leaves_anything_in_a_solid_cell(level: Level[Chamber]) -> None:
    chamber = level.puzzle
    rng, state = random.Random(5), RULES.initial(level)
    for _ in range(12):
        actions = list(RULES.legal(level, state))
        if not actions:
            break
        state = RULES.apply(level, state, rng.choice(actions)).state
        now = compute_situation(chamber, state)
        bodies = [state.agent, *(cell for cell in state.boxes if cell is not None)]
        assert len(set(bodies)) == len(bodies)
        for cell in bodies:
            assert cell in chamber.free - chamber.liquid
            assert cell not in now.closed and cell not in now.bridge


def test_a_pit_without_gates_is_a_dead_end() -> None:
    chamber = room(GAP | PIT)
    assert is_dead_end(chamber, start_of(chamber)) is False
    assert is_dead_end(chamber, played(chamber, WalkTo((2, 2, 5)))) is True


def test_a_room_without_its_mechanic_has_no_plan() -> None:
    assert search(room(GAP | PIT)).plan is not None
    without = search(room(GAP | {(2, 2, z): "." for z in range(1, 5)}))
    assert without.plan is None and without.complete
