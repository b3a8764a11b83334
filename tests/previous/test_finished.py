"""Runs that the previous version finished are read, and the figures are the same."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Luban
from tests.previous.kept import (
    HERE,
    assert_holds,
    assert_report_holds,
    assert_same_cells,
    commands,
    read_json,
    snapshot,
    unworded,
)
from tests.sampling import by_day, these_by_day

COMMANDS = commands("finished")
RUNS = [name for name, command in COMMANDS.items() if command[0] == "eval"]
FEW = ("interactive", "beam", "code", "items")
"""Runs for the day: one of each bench, and one that searched."""
# A model has to be there, a renderer, or the program before the previous one.
NOT_ANEW = {"model", "items-model", "filmed", "older"}
LOGS = sorted(
    str(path.relative_to(HERE / "finished")) for path in HERE.glob("finished/**/episode.jsonl")
)


def printed(name: str) -> Any:
    return read_json(HERE / "finished" / "printed" / f"{name}.json")


def documents(path: Path) -> list[Any]:
    """The lines of a log."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def assert_figures_as_kept(run: Path, name: str) -> None:
    kept = HERE / "finished" / "runs" / name
    assert_holds(read_json(run / "results.json"), read_json(kept / "results.json"))
    tables = [file.name for file in kept.glob("*.csv")]
    assert len(tables) == 1
    assert_same_cells(run / tables[0], kept / tables[0])


@pytest.mark.parametrize("name", these_by_day(FEW, RUNS))
def test_the_same_command_plays_nothing_again_and_prints_the_same_figures(
    name: str, luban: Luban, finished: Path
) -> None:
    run = finished / "runs" / name
    before = snapshot(run)
    for figures in [*run.glob("results.*"), *run.glob("tables.csv")]:
        figures.write_text("")
    assert_holds(luban(*COMMANDS[name]).json(), printed(name))
    assert snapshot(run) == before
    assert_figures_as_kept(run, name)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("name", these_by_day(FEW, [n for n in RUNS if n not in NOT_ANEW]))
def test_the_same_command_plays_the_same_in_a_new_folder(
    name: str, luban: Luban, finished: Path
) -> None:
    run = finished / "runs" / name
    run.rename(finished / "before")
    assert_holds(luban(*COMMANDS[name]).json(), printed(name))
    logs = [*(finished / "before").rglob("episode.jsonl"), *finished.glob("before/items.jsonl")]
    assert logs
    for log in logs:
        now = run / log.relative_to(finished / "before")
        assert_holds(unworded(documents(now)), unworded(documents(log)), str(log))


@pytest.mark.parametrize("name", ["select", "select-judge"])
def test_choices_are_the_same_and_what_was_scored_is_not_scored_again(
    name: str, luban: Luban, finished: Path
) -> None:
    before = snapshot(finished / "runs")
    assert_holds(luban(*COMMANDS[name]).json(), printed(name))
    assert snapshot(finished / "runs") == before


def test_scores_that_are_found_anew_are_the_same(luban: Luban, finished: Path) -> None:
    before = snapshot(finished / "runs")
    for run in ("interactive", "chance"):
        shutil.rmtree(finished / "runs" / run / "selections")
    assert_holds(luban(*COMMANDS["select"]).json(), printed("select"))
    assert snapshot(finished / "runs") == before


def test_a_choice_that_was_cut_off_goes_on(luban: Luban, finished: Path) -> None:
    kept = finished / "runs" / "interactive" / "selections" / "progress.jsonl"
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-20])
    assert_holds(luban(*COMMANDS["select"]).json(), printed("select"))
    assert kept.read_bytes() == whole


def test_a_report_has_the_same_figures(luban: Luban, finished: Path) -> None:
    for file in (finished / "report").iterdir():
        file.unlink()
    before = snapshot(finished / "runs")
    assert_holds(luban(*COMMANDS["report"]).json(), printed("report"))
    assert snapshot(finished / "runs") == before
    assert_report_holds(finished / "report", HERE / "finished" / "report")
    for name in printed("report")["runs"]:
        assert_figures_as_kept(finished / "runs" / name, name)


def test_a_report_shows_the_pictures_and_the_video_that_there_are(
    luban: Luban, finished: Path
) -> None:
    luban("report", "runs/filmed", "--out", "page.html", "--json").json()
    page = (finished / "page.html").read_text()
    for name in ("first.png", "last.png", "episode.mp4"):
        assert f"runs/filmed/episodes/burr-half-lap/1/{name}" in page


def test_tables_of_items_are_the_same(luban: Luban, finished: Path) -> None:
    now, before = luban(*COMMANDS["tables"]).json(), printed("tables")
    rows = {table["title"]: table["rows"] for table in now["tables"]}
    for table in before["tables"]:  # A row was headed by its agent, and is now by its run.
        shown = [row[1:] for row in rows[table["title"]]]
        assert all(row[1:] in shown for row in table["rows"]), table["title"]


@pytest.mark.parametrize("log", by_day(LOGS, lambda log: Path(log).parts[1]))
def test_every_log_is_verified_by_a_replay(log: str, luban: Luban, finished: Path) -> None:
    end = documents(finished / log)[-1]
    found = luban("replay", log, "--json").json()
    assert found["truncated"] is False
    for name in ("outcome", "steps", "state_hash"):
        assert found[name] == end[name]


def test_a_level_is_played_by_itself_as_it_was(luban: Luban, finished: Path) -> None:
    assert_holds(luban(*COMMANDS["replay"]).json(), printed("replay"))
    before = documents(finished / "plays" / "piston" / "episode.jsonl")
    (finished / "plays" / "piston").rename(finished / "before")
    assert_holds(luban(*COMMANDS["play"]).json(), printed("play"))
    assert_holds(documents(finished / "plays" / "piston" / "episode.jsonl"), before)


def test_a_log_is_played_again_as_a_script(luban: Luban, finished: Path) -> None:
    log = "plays/piston/episode.jsonl"
    play = ["play", "burr-piston-key", "--agent", f"scripted:{log}", "--obs", "state"]
    found = luban(*play, "--no-video", "--json").json()
    for name in ("outcome", "steps", "state_hash"):
        assert found[name] == printed("play")[name]


def test_a_dataset_of_a_run_is_the_same(luban: Luban, finished: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="NOT TESTED: no pyarrow")
    (finished / "dataset").rename(finished / "before")
    expected = printed("dataset")
    del expected["bytes"]  # How small it gets is the affair of pyarrow.
    assert_holds(luban(*COMMANDS["dataset"]).json(), expected)
    assert_holds(
        read_json(finished / "dataset" / "dataset.json"),
        read_json(finished / "before" / "dataset.json"),
    )
    for name in ("steps.parquet", "episodes.parquet"):
        now, before = (parquet.read_table(finished / d / name) for d in ("dataset", "before"))
        assert_holds(unworded(now.to_pylist()), unworded(before.to_pylist()), name)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("interactive", ["--agent", "random"], "agent was noisy-oracle:0.4, not random"),
        ("interactive", ["--k", "3"], "attempts was 2, not 3"),
        ("interactive", ["--budget", "10"], "budget was 9, not 10"),
        ("interactive", ["--obs", "image"], "observation was state, not image"),
        ("older", ["--seed", "1"], "seed was 0, not 1"),
        ("older", ["--beam", "2"], "width was None"),
        ("one-shot", ["--mode", "interactive"], "mode was one-shot, not interactive"),
        ("beam", ["--beam", "3"], "branch was 2, not 3"),
        ("no-code", ["--reward", "face"], "reward was sticker, not face"),
        ("no-code", ["--setup", "basic"], "setup was standard-solver, not basic"),
        ("code", ["--turns", "3"], "turns was 20, not 3"),
        ("model", ["--set", "temperature=1"], "options was"),
        ("items", ["--agent", "oracle"], "other agent"),
        ("items", ["--n", "4"], "other parts"),
        ("items-pictures", ["--seed", "1"], "other seed"),
    ],
)
def test_a_run_of_other_settings_is_refused(
    name: str, options: list[str], words: str, luban: Luban, finished: Path
) -> None:
    complaint = luban(*COMMANDS[name], *options).complaint(of_former=True)
    assert f"runs/{name} holds another run" in complaint
    assert words in complaint


def test_a_run_of_other_levels_is_refused(luban: Luban, finished: Path) -> None:
    command, _, *options = COMMANDS["interactive"]
    complaint = luban(command, "burr-half-lap", *options).complaint(of_former=True)
    assert "holds another run" in complaint
    assert "other levels" in complaint
