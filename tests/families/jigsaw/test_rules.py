"""Attaching and detaching, and what stands in the way."""

from collections import deque
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.referee.jigsaw.counting import count_distinct_cubes
from bridge.referee.jigsaw.placement import read_puzzle
from pysim.catalog import AnyLevel, compute_content_hash, discover_families, find_level
from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.cutting import cut_cube
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace
from pysim.families.jigsaw.moves import APPROACH, find_world_pose
from pysim.families.jigsaw.puzzle import Jigsaw, Piece, make_shape, write_jigsaw
from pysim.families.jigsaw.rules import JigsawRules
from pysim.families.jigsaw.shell import mask_of
from pysim.geometry import Bounds
from pysim.motion import Carry, Sweep
from pysim.puzzle import IllegalMove, InvalidAction, Outcome, Proof, Reason
from pysim.scene import Colour
from tests.families.jigsaw.cubes import filled

RULES = JigsawRules()
HARD, EASY = find_level("jigsaw-hard-1"), find_level("jigsaw-easy-1")
NAMES = tuple(map(Colour, ("red", "blue", "green", "yellow", "cyan", "orange")))
RED = NAMES[0]


def level_of(jigsaw: Jigsaw) -> AnyLevel:
    """A level with other pieces."""
    hashed = compute_content_hash(discover_families()["jigsaw"], jigsaw, HARD.budget)
    return replace(HARD, puzzle=jigsaw, colours=jigsaw.colours, plan=None, hash=hashed)


def test_the_outline_is_around_the_whole_cube() -> None:
    cut = cut_cube(Random(1), flipped=True)
    level = level_of(Jigsaw(tuple(map(Piece, NAMES, cut.pieces)), (*cut.places[:5], None)))
    scene = RULES.scene(level, RULES.initial(level))
    whole = Bounds.cover(body.place().bounds for body in scene.bodies if not body.loose)
    assert scene.work == whole and scene.container is not None
    assert scene.container.bounds == whole


def wrongly_begun(seed: int) -> AnyLevel | None:
    """A level in which a piece is where no solution has it with the others; None if that fits."""
    cut = cut_cube(Random(seed), flipped=True)
    start: list[Seat | None] = [None] * 6
    start[0], start[1] = cut.places[0], cut.places[1]
    turned = Seat(cut.places[1].face, cut.places[1].top, cut.places[1].left.opposite)
    if mask_of(cut.pieces[0], cut.places[0]) & mask_of(cut.pieces[1], turned):
        return None
    start[1] = turned
    return level_of(Jigsaw(tuple(map(Piece, NAMES, cut.pieces)), tuple(start)))


def test_a_piece_comes_from_outside_and_goes_the_same_way() -> None:
    state = RULES.initial(HARD)
    for face in ShellFace:
        there = RULES.apply(HARD, state, Attach(RED, face, Edge.LEFT, Edge.TOP))
        carry, sweep = there.motions
        assert isinstance(carry, Carry) and not carry.loose and isinstance(sweep, Sweep)
        assert sweep.direction is face.outward.opposite and there.travel == APPROACH
        back = RULES.apply(HARD, there.state, Detach(RED))
        sweep, carry = back.motions
        assert isinstance(sweep, Sweep) and sweep.direction is face.outward
        assert isinstance(carry, Carry) and carry.loose
        assert back.state == state


def test_a_cell_that_is_filled_twice_is_named_with_who_fills_it() -> None:
    state = RULES.initial(HARD)
    state = RULES.apply(HARD, state, Attach(RED, ShellFace.FRONT, Edge.LEFT, Edge.TOP)).state
    rows = {piece.colour: piece.rows for piece in HARD.puzzle.pieces}
    red = filled(rows[RED], Seat(ShellFace.FRONT, Edge.LEFT, Edge.TOP))
    refused = 0
    for left, top in ((Edge.LEFT, Edge.TOP), (Edge.TOP, Edge.RIGHT), (Edge.RIGHT, Edge.TOP)):
        shared = red & filled(rows[NAMES[1]], Seat(ShellFace.TOP, left, top))
        action = Attach(NAMES[1], ShellFace.TOP, left, top)
        if not shared:
            RULES.apply(HARD, state, action)
            continue
        with pytest.raises(IllegalMove) as error:
            RULES.apply(HARD, state, action)
        refused += 1
        assert error.value.reason is Reason.OVERLAP and error.value.culprits == (RED,)
        assert error.value.travel == APPROACH - 1 and len(error.value.attempt) == 2
        for x, y, z in shared:
            assert f"({x + 2},{2 - z},{y + 2})" in error.value.message
    assert refused


def test_refusals_have_reasons() -> None:
    state = RULES.initial(HARD)
    there = RULES.apply(HARD, state, Attach(RED, ShellFace.FRONT, Edge.LEFT, Edge.TOP)).state
    cases = [
        (state, Detach(RED), IllegalMove, Reason.ALREADY_FREE),
        (there, Attach(RED, ShellFace.BACK, Edge.LEFT, Edge.TOP), IllegalMove, Reason.NOT_FREE),
        (
            state,
            Attach(RED, ShellFace.BACK, Edge.LEFT, Edge.RIGHT),
            InvalidAction,
            Reason.BAD_VALUE,
        ),
        (state, Attach(RED, ShellFace.BACK, Edge.TOP, Edge.TOP), InvalidAction, Reason.BAD_VALUE),
        (state, Detach(Colour("mauve")), InvalidAction, Reason.UNKNOWN_COLOUR),
    ]
    for where, action, kind, reason in cases:
        with pytest.raises(kind) as error:
            RULES.apply(HARD, where, action)
        assert error.value.reason is reason


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_pieces_come_and_go_in_any_order_through_their_own_faces(seed: int) -> None:
    cut = cut_cube(Random(seed), flipped=True)
    level = level_of(Jigsaw(tuple(map(Piece, NAMES, cut.pieces))))
    order = Random(seed).sample(range(6), 6)
    state = RULES.initial(level)
    for i in order:
        place = cut.places[i]
        assert RULES.outcome(level, state) is None
        action = Attach(NAMES[i], place.face, place.left, place.top)
        state = RULES.apply(level, state, action).state
    assert RULES.outcome(level, state) is Outcome.SOLVED
    for i in Random(seed + 1).sample(range(6), 6):
        state = RULES.apply(level, state, Detach(NAMES[i])).state
    assert state == RULES.initial(level)


def test_symmetric_placements_lead_to_one_state() -> None:
    level = level_of(
        Jigsaw(
            tuple(
                Piece(name, rows)
                for name, rows in zip(
                    NAMES,
                    [("#####",) * 5] * 2
                    + [(".###.",) * 5] * 2
                    + [(".....", ".###.", ".###.", ".###.", ".....")] * 2,
                    strict=True,
                )
            )
        )
    )
    start = RULES.initial(level)
    states = {
        RULES.apply(level, start, Attach(RED, ShellFace.TOP, left, top)).state
        for left in Edge
        for top in Edge
        if left.is_beside(top)
    }
    assert len(states) == 1


def test_gaps_are_told_once_nothing_can_fill_them() -> None:
    rules, state = RULES, RULES.initial(HARD)
    assert rules.describe(HARD, state).endswith("gaps that no loose piece can fill: none")
    for seed in range(200):
        state = RULES.initial(HARD)
        random = Random(seed)
        for _ in range(3):
            state = RULES.apply(HARD, state, random.choice(list(RULES.legal(HARD, state)))).state
        told = RULES.describe(HARD, state).rpartition(": ")[2]
        if told != "none":
            break
    x, y, z = map(int, told.split()[0].strip("()").split(","))
    bodies = RULES.scene(HARD, state).bodies
    assert all((x, y, z) not in body.place().cells for body in bodies)
    assert {x, y, z} & {0, 4}


def test_a_plan_has_an_action_for_each_loose_piece() -> None:
    for level, count in ((HARD, 6), (EASY, 2)):
        plan = RULES.plan(level)
        assert plan is not None and len(plan) == plan.lower_bound == count
        assert plan.proof is Proof.OPTIMAL


def test_where_given_pieces_are_wrong_the_plan_takes_some_off_and_is_still_a_shortest() -> None:
    level = next(one for one in map(wrongly_begun, range(50)) if one is not None)
    plan = RULES.plan(level)
    assert plan is not None and plan.proof is Proof.OPTIMAL
    assert len(plan) == 6 and isinstance(plan.actions[0], Detach)
    state = RULES.initial(level)
    for action in plan.actions:
        state = RULES.apply(level, state, action).state
    assert RULES.outcome(level, state) is Outcome.SOLVED


def test_two_loose_pieces_take_two_actions_as_a_search_breadth_first_finds() -> None:
    queue, seen = deque([(RULES.initial(EASY), 0)]), set()
    while queue:
        state, depth = queue.popleft()
        if RULES.outcome(EASY, state) is not None:
            break
        for action in RULES.legal(EASY, state):
            after = RULES.apply(EASY, state, action).state
            if after not in seen:
                seen.add(after)
                queue.append((after, depth + 1))
    assert depth == 2


def test_pieces_that_make_no_cube_have_no_plan() -> None:
    pieces = HARD.puzzle.pieces
    (row, column), *_ = [(0, c) for c in range(5) if pieces[0].rows[0][c] == "#"]
    (r, c), *_ = [(0, c) for c in range(5) if pieces[1].rows[0][c] == "."]
    lines = [list(map(list, piece.rows)) for piece in pieces]
    lines[0][row][column], lines[1][r][c] = ".", "#"
    rows = [tuple(map("".join, one)) for one in lines]
    jigsaw = Jigsaw(tuple(map(Piece, NAMES, rows)))
    assert not count_distinct_cubes(read_puzzle({"puzzle": write_jigsaw(jigsaw)}))
    assert RULES.plan(level_of(jigsaw)) is None


def test_pieces_lie_on_the_table_as_they_are_drawn() -> None:
    for i, piece in enumerate(HARD.puzzle.pieces):
        cells = find_world_pose(HARD.puzzle, i, None).place(make_shape(piece.rows)).cells
        low = HARD.puzzle.table.get_pose(i).offset
        for row, line in enumerate(piece.rows):
            for column, sign in enumerate(line):
                there = (low[0] + column, low[1] + 4 - row, low[2]) in cells
                assert there == (sign == "#")


def test_loose_pieces_lie_apart_on_the_table_before_the_cube() -> None:
    table, cube = HARD.puzzle.table, HARD.puzzle.block
    blocks = [table.get_block(i) for i in range(len(HARD.puzzle.pieces))]
    assert all(table.bounds.has_block(block) for block in blocks)
    assert not any(one.is_overlapping(other) for one, other in combinations(blocks, 2))
    assert table.bounds.high[1] < cube.low[1] and table.bounds.high[2] < cube.low[2]
