import json
import subprocess
import sys
from pathlib import Path

import pytest

from pysim.families.burr.files.xmpuzzle import write_xmpuzzle
from pysim.families.burr.sixpiece import make_six_piece_design
from tests.commands import Luban
from tests.families.burr.locks import keyhole_design

PISTON = (88, 512, 768, 922, 1008, 1008)


@pytest.fixture
def piston(tmp_path: Path) -> Path:
    path = tmp_path / "piston.xmpuzzle"
    path.write_bytes(write_xmpuzzle(make_six_piece_design(PISTON)))
    return path


def test_solve_prints_counts_and_levels_as_json(luban: Luban, piston: Path) -> None:
    result = luban("solve", str(piston), "--all", "--json")
    assert result.status == 0
    assert json.loads(result.out) == {
        "assemblies": 10,
        "labelled_assemblies": 10,
        "solutions": 1,
        "levels": {"9.3": 1},
    }


def test_solve_tells_people_the_same(luban: Luban, piston: Path) -> None:
    assert luban("solve", str(piston), "--all").out == "10 assemblies, 1 solutions\n     1 x 9.3\n"
    assert luban("solve", str(piston)).out.startswith("a solution of level 9.3")


def test_a_shipped_level_can_be_solved(luban: Luban) -> None:
    result = luban("solve", "burr-chinese-cross", "--all", "--json")
    assert json.loads(result.out) == {
        "assemblies": 1,
        "labelled_assemblies": 1,
        "solutions": 1,
        "levels": {"1": 1},
    }


def test_a_lock_that_needs_a_rotation_is_told_apart(luban: Luban, tmp_path: Path) -> None:
    path = tmp_path / "keyhole.xmpuzzle"
    path.write_bytes(write_xmpuzzle(keyhole_design(5, "x")))
    slides = {"assemblies": 1, "labelled_assemblies": 1, "solutions": 0, "levels": {}}
    assert json.loads(luban("solve", str(path), "--all", "--json").out) == slides
    turned = json.loads(luban("solve", str(path), "--all", "--rotations", "--json").out)
    assert turned == slides | {"with_rotations": 1, "rotations_cut_off": 0}
    assert luban("solve", str(path), "--all", "--rotations").out == (
        "1 assemblies, 0 solutions\n"
        "1 more come apart only with rotations\n"
        "     1 x 2 moves to the first separation, 1 of them turns\n"
    )


def test_rotations_do_not_change_what_slides_solve(luban: Luban, piston: Path) -> None:
    result = luban("solve", str(piston), "--all", "--rotations", "--json")
    assert json.loads(result.out) == {
        "assemblies": 10,
        "labelled_assemblies": 10,
        "solutions": 1,
        "levels": {"9.3": 1},
        "with_rotations": 0,
        "rotations_cut_off": 0,
    }


@pytest.mark.parametrize("problem", ["-1", "1"])
def test_a_problem_that_the_file_has_not_is_refused(
    luban: Luban, piston: Path, problem: str
) -> None:
    result = luban("solve", str(piston), "--problem", problem)
    assert (result.status, result.out) == (1, "")
    assert "problems 0 to 0" in result.err


def test_what_is_no_design_is_refused_in_one_line(luban: Luban, tmp_path: Path) -> None:
    path = tmp_path / "x.xmpuzzle"
    path.write_bytes(b"not a puzzle")
    for target in (str(path), str(tmp_path / "missing.xmpuzzle"), "nothing"):
        result = luban("solve", target)
        assert (result.status, result.out) == (1, "")
        assert len(result.err.strip().splitlines()) == 1


def test_a_small_design_is_solved_before_compiled_code_could_be_loaded(piston: Path) -> None:
    code = (
        "import sys\n"
        "from bridge.cli.commands.solve import SolveRequest\n"
        "from bridge.cli.handlers.solve.shortest import run_solve\n"
        f"run_solve(SolveRequest(target={str(piston)!r}, everything=True))\n"
        "assert not {'numba', 'rich', 'scipy'} & set(sys.modules), sorted(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("10 assemblies, 1 solutions\n     1 x 9.3\n", "")


def test_a_level_wins_over_no_file_and_a_file_over_no_level(
    luban: Luban, piston: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = piston.with_suffix("")
    piston.rename(bare)
    monkeypatch.chdir(bare.parent)
    assert luban("solve", bare.name).out.startswith("a solution of level 9.3")
    assert "there is no level" in luban("solve", "nothing").err
