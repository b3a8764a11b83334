"""The parts of the search: random numbers, bits, taking apart, and what counts as the same."""

import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pysim.families.burr.canonical import compute_canonical_key
from pysim.families.burr.generator import stacks
from pysim.families.burr.generator.annealing import Cooling, anneal
from pysim.families.burr.generator.climbing import climb
from pysim.families.burr.generator.filling import fill
from pysim.families.burr.generator.graded import anneal_graded
from pysim.families.burr.generator.rng import create_rng, draw_below, draw_unit
from pysim.families.burr.generator.rods import list_places
from pysim.families.burr.generator.rows import create_rows, flip, measure_pieces, measure_rows
from pysim.families.burr.generator.sixpiece import find_stick, make_canvas
from pysim.families.burr.generator.takedown import create_buffers, take_down
from pysim.families.burr.notches import make_stick
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver.movement import measure
from pysim.geometry import Cell, Direction, Rotation, Voxels, add
from tests.families.burr.oracle import naive_levels
from tests.sampling import more

SIDE = 5
ROTATIONS = st.integers(0, 23).map(Rotation)
SEEDS = st.integers(0, 10**9)


def drawn_pieces(seed: int, pieces: int, size: int = SIDE) -> list[list[Cell]]:
    """Sets of cells that do not overlap; they need not be connected to block each other."""
    rng = random.Random(seed)
    cells = [(x, y, z) for x, y, z in product(range(size), repeat=3)]
    rng.shuffle(cells)
    each = rng.randint(2, len(cells) // (2 * pieces))
    return [cells[i * each : (i + 1) * each] for i in range(pieces)]


def rows_of(pieces: list[list[Cell]], side: int = SIDE) -> np.ndarray:
    rows = create_rows(len(pieces), side)
    for i, cells in enumerate(pieces):
        for x, y, z in cells:
            flip(rows, i, x, y, z)
    return rows


def test_random_numbers_are_those_of_splitmix64() -> None:
    # The first outputs for the state 1234567, as its authors' reference program prints them.
    state = create_rng(1234567)
    outputs = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [draw_below(state, 1 << 32) for _ in outputs] == [output >> 32 for output in outputs]


@given(SEEDS, st.integers(1, 100))
def test_random_numbers_stay_within_their_bounds(seed: int, count: int) -> None:
    state = create_rng(seed)
    assert all(0 <= draw_below(state, count) < count for _ in range(20))
    assert all(0.0 <= draw_unit(state) < 1.0 for _ in range(20))


@given(SEEDS, st.tuples(*[st.integers(-12, 12)] * 3))
def test_bits_measure_what_cells_measure(seed: int, relative: Cell) -> None:
    pieces = drawn_pieces(seed, 2)
    x, y, z = relative
    assume(not set(pieces[0]) & {(a + x, b + y, c + z) for a, b, c in pieces[1]})
    apart = np.array(relative, np.int32)
    found = np.empty(6, np.int32)
    rows, boxes = rows_of(pieces), np.empty((2, 3, 2), np.int32)
    measure_pieces(rows, boxes, np.empty(2, np.uint64))
    measure_rows(rows, boxes, 0, 1, apart, found)
    cells = [np.array(piece, np.int32) for piece in pieces]
    other = np.empty(6, np.int32)
    measure(cells[0], cells[1], apart, other)
    assert found.tolist() == other.tolist()


@settings(max_examples=more(30))
@given(SEEDS, st.integers(2, 4))
def test_taking_apart_agrees_with_an_oracle_that_knows_only_cells(seed: int, pieces: int) -> None:
    drawn = drawn_pieces(seed, pieces, 4)
    found = take_down(rows_of(drawn, 4), create_buffers(pieces, 20_000))
    levels = naive_levels(frozenset(map(frozenset, drawn)))
    assert found.apart is bool(levels)
    if levels:
        assert {level[0] for level in levels} == {found.level}


@pytest.mark.parametrize("seed", range(3))
def test_filling_takes_nothing_away_and_keeps_the_level(seed: int) -> None:
    canvas, numbers = make_canvas(6), create_rng(seed)
    start = canvas.start(random.Random(seed))
    assert start is not None
    sharing = canvas.make_sharing(start)
    found = anneal(sharing, canvas.least, Cooling(steps=3000, configurations=2000), 2, numbers)
    filled = fill(sharing, found, 2000, numbers)
    kept = found.label < canvas.pieces
    assert found.level >= 2 and (filled[kept] == found.label[kept]).all()
    assert (filled < canvas.pieces).sum() > kept.sum()
    assembly = [cells.cell_set for cells in canvas.split(filled)]
    assert min(naive_levels(frozenset(assembly)))[0] >= found.level


def test_a_search_that_reaches_its_limit_says_so() -> None:
    room, cramped = create_buffers(4, 20_000), create_buffers(4, 3)
    every = [rows_of(drawn_pieces(seed, 4, 4), 4) for seed in range(200)]
    far = [rows for rows in every if take_down(rows, room).depth > 2]
    assert far
    for rows in far:
        found = take_down(rows, cramped)
        assert (found.level, found.apart) == (-1, False)


@given(SEEDS, ROTATIONS, st.tuples(*[st.integers(-5, 5)] * 3), st.booleans())
def test_turned_moved_and_reordered_assemblies_are_the_same(
    seed: int, rotation: Rotation, by: Cell, reflections: bool
) -> None:
    pieces = [Voxels.from_cells(cells) for cells in drawn_pieces(seed, 3, 3)]
    turned = [piece.rotate(rotation).translate(by) for piece in reversed(pieces)]
    key = compute_canonical_key(pieces, reflections=reflections)
    assert compute_canonical_key(turned, reflections=reflections) == key


def test_mirror_images_are_the_same_only_if_asked() -> None:
    screw = [
        Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)]),
        Voxels.from_cells([(0, 0, 1)]),
    ]
    mirrored = [Voxels.from_cells((-x, y, z) for x, y, z in piece.cells) for piece in screw]
    for reflections in (False, True):
        keys = {compute_canonical_key(p, reflections=reflections) for p in (screw, mirrored)}
        assert len(keys) == (1 if reflections else 2)


def test_cells_that_change_hands_make_another_assembly() -> None:
    one = [
        Voxels.from_cells([(0, 0, 0), (1, 0, 0)]),
        Voxels.from_cells([(2, 0, 0)]),
        Voxels.from_cells([(3, 0, 0)]),
    ]
    other = [
        Voxels.from_cells([(0, 0, 0)]),
        Voxels.from_cells([(1, 0, 0), (2, 0, 0)]),
        Voxels.from_cells([(3, 0, 0)]),
    ]
    keys = {compute_canonical_key(pieces, reflections=True) for pieces in (one, other)}
    assert len(keys) == 2


@given(st.integers(1, 4096), st.sampled_from([6, 8, 10]), ROTATIONS)
def test_a_stick_is_known_by_its_number_however_it_lies(
    number: int, length: int, rotation: Rotation
) -> None:
    try:
        stick = make_stick(number, length)
    except ValueError:
        return
    shape, name = find_stick(stick.rotate(rotation))
    assert shape == make_stick(int(name), length)
    assert int(name) <= number and shape.canonical == stick.canonical


def test_what_is_no_stick_has_no_number() -> None:
    for cells in (Voxels.make_block((6, 2, 3)), Voxels.from_cells([(x, 0, 0) for x in range(6)])):
        with pytest.raises(ValueError, match="no burr stick"):
            find_stick(cells)


@pytest.mark.parametrize("length", [6, 8])
def test_six_rods_lie_as_in_the_classic_burr(length: int) -> None:
    rods = list_places(6, length)
    goal = make_six_piece_design((1, 1, 1, 1, 1, 1), length).shapes[0]
    assert frozenset().union(*rods) == goal.filled | goal.variable
    alone = [cell for rod in rods for cell in rod if sum(cell in r for r in rods) == 1]
    assert frozenset(alone) == goal.filled


@pytest.mark.parametrize("count", range(3, 31))
def test_rods_are_whole_and_lie_in_their_block(count: int) -> None:
    length = max(max(c) for rod in list_places(count, 20) for c in rod) + 1
    rods = list_places(count, 20)
    assert len(rods) == count and length == 20
    assert {len(rod) for rod in rods} == {80}
    assert len(set(rods)) == count


def test_longer_climb_begins_like_a_shorter_one_and_ends_no_lower() -> None:
    canvas = make_canvas(6)
    start = next(filter(None, (canvas.start(random.Random(seed)) for seed in range(50))))
    short, long = (
        climb(canvas.make_sharing(start), 1, Cooling(steps=2000), rounds, create_rng(5))
        for rounds in (4, 8)
    )
    assert {one.label.tobytes() for one in short} <= {one.label.tobytes() for one in long}
    for found in (short, long):
        levels = [one.level for one in found]
        assert levels == sorted(levels, reverse=True) and min(levels) > 0
    assert long[0].level >= short[0].level


@pytest.mark.slow
def test_locks_of_a_climb_have_the_levels_that_an_oracle_finds() -> None:
    canvas = make_canvas(6)
    start = next(filter(None, (canvas.start(random.Random(seed)) for seed in range(50))))
    locks = climb(canvas.make_sharing(start), 1, Cooling(steps=3000), 3, create_rng(6))
    assert locks
    for found in locks:
        pieces = frozenset(piece.cell_set for piece in canvas.split(found.label))
        assert found.level in {levels[0] for levels in naive_levels(pieces)}


def test_stacked_rods_start_as_a_lock_and_end_at_the_level_of_the_takedown() -> None:
    canvas = stacks.make_canvas()
    start = next(filter(None, (canvas.start(random.Random(seed)) for seed in range(50))))
    sharing, room = canvas.make_sharing(start), create_buffers(18, 1000)
    assert take_down(sharing.rows, room).apart
    found = anneal_graded(sharing, 1, Cooling(steps=1500, configurations=1000), 99, create_rng(3))
    assert all(
        bits >> owner & 1
        for bits, owner in zip(sharing.allowed.tolist(), found.label.tolist(), strict=True)
    )
    assert all(piece.is_connected for piece in canvas.split(found.label))
    again = take_down(sharing.share(found.label).rows, room)
    assert again.apart and again.level == found.level >= 1


def can_be_drawn_out(rods: Sequence[frozenset[Cell]], number: int) -> bool:
    """Whether a rod, however notched, comes out by a move of one unit and one along itself."""
    others = frozenset().union(*(rod for i, rod in enumerate(rods) if i != number))
    size = Voxels.from_cells(rods[number]).bounds.size
    axis = size.index(max(size))
    for lifted in (d for d in Direction if d.axis.number != axis):
        shifted = [add(cell, lifted.vector) for cell in rods[number]]
        lines = {cell[:axis] + cell[axis + 1 :] for cell in shifted}
        if not any(cell[:axis] + cell[axis + 1 :] in lines for cell in others):
            return True
    return False


def test_outer_ones_of_18_rods_in_layers_are_loose_and_no_rods_in_stacks_are() -> None:
    layers, stacked = list_places(18, 12), stacks.crossing_bars((2, 2, 2), (3, 3, 3))
    assert sum(can_be_drawn_out(layers, number) for number in range(18)) == 12
    assert not any(can_be_drawn_out(stacked, number) for number in range(18))
