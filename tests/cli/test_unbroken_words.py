"""What commands print in a real terminal of some width: no word goes on in the next line."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from bridge.cli.columns import CUT
from bridge.cli.tables import format_table
from bridge.cli.terminal import wrap_text
from bridge.report.parts import Table
from tests.commands import Luban, call
from tests.sampling import by_day

COMMANDS = (
    *("demo", "levels", "play", "eval", "select", "report", "dataset", "bundle"),
    *("score-video", "serve", "mcp", "replay", "solve", "import", "export", "verify", "init"),
    *("doctor", "show"),
)
PROGRAM = """
import json, sys
from bridge.cli import main
for command in json.loads(sys.argv[1]):
    sys.argv = ["luban", *command]
    try:
        main()
    except SystemExit:
        pass
"""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def in_terminal(width: int, commands: list[list[str]], folder: Path) -> str:
    """Run commands in a terminal, one after another; what a person sees of them."""
    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    arguments = [sys.executable, "-c", PROGRAM, json.dumps(commands)]
    with subprocess.Popen(
        arguments, cwd=folder, env=environment, stdin=other, stdout=other, stderr=other
    ) as process:
        os.close(other)
        seen = b""
        while piece := _read(own):
            seen += piece
    os.close(own)
    assert process.returncode == 0
    return _ESCAPES.sub("", seen.decode()).replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Nobody is on the other side any more.
        return b""


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\s│╭╮╰╯─━╸╺]+", text))


def test_help_in_80_columns_breaks_no_word(tmp_path: Path) -> None:
    commands = [["--help"], *([name, "--help"] for name in COMMANDS)]
    commands += [["eval", "cube-bench", "--help"], ["generate", "--help"]]
    wide, narrow = (in_terminal(width, commands, tmp_path) for width in (400, 80))
    assert "--install-completion" in wide
    assert words(wide) - words(narrow) == set()
    assert max(map(len, narrow.splitlines())) <= 80


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    name = "a-run-with-quite-a-long-name-that-takes-most-of-a-line-of-80-characters"
    for out, agent in (("short", "random"), (name, "oracle")):
        play = ["eval", "burr-three-bars,burr-half-lap", "--agent", agent, "--observation", "state"]
        call(*play, "--k", 2, "--workers", 1, "--out", folder / out)
        ask = ["eval", "cube-bench", "--task", "move-prediction", "--observation", "text", "--n", 2]
        call(*ask, "--agent", agent, "--out", folder / f"asked-{out}")
        call("select", folder / out, "--by", "verifier")  # So that it is scored already.
    return folder


@pytest.mark.parametrize("width", by_day([60, 80]))
def test_results_in_a_narrow_terminal_break_no_word(runs: Path, width: int) -> None:
    played = sorted(path.name for path in runs.iterdir() if not path.name.startswith("asked"))
    asked = sorted(path.name for path in runs.iterdir() if path.name.startswith("asked"))
    commands = [
        ["select", *played, "--by", "verifier"],
        ["report", *asked],
        ["report", *played, "--out", "page.html", "--force", "--pictures", "0"],
        ["eval", "burr-there-is-no-such-level-anywhere", "--agent", "oracle"],
        ["eval", "burr-three-bars,burr-half-lap", "--agent", "nobody-of-that-name"],
        ["doctor"],
    ]
    wide, narrow = (in_terminal(each, commands, runs) for each in (400, width))
    missing = {word for word in words(wide) - words(narrow) if len(word) <= width}
    # How far a progress bar is when it is drawn differs from time to time.
    assert {word for word in missing if not re.fullmatch(r"\d+/\d+", word)} == set()
    assert CUT not in narrow


def test_turns_in_80_columns_break_no_action(tmp_path: Path) -> None:
    play = [
        [
            "play",
            "packing-easy-01",
            "--agent",
            "oracle",
            "--video",
            "none",
            "--observation",
            "state",
        ]
    ]
    seen = in_terminal(80, play, tmp_path)
    assert "budget left" in seen and "SOLVED in 3 steps" in seen
    assert CUT not in seen and max(map(len, seen.splitlines())) <= 80


def test_levels_in_any_width_have_whole_heads(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    wide = luban("levels", "--suite", "locks-32").out.splitlines()[0]
    for width in (50, 60, 80, 100, 130):
        monkeypatch.setenv("COLUMNS", str(width))
        head, *rows = luban("levels", "--suite", "locks-32").out.splitlines()
        assert words(head) <= words(wide) and head.split()[0] == "id"
        assert all(len(row) <= width for row in rows)


def test_fitted_wraps_at_blanks_and_leaves_json_and_long_words_whole() -> None:
    assert wrap_text("  one two three-four", 10) == "  one two\n    three-four"
    assert wrap_text('{"a": "b c d e f"}', 5) == '{"a": "b c d e f"}'
    assert wrap_text("at /a/long/path now\n\nshort", 9) == "at\n  /a/long/path\n  now\n\nshort"


def test_table_text_gives_a_long_name_a_line_of_its_own() -> None:
    table = Table("T", "see note-pad", ["run", "a", "b"], [["r" * 30, "1", "2"], ["s", "3", "4"]])
    assert format_table(table, 20).splitlines() == [
        "T",
        "run  a  b",
        "r" * 30,
        "     1  2",
        "s    3  4",
        "see note-pad",
    ]
