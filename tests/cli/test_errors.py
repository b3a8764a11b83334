"""How commands fail: one line for what a user can do something about, a traceback for a bug."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import click
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from bridge.cli import main
from bridge.cli.app import app
from bridge.cli.errors import BUG
from pysim.catalog import list_level_paths
from tests.commands import ROOT, Luban
from tests.needs import needs_pybullet
from tests.sampling import BY_DAY, EXAMPLES, by_day, more

ANSWERED = (0, 1, 2)
"""Exit statuses of a command that did what it was asked, or said in a line why not."""

# --- What a bug looks like, and what does not


def broken(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have ``luban doctor`` fail."""

    def fail(request: object) -> None:
        raise error

    monkeypatch.setattr("bridge.cli.handlers.doctor.run_doctor", fail)


@pytest.mark.parametrize(
    "error",
    [ValueError("a bug"), KeyError("key"), AssertionError(), EOFError(), RecursionError("deep")],
    ids=lambda error: type(error).__name__,
)
def test_a_bug_shows_its_traceback_and_asks_for_a_report(
    luban: Luban, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    broken(error, monkeypatch)
    done = luban("doctor", "--json")
    assert (done.status, done.out) == (BUG, "")
    *trace, plea = done.err.splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert type(error).__name__ in trace[-1]
    assert plea.startswith("luban: this is a bug; please report it to Luban's issue tracker")
    assert plea.endswith("luban doctor --json")
    assert f"Python {sys.version.split()[0]}" in plea


def test_a_report_does_not_give_away_the_key_of_a_server(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.cli.handlers.serve.run_server", lambda *_: 1 / 0)
    for arguments in (["--operator-key", "my secret"], ["--operator-key=my secret"]):
        done = luban("serve", *arguments, "--port", "0")
        assert done.status == BUG
        assert "secret" not in done.err
        assert done.err.endswith("--port 0\n")


def test_what_the_system_refuses_is_one_line_with_the_name_of_the_file(
    luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(PermissionError(13, "Permission denied", "/a/file"), monkeypatch)
    line = luban("doctor").complaint()
    assert "Permission denied" in line
    assert "/a/file" in line


def test_an_interrupt_ends_with_130(luban: Luban, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bridge.cli.handlers.doctor.run_doctor", fail)
    assert luban("doctor").status == 130


def shell(line: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m bridge.cli"
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; luban() {{ {command} "$@"; }}; {line}'],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("command", by_day(["levels --json", "levels", "--version"]))
def test_a_reader_that_leaves_is_no_error(command: str) -> None:
    done = shell(f"luban {command} | true")
    assert done.stderr == ""


def test_an_output_that_is_full_is_one_line() -> None:
    done = shell("luban levels > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "luban: [Errno 28] No space left on device\n"


# --- Wrong values of every option

COMMANDS: dict[str, tuple[str, ...]] = {
    "levels": (),
    "play": ("burr-half-lap", "--agent", "first-legal", "--budget", "1", "--observation", "state"),
    "serve": ("--host", "256.1.1.1"),
    "mcp": ("--level", "burr-half-lap", "--observation", "state", "--log", "exists.jsonl"),
    "replay": ("log.jsonl",),
    "show": ("burr-half-lap", "--image-size", "32", "--renderer", "tiny"),
    "verify": ("packing-easy-01", "--no-films", "--worlds", "lattice", "--workers", "1"),
    "doctor": (),
    "eval": ("burr-half-lap", "--agent", "first-legal", "--budget", "1", "--observation", "state"),
    "select": ("run",),
    "report": ("run", "--out", "x.html", "--force"),
    "dataset": ("log.jsonl", "--out", "ds", "--force", "--observation", "state"),
    "bundle": ("no-such-level", "--out", "bundles"),
    "solve": ("burr-half-lap",),
    "import": ("design.xmpuzzle", "--out", "x.json", "--force"),
    "export": ("burr-half-lap", "--out", "x.xmpuzzle", "--force"),
    "generate burr": ("--kind", "six-piece", "--attempts", "1", "--out", "summary.json"),
    "generate packing": ("--size", "2x2x2", "--tier", "easy", "--out", "summary.json"),
}
"""Arguments with which a command takes no time, to which a wrong one is added."""
WRONG = (
    *("", "x", "-1", "9" * 20, "nan", "1e400", "a=b", "=", "../x", "/", "\udc80", "a,b", "x:9"),
    *("\x1b[31m", "x" * 5000, "exists.jsonl"),
)
LONG = {("generate burr", "out"), ("generate packing", "out"), ("replay", "video")}
"""Options of which each value that can be used makes work."""
FEW = ("", "/", "exists.jsonl/x")
"""None of them can."""
UNTRIED = {
    "ray": "starts a cluster",
    "workers": "starts as many",
    "base_url": "waits for a server",
    "server": "waits for one",
    "help": "does nothing else",
    "host": "is what keeps `serve` from serving",
    "log": "is what keeps `mcp` from serving",
}


def parameters(command: str) -> Iterator[click.Option]:
    found: click.Command | None = app
    for word in command.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), word)
    assert found is not None
    for parameter in found.params:
        is_option = isinstance(parameter, click.Option) and not parameter.is_flag
        if is_option and parameter.name not in UNTRIED:
            yield parameter


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, a run of items, a beam search, a batch, a log, a design, and other files."""
    folder = tmp_path_factory.mktemp("files")
    here = Path.cwd()
    os.chdir(folder)
    try:
        quick = ("--observation", "state", "--workers", "1", "--budget", "3")
        play = ("eval", "burr-half-lap", "--agent")
        assert run(*play, "first-legal", *quick, "--out", "run") == 0
        beam = ("--beam", "2", "--branch", "1")
        assert run(*play, "oracle", *quick, *beam, "--out", "beam") == 0
        task = ("--task", "verification", "--n", "1", "--depth", "5", "--workers", "1")
        assert run("eval", "cube-bench", *task, "--agent", "random", "--out", "items") == 0
        assert run("export", "burr-half-lap", "--out", "design.xmpuzzle") == 0
        box = ("--size", "2x2x2", "--tier", "easy", "--attempts", "1")
        assert run("generate", "packing", *box, "--out", "batch") == 0
    finally:
        os.chdir(here)
    shutil.copy(folder / "run/episodes/burr-half-lap/1/episode.jsonl", folder / "log.jsonl")
    (folder / "exists.jsonl").write_text("x")
    (folder / "summary.json").write_text("{}")
    (folder / "prices.json").write_text('{"x": {"input": 1, "output": 2.5}}')
    (folder / "certificates.jsonl").write_text(
        '{"level": "x", "hash": "y", "deep": false, "confirmed": ["a"], "false": [], '
        '"undecided": [{"claim": "a", "found": "b"}]}\n'
    )
    for family in ("burr", "packing", "rubik"):
        paths = (path for path in list_level_paths() if path.parent.name == family)
        shutil.copy(next(paths), folder / f"{family}.json")
    return folder


def run(*arguments: object) -> int:
    """The exit status of a command; for where no fixture of one test can be used."""
    before, sys.argv = sys.argv, ["luban", *map(str, arguments)]
    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    finally:
        sys.argv = before
    return 0


def answered(capfd: pytest.CaptureFixture[str], arguments: Sequence[object]) -> None:
    """Run a command, which may do what it is asked or say in one line why not."""
    capfd.readouterr()
    status = run(*arguments)
    _, err = capfd.readouterr()
    assert status in ANSWERED, err
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if line.startswith("luban: ")]
    assert status != 1 or len(lines) == 1 or arguments[0] == "verify", err


PARTS = 16
"""Of the values each option gets one part by day, another one than its neighbours."""


@needs_pybullet
@pytest.mark.parametrize("part", by_day(range(PARTS)))
@pytest.mark.parametrize("command", COMMANDS)
def test_no_value_of_an_option_makes_a_traceback(
    command: str,
    part: int,
    files: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO())
    monkeypatch.chdir(shutil.copytree(files, tmp_path / "files"))
    for number, parameter in enumerate(parameters(command)):
        values = FEW if (command, parameter.name) in LONG else WRONG
        for value in values[(number + part) % PARTS :: PARTS]:
            option = f"{parameter.opts[0]}={value}"
            answered(capfd, (*command.split(), *COMMANDS[command], option))


# --- Files of every kind, damaged

PLAIN = ("--pictures", "0")
READERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a log": ("log.jsonl", ("replay", "log.jsonl")),
    "a log as a dataset": (
        "log.jsonl",
        ("dataset", "log.jsonl", "--out", "d", "--observation", "state"),
    ),
    "a lock": ("burr.json", ("solve", "burr.json")),
    "a lock to export": ("burr.json", ("export", "burr.json", "--out", "b.xmpuzzle", "--force")),
    "a box": ("packing.json", ("verify", "packing.json", "--no-films", "--worlds", "lattice")),
    "a cube": ("rubik.json", ("verify", "rubik.json", "--no-films", "--worlds", "lattice")),
    "a design": ("design.xmpuzzle", ("solve", "design.xmpuzzle")),
    "a run": ("run/run.json", ("report", "run", "--out", "r.html", "--force", *PLAIN)),
    "a run's results": (
        "run/results.json",
        ("report", "run", "--out", "r.html", "--force", *PLAIN),
    ),
    "a run's log": (
        "run/episodes/burr-half-lap/1/episode.jsonl",
        ("select", "run", "--by", "progress"),
    ),
    "a search's journal": (
        "beam/episodes/burr-half-lap/1/search.jsonl",
        ("report", "beam", "--out", "r.html", "--force", *PLAIN),
    ),
    "a run of items": ("items/items.jsonl", ("report", "items")),
    "prices": (
        "prices.json",
        ("report", "run", "--out", "r.html", "--force", *PLAIN, "--prices", "prices.json"),
    ),
    "certificates": (
        "certificates.jsonl",
        *(("verify", "nothing-*", "--certificates", "certificates.jsonl"),),
    ),
    "a batch": (
        "batch/summary.json",
        ("generate", "packing", "--size", "2x2x2", "--tier", "hard", "--out", "batch"),
    ),
}
"""A file, and a command that reads it."""
PIECES = (b"", b"null", b"-1", b"1e999", b"{}", b"[]", b'""', b"9" * 5000, b"\n", b"\x00", b"NaN")
PIECES += (b"\xff", b'"\\ud800"', b"[" * 20_000, b"true", b"0", b"<")


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[float, float, bytes]]:
    """Pieces of a file, as shares of its length, and what comes in their place."""
    share = st.floats(0, 1)
    length = st.sampled_from((0.0, 1e-9, 0.001, 0.01, 1.0))
    text = st.sampled_from(PIECES) | st.binary(max_size=8)
    return draw(st.lists(st.tuples(share, length, text), min_size=1, max_size=3))


def damaged(data: bytes, damage: list[tuple[float, float, bytes]]) -> bytes:
    for start, length, text in damage:
        first = round(start * len(data))
        last = first + (1 if length == 1e-9 else round(length * len(data)))
        data = data[:first] + text + data[last:]
    return data


@pytest.mark.parametrize("kind", READERS)
def test_no_damage_of_a_file_makes_a_traceback(
    kind: str,
    files: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    name, command = READERS[kind]
    place = shutil.copytree(files, tmp_path / "files")
    monkeypatch.chdir(place)
    whole = (files / name).read_bytes()

    @settings(
        max_examples=more(1, night=30),
        phases=Phase if EXAMPLES > BY_DAY else [Phase.explicit],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @example([(0.5, 1.0, b"")])  # It was cut off.
    @example([(0.3, 0.01, b"null"), (0.9, 1e-9, b"\xff")])
    @given(damages())
    def holds(damage: list[tuple[float, float, bytes]]) -> None:
        shutil.rmtree(place / "d", ignore_errors=True)
        (place / name).write_bytes(damaged(whole, damage))
        answered(capfd, command)

    holds()
