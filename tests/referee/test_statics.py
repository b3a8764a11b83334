"""The referee's statics against hand-made cases and against Luban's simplex method."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.referee.packing.statics import is_stable
from bridge.referee.polycubes import Cell
from pysim.families.packing.grid import mask_of
from pysim.families.packing.support import find_falling, is_steady
from tests.referee.partitions import random_cut
from tests.sampling import more


def bar(x: int, length: int, z: int) -> list[Cell]:
    return [(x + i, 0, z) for i in range(length)]


@pytest.mark.parametrize(
    ("overhang", "holds", "firmly"),
    [(0, True, True), (1, True, True), (2, True, False), (3, False, False)],
)
def test_a_bar_of_four_stays_up_to_the_very_edge(overhang: int, holds: bool, firmly: bool) -> None:
    pieces = [bar(0, 4 - overhang, 0), bar(0, 4, 1)]
    assert is_stable(pieces) == holds
    assert is_stable(pieces, spare=True) == firmly


def test_nothing_and_what_lies_on_the_floor_stays() -> None:
    assert is_stable([]) and is_stable([bar(0, 3, 0)]) and not is_stable([bar(0, 3, 1)])


def test_walls_and_faces_that_touch_sideways_carry_nothing() -> None:
    assert not is_stable([bar(0, 3, 0), [(3, 0, 1)]])
    assert not is_stable([[(0, 0, 0), (0, 0, 1)], [(1, 0, 1)]])


def test_a_counterweight_holds_what_would_tip() -> None:
    foot, plank = [(0, 0, 0)], bar(0, 3, 1)
    assert not is_stable([foot, plank])
    assert not is_stable([foot, plank, [(0, 0, 2)]])
    # About the edge at 1/2: the plank -1/2 + 1/2 + 3/2, three cells above the foot -3/2.
    assert is_stable([foot, plank, [(0, 0, 2), (0, 0, 3), (0, 0, 4)]])
    assert not is_stable([foot, plank, [(0, 0, 2), (0, 0, 3), (0, 0, 4)]], spare=True)


def test_a_stack_of_bricks_hangs_over_as_far_as_the_harmonic_series() -> None:
    """The top brick by 1/2, the next by 1/4: bricks of four cells by two and one."""
    assert is_stable([bar(0, 4, 0), bar(1, 4, 1), bar(3, 4, 2)])
    assert not is_stable([bar(0, 4, 0), bar(2, 4, 1), bar(4, 4, 2)])


@pytest.mark.slow
@settings(deadline=None, max_examples=more(30))
@given(
    st.tuples(st.integers(2, 4), st.integers(1, 4), st.integers(2, 4)),
    st.integers(2, 7),
    st.integers(0, 2**32),
)
def test_luban_and_the_referee_agree_on_what_stays(size: Cell, count: int, seed: int) -> None:
    rng = random.Random(seed)
    cells = size[0] * size[1] * size[2]
    pieces = [p for p in random_cut(rng, size, min(count, cells)) if rng.random() < 0.7]
    masks = [mask_of(size, piece) for piece in pieces]
    assert is_stable(pieces) == (not find_falling(size, masks))
    assert is_stable(pieces, spare=True) == is_steady(size, masks)
