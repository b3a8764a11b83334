"""Assemblies and levels against an oracle that shares no code; turned drawings; groups; weights."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import Assembly, may_stay_together, solve
from pysim.families.burr.solver.separation import find_first_separation
from pysim.geometry import IDENTITY, Cell, Rotation, Voxels, list_rotations
from tests.families.burr.designs import cut_design, drawn_anew, tally_of
from tests.families.burr.oracle import naive_assemblies, naive_levels
from tests.sampling import by_day, more

LOVES_DOZEN = (88, 512, 704, 960, 992, 1008)
SMALL = (
    (1, 256, 256, 256, 928, 928),
    (1, 188, 256, 960, 975, 1024),
    (52, 792, 824, 911, 975, 1024),
    (120, 160, 256, 512, 880, 960),
)
SEEDS = st.integers(0, 2**32 - 1)
TURNS = st.sampled_from(list_rotations())


def cells_of(assembly: Assembly) -> frozenset[frozenset[tuple[int, int, int]]]:
    return frozenset(frozenset(cells) for _, cells in assembly.pieces)


def check_against_oracle(design: Design) -> None:
    found = list(solve(design, design.problems[0]))
    expected = naive_assemblies(design, design.problems[0])
    assert len(found) == len(expected)
    for alike in expected:
        assert sum(cells_of(assembly) in alike for assembly in found) == 1
    for assembly in found:
        check_level(assembly)


def check_level(assembly: Assembly) -> None:
    levels = naive_levels(cells_of(assembly))
    assert assembly.level in levels or (assembly.level is None and not levels)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("part", range(4))
def test_small_designs_have_the_assemblies_and_levels_that_brute_force_finds(part: int) -> None:
    compared = 0
    for seed in range(part * 10, part * 10 + 10):
        design = cut_design(random.Random(seed))
        if tally_of(design).assemblies <= 20:
            check_against_oracle(design)
            compared += 1
    assert compared >= 7


def draw_free_design(rng: random.Random) -> Design:
    """Return a block to be made of any of some pieces, and the mirror images of some of them."""
    size = rng.choice([(3, 2, 2), (3, 3, 2), (4, 2, 2)])
    cut = cut_design(rng).shapes[1:]
    images = [
        replace(piece, filled=frozenset((piece.size[0] - 1 - x, y, z) for x, y, z in piece.filled))
        for piece in cut
    ]
    kept = images[: rng.choice([0, 1, len(images), len(images)])]
    goal = DrawnShape(size, Voxels.make_block(size).cell_set)
    most = [rng.choice([1, 2, 2]) for _ in cut]
    most += [rng.choice([limit, limit, 3 - limit]) for limit in most[: len(kept)]]
    parts = tuple(PartUse(1 + k, 0, limit) for k, limit in enumerate(most))
    return Design((goal, *cut, *kept), (Problem("", parts, 0),))


@pytest.mark.by_day(1)
@pytest.mark.parametrize("part", range(4))
def test_pieces_of_which_none_must_be_used_have_the_assemblies_of_brute_force(part: int) -> None:
    found = 0
    for seed in range(part * 40, part * 40 + 40):
        design = draw_free_design(random.Random(seed))
        count = tally_of(design).assemblies
        found += count
        if 0 < count <= 20:
            check_against_oracle(design)
        else:
            assert count or not naive_assemblies(design, design.problems[0])
    assert found > 20


def test_an_assembly_counts_though_there_are_no_pieces_for_its_mirror_image() -> None:
    design = draw_free_design(random.Random(74))
    most = [part.maximum for part in design.problems[0].parts]
    assert most[: len(most) // 2] != most[len(most) // 2 :] and tally_of(design).assemblies == 5
    check_against_oracle(design)


@pytest.mark.parametrize("numbers", SMALL[:2])
def test_six_piece_burrs_have_the_assemblies_that_brute_force_finds(
    numbers: tuple[int, ...],
) -> None:
    check_against_oracle(make_six_piece_design(numbers))


@pytest.mark.slow
def test_levels_are_among_those_that_brute_force_finds() -> None:
    design = make_six_piece_design(LOVES_DOZEN)
    looked_at: Counter[object] = Counter()
    for assembly in solve(design, design.problems[0]):
        looked_at[assembly.level] += 1
        if looked_at[assembly.level] <= 2:
            check_level(assembly)
    assert len(looked_at) == 13


def top_of(turn: Rotation) -> Cell:
    """Where the upper side goes."""
    return turn.apply((0, 0, 1))


def first_moves(design: Design) -> tuple[int, Counter[int]]:
    """How many assemblies there are, and after how many moves the first pieces of each come off."""
    found = [assembly.level for assembly in solve(design, design.problems[0])]
    return len(found), Counter(level[0] if level else 0 for level in found)


@pytest.mark.by_day(4)
@pytest.mark.parametrize("turn", by_day(list_rotations(), top_of, name=lambda turn: turn.name))
@pytest.mark.parametrize("numbers", SMALL)
def test_turning_the_drawing_changes_no_count_and_no_first_number(
    numbers: tuple[int, ...], turn: Rotation
) -> None:
    design = make_six_piece_design(numbers)
    still = [IDENTITY] * len(design.shapes)
    wanted = first_moves(design)
    assert first_moves(drawn_anew(design, [turn for _ in still])) == wanted
    assert first_moves(drawn_anew(design, [turn, *still[1:]])) == wanted
    assert first_moves(drawn_anew(design, [IDENTITY, *(turn for _ in still[1:])])) == wanted


@pytest.mark.slow
@settings(max_examples=more(20))
@given(SEEDS, st.lists(TURNS, min_size=5, max_size=5))
def test_any_small_design_has_the_same_counts_and_first_numbers_in_any_drawing(
    seed: int, turns: list[Rotation]
) -> None:
    rng = random.Random(seed)
    design = cut_design(rng)
    shapes = tuple(replace(shape, weight=rng.randint(1, 2)) for shape in design.shapes)
    design = replace(design, shapes=shapes)
    assert first_moves(drawn_anew(design, turns[: len(shapes)])) == first_moves(design)


TIED = {
    0: "30x1 6x1.1.2 20x1.2 4x1.2.1.2 6x1.2.2 1x12.3 6x2 6x2.2 6x3 2x4.2 2x4.4 1x6.2",
    2: "30x1 2x1.1.2 24x1.2 4x1.2.1.2 6x1.2.2 1x12.3 6x2 6x2.2 6x3 2x4.2 2x4.4 1x6.2",
}
"""Seed of a drawing of Love's Dozen -> its levels as BurrTools has them: ways that are equally
short are taken in an order that belongs to the drawing."""


@pytest.mark.parametrize("seed", TIED)
def test_of_equally_short_ways_the_one_of_burrtools_is_taken(seed: int) -> None:
    design = make_six_piece_design(LOVES_DOZEN)
    rng = random.Random(seed)
    turns = [rng.choice(list_rotations()) for _ in design.shapes]
    levels = tally_of(drawn_anew(design, turns)).levels
    assert " ".join(f"{count}x{level}" for level, count in sorted(levels.items())) == TIED[seed]


def test_a_handed_goal_is_built_of_the_piece_of_its_hand() -> None:
    screw = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)])
    image = Voxels.from_cells([(-x, y, z) for x, y, z in screw.cells]).move_to_origin()
    shapes = tuple(DrawnShape(v.bounds.size, v.cell_set) for v in (image, screw, image))
    parts = (PartUse(1, 0, 1), PartUse(2, 0, 1))
    found = list(solve(design := Design(shapes, (Problem("", parts, 0),)), design.problems[0]))
    assert [[part for part, _ in assembly.pieces] for assembly in found] == [[1]]


RING = Voxels.parse(["###/#.#/###"])
LINK = Voxels.from_cells([(1, 1, 0), (1, 1, 1), (1, 1, -1), (0, 1, 1), (2, 1, -1)])


def linked(*parts: PartUse) -> Design:
    """A ring and a link that can't come apart, and a cube beside them."""
    cube = Voxels.from_cells([(-1, 0, 0)])
    shapes = [v.move_to_origin() for v in (RING, LINK, cube)]
    used = (RING, LINK, cube)[: len(parts)]
    whole = Voxels.from_cells([cell for v in used for cell in v.cells]).move_to_origin()
    drawn = [DrawnShape(v.bounds.size, v.cell_set) for v in (whole, *shapes)]
    return Design(tuple(drawn), (Problem("", parts, 0),))


def levels(design: Design) -> list[tuple[int, ...] | None]:
    return [assembly.level for assembly in solve(design, design.problems[0])]


@pytest.mark.parametrize(
    ("ring", "link", "expected"),
    [
        (PartUse(1, 1, 1), PartUse(2, 1, 1), None),
        (PartUse(1, 1, 1, group=1), PartUse(2, 1, 1, group=1), (1,)),
        (PartUse(1, 1, 1, group=1), PartUse(2, 1, 1, group=2), None),
        (PartUse(1, 1, 1, group=1), PartUse(2, 1, 1), None),
        (
            PartUse(1, 1, 1, groups=((1, 1), (2, 1))),
            PartUse(2, 1, 1, groups=((2, 1), (3, 1))),
            (1,),
        ),
        (
            PartUse(1, 1, 1, groups=((1, 1), (2, 0))),
            PartUse(2, 1, 1, groups=((2, 1), (3, 1))),
            None,
        ),
    ],
)
def test_pieces_that_share_a_group_need_not_come_apart(
    ring: PartUse, link: PartUse, expected: tuple[int, ...] | None
) -> None:
    assert levels(linked(ring, link, PartUse(3, 1, 1))) == [expected]


def test_pieces_of_one_group_alone_are_left_together_though_they_could_come_apart() -> None:
    design = make_six_piece_design((1, 256, 256, 256, 928, 928))
    (problem,) = design.problems
    parts = tuple(replace(part, group=part.maximum and 1) for part in problem.parts)
    assert levels(design) == [(1, 2)]
    assert levels(replace(design, problems=(replace(problem, parts=parts),))) == [(1,)]


def test_a_whole_that_may_stay_together_is_no_solution() -> None:
    design = linked(PartUse(1, 1, 1, group=1), PartUse(2, 1, 1, group=1))
    assert levels(design) == [()]
    assert (tally_of(design).assemblies, tally_of(design).solutions) == (1, 0)


@pytest.mark.parametrize(
    ("pieces", "stay"),
    [
        ([0], True),
        ([0, 0], True),
        ([0, 0, 0], False),
        ([0, 0, 1], True),
        ([0, 0, 1, 1], False),
        ([1, 1], True),
        ([1, 1, 2], False),
        ([0, 2], False),
        ([3], False),
        ([4], False),
    ],
)
def test_a_group_takes_so_many_copies_of_each_part(pieces: list[int], stay: bool) -> None:
    parts = (
        PartUse(0, 3, 3, groups=((1, 2), (2, 1))),
        PartUse(1, 2, 2, groups=((1, 1), (3, 2))),
        PartUse(2, 1, 1, group=4),
        PartUse(3, 1, 1),
        PartUse(4, 1, 1, groups=((0, 1),)),
    )
    assert may_stay_together(Problem("", parts, 5), pieces) is stay


def test_the_lighter_side_counts_as_taken_away() -> None:
    bars = [np.array([(x, y, 0) for x in range(3)], np.int32) for y in range(2)]
    for weights, moved in (((1, 1), (True, False)), ((2, 1), (False, True))):
        found = find_first_separation(bars, np.zeros((2, 3), np.int32), np.array(weights), 100)
        assert found is not None
        assert (found.moves, found.moved) == (1, moved)
