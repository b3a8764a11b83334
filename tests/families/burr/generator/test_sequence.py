"""Boxes that come apart in one order only."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.burr.generator.sequence import cut, find_forced_order
from pysim.geometry import Direction, Voxels, add

BOX = (4, 4, 4)


def movable(pieces: list[Voxels]) -> list[tuple[frozenset[int], Direction]]:
    """Every set of pieces that can move by one unit, found by trying them all."""
    found = []
    for size in range(1, len(pieces)):
        for moving in combinations(range(len(pieces)), size):
            others = {c for i, p in enumerate(pieces) if i not in moving for c in p.cells}
            for direction in Direction:
                moved = (add(c, direction.vector) for i in moving for c in pieces[i].cells)
                if not others & set(moved):
                    found.append((frozenset(moving), direction))
    return found


@settings(max_examples=12)
@given(st.integers(0, 10**9), st.integers(3, 5))
def test_at_every_stage_one_piece_alone_can_move(seed: int, count: int) -> None:
    pieces = cut(count, BOX, Random(seed))
    if pieces is None:
        return
    assert sorted(c for piece in pieces for c in piece.cells) == list(Voxels.make_block(BOX).cells)
    order = find_forced_order(pieces)
    assert order is not None
    left = list(pieces)
    for place, (piece, direction) in enumerate(order[:-1]):
        assert piece == place
        others = frozenset(range(1, len(left)))
        assert set(movable(left)) == {
            (frozenset([0]), direction),
            (others, direction.opposite),
        }
        left = left[1:]
    assert all(piece.is_connected for piece in pieces)


def bars(*lengths: int) -> list[Voxels]:
    """Bars of one cell's width side by side, along x."""
    return [Voxels.from_cells((x, y, 0) for x in range(n)) for y, n in enumerate(lengths)]


def test_bars_that_lie_loose_have_no_forced_order() -> None:
    assert find_forced_order(bars(3, 3, 3)) is None


def test_two_pieces_have_one_whichever_way_they_part() -> None:
    order = find_forced_order(bars(2, 2))
    assert order is not None and [piece for piece, _ in order] == [0]


def test_the_last_two_pieces_part_in_whichever_direction_is_free() -> None:
    pieces = cut(5, BOX, Random(149))
    assert pieces is not None and find_forced_order(pieces) is not None


def test_a_piece_that_is_caged_can_not_be_taken_out() -> None:
    block = Voxels.make_block((3, 3, 3)).cell_set
    assert (
        find_forced_order([Voxels.from_cells(block - {(1, 1, 1)}), Voxels.from_cells([(1, 1, 1)])])
        is None
    )


def test_a_piece_that_can_move_but_not_leave_makes_no_order() -> None:
    wall = [(x, y, z) for x in range(4) for y in range(3) for z in range(3)]
    room = [(1, 1, 1), (2, 1, 1)]
    assert (
        find_forced_order(
            [Voxels.from_cells([(1, 1, 1)]), Voxels.from_cells(set(wall) - set(room))]
        )
        is None
    )


@pytest.mark.slow
def test_thirty_two_pieces_come_out_one_after_another() -> None:
    pieces = cut(32, (8, 8, 8), Random(0))
    assert pieces is not None and len(pieces) == 32
    order = find_forced_order(pieces)
    assert order is not None and [piece for piece, _ in order] == list(range(31))
