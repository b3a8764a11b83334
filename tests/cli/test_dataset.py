"""``luban dataset``."""

import json
from pathlib import Path

import pytest

from bridge.runs.store import RunFolder
from tests.commands import Luban, call
from tests.recording.plays import play_plan, start


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two attempts at two locks, of which one episode was not finished."""
    options = [
        "--k",
        2,
        "--workers",
        1,
        "--observation",
        "state",
        "--out",
        tmp_path / "runs/two",
        "--json",
    ]
    call("eval", "burr-half-lap,burr-three-bars", *options)
    log = tmp_path / "runs/two/episodes/burr-half-lap/2/episode.jsonl"
    log.write_bytes(log.read_bytes().rpartition(b'{"type":"end"')[0])
    return tmp_path / "runs/two"


@pytest.mark.slow
def test_a_dataset_is_made_of_the_finished_episodes_of_runs_and_of_logs(
    luban: Luban, tmp_path: Path, run: Path
) -> None:
    play_plan(tmp_path / "piston.jsonl", "burr-piston")
    start(tmp_path / "open.jsonl", "burr-piston").give_up()
    command = [
        "dataset",
        "runs/two",
        "piston.jsonl",
        "open.jsonl",
        "--out",
        "out",
        "--image-size",
        "32",
    ]
    told = luban(*command, "--solved", "--camera", "stage", "--camera=-x+y+z", "--json").json()
    steps = [r.steps for r in RunFolder.read(run).read_results()]
    assert told.pop("bytes") == sum(
        p.stat().st_size for p in (tmp_path / "out").rglob("*") if p.is_file()
    )
    assert told == {
        "out": "out",
        "format": "lerobot",
        "families": ["burr"],
        "episodes": 4,
        "frames": sum(steps) + 3 + 15 + 1,
        "left_out": 1,
    }
    info = json.loads((tmp_path / "out/meta/info.json").read_text())
    assert "observation.images.-x+y+z" in info["features"]
    assert str(tmp_path) not in (tmp_path / "out/meta/luban.json").read_text()
    assert "out exists; give --force" in luban(*command).complaint()
    plain = luban(
        "dataset", "runs/two", "--format", "parquet", "--observation", "state", "--out", "p"
    )
    assert (plain.status, plain.out) == (0, f"3 episodes, {sum(steps) + 3} frames: p\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere: No such file"),
        (["runs"], "neither a log nor the folder of a run"),
        (["runs/two/run.json"], "run.json, line 1: "),
        (["runs/two", "--format", "csv"], "no format 'csv'; there are lerobot, parquet"),
        (["runs/two", "--observation", "sound"], "observation is one of"),
        (["runs/two", "--camera", "moon"], "no camera 'moon'"),
        (["runs/two", "--image-size", "33"], "an even number"),
        (["runs/two", "--fps", "0"], "1 to 240"),
    ],
)
def test_what_can_not_be_made_into_a_dataset_is_said(
    luban: Luban, tmp_path: Path, run: Path, arguments: list[str], words: str
) -> None:
    assert words in luban("dataset", *arguments, "--out", "out").complaint()
    assert not (tmp_path / "out").exists()


def test_the_folder_of_an_episode_will_do(luban: Luban, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    play_plan(tmp_path / "mine/episode.jsonl", "burr-half-lap")
    result = luban("dataset", "mine", "--observation", "state", "--out", "out", "--json")
    assert result.json()["episodes"] == 1


def test_a_run_of_two_families_gives_a_dataset_of_each(luban: Luban, tmp_path: Path) -> None:
    levels = "burr-three-bars,packing-soma"
    luban(
        "eval", levels, "--observation", "state", "--video", "none", "--out", "run", "--json"
    ).json()
    made = ("dataset", "run", "--observation", "state", "--json", "--out")
    assert "--family burr" in luban(*made, "both").complaint()
    for family in ("burr", "packing"):
        told = luban(*made, family, "--family", family).json()
        assert (told["families"], told["episodes"]) == ([family], 1)
    complaint = luban(*made, "none", "--family", "chess").complaint()
    assert "no episode of the family 'chess'; known: burr, packing" in complaint
    assert not (tmp_path / "none").exists()
