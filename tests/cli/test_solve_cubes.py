"""``luban solve`` of cubes: moves, states and levels, one solution or all, a limit of time."""

import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from pysim.families.rubik.cube import make_cube
from pysim.families.rubik.moves import Metric, parse_moves
from pysim.families.rubik.solver.mapping import has_tables
from pysim.families.rubik.strings import Order, format_cube
from tests.commands import Luban
from tests.sampling import by_day


def test_moves_states_and_levels_are_solved_alike(luban: Luban) -> None:
    cube = make_cube(parse_moves("R U F"))
    for target in ("R U F", format_cube(cube), format_cube(cube, Order.DRAWN)):
        found = luban("solve", target, "--json").json()
        del found["seconds"]
        assert found == {
            "metric": "htm", "solutions": ["F' U' R'"], "at_least": 3, "at_most": 3,
            "finished": True, "states": 0,
        }  # fmt: skip
    assert luban("solve", "checkerboard", "--json").json()["at_least"] == 6


def modules_after(*arguments: str) -> set[str]:
    """What a process has loaded that has solved a cube."""
    code = (
        "import contextlib, os, sys; from bridge.cli.app import main\n"
        f"sys.argv = ['luban', 'solve', *{arguments!r}]\n"
        "with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit): main()\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "no fewer" in done.stderr
    return set(done.stdout.split())


COMPILER = {"numba", "llvmlite", "scipy"}


@pytest.mark.parametrize("target", ["R U F", format_cube(make_cube(parse_moves("R U2 F' D L B")))])
def test_a_shallow_cube_is_solved_before_families_or_a_compiler_could_be_loaded(
    target: str,
) -> None:
    """Each of these takes a good part of the 0.3 seconds that there are for the whole process."""
    loaded = modules_after(target)
    families = {name.split(".")[2] for name in loaded if name.startswith("pysim.families.")}
    assert families == {"rubik"}
    rules = {f"pysim.families.rubik.{name}" for name in ("family", "rules", "scene", "learning")}
    tables = {f"pysim.families.rubik.solver.{name}" for name in ("mapping", "storing", "symmetry")}
    others = {"pysim.catalog", "pysim.puzzle", "pysim.scene", "rich", "numpy.random"}
    for unneeded in (COMPILER, rules, tables, others):
        assert not unneeded & loaded


def test_the_tables_of_before_solve_a_cube_before_a_compiler_could_be_loaded() -> None:
    if not has_tables(Metric.HTM):
        pytest.skip("NOT TESTED: the htm tables are not made (perf.rubik makes them)")
    assert not COMPILER & modules_after("R U F D L B U R F D L2")


@pytest.mark.parametrize("metric", by_day(Metric))
def test_all_solutions_are_listed_in_either_metric(luban: Luban, metric: Metric) -> None:
    """The checkerboard takes the six half turns, with the three pairs of faces in any order."""
    length = 6 if metric is Metric.HTM else 12
    found = luban("solve", "checkerboard", "--all", "--metric", metric, "--json").json()
    assert found["at_least"] == found["at_most"] == length
    solutions = set(found["solutions"])
    for solution in solutions:
        moves = parse_moves(solution)
        assert metric.measure(moves) == length
        assert make_cube(moves) == make_cube(parse_moves("U2 D2 R2 L2 F2 B2"))
    half_turns = {" ".join(order) for order in permutations(("U2 D2", "R2 L2", "F2 B2"))}
    assert solutions == half_turns if metric is Metric.HTM else solutions > half_turns


def test_all_solutions_of_a_short_turn_are_told_with_their_length(luban: Luban) -> None:
    out = luban("solve", "U D' R", "--all").out.splitlines()
    assert out[0] == "R' U' D"
    assert "3 face turns, no fewer" in out[-1]
    assert luban("solve", "R R'").out.startswith("it is solved\n0 face turns")


def test_when_the_time_is_over_bounds_are_told(luban: Luban) -> None:
    if not has_tables(Metric.HTM):
        pytest.skip("NOT TESTED: the htm tables are not made (perf.rubik makes them)")
    found = luban("solve", "superflip", "--seconds", "0", "--json").json()
    assert found["solutions"] == [] and not found["finished"]
    # More than three turns and three more lead home, whether or not a compiler is loaded.
    assert 7 <= found["at_least"] <= 20 <= found["at_most"] <= 22
    assert "not finished" in luban("solve", "superflip", "--seconds", "0").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("R U9",), "is no move"),
        (("no-such-thing",), "there is no level"),
        (("R", "--metric", "stm"), "--metric is one of htm, qtm, not 'stm'"),
    ],
)
def test_what_is_no_cube_is_said(luban: Luban, arguments: tuple[str, ...], words: str) -> None:
    assert words in luban("solve", *arguments).complaint()


def test_a_file_that_is_no_cube_is_read_as_a_design(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "R").write_text("no design")
    assert "the size of a box" in luban("solve", str(tmp_path / "R")).complaint()
