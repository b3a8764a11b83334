"""Which answers are right, against a brute force that knows rotations as matrices."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.answer_keys import Exactly, OneOf, SameColouring, SameShape
from pysim.geometry import Cell

CELLS = st.sets(st.tuples(*[st.integers(-2, 2)] * 3), min_size=1, max_size=6)
COLOURINGS = st.dictionaries(
    st.tuples(*[st.integers(-2, 2)] * 3), st.sampled_from("rgb"), min_size=1, max_size=5
)
OFFSETS = st.tuples(*[st.integers(-5, 5)] * 3)


def signed_permutations() -> list[np.ndarray]:
    """All 48 symmetries of the cube as matrices; those of determinant 1 are the rotations."""
    return [
        np.array(
            [
                [s if column == p else 0 for column in range(3)]
                for s, p in zip(signs, order, strict=True)
            ]
        )
        for order in permutations(range(3))
        for signs in product((1, -1), repeat=3)
    ]


ROTATIONS = [m for m in signed_permutations() if round(np.linalg.det(m)) == 1]
REFLECTIONS = [m for m in signed_permutations() if round(np.linalg.det(m)) == -1]


def moved(cells: dict[Cell, str], matrix: np.ndarray, offset: Cell) -> dict[Cell, str]:
    return {tuple((matrix @ cell + offset).tolist()): held for cell, held in cells.items()}


def congruent(a: dict[Cell, str], b: dict[Cell, str], matrices: list[np.ndarray]) -> bool:
    """Whether some matrix and offset turn one into the other: all are tried."""
    if len(a) != len(b):
        return False
    for matrix in matrices:
        image = moved(a, matrix, (0, 0, 0))
        start = min(image)
        offsets = {tuple(np.subtract(cell, start).tolist()) for cell in b}
        if any(moved(image, np.eye(3, dtype=int), offset) == b for offset in offsets):
            return True
    return False


def test_there_are_24_rotations_and_as_many_reflections() -> None:
    assert (len(ROTATIONS), len(REFLECTIONS)) == (24, 24)


@given(CELLS, OFFSETS, st.booleans())
def test_a_shape_is_right_in_all_24_rotations_wherever_it_lies(
    cells: set[Cell], offset: Cell, mirrored: bool
) -> None:
    key = SameShape.from_cells(cells, mirrored=mirrored)
    for matrix in ROTATIONS:
        assert key.accepts(set(moved(dict.fromkeys(cells, ""), matrix, offset)))


@given(CELLS, st.sampled_from(range(24)))
def test_a_mirror_image_is_right_where_it_is_allowed_or_the_shape_is_its_own(
    cells: set[Cell], number: int
) -> None:
    plain = dict.fromkeys(cells, "")
    image = moved(plain, REFLECTIONS[number], (0, 0, 0))
    assert SameShape.from_cells(cells, mirrored=True).accepts(set(image))
    assert SameShape.from_cells(cells).accepts(set(image)) == congruent(plain, image, ROTATIONS)


def test_a_screw_is_not_its_mirror_image() -> None:
    screw = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)]
    image = [(-x, y, z) for x, y, z in screw]
    assert not SameShape.from_cells(screw).accepts(image)
    assert SameShape.from_cells(screw, mirrored=True).accepts(image)


@given(COLOURINGS, COLOURINGS, st.booleans())
def test_colourings_are_right_as_brute_force_says(
    gold: dict[Cell, str], answer: dict[Cell, str], mirrored: bool
) -> None:
    allowed = ROTATIONS + REFLECTIONS * mirrored
    found = SameColouring.from_cells(gold, mirrored=mirrored).accepts(answer)
    assert found == congruent(gold, answer, allowed)


@given(COLOURINGS, OFFSETS, st.sampled_from(range(24)), st.data())
def test_a_turned_colouring_is_right_and_with_another_colour_it_is_as_brute_force_says(
    gold: dict[Cell, str], offset: Cell, number: int, data: st.DataObject
) -> None:
    key, answer = SameColouring.from_cells(gold), moved(gold, ROTATIONS[number], offset)
    assert key.accepts(answer)
    place = data.draw(st.sampled_from(sorted(answer)))
    painted = {**answer, place: data.draw(st.sampled_from("rgb"))}
    assert key.accepts(painted) == congruent(gold, painted, ROTATIONS)


@given(CELLS, st.sampled_from(range(24)), OFFSETS)
def test_keys_of_congruent_shapes_have_one_name(
    cells: set[Cell], number: int, offset: Cell
) -> None:
    turned = moved(dict.fromkeys(cells, ""), ROTATIONS[number], offset)
    assert SameShape.from_cells(cells).name == SameShape.from_cells(turned).name
    assert SameShape.from_cells(cells).name != SameShape.from_cells(cells, mirrored=True).name


def test_nothing_is_no_shape() -> None:
    assert not SameShape.from_cells([(0, 0, 0)]).accepts([])
    assert not SameColouring.from_cells({(0, 0, 0): "r"}).accepts({})


@pytest.mark.parametrize(("answer", "right"), [("a", True), ("b", True), ("c", False)])
def test_several_answers_may_be_right(answer: str, right: bool) -> None:
    assert OneOf(("a", "b")).accepts(answer) is right
    assert Exactly("a").accepts(answer) is (answer == "a")
