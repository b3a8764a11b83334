"""The cube is a group, and its moves are the published ones."""

import math

import pytest
from hypothesis import given

from pysim.families.rubik.cube import (
    CORNER_NAMES,
    EDGE_NAMES,
    SOLVED,
    Cube,
    compute_parity,
    make_cube,
    turn_of,
)
from pysim.families.rubik.faces import FACELETS, Face, list_facelets
from pysim.families.rubik.moves import (
    Metric,
    Move,
    format_moves,
    invert_moves,
    list_moves,
    parse_moves,
    split_half_turns,
)
from pysim.families.rubik.strings import Letters, Order, format_cube
from pysim.families.rubik.validity import find_faults
from tests.families.rubik.sequences import HARDEST, SUPERFLIP, cubes, moves, sequences


def test_a_known_position_has_its_published_facelets() -> None:
    text = format_cube(make_cube(parse_moves(HARDEST)), Order.SOLVER, Letters.FACES)
    assert text == "FBLLURRFBUUFBRFDDFUULLFRDDLRFBLDRFBLUUBFLBDDBUURRBLDDR"


def test_the_superflip_flips_every_edge_and_nothing_else() -> None:
    cube = make_cube(parse_moves(SUPERFLIP))
    assert cube == Cube(SOLVED.corners, SOLVED.twists, SOLVED.edges, (1,) * 12)
    text = format_cube(cube, Order.SOLVER, Letters.FACES)
    assert text == "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"


def test_there_are_as_many_facelets_as_on_26_cubies() -> None:
    assert len(set(list_facelets())) == FACELETS == 8 * 3 + 12 * 2 + 6
    assert len(set(CORNER_NAMES)) == 8 and len(set(EDGE_NAMES)) == 12


@pytest.mark.parametrize(
    ("text", "order"),
    [("R", 4), ("R2", 2), ("R U", 105), ("R U'", 63), ("R U R' U'", 6), ("R2 U2", 6), ("R L", 4)],
)
def test_sequences_have_their_published_orders(text: str, order: int) -> None:
    cube, count = make_cube(parse_moves(text)), 1
    power = cube
    while not power.solved:
        power, count = power.compose(cube), count + 1
    assert count == order


@pytest.mark.parametrize("move", list_moves(), ids=str)
def test_quarter_turns_have_order_four_and_half_turns_two(move: Move) -> None:
    powers = [make_cube([move] * count).solved for count in range(1, 5)]
    assert powers == (
        [False, True, False, True] if move.turns == 2 else [False, False, False, True]
    )


def commutator(a: Cube, b: Cube) -> Cube:
    return a.compose(b).compose(a.invert()).compose(b.invert())


@given(cubes, cubes, cubes)
def test_commutators_are_even_inverted_by_exchange_and_conjugated_part_by_part(
    a: Cube, b: Cube, c: Cube
) -> None:
    found = commutator(a, b)
    assert compute_parity(found.corners) == compute_parity(found.edges) == 0
    assert found.invert() == commutator(b, a)
    assert found.solved == (a.compose(b) == b.compose(a))

    def conjugated(cube: Cube) -> Cube:
        return c.compose(cube).compose(c.invert())

    assert conjugated(found) == commutator(conjugated(a), conjugated(b))


@given(cubes)
def test_a_cube_and_its_inverse_cancel(cube: Cube) -> None:
    assert cube.compose(cube.invert()) == cube.invert().compose(cube) == SOLVED
    assert cube.invert().invert() == cube


@given(cubes, cubes, cubes)
def test_the_product_is_associative_and_has_a_unit(a: Cube, b: Cube, c: Cube) -> None:
    assert a.compose(b).compose(c) == a.compose(b.compose(c))
    assert a.compose(SOLVED) == SOLVED.compose(a) == a
    assert a.compose(b).invert() == b.invert().compose(a.invert())


@given(cubes, moves)
def test_a_conjugated_turn_has_the_order_of_the_turn(cube: Cube, move: Move) -> None:
    conjugated = cube.compose(turn_of(move)).compose(cube.invert())
    power = SOLVED
    for count in range(1, 5):
        power = power.compose(conjugated)
        assert power.solved == (count % (2 if move.turns == 2 else 4) == 0)


@given(sequences)
def test_moves_make_the_product_of_their_turns_and_can_be_undone(made: tuple[Move, ...]) -> None:
    cube = make_cube(made)
    assert cube.turn(invert_moves(made)).solved
    assert cube == make_cube(split_half_turns(made))
    assert not find_faults(cube)
    assert cube.invert() == make_cube(invert_moves(made))


@given(cubes)
def test_facelets_are_permuted(cube: Cube) -> None:
    numbers = cube.list_facelets()
    assert sorted(numbers) == list(range(FACELETS))
    assert all(numbers[9 * face.number + 4] == 9 * face.number + 4 for face in Face)


@given(cubes, cubes)
def test_facelets_of_a_product_are_those_of_the_factors(a: Cube, b: Cube) -> None:
    first, second = a.list_facelets(), b.list_facelets()
    assert a.compose(b).list_facelets() == tuple(first[i] for i in second)


def test_opposite_faces_commute_and_others_do_not() -> None:
    for one in list_moves():
        for other in list_moves():
            same = make_cube([one, other]) == make_cube([other, one])
            assert same == (other.face in (one.face, one.face.opposite))


@given(sequences)
def test_sequences_read_back(made: tuple[Move, ...]) -> None:
    assert parse_moves(format_moves(made)) == made
    assert parse_moves(format_moves(made).replace(" ", "")) == made


def test_metrics_count_half_turns_once_or_twice() -> None:
    made = parse_moves("R U2 F' D2")
    assert (Metric.HTM.measure(made), Metric.QTM.measure(made)) == (4, 6)
    assert (len(Metric.HTM.moves), len(Metric.QTM.moves)) == (18, 12)
    assert Metric.QTM.measure(split_half_turns(made)) == len(split_half_turns(made)) == 6


@pytest.mark.parametrize("text", ["X", "r", "R3", "R''", "R U M", "U2 2", "'", "R" * 10_001])
def test_what_is_no_sequence_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="move"):
        parse_moves(text)


@pytest.mark.parametrize("turns", [0, 4, -1])
def test_a_face_turns_by_one_to_three_quarters(turns: int) -> None:
    with pytest.raises(ValueError, match="quarter"):
        Move(Face.U, turns)


def test_the_group_has_its_published_size() -> None:
    assert math.factorial(8) * math.factorial(12) * 3**8 * 2**12 // 12 == 43_252_003_274_489_856_000
