"""Disks that are full at the end, files that are replaced, and lines that were cut off."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import luban
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.errors import RecordingError
from bridge.recording.files import append_line, whole_lines, write_whole
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.recording.times import TIMES_FILE
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from pysim.puzzle import Outcome
from tests.recording.plays import full_disk, play_plan
from tests.rpc.playing import plan_of
from tests.sampling import more

CROSS = "burr-chinese-cross"
PLAN = plan_of(CROSS)


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def begun(path: Path, steps: int) -> Episode:
    """An episode of which some steps are made."""
    episode = Episode(find_level(CROSS), create_world("lattice"), listener=EpisodeLog(path))
    for action in PLAN[:steps]:
        episode.step(action)
    return episode


def whole_log(folder: Path) -> bytes:
    begun(folder / "whole.jsonl", len(PLAN)).close()
    return (folder / "whole.jsonl").read_bytes()


@pytest.mark.slow
def test_a_step_that_solves_and_the_end_are_written_together_or_not_at_all(
    tmp_path: Path, log_file: Path
) -> None:
    whole = whole_log(tmp_path)
    before = whole.rindex(b'{"type":"step"')
    for free in range(before, len(whole), 7):
        episode = begun(log_file, len(PLAN) - 1)
        for _ in range(2):
            with full_disk(free), pytest.raises(RecordingError, match=f"can't write {log_file}"):
                episode.step(PLAN[-1])
            assert log_file.read_bytes() == whole[:before]
            assert (episode.outcome, episode.steps) == (None, len(PLAN) - 1)
        result = episode.step(PLAN[-1])
        assert (result.outcome, result.step) == (Outcome.SOLVED, len(PLAN))
        episode.close()
        assert log_file.read_bytes() == whole
        log_file.unlink()


def test_a_refused_step_that_uses_the_budget_up_is_written_with_the_end(log_file: Path) -> None:
    options = Options(budget=1)
    level, log = find_level(CROSS), EpisodeLog(log_file)
    episode = Episode(level, create_world("lattice"), None, options, log)
    size = log_file.stat().st_size
    for _ in range(2):
        with full_disk(size + 300), pytest.raises(RecordingError):
            episode.step_json("fly", "{}")
        assert (log_file.stat().st_size, episode.steps, episode.outcome) == (size, 0, None)
    with pytest.raises(luban.errors.InvalidAction):
        episode.step_json("fly", "{}")
    assert episode.outcome is Outcome.OUT_OF_BUDGET
    assert replay(read_log(log_file)).outcome is Outcome.OUT_OF_BUDGET


def test_an_end_that_can_not_be_written_may_be_tried_again(log_file: Path) -> None:
    episode = begun(log_file, 1)
    size = log_file.stat().st_size
    ways: list[Callable[[], None]] = [episode.give_up, lambda: episode.run_out("time")]
    for end in (*ways, *ways):
        with full_disk(size + 10), pytest.raises(RecordingError):
            end()
        assert (log_file.stat().st_size, episode.outcome) == (size, None)
    episode.step(PLAN[1])
    episode.give_up("tired")
    episode.close()
    ending = read_log(log_file).ending
    assert ending is not None
    assert (ending.outcome, ending.note, ending.steps) == (Outcome.GAVE_UP, "tired", 2)


def test_an_episode_of_the_front_door_can_be_ended_again(log_file: Path) -> None:
    episode = luban.start(CROSS, observation="state", log=log_file)
    with full_disk(log_file.stat().st_size), pytest.raises(RecordingError):
        episode.end()
    assert episode.end().outcome is Outcome.GAVE_UP
    assert read_log(log_file).ending == episode.end()


def test_saving_a_log_on_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "saved.jsonl"
    path.write_text("precious")
    with luban.start(CROSS, observation="state") as episode:
        episode.end()
        with full_disk(100), pytest.raises(OSError, match=r"File too large: .*saved\.jsonl"):
            episode.save_log(path)
        assert (path.read_text(), names(tmp_path)) == ("precious", ["saved.jsonl"])
        episode.save_log(path)
    assert read_log(path).ending is not None


def test_a_file_is_replaced_as_a_whole_or_stays(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    with full_disk(5), pytest.raises(OSError, match=f"File too large: '{path}'"):
        write_whole(path, b"new and long")
    assert (path.read_bytes(), names(tmp_path)) == (b"old", ["file"])
    (tmp_path / ".file.part").write_bytes(b"of a process that was killed, and longer")
    write_whole(path, b"new")
    assert (path.read_bytes(), names(tmp_path)) == (b"new", ["file"])


def test_those_who_write_a_file_at_once_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([65 + n]) * 100_000 for n in range(8)]

    def write(content: bytes) -> None:
        for _ in range(more(12, night=50)):
            write_whole(path, content)
            assert path.read_bytes() in contents

    failed: list[BaseException] = []

    def work(content: bytes) -> None:
        try:
            write(content)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert (path.read_bytes() in contents, names(tmp_path)) == (True, ["file"])


@given(st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"") + b"\n")), st.binary())
def test_a_line_that_was_cut_off_is_gone_when_the_next_one_is_written(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], tail: bytes
) -> None:
    path = tmp_path_factory.mktemp("lines") / "lines"
    path.write_bytes(b"".join(lines) + tail.replace(b"\n", b""))
    assert whole_lines(path, TIMES_FILE) == [line[:-1] for line in lines]
    append_line(path, b"next\n")
    assert path.read_bytes() == b"".join(lines) + b"next\n"


def test_a_line_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    append_line(path, b"one\n")
    with full_disk(6), pytest.raises(OSError, match=f"File too large: '{path}'"):
        append_line(path, b"two\n")
    assert path.read_bytes() == b"one\n"
    append_line(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


@pytest.fixture
def export(tmp_path: Path) -> Callable[[], bytes]:
    """Makes the dataset ``set``, in place of another one; its first file."""
    pytest.importorskip("pyarrow")
    from bridge.recording.dataset.episodes import Recording
    from bridge.recording.dataset.export import export_dataset
    from bridge.recording.dataset.request import DatasetRequest, Format

    play_plan(tmp_path / "log.jsonl", CROSS)
    request = DatasetRequest(Format.PARQUET, obs=Obs.STATE)

    def make() -> bytes:
        recordings = [Recording("log", tmp_path / "log.jsonl")]
        export_dataset(recordings, tmp_path / "set", request, None, force=True)
        assert names(tmp_path) == ["log.jsonl", "set"]
        return (tmp_path / "set" / "steps.parquet").read_bytes()

    return make


def test_what_a_killed_export_left_is_taken_over(
    tmp_path: Path, export: Callable[[], bytes]
) -> None:
    whole = export()
    (tmp_path / ".set.part" / "videos").mkdir(parents=True)
    (tmp_path / ".set.part" / "steps.parquet").write_bytes(b"half")
    assert export() == whole
    assert names(tmp_path / "set") == [
        "dataset.json",
        "episodes.parquet",
        "steps.parquet",
    ]


def test_a_dataset_that_stood_aside_when_its_export_was_killed_is_put_back(
    tmp_path: Path, export: Callable[[], bytes]
) -> None:
    from bridge.recording.dataset.errors import DatasetError
    from bridge.recording.dataset.folder import new_folder

    whole = export()
    (tmp_path / "set").rename(tmp_path / ".set.old")
    with (
        pytest.raises(DatasetError, match=r"set exists; give --force"),
        new_folder(tmp_path / "set", force=False),
    ):
        raise AssertionError("there is a dataset")
    assert (tmp_path / "set" / "steps.parquet").read_bytes() == whole
    assert names(tmp_path) == ["log.jsonl", "set"]
    (tmp_path / ".set.old").mkdir()
    assert export() == whole


def test_two_do_not_make_one_dataset(tmp_path: Path) -> None:
    from bridge.recording.dataset.errors import DatasetError
    from bridge.recording.dataset.folder import new_folder

    with new_folder(tmp_path / "set", force=False) as folder:
        (folder / "mine").touch()
        with (
            pytest.raises(DatasetError, match="another process is making"),
            new_folder(tmp_path / "set", force=False),
        ):
            raise AssertionError("both make it")
        assert names(folder) == ["mine"]
    assert names(tmp_path / "set") == ["mine"]
