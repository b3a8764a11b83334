"""Copies of an assembly: which one counts, and how often where shapes are listed twice."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import pytest

from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import AssemblyTally, solve
from pysim.families.burr.solver.board import Board
from pysim.geometry import Cell, Voxels, list_rotations
from tests.families.burr.designs import cut_design, drawn_anew, tally_of
from tests.interpreting import interpreting

Labelled = frozenset[tuple[int, frozenset[Cell]]]
"""An assembly in which every piece has the number of its part."""


def listed_apart(design: Design) -> Design:
    """The design with one copy of each part that has several drawn as a shape of its own."""
    (problem,) = design.problems
    shapes, parts = list(design.shapes), []
    for part in problem.parts:
        if part.minimum and part.maximum > 1:
            shapes.append(shapes[part.shape])
            parts.append(replace(part, minimum=1, maximum=1))
            parts.append(PartUse(len(shapes) - 1, part.minimum - 1, part.maximum - 1))
        else:
            parts.append(part)
    return replace(design, shapes=tuple(shapes), problems=(replace(problem, parts=tuple(parts)),))


def painted(design: Design, rng: random.Random) -> Design:
    """The design with a colour on some cells of the goal, and on some of the pieces."""
    shares = [0.5] + [0.15] * (len(design.shapes) - 1)
    shapes = tuple(
        replace(
            shape,
            colours={
                cell: 1 for cell in sorted(shape.filled | shape.variable) if rng.random() < share
            },
        )
        for shape, share in zip(design.shapes, shares, strict=True)
    )
    (problem,) = design.problems
    return replace(design, shapes=shapes, problems=(replace(problem, allowed=frozenset({(1, 1)})),))


def varied(seed: int) -> Design:
    """A small design, with colours, groups, weights, or shapes that are listed apart."""
    rng = random.Random(seed)
    design = cut_design(rng)
    if rng.random() < 0.5:
        design = listed_apart(design)
    if rng.random() < 0.3:
        design = painted(design, rng)
    (problem,) = design.problems
    parts = tuple(replace(part, group=rng.choice([0, 0, 1])) for part in problem.parts)
    shapes = tuple(replace(shape, weight=rng.choice([1, 1, 2])) for shape in design.shapes)
    turns = [rng.choice(list_rotations()) for _ in shapes]
    design = replace(design, shapes=shapes, problems=(replace(problem, parts=parts),))
    return drawn_anew(design, turns)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("part", range(5))
def test_interpreted_and_compiled_code_find_the_same_in_the_same_order(part: int) -> None:
    found = 0
    for seed in range(20 * part, 20 * part + 20):
        design = varied(seed)
        with interpreting(0):
            compiled = list(solve(design, design.problems[0]))
        with interpreting(math.inf):
            assert list(solve(design, design.problems[0])) == compiled
        found += len(compiled)
    assert found > 100


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "numbers", [(88, 512, 704, 960, 992, 1008), (412, 480, 512, 704, 704, 960)]
)
def test_going_over_to_compiled_code_on_the_way_changes_nothing(numbers: tuple[int, ...]) -> None:
    design = make_six_piece_design(numbers)
    with interpreting(0):
        wanted = list(solve(design, design.problems[0]))
    for seconds in (0.01, 0.05, 0.25):
        with interpreting(seconds):
            assert list(solve(design, design.problems[0])) == wanted


# Seed -> assemblies, and what BurrTools counts, which tells congruent shapes apart.
APART = {14: (12, 20), 15: (3, 4), 19: (24, 72), 39: (3, 36), 46: (3, 10), 56: (4, 6), 62: (4, 16)}
APART |= {66: (22, 32), 126: (84, 442), 127: (22, 132), 141: (6, 27), 161: (18, 34)}
APART |= {241: (3, 5), 259: (20, 24), 338: (5, 9), 377: (22, 38)}


@pytest.mark.parametrize("seed", APART)
def test_congruent_shapes_that_are_listed_apart_are_counted_as_by_burrtools(seed: int) -> None:
    tally = tally_of(listed_apart(cut_design(random.Random(seed))))
    assert (tally.assemblies, tally.labelled) == APART[seed]


@pytest.mark.parametrize("seed", [14, 19, 66, 126])
def test_early_parts_of_a_shape_get_as_many_pieces_as_they_may(seed: int) -> None:
    design = listed_apart(cut_design(random.Random(seed)))
    (problem,) = design.problems
    alike: dict[object, list[int]] = {}
    for number, part in enumerate(problem.parts):
        shape = Voxels.from_cells(design.shapes[part.shape].filled)
        alike.setdefault(shape.canonical, []).append(number)
    for assembly in solve(design, problem):
        numbers = [number for number, _ in assembly.pieces]
        assert numbers == sorted(numbers)
        used = Counter(numbers)
        for parts in alike.values():
            spare = sum(used[number] - problem.parts[number].minimum for number in parts)
            for number in parts:
                extra = min(spare, problem.parts[number].maximum - problem.parts[number].minimum)
                assert used[number] == problem.parts[number].minimum + extra
                spare -= extra


@pytest.mark.parametrize(
    ("numbers", "assemblies", "labelled"),
    [
        ((1, 256, 256, 256, 928, 928), 1, 3),
        ((88, 512, 704, 960, 1008, 1008), 12, 24),
        ((412, 480, 512, 704, 704, 960), 144, 288),
        ((512, 704, 704, 960, 992, 992), 348, 1392),
    ],
)
def test_a_burr_whose_sticks_are_all_listed_has_the_count_of_burrtools(
    numbers: tuple[int, ...], assemblies: int, labelled: int
) -> None:
    design = make_six_piece_design(numbers)
    (problem,) = design.problems
    copies = [part.shape for part in problem.parts for _ in range(part.maximum)]
    shapes = design.shapes + tuple(design.shapes[shape] for shape in copies)
    parts = tuple(PartUse(len(design.shapes) + i, 1, 1) for i in range(len(copies)))
    tally = tally_of(replace(design, shapes=shapes, problems=(replace(problem, parts=parts),)))
    assert (tally.assemblies, tally.labelled) == (assemblies, labelled)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("part", range(4))
def test_labelled_assemblies_are_what_brute_force_counts(part: int) -> None:
    told_apart = 0
    for seed in range(part * 15, part * 15 + 15):
        design = listed_apart(cut_design(random.Random(seed)))
        tally = tally_of(design)
        if tally.labelled <= 60 and all_mirrored_alike(design):
            assert tally.labelled == naive_labelled(design), seed
            told_apart += tally.labelled > tally.assemblies
    assert told_apart


def all_mirrored_alike(design: Design) -> bool:
    """Whether no piece is handed, so that a mirror image is made of the same parts."""
    board = Board.from_problem(design, design.problems[0])
    return all(kind.mirror == i for i, kind in enumerate(board.pieces)) or not any(
        symmetry.mirrored for symmetry in board.symmetries
    )


def naive_labelled(design: Design) -> int:
    (problem,) = design.problems
    goal = design.shapes[problem.goal]
    left = set(labelled(design, problem, goal))
    images = list(onto_itself(goal))
    count = 0
    while left:
        some = left.pop()
        left -= {
            frozenset((part, frozenset(image[c] for c in cells)) for part, cells in some)
            for image in images
        }
        count += 1
    return count


def labelled(design: Design, problem: Problem, goal: DrawnShape) -> Iterator[Labelled]:
    places = [list(all_places(design.shapes[part.shape], goal)) for part in problem.parts]
    varies = any(part.minimum != part.maximum for part in problem.parts)
    holes = len(goal.variable)
    if varies and problem.max_holes is not None:
        holes = problem.max_holes

    def go_on(laid: Labelled, number: int, free: frozenset[Cell]) -> Iterator[Labelled]:
        if number == len(problem.parts):
            if not goal.filled & free and len(free) <= holes and laid:
                yield laid
            return
        least, most = problem.parts[number].minimum, problem.parts[number].maximum
        yield from copies(laid, number, free, least, most, 0)

    def copies(
        laid: Labelled, number: int, free: frozenset[Cell], least: int, most: int, after: int
    ) -> Iterator[Labelled]:
        if least <= 0:
            yield from go_on(laid, number + 1, free)
        if most:
            for i in range(after, len(places[number])):
                if (cells := places[number][i]) <= free:
                    more = laid | {(number, cells)}
                    yield from copies(more, number, free - cells, least - 1, most - 1, i + 1)

    return go_on(frozenset(), 0, goal.filled | goal.variable)


def all_places(shape: DrawnShape, goal: DrawnShape) -> set[frozenset[Cell]]:
    room = goal.filled | goal.variable
    found = set()
    for turn in list_rotations():
        turned = [turn.apply(cell) for cell in shape.filled]
        for place in room:
            by = [place[a] - turned[0][a] for a in range(3)]
            found.add(frozenset((x + by[0], y + by[1], z + by[2]) for x, y, z in turned))
    return {cells for cells in found if cells <= room}


def onto_itself(goal: DrawnShape) -> Iterator[Mapping[Cell, Cell]]:
    cells = sorted(goal.filled | goal.variable)
    for turn in list_rotations():
        for side in (1, -1):
            moved = [turn.apply((side * x, side * y, side * z)) for x, y, z in cells]
            by = [min(c[a] for c in cells) - min(c[a] for c in moved) for a in range(3)]
            image = {
                cell: (x + by[0], y + by[1], z + by[2])
                for cell, (x, y, z) in zip(cells, moved, strict=True)
            }
            if {image[cell] for cell in goal.filled} == goal.filled and set(image.values()) == set(
                cells
            ):
                yield image


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_copies_are_compared_by_the_piece_with_the_fewest_symmetries_of_the_goal(
    order: tuple[int, int],
) -> None:
    """A bar of two looks alike in 16 ways, the rest of the cube in 4."""
    cube = frozenset(product(range(2), repeat=3))
    bar = frozenset({(0, 0, 0), (1, 0, 0)})
    shapes = (DrawnShape((2, 2, 2), cube), DrawnShape((2, 1, 1), bar))
    design = Design((*shapes, DrawnShape((2, 2, 2), cube - bar)), ())
    problem = Problem("", tuple(PartUse(shape, 1, 1) for shape in order), 0)
    assert Board.from_problem(design, problem).pivot == order.index(2)


def test_a_coloured_piece_fits_a_goal_without_a_colour() -> None:
    bar = frozenset({(0, 0, 0), (1, 0, 0)})
    goal = DrawnShape((2, 1, 1), bar, colours={(0, 0, 0): 1})
    for colours, count in (({(0, 0, 0): 1}, 2), ({(0, 0, 0): 2}, 1), (dict.fromkeys(bar, 2), 0)):
        piece = DrawnShape((2, 1, 1), bar, colours=colours)
        problem = Problem("", (PartUse(1, 1, 1),), 0, allowed=frozenset({(1, 1)}))
        assert tally_of(Design((goal, piece), (problem,))).assemblies == count


def test_a_tally_of_nothing_is_zero() -> None:
    assert (AssemblyTally().assemblies, AssemblyTally().labelled, AssemblyTally().solutions) == (
        0,
        0,
        0,
    )
