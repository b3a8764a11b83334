"""The referee's stickers and searches against published counts and against Luban's cubies."""

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.referee.rubik.distances import Metric, _encode, count_states, find_distance, make_ball
from bridge.referee.rubik.stickers import (
    HOME,
    TURNS,
    FaceNumbers,
    apply_turns,
    format_letters,
    is_odd,
    parse_letters,
)
from pysim.families.rubik.cube import SOLVED, Cube, make_cube, turn_of
from pysim.families.rubik.moves import Metric as LubanMetric
from pysim.families.rubik.moves import parse_moves
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.strings import format_cube, parse_cube
from tests.sampling import more

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
sequences = st.lists(st.sampled_from(TURNS), max_size=30)


@settings(deadline=None)
@given(sequences)
def test_stickers_are_where_luban_has_them(names: list[str]) -> None:
    labels = apply_turns(HOME, names)
    assert format_letters(labels) == format_cube(make_cube(parse_moves(" ".join(names))))
    assert parse_letters(format_letters(labels)) == labels
    quarters = sum(2 if name.endswith("2") else 1 for name in names)
    assert is_odd(labels) == bool(quarters % 2)


@settings(deadline=None)
@given(sequences, st.lists(st.tuples(st.integers(0, 53), st.integers(0, 53)), max_size=3))
def test_both_refuse_the_same_cubes(names: list[str], swaps: list[tuple[int, int]]) -> None:
    text = list(format_letters(apply_turns(HOME, names)))
    for one, other in swaps:
        text[one], text[other] = text[other], text[one]
    assert valid("".join(text)) == valid_for_luban("".join(text))


@pytest.mark.parametrize(
    ("exchanged", "words"),
    [
        ([(10, 3)], "flipped"),
        ([(0, 9), (9, 47)], "twisted"),
        ([(0, 9)], "mirrored"),
        ([(1, 7), (46, 19)], "exchanged"),
        ([(4, 13)], "centre"),
        ([(0, 53)], "no cubie"),
    ],
)
def test_what_no_turns_lead_to_is_refused_with_the_reason(
    exchanged: list[tuple[int, int]], words: str
) -> None:
    text = list(format_letters(HOME))
    for one, other in exchanged:
        text[one], text[other] = text[other], text[one]
    assert not valid_for_luban("".join(text))
    with pytest.raises(ValueError, match=words):
        parse_letters("".join(text))


def valid(text: str) -> bool:
    try:
        parse_letters(text)
    except ValueError:
        return False
    return True


def valid_for_luban(text: str) -> bool:
    try:
        parse_cube(text)
    except ValueError:
        return False
    return True


def test_the_levels_of_the_cube_have_the_published_sizes() -> None:
    assert count_states(Metric.HTM, 5) == [1, 18, 243, 3240, 43239, 574908]
    assert count_states(Metric.QTM, 6) == [1, 12, 114, 1068, 10011, 93840, 878880]


@pytest.mark.slow
def test_the_levels_at_the_radius_of_the_search_have_the_published_sizes() -> None:
    assert count_states(Metric.HTM, 6)[6] == 7618438
    assert count_states(Metric.QTM, 7)[7] == 8221632


def test_the_ball_has_as_many_states_as_plain_sets_of_stickers() -> None:
    reached, edge = {HOME}, {HOME}
    for size in count_states(Metric.HTM, 3):
        assert len(edge) == size
        edge = {apply_turns(labels, [name]) for labels in edge for name in TURNS} - reached
        reached |= edge


@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("radius", [1, 2, 3])
def test_a_distance_does_not_depend_on_where_the_two_searches_meet(
    metric: Metric, radius: int
) -> None:
    rng = random.Random(radius)
    for length in range(6):
        labels = apply_turns(HOME, rng.choices(TURNS, k=length))
        expected = find_distance(labels, metric, 8, radius=5)
        most = 5 if expected is None else expected
        assert find_distance(labels, metric, min(most, 5), radius=radius) == (
            expected if most <= 5 else None
        )


@pytest.mark.parametrize("metric", Metric)
def test_random_cubes_are_as_far_as_luban_says(metric: Metric) -> None:
    rng, own = random.Random(3), LubanMetric[metric.value]
    for length in (1, 2, 3, 4, 5, 6, 7, 8, 8)[: more(6, night=9)]:
        names = rng.choices(TURNS, k=length)
        cube = make_cube(parse_moves(" ".join(names)))
        expected = create_meet_in_middle(own, 5).find_distance(cube)
        if expected is not None:
            assert find_distance(apply_turns(HOME, names), metric, expected) == expected
            assert (
                expected == 0
                or find_distance(apply_turns(HOME, names), metric, expected - 1) is None
            )


def test_the_superflip_is_not_near() -> None:
    labels = apply_turns(HOME, SUPERFLIP.split())
    assert find_distance(labels, Metric.HTM, 10, radius=5) is None
    assert find_distance(labels, Metric.QTM, 11, radius=6) is None


def test_matching_hash_proves_nothing_without_a_way_home() -> None:
    """A foreign hash is planted in the outermost shell: no turns solve the cube from it."""
    near, far = make_ball(Metric.HTM, 1), make_ball(Metric.HTM, 2)
    planted = replace(near, shells=(near.shells[0], far.shells[2]))
    state = _encode(apply_turns(HOME, ["R", "U"]))
    assert far.measure_distance_home(state) == 2 and near.measure_distance_home(state) is None
    assert planted.measure_distance_home(state) is None


def subgroup(*generators: str) -> dict[FaceNumbers, Cube]:
    """Every state that some turns lead to, by the referee's stickers, with Luban's cube."""
    found = {HOME: SOLVED}
    edge = [HOME]
    for labels in edge:
        for name in generators:
            after = apply_turns(labels, [name])
            if after not in found:
                (move,) = parse_moves(name)
                found[after] = found[labels].compose(turn_of(move))
                edge.append(after)
    return found


def reads_alike(labels: FaceNumbers, cube: Cube) -> None:
    text = format_letters(labels)
    assert format_cube(cube) == text and parse_letters(text) == labels
    assert parse_cube(text) == cube and cube.solved == (labels == HOME)


def moves_agree(labels: FaceNumbers, cube: Cube) -> None:
    for name in TURNS:
        (move,) = parse_moves(name)
        assert format_cube(cube.compose(turn_of(move))) == format_letters(
            apply_turns(labels, [name])
        )


@pytest.mark.slow
def test_two_half_turns_make_twelve_states_that_all_agree() -> None:
    states = subgroup("R2", "U2")
    assert len(states) == 12
    for (labels, cube), metric in product(states.items(), Metric):
        reads_alike(labels, cube)
        moves_agree(labels, cube)
        expected = create_meet_in_middle(LubanMetric[metric.value], 5).find_distance(cube)
        most = 10 if expected is None else expected
        assert find_distance(labels, metric, most, radius=5) == expected


def test_every_twelfth_state_of_r2_and_u_reads_alike() -> None:
    states = subgroup("R2", "U")
    assert len(states) == 14_400
    for labels, cube in list(states.items())[::12]:
        reads_alike(labels, cube)


@pytest.mark.slow
def test_all_states_of_r2_and_u_read_and_turn_alike() -> None:
    for labels, cube in subgroup("R2", "U").items():
        reads_alike(labels, cube)
        moves_agree(labels, cube)


@pytest.mark.slow
def test_every_sixteenth_state_of_r2_and_u_is_as_far_as_luban_says() -> None:
    """All would take two hours."""
    near = create_meet_in_middle(LubanMetric.HTM, 5)
    for labels, cube in list(subgroup("R2", "U").items())[::16]:
        expected = near.find_distance(cube)
        most = 10 if expected is None else expected
        assert find_distance(labels, Metric.HTM, most, radius=5) == expected
