"""The 24 rotations and the six directions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import (
    IDENTITY,
    Axis,
    Cell,
    Direction,
    Rotation,
    add,
    list_rotations,
    make_quarter_turn,
    scale,
    subtract,
)
from tests.geometry.strategies import cells, rotations

# fmt: off
NAMES = [
    "+X+Y+Z", "+X+Z-Y", "+X-Y-Z", "+X-Z+Y",
    "+Y+X-Z", "+Y+Z+X", "+Y-X+Z", "+Y-Z-X",
    "+Z+X+Y", "+Z+Y-X", "+Z-X-Y", "+Z-Y+X",
    "-X+Y-Z", "-X+Z+Y", "-X-Y+Z", "-X-Z-Y",
    "-Y+X+Z", "-Y+Z-X", "-Y-X-Z", "-Y-Z+X",
    "-Z+X-Y", "-Z+Y+X", "-Z-X+Y", "-Z-Y-X",
]
# fmt: on
"""The public order. Agents, levels and logs name rotations: it never changes."""

VECTOR = {"X": (1, 0, 0), "Y": (0, 1, 0), "Z": (0, 0, 1)}


def matrix(rotation: Rotation) -> np.ndarray:
    return np.array(rotation.matrix)


def test_the_24_names_stand_in_their_fixed_order() -> None:
    assert [rotation.name for rotation in list_rotations()] == NAMES
    assert [rotation.index for rotation in list_rotations()] == list(range(24))


def test_a_name_says_where_the_three_axes_go() -> None:
    for rotation in list_rotations():
        for k, axis in enumerate("XYZ"):
            sign, image = rotation.name[2 * k : 2 * k + 2]
            assert rotation.apply(VECTOR[axis]) == scale(VECTOR[image], 1 if sign == "+" else -1)


def test_names_round_trip_and_others_are_refused() -> None:
    assert all(Rotation.parse(rotation.name) == rotation for rotation in list_rotations())
    for name in ("", "+X+Y-Z", "+X+X+Z", "+x+y+z", "XYZ", " +X+Y+Z", "+X+Y+Z+X"):
        with pytest.raises(ValueError, match="is no rotation"):
            Rotation.parse(name)


@pytest.mark.parametrize("index", [-1, 24, 1000])
def test_there_is_no_rotation_outside_0_to_23(index: int) -> None:
    with pytest.raises(ValueError, match="0 to 23"):
        Rotation(index)


def test_matrices_are_distinct_orthogonal_and_proper() -> None:
    for rotation in list_rotations():
        assert np.array_equal(matrix(rotation) @ matrix(rotation).T, np.eye(3))
        assert round(np.linalg.det(matrix(rotation))) == 1
    assert len({rotation.matrix for rotation in list_rotations()}) == 24


def test_the_rotations_form_a_group() -> None:
    for a in list_rotations():
        assert a.compose(IDENTITY) == IDENTITY.compose(a) == a
        assert a.compose(a.inverse) == a.inverse.compose(a) == IDENTITY
        row = [a.compose(b) for b in list_rotations()]
        assert len(set(row)) == 24
        for b, product in zip(list_rotations(), row, strict=True):
            assert np.array_equal(matrix(product), matrix(a) @ matrix(b))


@given(rotations, rotations, cells)
def test_after_means_first_the_one_then_the_other(a: Rotation, b: Rotation, cell: Cell) -> None:
    assert a.compose(b).apply(cell) == a.apply(b.apply(cell))


@given(rotations, cells, cells)
def test_a_rotation_is_linear(rotation: Rotation, p: Cell, q: Cell) -> None:
    assert rotation.apply(add(p, q)) == add(rotation.apply(p), rotation.apply(q))
    assert rotation.apply((0, 0, 0)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("axis", "fixed", "start", "end"),
    [
        (Axis.X, (1, 0, 0), (0, 1, 0), (0, 0, 1)),
        (Axis.Y, (0, 1, 0), (0, 0, 1), (1, 0, 0)),
        (Axis.Z, (0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ],
)
def test_quarter_turns_are_right_handed(axis: Axis, fixed: Cell, start: Cell, end: Cell) -> None:
    turn = make_quarter_turn(axis, 1)
    assert turn.apply(fixed) == fixed and turn.apply(start) == end


@given(st.sampled_from(list(Axis)), st.integers(-9, 9), st.integers(-9, 9))
def test_quarter_turns_about_one_axis_add_up(axis: Axis, m: int, n: int) -> None:
    assert make_quarter_turn(axis, m).compose(make_quarter_turn(axis, n)) == make_quarter_turn(
        axis, m + n
    )
    assert make_quarter_turn(axis, 4) == IDENTITY != make_quarter_turn(axis, 2)


def test_quarter_turns_make_all_24() -> None:
    reached = {IDENTITY}
    for _ in range(6):
        reached |= {make_quarter_turn(axis, 1).compose(r) for axis in Axis for r in reached}
    assert reached == set(list_rotations())


def test_directions_stand_in_their_fixed_order() -> None:
    assert [direction.value for direction in Direction] == ["+x", "-x", "+y", "-y", "+z", "-z"]


def test_a_direction_is_its_axis_with_a_sign() -> None:
    for direction in Direction:
        vector = [0, 0, 0]
        vector[direction.axis.number] = direction.sign
        assert direction.vector == tuple(vector)
        assert direction.value[1] == direction.axis.value


def test_the_opposite_direction_undoes_a_step() -> None:
    for direction in Direction:
        assert add(direction.vector, direction.opposite.vector) == (0, 0, 0)
        assert direction.opposite.opposite is direction


@given(cells, cells, st.integers(-9, 9))
def test_cells_add_subtract_and_scale_like_vectors(a: Cell, b: Cell, k: int) -> None:
    assert subtract(add(a, b), b) == a
    assert scale(add(a, b), k) == add(scale(a, k), scale(b, k))
