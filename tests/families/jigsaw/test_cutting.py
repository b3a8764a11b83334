"""Cubes are cut as the paper says."""

from collections import Counter
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.families.jigsaw.cutting import Cut, cut_cube
from pysim.families.jigsaw.fitting import find_conflicts, is_cube
from pysim.families.jigsaw.shell import CELLS, list_cells, list_faces, mask_of
from tests.families.jigsaw.cubes import cuts, is_whole


@given(cuts)
def test_the_pieces_of_a_cut_make_the_cube(cut: Cut) -> None:
    assert is_cube(cut.pieces, cut.places) and is_whole(cut.pieces, cut.places)
    assert not find_conflicts(cut.pieces, cut.places)
    assert all(rows[1][1:4] == rows[2][1:4] == rows[3][1:4] == "###" for rows in cut.pieces)


@given(st.integers(0, 10**6))
def test_a_cut_follows_from_its_seed(seed: int) -> None:
    assert cut_cube(Random(seed), flipped=True) == cut_cube(Random(seed), flipped=True)


@given(st.integers(0, 10**6))
def test_nothing_is_turned_over_unless_that_is_asked_for(seed: int) -> None:
    assert not any(place.flipped for place in cut_cube(Random(seed), flipped=False).places)


@pytest.mark.slow
def test_cells_go_evenly_to_the_faces_that_meet_there_and_pieces_lie_evenly() -> None:
    random, count = Random(1), 600
    owners: dict[tuple[int, int, int], Counter[str]] = {cell: Counter() for cell in CELLS}
    ways: Counter[object] = Counter()
    for _ in range(count):
        cut = cut_cube(random, flipped=True)
        ways.update((i, place) for i, place in enumerate(cut.places))
        for rows, place in zip(cut.pieces, cut.places, strict=True):
            for cell in list_cells(mask_of(rows, place)):
                owners[cell][place.face] += 1
    for cell, found in owners.items():
        assert set(found) == set(list_faces(cell)) and found.total() == count
        share = 1 / len(found)
        reach = 4.5 * sqrt(count * share * (1 - share))
        assert all(abs(n - count * share) <= reach for n in found.values()), (cell, found)
    expected = count / 48
    assert len(ways) == 6 * 48
    assert all(abs(n - expected) <= 5 * sqrt(expected) for n in ways.values())


def test_some_pieces_are_in_two_parts_for_a_corner_may_lose_both_neighbours() -> None:
    whole = [cut_cube(Random(seed), flipped=False).whole for seed in range(200)]
    assert 0 < sum(whole) < 200
