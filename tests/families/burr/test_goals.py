"""When a lock is solved, and how free pieces are brought in and turned."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from pysim.catalog import find_family, find_level, list_shipped_levels
from pysim.families.burr.actions import Bring, Rotate, Slide
from pysim.families.burr.lock import Goal
from pysim.families.burr.state import Held, LockState, Loose
from pysim.field_types import OUT, QuarterTurns
from pysim.geometry import IDENTITY, Axis, Cell, Direction, Pose, Rotation, add, list_rotations
from pysim.geometry.resting import is_stable
from pysim.physics.requests import check_scene
from pysim.puzzle import IllegalMove, InvalidAction, Outcome, Reason
from pysim.scene import Colour
from tests.families.burr.locks import LockLevel, drawn, level_of, random_lock
from tests.families.burr.walks import walk

CUBE = (["##/##", "##/##"], (0, 0, 0))
CUBE_AT = (["##/##", "##/##"], (0, 3, 0))
PAIR = ((["##"], (0, 0, 0)), (["##"], (0, 1, 0)), (["#"], (2, 0, 0)))
"""Two equal bars and a cube beside one of them."""


def start(level: LockLevel) -> LockState:
    return find_family(level).rules.initial(level)  # type: ignore[no-any-return]


def after(level: LockLevel, *actions: Slide | Bring | Rotate) -> LockState:
    state = start(level)
    for action in actions:
        state = find_family(level).rules.apply(level, state, action).state
    return state


def is_solved(level: LockLevel, state: LockState) -> bool:
    return find_family(level).rules.outcome(level, state) is Outcome.SOLVED


def bring(
    level: LockLevel, piece: int, cell: Cell, way: str = "-z", turned: Rotation = IDENTITY
) -> Bring:
    return Bring(level.colours[piece], turned, cell, Direction(way))


def test_the_key_goal_is_met_as_soon_as_one_piece_is_free() -> None:
    level = find_level("burr-piston-key")
    assert level.plan is not None
    *before, last = level.plan.actions
    state = after(level, *before)
    assert not is_solved(level, state)
    state = find_family(level).rules.apply(level, state, last).state
    assert sum(isinstance(place, Loose) for place in state.places) == 1
    assert is_solved(level, state)


def test_taking_apart_asks_for_every_piece() -> None:
    level = drawn(Goal.DISASSEMBLE, *PAIR)
    _, blue, yellow = level.colours
    one = after(level, Slide((yellow,), Direction.PLUS_Z, OUT))
    assert not is_solved(level, one)
    assert is_solved(
        level,
        after(
            level, Slide((yellow,), Direction.PLUS_Z, OUT), Slide((blue,), Direction.PLUS_Y, OUT)
        ),
    )


def test_assembling_starts_from_pieces_that_rest_on_the_table() -> None:
    for level in list_shipped_levels():
        if level.family == "burr" and level.puzzle.goal is Goal.ASSEMBLE:
            for place, piece in zip(start(level).places, level.puzzle.pieces, strict=True):
                assert isinstance(place, Loose) and is_stable(piece.shape, place.rotation)


def test_assembled_anywhere_in_the_room_counts() -> None:
    level = drawn(Goal.ASSEMBLE, *PAIR)
    for shift in [(0, 0, 0), (1, -1, 0), (-1, 0, 1)]:
        cells = [add(cell, shift) for cell in [(0, 0, 0), (0, 1, 0), (2, 0, 0)]]
        steps = [bring(level, i, cell) for i, cell in enumerate(cells)]
        assert not is_solved(level, after(level, *steps[:2]))
        assert is_solved(level, after(level, *steps)), shift


def test_equal_pieces_may_change_places_and_unequal_ones_may_not() -> None:
    level = drawn(Goal.ASSEMBLE, *PAIR)
    swapped = [bring(level, 1, (0, 0, 0)), bring(level, 0, (0, 1, 0)), bring(level, 2, (2, 0, 0))]
    assert is_solved(level, after(level, *swapped))
    unequal = [bring(level, 0, (0, 0, 0)), bring(level, 1, (0, 1, 0)), bring(level, 2, (0, 2, 0))]
    assert not is_solved(level, after(level, *unequal))


def test_a_mirrored_assembly_in_space_is_not_the_goal() -> None:
    screw = ((["##"], (0, 0, 0)), (["#"], (0, 1, 0)), (["#"], (1, 0, 1)))
    level = drawn(Goal.ASSEMBLE, *screw)
    right = [bring(level, 0, (0, 0, 0)), bring(level, 1, (0, 1, 0)), bring(level, 2, (1, 0, 1))]
    mirrored = [bring(level, 0, (0, 0, 0)), bring(level, 1, (1, 1, 0)), bring(level, 2, (0, 0, 1))]
    assert is_solved(level, after(level, *right))
    assert not is_solved(level, after(level, *mirrored))


@pytest.mark.parametrize("turn", [r.name for r in list_rotations()])
def test_assembled_in_any_rotation_of_the_whole_counts(turn: str) -> None:
    level = find_level("burr-chinese-cross-assemble")
    lock, rotation = level.puzzle, Rotation.parse(turn)
    built = LockState(
        tuple(
            Held(0, Pose(rotation.compose(p.home.rotation), rotation.apply(p.home.offset)))
            for p in lock.pieces
        )
    )
    assert is_solved(level, built)
    first = built.places[0]
    assert isinstance(first, Held)
    off = built.replace_places({0: Held(0, first.pose.translate((0, 0, 1)))})
    assert not is_solved(level, off)


def test_pieces_on_two_benches_are_not_assembled() -> None:
    level = find_level("burr-chinese-cross-assemble")
    built = LockState(tuple(Held(0, p.home) for p in level.puzzle.pieces))
    assert is_solved(level, built)
    apart = built.replace_places({0: Held(1, level.puzzle.pieces[0].home)})
    assert not is_solved(level, apart)


def test_the_goal_is_shown_where_it_is_a_shape_and_nowhere_else() -> None:
    for goal in Goal:
        level = drawn(goal, *PAIR)
        scene = find_family(level).rules.goal_scene(level)
        assert (scene is not None) == (goal is Goal.ASSEMBLE)
        if scene is not None:
            assert {body.name for body in scene.bodies} == set(level.colours)


def test_bring_puts_the_low_corner_where_it_was_asked_for() -> None:
    level = drawn(Goal.ASSEMBLE, *PAIR)
    rules = find_family(level).rules
    for rotation in list_rotations():
        transition = rules.apply(level, start(level), bring(level, 0, (0, 1, 0), "+x", rotation))
        body = rules.scene(level, transition.state).find_body(level.colours[0])
        assert body.place().bounds.low == (0, 1, 0) and not body.loose
        assert body.pose.rotation == rotation and transition.travel == 1


def test_a_clear_way_in_is_needed_and_the_refusal_says_who_blocks_it() -> None:
    level = drawn(Goal.ASSEMBLE, (["###/#.#/###"], (0, 0, 0)), (["#"], (1, 1, 0)))
    rules = find_family(level).rules
    ring = after(level, bring(level, 0, (0, 0, 0)))
    for way in ("+x", "-x", "+y", "-y"):
        with pytest.raises(IllegalMove) as refused:
            rules.apply(level, ring, bring(level, 1, (1, 1, 0), way))
        assert refused.value.reason is Reason.BLOCKED
        assert refused.value.culprits == (level.colours[0],)
        assert refused.value.travel == 0 and len(refused.value.attempt) == 2
    for way in ("+z", "-z"):
        done = rules.apply(level, ring, bring(level, 1, (1, 1, 0), way))
        assert done.travel == 1 and is_solved(level, done.state)
    with pytest.raises(IllegalMove) as refused:
        rules.apply(level, ring, bring(level, 1, (0, 0, 0), "-z"))
    assert refused.value.reason is Reason.BLOCKED and refused.value.travel == 0


@pytest.mark.parametrize("cell", [(50, 0, 0), (0, -50, 0), (0, 0, 1000), (-1000, 0, 0)])
def test_bring_stays_within_the_workspace(cell: Cell) -> None:
    level = drawn(Goal.ASSEMBLE, *PAIR)
    with pytest.raises(IllegalMove) as refused:
        after(level, bring(level, 0, cell))
    assert refused.value.reason is Reason.OUT_OF_BOUNDS and not refused.value.attempt


def test_only_free_pieces_are_brought_or_turned() -> None:
    level = drawn(Goal.DISASSEMBLE, *PAIR)
    for action in (
        bring(level, 0, (0, 0, 0)),
        Rotate(level.colours[0], Axis.X, QuarterTurns(1)),
    ):
        with pytest.raises(IllegalMove) as refused:
            after(level, action)
        assert refused.value.reason is Reason.NOT_FREE
        assert refused.value.culprits == (level.colours[0],)


def test_unknown_colours_are_invalid_for_every_action() -> None:
    level = drawn(Goal.ASSEMBLE, *PAIR)
    nobody = Colour("nobody")
    for action in (
        Bring(nobody, IDENTITY, (0, 0, 0), Direction.PLUS_X),
        Rotate(nobody, Axis.X, QuarterTurns(1)),
        Slide((nobody,), Direction.PLUS_X, OUT),
    ):
        with pytest.raises(InvalidAction) as refused:
            after(level, action)
        assert refused.value.reason is Reason.UNKNOWN_COLOUR


def test_a_single_piece_that_is_held_goes_back_to_the_table() -> None:
    level = drawn(Goal.ASSEMBLE, *PAIR)
    state = after(level, bring(level, 0, (0, 0, 0)))
    slide = Slide((level.colours[0],), Direction.PLUS_X, OUT)
    assert slide in list(find_family(level).rules.legal(level, state))
    back = find_family(level).rules.apply(level, state, slide)
    assert back.state == start(level) and back.travel is None


def test_turning_follows_the_right_hand_and_four_turns_change_nothing() -> None:
    level = drawn(Goal.ASSEMBLE, CUBE, (["###"], (2, 0, 0)))
    bar = level.colours[1]
    turn = Rotate(bar, Axis.Z, QuarterTurns(1))
    state = after(level, turn)
    place = state.places[1]
    assert isinstance(place, Loose) and place.rotation.name == "+Y-X+Z"
    assert after(level, turn, turn, turn, turn) == start(level)
    assert after(level, Rotate(bar, Axis.Z, QuarterTurns(3)), turn) == start(level)


def test_a_piece_that_would_tip_over_is_not_turned() -> None:
    # An L of a long and a short arm lies and stands, but not on the tip of the long arm.
    level = drawn(
        Goal.ASSEMBLE, (["#####/#....", "#####/#....", "....#/....."], (0, 0, 0)), CUBE_AT
    )
    rules = find_family(level).rules
    counts: Counter[bool] = Counter()
    for axis in Axis:
        for turns in (1, 2, 3):
            action = Rotate(level.colours[0], axis, QuarterTurns(turns))
            try:
                state = rules.apply(level, start(level), action).state
            except IllegalMove as refusal:
                assert refusal.reason is Reason.UNSTABLE
                counts[False] += 1
                continue
            place = state.places[0]
            assert isinstance(place, Loose)
            assert is_stable(level.puzzle.pieces[0].shape, place.rotation)
            counts[True] += 1
    assert counts[True] and counts[False]


@pytest.mark.parametrize("seed", range(8))
def test_building_at_random_never_makes_bodies_overlap(seed: int) -> None:
    rng = random.Random(seed)
    level = level_of(random_lock(rng, Goal.ASSEMBLE, 3 + seed % 3))
    rules = find_family(level).rules
    state = start(level)
    for _ in range(12):
        legal = list(rules.legal(level, state))
        assert len(set(legal)) == len(legal)
        transitions = [rules.apply(level, state, action) for action in legal]
        state = rng.choice(transitions).state
        check_scene(rules.scene(level, state))


@pytest.mark.parametrize("seed", range(4))
def test_listed_are_just_the_ways_in_that_are_accepted(seed: int) -> None:
    rng = random.Random(seed)
    level = level_of(random_lock(rng, Goal.ASSEMBLE, 3, (4, 3, 2)))
    rules = find_family(level).rules
    state = start(level)
    for step in [(1, 0, 0), (-1, 1, 0), (0, -1, -1)]:
        listed = [action for action in rules.legal(level, state) if isinstance(action, Bring)]
        every = list(ways_in(level, state))
        assert listed == [action for action in every if is_accepted(level, state, action)]
        brought = rules.apply(level, state, rng.choice(listed)).state
        state = with_all_aside(brought, step)


def ways_in(level: LockLevel, state: LockState) -> Iterator[Bring]:
    """Each free piece in each of its shapes, anywhere in the target's block, from every side."""
    low, high = level.puzzle.bounds.low, level.puzzle.bounds.high
    across, deep, tall = (range(a, b + 1) for a, b in zip(low, high, strict=True))
    for piece, place in zip(level.puzzle.pieces, state.places, strict=True):
        shapes = {piece.shape.rotate(r).move_to_origin(): r for r in reversed(list_rotations())}
        turned = sorted(((r, v) for v, r in shapes.items()), key=lambda one: one[0].index)
        for rotation, shape in turned if isinstance(place, Loose) else ():
            for cell in product(across, deep, tall):
                if level.puzzle.bounds.has_block(shape.translate(cell).bounds):
                    for direction in Direction:
                        yield Bring(piece.colour, rotation, cell, direction)


def is_accepted(level: LockLevel, state: LockState, action: Bring) -> bool:
    try:
        find_family(level).rules.apply(level, state, action)
    except IllegalMove:
        return False
    return True


def with_all_aside(state: LockState, step: Cell) -> LockState:
    """The state with what is held elsewhere, so that some of it is outside the target's block."""
    held = {i: p.pose for i, p in enumerate(state.places) if isinstance(p, Held)}
    return state.replace_places({i: Held(0, pose.translate(step)) for i, pose in held.items()})


@pytest.mark.parametrize("goal", list(Goal))
def test_the_task_says_what_is_to_be_done_and_names_every_piece(goal: Goal) -> None:
    level = drawn(goal, *PAIR)
    text = find_family(level).rules.instruction(level)
    assert all(colour in text for colour in level.colours)
    low, high = level.puzzle.workspace.room.low, level.puzzle.workspace.room.high
    assert f"x {low[0]}..{high[0]}" in text and f"z {low[2]}..{high[2]}" in text
    others = [find_family(level).rules.instruction(drawn(g, *PAIR)) for g in Goal if g is not goal]
    assert text not in others


def test_the_state_in_words_covers_exactly_the_cells_of_the_pieces() -> None:
    level = find_level("burr-six-way-set")
    rules = find_family(level).rules
    for play in walk(level, 1, 25):
        lines = rules.describe(level, play.state).splitlines()
        for line, body in zip(lines, play.scene.bodies, strict=True):
            name, rest = line.split(": ", 1)
            cells: set[Cell] = set()
            for block in rest.split("cells ")[1].split():
                spans = [
                    range(int(span.split("..")[0]), int(span.split("..")[-1]) + 1)
                    for span in block.strip("()").split(",")
                ]
                cells |= {(x, y, z) for x in spans[0] for y in spans[1] for z in spans[2]}
            assert name == body.name and cells == body.place().cell_set


def test_no_two_places_of_a_piece_are_written_alike() -> None:
    poses = [Pose(r, cell) for r in list_rotations() for cell in [(0, 0, 0), (1, 0, 0), (0, 0, -1)]]
    places = [Held(bench, pose) for bench in (0, 1, 10) for pose in poses]
    states = [LockState((place,)) for place in (*places, *map(Loose, list_rotations()))]
    encode = find_family(find_level("burr-piston")).rules.encode
    assert len({encode(state) for state in states}) == len(states)
