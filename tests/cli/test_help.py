"""Help, and what the command line loads."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.commands import Luban

COMMANDS = (
    "demo",
    "levels",
    "play",
    "eval",
    "serve",
    "replay",
    "show",
    "solve",
    "import",
    "export",
)
HEAVY = ("av", "cv2", "grpc", "moderngl", "numpy", "pybullet", "scipy", "trimesh")


def test_help_names_every_command(luban: Luban) -> None:
    for option in ("--help", "-h"):
        result = luban(option)
        assert result.status == 0
        for command in COMMANDS:
            assert f" {command} " in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(luban: Luban, command: str) -> None:
    result = luban(command, "--help")
    assert result.status == 0
    assert f"luban {command}" in result.out
    assert "--json" in result.out


def test_the_version_is_that_of_the_package(luban: Luban) -> None:
    assert luban("--version").out == f"luban {version('luban')}\n"


def test_an_unknown_command_or_option_exits_with_2(luban: Luban) -> None:
    for arguments in (["fly"], ["levels", "--fast"], ["play"], ["play", "x", "--seed", "soon"]):
        result = luban(*arguments)
        assert (result.status, result.out) == (2, "")
        assert "Traceback" not in result.err


def test_the_command_is_installed(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("luban")
    done = subprocess.run([command, "--help"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(name in done.stdout for name in COMMANDS)
    assert not list(tmp_path.iterdir())


def test_help_loads_no_engine(tmp_path: Path) -> None:
    code = f"import sys, bridge.cli.app; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    "words",
    [[], ["generate"], ["eval"], ["eval", "chain"], ["generate", "burr"], ["generate", "packing"]],
)
def test_help_loads_no_compiler_and_only_that_of_a_generator_a_family(
    tmp_path: Path, words: list[str]
) -> None:
    code = (
        "import contextlib, sys; from bridge.cli.app import app\n"
        "with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):\n"
        f"    app([*{words}, '--help'])\n"
        "families = [m for m in sys.modules if m.startswith('pysim.families.')]\n"
        "print('numba' in sys.modules, bool(families))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == f"False {len(words) > 1 and words[0] == 'generate'}\n", done.stderr


def test_levels_are_listed_without_what_plays_and_solves_them(tmp_path: Path) -> None:
    heavy = {*HEAVY, "numba"} - {"numpy"}
    code = (
        "import contextlib, sys; from bridge.cli.commands.levels import LevelsRequest\n"
        "from bridge.cli.handlers.levels import run_levels\n"
        "with contextlib.redirect_stdout(sys.stderr): run_levels(LevelsRequest())\n"
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr
