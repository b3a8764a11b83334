"""LeRobot's layout, read back with pyarrow, pandas and PyAV."""

import json
from pathlib import Path
from typing import Any

import av
import numpy as np
import pandas
import pyarrow.parquet as parquet
import pytest
from numpy.typing import NDArray

from bridge.episode.records import Obs
from bridge.recording.dataset.cameras import film_moments
from bridge.recording.dataset.episodes import Recording, play_again
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.export import export_dataset
from bridge.recording.dataset.lerobot import LeRobotWriter
from bridge.recording.dataset.request import DatasetRequest, survey
from bridge.recording.log import read_log
from pysim.render.renderer import Renderer
from tests.recording.dataset.likeness import require_likeness

FIRST = "chunk-000/file-000"
STAGE = "observation.images.stage"
SIZE, FPS = 96, 5
STATES = DatasetRequest(obs=Obs.STATE)


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / "meta" / f"{name}.json").read_text())


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet.read_table(folder / f"{name}.parquet").to_pylist()
    return found


def frames(video: Path) -> list[tuple[float, NDArray[np.uint8]]]:
    with av.open(str(video)) as container:
        return [(f.time, f.to_ndarray(format="rgb24")) for f in container.decode(video=0)]


@pytest.fixture(scope="module")
def folder(
    locks: list[Recording], renderer: Renderer, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    out = tmp_path_factory.mktemp("lerobot") / "locks"
    request = DatasetRequest(size=SIZE, fps=FPS, cameras=("stage", "table"))
    export_dataset(locks, out, request, renderer)
    return out


def test_the_files_are_where_lerobot_looks_for_them(folder: Path) -> None:
    found = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    assert found == [
        f"data/{FIRST}.parquet",
        f"meta/episodes/{FIRST}.parquet",
        "meta/info.json",
        "meta/luban.json",
        "meta/stats.json",
        "meta/tasks.parquet",
        f"videos/{STAGE}/{FIRST}.mp4",
        f"videos/observation.images.table/{FIRST}.mp4",
    ]
    info = read(folder, "info")
    place = {"chunk_index": 0, "file_index": 0}
    assert (folder / info["data_path"].format(**place)).exists()
    assert (folder / info["video_path"].format(video_key=STAGE, **place)).exists()


def test_there_is_a_frame_for_each_step_and_one_for_the_end(
    folder: Path, locks: list[Recording]
) -> None:
    logs = [read_log(recording.path) for recording in locks]
    data = rows(folder, f"data/{FIRST}")
    for number, log in enumerate(logs):
        own = [row for row in data if row["episode_index"] == number]
        assert [row["frame_index"] for row in own] == list(range(len(log.steps) + 1))
        assert [row["state_hash"] for row in own] == [
            log.header.state_hash,
            *(step.state_hash for step in log.steps),
        ]
        assert [row["is_last"] for row in own] == [False] * len(log.steps) + [True]
        calls = [json.loads(row["call"]) for row in own[:-1]]
        assert calls == [
            {"name": step.call.name, "arguments": step.call.arguments} for step in log.steps
        ]
        legal = [row["next.legal"] for row in own[:-1]]
        assert legal == [step.reason is None for step in log.steps]
    assert [row["index"] for row in data] == list(range(len(data)))
    info = read(folder, "info")
    assert (info["total_episodes"], info["total_frames"]) == (3, len(data))
    assert info["splits"] == {"train": "0:3"}


def test_time_goes_by_frames(folder: Path) -> None:
    for row in rows(folder, f"data/{FIRST}"):
        assert row["timestamp"] == pytest.approx(row["frame_index"] / FPS, abs=1e-6)


def test_what_belongs_to_a_step_is_padded_at_the_end(folder: Path) -> None:
    data = rows(folder, f"data/{FIRST}")
    for last in (i for i, row in enumerate(data) if row["is_last"] and row["frame_index"]):
        for name in ("action", "call", "next.reward", "next.done", "next.success", "reason"):
            assert data[last][name] == data[last - 1][name]
    assert [row["next.reward"] for row in data if row["is_last"]] == [1, 1, 0]
    assert [row["next.success"] for row in data if row["is_last"]] == [True, True, False]
    assert sum(row["next.done"] and not row["is_last"] for row in data) == 2
    (nothing,) = (row for row in data if row["episode_index"] == 2)
    assert (nothing["call"], nothing["next.done"], any(nothing["action"])) == ("", False, False)


def test_features_say_what_the_columns_are(folder: Path) -> None:
    features = read(folder, "info")["features"]
    schema = parquet.read_schema(folder / f"data/{FIRST}.parquet")
    videos = {key for key, feature in features.items() if feature["dtype"] == "video"}
    assert videos == {STAGE, "observation.images.table"}
    assert set(schema.names) == set(features) - videos
    for field in schema:
        many = field.type.num_fields > 0
        kind = str(field.type.value_type if many else field.type).replace("float", "float32")
        assert features[field.name]["dtype"] == kind
        assert features[field.name]["shape"] == [field.type.list_size if many else 1]
    for key in ("observation.state", "action"):
        assert [len(features[key]["names"])] == features[key]["shape"]
    assert features[STAGE]["shape"] == [SIZE, SIZE, 3]
    assert not any("/" in key for key in features)


def test_smaller_locks_are_padded_with_bodies_that_are_not_there(folder: Path) -> None:
    names = read(folder, "info")["features"]["observation.state"]["names"]
    first = rows(folder, f"data/{FIRST}")[0]["observation.state"]
    present = [v for name, v in zip(names, first, strict=True) if name.endswith(".present")]
    assert present == [1, 1, 1, 0, 0, 0]


@pytest.mark.slow
def test_episodes_say_where_they_lie_in_the_data_and_in_the_videos(
    folder: Path, locks: list[Recording], renderer: Renderer
) -> None:
    video = frames(folder / f"videos/{STAGE}/{FIRST}.mp4")
    assert len(video) == read(folder, "info")["total_frames"]
    for recording, row in zip(locks, rows(folder, f"meta/episodes/{FIRST}"), strict=True):
        moments = play_again(recording)
        start, end = row["dataset_from_index"], row["dataset_to_index"]
        assert end - start == row["length"] == len(moments.scenes)
        assert row[f"videos/{STAGE}/from_timestamp"] == pytest.approx(start / FPS)
        assert row[f"videos/{STAGE}/to_timestamp"] == pytest.approx(end / FPS)
        assert (row["luban/recording"], row["luban/solved"]) == (recording.name, moments.solved)
        assert row["tasks"] == [moments.task]
        drawn = film_moments(renderer, moments.scenes, ["stage"], SIZE)
        times, found = zip(*video[start:end], strict=True)
        assert times == pytest.approx([number / FPS for number in range(start, end)])
        require_likeness(found, [pictures["stage"] for pictures in drawn])


def test_tasks_are_read_by_pandas_as_lerobot_reads_them(folder: Path) -> None:
    tasks = pandas.read_parquet(folder / "meta/tasks.parquet")
    episodes = rows(folder, f"meta/episodes/{FIRST}")
    assert list(tasks.columns) == ["task_index"]
    for row in rows(folder, f"data/{FIRST}"):
        task = tasks.iloc[row["task_index"]].name
        assert episodes[row["episode_index"]]["tasks"] == [task]
        assert tasks.loc[task].task_index == row["task_index"]


def test_statistics_are_those_of_the_columns_and_pictures(folder: Path) -> None:
    stats = read(folder, "stats")
    data = parquet.read_table(folder / f"data/{FIRST}.parquet")
    assert set(stats) == {
        key for key, f in read(folder, "info")["features"].items() if f["dtype"] != "string"
    }
    states = np.array(data["observation.state"].to_pylist())
    assert stats["observation.state"]["mean"] == pytest.approx(states.mean(axis=0))
    assert stats["action"]["count"] == [len(data)]
    pixels = np.stack([f for _, f in frames(folder / f"videos/{STAGE}/{FIRST}.mp4")]) / 255
    assert np.ravel(stats[STAGE]["mean"]) == pytest.approx(pixels.mean(axis=(0, 1, 2)), abs=0.01)
    for row in rows(folder, f"meta/episodes/{FIRST}"):
        own = states[row["dataset_from_index"] : row["dataset_to_index"]]
        assert row["stats/observation.state/max"] == pytest.approx(own.max(axis=0))
        assert np.shape(row[f"stats/{STAGE}/std"]) == (3, 1, 1)


def test_the_same_logs_give_the_same_bytes(locks: list[Recording], tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_dataset(locks, tmp_path / name, STATES, None)
    files = [p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*.*")]
    assert len(files) == 6
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_without_pictures_there_are_no_videos(locks: list[Recording], tmp_path: Path) -> None:
    export_dataset(locks, tmp_path / "out", STATES, None)
    info = read(tmp_path / "out", "info")
    assert info["video_path"] is None
    assert "observation.state" in info["features"]
    assert not (tmp_path / "out/videos").exists()


def test_without_states_there_are_none(
    locks: list[Recording], tmp_path: Path, renderer: Renderer
) -> None:
    request = DatasetRequest(obs=Obs.IMAGE, size=32)
    export_dataset(locks[2:], tmp_path / "out", request, renderer)
    info = read(tmp_path / "out", "info")
    assert "observation.state" not in info["features"]
    assert STAGE in info["features"]


def test_full_files_are_followed_by_new_ones(
    locks: list[Recording], tmp_path: Path, renderer: Renderer
) -> None:
    request = DatasetRequest(size=32, fps=FPS)
    contents = survey(locks, request)
    writer = LeRobotWriter(tmp_path, request, contents, data_mb=1e-6, video_mb=1e-6)
    for recording in locks:
        moments = play_again(recording)
        writer.add(moments, film_moments(renderer, moments.scenes, ["stage"], 32))
    writer.finish()
    for row in rows(tmp_path, f"meta/episodes/{FIRST}"):
        number = row["episode_index"]
        assert row["data/file_index"] == row[f"videos/{STAGE}/file_index"] == number
        assert row[f"videos/{STAGE}/from_timestamp"] == 0
        file = f"chunk-000/file-{number:03d}"
        assert len(rows(tmp_path, f"data/{file}")) == row["length"]
        assert len(frames(tmp_path / f"videos/{STAGE}/{file}.mp4")) == row["length"]


def test_a_dataset_of_several_families_is_refused(
    locks: list[Recording], others: list[Recording], tmp_path: Path
) -> None:
    words = r"one family.* burr, packing; .*--family burr, .*--format parquet"
    with pytest.raises(DatasetError, match=words):
        export_dataset([*locks, others[0]], tmp_path / "out", STATES, None)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [0, 1])
def test_every_family_has_its_dataset(others: list[Recording], number: int, tmp_path: Path) -> None:
    export_dataset(others[number : number + 1], tmp_path / "out", STATES, None)
    last = rows(tmp_path / "out", f"data/{FIRST}")[-1]
    assert last["next.done"] == (number == 0)
    assert last["next.legal"]
