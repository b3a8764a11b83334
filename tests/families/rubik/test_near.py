"""Distances near home against published counts and another way to find them."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.rubik.cube import SOLVED, cube_after, turn_of
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver.near import near
from pysim.families.rubik.solver.shallow import shallow
from tests.families.rubik.test_solver import BY_DEPTH
from tests.sampling import more


@pytest.mark.parametrize("metric", Metric)
def test_the_tables_hold_the_published_numbers_of_positions(metric: Metric) -> None:
    counts = near(metric).counts
    assert counts == BY_DEPTH[metric][: len(counts)]


def words(metric: Metric, longest: int) -> st.SearchStrategy[list[Move]]:
    return st.lists(st.sampled_from(metric.moves), max_size=longest)


@pytest.mark.parametrize("metric", Metric)
@given(data=st.data())
@settings(max_examples=more(20))
def test_distances_are_those_of_the_breadth_first_search(
    metric: Metric, data: st.DataObject
) -> None:
    cube = cube_after(data.draw(words(metric, 8)))
    distance = shallow(metric, 4).distance(cube)
    assert near(metric).distance(cube) == distance
    for move, after in near(metric).after_each(cube).items():
        assert after == near(metric).distance(cube.then(turn_of(move)))
        assert distance is not None
        assert abs(after - distance) <= 1


@pytest.mark.parametrize("metric", Metric)
def test_plans_are_shortest_solutions(metric: Metric) -> None:
    random = Random(1)
    for length in range(9):
        cube = cube_after(random.choices(metric.moves, k=length))
        plan = near(metric).plan(cube)
        assert cube.after(plan).solved
        assert len(plan) == near(metric).distance(cube)
    assert near(metric).plan(SOLVED) == ()


@pytest.mark.parametrize(("metric", "lengths"), [(Metric.HTM, (9, 10)), (Metric.QTM, (10, 12))])
def test_far_cubes_are_as_far_as_two_breadth_first_searches_say(
    metric: Metric, lengths: tuple[int, ...]
) -> None:
    chance, oracle = Random(1), shallow(metric, 5)
    for length in lengths * 2:
        cube = cube_after(chance.choices(metric.moves, k=length))
        expected = oracle.distance(cube)
        if expected is None:
            continue
        assert near(metric).distance(cube) == expected
        assert near(metric).distance(cube, expected - 1) == expected
        after = near(metric).ahead(cube)
        for move, left in list(after.items())[length % 3 :: 4]:
            assert left in (expected - 1, expected)
            beyond = oracle.distance(cube.then(turn_of(move)))
            assert (beyond == expected - 1) == (left == expected - 1)
