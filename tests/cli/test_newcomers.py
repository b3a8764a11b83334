"""What somebody meets who uses it for the first time: at a terminal, in a shell, in a container."""

import base64
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.cli.interactive.inline import encode_inline_picture
from bridge.cli.progress import print_compiling_notice
from bridge.episode.tools import ActionSpace
from pysim.catalog import find_family, find_level
from pysim.kernels import watch_compiling
from tests.commands import ROOT, Luban
from tests.needs import needs_pybullet

PISTON = find_level("burr-piston")


def legal_lines(*played: str) -> list[str]:
    """Asked of the rules, after some actions."""
    rules, space = (
        find_family(PISTON).rules,
        ActionSpace(find_family(PISTON).actions, PISTON.colours),
    )
    state = rules.initial(PISTON)
    for line in played:
        state = rules.apply(PISTON, state, space.parse(space.parse_line(line))).state
    return [space.line(action) for action in rules.legal(PISTON, state)]


def typed(luban: Luban, *lines: str, feedback: str = "full") -> str:
    play = ("play", "burr-piston", "--agent", "human", "--observation", "state", "--video", "none")
    result = luban(*play, "--feedback", feedback, stdin="\n".join(lines) + "\n")
    assert (result.status, result.err) == (0, "")
    return result.out


def test_a_person_gets_the_legal_actions_on_demand_and_for_free(luban: Luban) -> None:
    out = typed(luban, "legal", "slide red +x 1", "slide purple +y 1", "LEGAL", "quit")
    before, _, after = out.partition("2. slide purple +y 1: moved 1")
    assert [line for line in legal_lines() if f"  {line}\n" in before] == legal_lines()
    moved = legal_lines("slide purple +y 1")
    assert moved != legal_lines() and all(f"  {line}\n" in after for line in moved)
    assert "GAVE_UP after 2 steps" in out


@pytest.mark.parametrize("word", ["help", "?", "HELP"])
def test_a_person_gets_help(luban: Luban, word: str) -> None:
    out = typed(luban, word, "quit")
    assert out.count("slide PIECES DIRECTION DISTANCE") == 2
    assert "'legal' lists those that are legal now" in out
    assert "GAVE_UP after 0 steps" in out


def test_what_is_legal_is_not_told_where_feedback_does_not_tell(luban: Luban) -> None:
    out = typed(luban, "legal", "quit", feedback="none")
    assert "not told at this level of feedback" in out
    assert not any(f"  {line}\n" in out for line in legal_lines())


@given(st.binary(min_size=1, max_size=20_000))
def test_a_terminal_that_can_draw_gets_the_whole_picture(png: bytes) -> None:
    for environment in ({"TERM": "xterm-kitty"}, {"TERM_PROGRAM": "ghostty"}):
        text = encode_inline_picture(png, environment)
        pieces = re.findall(r"\x1b_G(?:a=T,f=100,)?m=([01]);([^\x1b]*)\x1b\\", text)
        assert base64.b64decode("".join(data for _, data in pieces)) == png
        assert [more for more, _ in pieces] == ["1"] * (len(pieces) - 1) + ["0"]
        assert all(len(data) <= 4096 for _, data in pieces)
    (data,) = re.findall(r":([^:\a]*)\a", encode_inline_picture(png, {"TERM_PROGRAM": "iTerm.app"}))
    assert base64.b64decode(data) == png
    for environment in ({}, {"TERM": "xterm-256color"}, {"TERM": "xterm-kitty", "TMUX": "/tmp/x"}):
        assert encode_inline_picture(png, environment) == ""


def completed(words: str) -> list[str]:
    environment = {**os.environ, "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv[0] = 'luban'; import bridge.cli as c; c.main()",
        ],
        env=environment | {"_LUBAN_COMPLETE": "bash_complete", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("luban ev", ["eval"]),
        ("luban play --wor", ["--world"]),
        ("luban generate bur", ["burr"]),
        ("luban eval locks-32 --max-", ["--max-tokens", "--max-usd"]),
    ],
)
def test_a_shell_completes_commands_and_options(words: str, expected: list[str]) -> None:
    assert completed(words) == expected


COMPLETE = """
source ~/.bashrc
COMP_WORDS=({command} pla) COMP_CWORD=1
_luban_completion {command}
echo "${{COMPREPLY[@]}}"
"""


def test_install_completion_twice_has_bash_complete_commands(
    luban: Luban, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/usr/bin/bash")
    (tmp_path / ".bashrc").write_text("alias ll='ls -l'")
    for _ in range(2):
        assert luban("--install-completion").status == 0
    first, *lines = (tmp_path / ".bashrc").read_text().splitlines()
    assert first == "alias ll='ls -l'" and len(lines) == 1
    code = COMPLETE.format(command=Path(sys.executable).with_name("luban"))
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("play\n", "")


def test_completion_of_unknown_shell_is_refused_with_those_known(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    refused = luban("--show-completion")
    assert refused.status == 1 and "'tcsh'" in refused.err and "bash, zsh, fish" in refused.err


def test_functions_that_are_compiled_are_counted_and_said_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from numba import njit

    counts: list[int] = []
    with watch_compiling(counts.append):
        assert njit(lambda x: x + 1)(1) == 2
        assert njit(lambda x: x + 2)(1) == 3
    njit(lambda x: x + 3)(1)
    assert counts == [1, 2]
    for count in counts:
        print_compiling_notice(count)
    assert capsys.readouterr().err.count("compiling the solvers") == 1


STRANGER = """
import os, sys, tempfile
os.environ.pop("HOME", None)
os.getuid = lambda: 54321  # Nobody's: it has neither a name nor a home.
sys.argv = ["luban", *sys.argv[1:]]
from bridge.cli import main
main()
"""


def by_a_stranger(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    unset = ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LUBAN_CACHE")
    environment = {name: text for name, text in os.environ.items() if name not in unset}
    return subprocess.run(
        [sys.executable, "-c", STRANGER, *arguments],
        env=environment | {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "command",
    [
        ("show", "burr-piston", "--image-size", "32", "--out", "picture.png"),
        ("play", "burr-three-bars", "--observation", "state", "--video", "none"),
    ],
)
def test_a_user_without_a_name_or_a_home_can_work(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = by_a_stranger(tmp_path, *command)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "~").exists()


@pytest.mark.by_day(1)
@needs_pybullet
@pytest.mark.parametrize("command", [("play", "--world", "bullet"), ("play", "--renderer", "tiny")])
def test_nothing_is_said_that_nobody_can_act_on(command: tuple[str, ...], tmp_path: Path) -> None:
    name, *options = command
    line = [name, "burr-three-bars", "--video", "none", "--image-size", "32", *options]
    done = subprocess.run(
        [sys.executable, "-m", "bridge.cli", *line],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "pybullet build" not in done.stdout + done.stderr
    assert all(text.startswith("note: ") for text in done.stderr.splitlines())
