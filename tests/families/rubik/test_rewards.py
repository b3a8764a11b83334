"""CubeBench's rewards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.families.rubik.cube import SOLVED, Cube, make_cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import list_moves, parse_moves
from pysim.families.rubik.rewards import Reward, score_terminal
from pysim.families.rubik.strings import Order, format_cube

CUBES = st.lists(st.sampled_from(list_moves()), max_size=25).map(make_cube)


@pytest.mark.parametrize(
    ("moves", "stickers", "faces", "stage"),
    [
        ("", 54, 6, 7),
        ("U", 42, 2, 4),  # Twelve stickers of four faces; the cross above shows its colour.
        ("D", 42, 2, 0),
        ("U2", 42, 2, 4),
    ],
)
def test_metrics_of_known_cubes(moves: str, stickers: int, faces: int, stage: int) -> None:
    cube = make_cube(parse_moves(moves))
    assert Reward.FACE.score(cube) == faces
    assert Reward.HEURISTIC.score(cube) == stage
    assert Reward.STICKER.score(cube) == stickers


@given(CUBES)
def test_metrics_are_those_of_the_letters(cube: Cube) -> None:
    text = format_cube(cube, Order.SOLVER)
    faces = [text[i : i + 9] for i in range(0, 54, 9)]
    homes = [face.letter for face in Face]
    stickers = sum(face.count(home) for face, home in zip(faces, homes, strict=True))
    assert Reward.STICKER.score(cube) == stickers
    assert 6 <= stickers <= 54
    assert Reward.FACE.score(cube) == sum(len(set(face)) == 1 for face in faces)
    assert 0 <= Reward.HEURISTIC.score(cube) <= 7
    assert Reward.NONE.score(cube) == 0
    assert score_terminal(cube) == (cube == SOLVED)


def test_six_stickers_at_home_is_the_least() -> None:
    """The pattern in which each face has its centre in other colours (six spots)."""
    cube = make_cube(parse_moves("U D' R L' F B' U D'"))
    assert Reward.STICKER.score(cube) == 6


def test_an_unknown_reward_is_told() -> None:
    with pytest.raises(ValueError, match="there are none, sticker, face, heuristic"):
        Reward("best")
