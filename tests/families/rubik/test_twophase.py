"""The two-phase algorithm against a cube of stickers in space, and its tables against their law."""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.rubik.cube import SOLVED, Cube, compute_parity, make_cube
from pysim.families.rubik.moves import Move, format_moves, list_moves, parse_moves
from pysim.families.rubik.solver.phases import load_phases
from pysim.families.rubik.solver.twophase import solve_in_two_phases
from pysim.families.rubik.strings import Letters, Order, format_cube
from pysim.families.rubik.validity import InvalidCube
from tests.families.rubik.sequences import HARDEST, SUPERFLIP, cubes, sequences
from tests.sampling import more

LONGEST = 22
"""Face turns of any solution: the search goes on until it has one of so many."""

Vector = tuple[int, int, int]
NORMALS = {"U": (0, 1, 0), "R": (1, 0, 0), "F": (0, 0, 1)} | {
    "D": (0, -1, 0), "L": (-1, 0, 0), "B": (0, 0, -1)
}  # fmt: skip
RIGHT = {"U": "R", "R": "B", "F": "R", "D": "R", "L": "F", "B": "L"}
"""For each face what is on its right, as one looks at it with the face of DOWN below."""
DOWN = {"U": "F", "R": "D", "F": "D", "D": "B", "L": "D", "B": "D"}


def turned(vector: Vector, axis: Vector) -> Vector:
    """A vector after a quarter turn, clockwise as seen from the tip of ``axis``."""
    along = int(np.dot(vector, axis))
    x, y, z = (along * a - c for a, c in zip(axis, np.cross(axis, vector).tolist(), strict=True))
    return (x, y, z)


def stickers(letters: str) -> dict[tuple[Vector, Vector], str]:
    """The letter at each place and side, from 54 letters in the order U R F D L B."""
    result = {}
    faces = product("URFDLB", (-1, 0, 1), (-1, 0, 1))
    for letter, (face, row, column) in zip(letters, faces, strict=True):
        normal, right, down = (np.array(NORMALS[f]) for f in (face, RIGHT[face], DOWN[face]))
        place = (normal + column * right + row * down).tolist()
        result[tuple(place), NORMALS[face]] = letter
    return result


def replayed(letters: str, moves: str) -> bool:
    """Whether each face shows one letter after some moves."""
    shown = stickers(letters)
    for word in moves.split():
        axis = NORMALS[word[0]]
        for _ in range({"": 1, "2": 2, "'": 3}[word[1:]]):
            shown = {
                (turned(p, axis), turned(n, axis)) if np.dot(p, axis) == 1 else (p, n): letter
                for (p, n), letter in shown.items()
            }
    return all(NORMALS[letter] == normal for (_, normal), letter in shown.items())


def solves(solution: tuple[Move, ...], cube: Cube) -> bool:
    return replayed(format_cube(cube, Order.SOLVER, Letters.FACES), format_moves(solution))


def drawn(seed: int) -> Cube:
    """One of all the cubes that turns lead to, each as likely as any other."""
    rng = random.Random(seed)
    corners, edges = rng.sample(range(8), 8), rng.sample(range(12), 12)
    if compute_parity(tuple(corners)) != compute_parity(tuple(edges)):
        edges[:2] = edges[1::-1]
    twists, flips = rng.choices(range(3), k=7), rng.choices(range(2), k=11)
    return Cube(
        tuple(corners),
        (*twists, -sum(twists) % 3),
        tuple(edges),
        (*flips, sum(flips) % 2),
    )


def test_the_stickers_know_their_cube() -> None:
    superflip = format_cube(make_cube(parse_moves(SUPERFLIP)), Order.SOLVER, Letters.FACES)
    assert replayed(superflip, SUPERFLIP) and not replayed(superflip, SUPERFLIP[:-3])
    assert replayed(format_cube(SOLVED, Order.SOLVER, Letters.FACES), "R U R' U' " * 6)


@pytest.mark.slow
@settings(max_examples=more(6, night=150))
@given(st.integers(0, 2**64))
def test_any_cube_is_solved(seed: int) -> None:
    cube = drawn(seed)
    solution = solve_in_two_phases(cube)
    assert len(solution) <= LONGEST and solves(solution, cube)


@settings(max_examples=30)
@given(sequences)
def test_cubes_near_home_are_solved(made: tuple[Move, ...]) -> None:
    cube = make_cube(made)
    solution = solve_in_two_phases(cube)
    assert cube.turn(solution).solved and len(solution) <= LONGEST


@pytest.mark.parametrize("move", list_moves())
def test_one_turn_is_undone_by_one(move: Move) -> None:
    assert solve_in_two_phases(make_cube([move])) == (move.inverse,)


@pytest.mark.parametrize("known", [SUPERFLIP, HARDEST])
def test_the_cubes_that_are_farthest_from_home_are_solved(known: str) -> None:
    cube = make_cube(parse_moves(known))
    solution = solve_in_two_phases(cube)
    assert 20 <= len(solution) <= LONGEST and solves(solution, cube)


@pytest.mark.slow
def test_most_solutions_are_near_optimal() -> None:
    """Random cubes are 17.7 face turns from home on average (Rokicki 2010)."""
    lengths = [len(solve_in_two_phases(drawn(seed))) for seed in range(40)]
    assert 17.7 < np.mean(lengths) <= 20.8


@settings(max_examples=10)
@given(cubes, cubes)
def test_a_cube_always_gets_the_same_answer(cube: Cube, other: Cube) -> None:
    first = solve_in_two_phases(cube)
    solve_in_two_phases(other)
    assert solve_in_two_phases(cube) == first


def test_a_solved_cube_is_left_alone_and_an_impossible_one_refused() -> None:
    assert solve_in_two_phases(SOLVED) == ()
    with pytest.raises(InvalidCube, match="flip"):
        solve_in_two_phases(Cube(SOLVED.corners, SOLVED.twists, SOLVED.edges, (1, *[0] * 11)))


@pytest.mark.parametrize(
    ("far", "one", "other"),
    [
        ("twist_far", "twist", "slice"),
        ("flip_far", "flip", "slice"),
        ("corners_far", "corners", "middle"),
        ("edges_far", "edges", "middle"),
    ],
)
def test_tables_hold_distances(far: str, one: str, other: str) -> None:
    """Zero at home only; moves change it by one at most; and some move makes it less."""
    tables = load_phases()
    table = getattr(tables, far).astype(np.int8)
    left, right = getattr(tables, one), getattr(tables, other)
    assert table[0, 0] == 0 and np.count_nonzero(table) == table.size - 1
    least = np.full_like(table, 127)
    for move in range(left.shape[1]):
        there = table[left[:, move]][:, right[:, move]]
        assert np.abs(there - table).max() == 1
        least = np.minimum(least, there)
    assert np.array_equal(least[table > 0], table[table > 0] - 1)
