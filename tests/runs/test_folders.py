"""How a run's folder is begun: what a killed process leaves is no hindrance, other files are."""

import json
from pathlib import Path

import pytest

from bridge.runs.folders import RunError, RunLock, begin_file
from bridge.runs.settings import RunSettings
from tests.commands import Luban
from tests.previous.kept import HERE

PLAYED = ("eval", "burr-half-lap", "--observation", "state", "--workers", 1)
ASKED = ("eval", "cube-bench", "--task", "move-prediction", "--mode", "text", "--n", 2)
MADE = ("generate", "burr", "--kind", "cube", "--level", 2, "--seed", 3, "--count", 1)


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("command", "first"), [(PLAYED, "run.json"), (ASKED, "items.jsonl"), (MADE, "summary.json")]
)
def test_a_process_that_was_killed_while_it_began_a_run_leaves_its_folder_usable(
    luban: Luban, tmp_path: Path, command: tuple[object, ...], first: str
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / f".{first}.part").write_text("ha")
    assert luban(*command, "--out", "run", "--json").status == 0
    assert not list(folder.glob(".*.part"))
    assert (folder / first).read_text().startswith("{")


def test_drafts_of_a_batch_that_was_killed_are_swept(luban: Luban, tmp_path: Path) -> None:
    assert luban(*MADE, "--out", "run").status == 0
    (tmp_path / "run" / ".burr-9.png.part").write_text("ha")
    assert luban(*MADE, "--out", "run").status == 0
    assert not list((tmp_path / "run").glob(".*.part"))


def test_a_folder_with_other_files_is_refused_and_nothing_is_put_into_it(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    (tmp_path / ".thesis.tex.part").touch()
    with pytest.raises(RunError, match="has other files in it"):
        begin_file(tmp_path, "run.json", "{}")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".thesis.tex.part", "thesis.tex"]


def test_a_run_that_another_process_begins_is_left_to_it(tmp_path: Path) -> None:
    with RunLock(tmp_path), pytest.raises(RunError, match="another process is at work"):
        begin_file(tmp_path, "run.json", "{}")
    begin_file(tmp_path, "run.json", "{}")
    with RunLock(tmp_path):
        begin_file(tmp_path, "run.json", "something else")
    assert (tmp_path / "run.json").read_text() == "{}"


@pytest.mark.parametrize("levels", [None, 7, {}, "x", [["a"]], [[["a"], "b"]], [["a", 7]]], ids=str)
def test_what_is_wrong_with_the_levels_of_a_run_is_said_in_words(levels: object) -> None:
    whole = json.loads((HERE / "finished/runs/interactive/run.json").read_text())
    assert RunSettings.from_document(whole).levels[0][0] == "burr-three-bars"
    with pytest.raises(RunError, match="'levels' is a list of pairs of texts"):
        RunSettings.from_document({**whole, "levels": levels})
    with pytest.raises(RunError, match="a level is listed more than once"):
        RunSettings.from_document({**whole, "levels": whole["levels"] * 2})


def in_order(run: Path) -> list[str]:
    log = run / "episodes" / "burr-half-lap" / "1"
    return sorted(path.name for path in log.iterdir())


@pytest.mark.slow
def test_what_a_killed_film_left_is_swept_and_an_old_failure_is_forgotten(
    luban: Luban, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    film = ("--video", "all", "--renderer", "tiny")
    played = (*PLAYED, "--image-size", 64)
    assert luban(*played, "--out", "run").status == 0
    episode = run / "episodes" / "burr-half-lap" / "1"
    for name in (".episode.mp4.12345678.tmp", ".first.png.part", "error.txt"):
        (episode / name).write_text("ha")
    assert luban(*played, *film, "--out", "run").status == 0
    names = ["episode.jsonl", "episode.mp4", "first.png", "last.png", "times.jsonl"]
    assert in_order(run) == names


def test_a_result_that_can_not_be_put_in_its_place_is_named(luban: Luban, tmp_path: Path) -> None:
    assert luban(*PLAYED, "--out", "run").status == 0
    (tmp_path / "run" / "results.json").unlink()
    (tmp_path / "run" / "results.json").mkdir()
    assert "run/results.json" in luban(*PLAYED, "--out", "run", "--json").complaint()
    (tmp_path / "run" / "results.json").rmdir()
    assert json.loads(luban(*PLAYED, "--out", "run", "--json").out)["solved"] == 1
