"""What may be put into the box and taken out, and how refusals are worded."""

import random

import pytest

from pysim.catalog import discover_families
from pysim.families.packing.actions import PickUp, Place, PlaceAt
from pysim.families.packing.grid import list_cells, list_spots, mask_of
from pysim.families.packing.state import PackingState
from pysim.families.packing.support import is_steady
from pysim.geometry import IDENTITY, Cell, Direction, Voxels, list_rotations, scale
from pysim.motion import Carry, Sweep
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Action, ActionError, IllegalMove, InvalidAction, Outcome, Reason
from pysim.scene import Colour
from tests.families.packing.puzzles import PackingLevel, after, drawn

RULES = discover_families()["packing"].rules
DOWN = Direction.MINUS_Z
RED, BLUE, GREEN, YELLOW = map(Colour, ("red", "blue", "green", "yellow"))

LEVEL = drawn((3, 2, 2), ["###/#.."], ["##", "##"], ["###/#.."])
"""A box of 12 cells; red and green are Ls of four cells, blue is a square that stands."""
SIDES = frozenset({Direction.PLUS_Z, Direction.PLUS_X})
OPEN = drawn((3, 1, 2), ["###"], ["###"], sides=SIDES)
FLOATING = drawn((3, 1, 2), ["###"], ["###"], gravity=False)
L_CELLS = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0))


def refused(level: PackingLevel, action: Action, *before: Action) -> ActionError:
    state = after(level, *before)
    with pytest.raises(ActionError) as error:
        RULES.apply(level, state, action)
    return error.value


def bar(z: int) -> tuple[Cell, ...]:
    return ((0, 0, z), (1, 0, z), (2, 0, z))


def test_a_piece_is_put_where_its_cells_are_named_in_any_order() -> None:
    state = after(LEVEL, Place(RED, L_CELLS))
    assert state == after(LEVEL, Place(RED, (*L_CELLS[::-1], L_CELLS[0])))
    body = RULES.scene(LEVEL, state).find_body(RED)
    assert body.place().cell_set == set(L_CELLS) and body.loose


def test_place_at_is_the_same_as_place_with_the_cells_that_follow() -> None:
    for rotation in list_rotations():
        shape = LEVEL.puzzle.pieces[0].shape
        turned = shape.rotate(rotation).move_to_origin()
        for corner in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)):
            by_corner = PlaceAt(RED, rotation, corner)
            by_cells = Place(RED, turned.translate(corner).cells)
            try:
                expected: object = RULES.apply(LEVEL, after(LEVEL), by_cells)
            except ActionError as error:
                found = refused(LEVEL, by_corner)
                assert (found.reason, found.message) == (error.reason, error.message)
            else:
                assert RULES.apply(LEVEL, after(LEVEL), by_corner) == expected


def test_a_placement_carries_the_piece_over_the_box_and_lowers_it() -> None:
    transition = RULES.apply(LEVEL, after(LEVEL), Place(RED, L_CELLS))
    carry, sweep = transition.motions
    assert isinstance(carry, Carry) and carry.loose
    assert sweep == Sweep(frozenset([RED]), DOWN, 2) and transition.travel == 2
    over = carry.path.apply(RULES.scene(LEVEL, after(LEVEL)).find_body(RED).pose).place(
        LEVEL.puzzle.pieces[0].shape
    )
    assert min(z for _, _, z in over.cells) == 2


def test_the_box_is_solved_when_every_cell_is_covered() -> None:
    actions: list[Action] = [
        Place(RED, L_CELLS),
        Place(BLUE, ((1, 1, 0), (2, 1, 0), (1, 1, 1), (2, 1, 1))),
    ]
    assert RULES.outcome(LEVEL, after(LEVEL, *actions)) is None
    plan = RULES.plan(LEVEL)
    assert plan is not None and len(plan) == plan.lower_bound == 3
    state = after(LEVEL, *plan.actions)
    assert RULES.outcome(LEVEL, state) is Outcome.SOLVED
    assert list(RULES.legal(LEVEL, state)) and state.filled == LEVEL.puzzle.full


@pytest.mark.parametrize(
    "cells",
    [
        ((0, 0, 0),),
        ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)),
        ((0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 1)),
        (*L_CELLS, (1, 1, 0)),
    ],
)
def test_cells_of_another_shape_are_refused_without_telling_the_piece_s_own(
    cells: tuple[Cell, ...],
) -> None:
    error = refused(LEVEL, Place(RED, cells))
    assert isinstance(error, InvalidAction) and error.reason is Reason.BAD_VALUE
    assert error.message == "red does not have the shape of these cells, however it is turned"


def test_a_mirror_image_is_another_shape() -> None:
    corner = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)])
    twin = Voxels.from_cells((-x, y, z) for x, y, z in corner.cells)
    level = drawn((2, 2, 2), corner.format(), corner.format())
    cells = twin.translate((1, 0, 0)).cells
    assert refused(level, Place(RED, cells)).reason is Reason.BAD_VALUE


def test_cells_outside_the_box_are_named() -> None:
    error = refused(LEVEL, PlaceAt(RED, IDENTITY, (1, 0, 0)))
    assert error.reason is Reason.OUT_OF_BOUNDS and "(3,0,0)" in error.message
    assert "(2,0,0)" not in error.message and isinstance(error, IllegalMove)
    for corner in ((0, 0, -1), (0, -1, 0), (0, 0, 2), (-999, 0, 0)):
        assert refused(LEVEL, PlaceAt(RED, IDENTITY, corner)).reason is Reason.OUT_OF_BOUNDS


def test_covered_cells_are_named_with_who_covers_them() -> None:
    square = Place(BLUE, ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)))
    error = refused(LEVEL, square, Place(RED, L_CELLS))
    assert error.reason is Reason.OVERLAP and error.culprits == (RED,)
    assert "(0,0,0) (1,0,0) (0,1,0)" in error.message and "(1,1,0)" not in error.message


def test_a_way_in_that_is_not_clear_is_refused_with_what_blocks_it() -> None:
    level = drawn((2, 2, 2), ["##/##"], ["#", "#"], ["##"], gravity=False)
    lid = Place(RED, ((0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)))
    error = refused(level, Place(GREEN, ((0, 0, 0), (1, 0, 0))), lid)
    assert isinstance(error, IllegalMove)
    assert error.reason is Reason.BLOCKED and error.culprits == (RED,) and error.travel == 0
    assert "(0,0,1) (1,0,1)" in error.message
    carry, sweep = error.attempt
    assert isinstance(carry, Carry) and isinstance(sweep, Sweep) and sweep.distance == 2


def test_a_blocked_piece_tells_how_far_it_could_go() -> None:
    level = drawn((1, 1, 4), ["#"], ["#"], ["#"], ["#"], gravity=False)
    error = refused(level, Place(RED, ((0, 0, 0),)), Place(BLUE, ((0, 0, 1),)))
    assert (error.travel, error.culprits) == (2, (BLUE,))
    nearer = (Place(BLUE, ((0, 0, 1),)), Place(GREEN, ((0, 0, 2),)))
    error = refused(level, Place(RED, ((0, 0, 0),)), *nearer)
    assert (error.travel, error.culprits) == (1, (GREEN,))


@pytest.mark.parametrize("direction", [d for d in Direction if d is not DOWN])
def test_nothing_comes_in_through_a_wall(direction: Direction) -> None:
    error = refused(LEVEL, Place(RED, L_CELLS, direction))
    assert error.reason is Reason.UNREACHABLE and "open: +z" in error.message


def test_a_level_may_open_other_sides() -> None:
    lower = Place(RED, bar(0))
    for direction in (DOWN, Direction.MINUS_X):
        transition = RULES.apply(OPEN, after(OPEN, lower), Place(BLUE, bar(1), direction))
        assert transition.travel == (1 if direction is DOWN else 3)
        sweep = transition.motions[1]
        assert isinstance(sweep, Sweep) and sweep.direction is direction
    under = after(OPEN, lower, Place(BLUE, bar(1)))
    out = RULES.apply(OPEN, under, PickUp(BLUE))
    assert isinstance(out.motions[0], Sweep) and out.motions[0].direction is Direction.PLUS_Z
    error = refused(OPEN, PickUp(RED), lower, Place(BLUE, bar(1)))
    assert error.reason is Reason.UNSTABLE and error.culprits == (BLUE,), "it could slide out"


def test_a_piece_in_the_air_is_refused_unless_gravity_is_off() -> None:
    error = refused(OPEN, Place(RED, bar(1)))
    assert error.reason is Reason.UNSTABLE and error.culprits == (RED,)
    assert not RULES.scene(FLOATING, after(FLOATING, Place(RED, bar(1)))).find_body(RED).loose


def test_a_piece_that_makes_another_one_tip_is_refused_with_its_name() -> None:
    level = drawn((4, 1, 3), ["##"], ["###"], ["##"], ["###"], ["##"])
    foot, beam = Place(RED, ((0, 0, 0), (1, 0, 0))), Place(BLUE, bar(1))
    error = refused(level, Place(GREEN, ((2, 0, 2), (3, 0, 2))), foot, beam)
    assert error.reason is Reason.UNSTABLE and error.culprits == (BLUE, GREEN)
    after(level, foot, beam, Place(GREEN, ((1, 0, 2), (2, 0, 2))))


def test_only_what_lies_free_is_picked_up_and_it_goes_back_to_its_own_place() -> None:
    start = after(OPEN)
    assert after(OPEN, Place(RED, bar(0)), PickUp(RED)) == start
    assert refused(OPEN, PickUp(RED)).reason is Reason.ALREADY_FREE
    assert refused(OPEN, Place(RED, bar(0)), Place(RED, bar(0))).reason is Reason.NOT_FREE
    transition = RULES.apply(OPEN, after(OPEN, Place(RED, bar(0))), PickUp(RED))
    sweep, carry = transition.motions
    assert isinstance(sweep, Sweep) and transition.travel == sweep.distance == 2
    assert isinstance(carry, Carry) and carry.bodies == {RED} and carry.loose
    assert isinstance(sweep, Sweep)
    inside = RULES.scene(OPEN, after(OPEN, Place(RED, bar(0)))).find_body(RED).pose
    out = inside.translate(scale(sweep.direction.vector, sweep.distance))
    assert carry.path.apply(out) == RULES.scene(OPEN, start).find_body(RED).pose


def test_a_piece_that_is_shut_in_tells_what_is_in_the_way() -> None:
    level = drawn((3, 1, 2), ["###"], ["###"])
    error = refused(level, PickUp(RED), Place(RED, bar(0)), Place(BLUE, bar(1)))
    assert isinstance(error, IllegalMove)
    assert error.reason is Reason.BLOCKED and error.culprits == (BLUE,) and error.travel == 0
    assert error.attempt == (Sweep(frozenset([RED]), Direction.PLUS_Z, 2),)
    assert "(0,0,1) (1,0,1) (2,0,1)" in error.message


def test_colours_that_no_piece_has_are_invalid() -> None:
    nobody = Colour("nobody")
    for action in (Place(nobody, L_CELLS), PlaceAt(nobody, IDENTITY, (0, 0, 0)), PickUp(nobody)):
        error = refused(LEVEL, action)
        assert isinstance(error, InvalidAction) and error.reason is Reason.UNKNOWN_COLOUR


def test_spots_are_all_the_ways_to_lie_in_the_box_each_once() -> None:
    for layers in (["###/#.."], ["##", "##"], ["###", "#.."], ["#"]):
        shape = Voxels.parse(layers)
        expected = set()
        for rotation in list_rotations():
            turned = shape.rotate(rotation).move_to_origin()
            for offset in Voxels.make_block((3, 2, 2)).cells:
                cells = turned.translate(offset).cells
                if all(x < 3 and y < 2 and z < 2 for x, y, z in cells):
                    expected.add(cells)
        spots = list_spots((3, 2, 2), shape)
        assert {list_cells((3, 2, 2), spot.mask) for spot in spots} == {
            tuple(sorted(c, key=lambda cell: cell[::-1])) for c in expected
        }
        assert len({spot.mask for spot in spots}) == len(spots)
        for spot in spots:
            assert mask_of((3, 2, 2), spot.find_pose(shape).place(shape).cells) == spot.mask


def test_random_building_never_leaves_the_rules() -> None:
    rng = random.Random(5)
    state: PackingState = after(LEVEL)
    for _ in range(60):
        legal = list(RULES.legal(LEVEL, state))
        state = RULES.apply(LEVEL, state, rng.choice(legal)).state
        bodies = [b.place().cell_set for b in RULES.scene(LEVEL, state).bodies]
        assert len(frozenset().union(*bodies)) == sum(map(len, bodies)), "two pieces overlap"


def test_what_is_legal_is_all_that_is_accepted_and_does_not_just_balance() -> None:
    state = after(LEVEL, Place(RED, L_CELLS))
    listed = set(RULES.legal(LEVEL, state))
    accepted = set()
    for i, piece in enumerate(LEVEL.puzzle.pieces):
        for mask in LEVEL.puzzle.spots[i]:
            action = Place(piece.colour, list_cells(LEVEL.puzzle.size, mask))
            try:
                masks = RULES.apply(LEVEL, state, action).state.list_masks()
            except IllegalMove:
                continue
            if is_steady(LEVEL.puzzle.size, masks):
                accepted.add(action)
    assert listed == accepted | {PickUp(RED)}


def test_the_state_in_words_draws_the_layers() -> None:
    text = RULES.describe(LEVEL, after(LEVEL, Place(RED, L_CELLS)))
    assert "red: in the box" in text and "blue: on the table" in text
    assert text.splitlines()[-2:] == [
        "layer z=0: y=0: red red red / y=1: red . .",
        "layer z=1: y=0: . . . / y=1: . . .",
    ]


def test_the_task_says_where_the_box_is_open_and_whether_things_fall() -> None:
    assert "open sides are: +z, +x" in RULES.instruction(OPEN)
    assert "There is gravity" in RULES.instruction(OPEN)
    assert "no gravity" in RULES.instruction(FLOATING)
    assert "3 x 1 x 2" in RULES.instruction(OPEN) and "[2, 0, 1]" in RULES.instruction(OPEN)


def test_states_are_told_apart_by_rotation_and_corner() -> None:
    spots = {spot.mask: spot for piece in LEVEL.puzzle.spots for spot in piece.values()}
    states = [PackingState((spot,)) for spot in (*spots.values(), None)]
    by_text = {RULES.encode(state) for state in states}
    assert len(by_text) == 1 + len({(s.rotation, s.corner) for s in spots.values()})


@pytest.mark.parametrize("sides", [frozenset(Direction), frozenset({Direction.MINUS_Z}), SIDES])
def test_there_is_a_way_to_and_from_every_open_side_and_none_is_below_the_table(
    sides: frozenset[Direction],
) -> None:
    level = drawn((3, 2, 2), ["###/#.."], ["##", "##"], ["###/#.."], gravity=False, sides=sides)
    table = level.puzzle.table.bounds
    rng, seen = random.Random(3), set()
    state = after(level)
    world = LatticeWorld()
    world.reset(RULES.scene(level, state))
    for _ in range(60):
        action = rng.choice(list(RULES.legal(level, state)))
        transition = RULES.apply(level, state, action)
        report = world.execute(transition.motions)
        assert report.completed
        seen |= {m.direction for m in transition.motions if isinstance(m, Sweep)}
        for keyframe in report.trajectory.keyframes:
            for name, transform in keyframe.transforms.items():
                shape = RULES.scene(level, state).find_body(name).shape
                heights = [float(transform[2, :3] @ cell + transform[2, 3]) for cell in shape.cells]
                assert min(heights) > table.low[2] - 0.01
        state = transition.state
    assert seen >= {side.opposite for side in sides}
