"""Pieces that grow: seen as they are, also where at first it looked as if they slid or turned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.compare.tracking.doubts import is_in_others
from bridge.compare.tracking.oddness import freely, oddly
from bridge.compare.tracking.posing import moved, stretched, turned
from tests.compare.tracking.test_doubles import FACES, MIDDLE, shown

END = np.array([-0.5, -0.5, -0.5])


def grown(times: float) -> np.ndarray:
    """The bar, so many times as long, one of its ends where it was."""
    return stretched(np.eye(4), END, 0, times)


@pytest.mark.parametrize("times", [1.15, 1.3, 1.5])
def test_how_long_a_piece_has_grown_is_found_from_where_it_was_at_home(times: float) -> None:
    sight = shown((FACES, grown(times)))
    askew = turned(np.eye(4), MIDDLE, np.array([0.0, 0.25, 0.0]))
    found = freely(sight, sight.weigh(askew), np.zeros(3), np.eye(4))
    assert np.abs(found.pose - grown(times)).max() < 0.06


def test_less_has_to_tell_of_growth_where_others_are_in_the_way_of_a_slide() -> None:
    sight = shown((FACES, grown(1.06)))
    slid = sight.weigh(moved(np.eye(4), np.array([0.18, 0.0, 0.0])))
    lawful = oddly(sight, slid, slid, np.eye(4))
    barred = oddly(sight, slid, slid, np.eye(4), barred=True)
    assert np.array_equal(lawful.pose, slid.pose)
    assert np.abs(barred.pose - grown(1.06)).max() < 0.05


@given(st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_boxes_are_in_each_other_if_they_overlap_along_all_axes(off: tuple[float, ...]) -> None:
    one = np.array([(x, y, 0.0) for x in range(3) for y in range(2)])
    poses = np.stack([np.eye(4), moved(np.eye(4), np.array(off)), moved(np.eye(4), np.full(3, 50))])
    deep = min(side - abs(by) for side, by in zip((3.0, 2.0, 1.0), off, strict=True))
    # Cells that overlap are less deep in each other than the boxes that they make may be.
    if abs(deep - 0.5) > 0.01 and deep < 0.7:
        everything = np.ones(3, bool)
        assert is_in_others((one, one, one), poses, everything, 0) is (deep > 0.5)
        assert not is_in_others((one, one, one), poses, np.array([True, False, True]), 0)
