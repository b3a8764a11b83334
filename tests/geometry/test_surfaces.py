"""The search for triangles that cut each other finds what it is for."""

import numpy as np
import pytest

from tests.geometry.surfaces import check_manifold, list_intersections

APART = ((0, 0, 9), (4, 0, 9), (0, 4, 9))
CASES = {
    "far away": (APART, False),
    "through the middle": (((1, 1, -2), (1, 1, 2), (9, 9, 0)), True),
    "an edge through it": (((1, 1, -2), (1, 1, 2), (1, 2, 2)), True),
    "touching with a corner": (((1, 1, 0), (1, 1, 5), (2, 2, 5)), True),
    "lying on it": (((1, 1, 0), (2, 1, 0), (1, 2, 0)), True),
    "lying around it": (((-9, -9, 0), (30, -9, 0), (-9, 30, 0)), True),
    "beside it in its plane": (((9, 9, 0), (12, 9, 0), (9, 12, 0)), False),
    "its box, but past it": (((3, 3, -1), (4, 4, 1), (4, 3, 1)), False),
}
"""A second triangle, and whether it meets the first."""


@pytest.mark.parametrize(("other", "expected"), CASES.values(), ids=CASES)
def test_triangles_without_a_common_vertex_meet_where_they_do(
    other: tuple[tuple[int, int, int], ...], expected: bool
) -> None:
    points = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), *other])
    found = list_intersections(points, np.array([[0, 1, 2], [3, 4, 5]]))
    assert bool(found) == expected


@pytest.mark.parametrize(
    ("last", "expected"), [((4, 4, 0), False), ((1, 1, 0), True), ((0, 0, 5), False)]
)
def test_triangles_with_a_common_edge_meet_only_if_they_fold_back(
    last: tuple[int, int, int], expected: bool
) -> None:
    points = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), last])
    assert bool(list_intersections(points, np.array([[0, 1, 2], [2, 1, 3]]))) == expected


@pytest.mark.parametrize(
    ("ends", "expected"), [(((-1, -1, 0), (-2, 0, 3)), False), (((3, 3, -1), (1, 1, 1)), True)]
)
def test_triangles_with_a_common_vertex_meet_if_one_goes_through_the_other(
    ends: tuple[tuple[int, int, int], ...], expected: bool
) -> None:
    points = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), *ends])
    assert bool(list_intersections(points, np.array([[0, 1, 2], [0, 3, 4]]))) == expected


def test_surfaces_that_are_open_or_touch_are_no_manifolds() -> None:
    tetrahedron = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    check_manifold(tetrahedron)
    with pytest.raises(AssertionError, match="no other side"):
        check_manifold(tetrahedron[:3])
    with pytest.raises(AssertionError, match="two sheets touch at a vertex"):
        check_manifold(np.concatenate([tetrahedron, np.where(tetrahedron, tetrahedron + 3, 0)]))
    with pytest.raises(AssertionError, match="twice in one direction"):
        check_manifold(np.concatenate([tetrahedron, tetrahedron]))
