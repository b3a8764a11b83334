"""Ways past others: exact, found where there are any, and said to be none where there are none."""

import random
from collections.abc import Iterable
from itertools import product

import pytest

from pysim.carrying import NoPath, find_path
from pysim.geometry import (
    IDENTITY,
    Axis,
    Bounds,
    Cell,
    Direction,
    Rotation,
    Voxels,
    add,
    list_rotations,
    make_quarter_turn,
    merge_boxes,
    subtract,
)
from pysim.path import Path, Segment, Shift, Spin
from tests.sampling import more

CUBE = Bounds((0, 0, 0), (0, 0, 0))
SIZE = 7
"""Edge of the small worlds in which ways are searched plainly."""


def cells_of(blocks: Iterable[Bounds]) -> set[Cell]:
    return {
        (x, y, z)
        for b in blocks
        for x in range(b.low[0], b.high[0] + 1)
        for y in range(b.low[1], b.high[1] + 1)
        for z in range(b.low[2], b.high[2] + 1)
    }


def gone(
    cells: set[Cell], legs: Iterable[Segment], taken: set[Cell], floor: int | None
) -> set[Cell]:
    """Where some cells get, looking at each unit of the way and at the ball around each turn."""
    for leg in legs:
        if isinstance(leg, Shift):
            assert leg.distance >= 1
            for _ in range(leg.distance):
                cells = {add(cell, leg.direction.vector) for cell in cells}
                assert not cells & taken
                assert floor is None or min(c[2] for c in cells) >= floor
            continue
        turned = {add(leg.rotation.apply(cell), leg.offset) for cell in cells}
        for group in (cells, turned):
            check_ball(cells, group, taken, floor)
        cells = turned
    return cells


def check_ball(shape: set[Cell], there: set[Cell], taken: set[Cell], floor: int | None) -> None:
    """Nothing is in the ball around the block of some cells, at a place on the way."""
    size = [max(c[i] for c in shape) - min(c[i] for c in shape) + 1 for i in range(3)]
    middle = [(max(c[i] for c in there) + min(c[i] for c in there)) / 2.0 for i in range(3)]
    radius = sum(n * n for n in size) ** 0.5 / 2.0
    for cell in taken:
        nearest = [max(0.0, abs(cell[i] - middle[i]) - 0.5) for i in range(3)]
        assert sum(n * n for n in nearest) ** 0.5 >= radius - 1e-9
    assert floor is None or middle[2] - radius >= floor - 0.5 - 1e-9


def way_exists(cells: set[Cell], goal: Cell, taken: set[Cell], floor: int | None) -> bool:
    """Flooding all places of the cells, one unit at a time, in a box around everything."""
    low = [min(c[i] for c in cells) for i in range(3)]
    target = subtract(goal, (low[0], low[1], low[2]))
    reached, edge = {(0, 0, 0)}, [(0, 0, 0)]
    while edge:
        here = edge.pop()
        for direction in Direction:
            there = add(here, direction.vector)
            moved = {add(cell, there) for cell in cells}
            if there in reached or moved & taken or max(map(abs, there)) > 3 * SIZE:
                continue
            if floor is not None and min(c[2] for c in moved) < floor:
                continue
            reached.add(there)
            edge.append(there)
    return target in reached


def test_a_way_among_random_blocks_is_free_and_found_exactly_if_there_is_one() -> None:
    found = {True: 0, False: 0}
    for seed in range(more(64, night=160)):
        rng = random.Random(seed)
        load = Voxels.make_block((rng.randint(1, 2), rng.randint(1, 2), 1)).cell_set
        taken = {
            (x, y, z)
            for x, y, z in product(range(SIZE), repeat=3)
            if rng.random() < rng.choice([0.02, 0.12, 0.3])
        } - load
        # Walls all around leave one gap at most, so that some goals can't be reached at all.
        shell = {c for c in product(range(-1, SIZE + 1), repeat=3) if {-1, SIZE} & set(c)}
        taken |= {c for c in shell if c != (SIZE, 3, 3) or rng.random() < 0.5}
        goal = rng.choice([(4, 5, 5), (9, 3, 3), (0, 0, 3), (5, 1, 2)])
        floor = rng.choice([None, -1])
        there = {add(c, goal) for c in load}
        if there & taken:
            continue
        blocks = merge_boxes(Voxels.from_cells(taken))
        try:
            legs = find_path(merge_boxes(Voxels.from_cells(load)), goal, blocks, floor=floor)
        except NoPath:
            assert not way_exists(set(load), goal, taken, floor)
            found[False] += 1
            continue
        assert gone(set(load), legs, taken, floor) == there
        found[True] += 1
    assert min(found.values()) > more(5, night=15)


def test_the_cells_decide_where_blocks_would_not_let_it_pass() -> None:
    """A hook that hangs in another one: up is shut, but it comes out sideways."""
    hook = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 0, 1), (2, 0, 2), (1, 0, 2)])
    stick = Voxels.from_cells([(1, 0, 1), (1, 1, 1), (1, -1, 1)])
    legs = find_path(merge_boxes(stick), (1, -1, 9), merge_boxes(hook))
    there = gone(set(stick.cells), legs, set(hook.cells), None)
    assert there == {(1, y, 9) for y in (-1, 0, 1)}
    with pytest.raises(NoPath):
        find_path((stick.bounds,), (1, -1, 9), (hook.bounds,))


def test_every_turn_is_made_in_free_air_above_the_table() -> None:
    bar, wall = Bounds((0, 0, 0), (4, 0, 1)), Bounds((-3, 2, 0), (9, 2, 6))
    for rotation in list_rotations():
        for goal in ((0, -9, 0), (1, 9, 0), (20, -5, 0)):
            legs = find_path((bar,), goal, (wall,), floor=0, rotation=rotation)
            turned = gone(cells_of([bar]), legs, cells_of([wall]), 0)
            low = tuple(min(c[i] for c in turned) for i in range(3))
            assert low == goal
            turns = [leg.rotation for leg in legs if isinstance(leg, Spin)]
            assert turns == ([rotation] if rotation != IDENTITY else [])


def test_a_turn_moves_the_middle_by_half_a_unit_at_most() -> None:
    for rotation in list_rotations()[1:]:
        for size in ((1, 1, 1), (4, 1, 1), (3, 2, 1), (2, 5, 3)):
            block = Bounds(
                (7, -3, 30), tuple(n + s - 1 for n, s in zip((7, -3, 30), size, strict=True))
            )  # type: ignore[arg-type]
            legs = find_path((block,), (40, 0, 40), (), rotation=rotation)
            (spin,) = (leg for leg in legs if isinstance(leg, Spin))
            before = block
            for leg in legs[: legs.index(spin)]:
                before = leg.apply_to_block(before)
            after = spin.apply_to_block(before)
            for i in range(3):
                shift = (after.low[i] + after.high[i]) - (before.low[i] + before.high[i])
                assert shift in (-1, 0, 1)
            assert sorted(after.size) == sorted(size)


def test_a_piece_below_others_goes_aside_before_it_goes_up() -> None:
    lock = Bounds((0, 0, 5), (6, 6, 11))
    piece = Bounds((2, 2, 2), (4, 4, 4))
    legs = find_path((piece,), (2, 2, 12), (lock,), floor=0)
    assert gone(cells_of([piece]), legs, cells_of([lock]), 0) == cells_of(
        [Bounds((2, 2, 12), (4, 4, 14))]
    )
    assert isinstance(legs[0], Shift) and legs[0].direction.axis is not Axis.Z
    back = find_path((Bounds((2, 2, 12), (4, 4, 14)),), (2, 2, 2), (lock,), floor=0)
    assert isinstance(back[-1], Shift) and back[-1].direction.axis is not Axis.Z


def test_what_is_where_it_should_be_goes_nowhere() -> None:
    assert find_path((CUBE,), (0, 0, 0), ()) == ()
    assert len(find_path((CUBE,), (5, 0, 0), ())) == 1


def test_legs_that_go_straight_on_are_one() -> None:
    for goal in product((-3, 0, 4), repeat=3):
        legs = find_path((CUBE,), goal, (Bounds((8, 8, 8), (9, 9, 9)),))
        assert len(legs) == sum(n != 0 for n in goal)


def test_a_way_is_made_when_it_is_first_looked_at_and_only_once() -> None:
    made = []

    def make() -> list[Segment]:
        made.append(1)
        return [Shift(Direction.PLUS_X, 2)]

    way = Path(make)
    assert not made
    assert way == Path([Shift(Direction.PLUS_X, 2)]) and len(way) == 1
    assert hash(way) == hash(Path([Shift(Direction.PLUS_X, 2)]))
    assert made == [1]


def test_the_room_of_a_turn_is_that_of_the_ball() -> None:
    spin = Spin(make_quarter_turn(Axis.Z, 1), (1, -2, 0))
    bar = Bounds((0, 0, 0), (3, 0, 0))
    assert spin.apply_to_block(bar) == Bounds((1, -2, 0), (1, 1, 0))
    # The diagonal of 4 x 1 x 1 is 4.24 units: 5 doubled ones around (1.5, 0, 0) and (1, -0.5, 0).
    assert spin.sweep_block(bar) == Bounds((-1, -2, -2), (4, 2, 2)).expand((0, 1, 0), (0, 0, 0))
    assert Spin(Rotation(1), (0, 0, 0)).sweep_block(CUBE) == Bounds((-1, -1, -1), (1, 1, 1))
