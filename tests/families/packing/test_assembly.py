"""Linear assembly, against trying every order."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.packing.assembly import (
    Insertion,
    Removable,
    find_building_order,
    find_linear_assembly,
    may_step,
    sweep,
)
from pysim.families.packing.grid import find_way_out, list_cells, mask_of, step
from pysim.families.packing.support import find_falling, is_steady
from pysim.geometry import (
    Bounds,
    Cell,
    Direction,
    Rotation,
    Voxels,
    add,
    list_rotations,
    scale,
)
from tests.families.packing.puzzles import packed_boxes, split
from tests.sampling import more

TOP = (Direction.PLUS_Z,)
ALL = tuple(Direction)
Packed = tuple[Cell, tuple[int, ...]]


def comes_apart(
    size: Cell, masks: Sequence[int], sides: Sequence[Direction], by: Removable
) -> bool:
    """Every order of removals, each set of pieces once."""

    @cache
    def apart(left: frozenset[int]) -> bool:
        return not left or any(
            by(size, masks[i], sum(masks[j] for j in left if j != i), side) and apart(left - {i})
            for i in left
            for side in sides
        )

    return apart(frozenset(range(len(masks))))


@pytest.mark.parametrize("by", [may_step, sweep])
@pytest.mark.parametrize("sides", [ALL, TOP])
@settings(max_examples=more(30))
@given(packed=packed_boxes(most=7))
def test_greedy_removal_finds_a_sequence_whenever_there_is_one(
    packed: Packed, sides: Sequence[Direction], by: Removable
) -> None:
    size, masks = packed
    order = find_linear_assembly(size, masks, sides, by)
    assert (order is not None) == comes_apart(size, masks, sides, by)
    filled = 0
    for insertion in order or ():
        assert by(size, masks[insertion.piece], filled, insertion.direction.opposite)
        filled |= masks[insertion.piece]
    assert order is None or sorted(i.piece for i in order) == list(range(len(masks)))


@settings(max_examples=more(30))
@given(packed_boxes())
def test_a_clear_way_out_begins_with_a_free_step(packed: Packed) -> None:
    size, masks = packed
    for mask in masks:
        for side in Direction:
            others = sum(masks) & ~mask
            assert may_step(size, mask, others, side) or not sweep(size, mask, others, side)


def test_one_step_lets_pass_what_can_not_leave() -> None:
    # A gap of one cell, then a lid: the piece can start but not go.
    size = (1, 1, 4)
    low, lid = mask_of(size, [(0, 0, 0)]), mask_of(size, [(0, 0, 2)])
    assert may_step(size, low, lid, Direction.PLUS_Z)
    assert not sweep(size, low, lid, Direction.PLUS_Z)


@settings(max_examples=more(30))
@given(packed_boxes(most=3), st.sampled_from(ALL))
def test_steps_and_ways_are_those_of_the_cells(packed: Packed, side: Direction) -> None:
    size, masks = packed
    for mask in masks:
        cells = set(list_cells(size, mask))
        inside = {c for c in (add(cell, side.vector) for cell in cells) if _inside(size, c)}
        assert set(list_cells(size, step(size, mask, side))) == inside
        ray = set()
        for cell in cells:
            while _inside(size, cell := add(cell, side.vector)):
                ray.add(cell)
        assert set(list_cells(size, find_way_out(size, mask, side))) == ray - cells


def _inside(size: Cell, cell: Cell) -> bool:
    return all(0 <= c < s for c, s in zip(cell, size, strict=True))


@settings(max_examples=more(30))
@given(packed_boxes(most=6), st.booleans())
def test_a_building_order_is_found_if_there_is_one_and_holds_at_every_step(
    packed: Packed, spare: bool
) -> None:
    size, masks = packed

    def stays(pieces: Sequence[int]) -> bool:
        return is_steady(size, pieces) if spare else not find_falling(size, pieces)

    @cache
    def buildable(placed: frozenset[int]) -> bool:
        left = set(range(len(masks))) - placed
        filled = sum(masks[i] for i in placed)
        return not left or any(
            sweep(size, masks[i], filled, Direction.PLUS_Z)
            and stays([masks[j] for j in {*placed, i}])
            and buildable(placed | {i})
            for i in left
        )

    order = find_building_order(size, masks, TOP, spare=spare)
    assert (order is not None) == buildable(frozenset())
    placed: list[int] = []
    for insertion in order or ():
        assert insertion.direction is Direction.MINUS_Z
        assert sweep(size, masks[insertion.piece], sum(placed), Direction.PLUS_Z)
        placed.append(masks[insertion.piece])
        assert stays(placed)


def test_with_gravity_the_wrong_order_of_removal_is_not_taken() -> None:
    """A bridge on two feet: greedy removal may take a foot first, a building order may not."""
    size = (3, 1, 2)
    masks = [
        mask_of(size, c) for c in ([(0, 0, 0)], [(2, 0, 0)], [(0, 0, 1), (1, 0, 1), (2, 0, 1)])
    ]
    greedy = find_linear_assembly(size, masks)
    assert greedy is not None and greedy[-1] == Insertion(0, Direction.PLUS_X)
    order = find_building_order(size, masks, ALL)
    assert order is not None and order[-1].piece == 2


def test_what_just_balances_is_built_only_if_nothing_is_to_spare() -> None:
    """A bar of two whose middle is above the very edge of its foot."""
    size = (2, 1, 2)
    masks = [mask_of(size, cells) for cells in ([(0, 0, 0)], [(0, 0, 1), (1, 0, 1)])]
    assert find_building_order(size, masks, TOP) is None
    down = Direction.MINUS_Z
    order = find_building_order(size, masks, TOP, spare=False)
    assert order == (Insertion(0, down), Insertion(1, down))


def keyed_box(way: Rotation) -> tuple[Cell, list[int]]:
    """Two halves that hold each other fast but along x, and a key below that holds them there.

    The key, an H, comes out downwards only, and everything else after it; the whole is turned.
    """
    box = set(product(range(6), range(5), range(3)))
    key = {(x, y, 0) for x in (1, 4) for y in (1, 2, 3)} | {(2, 2, 0), (3, 2, 0)}
    left = {cell for cell in box - key if cell[0] < 3} - {(2, 3, 1)} | {(3, 1, 1)}
    turned = [Voxels.from_cells(cells).rotate(way) for cells in (key, left, box - key - left)]
    whole = Bounds.cover(shape.bounds for shape in turned)
    back = scale(whole.low, -1)
    return whole.size, [mask_of(whole.size, shape.translate(back).cells) for shape in turned]


@pytest.mark.parametrize("way", list_rotations(), ids=lambda way: way.name)
def test_pieces_are_taken_out_towards_each_of_the_six_sides(way: Rotation) -> None:
    size, masks = keyed_box(way)
    order = find_linear_assembly(size, masks)
    assert order is not None
    assert (order[-1].piece, order[-1].direction.vector) == (0, way.apply((0, 0, 1)))
    others = [side for side in ALL if side is not order[-1].direction.opposite]
    assert find_linear_assembly(size, masks, others) is None


def test_large_boxes_are_ordered_quickly() -> None:
    size = (4, 4, 4)
    for seed in range(5):
        pieces = split(random.Random(seed), size, 16)
        find_building_order(size, [mask_of(size, cells) for cells in pieces], TOP)
