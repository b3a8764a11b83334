"""``luban init``: a family, a bench and an agent of other packages, made, installed and played."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import luban as front_door
from pysim.puzzle import Outcome
from tests.commands import ROOT, Luban, call
from tests.pages import sentences
from tests.sampling import by_day
from tests.waiting import PATIENCE

KINDS = ("family", "bench", "agent")
MIDDLE, SUITE = "toy-family-middle", "toy-family-2"


def told(page: str) -> str:
    return sentences(page).replace(" lines for ", " for ")


class Site:
    """A folder in which packages are made, and another one in which they are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.installed = folder / "site"
        path = os.pathsep.join([str(self.installed), str(ROOT)])
        self.environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "80"}

    def python(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def luban(self, *arguments: object) -> str:
        """What a command prints that does what it is asked."""
        done = self.python("-m", "bridge.cli", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def running(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        command = [sys.executable, "-m", "bridge.cli", *arguments]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(
            command, cwd=self.folder, env=self.environment, text=True, **pipes
        ) as process:
            try:
                yield process
            finally:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """One of each, made by the command and installed by pip, each as a package of its own."""
    site = Site(tmp_path_factory.mktemp("packages"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(site.folder)
        for kind in KINDS:
            call("init", kind, f"toy-{kind}")
    quietly = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    packages = [f"./toy-{kind}" for kind in KINDS]
    done = site.python("-m", "pip", "install", *quietly, "--target", site.installed, *packages)
    assert done.returncode == 0, done.stderr
    return site


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_has_at_most_sixty_lines_to_read(site: Site, kind: str) -> None:
    files = [*(site.folder / f"toy-{kind}" / f"toy_{kind}").rglob("*.py")]
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    assert 15 < len(lines) <= 60
    assert f"{len(lines)} for a{'n' if kind == 'agent' else ''} {kind}" in told("extending")


def test_what_is_made_is_written_as_the_house_writes(site: Site) -> None:
    ruff = (Path(sys.executable).parent / "ruff", "--config", ROOT / "pyproject.toml")
    for command in (("check", "--ignore", "D,RUF012"), ("format", "--check")):
        words = [ruff[0], *command, *ruff[1:], *(site.folder / f"toy-{kind}" for kind in KINDS)]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_tests_of_what_is_made_are_green_at_once(site: Site) -> None:
    folders = [f"toy-{kind}" for kind in KINDS]
    done = site.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *folders)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout and "skipped" not in done.stdout


@pytest.mark.slow
def test_its_levels_are_listed_seen_and_certified(site: Site) -> None:
    listed = json.loads(site.luban("levels", "--family", "toy-family", "--json"))
    assert {level["id"]: level["plan"] for level in listed} == {MIDDLE: 8, "toy-family-stop": 2}
    assert all(level["plan_proof"] == "OPTIMAL" for level in listed)
    assert MIDDLE in site.luban("levels", "--suite", SUITE)
    site.luban("show", MIDDLE, "--image-size", "64", "--out", "middle.png")
    assert (site.folder / "middle.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads(site.luban("verify", SUITE, "--workers", 1, "--json"))
    assert found["checked"] == 2 and not found["false"]


@pytest.mark.parametrize("agent", by_day(["toy-agent", "oracle"]))
def test_its_levels_are_played_and_replayed(site: Site, agent: str) -> None:
    words = (
        "play",
        MIDDLE,
        "--agent",
        agent,
        "--observation",
        "state",
        "--video",
        "none",
        "--json",
    )
    played = json.loads(site.luban(*words, "--name", agent))
    assert played["outcome"] == (Outcome.SOLVED if agent == "oracle" else played["outcome"])
    assert played["disagreements"] == 0
    again = json.loads(site.luban("replay", played["log"], "--json"))
    assert (again["steps"], again["state_hash"]) == (played["steps"], played["state_hash"])


@pytest.mark.slow  # By day the tests that are made play both.
def test_runs_are_played_chosen_among_and_reported(site: Site) -> None:
    run = ("--observation", "state", "--json", "--workers", "1")
    of_family = site.luban("eval", SUITE, "--agent", "random", "--k", "2", "--out", "random", *run)
    assert json.loads(of_family)["suite"] == SUITE
    of_bench = site.luban("eval", "toy-bench", "--agent", "toy-agent", "--out", "bench", *run)
    assert json.loads(of_bench)["suite"] == "toy-bench-2"
    columns, *rows = (site.folder / "bench" / "results.csv").read_text().splitlines()
    assert "toy_bench_refused" in columns and len(rows) == 2
    site.luban("select", "random", "--by", "progress")
    site.luban("report", "random", "bench", "--out", "page.html")
    page = (site.folder / "page.html").read_text(encoding="utf-8")
    assert "Toy Bench: tight budgets" in page and MIDDLE in page


def test_options_of_the_bench_are_its_own(site: Site) -> None:
    assert "--slack" in site.luban("eval", "toy-bench", "--help")
    done = site.python("-m", "bridge.cli", "eval", "toy-bench", "--slack", "0.5")
    assert done.returncode == 1 and "--slack below 1" in done.stderr


def test_its_levels_are_served_over_grpc(site: Site) -> None:
    with site.running("serve", "--json") as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        with front_door.connect(address) as remote:
            assert [level.id for level in remote.levels(SUITE)] == ["toy-family-stop", MIDDLE]
            with remote.start("toy-family-stop", image_size=32) as episode:
                assert len(episode.observe().views) >= 4
                assert episode.step("push", piece="red", way="+y").travel == 3
                assert episode.step("push", piece="red", way="+x").outcome is Outcome.SOLVED


@pytest.mark.slow  # By day over gRPC.
def test_its_levels_are_served_over_mcp(site: Site) -> None:
    pytest.importorskip("mcp")
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    with site.running("mcp", "--level", MIDDLE, "--observation", "state") as server:
        assert server.stdin is not None and server.stdout is not None
        for message in (
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/list"},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
            server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        assert "push" in {tool["name"] for tool in answers[1]["result"]["tools"]}


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("family", "Toy", "made of a-z"),
        ("family", "toy_family", "made of a-z"),
        ("family", "../toy", "made of a-z"),
        ("bench", "toy--bench", "made of a-z"),
        ("agent", "4toy", "made of a-z"),
        ("agent", "a" * 41, "at most 40"),
        ("family", "burr", "there is a family burr already"),
        ("family", "suites", "there is a family suites already"),
        ("bench", "cube-bench", "there is a bench cube-bench already"),
        ("agent", "noisy-oracle", "there is an agent noisy-oracle already"),
        ("family", "json", "Python package json already"),
        ("bench", "numpy", "Python package numpy already"),
    ],
)
def test_names_that_are_taken_or_none_are_refused(
    luban: Luban, tmp_path: Path, kind: str, name: str, why: str
) -> None:
    assert why in luban("init", kind, name).complaint()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_left_alone(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "toy-agent").mkdir()
    assert "toy-agent is there already" in luban("init", "agent", "toy-agent").complaint()
    assert not list((tmp_path / "toy-agent").iterdir())


@pytest.mark.slow
def test_what_is_made_leaves_no_trace_in_the_process_that_made_it(luban: Luban) -> None:
    assert "pip install -e toy-thing" in luban("init", "family", "toy-thing").out
    assert "toy_thing" not in sys.modules
    assert not list(Path("toy-thing").rglob("__pycache__"))


def test_other_kinds_are_refused_with_those_that_there_are(luban: Luban) -> None:
    refused = luban("init", "world", "toy-world")
    assert refused.status == 2
    assert all(kind in refused.err for kind in KINDS)
