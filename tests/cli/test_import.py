"""``luban import`` and ``luban export``."""

import gzip
import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from pysim.catalog import AnyLevel, list_shipped_levels, read_level
from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.files.puz import read_design
from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.lock import Lock
from pysim.families.burr.sixpiece import make_six_piece_design
from pysim.geometry import Voxels
from tests.cli.test_processes import interrupt
from tests.cli.test_processes import luban as started
from tests.commands import Luban
from tests.rpc.playing import wait_for
from tests.sampling import by_day, these_by_day
from tests.waiting import PATIENCE

PISTON = (88, 512, 768, 922, 1008, 1008)
HOFFMANN = (1, 188, 256, 960, 975, 1024)
LOCKS = [level for level in list_shipped_levels() if isinstance(level.puzzle, Lock)]
FIELDS = ["level", "out", "hash", "pieces", "solution", "level_name", "plan", "plan_proof"]


def save(design: Design, name: str = "x.xmpuzzle") -> Path:
    path = Path(name)
    path.write_bytes(write_xmpuzzle(design))
    return path


def boxes(*counts: int, size: int = 2) -> Design:
    """Problems that fill a square plate with so many dominoes."""
    bar = DrawnShape((2, 1, 1), Voxels.make_block((2, 1, 1)).cell_set)
    plate = DrawnShape((size, size, 1), Voxels.make_block((size, size, 1)).cell_set)
    problems = tuple(Problem("", (PartUse(0, n, n),), 1) for n in counts)
    return Design((bar, plate), problems)


def test_a_design_becomes_a_level_that_can_be_shown_solved_and_played(luban: Luban) -> None:
    save(make_six_piece_design(PISTON), "My Piston.xmpuzzle")
    told = luban("import", "My Piston.xmpuzzle", "--out", "p.json", "--json").json()
    level = read_level(Path("p.json"))
    assert list(told) == FIELDS
    assert told == {
        "level": "burr-my-piston",
        "out": "p.json",
        "hash": level.hash,
        "pieces": 6,
        "solution": 0,
        "level_name": "9.3",
        "plan": 15,
        "plan_proof": "OPTIMAL",
    }
    assert (level.budget, level.tier.value, level.name) == (45, "hard", "My Piston")
    assert level.source.designer == "unattributed"
    assert level.source.reference == "My Piston.xmpuzzle, problem 0"
    assert [piece.number for piece in level.puzzle.pieces] == list(PISTON)
    played = luban("play", "p.json", "--observation", "state", "--video", "none", "--json").json()
    assert (played["outcome"], played["steps"]) == ("SOLVED", 15)
    assert luban("solve", "p.json", "--all", "--json").json()["levels"] == {"9.3": 1}
    assert luban("show", "p.json", "--image-size", 32).status == 0


def test_options_say_what_the_file_does_not(luban: Luban) -> None:
    save(make_six_piece_design(PISTON))
    options = [
        "--goal",
        "key",
        "--id",
        "mine",
        "--name",
        "Mine",
        "--tier",
        "easy",
        "--budget",
        "99",
    ]
    result = luban("import", "x.xmpuzzle", "--out", "x.json", "--designer", "P. M.", *options)
    assert result.status == 0
    assert result.out == "x.json: mine, 6 pieces, level 9.3, plan 9 optimal, budget 99\n"
    level = read_level(Path("x.json"))
    assert (level.id, level.name, level.tier.value, level.budget) == ("mine", "Mine", "easy", 99)
    assert (level.puzzle.goal, level.source.designer) == ("key", "P. M.")


def test_solutions_are_numbered_in_the_order_of_the_solver(luban: Luban) -> None:
    save(make_six_piece_design(HOFFMANN))
    told = [
        luban("import", "x.xmpuzzle", "--solution", k, "--out", f"{k}.json", "--json").json()
        for k in (0, 1)
    ]
    assert sorted(one["level_name"] for one in told) == ["1", "1.2"]
    assert told[0]["hash"] != told[1]["hash"]


def test_a_puz_file_is_imported(luban: Luban) -> None:
    Path("box.puz").write_bytes(b"2 2 1\n1\n1 1 2 2")
    told = luban("import", "box.puz", "--stored", "--out", "box.json", "--json").json()
    assert (told["level"], told["level_name"], told["plan"]) == ("burr-box", "1", 1)


def test_a_later_problem_is_told_by_its_number(luban: Luban) -> None:
    save(boxes(1, 2))
    told = luban("import", "x.xmpuzzle", "--problem", 1, "--out", "x.json", "--json").json()
    assert (told["level"], told["pieces"]) == ("burr-x-1", 2)


@pytest.mark.by_day(3)
@pytest.mark.parametrize("level", by_day(LOCKS, lambda v: v.tier, each=3, name=lambda v: v.id))
def test_a_shipped_level_is_the_same_after_export_and_import(luban: Luban, level: AnyLevel) -> None:
    level_id = level.id
    told = luban("export", level_id, "--out", "x.xmpuzzle", "--json").json()
    assert list(told) == ["level", "out", "pieces", "shapes"]
    shapes = len(list(groupby(level.puzzle.pieces, key=lambda piece: piece.shape)))
    assert (told["level"], told["pieces"], told["shapes"]) == (level_id, len(level.colours), shapes)
    options = ["--goal", level.puzzle.goal, "--budget", level.budget, "--id", level_id]
    again = luban("import", "x.xmpuzzle", "--stored", *options, "--out", "x.json", "--json").json()
    assert again["hash"] == level.hash
    assert read_level(Path("x.json")).puzzle == level.puzzle
    if len(level.colours) <= 6:
        found = [luban("solve", name, "--all", "--json") for name in ("x.xmpuzzle", level_id)]
        assert found[0].json() == found[1].json()


def test_an_exported_file_says_where_it_comes_from(luban: Luban) -> None:
    assert luban("export", "burr-piston", "--out", "x.xmpuzzle").out == (
        "x.xmpuzzle: Piston, 6 pieces of 5 shapes\n"
    )
    design = read_design(Path("x.xmpuzzle"))
    for word in ("Piston", "Peter Marineau", "Cutler", "Luban", "burr-piston"):
        assert word in design.comment
    assert design.problems[0].name == "Piston"
    assert [part.maximum for part in design.problems[0].parts] == [1, 1, 1, 1, 2]


# Refusals


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--problem", 2], "problems 0 to 1, no 2"),
        (["--problem", -1], "problems 0 to 1, no -1"),
        (["--solution", -1], "numbered from 0; there is no -1"),
        (["--problem", 1, "--solution", 1], "solutions 0 to 0, no 1; 1 assemblies"),
        (["--stored"], "no stored assembly"),
        (["--goal", "win"], "one of disassemble, key, assemble, not 'win'"),
        (["--tier", "tough"], "one of easy, medium, hard, expert, not 'tough'"),
        (["--id", "No Id"], "an id is made of"),
        (["--out", "x.txt"], "ends in .json"),
        (["--out", "no/x.json"], "no folder no"),
    ],
)
def test_options_that_name_nothing_are_refused(
    luban: Luban, options: list[object], message: str
) -> None:
    save(boxes(2, 2))
    assert message in luban("import", "x.xmpuzzle", "--out", "x.json", *options).complaint()
    assert not list(Path.cwd().glob("*.json"))


def test_a_budget_below_the_plan_is_refused(luban: Luban) -> None:
    save(boxes(8, size=4))
    options = ["--out", "x.json", "--budget", 1]
    assert "give a --budget that holds them" in luban("import", "x.xmpuzzle", *options).complaint()


def test_what_is_no_lock_is_refused(luban: Luban) -> None:
    apart = DrawnShape((3, 1, 1), frozenset({(0, 0, 0), (2, 0, 0)}))
    row = DrawnShape((4, 1, 1), Voxels.make_block((4, 1, 1)).cell_set)
    save(Design((apart, row), (Problem("", (PartUse(0, 2, 2),), 1),)), "apart.xmpuzzle")
    save(boxes(52), "many.xmpuzzle")
    save(Design((apart,), ()), "none.xmpuzzle")
    plain = write_xmpuzzle(boxes(2), compressed=False)
    Path("grid.xmpuzzle").write_bytes(plain.replace(b'gridType type="0"', b'gridType type="1"'))
    save(boxes(2), "纸.xmpuzzle")
    for name, message in {
        "apart": "S1 is not connected; join",
        "many": "up to 48 pieces; this problem needs 52",
        "none": "no problem, only shapes",
        "grid": "triangular prisms",
        "missing": "missing.xmpuzzle",
        "纸": "give one with --id",
    }.items():
        assert message in luban("import", f"{name}.xmpuzzle", "--out", "x.json").complaint()
    assert not Path("x.json").exists()


def test_a_design_without_a_solution_says_what_was_looked_at(luban: Luban) -> None:
    save(boxes(3))
    assert (
        "no solution: 0 assemblies" in luban("import", "x.xmpuzzle", "--out", "x.json").complaint()
    )
    save(make_six_piece_design(PISTON, length=8))
    complaint = luban("import", "x.xmpuzzle", "--out", "x.json").complaint()
    assert "no solution: 10 assemblies were looked at, none comes apart" in complaint


def test_a_stored_assembly_that_does_not_come_apart_is_refused(luban: Luban) -> None:
    ring = [(x, y, 1) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    dumbbell = [(1, 1, z) for z in range(3)] + [(x, 1, z) for x in (0, 2) for z in (0, 2)]
    text = " ".join(
        "1" if (x, y, z) in ring else "2" if (x, y, z) in dumbbell else "0"
        for z in range(3)
        for y in range(3)
        for x in range(3)
    )
    Path("x.puz").write_text(f"3 3 3\n1\n{text}\n")
    complaint = luban("import", "x.puz", "--stored", "--out", "x.json").complaint()
    assert "stored assembly 0 does not come apart" in complaint


def test_files_are_replaced_only_by_force(luban: Luban) -> None:
    save(boxes(2))
    for command in (
        ["import", "x.xmpuzzle", "--out", "x.json"],
        ["export", "x.json", "--out", "y.xmpuzzle"],
    ):
        path = Path(command[-1])
        path.write_text("mine")
        assert f"{path} exists; give --force" in luban(*command).complaint()
        assert path.read_text() == "mine"
        assert luban(*command, "--force").status == 0
        assert path.read_bytes() != b"mine"
    assert sorted(path.name for path in Path.cwd().iterdir()) == [
        "x.json",
        "x.xmpuzzle",
        "y.xmpuzzle",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["burr-pistn", "--out", "x.xmpuzzle"], "did you mean burr-piston"),
        (["burr-piston", "--out", "x.json"], "ends in .xmpuzzle"),
        (["burr-piston", "--out", "."], "ends in .xmpuzzle"),
    ],
)
def test_export_says_what_is_wrong(luban: Luban, arguments: list[object], message: str) -> None:
    assert message in luban("export", *arguments).complaint()


# Processes


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="a process's time is read from /proc")
def test_ctrl_c_during_the_search_leaves_no_file(tmp_path: Path) -> None:
    pentacube = DrawnShape((4, 2, 1), Voxels.parse(["####/.#.."]).cell_set)
    cube = DrawnShape((5, 5, 5), Voxels.make_block((5, 5, 5)).cell_set)
    packing = Design((cube, pentacube), (Problem("", (PartUse(1, 25, 25),), 0),))
    (tmp_path / "x.xmpuzzle").write_bytes(write_xmpuzzle(packing))
    late = ("--solution", "9999")
    with started(tmp_path, "import", "x.xmpuzzle", "--out", "x.json", *late) as process:
        # Starting takes less; from then on it searches, for ever.
        wait_for(lambda: processor_seconds(process.pid) > 1.5 or None)
        assert process.poll() is None
        assert interrupt(process) == (130, "luban: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["x.xmpuzzle"]


HEAD = b'<puzzle version="2"><gridType type="0"/><colors/><shapes>'
HOSTILE = {
    "nothing": lambda: b"",
    "cut short": lambda: write_xmpuzzle(boxes(2))[:-9],
    "a bomb": lambda: gzip.compress(b" " * 300_000_000),
    "entities": lambda: b'<!DOCTYPE p [<!ENTITY a "ha">]>' + HEAD,
    "10^9 cells": lambda: HEAD + b'<voxel x="1000" y="1000" z="1000"/></shapes></puzzle>',
    "a negative size": lambda: HEAD + b'<voxel x="-1" y="1" z="1">#</voxel></shapes></puzzle>',
    "no number": lambda: HEAD + b'<voxel x="nan" y="1" z="1">#</voxel></shapes></puzzle>',
    "a deep file": lambda: HEAD + b"<a>" * 5_000_000,
}
MEASURE = """
import resource, sys
sys.argv[1:1] = ["import"]
from bridge.cli.handlers import import_design
from bridge.cli.app import main
def used():
    now = resource.getrusage(resource.RUSAGE_SELF)
    return now.ru_utime + now.ru_stime, now.ru_maxrss
seconds, kibibytes = used()
try:
    main()
finally:
    print(used()[0] - seconds, used()[1] - kibibytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in KiB on Linux")
@pytest.mark.parametrize("name", these_by_day(["a bomb", "10^9 cells"], HOSTILE))
def test_a_hostile_file_gets_one_line_soon(name: str, tmp_path: Path) -> None:
    (tmp_path / "x.xmpuzzle").write_bytes(HOSTILE[name]())
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, "x.xmpuzzle", "--out", "x.json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("luban: ") and done.stderr.count("\n") == 1
    seconds, kibibytes = map(float, done.stdout.split())
    assert seconds < 2 and kibibytes < 200_000
    assert not (tmp_path / "x.json").exists()
