"""The plain layout, and what may go wrong with any dataset."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import pyarrow.parquet as parquet
import pytest

from bridge.episode.episode import state_hash
from bridge.episode.records import Obs
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.recording.dataset.cameras import camera_names, film_moments
from bridge.recording.dataset.episodes import Recording, play_again
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.export import export_dataset
from bridge.recording.dataset.request import DatasetRequest, Format
from bridge.recording.errors import LogError, RecordingError
from bridge.recording.log import read_log
from pysim.catalog import decode_level, find_family
from pysim.errors import MissingPackage
from pysim.geometry import Rotation
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from tests.needs import needs_pybullet
from tests.recording.dataset.likeness import require_likeness
from tests.recording.plays import NONSENSE, attempt, full_disk, play_plan, start, unwritable

PLAIN = DatasetRequest(Format.PARQUET, size=64, fps=3)
STATES = replace(PLAIN, obs=Obs.STATE)
FORMATS = pytest.mark.parametrize("format", list(Format))


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet.read_table(folder / f"{name}.parquet").to_pylist()
    return found


@pytest.mark.slow
def test_a_plain_dataset_holds_any_families_and_a_video_for_each_episode(
    locks: list[Recording], others: list[Recording], tmp_path: Path, renderer: Renderer
) -> None:
    recordings = [locks[0], *others]
    request = replace(PLAIN, cameras=("+x-y+z", "table"))
    done = export_dataset(recordings, tmp_path / "out", request, renderer)
    assert (done.episodes, done.families) == (3, ("burr", "packing", "rubik"))
    steps, episodes = table(tmp_path / "out", "steps"), table(tmp_path / "out", "episodes")
    for recording, row in zip(recordings, episodes, strict=True):
        log, moments = read_log(recording.path), play_again(recording)
        own = steps[row["from_index"] : row["to_index"]]
        assert [step["episode_index"] for step in own] == [row["episode_index"]] * len(own)
        assert len(own) == row["steps"] + 1 == len(log.steps) + 1
        assert [s["state_hash"] for s in own[1:]] == [step.state_hash for step in log.steps]
        assert (row["recording"], row["level"]) == (recording.name, log.header.level.id)
        assert row["outcome"] == (None if log.ending is None else log.ending.outcome.value)
        for camera in ("+x-y+z", "table"):
            drawn = film_moments(renderer, moments.scenes, [camera], 64)
            with av.open(str(tmp_path / "out" / row[f"video/{camera}"])) as video:
                seen = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
            require_likeness(seen, [pictures[camera] for pictures in drawn])
    about = json.loads((tmp_path / "out/dataset.json").read_text())
    assert (about["format"], about["frames"], about["fps"]) == ("luban-dataset/1", len(steps), 3)


def test_a_plain_dataset_is_enough_to_play_its_episodes_again(
    locks: list[Recording], tmp_path: Path
) -> None:
    export_dataset(locks[:2], tmp_path / "out", STATES, None)
    steps = table(tmp_path / "out", "steps")
    for row in table(tmp_path / "out", "episodes"):
        level = decode_level(json.loads(row["level_document"]))
        rules, state = find_family(level).rules, find_family(level).rules.initial(level)
        space = ActionSpace(find_family(level).actions, level.colours)
        for step in steps[row["from_index"] : row["to_index"]]:
            assert step["state_hash"] == state_hash(level, state)
            bodies = {body.name: body.pose for body in rules.scene(level, state).bodies}
            for body in step["bodies"]:
                pose = bodies[body["name"]]
                assert (body["x"], body["y"], body["z"]) == pose.offset
                assert Rotation.parse(body["rotation"]) == pose.rotation
            if step["next.legal"] and not step["is_last"]:
                call = json.loads(step["call"])
                action = space.parse(ToolCall(call["name"], call["arguments"]))
                state = rules.apply(level, state, action).state


def forged(log: bytes) -> bytes:
    """A log whose first step leads elsewhere."""
    lines = log.splitlines(keepends=True)
    step = {**json.loads(lines[2]), "state_hash": "0" * 64}
    return b"".join([*lines[:2], json.dumps(step).encode() + b"\n", *lines[3:]])


@FORMATS
@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (lambda log: log[:-300] + b"}\n{\n", LogError, ", line "),
        (forged, DatasetError, ": step 1: the log says state_hash"),
        (lambda log: b"", LogError, ", line 1: "),
    ],
)
def test_a_log_that_is_no_good_is_named_and_nothing_is_left(
    format: Format,
    spoil: Callable[[bytes], bytes],
    error: type[ValueError],
    words: str,
    locks: list[Recording],
    tmp_path: Path,
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(spoil(locks[0].path.read_bytes()))
    request = replace(STATES, format=format)
    with pytest.raises(error, match=f"{bad}{words}"):
        export_dataset([locks[1], Recording("b", bad)], tmp_path / "out", request, None)
    assert list(tmp_path.iterdir()) == [bad]


@FORMATS
def test_a_full_disk_is_said_and_nothing_is_left(
    format: Format, locks: list[Recording], tmp_path: Path, renderer: Renderer
) -> None:
    request = DatasetRequest(format, size=128)
    for free in (100, 20_000):
        with full_disk(free), pytest.raises(RecordingError, match="can't write"):
            export_dataset(locks, tmp_path / "out", request, renderer)
        assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said(locks: list[Recording], tmp_path: Path) -> None:
    for folder in unwritable(tmp_path)[1:]:
        with pytest.raises(RecordingError, match="can't make"):
            export_dataset(locks, folder / "out", STATES, None)


@FORMATS
def test_an_interrupt_leaves_nothing(
    format: Format, locks: list[Recording], tmp_path: Path, renderer: Renderer
) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_dataset(
            locks, tmp_path / "out", replace(PLAIN, format=format), renderer, progress=interrupt
        )
    assert list(tmp_path.iterdir()) == []


@FORMATS
def test_a_dataset_is_replaced_only_if_that_is_asked_for(
    format: Format, locks: list[Recording], tmp_path: Path
) -> None:
    request, out = replace(STATES, format=format), tmp_path / "deep" / "out"
    export_dataset(locks, out, request, None)
    with pytest.raises(DatasetError, match="exists; give --force"):
        export_dataset(locks[:1], out, request, None)
    with pytest.raises(DatasetError, match="no log"):
        export_dataset([], out, request, None, force=True)
    before = {file: file.read_bytes() for file in out.rglob("*.*")}
    export_dataset(locks[:1], out, request, None, force=True)
    assert {file: file.read_bytes() for file in out.rglob("*.*")} != before
    assert list(out.parent.iterdir()) == [out]


def test_other_folders_are_never_replaced(locks: list[Recording], tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/me.png").write_text("me")
    for name in ("photos", "photos/me.png"):
        with pytest.raises(DatasetError, match="holds no dataset"):
            export_dataset(locks, tmp_path / name, STATES, None, force=True)
    assert (tmp_path / "photos/me.png").read_text() == "me"


def test_episodes_that_were_not_solved_can_be_left_out(
    locks: list[Recording], others: list[Recording], tmp_path: Path
) -> None:
    request = replace(STATES, only_solved=True)
    done = export_dataset([*locks, *others], tmp_path / "out", request, None)
    assert done.episodes == 3
    with pytest.raises(DatasetError, match="none of these episodes was solved"):
        export_dataset(locks[2:], tmp_path / "none", request, None)


@FORMATS
def test_whatever_an_agent_wrote_is_kept(format: Format, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    episode = start(path, "burr-piston")
    for call in NONSENSE:
        attempt(episode, call)
    episode.give_up("\ud83e")
    export_dataset(
        [Recording("\ud83e", path)], tmp_path / "out", replace(STATES, format=format), None
    )
    name = "steps" if format is Format.PARQUET else "data/chunk-000/file-000"
    rows = table(tmp_path / "out", name)
    assert not any(row["next.legal"] for row in rows)
    written = [json.loads(row["call"])["name"] for row in rows[:-1]]
    assert written == [call.name for call in NONSENSE]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"fps": 0}, "1 to 240 moments"),
        ({"fps": 241}, "1 to 240 moments"),
        ({"size": 15}, "16 to 2048 pixels"),
        ({"size": 65}, "an even number, not 65"),
        ({"cameras": ()}, "needs a camera"),
    ],
)
def test_what_can_not_be_asked_for_is_said(values: dict[str, Any], words: str) -> None:
    with pytest.raises(DatasetError, match=words):
        DatasetRequest(**values)


def test_pictures_need_a_renderer(locks: list[Recording], tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="need a renderer"):
        export_dataset(locks, tmp_path / "out", PLAIN, None)


@pytest.mark.parametrize(
    ("cameras", "words"),
    [
        (("stage", "moon"), r"no camera 'moon'; there are stage, \+x-y\+z, .*, table$"),
        (("stage", "stage"), "named twice"),
        (("face",), "no camera 'face'"),
    ],
)
def test_cameras_that_no_level_has_are_said(
    cameras: tuple[str, ...],
    words: str,
    locks: list[Recording],
    tmp_path: Path,
    renderer: Renderer,
) -> None:
    with pytest.raises(DatasetError, match=words):
        export_dataset(locks, tmp_path / "out", replace(PLAIN, cameras=cameras), renderer)
    assert not list(tmp_path.iterdir())


def test_what_agents_see_of_a_cube_can_be_filmed(tmp_path: Path, renderer: Renderer) -> None:
    play_plan(tmp_path / "cube.jsonl", "cubebench-d02-1-face-view")
    moments = play_again(Recording("cube", tmp_path / "cube.jsonl"))
    assert camera_names(moments.scenes[0])[-1] == "face"
    drawn = [p["face"] for p in film_moments(renderer, moments.scenes, ["face"], 64)]
    for scene, picture in zip(moments.scenes, drawn, strict=True):
        (seen,) = observe(renderer, scene, 64)
        assert (picture == seen.rgb).all()
    assert (drawn[0] != drawn[-1]).any()


def test_without_pyarrow_the_extra_is_named(
    locks: list[Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"pip install 'luban\[dataset\]'"):
        export_dataset(locks, tmp_path / "out", STATES, None)


@needs_pybullet
def test_the_world_of_a_recording_changes_nothing_but_its_name(tmp_path: Path) -> None:
    for world in ("lattice", "bullet"):
        play_plan(tmp_path / f"{world}.jsonl", "packing-easy-01", world, seed=3)
        recording = Recording("box", tmp_path / f"{world}.jsonl")
        export_dataset([recording], tmp_path / world, STATES, None)
    assert table(tmp_path / "lattice", "steps") == table(tmp_path / "bullet", "steps")
    one, other = (table(tmp_path / world, "episodes")[0] for world in ("lattice", "bullet"))
    assert {name for name in one if one[name] != other[name]} == {"world"}
