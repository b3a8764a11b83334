"""Folding step by step: poses, collisions, plans and goals, each against something independent."""

import json
from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from bridge.referee.nets.plates import read_sheets
from pysim.catalog import compute_content_hash, discover_families
from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.families.nets.folding import ArrowNet, fold, open_cube
from pysim.families.nets.joints import (
    FLAT,
    MOUNTAIN,
    VALLEY,
    Bends,
    build_tree,
    compute_poses,
    find_hinge_turn,
    find_obstacles,
    list_hanging,
)
from pysim.families.nets.planner import find_folding_order, find_turns
from pysim.families.nets.plates import PLATE
from pysim.families.nets.puzzle import FlatNet, NetPuzzle, Plate
from pysim.families.nets.shapes import list_net_shapes
from pysim.families.nets.state import NetsState, NetState, find_cube
from pysim.field_types import QuarterTurns
from pysim.geometry import Axis, Sectors, add, list_rotations, make_quarter_turn
from pysim.physics.factory import create_world
from pysim.puzzle import (
    ActionError,
    IllegalMove,
    InvalidAction,
    Level,
    Outcome,
    Proof,
    Reason,
    Source,
    Tier,
)
from pysim.render.palette import PALETTE
from pysim.scene import Colour
from pysim.simple_family import find_shortest_plan
from pysim.suites import find_suite, load_levels
from tests.families.nets.strategies import NETS
from tests.needs import usable_worlds
from tests.sampling import by_day, more
from tools.build_nets import level_files
from tools.floor_facts import carried

FAMILY = discover_families()["nets"]
RULES = FAMILY.rules
NAMES = [Colour(name) for name in ("pink", "mint", "lavender", "peach", "sky", "lilac")]
LEVELS = list(load_levels(find_suite("nets-33")))
BENDS = [(0, *bends) for bends in product((-1, 0, 1), repeat=5)]


def held_by(net: ArrowNet, first: int = 0) -> FlatNet:
    squares = [net.shape[first], *(s for k, s in enumerate(net.shape) if k != first)]
    plates = (Plate(n, s, net.get_arrow(s)) for n, s in zip(NAMES, squares, strict=True))
    return FlatNet(tuple(plates))


def level_of(puzzle: NetPuzzle) -> Level[NetPuzzle]:
    return Level(
        "nets-test", "nets", "Test", Tier.EASY, 60, puzzle, puzzle.colours, None,
        Source("test", "test"), compute_content_hash(FAMILY, puzzle, 60),
    )  # fmt: skip


def wanted(flat: FlatNet, rotation: int = 0) -> NetPuzzle:
    cube = find_cube(flat, NetState((0, *(MOUNTAIN,) * 5), list_rotations()[rotation]))
    assert cube is not None
    return NetPuzzle((flat,), cube.view)


def is_free(flat: FlatNet, bends: Bends) -> bool:
    """Whether no two plates are in one place."""
    return len({pose.offset for pose in compute_poses(flat.tree, bends)}) == 6


@given(NETS, st.integers(0, 5))
def test_a_net_that_is_folded_step_by_step_is_the_cube_that_it_folds_into(
    net: ArrowNet, first: int
) -> None:
    flat = held_by(net, first)
    shown = find_cube(flat, NetState((0, *(MOUNTAIN,) * 5)))
    assert shown is not None and shown.is_same(fold(net))
    assert flat.net == net
    assert find_cube(flat, NetState((0, *(MOUNTAIN,) * 4, 0))) is None


@pytest.mark.parametrize("shape", by_day(range(11)))
def test_folds_are_blocked_exactly_where_rigid_plates_meet(shape: int) -> None:
    """Against plates that are turned in small steps, told apart by separating axes."""
    rng = Random(shape)
    net = open_cube(fold(LEVELS[0].puzzle.nets[0].net), list_net_shapes()[shape])
    flat = held_by(net, rng.randrange(6))
    (sheet,) = read_sheets({"puzzle": FAMILY.write(wanted(flat))})
    tried = blocked = 0
    for bends in rng.sample(BENDS, more(10, night=20)):
        if not is_free(flat, bends):
            continue
        here = sheet
        for plate in range(1, 6):
            here = here.set_bend(plate, bends[plate])
        for plate, by in product(range(1, 6), (1, -1)):
            if abs(bends[plate] + by) > 1:
                continue
            hit = find_obstacles(flat.tree, bends, plate, by)
            assert sorted(NAMES[k] for k in hit) == sorted(here.find_blockers(plate, by))
            tried += 1
            blocked += bool(hit)
    assert tried > 20


@pytest.mark.by_day(5)
@pytest.mark.parametrize("shape", range(11))
def test_both_worlds_do_what_the_rules_say_on_every_shape(shape: int) -> None:
    rng = Random(f"worlds {shape}")
    level = LEVELS[shape]
    state = RULES.initial(level)
    worlds = [create_world(name) for name in usable_worlds()]
    for world in worlds:
        world.reset(RULES.scene(level, state))
    flaps = level.colours[1:]
    for _ in range(25):
        action = rng.choice(
            [Fold(rng.choice(flaps), rng.choice(list(Crease))), Unfold(rng.choice(flaps))]
        )
        try:
            done = RULES.apply(level, state, action)
        except IllegalMove as error:
            for world in worlds if error.attempt else ():
                report = world.execute(error.attempt)
                assert not report.completed and report.contacts == set(error.culprits)
            continue
        state = done.state
        for world in worlds:
            assert world.execute(done.motions).completed
            for body in RULES.scene(level, state).bodies:
                found = world.transforms()[body.name]
                assert np.allclose(found, body.pose.transform(), atol=1e-6)
    for world in worlds:
        world.close()


def folded_all(level: Level[NetPuzzle], order: tuple[int, ...], way: Crease) -> NetsState:
    state = RULES.initial(level)
    for plate in order:
        name = level.puzzle.nets[0].plates[plate].name
        state = RULES.apply(level, state, Fold(name, way)).state
    return state


def test_a_cube_with_its_arrows_inside_is_no_solution() -> None:
    level = level_of(wanted(held_by(LEVELS[0].puzzle.nets[0].net)))
    order = find_folding_order(level.puzzle.nets[0].tree)
    assert RULES.outcome(level, folded_all(level, order, Crease.MOUNTAIN)) is Outcome.SOLVED
    inside_out = folded_all(level, order, Crease.VALLEY)
    assert RULES.outcome(level, inside_out) is None
    assert find_cube(level.puzzle.nets[0], inside_out.nets[0]) is None


def test_a_cube_that_lies_otherwise_is_no_solution() -> None:
    flat = held_by(LEVELS[0].puzzle.nets[0].net)
    level = level_of(wanted(flat))
    state = folded_all(level, find_folding_order(flat.tree), Crease.MOUNTAIN)
    held = flat.plates[0].name
    solved = 0
    for rotation in list_rotations():
        turned = state
        for axis, quarters in find_turns(rotation):
            turned = RULES.apply(level, turned, TurnNet(held, axis, QuarterTurns(quarters))).state
        assert turned.nets[0].rotation == rotation
        solved += RULES.outcome(level, turned) is Outcome.SOLVED
    assert solved == 1


@pytest.mark.parametrize(
    ("action", "reason", "words"),
    [
        (Fold(Colour("teal"), Crease.MOUNTAIN), Reason.UNKNOWN_COLOUR, "no face teal"),
        (Fold(Colour("pink"), Crease.MOUNTAIN), Reason.NO_EFFECT, "held by pink"),
        (Unfold(Colour("mint")), Reason.NO_EFFECT, "is flat already"),
        (TurnNet(Colour("teal"), Axis.X), Reason.UNKNOWN_COLOUR, "no face teal"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(
    action: Fold | Unfold | TurnNet, reason: Reason, words: str
) -> None:
    level = level_of(wanted(held_by(LEVELS[0].puzzle.nets[0].net)))
    with pytest.raises(ActionError, match=words) as refused:
        RULES.apply(level, RULES.initial(level), action)
    assert refused.value.reason is reason
    assert isinstance(refused.value, InvalidAction) == (reason is Reason.UNKNOWN_COLOUR)


def test_a_hinge_is_folded_once() -> None:
    level = level_of(wanted(held_by(LEVELS[0].puzzle.nets[0].net)))
    state = RULES.apply(level, RULES.initial(level), Fold(NAMES[1], Crease.VALLEY)).state
    with pytest.raises(IllegalMove, match="unfold it first"):
        RULES.apply(level, state, Fold(NAMES[1], Crease.MOUNTAIN))
    assert RULES.apply(level, state, Unfold(NAMES[1])).state == RULES.initial(level)


@given(NETS, st.integers(0, 5), st.lists(st.tuples(st.integers(1, 5), st.sampled_from(Crease))))
@settings(max_examples=30)
def test_unfolding_undoes_a_fold(
    net: ArrowNet, first: int, tries: list[tuple[int, Crease]]
) -> None:
    level = level_of(wanted(held_by(net, first)))
    state = RULES.initial(level)
    for plate, way in tries:
        try:
            after = RULES.apply(level, state, Fold(NAMES[plate], way)).state
        except IllegalMove:
            continue
        assert RULES.apply(level, after, Unfold(NAMES[plate])).state == state
        state = after


def test_24_rotations_take_two_turns_at_most() -> None:
    counts = sorted(len(find_turns(rotation)) for rotation in list_rotations())
    assert counts == [0] + [1] * 9 + [2] * 14
    for rotation in list_rotations():
        found = list_rotations()[0]
        for axis, quarters in find_turns(rotation):
            found = make_quarter_turn(axis, quarters).compose(found)
        assert found == rotation


@pytest.mark.parametrize("shape", range(11))
def test_every_net_can_be_folded_whichever_face_holds_it(shape: int) -> None:
    cube = fold(LEVELS[0].puzzle.nets[0].net)
    for first in range(6):
        flat = held_by(open_cube(cube, list_net_shapes()[shape]), first)
        assert sorted(find_folding_order(flat.tree)) == [1, 2, 3, 4, 5]


@pytest.mark.slow
@pytest.mark.parametrize("number", [8, 0])
def test_no_plan_is_shorter_than_the_planners(number: int) -> None:
    """Against a search of all states, breadth first."""
    level = LEVELS[number]
    found = find_shortest_plan(RULES, level)
    assert found is not None and level.plan is not None
    assert len(found) == len(level.plan) and level.plan.proof is Proof.OPTIMAL


def test_the_suite_has_each_shape_in_each_tier() -> None:
    shapes = [level.puzzle.nets[0].net.shape for level in LEVELS]
    assert shapes == list(list_net_shapes()) * 3
    assert [level.tier for level in LEVELS] == [tier for tier in list(Tier)[:3] for _ in range(11)]
    for level in LEVELS:
        assert len(level.puzzle.nets) == (2 if level.tier is Tier.HARD else 1)
        assert level.facts["turns"] in {Tier.EASY: (0, 1)}.get(level.tier, (2,))
        assert set(level.colours) <= set(PALETTE)


def test_the_levels_that_ship_are_those_that_the_generator_makes() -> None:
    for path, text in level_files():
        assert path.read_text(encoding="utf-8") == carried(path, text), path.name


def spoilt(document: dict[str, object]) -> Iterator[tuple[object, str]]:
    """Documents that are nearly right, and what is said of them."""
    text = json.dumps(document)

    def but(change: str) -> dict[str, object]:
        copy: dict[str, object] = json.loads(text)
        exec(change, {"d": copy})
        return copy

    yield but("d['nets'][0].pop()"), "6 squares"
    yield but("d['target'] = None"), "one net and a target"
    yield but("d['target'].pop('top')"), "a target has the faces"
    yield but("d['target']['top']['towards'] = 'bottom'"), "has an arrow towards"
    yield but("d['target']['top']['colour'] = d['target']['front']['colour']"), "from no side"


def test_documents_that_make_no_sense_are_refused() -> None:
    document = FAMILY.write(LEVELS[0].puzzle)
    assert FAMILY.read(document) == LEVELS[0].puzzle
    for wrong, said in spoilt(document):
        with pytest.raises(ValueError, match=said):
            FAMILY.read(wrong)  # type: ignore[arg-type]


def test_nets_of_unlike_cubes_are_refused() -> None:
    document = FAMILY.write(LEVELS[22].puzzle)
    document["nets"][1][0]["arrow"] = next(  # type: ignore[index]
        way
        for way in ("up", "down")
        if way != document["nets"][1][0]["arrow"]  # type: ignore[index]
    )
    with pytest.raises(ValueError, match="unlike cubes"):
        FAMILY.read(document)


def test_the_goal_shows_three_faces_and_no_more() -> None:
    for level in LEVELS[:22]:
        goal = RULES.goal_scene(level)
        assert goal is not None and len(goal.bodies) == 3
        colours = {body.stickers[0].colour for body in goal.bodies}
        assert colours == {arrow.colour for arrow in level.puzzle.target}
    assert RULES.goal_scene(LEVELS[22]) is None


@given(
    st.permutations([(x, y) for x in range(3) for y in range(3)]),
    st.lists(st.sampled_from((VALLEY, FLAT, MOUNTAIN)), min_size=9, max_size=9),
    st.integers(1, 8),
)
def test_obstacles_of_a_fold_are_plates_with_a_cell_that_is_swept(
    squares: list[tuple[int, int]], bent: list[int], plate: int
) -> None:
    """Nine squares, which fold into each other as a net of a cube never does."""
    tree, bends = build_tree(tuple(squares)), (FLAT, *bent[1:])
    there, moving, hinge = compute_poses(tree, bends), list_hanging(tree, plate), tree[plate]
    parent = there[hinge.parent]
    axis, sense = find_hinge_turn(parent, hinge)
    centre = add(parent.offset, parent.rotation.apply(hinge.place))
    for by in (-1, 1):
        cells = [cell for k in moving for cell in there[k].place(PLATE).cells]
        passed = Sectors(axis, centre, cells, by * sense % 4)
        others = (k for k in range(len(tree)) if k not in moving)
        met = tuple(k for k in others if any(map(passed.overlaps, there[k].place(PLATE).cells)))
        assert find_obstacles(tree, bends, plate, by) == met
        event(f"{bool(met)}")
