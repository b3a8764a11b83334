"""Batches: in order, the same for any number of processes, and never twice after a break."""

import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from bridge.generating import Batch, BatchError, BatchSummary, WorkerLost, run_batch
from bridge.generating.folder import TIMINGS, open_folder
from bridge.jobs.threads import Inline
from pysim.catalog import read_level
from pysim.puzzle import Level
from tests.generating.counting import Counting


def draw(level: Level[object]) -> bytes:
    return level.hash.encode()


def files(folder: Path) -> dict[str, bytes]:
    """The files of a batch, but for what differs from run to run."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != TIMINGS}


def made(out: Path, count: int = 6, workers: int = 0, **options: float) -> BatchSummary:
    """Make a batch, in this process where there are no workers."""
    batch = Batch(Counting(**options), count, out, workers)  # type: ignore[arg-type]
    return run_batch(batch, draw, executor=None if workers else Inline())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch that was made in one go by one process."""
    out = tmp_path_factory.mktemp("batch") / "whole"
    made(out)
    return out


def test_levels_can_be_read_and_say_where_they_come_from(whole: Path) -> None:
    summary = json.loads((whole / "summary.json").read_text())
    assert [entry["attempt"] for entry in summary["levels"]] == [0, 1, 4, 6, 9, 10]
    for entry in summary["levels"]:
        level = read_level(whole / f"{entry['id']}.json")
        assert level.id == f"burr-counting-s0-{entry['attempt']}"
        assert (level.hash, level.source.generator) == (entry["hash"], "burr/counting 1")
        assert level.source.seed == 0 and f"attempt {entry['attempt']}" in level.source.reference
        assert level.plan is not None and level.facts["n"] == entry["attempt"] + 1
        assert (whole / f"{level.id}.png").read_bytes() == draw(level)
    assert len(list(whole.iterdir())) == 14


def test_the_summary_counts_every_attempt_once(whole: Path) -> None:
    summary = json.loads((whole / "summary.json").read_text())
    assert summary["attempts"] == 11
    assert summary["rejected"] == {"a third": 3, "duplicate": 2}
    assert summary["best"] == 3
    assert summary["settings"] == {"kind": "counting", "seed": 0}
    timings = json.loads((whole / TIMINGS).read_text())
    assert set(timings) == {"seconds", "attempt_seconds"}
    assert set(timings).isdisjoint(summary) and "timings" not in summary


def test_two_processes_make_the_same_batch(whole: Path, tmp_path: Path) -> None:
    made(tmp_path, workers=2, pause=0.01)
    assert files(tmp_path) == files(whole)


def test_a_batch_can_be_made_larger(whole: Path, tmp_path: Path) -> None:
    made(tmp_path, count=2)
    made(tmp_path, count=6)
    assert files(tmp_path) == files(whole)


def test_a_finished_batch_is_left_alone(tmp_path: Path) -> None:
    first = made(tmp_path, count=2)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert made(tmp_path, count=1).levels == first.levels
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_a_limit_of_attempts_ends_a_batch(tmp_path: Path) -> None:
    summary = run_batch(Batch(Counting(), 6, tmp_path, most_attempts=3), draw, executor=Inline())
    assert (summary.attempts, len(summary.levels)) == (3, 2)


def test_what_stops_between_a_level_and_the_summary_is_made_again(
    whole: Path, tmp_path: Path
) -> None:
    calls = []

    def failing(level: Level[object]) -> bytes:
        calls.append(level.id)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return draw(level)

    with pytest.raises(KeyboardInterrupt):
        run_batch(Batch(Counting(), 6, tmp_path), failing, executor=Inline())
    assert len(json.loads((tmp_path / "summary.json").read_text())["levels"]) == 2
    (tmp_path / "burr-counting-s0-4.png").write_bytes(b"half")
    made(tmp_path)
    assert files(tmp_path) == files(whole)
    assert len(set(calls)) == len(calls)


def test_a_process_that_dies_is_named_and_what_was_made_stays(tmp_path: Path) -> None:
    with pytest.raises(
        WorkerLost,
        match=r"attempt 5: its worker process ended twice \(exit status 3\); run the command again",
    ):
        made(tmp_path, workers=1, fatal=5)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["attempts"] == 5 and len(summary["levels"]) == 3
    assert not multiprocessing.active_children()


def test_a_folder_is_known_as_the_batchs_before_its_first_level(tmp_path: Path) -> None:
    def nothing_else(level: Level[object]) -> bytes:
        assert {path.name for path in tmp_path.iterdir()} == {"summary.json", TIMINGS}
        return draw(level)

    run_batch(Batch(Counting(), 1, tmp_path), nothing_else, executor=Inline())


def test_progress_is_told_after_every_attempt(tmp_path: Path) -> None:
    told: list[BatchSummary] = []
    run_batch(Batch(Counting(), 3, tmp_path), draw, told.append, Inline())
    assert [summary.attempts for summary in told] == list(range(6))
    assert [len(summary.levels) for summary in told] == [0, 1, 2, 2, 2, 3]


def test_another_batch_does_not_get_mixed_in(whole: Path) -> None:
    before = files(whole)
    with pytest.raises(BatchError, match="made with seed 0; choose another folder"):
        made(whole, count=9, seed=1)
    assert files(whole) == before


def test_levels_of_another_generator_are_not_mixed_in(whole: Path, tmp_path: Path) -> None:
    text = (whole / "summary.json").read_text()
    (tmp_path / "summary.json").write_text(text.replace("burr/counting 1", "burr/counting 0"))
    with pytest.raises(BatchError, match="levels of burr/counting 0, not of burr/counting 1"):
        made(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "luban-batch/1"}', "{"])
def test_a_damaged_summary_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "summary.json").write_text(text)
    with pytest.raises(BatchError, match="no summary of a batch"):
        made(tmp_path)
    assert (tmp_path / "summary.json").read_text() == text


def test_a_summary_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text('{"format": "luban-batch/99"}')
    with pytest.raises(BatchError, match="another version"):
        made(tmp_path)


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BatchError, match="is not empty"):
        made(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(BatchError, match="can't be a folder for levels"):
            made(place)


def test_a_folder_that_can_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        # Nothing is closed to root; what the system would say is said for it.
        monkeypatch.setattr(os, "access", lambda path, mode: False)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(BatchError, match="can't be written"):
            made(tmp_path)
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with open_folder(tmp_path, Counting()), pytest.raises(BatchError, match="another run"):
        made(tmp_path)
    assert made(tmp_path, count=1).attempts == 1


def test_a_summary_is_read_as_it_was_written(whole: Path) -> None:
    with open_folder(whole, Counting()) as summary:
        written = json.dumps(summary.to_document(), indent=1) + "\n"
    assert written == (whole / "summary.json").read_text()


def test_batch_of_an_earlier_version_with_its_times_in_the_summary_goes_on(
    whole: Path, tmp_path: Path
) -> None:
    made(tmp_path, count=2)
    timings = json.loads((tmp_path / TIMINGS).read_text())
    (tmp_path / TIMINGS).unlink()
    summary = json.loads((tmp_path / "summary.json").read_text())
    older = summary | {"timings": {"seconds": 1e6, "attempt_seconds": 2e6}}
    (tmp_path / "summary.json").write_text(json.dumps(older))
    assert made(tmp_path, count=6).seconds > 1e6 > timings["seconds"]
    assert files(tmp_path) == files(whole)


def test_batch_without_its_times_goes_on_and_damaged_times_are_named(tmp_path: Path) -> None:
    made(tmp_path, count=1)
    (tmp_path / TIMINGS).write_text('{"seconds": "x"}')
    with pytest.raises(BatchError, match=r"timings\.json: .*remove it"):
        made(tmp_path, count=2)
    (tmp_path / TIMINGS).unlink()
    assert len(made(tmp_path, count=2).levels) == 2
