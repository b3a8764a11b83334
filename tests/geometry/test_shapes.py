"""Voxels, their bounds, and poses."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import HOME, Bounds, Cell, Pose, Rotation, Voxels, add, list_rotations, subtract
from pysim.geometry import voxels as voxels_module
from pysim.geometry.boxes import list_cells
from tests.geometry.strategies import blocks, cells, connected_shapes, poses, rotations, shapes


@given(shapes)
def test_a_drawn_shape_reads_back(shape: Voxels) -> None:
    assert Voxels.parse(shape.format()) == shape.move_to_origin()


@given(shapes)
def test_shape_survives_pickling_with_all_that_was_derived_of_it(shape: Voxels) -> None:
    assert shape.canonical in shape.copies and shape.bounds and shape.is_connected in (True, False)
    assert pickle.loads(pickle.dumps(shape)) == shape


def test_layers_rows_and_characters_are_z_y_and_x() -> None:
    assert Voxels.parse(["##./...", "..#/..."]).cells == ((0, 0, 0), (1, 0, 0), (2, 0, 1))
    assert Voxels.parse(["./#"]).cells == ((0, 1, 0),)


@pytest.mark.parametrize("layers", [[], [""], ["..."], ["./."], ["#x"], ["# #"], ["1"]])
def test_a_drawing_without_cells_or_with_other_signs_is_refused(layers: list[str]) -> None:
    with pytest.raises(ValueError, match=r"at least one cell|drawn with"):
        Voxels.parse(layers)


@given(st.lists(cells, min_size=1, max_size=20), st.randoms())
def test_order_and_repetition_of_cells_do_not_matter(some: list[Cell], rng: object) -> None:
    shuffled = [*some, *some]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    shape = Voxels.from_cells(shuffled)
    assert shape == Voxels.from_cells(some) and hash(shape) == hash(Voxels.from_cells(some))
    assert shape.cell_set == set(some)


def test_a_shape_has_at_least_one_cell_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        Voxels.from_cells([])
    monkeypatch.setattr(voxels_module, "MAX_CELLS", 8)
    assert len(Voxels.make_block((2, 2, 2)).cells) == 8
    with pytest.raises(ValueError, match="may have 8 cells, not 9"):
        Voxels.make_block((3, 3, 1))


@given(shapes, rotations, cells)
def test_canonical_form_does_not_see_turns_and_shifts(
    shape: Voxels, rotation: Rotation, offset: Cell
) -> None:
    assert shape.rotate(rotation).translate(offset).canonical == shape.canonical
    assert shape.canonical.bounds.low == (0, 0, 0)
    assert any(shape.rotate(r).move_to_origin() == shape.canonical for r in list_rotations())


def test_canonical_form_tells_mirrored_shapes_apart() -> None:
    screw = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)])
    mirrored = Voxels.from_cells([(-x, y, z) for x, y, z in screw.cells])
    assert screw.canonical != mirrored.canonical


@given(connected_shapes())
def test_a_shape_grown_through_faces_is_connected(shape: Voxels) -> None:
    assert shape.is_connected
    apart = shape.translate(add(shape.bounds.size, (1, 1, 1)))
    assert not Voxels.from_cells([*shape.cells, *apart.cells]).is_connected


def test_cells_that_share_an_edge_only_are_not_connected() -> None:
    assert not Voxels.from_cells([(0, 0, 0), (1, 1, 0)]).is_connected


@given(shapes, rotations, cells)
def test_turning_and_shifting_keep_the_number_of_cells(
    shape: Voxels, rotation: Rotation, offset: Cell
) -> None:
    moved = shape.rotate(rotation).translate(offset)
    assert len(moved.cells) == len(shape.cells) and moved.cells == tuple(sorted(moved.cells))
    assert moved.translate(subtract((0, 0, 0), offset)).rotate(rotation.inverse) == shape


@given(shapes)
def test_bounds_are_the_least_block_around_all_cells(shape: Voxels) -> None:
    inside = set(list_cells(shape.bounds))
    assert shape.cell_set <= inside
    assert len(inside) == np.prod(shape.bounds.size)
    for axis in range(3):
        values = {cell[axis] for cell in shape.cells}
        assert {shape.bounds.low[axis], shape.bounds.high[axis]} <= values


@given(blocks(), blocks())
def test_overlap_union_and_containment_agree_with_sets_of_cells(a: Bounds, b: Bounds) -> None:
    near = b.translate(subtract(a.low, b.low)).translate((2, -1, 0))
    for other in (b, near):
        mine, others = set(list_cells(a)), set(list_cells(other))
        union = a.union(other)
        assert a.is_overlapping(other) == other.is_overlapping(a) == bool(mine & others)
        assert a.has_block(other) == (others <= mine)
        assert union == other.union(a) and union.has_block(a) and union.has_block(other)
        assert union == Voxels.from_cells(mine | others).bounds
        assert Bounds.cover([a, other, a]) == union


@given(blocks(), cells, st.integers(0, 3), st.integers(0, 3))
def test_blocks_move_and_grow(block: Bounds, offset: Cell, down: int, up: int) -> None:
    assert block.translate(offset).size == block.size
    assert block.translate(offset).translate(subtract((0, 0, 0), offset)) == block
    grown = block.expand((down, 0, 0), (0, 0, up))
    assert grown.size == add(block.size, (down, 0, up)) and grown.has_block(block)


def test_a_block_around_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Bounds.cover([])
    assert Bounds.cover([Bounds((1, 2, 3), (4, 5, 6))]) == Bounds((1, 2, 3), (4, 5, 6))


@given(poses, shapes, cells)
def test_a_pose_turns_first_and_then_shifts(pose: Pose, shape: Voxels, offset: Cell) -> None:
    expected = {add(pose.rotation.apply(cell), pose.offset) for cell in shape.cells}
    assert pose.place(shape).cell_set == expected
    assert pose.translate(offset).place(shape) == pose.place(shape).translate(offset)
    assert HOME.place(shape) == shape


@given(poses, cells)
def test_a_pose_and_its_matrix_say_the_same(pose: Pose, cell: Cell) -> None:
    (placed,) = pose.place(Voxels.from_cells([cell])).cells
    assert tuple(pose.transform() @ (*cell, 1)) == (*placed, 1)


@given(shapes, rotations, cells)
def test_a_pose_is_given_by_the_corner_of_the_bounds(
    shape: Voxels, rotation: Rotation, corner: Cell
) -> None:
    pose = Pose.place_corner(shape, rotation, corner)
    assert pose.rotation == rotation
    assert pose.place(shape).bounds.low == corner == pose.find_corner(shape)
