"""Folders of runs: each gets a name of its own, soon, whoever else makes some."""

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.recording import folders
from bridge.recording.errors import RecordingError
from bridge.recording.folders import new_run_folder
from pysim.errors import InputError
from tests.sampling import more


def test_names_are_numbered_in_order(tmp_path: Path) -> None:
    made = [new_run_folder(tmp_path, "run").name for _ in range(40)]
    assert made == ["run", *(f"run-{n}" for n in range(2, 41))]


def test_another_name_begins_anew(tmp_path: Path) -> None:
    assert [new_run_folder(tmp_path, name).name for name in ("a", "a-2", "a")] == [
        "a",
        "a-2",
        "a-3",
    ]


def test_the_ten_thousandth_run_looks_at_a_few_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def is_taken(runs: Path, name: str, number: int) -> bool:
        asked.append(number)
        return number < 10_000

    monkeypatch.setattr(folders, "_is_taken", is_taken)
    assert new_run_folder(tmp_path, "run").name == "run-10000"
    assert len(asked) <= 30


@settings(max_examples=more(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(taken=st.sets(st.integers(1, 60)))
def test_whatever_is_there_the_new_folder_is_a_new_one(
    tmp_path_factory: pytest.TempPathFactory, taken: set[int]
) -> None:
    runs = tmp_path_factory.mktemp("runs")
    for number in taken:
        place = runs / ("run" if number == 1 else f"run-{number}")
        place.touch() if number % 2 else place.mkdir()  # A file takes a name as well.
    before = set(runs.iterdir())
    made = new_run_folder(runs, "run")
    assert made.is_dir() and made not in before and not list(made.iterdir())


def test_processes_at_once_never_get_the_same_folder(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        made = pool.starmap(new_run_folder, [(tmp_path, "run")] * 180, chunksize=1)
    names = [path.name for path in made]
    assert len(set(names)) == len(names) == 180
    assert {path.name for path in tmp_path.iterdir()} == set(names)


def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path) -> None:
    for name in ("", ".", "..", "a/b", "-x", "x" * 101, "\n", "a\n", "x" * 10**7):
        with pytest.raises(InputError, match="a run name is made of"):
            new_run_folder(tmp_path, name)
    assert not list(tmp_path.iterdir())


def test_a_place_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    with pytest.raises(RecordingError, match="runs"):
        new_run_folder(tmp_path / "runs", "run")
