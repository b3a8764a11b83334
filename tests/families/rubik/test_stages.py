"""The scores of CubeBench's dense rewards."""

import pytest
from hypothesis import given

from pysim.families.rubik.cube import SOLVED, Cube, make_cube
from pysim.families.rubik.moves import parse_moves
from pysim.families.rubik.stages import STAGES, find_stage, score_faces, score_stickers
from tests.families.rubik.sequences import SUPERFLIP, cubes


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("", 7),
        ("R U R' U R U2 R' L' U' L U' L' U2 L", 6),  # Twists corners above only.
        ("R' F R' B2 R F' R' B2 R2", 5),  # Three corners above change places.
        ("R U' R U R U R U' R' U' R2", 4),  # Three edges above change places.
        ("F R U R' U' F'", 3),  # The cross above is gone.
        ("U R U' R' U' F' U F", 2),  # An edge of the middle layer is above.
        ("R U R'", 1),  # A corner below is above.
        ("D", 0),
        (SUPERFLIP, 0),
    ],
)
def test_known_sequences_spoil_known_stages(text: str, stage: int) -> None:
    assert find_stage(make_cube(parse_moves(text))) == stage


@given(cubes)
def test_scores_lie_in_their_ranges_and_are_full_only_when_solved(cube: Cube) -> None:
    assert 0 <= find_stage(cube) <= STAGES and (find_stage(cube) == STAGES) == cube.solved
    assert 6 <= score_stickers(cube) <= 54 and (score_stickers(cube) == 54) == cube.solved
    assert 0 <= score_faces(cube) <= 6 and (score_faces(cube) == 6) == cube.solved


def test_one_turn_costs_twelve_stickers_and_four_faces() -> None:
    cube = make_cube(parse_moves("R"))
    assert score_stickers(cube) == 54 - 12 and score_faces(cube) == 2
    assert score_stickers(SOLVED) == 54 and score_faces(SOLVED) == 6
