"""Solutions are all found, and counted as the paper counts them."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.referee.jigsaw.counting import count_answers, count_distinct_cubes
from bridge.referee.jigsaw.placement import read_puzzle
from pysim.families.jigsaw.cutting import Cut, cut_cube
from pysim.families.jigsaw.faces import Edge, Seat, ShellFace, list_seats
from pysim.families.jigsaw.fitting import find_conflicts, is_cube
from pysim.families.jigsaw.solving import Placing, count_assemblies, search_space, solve
from tests.families.jigsaw.cubes import PieceRows, by_brute_force, cuts, sample

BLANK = (".....", ".###.", ".###.", ".###.", ".....")
FULL = ("#####",) * 5
BAND = (".###.", ".###.", ".###.", ".###.", ".###.")
PLAIN = (FULL, FULL, BAND, BAND, BLANK, BLANK)
"""Two lids, and a wall of two bands and two middles: 25 + 25 + 15 + 15 + 9 + 9 = 98 cells."""


def document_of(pieces: Sequence[PieceRows]) -> dict[str, object]:
    return {
        "puzzle": {
            "pieces": [
                {"colour": name, "rows": list(rows)}
                for name, rows in zip("abcdef", pieces, strict=True)
            ]
        }
    }


def test_the_published_sample_makes_a_cube_in_one_way_up_to_turning_and_mirroring() -> None:
    pieces, places = sample()
    assert is_cube(pieces, places) and find_conflicts(pieces, places) == ()
    solved = solve(Placing(pieces, {}))
    assert solved.complete and count_assemblies(pieces, solved.found) == 1
    moved = {tuple(p.move(w) for p in one) for one in solved.found for w in list_seats()}
    assert tuple(places) in moved and len(moved) == solved.right == 48


@given(cuts, st.sampled_from([(0, 1), (2, 4), (5, 3)]), st.booleans())
@settings(max_examples=12)
def test_the_last_two_pieces_are_placed_as_brute_force_does(
    cut: Cut, missing: tuple[int, int], flips: bool
) -> None:
    kept = {i: place for i, place in enumerate(cut.places) if i not in missing}
    solved = solve(Placing(cut.pieces, kept, flips))
    assert set(solved.found) == by_brute_force(cut, sorted(missing), flips=flips)
    assert solved.copies == 1 and solved.right == len(solved.found)


@given(st.integers(0, 10**6))
@settings(max_examples=4)
def test_the_last_three_pieces_are_placed_as_brute_force_does(seed: int) -> None:
    cut = cut_cube(Random(seed), flipped=False)
    kept = {i: cut.places[i] for i in (1, 3, 5)}
    found = set(solve(Placing(cut.pieces, kept, flips=False)).found)
    assert found == by_brute_force(cut, (0, 2, 4), flips=False)


@pytest.mark.slow
@given(cuts)
@settings(max_examples=10)
def test_counts_are_those_of_the_referee(cut: Cut) -> None:
    puzzle = read_puzzle(document_of(cut.pieces))
    solved = solve(Placing(cut.pieces, {}))
    assert solved.right == count_answers(puzzle)
    assert count_assemblies(cut.pieces, solved.found) == count_distinct_cubes(puzzle)


@pytest.mark.parametrize(("seed", "cubes"), [(2, 1), (35, 2)])
def test_of_two_ways_those_that_turn_or_mirror_into_each_other_are_one_cube(
    seed: int, cubes: int
) -> None:
    cut = cut_cube(Random(seed), flipped=False)
    found = solve(Placing(cut.pieces, {})).found
    assert len(found) == 2
    assert count_assemblies(cut.pieces, found) == cubes
    assert count_distinct_cubes(read_puzzle(document_of(cut.pieces))) == cubes


@pytest.mark.slow
def test_pieces_without_teeth_go_together_in_many_ways_and_all_are_found() -> None:
    puzzle = read_puzzle(document_of(PLAIN))
    solved = solve(Placing(PLAIN, {}))
    assert solved.right == count_answers(puzzle) > 48
    assert count_assemblies(PLAIN, solved.found) == count_distinct_cubes(puzzle) >= 1


@given(cuts)
@settings(max_examples=10)
def test_the_true_places_are_among_the_answers_and_all_answers_are_right(cut: Cut) -> None:
    solved = solve(Placing(cut.pieces, {}))
    moved = {tuple(p.move(w) for p in one) for one in solved.found for w in list_seats()}
    assert cut.places in moved
    assert all(is_cube(cut.pieces, places) for places in moved)
    assert len(moved) == solved.right


@pytest.mark.parametrize("flips", [False, True])
def test_without_flips_mirror_images_do_not_count(flips: bool) -> None:
    cut = cut_cube(Random(3), flipped=False)
    solved = solve(Placing(cut.pieces, {}, flips=flips))
    assert solved.copies == (48 if flips else 24)
    assert all(flips or not any(p.flipped for p in places) for places in solved.found)


def test_search_spaces_are_those_of_the_paper() -> None:
    assert search_space(6, flips=True) == 720 * 8**6 // 24 == 7_864_320
    assert search_space(2, flips=False) == 2 * 4**2 == 32
    assert round(100 / search_space(2, flips=False), 1) == 3.1


@given(st.sets(st.integers(0, 5), max_size=5), st.booleans())
def test_as_many_answers_can_be_given_as_there_are(placed: set[int], flips: bool) -> None:
    faces = list(ShellFace)
    given_places = {i: Seat(faces[i], Edge.LEFT, Edge.TOP) for i in placed}
    question = Placing(PLAIN, given_places, flips)
    count = 1
    for left in range(len(question.missing), 0, -1):
        count *= left * (8 if flips else 4)
    assert question.answers == count
    ways = 8 if flips else 4
    assert len(question.placements) == ways * len(question.open) == ways * len(question.missing)
