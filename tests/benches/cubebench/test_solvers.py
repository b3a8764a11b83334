"""The two solvers, and what they say of a text that is no cube."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.benches.cubebench.solvers import UnreadableCube, solve_ideal, solve_standard
from pysim.families.rubik.choices import FACE_TURNS
from pysim.families.rubik.cube import SOLVED, Cube, make_cube
from pysim.families.rubik.moves import Move, list_moves, parse_moves
from pysim.families.rubik.strings import Letters, Order, format_cube

CUBES = st.lists(st.sampled_from(list_moves()), max_size=25).map(make_cube)


def standard(cube: Cube) -> str:
    return format_cube(cube, Order.SOLVER, Letters.FACES)


@settings(max_examples=25)
@given(CUBES)
def test_both_solve_a_cube_in_quarter_turns(cube: Cube) -> None:
    for moves in (solve_standard(standard(cube)), solve_ideal(format_cube(cube, Order.DRAWN))):
        assert set(moves) <= set(FACE_TURNS)
        assert cube.turn(map(Move.parse, moves)).solved


def test_a_solved_cube_takes_no_move() -> None:
    assert solve_standard("U" * 9 + "R" * 9 + "F" * 9 + "D" * 9 + "L" * 9 + "B" * 9) == []
    assert solve_ideal(format_cube(SOLVED, Order.DRAWN)) == []


SCRAMBLED = make_cube(parse_moves("R U F' L D B"))


def broken(kind: str) -> str:
    """A cube of the standard solver with one thing wrong."""
    cube = SOLVED
    changed = {
        "twist": Cube(cube.corners, (1, *cube.twists[1:]), cube.edges, cube.flips),
        "flip": Cube(cube.corners, cube.twists, cube.edges, (1, *cube.flips[1:])),
        "parity": Cube((1, 0, *cube.corners[2:]), cube.twists, cube.edges, cube.flips),
        "count": Cube((1, 1, *cube.corners[2:]), cube.twists, cube.edges, cube.flips),
    }
    return standard(changed[kind])


@pytest.mark.parametrize("kind", ["twist", "flip", "parity", "count"])
def test_what_is_wrong_with_a_cube_is_named(kind: str) -> None:
    with pytest.raises(UnreadableCube, match=f"^{kind}: "):
        solve_standard(broken(kind))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("U" * 53, "letters: .* 54 letters, not 53"),
        ("", "not 0"),
        ("X" * 54, "not 'X'"),
        ("U" * 54, "count: .*U is there 54 times"),
        (None, "54 letters, not NoneType"),
        (["U"] * 54, "54 letters, not list"),
        ("\ud800" * 54, "letters: "),
    ],
)
def test_what_is_no_cube_at_all_is_told(state: object, words: str) -> None:
    with pytest.raises(UnreadableCube, match=words):
        solve_standard(state)


def test_each_refuses_the_other_ones_format() -> None:
    with pytest.raises(UnreadableCube, match=r"letters: .*W R G Y O B"):
        solve_ideal(standard(SCRAMBLED))
    with pytest.raises(UnreadableCube, match=r"letters: .*U R F D L B"):
        solve_standard(format_cube(SCRAMBLED))


def test_letters_of_faces_in_the_order_of_observations_are_no_cube() -> None:
    """Putting the facelets in order is the agent's work."""
    with pytest.raises(UnreadableCube):
        solve_standard(format_cube(SCRAMBLED, Order.DRAWN, Letters.FACES))
