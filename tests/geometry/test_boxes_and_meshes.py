"""Merging voxels into boxes, and the meshes made of them."""

import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.geometry import Voxels, merge_boxes
from pysim.geometry.boxes import list_cells
from pysim.geometry.meshes import build_box_mesh, build_surface_mesh
from tests.geometry.strategies import connected_shapes, shapes, sizes


@given(shapes)
def test_boxes_cover_a_shape_exactly_and_are_disjoint(shape: Voxels) -> None:
    boxes = merge_boxes(shape)
    covered = [cell for box in boxes for cell in list_cells(box)]
    assert len(covered) == len(set(covered)), "two boxes share a cell"
    assert set(covered) == shape.cell_set


@given(sizes)
def test_a_full_block_is_one_box(size: tuple[int, int, int]) -> None:
    shape = Voxels.make_block(size)
    assert merge_boxes(shape) == (shape.bounds,)


def test_merging_chooses_the_order_of_axes_that_gives_fewest_boxes() -> None:
    # Grown along x first, each tooth of this comb would become a box of its own, twice cut.
    for axis in range(3):
        comb = Voxels.from_cells(
            tuple(cell[(k - axis) % 3] for k in range(3))  # type: ignore[misc]
            for cell in [(x, 0, 0) for x in range(5)] + [(x, 1, 0) for x in (0, 2, 4)]
        )
        assert len(merge_boxes(comb)) == 4


def directed_edges_cancel(mesh: trimesh.Trimesh) -> bool:
    """Whether the surface is closed and oriented, also where more than two faces share an edge."""
    edges = [tuple(edge) for edge in mesh.edges]
    return sorted(edges) == sorted((b, a) for a, b in edges)


@given(shapes)
def test_the_surface_is_closed_and_holds_one_unit_of_volume_per_cell(shape: Voxels) -> None:
    mesh = build_surface_mesh(shape)
    assert directed_edges_cancel(mesh)
    assert mesh.volume == pytest.approx(len(shape.cells))
    faces = sum(
        tuple(map(sum, zip(cell, step, strict=True))) not in shape.cell_set
        for cell in shape.cells
        for step in [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    )
    assert mesh.area == pytest.approx(faces) and len(mesh.faces) == 2 * faces
    low, high = mesh.bounds
    assert tuple(low + 0.5) == shape.bounds.low and tuple(high - 0.5) == shape.bounds.high


@given(connected_shapes(), st.data())
def test_the_surface_is_watertight_unless_cells_touch_along_an_edge(
    shape: Voxels, data: st.DataObject
) -> None:
    touching = any(
        (b not in shape.cell_set and c not in shape.cell_set)
        for x, y, z in shape.cells
        for i, j in [(1, 1), (1, -1)]
        for d, b, c in [
            ((x + i, y + j, z), (x + i, y, z), (x, y + j, z)),
            ((x, y + i, z + j), (x, y + i, z), (x, y, z + j)),
            ((x + i, y, z + j), (x + i, y, z), (x, y, z + j)),
        ]
        if d in shape.cell_set
    )
    mesh = build_surface_mesh(shape)
    assert mesh.is_watertight != touching
    if not touching:
        assert mesh.is_winding_consistent


@settings(max_examples=30)
@given(connected_shapes(), st.floats(0.0, 0.1))
def test_the_boxes_of_a_mesh_are_smaller_by_the_shrink_on_every_side(
    shape: Voxels, shrink: float
) -> None:
    expected = 0.0
    for box in merge_boxes(shape):
        x, y, z = (size - 2.0 * shrink for size in box.size)
        expected += x * y * z
    mesh = build_box_mesh(shape, shrink)
    assert mesh.is_watertight
    assert mesh.volume == pytest.approx(expected)
    assert tuple(mesh.bounds[0] + 0.5 - shrink) == pytest.approx(shape.bounds.low)
