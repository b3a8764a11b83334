"""The solver against published counts and files with reference counts."""

import csv
from pathlib import Path

import pytest

from pysim.catalog import find_level
from pysim.families.burr.files.design import Design, DesignError, DrawnShape, PartUse, Problem
from pysim.families.burr.files.exporting import export_design
from pysim.families.burr.files.puz import read_design
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.families.burr.solver import AssemblyTally, format_level
from pysim.geometry import Voxels
from tests.families.burr.designs import tally_of

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"

# Pieces, assemblies, solutions and highest level at length 6: W. Cutler's tables and BurrTools.
PUBLISHED = {
    "Chinese Cross": ((1, 256, 824, 928, 975, 1024), 1, 1, "1"),
    "Diabolical Structure": ((1, 256, 256, 256, 928, 928), 1, 1, "1.2"),
    "Six Way Set": ((52, 792, 824, 911, 975, 1024), 4, 3, "1"),
    "Yamato Block": ((1, 188, 824, 975, 1024, 1024), 1, 1, "1"),
    "Hoffmann Burr": ((1, 188, 256, 960, 975, 1024), 2, 2, "1.2"),
    "Double Cross": ((1, 154, 256, 256, 1024, 1024), 1, 1, "1"),
    "Tenyo Brother": ((463, 564, 760, 909, 927, 1016), 1, 1, "1"),
    "Philippe Dubois": ((120, 160, 256, 512, 880, 960), 2, 1, "6.4"),
    "Piston": ((88, 512, 768, 922, 1008, 1008), 10, 1, "9.3"),
    "Love's Dozen": ((88, 512, 704, 960, 992, 1008), 154, 90, "12.3"),
    "Computer's Choice Unique-10": ((624, 702, 768, 883, 1015, 1024), 7, 1, "5.2"),
    "Artifactory 5/4": ((412, 480, 512, 704, 704, 960), 144, 1, "5.4"),
}


def highest(tally: AssemblyTally) -> str:
    return max(tally.levels, key=lambda name: [int(moves) for moves in name.split(".")])


@pytest.mark.parametrize("name", PUBLISHED)
def test_six_piece_burrs_have_the_published_counts(name: str) -> None:
    numbers, assemblies, solutions, level = PUBLISHED[name]
    tally = tally_of(make_six_piece_design(numbers))
    assert (tally.assemblies, tally.solutions, highest(tally)) == (assemblies, solutions, level)


@pytest.mark.parametrize(
    ("name", "counts"),
    [("Piston", (10, 0)), ("Artifactory 5/4", (144, 0)), ("Computer's Choice Unique-10", (7, 1))],
)
def test_longer_sticks_lock_better(name: str, counts: tuple[int, int]) -> None:
    tally = tally_of(make_six_piece_design(PUBLISHED[name][0], length=8))
    assert (tally.assemblies, tally.solutions) == counts
    assert name != "Computer's Choice Unique-10" or highest(tally) == "10"


def reference() -> list[dict[str, str]]:
    path = DATA / "reference_counts.tsv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [row for row in rows if "Bedlam" not in row["file"]]


@pytest.mark.by_day(14)
@pytest.mark.skipif(not reference(), reason=f"there are no reference files in {DATA.name}/")
@pytest.mark.parametrize("row", reference(), ids=lambda row: f"{row['file']}#{row['problem']}")
def test_files_have_the_counts_and_levels_of_the_reference(row: dict[str, str]) -> None:
    tally = tally_of(read_design(DATA / row["file"]), int(row["problem"]))
    assert (tally.assemblies, tally.solutions) == (int(row["assemblies"]), int(row["solutions"]))
    wanted: dict[str, int] = {}
    for part in row["levels (count x level)"].split():
        count, times, level = part.partition("x")
        wanted[level if times else count] = int(count) if times else 1
    assert dict(tally.levels) == wanted


def test_a_level_is_solved_like_a_design() -> None:
    lock = find_level("burr-philippe-dubois").puzzle
    assert dict(tally_of(export_design(lock)).levels) == {"6.4": 1}


def test_one_piece_is_an_assembly_but_no_solution() -> None:
    bar = DrawnShape((3, 1, 1), Voxels.make_block((3, 1, 1)).cell_set)
    design = Design((bar, bar), (Problem("", (PartUse(0, 1, 1),), 1),))
    tally = tally_of(design)
    assert (tally.assemblies, tally.solutions) == (1, 0)


def test_a_problem_without_a_fitting_piece_has_no_assembly() -> None:
    bar = DrawnShape((3, 1, 1), Voxels.make_block((3, 1, 1)).cell_set)
    goal = DrawnShape((2, 2, 2), Voxels.make_block((2, 2, 2)).cell_set)
    assert tally_of(Design((goal, bar), (Problem("", (PartUse(1, 1, 2),), 0),))).assemblies == 0


@pytest.mark.parametrize(("goal", "piece", "message"), [(0, 1, "the goal"), (1, 0, "a piece")])
def test_shapes_without_cells_are_refused(goal: int, piece: int, message: str) -> None:
    shapes = (DrawnShape((1, 1, 1), frozenset()), DrawnShape((1, 1, 1), frozenset({(0, 0, 0)})))
    with pytest.raises(DesignError, match=f"shape 0, {message}, has no"):
        tally_of(Design(shapes, (Problem("", (PartUse(piece, 1, 1),), goal),)))


def test_more_pieces_than_the_solver_takes_are_refused() -> None:
    cube = DrawnShape((1, 1, 1), frozenset({(0, 0, 0)}))
    goal = DrawnShape((70, 1, 1), Voxels.make_block((70, 1, 1)).cell_set)
    with pytest.raises(DesignError, match="62 pieces"):
        tally_of(Design((goal, cube), (Problem("", (PartUse(1, 70, 70),), 0),)))


def test_levels_are_written_as_designers_do() -> None:
    assert format_level((98, 2, 4, 2)) == "98.2.4.2"
