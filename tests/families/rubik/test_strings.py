"""Cubes as text: orders, converters, the net, and what is wrong with a text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.families.rubik.cube import SOLVED, Cube, make_cube
from pysim.families.rubik.moves import parse_moves
from pysim.families.rubik.strings import (
    Letters,
    Order,
    convert,
    draw_net,
    format_cube,
    list_positions,
    parse_cube,
    read_letters,
)
from pysim.families.rubik.validity import Defect, InvalidCube, check_cube
from tests.families.rubik.sequences import cubes

orders = st.sampled_from(list(Order))


@given(cubes, orders, st.sampled_from(list(Letters)))
def test_a_cube_reads_back(cube: Cube, order: Order, letters: Letters) -> None:
    assert parse_cube(format_cube(cube, order, letters), order, letters) == cube


@pytest.mark.parametrize("letters", list(Letters))
def test_only_other_letters_of_the_centres_are_repainted(letters: Letters) -> None:
    text = format_cube(make_cube(parse_moves("R U F2 L'")), Order.SOLVER, letters)
    turned = text.translate(str.maketrans(text[4] + text[13], text[13] + text[4]))
    assert not read_letters([text]).is_repainted
    assert read_letters([turned]).is_repainted


@given(cubes, orders, orders)
def test_converting_is_writing_in_another_order(cube: Cube, one: Order, other: Order) -> None:
    text = convert(format_cube(cube, one), one, other)
    assert text == format_cube(cube, other)
    assert convert(text, other, one) == format_cube(cube, one)


@pytest.mark.parametrize("order", Order)
def test_an_order_names_every_facelet_once(order: Order) -> None:
    assert sorted(list_positions(order)) == list(range(54))


def test_the_environment_writes_u_l_f_r_d_b() -> None:
    assert format_cube(SOLVED) == "".join(letter * 9 for letter in "WOGRYB")
    rows = format_cube(SOLVED, Order.ENVIRONMENT_ROWS)
    assert rows == "W" * 9 + "OOOGGGRRR" * 3 + "Y" * 9 + "B" * 9
    assert format_cube(SOLVED, Order.SOLVER) == "".join(letter * 9 for letter in "WRGYOB")


def test_a_net_is_the_unfolded_cross() -> None:
    net = draw_net(make_cube(parse_moves("R")))
    assert net.splitlines() == [
        "      W W G",
        "      W W G",
        "      W W G",
        "O O O G G Y R R R W B B",
        "O O O G G Y R R R W B B",
        "O O O G G Y R R R W B B",
        "      Y Y B",
        "      Y Y B",
        "      Y Y B",
    ]


SOLVED_TEXT = format_cube(SOLVED)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "54 letters, not 0"),
        (SOLVED_TEXT[:-1], "54 letters, not 53"),
        (SOLVED_TEXT[:-1] + "X", "'X'"),
        (SOLVED_TEXT.lower(), "not 'b'"),
        ("O" + SOLVED_TEXT[1:], "O is there 10 times"),
        ("W" * 54, "W is there 54 times"),
        (SOLVED_TEXT.replace("W", "?").replace("Y", "W").replace("?", "Y"), "centre"),
        (SOLVED_TEXT[9] + SOLVED_TEXT[1:9] + "W" + SOLVED_TEXT[10:], "no cubie"),
    ],
)
def test_what_is_no_cube_is_refused_with_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        parse_cube(text)


def test_each_fault_is_named() -> None:
    twisted = replace(SOLVED, twists=(1, *SOLVED.twists[1:]))
    flipped = replace(SOLVED, flips=(1, *SOLVED.flips[1:]))
    swapped = replace(SOLVED, edges=(1, 0, *SOLVED.edges[2:]))
    doubled = replace(SOLVED, corners=(1, *SOLVED.corners[1:]))
    cases = {
        Defect.TWIST: (twisted, "1/3"),
        Defect.FLIP: (flipped, "1 edges are flipped"),
        Defect.PARITY: (swapped, "parity"),
        Defect.COUNT: (doubled, "corner URF is there 0 times, corner UFL is there 2 times"),
    }
    for fault, (cube, words) in cases.items():
        with pytest.raises(InvalidCube, match=words) as caught:
            check_cube(cube)
        assert caught.value.faults == (fault,)


@given(cubes)
def test_all_faults_are_named_at_once(cube: Cube) -> None:
    broken = Cube(
        (cube.corners[1], cube.corners[0], *cube.corners[2:]),
        ((cube.twists[0] + 1) % 3, *cube.twists[1:]),
        cube.edges,
        (1 - cube.flips[0], *cube.flips[1:]),
    )
    with pytest.raises(InvalidCube) as caught:
        check_cube(broken)
    assert set(caught.value.faults) == {Defect.TWIST, Defect.FLIP, Defect.PARITY}


@given(st.text(alphabet="WRGYOB", min_size=54, max_size=54))
def test_no_text_makes_a_cube_that_turns_do_not_lead_to(text: str) -> None:
    try:
        cube = parse_cube(text)
    except ValueError as error:
        assert str(error)
    else:
        assert check_cube(cube) == cube and format_cube(cube) == text


@given(st.text(max_size=80))
def test_other_text_is_refused_with_value_error(text: str) -> None:
    if set(text) <= set("WRGYOB") and len(text) == 54:
        return
    with pytest.raises(ValueError, match="written with"):
        parse_cube(text)


def test_a_text_of_an_impossible_cube_says_why() -> None:
    swapped = replace(SOLVED, edges=(1, 0, *SOLVED.edges[2:]))
    with pytest.raises(InvalidCube, match="parity"):
        parse_cube(format_cube(swapped))


@pytest.mark.parametrize("text", ["", "W" * 53])
def test_only_54_letters_are_converted(text: str) -> None:
    with pytest.raises(ValueError, match="54"):
        convert(text, Order.SOLVER, Order.ENVIRONMENT)
