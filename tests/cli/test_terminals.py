"""What others wrote reaches a terminal as plain text: no escape sequence, no markup."""

import ast
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.cli.columns import Column, format_rows
from bridge.cli.errors import CommandError, exit_on_errors
from bridge.cli.table import TurnTable
from bridge.cli.terminal import (
    TimedText,
    build_plain_text,
    filter_output,
    join_lines,
    make_console,
    make_visible,
)
from bridge.episode.sanitize import REPLACEMENT
from bridge.runs.play import StepReport
from pysim.catalog import complete_document, encode_level, find_level
from tests.commands import ROOT, Luban
from tests.hostile import TEXTS
from tests.needs import QUICK_RENDERER
from tests.waiting import PATIENCE

EVIL = (
    "\x1b[2J\x1b]0;owned\x07\u202egnp\r\x9b31mSOLVED[/red][bold][link=file:///x]x[/link]\x1b[A"
    "\nluban: forged"
)
HARM = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
RICH = re.compile(r"\x1b\[(?:[0-9;]*m|[0-9]*A|2K|\?25[hl]|[01]?G)")
"""What Rich itself writes: colours, the cursor up, a line emptied, the cursor hidden and shown."""

# --- the sanitiser


@given(st.text(st.characters(codec=None)))
def test_a_visible_text_is_as_long_and_holds_no_sign_that_does_harm(text: str) -> None:
    shown = make_visible(text)
    assert len(shown) == len(text) and not HARM.search(shown)
    assert all(new in (old, REPLACEMENT) for old, new in zip(text, shown, strict=True))
    assert make_visible(shown) == shown
    assert not re.search("[\n\r\t]", join_lines(text))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_whatever_is_printed_while_a_command_runs_is_visible(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with filter_output():
        print(text[:1000])
        print(text[:1000], file=sys.stderr)
        sys.stdout.writelines([text[:10]])
    found = capsys.readouterr()
    assert found.out.startswith(make_visible(text[:1000])) and not HARM.search(found.out)
    assert not HARM.search(found.err)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_nothing_is_markup_in_what_rich_shows(text: str) -> None:
    out = io.StringIO()
    console = make_console()
    console.file = out
    console.print(build_plain_text(text[:200]), soft_wrap=True)
    assert out.getvalue() == join_lines(text[:200]) + "\n"


def test_a_cell_stays_on_its_line() -> None:
    head, row = format_rows([[Column("name", ["a\nluban: b\tc"]), Column("x", ["1"])]], 80)
    assert (head.split(), row) == (["name", "x"], "a luban: b c  1")


def test_an_error_is_one_visible_line_of_300_signs_at_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for error in (CommandError(EVIL * 5000 + "give another name"), OSError(5, EVIL * 5000, EVIL)):
        with pytest.raises(SystemExit), exit_on_errors():
            raise error
        line = capsys.readouterr().err
        assert line.count("\n") == 1 and len(line) <= len("luban: \n") + 300
        assert not HARM.search(line)


def test_output_goes_its_old_way_after_a_command() -> None:
    before = sys.stdout, sys.stderr
    with pytest.raises(SystemExit), exit_on_errors():
        raise SystemExit
    assert (sys.stdout, sys.stderr) == before


# --- commands


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A level whose every text is hostile."""
    document = encode_level(find_level("burr-half-lap"))
    source = {"designer": EVIL, "reference": EVIL, "seed": None, "generator": EVIL}
    document |= {"id": "burr-evil", "name": EVIL, "source": source, "facts": {EVIL: EVIL}}
    path = tmp_path / "evil.json"
    path.write_text(json.dumps(complete_document(document)))
    return path


def quiet(luban: Luban, *arguments: object, stdin: str = "", status: int = 0) -> str:
    """What a command says, in which there is no harm."""
    done = luban(*arguments, stdin=stdin)
    assert done.status == status, done.err
    said = done.out + done.err
    assert said.strip() and not HARM.search(said), ascii(said)
    assert "luban: forged" not in said.splitlines()
    return said


def test_no_command_passes_on_what_a_hostile_level_says(
    luban: Luban, evil: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.txt"
    script.write_text(f"[/]\n{EVIL}\nslide {EVIL} +x 1\n")
    state = ("--observation", "state", "--budget", 2)
    agent = ("--agent", f"scripted:{script}")
    quiet(luban, "verify", evil, "--worlds", "lattice", "--no-films")
    quiet(
        luban,
        "show",
        evil,
        "--renderer",
        QUICK_RENDERER,
        "--image-size",
        32,
        "--out",
        tmp_path / "views",
    )
    quiet(luban, "export", evil, "--out", tmp_path / "evil.xmpuzzle", status=1)
    quiet(
        luban, "play", evil, "--agent", "human", *state, "--video", "none", stdin=f"{EVIL}\nquit\n"
    )
    quiet(luban, "play", evil, *agent, *state, "--video", "none", "--name", "played")
    quiet(luban, "replay", tmp_path / "runs" / "played" / "episode.jsonl")
    quiet(luban, "eval", evil, *agent, *state, "--out", "run", "--video", "none")
    quiet(luban, "report", "run", "--out", tmp_path / "page.html")
    quiet(luban, "solve", evil)


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        ["play", EVIL],
        ["play", f"{EVIL}.json"],
        ["play", "burr-half-lap", "--agent", EVIL],
        ["play", "burr-half-lap", "--world", EVIL],
        ["show", "burr-half-lap", f"--{EVIL}"],
        ["show", "burr-half-lap", "--views", EVIL],
        ["levels", "--family", EVIL],
        ["levels", "--suite", EVIL],
        ["eval", EVIL, "--agent", "oracle"],
        ["verify", EVIL],
        ["solve", EVIL],
        ["report", EVIL, "--out", "page.html"],
        ["replay", EVIL],
        ["serve", "--port", EVIL],
        ["init", "family", EVIL],
    ],
    ids=lambda arguments: " ".join(arguments).replace(EVIL, "EVIL"),
)
def test_no_refusal_passes_on_a_hostile_argument(luban: Luban, arguments: list[str]) -> None:
    done = luban(*arguments)
    assert done.status in (1, 2)
    assert not HARM.search(done.out + done.err), ascii(done.err)
    assert len(done.err) < 3000 and "luban: forged" not in done.err.splitlines()


def test_status_tells_after_some_seconds_how_long_it_has_taken() -> None:
    clock = iter([0.0, 1.0, 83.0, 84.0])
    words = TimedText("looking", lambda: next(clock))
    assert words.__rich__().plain == "looking"
    assert words.__rich__().plain == "looking (0:01:23)"
    words.set_text("[red]")
    assert words.__rich__().plain == "[red] (0:01:24)"


# --- a real terminal


def on_a_terminal(folder: Path, *arguments: object) -> str:
    """What a terminal gets of a command."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bridge.cli", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    environment |= {"COLUMNS": "120", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        found = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # So Linux tells of the end.
                break
            if not piece:
                break
            found += piece
        os.close(ours)
        assert process.wait(PATIENCE) in (0, 1)
    return found.decode("utf-8", "replace")


def own_words(found: str) -> str:
    """What is left without Rich's own sequences and the terminal's ends of lines."""
    return RICH.sub("", found).replace("\r\n", "\n").replace("\r", "")


def test_a_terminal_gets_no_escape_sequence_but_those_of_rich(evil: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("[/]\n[/red]\n\x1b[32mSOLVED\x1b[2J\n[bold]SOLVED[/bold]\n")
    agent = ("--agent", f"scripted:{script}", "--observation", "state", "--budget", 5)
    found = on_a_terminal(tmp_path, "play", evil, *agent, "--video", "none")
    assert "\x1b[" in found  # Rich was there.
    words = own_words(found)
    assert not HARM.search(words), ascii(words)
    for shown in ("[/]", "[/red]", "[bold]SOLVED[/bold]", f"{REPLACEMENT}[2J"):
        assert shown in words
    found = on_a_terminal(
        tmp_path, "eval", evil, *agent, "--video", "none", "--out", tmp_path / "run"
    )
    assert not HARM.search(own_words(found)), ascii(own_words(found))


def test_verifying_and_solving_show_on_a_terminal_what_they_do(tmp_path: Path) -> None:
    found = own_words(on_a_terminal(tmp_path, "verify", "burr-piston", "--worlds", "lattice"))
    assert "0/1 levels 0:00:0" in found and "film in lattice" in found
    found = own_words(on_a_terminal(tmp_path, "solve", "packing-easy-01"))
    assert "looking for a plan" in found


def test_a_live_table_shows_calls_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with TurnTable(quiet=False) as table:
        for number, text in enumerate(TEXTS.values(), 1):
            table.add(StepReport(number, text[:60], text[:20], text, None, 1, False))
    words = own_words(out.getvalue())
    assert not HARM.search(words)
    assert "[/red][link=http://example.org]x[/link]" in words


def test_rich_is_used_nowhere_but_behind_the_sanitiser() -> None:
    """Whoever needs a console takes ``rich_console``, so that nothing is markup."""
    for path in (ROOT / "bridge").rglob("*.py"):
        if path == ROOT / "bridge" / "cli" / "terminal.py":
            continue
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "from rich" in text else ():
            names = [a.name for a in node.names] if isinstance(node, ast.ImportFrom) else []
            assert not {"Console", "Text", "print", "inspect"} & set(names) or not (
                isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rich")
            ), path
