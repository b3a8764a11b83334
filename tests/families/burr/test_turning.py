"""Quarter turns against sampled geometry and FCL, and the locks that need them."""

import math
import random
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.families.burr.files.design import Design
from pysim.families.burr.lock import Goal
from pysim.families.burr.solver import solve
from pysim.families.burr.solver.quarter_turns import QuarterTurn, find_quarter_turns, is_meeting
from pysim.families.burr.solver.shortest import find_shortest
from pysim.families.burr.solver.solutions import Aim, Limits, SlideStep
from pysim.families.burr.solver.turning_takedown import (
    Turning,
    TurningTally,
    TurnStep,
    find_takedown_with_turns,
)
from pysim.geometry import (
    Axis,
    Cell,
    Direction,
    Pose,
    Rotation,
    Voxels,
    add,
    list_rotations,
    make_quarter_turn,
    scale,
)
from tests.families.burr.locks import keyhole, keyhole_design, random_lock
from tests.geometry.strategies import poses
from tests.sampling import by_day

Cells = Sequence[Cell]


def alone(pieces: Collection[int]) -> bool:
    return len(pieces) == 1


def ring(size: int) -> list[Cell]:
    """A flat frame, one cell thick."""
    edge = (0, size - 1)
    return [(x, y, 0) for x, y in product(range(size), repeat=2) if x in edge or y in edge]


def linked(size: int) -> tuple[list[Cell], list[Cell]]:
    """Two frames, each through the other."""
    through = [(size // 2, x + size // 2, y - size // 2) for x, y, _ in ring(size)]
    return ring(size), through


# The sweep.


def corners_and_edges(a: int, b: int, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Middle and half edges of a cell, in doubled coordinates, turned by an angle."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return turn @ np.array([a, b], float), turn


def depths(a: int, b: int, others: np.ndarray, angle: float) -> np.ndarray:
    """How deep a turned cell overlaps others, by separating axes; below 0 where it does not."""
    middle, turn = corners_and_edges(a, b, angle)
    apart = others - middle
    reach = 1.0 + abs(math.cos(angle)) + abs(math.sin(angle))
    return reach - np.maximum(np.abs(apart).max(axis=1), np.abs(apart @ turn).max(axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("odd", [0, 1])
def test_a_turning_cell_meets_just_those_that_it_overlaps_at_some_sampled_angle(odd: int) -> None:
    span = np.arange(-12 + odd, 13, 2)
    others = np.array(list(product(span, span)))
    angles = np.radians(np.arange(0.0, 90.5, 0.5))
    for a, b in others[(np.abs(others) <= 9).all(axis=1)]:
        deepest = np.max([depths(a, b, others, angle) for angle in angles], axis=0)
        swept = [is_meeting(a, b, c, d, 1) for c, d in others]
        # Nothing overlaps so little that rounding, or the step between two angles, could hide it.
        assert np.all(np.abs(deepest[deepest > 1e-9]) > 1e-3)
        assert np.array_equal(deepest > 1e-9, swept), (a, b)
        assert swept == [is_meeting(a, -b, c, -d, -1) for c, d in others]


@given(
    st.tuples(st.integers(-60, 60), st.integers(-60, 60), st.booleans()),
    st.tuples(st.floats(-0.99, 0.99), st.floats(-0.99, 0.99)),
    st.floats(0, math.pi / 2),
    st.sampled_from([1, -1]),
)
def test_every_point_of_a_turning_cell_stays_inside_what_it_meets(
    cell: tuple[int, int, bool], inside: tuple[float, float], angle: float, way: int
) -> None:
    a, b = 2 * cell[0] + cell[2], 2 * cell[1] + cell[2]
    x, y = a + inside[0], b + inside[1]
    cos, sin = math.cos(angle), way * math.sin(angle)
    u, v = x * cos - y * sin, x * sin + y * cos
    c, d = (2 * round((w - cell[2]) / 2) + cell[2] for w in (u, v))
    if max(abs(u - c), abs(v - d)) < 1 - 1e-9:
        assert is_meeting(a, b, c, d, way)


def test_a_bar_of_two_turns_about_one_of_its_cells_through_ten_cells() -> None:
    around = product(range(-3, 4), repeat=2)
    swept = {(c, d) for c, d in around for a in (0, 1) if is_meeting(2 * a, 0, 2 * c, 2 * d, 1)}
    square = {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert swept == square | {(2, 0), (0, 2), (-1, 0), (0, -1)}


@given(
    poses,
    st.sampled_from(list(Axis)),
    st.sampled_from([1, -1]),
    st.tuples(*[st.integers(-9, 9)] * 3),
)
def test_a_turn_leaves_its_axis_alone_and_its_way_back_undoes_it(
    pose: Pose, axis: Axis, way: int, where: tuple[int, int, int]
) -> None:
    odd = where[2] % 2
    turn = QuarterTurn(axis, way, (2 * where[0] + odd, 2 * where[1] + odd))
    assert turn.back.carry(turn.carry(pose)) == pose
    four = pose
    for _ in range(4):
        four = turn.carry(four)
    assert four == pose
    matrix = turn.carry(Pose(Rotation(0), (0, 0, 0))).transform()
    on_axis = np.roll([where[2], turn.centre[0] / 2, turn.centre[1] / 2], axis.number)
    assert np.array_equal(matrix @ [*on_axis, 1], [*on_axis, 1])


@pytest.mark.slow
def test_linked_pieces_turn_together_or_not_at_all() -> None:
    pieces = [np.array(cells, np.int32) for cells in (*linked(3), [(9, 9, 9)])]
    sets = {moving for moving, _ in find_quarter_turns(pieces)}
    assert sets == {frozenset({0, 1}), frozenset({2})}


def every_turn(pieces: Sequence[Cells]) -> Iterator[QuarterTurn]:
    """About every centre within the block around the pieces."""
    everything = np.concatenate([np.array(cells) for cells in pieces])
    low, high = 2 * everything.min(axis=0) - 1, 2 * everything.max(axis=0) + 1
    for axis, way in product(Axis, (1, -1)):
        u, v = (axis.number + 1) % 3, (axis.number + 2) % 3
        for x, y in product(range(low[u], high[u] + 1), range(low[v], high[v] + 1)):
            if (x - y) % 2 == 0:
                yield QuarterTurn(axis, way, (x, y))


def hits(mine: Cells, other: Cells, turn: QuarterTurn) -> bool:
    """Whether a turning piece hits one that stands still, cell by cell."""
    w = turn.axis.number
    u, v = (w + 1) % 3, (w + 2) % 3
    x, y = turn.centre
    return any(
        p[w] == q[w]
        and is_meeting(2 * p[u] - x, 2 * p[v] - y, 2 * q[u] - x, 2 * q[v] - y, turn.way)
        for p in mine
        for q in other
    )


def turns_by_definition(pieces: Sequence[Cells]) -> set[tuple[frozenset[int], QuarterTurn]]:
    """Of the sets that hit nothing, for each piece the smallest one with it."""
    found = set()
    places = range(len(pieces))
    sets = [frozenset(s) for size in places[1:] for s in combinations(places, size)]
    for turn in every_turn(pieces):
        blocks = {(i, j) for i, j in permutations(places, 2) if hits(pieces[i], pieces[j], turn)}
        free = [s for s in sets if not any(i in s and j not in s for i, j in blocks)]
        for piece in places:
            smallest = min((s for s in free if piece in s), key=len, default=None)
            if smallest is not None:
                found.add((smallest, turn))
    return found


@pytest.mark.parametrize("seed", by_day(range(4)))
def test_the_possible_turns_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    lock = random_lock(rng, Goal.DISASSEMBLE, 3)
    shift = scale(rng.choice(list(Direction)).vector, 3)
    cells = [sorted(p.home.place(p.shape).cells) for p in lock.pieces]
    cells[0] = [add(cell, shift) for cell in cells[0]]
    turns = list(find_quarter_turns([np.array(piece, np.int32) for piece in cells]))
    assert len(turns) == len(set(turns))
    assert set(turns) == turns_by_definition(cells)
    assert turns


# Locks.


def test_a_bar_is_turned_to_pass_through_a_slot_across() -> None:
    found = find_takedown_with_turns(keyhole(5, "x"), alone)
    assert (found.first, found.turns, found.cut_off) == ((2, 1), 1, False)


def test_a_turn_whose_end_is_free_but_whose_way_is_not_is_not_made() -> None:
    case, bar = keyhole(3, "x")
    assert not set(case) & set(keyhole(3, "y")[1])
    assert find_takedown_with_turns((case, bar), alone) == Turning(None)


def test_a_bar_along_the_slot_needs_no_turn() -> None:
    found = find_takedown_with_turns(keyhole(5, "y"), alone)
    assert (found.first, found.turns) == ((1, 0), 0)


@pytest.mark.parametrize("size", [3, 5])
def test_linked_rings_stay_together(size: int) -> None:
    assert find_takedown_with_turns(linked(size), alone) == Turning(None)


def test_what_may_stay_together_is_done() -> None:
    assert find_takedown_with_turns(linked(3), lambda pieces: True) == Turning(())


def test_a_turn_can_be_needed_after_the_first_separation() -> None:
    case, bar = keyhole(5, "x")
    plug = [(3, 2, 2), (3, 3, 2), (3, 4, 2)]
    found = find_takedown_with_turns((case, bar, plug), alone)
    assert found.moves is not None
    assert (len(found.moves), found.first, found.turns) == (3, (1, 0), 1)


@pytest.mark.slow
def test_of_ways_with_as_many_moves_one_with_the_fewest_turns_is_found() -> None:
    """A plate before the bar slides aside, or goes there by a turn about one of its cells."""
    case, bar = keyhole(6, "x")
    plate = [(3, 2, 1), (3, 3, 1), (4, 2, 1), (4, 3, 1)]
    pieces = ([*case, (5, 3, 1)], bar, plate)
    found = find_takedown_with_turns(pieces, lambda some: len(some) == 1 or 1 not in some)
    assert found.moves is not None
    assert (len(found.moves), found.turns) == (3, 1)


@pytest.mark.parametrize("limits", [Limits(0), Limits(1), Limits(seconds=0.0)])
def test_a_search_that_is_cut_off_says_so(limits: Limits) -> None:
    case, bar = keyhole(7, "x")
    aside = [add(cell, (1, 1, 0)) for cell in bar]
    assert find_takedown_with_turns((case, aside), alone, limits) == Turning(None, cut_off=True)


@pytest.mark.by_day(4)
@pytest.mark.parametrize("rotation", list_rotations(), ids=lambda rotation: rotation.name)
def test_a_lock_may_stand_any_way_round(rotation: Rotation) -> None:
    def turned(pieces: Sequence[Cells]) -> list[list[Cell]]:
        return [[rotation.apply(cell) for cell in cells] for cells in pieces]

    case, bar = keyhole(5, "x")
    aside = [add(cell, (1, 2, 0)) for cell in bar]
    assert find_takedown_with_turns(turned((aside, case)), alone).first == (3, 1)
    assert find_takedown_with_turns(turned(keyhole(3, "x")), alone).moves is None


@pytest.mark.slow
def test_random_locks_are_turned_only_where_slides_do_not_do() -> None:
    rng = random.Random(4)
    stuck = 0
    for _ in range(100):
        lock = random_lock(rng, Goal.DISASSEMBLE, 2, (4, 4, 4))
        cells = [sorted(p.home.place(p.shape).cells) for p in lock.pieces]
        impossible = find_shortest(cells, Aim.APART, alone, Limits()).impossible
        found = find_takedown_with_turns(cells, alone, Limits(200))
        assert (found.moves is None or found.turns > 0) == impossible
        stuck += impossible
    assert 5 < stuck < 50


# What is found, done again by others' geometry.


def replay(pieces: Sequence[Cells], found: Turning) -> None:
    """Make each move step by step with FCL: slides by 0.1 units, turns by a degree."""
    fcl = pytest.importorskip("fcl", reason="python-fcl is not installed")
    spots = [np.array(cells, float) for cells in pieces]

    def hull(centres: np.ndarray, turn: np.ndarray) -> object:
        manager = fcl.DynamicAABBTreeCollisionManager()
        box = fcl.Box(0.98, 0.98, 0.98)
        manager.registerObjects(
            [fcl.CollisionObject(box, fcl.Transform(turn, centre)) for centre in centres]
        )
        manager.setup()
        return manager

    for move in found.moves or ():
        still = [spots[i] for i in move.group if i not in move.moving]
        others = hull(np.concatenate(still), np.eye(3))
        start = np.concatenate([spots[i] for i in move.moving])
        for share in np.linspace(0, 1, 91 if isinstance(move, TurnStep) else 10 * move.units + 1):
            turn, shift = part_of(move, share)
            data = fcl.CollisionData()
            hull(start @ turn.T + shift, turn).collide(others, data, fcl.defaultCollisionCallback)
            assert not data.result.is_collision, (move, share)
        for i in move.moving:
            spots[i] = spots[i] @ turn.T + shift
            assert np.allclose(spots[i], np.round(spots[i]))


def part_of(move: SlideStep | TurnStep, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Rotation matrix and shift of a part of a move."""
    if isinstance(move, SlideStep):
        return np.eye(3), share * move.units * np.array(move.direction.vector, float)
    angle = share * move.turn.way * math.pi / 2
    u, v = (move.turn.axis.number + 1) % 3, (move.turn.axis.number + 2) % 3
    turn = np.eye(3)
    turn[[u, u, v, v], [u, v, u, v]] = (
        math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle),
    )  # fmt: skip
    centre = np.zeros(3)
    centre[[u, v]] = np.array(move.turn.centre) / 2
    return turn, centre - turn @ centre


def random_keyhole(rng: random.Random) -> tuple[list[Cell], list[Cell]]:
    """A tromino in a flat room with pillars, below a slot in which it would lie turned."""
    tromino = Voxels.parse([rng.choice(["###", "##/#."])])
    turned = tromino.rotate(make_quarter_turn(Axis.Z, 1)).move_to_origin()
    room = Voxels.make_block((5, 5, 1)).translate((1, 1, 1))
    piece, slot = (
        shape.translate((rng.randint(1, 3), rng.randint(1, 3), z)).cell_set
        for shape, z in ((tromino, 1), (turned, 2))
    )
    pillars = set(rng.sample(room.cells, 2)) - piece
    hollow = room.cell_set - pillars | slot
    block = product(range(7), range(7), range(3))
    return [cell for cell in block if cell not in hollow], sorted(piece)


@pytest.mark.slow
def test_fcl_confirms_what_is_found_in_random_keyholes() -> None:
    rng = random.Random(7)
    turned = 0
    for _ in range(25):
        pieces = random_keyhole(rng)
        found = find_takedown_with_turns(pieces, alone)
        replay(pieces, found)
        turned += found.turns > 0
    assert turned > 5


def test_fcl_confirms_that_a_corner_hits_the_wall() -> None:
    pieces = keyhole(3, "x")
    turn = TurnStep((0, 1), frozenset({1}), QuarterTurn(Axis.Z, 1, (4, 4)), False)
    with pytest.raises(AssertionError, match="TurnStep"):
        replay(pieces, Turning((turn,)))


# Designs.


@pytest.mark.parametrize(
    ("design", "limits", "solutions", "found", "cut_off"),
    [
        (keyhole_design(5, "x"), Limits(100), 0, {(2, 1): 1}, 0),
        (keyhole_design(5, "x"), Limits(0), 0, {}, 1),
        (keyhole_design(5, "x", group=1), Limits(100), 0, {}, 0),
        (keyhole_design(3, "x"), Limits(100), 0, {}, 0),
        (keyhole_design(5, "y"), Limits(0), 1, {}, 0),
    ],
)
def test_assemblies_that_need_turns_are_counted_apart(
    design: Design, limits: Limits, solutions: int, found: dict[tuple[int, int], int], cut_off: int
) -> None:
    tally = TurningTally()
    solved = 0
    for assembly in solve(design, design.problems[0]):
        solved += bool(assembly.level)
        tally.add(design.problems[0], assembly, limits)
    assert (solved, dict(tally.found), tally.cut_off) == (solutions, found, cut_off)
