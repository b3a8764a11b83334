"""Runs that the previous version left unfinished resume, and end as if nothing had stopped them."""

import shutil
from pathlib import Path

import pytest

from tests.cli.runs import finished_logs
from tests.commands import Luban
from tests.previous.kept import (
    HERE,
    assert_holds,
    assert_report_holds,
    assert_same_cells,
    commands,
    read_json,
    snapshot,
)
from tests.sampling import these_by_day

COMMANDS = commands("stopped")
PLAYED = ["play", "beam", "turns", "code"]


def assert_as_if_never_stopped(luban: Luban, stopped: Path, name: str) -> None:
    whole = HERE / "stopped" / "whole" / name
    assert_holds(luban(*COMMANDS[name]).json(), read_json(whole / "printed.json"))
    run = stopped / "runs" / name
    assert_holds(read_json(run / "results.json"), read_json(whole / "results.json"))
    for file in whole.glob("*.csv"):
        assert_same_cells(run / file.name, file)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_a_run_goes_on_with_what_is_missing(name: str, luban: Luban, stopped: Path) -> None:
    run = stopped / "runs" / name
    before, finished = snapshot(run), finished_logs(run)
    cut_off = {file for file in before if file.endswith("/episode.jsonl")} - set(finished)
    assert finished
    assert cut_off
    assert_as_if_never_stopped(luban, stopped, name)
    after = snapshot(run)
    for file, content in before.items():
        folder = Path(file).parent
        if f"{folder}/episode.jsonl" in cut_off:
            file = str(folder.with_name(f"{folder.name}-cut-off-1") / Path(file).name)
        assert after[file] == content
    planned = read_json(run / "results.json")["planned"]
    assert len(finished_logs(run)) == planned > len(finished)
    assert_as_if_never_stopped(luban, stopped, name)
    assert snapshot(run) == after


@pytest.mark.parametrize("name", these_by_day(["beam"], ["play", "beam", "turns"]))
def test_what_was_added_is_verified_by_a_replay(name: str, luban: Luban, stopped: Path) -> None:
    luban(*COMMANDS[name]).json()
    for log in finished_logs(stopped / "runs" / name):
        assert luban("replay", f"runs/{name}/{log}", "--json").json()["outcome"]


def test_a_log_that_was_cut_off_is_verified_as_far_as_it_goes(luban: Luban, stopped: Path) -> None:
    found = {
        str(log): luban("replay", log, "--json").json()
        for log in sorted((stopped / "runs").glob("*/episodes/*/*/episode.jsonl"))
        if b'{"type":"end"' not in log.read_bytes()
    }
    assert len(found) >= len(PLAYED)
    assert {one["outcome"] for one in found.values()} == {None}
    assert {one["truncated"] for one in found.values()} == {False, True}


def test_items_go_on_after_a_line_that_was_cut_off(luban: Luban, stopped: Path) -> None:
    log = stopped / "runs" / "items" / "items.jsonl"
    before = log.read_bytes()
    assert not before.endswith(b"\n")
    assert_as_if_never_stopped(luban, stopped, "items")
    whole = before[: before.rindex(b"\n") + 1]
    after = log.read_bytes()
    assert after.startswith(whole)
    assert after.endswith(b"\n")
    assert len(after) > len(before)
    assert_as_if_never_stopped(luban, stopped, "items")
    assert log.read_bytes() == after


def test_a_report_counts_what_is_finished(luban: Luban, stopped: Path) -> None:
    shutil.rmtree(stopped / "report")
    (stopped / "report").mkdir()
    found = luban(*COMMANDS["report"]).json()
    assert_holds(found, read_json(HERE / "stopped" / "printed" / "report.json"))
    assert_report_holds(stopped / "report", HERE / "stopped" / "report")


def test_a_choice_among_what_is_not_finished_is_refused(luban: Luban, stopped: Path) -> None:
    complaint = luban("select", "runs/play", "--json").complaint()
    assert "episodes are not finished" in complaint


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("play", ["--seed", "1"], "seed was 0, not 1"),
        ("beam", ["--branch", "3"], "branch was 2, not 3"),
        ("turns", ["--reward", "none"], "reward was heuristic, not none"),
        ("items", ["--seed", "1"], "other seed"),
    ],
)
def test_it_does_not_go_on_with_other_settings(
    name: str, options: list[str], words: str, luban: Luban, stopped: Path
) -> None:
    before = snapshot(stopped / "runs" / name)
    complaint = luban(*COMMANDS[name], *options).complaint(of_former=True)
    assert f"runs/{name} holds another run" in complaint
    assert words in complaint
    assert snapshot(stopped / "runs" / name) == before
