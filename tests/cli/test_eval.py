"""``luban eval``: scores, going on after a kill, interrupts, and workers that die."""

import csv
import json
import shutil
import signal
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from bridge.agents.usage import Usage
from bridge.episode.tools import ActionSpace
from bridge.recording.log import read_log
from pysim.catalog import find_family, find_level
from tests.cli.runs import finished_logs, logs, start_and_stop
from tests.commands import Luban
from tests.recording.plays import full_disk, small_films
from tests.sampling import by_day

FIELDS = [
    "suite",
    "agent",
    "episodes",
    "solved",
    "pass_at_1",
    "bootstrap",
    "wilson",
    "by_family",
    "by_tier",
    "progress",
    "avg_steps",
    "dist2opt",
    "normdist",
    "disagreements",
    "out",
]
LEVELS = "burr-chinese-cross,burr-piston-key,packing-soma"


def test_the_oracle_solves_everything_in_its_plans(luban: Luban, tmp_path: Path) -> None:
    document = luban(
        "eval", LEVELS, "--observation", "state", "--workers", 1, "--out", "run", "--json"
    ).json()
    assert list(document) == FIELDS
    assert (document["episodes"], document["solved"], document["pass_at_1"]) == (3, 3, 1.0)
    assert (document["dist2opt"], document["normdist"], document["disagreements"]) == (0, 0, 0)
    assert document["by_family"]["packing"] == {"episodes": 1, "solved": 1, "pass_at_1": 1.0}
    assert document["avg_steps"] == (5 + 9 + 7) / 3
    assert document["out"] == "run"
    with (tmp_path / "run" / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["level"], row["steps"]) for row in rows] == [
        ("burr-chinese-cross", "5"),
        ("burr-piston-key", "9"),
        ("packing-soma", "7"),
    ]
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["score"]["dist2opt"] == {"low": 0, "high": 0, "exact": True}
    assert results["planned"] == 3


@pytest.mark.slow
def test_a_suite_goes_by_its_name_and_without_an_out_each_run_has_a_folder(luban: Luban) -> None:
    options = ["--agent", "first-legal", "--budget", 1, "--observation", "state", "--workers", 1]
    one = luban("eval", "locks-32", *options)
    assert one.status == 0
    assert "32" in one.out
    level = "burr-half-lap"
    outs = [
        luban("eval", level, "--observation", "state", "--json").json()["out"] for _ in range(2)
    ]
    assert outs == ["runs/burr-half-lap-oracle", "runs/burr-half-lap-oracle-2"]


@pytest.mark.slow
def test_random_solves_no_hard_lock(luban: Luban) -> None:
    options = ["--agent", "random", "--observation", "state", "--k", 2, "--workers", 1, "--json"]
    document = luban("eval", "burr-loves-dozen,burr-philippe-dubois", *options).json()
    assert (document["episodes"], document["solved"]) == (4, 0)
    assert document["avg_steps"] is document["dist2opt"] is None


def test_workers_change_nothing(luban: Luban, tmp_path: Path) -> None:
    options = [
        "--agent",
        "noisy-oracle:0.3",
        "--observation",
        "state",
        "--k",
        3,
        "--seed",
        5,
        "--json",
    ]
    documents = [
        luban("eval", LEVELS, *options, "--workers", n, "--out", f"run{n}").json() for n in (1, 2)
    ]
    assert {**documents[0], "out": ""} == {**documents[1], "out": ""}
    assert logs(tmp_path / "run1") == logs(tmp_path / "run2")
    assert len(logs(tmp_path / "run1")) == 9
    assert len(set(logs(tmp_path / "run1").values())) == 9  # Attempts have seeds of their own.


def test_a_finished_run_is_not_played_again(luban: Luban, tmp_path: Path) -> None:
    command = ["eval", LEVELS, "--observation", "state", "--workers", 1, "--out", "run", "--json"]
    first = luban(*command).json()
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("episode.jsonl")}
    assert luban(*command).json() == first
    assert times == {path: path.stat().st_mtime_ns for path in times}


def test_only_what_is_missing_is_played(luban: Luban, tmp_path: Path) -> None:
    command = ["eval", LEVELS, "--observation", "state", "--workers", 1, "--out", "run", "--json"]
    first = luban(*command).json()
    before = logs(tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "episodes" / "packing-soma")
    cut = tmp_path / "run" / "episodes" / "burr-piston-key" / "1" / "episode.jsonl"
    cut.write_bytes(b"".join(cut.read_bytes().splitlines(keepends=True)[:5]) + b'{"type":"end')
    assert luban(*command).json() == first
    assert logs(tmp_path / "run") == before
    aside = cut.parent.with_name("1-cut-off-1") / "episode.jsonl"
    assert len(read_log(aside).steps) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--agent", "random"], "agent was oracle, not random"),
        (["--k", 2], "attempts was 1, not 2"),
        (["--seed", 1], "seed was 0, not 1"),
    ],
)
def test_another_run_is_not_mixed_with_one_that_is_there(
    luban: Luban, options: list[object], words: str
) -> None:
    command = ["eval", "burr-half-lap", "--observation", "state", "--workers", 1, "--out", "run"]
    assert luban(*command).status == 0
    complaint = luban(*command, *options).complaint()
    assert "holds another run" in complaint
    assert words in complaint


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["locks-23"], "did you mean locks-32"),
        (["burr-half-lap,burr-half-lap"], "twice"),
        (["burr-half-lap", "--agent", "human"], "luban play"),
        (["burr-half-lap", "--agent", "genius"], "no agent 'genius'"),
        (["burr-half-lap", "--world", "mars"], "no world 'mars'"),
        (
            ["burr-half-lap", "--mode", "twice"],
            "one of interactive, one-shot, not 'twice'",
        ),
        (
            ["burr-half-lap", "--observation", "smell"],
            "--observation is one of image, image+state, ",
        ),
        (["burr-half-lap", "--video", "some"], "--video is one of all, failed, none, not 'some'"),
        (["burr-half-lap", "--image-size", "9"], "16 to 2048"),
        (["burr-half-lap", "--set", "hot"], "NAME=VALUE"),
        (["burr-half-lap", "--set", "hot=1"], "the setting 'hot': the agent oracle takes none"),
        (["burr-half-lap", "--base-url", "x"], "the setting 'base_url': the agent oracle takes"),
        (
            ["burr-half-lap", "--beam", "2", "--scorer", "judge:openai:x", "--set", "hot=1"],
            "the scorer judge:openai:x takes api, ",
        ),
        (["euclifold", "--agent", "random", "--set", "hot=1"], "the agent random takes none"),
        (["burr-half-lap", "--out", "full"], "other files"),
        (["burr-half-lap", "--out", "full/file"], "File exists"),
        (["burr-half-lap", "--out", "damaged"], "no JSON"),
        (["burr-half-lap", "--out", "strange"], "its format is 'luban-run/9'"),
    ],
)
def test_what_can_not_be_played_is_said_in_one_line(
    luban: Luban, tmp_path: Path, arguments: list[str], words: str
) -> None:
    for name in ("full", "damaged", "strange"):
        (tmp_path / name).mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    (tmp_path / "damaged" / "run.json").write_text("{")
    (tmp_path / "strange" / "run.json").write_text('{"format": "luban-run/9"}')
    assert words in luban("eval", *arguments).complaint()


def test_one_shot_plays_the_whole_plan(luban: Luban) -> None:
    options = ["--mode", "one-shot", "--observation", "state", "--workers", 1, "--json"]
    assert luban("eval", LEVELS, *options).json()["solved"] == 3


@pytest.mark.slow
def test_videos_are_made_of_what_was_asked_for(luban: Luban, tmp_path: Path) -> None:
    script = tmp_path / "scripts"
    script.mkdir()
    (script / "burr-half-lap.txt").write_text("slide red +x 9\n")
    (script / "burr-three-bars.txt").write_text("")
    options = ["--agent", f"scripted:{script}", "--workers", 1, "--image-size", 64]
    run = ["eval", "burr-half-lap,burr-three-bars", *options, "--out", "run"]
    assert luban(*run, "--observation", "state", "--json").json()["episodes"] == 2
    assert not list((tmp_path / "run").rglob("*.mp4"))
    with small_films():
        failed = luban(*run, "--observation", "state", "--video", "failed", "--json").json()
    assert len(list((tmp_path / "run").rglob("episode.mp4"))) == 2 - failed["solved"]
    for name in ("first.png", "last.png"):
        assert len(list((tmp_path / "run").rglob(name))) == 2 - failed["solved"]


def test_a_fault_of_an_agent_costs_its_episode_and_can_be_mended(
    luban: Luban, tmp_path: Path, strangers: Path
) -> None:
    (strangers / "banana").touch()
    run = ["eval", "burr-half-lap,burr-three-bars", "--agent", f"clumsy:{strangers}"]
    run += ["--budget", "2", "--observation", "state", "--workers", "1", "--out", "run"]
    result = luban(*run, "--json")
    assert (result.status, result.out) == (1, "")
    assert "2 of 2 episodes failed" in result.err
    assert "RuntimeError: slipped" in result.err
    trace = tmp_path / "run" / "episodes" / "burr-half-lap" / "1" / "error.txt"
    assert "in act" in trace.read_text()
    (strangers / "banana").unlink()
    assert luban(*run, "--json").json()["episodes"] == 2


@pytest.mark.parametrize("done", [0, 1, 3, 5])
def test_progress_is_the_share_of_the_plan_that_was_played(
    luban: Luban, tmp_path: Path, done: int
) -> None:
    level = find_level("burr-chinese-cross")
    assert level.plan is not None and len(level.plan) == 5
    space = ActionSpace(find_family(level).actions, level.colours)
    lines = [space.line(action) for action in level.plan.actions[:done]]
    (tmp_path / "half.txt").write_text("\n".join(lines) + "\n")
    run = ("eval", level.id, "--observation", "state", "--video", "none", "--out", "run")
    told = luban(*run, "--agent", "scripted:half.txt", "--json").json()
    assert told["progress"] == done / 5
    (row,) = csv.DictReader((tmp_path / "run" / "results.csv").read_text().splitlines())
    assert float(row["progress"]) == done / 5
    again = luban(*run, "--agent", "scripted:half.txt").out
    assert f"{done / 5:.1%} of the plan" in again


def test_tokens_that_an_agent_notes_are_counted(
    luban: Luban, tmp_path: Path, strangers: Path
) -> None:
    run = ["eval", "burr-half-lap,burr-three-bars", "--agent", f"chatty:{strangers}"]
    luban(
        *run, "--budget", 3, "--observation", "state", "--workers", 1, "--out", "run", "--json"
    ).json()
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["score"]["usage"] == asdict(Usage(6, 60, 12))


def test_a_worker_that_dies_costs_no_episode(luban: Luban, tmp_path: Path, strangers: Path) -> None:
    run = ["eval", "burr-half-lap,burr-three-bars", "--k", 2, "--agent", f"mortal:{strangers}"]
    document = luban(
        *run, "--budget", 4, "--observation", "state", "--workers", 2, "--out", "run", "--json"
    ).json()
    assert document["episodes"] == 4
    assert (strangers / "grave").exists()
    assert len(logs(tmp_path / "run")) == 4


@pytest.mark.slow  # By day the pool itself shows it, with processes that load nothing.
def test_workers_that_always_die_are_said(luban: Luban, strangers: Path) -> None:
    run = ["eval", "burr-half-lap,burr-three-bars", "--agent", f"doomed:{strangers}"]
    told = luban(*run, "--observation", "state", "--workers", 2)
    assert told.status != 0 and "2 of 2 episodes failed" in told.err
    assert told.err.count("its worker process ended twice (exit status 1)") == 3


@pytest.mark.parametrize("workers", by_day([2, 1]))
def test_a_killed_run_goes_on_and_plays_nothing_twice(
    luban: Luban, tmp_path: Path, strangers: Path, workers: int
) -> None:
    command = ["eval", "burr-half-lap,burr-three-bars,burr-five-bars", "--k", "4"]
    command += ["--agent", f"slow:{strangers}", "--budget", "6", "--observation", "state"]
    command += ["--workers", str(workers), "--out", "run", "--json"]
    finished = start_and_stop(command, tmp_path, signal.SIGKILL)
    document = luban(*command, "--workers", 1).json()
    assert document["episodes"] == 12
    assert 0 < len(finished) < 12
    now = logs(tmp_path / "run")
    assert {name: now[name] for name in finished} == finished
    steps = Counter((strangers / "steps").read_text().splitlines())
    seeds = {read_log(tmp_path / "run" / name).header.options.seed for name in finished}
    for seed in seeds:  # An episode that was finished was not begun again.
        assert all(steps[f"{seed} {step}"] == 1 for step in range(6))


def test_an_interrupt_is_clean_and_the_run_goes_on(
    luban: Luban, tmp_path: Path, strangers: Path
) -> None:
    command = ["eval", "burr-half-lap,burr-three-bars", "--k", "8", "--agent", f"slow:{strangers}"]
    command += [
        "--budget",
        "6",
        "--observation",
        "state",
        "--workers",
        "2",
        "--out",
        "run",
        "--json",
    ]
    finished = start_and_stop(command, tmp_path, signal.SIGINT)
    assert luban(*command, "--workers", 1).json()["episodes"] == 16
    now = logs(tmp_path / "run")
    assert {name: now[name] for name in finished} == finished


def test_two_processes_do_not_play_one_run(luban: Luban, tmp_path: Path) -> None:
    from bridge.runs.store import RunFolder

    command = ["eval", "burr-half-lap", "--observation", "state", "--workers", 1, "--out", "run"]
    assert luban(*command).status == 0
    with RunFolder.read(tmp_path / "run").lock():
        assert "another process" in luban(*command).complaint()
    assert luban(*command).status == 0


def test_a_full_disk_fails_episodes_and_leaves_what_was_played_whole(
    luban: Luban, tmp_path: Path
) -> None:
    run = ["eval", LEVELS, "--observation", "state", "--workers", 1, "--out", "run", "--json"]
    with full_disk(6000):
        result = luban(*run)
    assert (result.status, result.out) == (1, "")
    assert "File too large" in result.err or "disk is full" in result.err
    whole = finished_logs(tmp_path / "run")
    for name in logs(tmp_path / "run"):
        read_log(tmp_path / "run" / name)
    assert luban(*run).json()["solved"] == 3
    now = logs(tmp_path / "run")
    assert {name: now[name] for name in whole} == whole


def test_progress_tells_the_score_and_the_cost_so_far(luban: Luban, strangers: Path) -> None:
    Path("prices.json").write_text(f'{{"chatty:{strangers}": {{"input": 1000, "output": 5000}}}}')
    run = [
        "eval",
        "burr-half-lap,burr-three-bars",
        "--agent",
        f"chatty:{strangers}",
        "--observation",
    ]
    run += ["state", "--budget", 3, "--workers", 1, "--prices", "prices.json", "--out", "run"]
    result = luban(*run)
    first, second = result.err.splitlines()
    assert first.endswith("[0 solved (0.0%), 36 tokens, 0.06 USD]")
    assert second.endswith("[0 solved (0.0%), 72 tokens, 0.12 USD]")
    assert "0.12 USD" in result.out
    results = json.loads(Path("run/results.json").read_text())
    assert results["score"]["cost_usd"] == pytest.approx(0.12)
