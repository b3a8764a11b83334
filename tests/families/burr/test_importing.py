"""Designs as locks, and locks as designs."""

import csv
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.catalog import find_level, list_shipped_levels
from pysim.families.burr.actions import Slide
from pysim.families.burr.documents import write_lock
from pysim.families.burr.files.design import (
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
)
from pysim.families.burr.files.exporting import export_design
from pysim.families.burr.files.importing import (
    check_pieces,
    fix_assembly,
    lock_of,
    place_found_parts,
    place_stored_parts,
)
from pysim.families.burr.files.placing import find_placement, find_pose
from pysim.families.burr.files.puz import read_design, read_puz
from pysim.families.burr.files.xmpuzzle import read_xmpuzzle, write_xmpuzzle
from pysim.families.burr.grading import add_grade, compute_budget
from pysim.families.burr.lock import MAX_PIECES, Companions, Goal, Lock
from pysim.families.burr.planner import plan_lock
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import format_level, solve
from pysim.families.burr.solver.solve import may_stay_together
from pysim.geometry import Direction, Pose, Rotation, Voxels
from pysim.puzzle import Plan, Proof, Tier
from pysim.render.palette import PALETTE
from pysim.scene import Colour
from tests.families.burr.locks import random_lock
from tests.sampling import more

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
FILES = sorted(DATA.glob("*/*.xmpuzzle"))
COLOURS = tuple(map(Colour, PALETTE))
LOCKS = [level for level in list_shipped_levels() if isinstance(level.puzzle, Lock)]
CROSS = (1, 256, 824, 928, 975, 1024)
BAR = DrawnShape((2, 1, 1), Voxels.make_block((2, 1, 1)).cell_set)
SQUARE = DrawnShape((2, 2, 1), Voxels.make_block((2, 2, 1)).cell_set)
CHIRAL = DrawnShape((2, 2, 2), frozenset({(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)}))


def there_and_back(lock: Lock) -> Lock:
    design = read_xmpuzzle(write_xmpuzzle(export_design(lock)))
    problem = design.problems[0]
    return lock_of(design, problem, place_stored_parts(design, problem, 0), lock.goal, COLOURS)


@pytest.mark.parametrize("level", LOCKS, ids=lambda level: level.id)
def test_a_shipped_lock_comes_back_exactly(level: object) -> None:
    lock = level.puzzle  # type: ignore[attr-defined]
    assert there_and_back(lock) == lock
    assert write_lock(there_and_back(lock)) == write_lock(lock)


def standing(lock: Lock) -> Counter[frozenset[tuple[int, int, int]]]:
    low = lock.bounds.low
    return Counter(
        frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)
        for cells in lock.target
    )


@given(st.integers(0, 10**6), st.sampled_from(Goal), st.integers(2, 6))
@settings(max_examples=more(20))
def test_any_lock_comes_back_with_its_pieces_where_they_were(
    seed: int, goal: Goal, count: int
) -> None:
    lock = random_lock(random.Random(seed), goal, count)
    again = there_and_back(lock)
    assert standing(again) == standing(lock) and again.goal == goal
    shapes = {piece.colour: piece.shape for piece in lock.pieces}
    assert {piece.colour: piece.shape for piece in again.pieces} == shapes
    assert there_and_back(again) == again


def test_companions_come_back() -> None:
    design = make_six_piece_design((1, 154, 256, 256, 1024, 1024))
    problem = design.problems[0]
    found = next(solve(design, problem))
    lock = lock_of(
        design, problem, place_found_parts(design, problem, found.pieces), Goal.KEY, COLOURS
    )
    one, both = (frozenset({0}), 1), (frozenset({2, 3}), 2)
    for members in ((one, both), (one, (frozenset({4, 5}), 1))):
        joined = replace(lock, companions=(Companions((both,)), Companions(members)))
        assert there_and_back(joined) == joined
    for members in (((frozenset({0, 1}), 1),), (one, one)):
        with pytest.raises(DesignError, match="a design can't"):
            export_design(replace(lock, companions=(Companions(members),)))


@st.composite
def groupings(draw: st.DrawFn) -> tuple[Problem, list[int]]:
    counts = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    memberships = st.dictionaries(st.integers(1, 2), st.integers(0, 3), max_size=2)
    parts = tuple(PartUse(0, n, n, groups=tuple(draw(memberships).items())) for n in counts)
    return Problem("", parts, 1), [part for part, n in enumerate(counts) for _ in range(n)]


@given(groupings(), st.data())
def test_pieces_may_stay_together_as_the_solver_says(
    grouping: tuple[Problem, list[int]], data: st.DataObject
) -> None:
    problem, parts = grouping
    places = tuple(((2 * i, 0, 0, 0)) for i in range(len(parts)))
    goal = DrawnShape((2 * len(parts), 1, 1), Voxels.make_block((2 * len(parts), 1, 1)).cell_set)
    problem = replace(problem, assemblies=(StoredAssembly(places),))
    design = Design((BAR, goal), (problem,))
    lock = lock_of(
        design, problem, place_stored_parts(design, problem, 0), Goal.DISASSEMBLE, COLOURS
    )
    some = data.draw(st.sets(st.sampled_from(range(len(parts))), min_size=2))
    assert lock.may_stay(some) == may_stay_together(problem, [parts[i] for i in some])


# Stored placements


@given(
    st.tuples(*[st.integers(-5, 5)] * 3),
    st.tuples(*[st.integers(-5, 5)] * 3),
    st.integers(0, 23),
)
def test_a_placement_says_where_the_hotspot_lands(
    hotspot: tuple[int, int, int], place: tuple[int, int, int], turn: int
) -> None:
    pose = find_pose(replace(BAR, hotspot=hotspot), (*place, turn))
    assert pose is not None
    assert Pose(pose.rotation, pose.offset).place(Voxels.from_cells([hotspot])).cells == (place,)


@given(st.integers(0, 23), st.tuples(*[st.integers(-9, 9)] * 3))
def test_a_pose_is_written_and_read_back(index: int, offset: tuple[int, int, int]) -> None:
    pose = Pose(Rotation(index), offset)
    assert find_pose(CHIRAL, find_placement(pose)) == pose


def test_mirrored_placements_are_read_where_a_rotation_does_the_same() -> None:
    assert all(find_pose(CHIRAL, (0, 0, 0, turn)) is None for turn in range(24, 48))
    assert find_pose(CHIRAL, (0, 0, 0, 23)) is not None
    pose = find_pose(BAR, (0, 0, 0, 24))
    assert pose is not None
    # Mirrored is x to -x, then the turn is as for 0.
    assert set(pose.place(BAR.voxels).cells) == {(0, 0, 0), (-1, 0, 0)}


@pytest.mark.skipif(not FILES, reason=f"no designers' files in {DATA}")
def test_every_assembly_that_designers_files_hold_fills_its_goal() -> None:
    count = 0
    for path in FILES:
        design = read_design(path)
        for problem in design.problems:
            for number in range(len(problem.assemblies)):
                placed = place_stored_parts(design, problem, number)
                goal = design.shapes[problem.goal]
                cells = [cell for piece in placed for cell in piece.cells.cells]
                assert len(set(cells)) == len(cells)
                assert goal.filled <= set(cells) <= goal.filled | goal.variable
                count += 1
    assert count == 346


@pytest.mark.skipif(not FILES, reason=f"no designers' files in {DATA}")
@pytest.mark.parametrize("name", ["CubeInCage", "closed_box", "kg_test", "magic_drawer"])
def test_stored_solutions_have_the_levels_of_the_reference(name: str) -> None:
    with (DATA / "reference_counts.tsv").open() as file:
        rows = {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}
    levels = rows[f"xmpuzzle/{name}.xmpuzzle"]["levels (count x level)"].split()
    wanted = {level: int(count) for count, _, level in (entry.partition("x") for entry in levels)}
    design = read_design(DATA / "xmpuzzle" / f"{name}.xmpuzzle")
    problem = design.problems[0]
    found: Counter[str] = Counter()
    for number in range(len(problem.assemblies)):
        alone = fix_assembly(design, problem, place_stored_parts(design, problem, number))
        (assembly,) = solve(alone, alone.problems[0])
        assert assembly.level is not None
        found[format_level(assembly.level)] += 1
    assert dict(found) == wanted


def with_stored(*placements: tuple[int, int, int, int] | None) -> tuple[Design, Problem]:
    """A square of two bars, of which up to three may be used, at least two."""
    problem = Problem("", (PartUse(0, 2, 3),), 1, assemblies=(StoredAssembly(placements),))
    return Design((BAR, SQUARE), (problem,)), problem


def test_a_stored_assembly_is_read() -> None:
    placed = place_stored_parts(*with_stored((0, 0, 0, 0), None, (0, 1, 0, 0)), 0)
    assert [piece.cells.bounds.low for piece in placed] == [(0, 0, 0), (0, 1, 0)]


@pytest.mark.parametrize(
    ("placements", "message"),
    [
        (((0, 0, 0, 0), (0, 0, 0, 0), None), r"cell \(0, 0, 0\) is covered twice"),
        (((0, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0)), r"cell \(0, 2, 0\) lies outside"),
        (((0, 0, 0, 0), None, None), r"cell \(0, 1, 0\) of the goal is not covered"),
    ],
)
def test_a_stored_assembly_that_contradicts_the_goal_is_refused(
    placements: tuple[tuple[int, int, int, int] | None, ...], message: str
) -> None:
    with pytest.raises(DesignError, match=f"stored assembly 0: {message}"):
        place_stored_parts(*with_stored(*placements), 0)


def test_a_stored_assembly_that_uses_too_few_pieces_is_refused() -> None:
    problem = Problem(
        "",
        (PartUse(0, 1, 1), PartUse(1, 1, 1)),
        1,
        assemblies=(StoredAssembly((None, (0, 0, 0, 0))),),
    )
    with pytest.raises(DesignError, match="of shape S1 it uses 0, not 1"):
        place_stored_parts(Design((BAR, SQUARE), (problem,)), problem, 0)


def test_a_stored_assembly_of_a_mirrored_piece_is_refused() -> None:
    problem = Problem(
        "", (PartUse(0, 2, 2),), 0, assemblies=(StoredAssembly(((0, 0, 0, 24),) * 2),)
    )
    with pytest.raises(DesignError, match="mirror image of shape S1"):
        place_stored_parts(Design((CHIRAL,), (problem,)), problem, 0)


@pytest.mark.parametrize(("number", "message"), [(-1, "0 to 0, no -1"), (1, "0 to 0, no 1")])
def test_the_number_of_a_stored_assembly_has_a_range(number: int, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        place_stored_parts(*with_stored((0, 0, 0, 0), None, (0, 1, 0, 0)), number)
    design, problem = with_stored()
    with pytest.raises(DesignError, match="no stored assembly"):
        place_stored_parts(design, replace(problem, assemblies=()), number)


def test_a_stored_assembly_of_very_many_pieces_is_refused_at_once() -> None:
    problem = Problem(
        "", (PartUse(0, 0, 9000),), 0, assemblies=(StoredAssembly(((0,) * 4,) * 9000),)
    )
    with pytest.raises(DesignError, match=f"up to {MAX_PIECES} pieces; it has 9,000"):
        place_stored_parts(Design((BAR,), (problem,)), problem, 0)


# What a lock can't be made of

APART = DrawnShape((3, 1, 1), frozenset({(0, 0, 0), (2, 0, 0)}))
LONG = DrawnShape((65, 1, 1), Voxels.make_block((65, 1, 1)).cell_set)
NOTHING = DrawnShape((1, 1, 1), frozenset())


@pytest.mark.parametrize(
    ("shapes", "parts", "message"),
    [
        ((NOTHING, BAR), (PartUse(1, 2, 2),), "the goal, shape S1, is empty"),
        ((BAR, NOTHING), (PartUse(1, 2, 2),), "shape S2 is empty"),
        ((BAR, APART), (PartUse(1, 2, 2),), "shape S2 is not connected; join"),
        ((BAR, LONG), (PartUse(1, 2, 2),), "shape S2 is longer than 64"),
        ((BAR, BAR), (PartUse(1, 52, 52),), "up to 48 pieces; this problem needs 52"),
        ((BAR, BAR), (PartUse(1, 0, 1),), "2 pieces or more"),
        ((BAR, BAR), (), "2 pieces or more"),
    ],
)
def test_what_can_be_no_lock_is_refused_before_the_search(
    shapes: tuple[DrawnShape, ...], parts: tuple[PartUse, ...], message: str
) -> None:
    problem = Problem("", parts, 0)
    with pytest.raises(DesignError, match=message):
        check_pieces(Design(shapes, (problem,)), problem, most=len(COLOURS))


def test_a_shape_that_need_not_be_used_may_be_anything() -> None:
    problem = Problem("", (PartUse(1, 2, 2), PartUse(2, 0, 1)), 0)
    check_pieces(Design((SQUARE, BAR, APART), (problem,)), problem)
    with pytest.raises(DesignError, match="S3 is not connected"):
        place_found_parts(Design((SQUARE, BAR, APART), (problem,)), problem, [(1, [(0, 0, 0)])])


# Names


@pytest.mark.parametrize(
    ("names", "colours"),
    [
        (("", "", ""), ["red", "blue", "green"]),
        (("blue", "", ""), ["blue", "red", "green"]),
        (("", "Blue", "red"), ["green", "blue", "red"]),
        (("blue", "blue", "red blue"), ["blue", "red", "green"]),
        (("no colour", "12 teal", "x"), ["red", "teal", "blue"]),
    ],
)
def test_pieces_take_the_colours_that_their_shapes_are_called(
    names: tuple[str, ...], colours: list[str]
) -> None:
    bars = tuple(replace(BAR, name=name) for name in names)
    goal = DrawnShape((6, 1, 1), Voxels.make_block((6, 1, 1)).cell_set)
    stored = StoredAssembly(((0, 0, 0, 0), (2, 0, 0, 0), (4, 0, 0, 0)))
    parts = tuple(PartUse(i, 1, 1) for i in range(3))
    problem = Problem("", parts, 3, assemblies=(stored,))
    design = Design((*bars, goal), (problem,))
    lock = lock_of(design, problem, place_stored_parts(design, problem, 0), Goal.KEY, COLOURS)
    assert [piece.colour for piece in lock.pieces] == colours
    assert all(piece.number is None for piece in lock.pieces)


def test_a_burr_number_is_kept_only_where_the_shape_is_that_stick() -> None:
    design = make_six_piece_design(CROSS)
    problem = design.problems[0]
    (found,) = solve(design, problem)
    placed = place_found_parts(design, problem, found.pieces)
    lock = lock_of(design, problem, placed, Goal.KEY, COLOURS)
    assert tuple(piece.number for piece in lock.pieces) == CROSS
    renamed = (replace(shape, name="2") for shape in design.shapes)
    other = lock_of(replace(design, shapes=tuple(renamed)), problem, placed, Goal.KEY, COLOURS)
    assert {piece.number for piece in other.pieces} == {None}


def test_a_puz_file_is_a_lock_as_it_stands() -> None:
    design = read_puz(b"2 2 1\n1\n1 1 2 2")
    problem = design.problems[0]
    lock = lock_of(
        design, problem, place_stored_parts(design, problem, 0), Goal.DISASSEMBLE, COLOURS
    )
    assert lock.target == {
        frozenset({(0, 0, 0), (1, 0, 0)}),
        frozenset({(0, 1, 0), (1, 1, 0)}),
    }


# What follows from the plan


@pytest.mark.parametrize(
    ("steps", "budget"), [(None, 60), (2, 30), (10, 30), (11, 33), (5000, 10_000)]
)
def test_the_budget_follows_from_the_plan(steps: int | None, budget: int) -> None:
    slide = Slide((COLOURS[0],), Direction.PLUS_X, 1)
    plan = None if steps is None else Plan((slide,) * steps, Proof.UPPER_BOUND, 0)
    assert compute_budget(plan) == budget


def test_a_level_is_graded_by_its_facts_and_hard_without_a_plan() -> None:
    piston = find_level("burr-piston")
    bare = replace(piston, facts={}, tier=Tier.EASY)
    facts = {name: fact for name, fact in piston.facts.items() if "random" not in name}
    assert add_grade(bare) == replace(piston, facts=facts)
    assert add_grade(replace(bare, plan=None)) == replace(piston, facts={}, plan=None)


# Turned designs


def turned(design: Design, rotation: Rotation) -> Design:
    def image(shape: DrawnShape) -> DrawnShape:
        whole = Voxels.from_cells(shape.filled | shape.variable).rotate(rotation)
        low = whole.bounds.low
        move = Pose(rotation, (-low[0], -low[1], -low[2]))
        filled, variable = (
            frozenset(cell for c in cells for cell in move.place(Voxels((c,))).cells)
            for cells in (shape.filled, shape.variable)
        )
        return replace(shape, size=whole.bounds.size, filled=filled, variable=variable)

    return replace(design, shapes=tuple(map(image, design.shapes)))


PISTON = (88, 512, 768, 922, 1008, 1008)


@pytest.mark.by_day(12)
@pytest.mark.parametrize(
    ("numbers", "counts", "plan"),
    [(CROSS, (1, 1), 5), (PISTON, (10, 1), 15)],
    ids=["Chinese Cross", "Piston"],
)
@pytest.mark.parametrize("index", range(24))
def test_a_turned_design_has_the_same_counts_and_plan(
    numbers: tuple[int, ...], counts: tuple[int, int], plan: int, index: int
) -> None:
    design = turned(make_six_piece_design(numbers), Rotation(index))
    problem = design.problems[0]
    found = list(solve(design, problem))
    solved = [assembly for assembly in found if assembly.level]
    assert (len(found), len(solved)) == counts
    placed = place_found_parts(design, problem, solved[0].pieces)
    shortest = plan_lock(lock_of(design, problem, placed, Goal.DISASSEMBLE, COLOURS))
    assert shortest is not None and len(shortest) == plan
