"""Counting packings, against published counts and against trying everything."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.catalog import find_level
from pysim.families.packing.covers import choose_anchor, cover_of
from pysim.families.packing.figures import count_packings, measure_figures
from pysim.families.packing.grid import list_cells, list_spots, mask_of
from pysim.families.packing.symmetry import (
    find_least_image,
    find_stabilizer,
    list_box_rotations,
    rotate_mask,
)
from pysim.geometry import Cell, Voxels
from pysim.search.exact_cover import enumerate_exact_covers
from tests.families.packing.puzzles import packed_boxes
from tests.sampling import more

Packed = tuple[Cell, tuple[int, ...]]
SMALL = packed_boxes(sides=(1, 2, 3), most=5)


def shapes_of(size: Cell, masks: tuple[int, ...]) -> list[Voxels]:
    return [Voxels.from_cells(list_cells(size, mask)).move_to_origin() for mask in masks]


def every_packing(size: Cell, shapes: list[Voxels]) -> set[frozenset[int]]:
    """Pieces one after the other in every spot; equal pieces may change places."""
    full = mask_of(size, Voxels.make_block(size).cells)
    found: set[frozenset[int]] = set()

    def fill(filled: int, left: list[Voxels], spots: frozenset[int]) -> None:
        if not left:
            if filled == full:
                found.add(spots)
            return
        for spot in list_spots(size, left[0]):
            if not spot.mask & filled:
                fill(filled | spot.mask, left[1:], spots | {spot.mask})

    fill(0, shapes, frozenset())
    return found


def test_the_soma_cube_has_240_packings_and_their_mirror_images() -> None:
    """Conway and Guy (1961): 240, counting neither rotations nor reflections."""
    soma = find_level("packing-soma").puzzle
    figures = measure_figures(soma.size, [piece.shape for piece in soma.pieces])
    assert figures.solutions == 2 * 240 and figures.complete
    assert figures.nodes_per_solution == round(figures.search_nodes / 480)
    capped = measure_figures(soma.size, [piece.shape for piece in soma.pieces], cap=100)
    assert capped.solutions == 100 and not capped.complete
    assert capped.search_nodes < figures.search_nodes


def test_a_search_that_is_cut_off_says_so() -> None:
    soma = find_level("packing-soma").puzzle
    count = count_packings(soma.size, [piece.shape for piece in soma.pieces], max_nodes=500)
    assert count.nodes == 500 and not count.complete and len(count.packings) < 480


@pytest.mark.slow
@settings(max_examples=more(30))
@given(SMALL)
def test_covers_are_the_packings_each_once(packed: Packed) -> None:
    size, masks = packed
    shapes = shapes_of(size, masks)
    cover = cover_of(size, shapes)
    found = [frozenset(cover.list_masks(chosen)) for chosen in enumerate_exact_covers(cover.matrix)]
    assert len(set(found)) == len(found) and set(found) == every_packing(size, shapes)


@pytest.mark.slow
@settings(max_examples=more(30))
@given(SMALL)
def test_packings_are_counted_up_to_turns_of_the_box(packed: Packed) -> None:
    size, masks = packed
    shapes = shapes_of(size, masks)
    count = count_packings(size, shapes)
    classes = {
        find_least_image(size, tuple(one), list_box_rotations(size))
        for one in every_packing(size, shapes)
    }
    assert count.complete and len(count.packings) == len(classes)
    assert {
        find_least_image(size, one, list_box_rotations(size)) for one in count.packings
    } == classes


@settings(max_examples=20)
@given(SMALL, st.integers(0, 2**32))
def test_the_order_of_rows_does_not_change_the_covers(packed: Packed, seed: int) -> None:
    size, masks = packed
    shapes = shapes_of(size, masks)
    shuffled = cover_of(size, shapes, rng=random.Random(seed))
    assert {
        frozenset(shuffled.list_masks(c)) for c in enumerate_exact_covers(shuffled.matrix)
    } == every_packing(size, shapes)


@settings(max_examples=30)
@given(SMALL)
def test_an_anchor_is_unlike_all_other_pieces(packed: Packed) -> None:
    size, masks = packed
    canonical = [shape.canonical for shape in shapes_of(size, masks)]
    anchor = choose_anchor(size, shapes_of(size, masks))
    assert (anchor is None) == all(canonical.count(shape) > 1 for shape in canonical)
    assert anchor is None or canonical.count(canonical[anchor]) == 1


@pytest.mark.parametrize(
    ("size", "count"), [((2, 2, 2), 24), ((2, 2, 3), 8), ((3, 2, 3), 8), ((1, 2, 3), 4)]
)
def test_a_box_is_turned_onto_itself_in_so_many_ways(size: Cell, count: int) -> None:
    rotations = list_box_rotations(size)
    assert len(rotations) == count
    for first, second in product(rotations, repeat=2):
        assert second.compose(first) in rotations
    full = mask_of(size, Voxels.make_block(size).cells)
    assert find_stabilizer(size, full) == rotations
    corner = mask_of(size, [(0, 0, 0)])
    for r in rotations:
        assert rotate_mask(size, full, r) == full
        for s in rotations:
            assert rotate_mask(size, rotate_mask(size, corner, r), s) == rotate_mask(
                size, corner, s.compose(r)
            )
