import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import Direction, Voxels, add
from pysim.render.mesh import Model, build_quad_indices, build_quads

cells = st.sets(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=20)


@given(cells)
def test_there_is_a_quad_for_each_visible_cell_face(filled: set[tuple[int, int, int]]) -> None:
    shape = Voxels.from_cells(filled)
    expected = sum(add(c, d.vector) not in filled for c in filled for d in Direction)
    assert build_quads(Model(shape)).shape == (expected, 4)


@given(cells)
def test_quads_enclose_the_volume_of_the_cells(filled: set[tuple[int, int, int]]) -> None:
    faces = build_quads(Model(Voxels.from_cells(filled)))["position"].astype(np.float64)
    a, b, c, d = faces.transpose(1, 0, 2)
    volume = sum(np.einsum("ij,ij->", p, np.cross(q, r)) for p, q, r in ((a, b, c), (a, c, d)))
    assert volume / 6.0 == pytest.approx(len(filled))


def test_a_face_tells_bends_from_lines_between_voxels() -> None:
    faces = build_quads(Model(Voxels.from_cells([(0, 0, 0), (1, 0, 0)])))
    top = faces[faces["normal"][:, 0] == 4]
    left = top[top["position"][:, :, 0].mean(axis=1) < 0.5][0]
    # On a top face u runs along x and v along y: only the side u=1 goes on flat.
    assert (left["edges"] == 0b1101).all()


def test_a_notch_is_darker_than_an_open_face() -> None:
    faces = build_quads(Model(Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 0, 1)])))
    top = faces[(faces["normal"][:, 0] == 4) & (faces["position"][:, :, 2].max(axis=1) < 1.0)][0]
    openness = [int(top["openness"][0]) >> 2 * corner & 3 for corner in range(4)]
    assert openness == [3, 2, 2, 3]
    free = build_quads(Model(Voxels.from_cells([(0, 0, 0)])))
    assert (free["openness"] == 0xFF).all()


def test_corners_carry_their_place_on_the_face() -> None:
    for face in build_quads(Model(Voxels.from_cells([(2, -1, 5)]))):
        axis = int(face["normal"][0]) // 2
        for vertex in face:
            u = vertex["position"][(axis + 1) % 3] > (2, -1, 5)[(axis + 1) % 3]
            v = vertex["position"][(axis + 2) % 3] > (2, -1, 5)[(axis + 2) % 3]
            assert (u, v) == [(0, 0), (1, 0), (1, 1), (0, 1)][vertex["corner"]]


def test_meshes_are_kept_and_can_not_be_spoiled() -> None:
    shape = Voxels.make_block((2, 2, 2))
    assert build_quads(Model(shape)) is build_quads(Model(Voxels.make_block((2, 2, 2))))
    with pytest.raises(ValueError, match="read-only"):
        build_quads(Model(shape))["paint"] = 1


def test_far_apart_cells_cost_no_more_than_near_ones() -> None:
    assert len(build_quads(Model(Voxels.from_cells([(0, 0, 0), (10**6, -(10**6), 10**6)])))) == 12


def test_two_triangles_make_a_quad() -> None:
    assert build_quad_indices(2).tolist() == [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]
