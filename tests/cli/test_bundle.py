"""``luban bundle``."""

import json
import shutil
from pathlib import Path

import pytest

from bridge.video.reference.bundle import read_bundle
from tests.commands import Luban
from tests.needs import needs_pybullet
from tests.recording.plays import full_disk

SMALL = ("--film-size", "64x48", "--fps", "6", "--first-steps", "1")


@pytest.mark.slow
def test_bundles_are_made_once_and_resumed(luban: Luban, tmp_path: Path) -> None:
    one = luban("bundle", "burr-half-lap", *SMALL, "--out", "b", "--json").json()
    assert (one["bundles"], one["made"], one["left_out"]) == (["burr-half-lap"], 1, [])
    assert one["frames"] == read_bundle(tmp_path / "b/burr-half-lap").manifest.frames
    manifest = (tmp_path / "b/burr-half-lap/manifest.json").read_bytes()
    both = luban("bundle", "burr-half-lap", "packing-easy-01", *SMALL, "--out", "b")
    assert both.status == 0 and both.out.startswith("1 bundles (1 were there), ")
    assert (tmp_path / "b/burr-half-lap/manifest.json").read_bytes() == manifest
    assert read_bundle(tmp_path / "b/packing-easy-01").level.id == "packing-easy-01"
    other = luban("bundle", "burr-half-lap", "--film-size", "64x64", "--out", "b")
    assert "made with other options" in other.complaint()


@pytest.mark.slow
def test_a_level_file_can_be_filmed(luban: Luban, tmp_path: Path) -> None:
    from pysim.catalog import list_level_paths

    path = next(path for path in list_level_paths() if path.stem == "burr-half-lap")
    shutil.copy(path, tmp_path / "mine.json")
    assert luban("bundle", "mine.json", *SMALL, "--out", "b", "--json").json()["made"] == 1


def test_clips_are_made_of_what_was_asked_for(luban: Luban, tmp_path: Path) -> None:
    command = (
        "dataset",
        "packing-easy-01",
        "--format",
        "clips",
        "--count",
        3,
        "--shard",
        2,
        "--film-size",
        "64x48",
    )
    options = ("--seconds", 0.5, "--fps", 8, "--look", "wood", "--out", "clips")
    told = luban(*command, *options, "--json").json()
    assert told == {"out": "clips", "clips": 3, "shards": 2, "resumed": 0}
    about = json.loads((tmp_path / "clips/dataset.json").read_text())
    assert (about["count"], about["finishes"], about["size"]) == (3, ["wood"], [64, 48])
    again = luban(*command, *options)
    assert again.out == "3 clips (3 were there) in 2 shards: clips\n"
    other = luban(*command, *options, "--seed", 1)
    assert "other options" in other.complaint()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("burr-hlf-lap",), "did you mean burr-half-lap"),
        (("burr-half-lap", "--film-size", "63x48"), "two even numbers"),
        (("burr-half-lap", "--film-size", "big"), "two even numbers"),
        (("burr-half-lap", "--look", "glass"), "no look"),
        (("burr-half-lap", "--fps", "999"), "1 to 240"),
        (("burr-half-lap", "--fps", "0"), "6 frames a second or more"),
        (("burr-half-lap", "--fps", "5"), "6 frames a second or more"),
        (("burr-half-lap", "--speed", "0"), "0.01 to 100"),
    ],
)
def test_what_can_not_be_made_is_said(
    luban: Luban, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    assert words in luban("bundle", *arguments, "--out", "b").complaint()
    assert not list(tmp_path.glob("b/*"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seconds", "0"), "0.5 to 60"),
        (("--blur", "2"), "0 to 1"),
        (("--film-size", "63x48"), "two even numbers"),
        (("--look", "glass"), "no look"),
        (("--renderer", "fast"), "no renderer"),
    ],
)
def test_dataset_of_clips_with_a_bad_option_is_refused(
    luban: Luban, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    command = ("dataset", "burr-half-lap", "--format", "clips", "--count", 2, "--out", "b")
    assert words in luban(*command, *arguments).complaint()
    assert not list(tmp_path.glob("b/*"))


@needs_pybullet
@pytest.mark.parametrize(
    "more", [("bundle", "--look", "wood"), ("dataset", "--format", "clips", "--count", "2")]
)
def test_a_renderer_without_looks_says_so(
    luban: Luban, tmp_path: Path, more: tuple[str, ...]
) -> None:
    command = (*more, "burr-half-lap", "--renderer", "tiny", "--out", "b")
    assert "tiny has no finishes" in luban(*command).complaint()
    assert not list(tmp_path.glob("b/*"))


def test_a_place_that_is_taken_or_a_full_disk_leaves_nothing_half_written(
    luban: Luban, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("a file is no folder")
    assert "file" in luban("bundle", "burr-half-lap", *SMALL, "--out", "file").complaint()
    (tmp_path / "b/burr-half-lap").mkdir(parents=True)
    taken = luban("bundle", "burr-half-lap", *SMALL, "--out", "b")
    assert "in the way" in taken.complaint()
    with full_disk(6_000):
        assert "b/" in luban("bundle", "burr-piston", *SMALL, "--out", "b").complaint()
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["burr-half-lap"]


@pytest.mark.slow
def test_film_of_too_few_pixels_is_made_and_a_notice_says_so(luban: Luban) -> None:
    made = luban("bundle", "burr-half-lap", *SMALL, "--out", "b")
    assert made.status == 0
    assert "pixels to a unit, and videos with fewer than 10 can't be scored" in made.err
