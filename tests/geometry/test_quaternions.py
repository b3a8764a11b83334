"""Rotations of space, held against SciPy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation as Reference
from scipy.spatial.transform import Slerp

from pysim.geometry import list_rotations
from pysim.geometry.quaternions import (
    compute_matrix,
    compute_quaternion,
    compute_rotation_vector,
    interpolate_rotation,
    rotate_by_vector,
)

ANGLES = st.floats(-3.1, 3.1)
VECTORS = st.tuples(ANGLES, ANGLES, ANGLES).filter(lambda v: np.linalg.norm(v) < 3.1)
TINY = st.floats(-1e-4, 1e-4)
TURNS = st.one_of(VECTORS, st.tuples(TINY, TINY, TINY))


def test_rotations_of_the_lattice_are_those_of_scipy() -> None:
    for rotation in list_rotations():
        matrix = np.array(rotation.matrix, dtype=float)
        reference = Reference.from_matrix(matrix)
        quaternion = compute_quaternion(matrix)
        assert_allclose(quaternion, reference.as_quat(), atol=1e-15)
        assert_allclose(compute_matrix(quaternion), matrix, atol=1e-15)
        assert_allclose(compute_rotation_vector(matrix), reference.as_rotvec(), atol=1e-15)


@given(TURNS)
def test_a_rotation_vector_gives_its_matrix_and_back(vector: tuple[float, float, float]) -> None:
    given_vector = np.array(vector)
    matrix = rotate_by_vector(given_vector)
    assert_allclose(matrix, Reference.from_rotvec(given_vector).as_matrix(), atol=1e-14)
    assert_allclose(compute_rotation_vector(matrix), given_vector, atol=1e-13)


@given(VECTORS, VECTORS, st.floats(0.0, 1.0))
def test_the_way_between_rotations_is_that_of_scipy(
    one: tuple[float, float, float], other: tuple[float, float, float], share: float
) -> None:
    ends = Reference.from_rotvec(np.array([one, other]))
    if (ends[0].inv() * ends[1]).magnitude() > 3.1:
        return  # Half a turn goes either way.
    first, second = ends.as_matrix()
    expected = Slerp([0.0, 1.0], ends)(share).as_matrix()
    assert_allclose(interpolate_rotation(first, second, share), expected, atol=1e-12)
