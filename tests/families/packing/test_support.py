"""Static equilibrium, against a linear programme in floats and against cases done by hand."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from pysim.families.packing.grid import list_cells, mask_of
from pysim.families.packing.support import find_falling, is_steady
from pysim.geometry import Cell
from tests.families.packing.puzzles import packed_boxes
from tests.sampling import more

SIZE = (6, 3, 4)


def masks(*pieces: list[Cell]) -> list[int]:
    return [mask_of(SIZE, cells) for cells in pieces]


def bar(x: int, length: int, z: int, y: int = 0) -> list[Cell]:
    return [(x + i, y, z) for i in range(length)]


def stands_in_floats(size: Cell, pieces: list[int], half: float) -> bool:
    """A force at each corner of each contact face of a cell; no hulls, no short cuts."""
    cells = [list_cells(size, mask) for mask in pieces]
    owner = {cell: i for i, own in enumerate(cells) for cell in own}
    columns = []
    for (x, y, z), upper in owner.items():
        lower = owner.get((x, y, z - 1))
        if lower == upper or (lower is None and z > 0):
            continue
        for dx, dy in itertools.product((-half, half), repeat=2):
            column = np.zeros(3 * len(cells))
            column[3 * upper : 3 * upper + 3] = (1, x + dx, y + dy)
            if lower is not None:
                column[3 * lower : 3 * lower + 3] = (-1, -x - dx, -y - dy)
            columns.append(column)
    weights = [
        v for own in cells for v in (len(own), sum(c[0] for c in own), sum(c[1] for c in own))
    ]
    if not columns:
        return not cells
    found = linprog(np.zeros(len(columns)), A_eq=np.array(columns).T, b_eq=weights, method="highs")
    return bool(found.status == 0)


@settings(max_examples=more(80, night=750))
@given(packed_boxes(), st.integers(0, 2**32))
@example(((2, 3, 3), (175_776, 86_337, 30)), 353)  # One in a hundred tells the signs of torques.
@example(((3, 2, 3), (45_056, 69_248, 262, 121, 147_456)), 77)
def test_the_exact_answer_is_that_of_a_linear_programme(
    packed: tuple[Cell, tuple[int, ...]], seed: int
) -> None:
    size, pieces = packed
    rng = random.Random(seed)
    some = [mask for mask in pieces if rng.random() < 0.7]
    assert (not find_falling(size, some)) == stands_in_floats(size, some, 0.5)
    assert is_steady(size, some) == stands_in_floats(size, some, 0.45)


@settings(max_examples=more(20))
@given(packed_boxes(), st.randoms(use_true_random=False))
def test_the_order_of_pieces_does_not_matter_and_steady_ones_are_supported(
    packed: tuple[Cell, tuple[int, ...]], rng: random.Random
) -> None:
    size, pieces = packed
    some = rng.sample(pieces, rng.randint(0, len(pieces)))
    moved = {some[i] for i in find_falling(size, some)}
    turned = list(reversed(some))
    assert {turned[i] for i in find_falling(size, turned)} == moved
    assert not (is_steady(size, some) and moved)


@settings(max_examples=more(20))
@given(packed_boxes())
def test_a_full_box_is_always_supported(packed: tuple[Cell, tuple[int, ...]]) -> None:
    size, pieces = packed
    assert not find_falling(size, pieces) and is_steady(size, pieces)


@settings(max_examples=more(20))
@given(packed_boxes(), st.randoms(use_true_random=False))
def test_what_falls_can_move_without_the_others(
    packed: tuple[Cell, tuple[int, ...]], rng: random.Random
) -> None:
    """Held in their places, as if on the floor, the others do not stop it."""
    size, pieces = packed
    some = rng.sample(pieces, rng.randint(1, len(pieces)))
    for piece in find_falling(size, some):
        alone = [some[piece]]
        # A piece that stands on its own foot moves only because of what lies on it.
        if not find_falling(size, alone):
            cells = list_cells(size, some[piece])
            above = {(x, y, z + 1) for x, y, z in cells} - set(cells)
            assert any(above & set(list_cells(size, mask)) for mask in some if mask != some[piece])


def test_a_piece_needs_something_below_it() -> None:
    assert not find_falling(SIZE, masks(bar(0, 3, 0)))
    assert find_falling(SIZE, masks(bar(0, 3, 1))) == {0}
    # Touching from the side carries nothing.
    assert find_falling(SIZE, masks(bar(0, 3, 0), [(3, 0, 1)], bar(0, 3, 1))) == {1}


@pytest.mark.parametrize(
    ("overhang", "stays", "firmly"),
    [(0, True, True), (1, True, True), (2, True, False), (3, False, False)],
)
def test_a_bar_tips_when_more_than_half_of_it_is_in_the_air(
    overhang: int, stays: bool, firmly: bool
) -> None:
    """Four cells long: with two in the air its centre of mass is above the very edge."""
    pieces = masks(bar(0, 4 - overhang, 0), bar(0, 4, 1))
    assert (not find_falling(SIZE, pieces)) == stays
    assert is_steady(SIZE, pieces) == firmly


def test_a_counterweight_holds_what_would_tip() -> None:
    foot, plank, weight = [(0, 0, 0)], bar(0, 3, 1), [(0, 0, 2)]
    heavy = [(0, 0, 2), (0, 0, 3)]
    assert find_falling(SIZE, masks(foot, plank)) == {1}
    # About the edge at 1/2 the plank turns with -1/2 + 1/2 + 3/2, a cell above the foot with -1/2.
    assert find_falling(SIZE, masks(foot, plank, weight))
    assert not find_falling(SIZE, masks(foot, bar(0, 2, 1), weight))
    assert not is_steady(SIZE, masks(foot, bar(0, 2, 1)))
    assert is_steady(SIZE, masks(foot, bar(0, 2, 1), heavy))


def test_a_weight_on_the_free_end_makes_the_lower_piece_tip() -> None:
    foot, plank = bar(0, 2, 0), bar(0, 3, 1)
    assert not find_falling(SIZE, masks(foot, plank))
    load = [(2, 0, 2), (2, 0, 3), (3, 0, 3)]
    found = find_falling(SIZE, masks(foot, plank, load))
    assert 1 in found and 0 not in found


def test_a_weight_on_a_corner_in_the_air_counts_along_both_sides() -> None:
    """The centre is at y = 10/6 with one cell of weight, 10/7 with two; the foot ends at 3/2."""
    step = [(0, 2, 0), (1, 2, 0), (1, 2, 1), (2, 1, 1), (2, 2, 1)]
    assert not find_falling(SIZE, masks(step, [(2, 1, 2)]))
    assert 0 in find_falling(SIZE, masks(step, [(2, 0, 2), (2, 1, 2)]))


def test_a_bridge_stands_on_two_feet_and_falls_without_one() -> None:
    left, right, top = [(0, 0, 0)], [(3, 0, 0)], bar(0, 4, 1)
    assert is_steady(SIZE, masks(left, right, top))
    assert find_falling(SIZE, masks(left, top)) == {1}


def test_pieces_that_lean_on_each_other_crosswise_are_decided_too() -> None:
    """Each lies on the other at one end: no piece can be asked about before the other."""
    one = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (2, 0, 1)]
    other = [(1, 0, 0), (2, 0, 0), (3, 0, 0), (3, 0, 1)]
    assert not find_falling(SIZE, masks(one, other))
    hook = [(0, 0, 1), (0, 0, 2), (1, 0, 2), (1, 1, 2), (1, 1, 1)]
    eye = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0)]
    assert stands_in_floats(SIZE, masks(hook, eye), 0.5) == (
        not find_falling(SIZE, masks(hook, eye))
    )
