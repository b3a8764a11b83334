"""Counting packings, against published counts and against trying everything."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.catalog import find_level
from pysim.families.packing.covers import anchor_of, cover_of
from pysim.families.packing.figures import figures_of, packings
from pysim.families.packing.grid import cells_of, mask_of, spots_of
from pysim.families.packing.symmetry import box_rotations, least_image, stabiliser, turned
from pysim.geometry import Cell, Voxels
from pysim.search.exact_cover import enumerate_exact_covers
from tests.families.packing.puzzles import packed_boxes

Packed = tuple[Cell, tuple[int, ...]]
SMALL = packed_boxes(sides=(1, 2, 3), most=5)


def shapes_of(size: Cell, masks: tuple[int, ...]) -> list[Voxels]:
    return [Voxels.from_cells(cells_of(size, mask)).move_to_origin() for mask in masks]


def every_packing(size: Cell, shapes: list[Voxels]) -> set[frozenset[int]]:
    """Pieces one after the other in every spot; equal pieces may change places."""
    full = mask_of(size, Voxels.make_block(size).cells)
    found: set[frozenset[int]] = set()

    def fill(filled: int, left: list[Voxels], spots: frozenset[int]) -> None:
        if not left:
            if filled == full:
                found.add(spots)
            return
        for spot in spots_of(size, left[0]):
            if not spot.mask & filled:
                fill(filled | spot.mask, left[1:], spots | {spot.mask})

    fill(0, shapes, frozenset())
    return found


def test_the_soma_cube_has_240_packings_and_their_mirror_images() -> None:
    """Conway and Guy (1961): 240, counting neither rotations nor reflections."""
    soma = find_level("packing-soma").puzzle
    figures = figures_of(soma.size, [piece.shape for piece in soma.pieces])
    assert figures.solutions == 2 * 240 and figures.complete
    assert figures.nodes_per_solution == round(figures.search_nodes / 480)
    capped = figures_of(soma.size, [piece.shape for piece in soma.pieces], cap=100)
    assert capped.solutions == 100 and not capped.complete
    assert capped.search_nodes < figures.search_nodes


def test_a_search_that_is_cut_off_says_so() -> None:
    soma = find_level("packing-soma").puzzle
    count = packings(soma.size, [piece.shape for piece in soma.pieces], max_nodes=500)
    assert count.nodes == 500 and not count.complete and len(count.packings) < 480


@settings(max_examples=60)
@given(SMALL)
def test_covers_are_the_packings_each_once(packed: Packed) -> None:
    size, masks = packed
    shapes = shapes_of(size, masks)
    cover = cover_of(size, shapes)
    found = [frozenset(cover.masks(chosen)) for chosen in enumerate_exact_covers(cover.matrix)]
    assert len(set(found)) == len(found) and set(found) == every_packing(size, shapes)


@settings(max_examples=60)
@given(SMALL)
def test_packings_are_counted_up_to_turns_of_the_box(packed: Packed) -> None:
    size, masks = packed
    shapes = shapes_of(size, masks)
    count = packings(size, shapes)
    classes = {
        least_image(size, tuple(one), box_rotations(size)) for one in every_packing(size, shapes)
    }
    assert count.complete and len(count.packings) == len(classes)
    assert {least_image(size, one, box_rotations(size)) for one in count.packings} == classes


@settings(max_examples=20)
@given(SMALL, st.integers(0, 2**32))
def test_the_order_of_rows_does_not_change_the_covers(packed: Packed, seed: int) -> None:
    size, masks = packed
    shapes = shapes_of(size, masks)
    shuffled = cover_of(size, shapes, chance=random.Random(seed))
    assert {
        frozenset(shuffled.masks(c)) for c in enumerate_exact_covers(shuffled.matrix)
    } == every_packing(size, shapes)


@settings(max_examples=30)
@given(SMALL)
def test_an_anchor_is_unlike_all_other_pieces(packed: Packed) -> None:
    size, masks = packed
    canonical = [shape.canonical for shape in shapes_of(size, masks)]
    anchor = anchor_of(size, shapes_of(size, masks))
    assert (anchor is None) == all(canonical.count(shape) > 1 for shape in canonical)
    assert anchor is None or canonical.count(canonical[anchor]) == 1


@pytest.mark.parametrize(
    ("size", "count"), [((2, 2, 2), 24), ((2, 2, 3), 8), ((3, 2, 3), 8), ((1, 2, 3), 4)]
)
def test_a_box_is_turned_onto_itself_in_so_many_ways(size: Cell, count: int) -> None:
    rotations = box_rotations(size)
    assert len(rotations) == count
    for first, second in product(rotations, repeat=2):
        assert second.compose(first) in rotations
    full = mask_of(size, Voxels.make_block(size).cells)
    assert stabiliser(size, full) == rotations
    corner = mask_of(size, [(0, 0, 0)])
    for r in rotations:
        assert turned(size, full, r) == full
        for s in rotations:
            assert turned(size, turned(size, corner, r), s) == turned(size, corner, s.compose(r))
