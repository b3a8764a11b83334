"""``luban report --verify`` publishes nothing that a replay does not confirm."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.runs.folders import RunError
from bridge.runs.replaying import replay_run
from bridge.runs.store import RunFolder
from tests.commands import Luban, call

LEVELS = ("burr-half-lap", "burr-three-bars")
HERE = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two levels, twice each."""
    folder = tmp_path_factory.mktemp("kept") / "run"
    options = ["--agent", "random", "--k", 2, "--budget", 6, "--feedback", "legal"]
    call(
        "eval",
        ",".join(LEVELS),
        *options,
        "--workers",
        1,
        "--observation",
        "state",
        "--out",
        folder,
    )
    return folder


@pytest.fixture
def run(kept: Path, tmp_path: Path) -> Path:
    shutil.copytree(kept, tmp_path / "run")
    return tmp_path / "run"


Lines = list[Any]


def forge(run: Path, change: Callable[[Lines], Any], level: str = LEVELS[1]) -> Path:
    """Change the documents in the lines of an episode's log."""
    path = run / "episodes" / level / "1" / "episode.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def test_a_true_run_is_reported(luban: Luban, run: Path) -> None:
    told = luban("report", run, "--out", "page.html", "--pictures", 0, "--verify", "--json").json()
    assert (told["verified"], told["episodes"]) == (4, 4)
    again = luban("report", run, "--out", "page.html", "--pictures", 0, "--force", "--verify")
    assert again.out == "4 episodes, 4 logs played again: page.html\n"
    assert (
        "verified" not in luban("report", run, "--out", "b.html", "--pictures", 0, "--json").json()
    )


def turned(lines: Lines) -> None:
    solved = lines[-1]["outcome"] == "SOLVED"
    lines[-1] |= {"outcome": "OUT_OF_BUDGET" if solved else "SOLVED", "note": ""}


def of_options(name: str, value: object) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        lines[0]["options"][name] = value

    return change


def longer_budget(lines: Lines) -> None:
    lines[0]["budget"] = lines[0]["options"]["budget"] = 7
    for number, line in enumerate(lines[1:-1]):
        line["budget_left"] = 7 - number


FORGED: dict[str, tuple[Callable[[Lines], Any], str]] = {
    "an end": (turned, "the log says outcome = "),
    "a state": (
        lambda lines: lines[3].update(state_hash="0" * 64),
        "step 2: the log says state_hash = 000",
    ),
    "a refusal": (
        lambda lines: lines[2].update(kind="illegal", reason="BLOCKED"),
        "step 1: the log says kind = illegal",
    ),
    "a call": (
        lambda lines: lines[2]["call"].update(arguments={}),
        "step 1: the log says kind = ok, but the replay gave invalid",
    ),
    "a budget": (longer_budget, "its budget is 7, the run's 6"),
    "a seed": (of_options("seed", 1), "its seed is 1, the run's"),
    "an agent": (of_options("agent", "oracle"), "its agent is oracle, the run's random"),
    "what was seen": (of_options("mode", "image"), "its obs is image, the run's state"),
    "what was told": (of_options("feedback", "none"), "its feedback is none, the run's legal"),
    "a world": (
        lambda lines: lines[0]["world"].update(name="bullet"),
        "its world is bullet, the run's lattice",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_log_is_named_and_nothing_is_written(
    luban: Luban, run: Path, tmp_path: Path, name: str
) -> None:
    change, words = FORGED[name]
    path = forge(run, change)
    before = (run / "results.json").read_bytes()
    complaint = luban("report", run, "--out", "page.html", "--verify").complaint()
    assert str(path) in complaint and words in complaint
    assert (run / "results.json").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


def test_an_easier_level_under_another_s_name_is_found(run: Path) -> None:
    easy, hard = (run / "episodes" / level / "1" for level in LEVELS)
    shutil.rmtree(hard)
    shutil.copytree(easy, hard)
    with pytest.raises(RunError, match=r"another level than the run's burr-three-bars"):
        replay_run(RunFolder.read(run))


def test_what_was_not_finished_is_passed_over(run: Path) -> None:
    forge(run, lambda lines: lines.pop())
    shutil.rmtree(run / "episodes" / LEVELS[0] / "2")
    assert replay_run(RunFolder.read(run)) == 2


@pytest.mark.parametrize(
    "path", sorted(p.parent for p in (HERE / "previous/finished/runs").glob("*/run.json"))
)
def test_runs_of_the_version_before_are_confirmed(path: Path) -> None:
    folder = RunFolder.read(path)
    assert replay_run(folder) == len(folder.read_results()) > 0
