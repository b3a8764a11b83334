"""Distances near home against published counts and another way to find them."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.rubik.cube import SOLVED, make_cube, turn_of
from pysim.families.rubik.moves import Metric, Move
from pysim.families.rubik.solver.distance_table import load_distance_table
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from tests.families.rubik.test_solver import BY_DEPTH
from tests.sampling import more


@pytest.mark.parametrize("metric", Metric)
def test_the_tables_hold_the_published_numbers_of_positions(metric: Metric) -> None:
    counts = load_distance_table(metric).counts
    assert counts == BY_DEPTH[metric][: len(counts)]


def words(metric: Metric, longest: int) -> st.SearchStrategy[list[Move]]:
    return st.lists(st.sampled_from(metric.moves), max_size=longest)


@pytest.mark.parametrize("metric", Metric)
@given(data=st.data())
@settings(max_examples=more(20))
def test_distances_are_those_of_the_breadth_first_search(
    metric: Metric, data: st.DataObject
) -> None:
    cube = make_cube(data.draw(words(metric, 8)))
    distance = create_meet_in_middle(metric, 4).find_distance(cube)
    assert load_distance_table(metric).find_distance(cube) == distance
    for move, after in load_distance_table(metric).list_distances(cube).items():
        assert after == load_distance_table(metric).find_distance(cube.compose(turn_of(move)))
        assert distance is not None
        assert abs(after - distance) <= 1


@pytest.mark.parametrize("metric", Metric)
def test_plans_are_shortest_solutions(metric: Metric) -> None:
    random = Random(1)
    for length in range(9):
        cube = make_cube(random.choices(metric.moves, k=length))
        plan = load_distance_table(metric).plan(cube)
        assert cube.turn(plan).solved
        assert len(plan) == load_distance_table(metric).find_distance(cube)
    assert load_distance_table(metric).plan(SOLVED) == ()


@pytest.mark.parametrize(
    ("metric", "depth", "lengths"),
    [
        (Metric.HTM, 4, (7, 8)),
        pytest.param(Metric.HTM, 5, (9, 10), marks=pytest.mark.slow),
        pytest.param(Metric.QTM, 5, (10, 12), marks=pytest.mark.slow),
    ],
)
def test_far_cubes_are_as_far_as_two_breadth_first_searches_say(
    metric: Metric, depth: int, lengths: tuple[int, ...]
) -> None:
    rng, oracle = Random(1), create_meet_in_middle(metric, depth)
    for length in lengths * more(1, night=2):
        cube = make_cube(rng.choices(metric.moves, k=length))
        expected = oracle.find_distance(cube)
        if expected is None:
            continue
        assert load_distance_table(metric).find_distance(cube) == expected
        assert load_distance_table(metric).find_distance(cube, expected - 1) == expected
        after = load_distance_table(metric).list_progress(cube)
        for move, left in list(after.items())[length % 3 :: 4]:
            assert left in (expected - 1, expected)
            beyond = oracle.find_distance(cube.compose(turn_of(move)))
            assert (beyond == expected - 1) == (left == expected - 1)
