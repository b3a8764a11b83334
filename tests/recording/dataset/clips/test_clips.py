"""Datasets of clips: as asked for, the same again, resumed, and true but for what is labelled."""

import io
import json
import signal
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from bridge.jobs.processes import Processes
from bridge.recording.dataset.clips.making import make_clip
from bridge.recording.dataset.clips.recipe import recipe_of
from bridge.recording.dataset.clips.request import ClipsRequest
from bridge.recording.dataset.clips.shards import ABOUT, make_clips, shard_name
from bridge.recording.dataset.errors import DatasetError
from bridge.referee.films import find_deepest_overlap
from pysim.catalog import find_level
from pysim.render.pinhole import Pinhole
from pysim.render.renderer import Renderer
from tests.recording.plays import full_disk

LEVELS = ("burr-piston", "packing-easy-01", "jigsaw-easy-1")
REQUEST = ClipsRequest(
    6, LEVELS, seed=3, size=(96, 64), fps=12, seconds=1.0, blurred=0.3, forged=0.5, shard=2
)


def archive(files: dict[str, bytes], ending: str) -> dict[str, Any]:
    return dict(np.load(io.BytesIO(files[ending])))


def cells_of(level: str, names: list[str]) -> dict[str, Any]:
    from pysim.catalog import find_family

    found = find_level(level)
    rules = find_family(found).rules
    bodies = rules.scene(found, rules.initial(found)).bodies
    return {body.name: np.array(body.shape.cells, float) for body in bodies if body.name in names}


@pytest.mark.slow
def test_the_files_of_a_clip_are_of_one_film(renderer: Renderer, tmp_path: Path) -> None:
    for number in range(3):
        files = dict(make_clip(REQUEST, number, renderer))
        about = json.loads(files["json"])
        (tmp_path / "clip.mp4").write_bytes(files["mp4"])
        with av.open(str(tmp_path / "clip.mp4")) as container:
            frames = sum(1 for _ in container.decode(video=0))
        ids, poses = archive(files, "ids.npz"), archive(files, "poses.npz")
        assert frames == about["frames"] == len(ids) == len(poses["poses"])
        assert poses["names"].tolist() == about["bodies"]
        assert set(about["palette"]) == set(about["bodies"])
        assert ids["000000"].shape == (64, 96)
        camera = Pinhole(np.array(about["intrinsics"]), np.array(about["extrinsics"]), 96, 64)
        middles = camera.project(poses["poses"][0, :, :3, 3])
        assert (middles[:, 2] > 0.0).all()
        assert set(np.unique(ids["000000"])) <= set(range(len(about["bodies"]) + 1))


def test_a_clip_is_the_same_whenever_it_is_made(renderer: Renderer) -> None:
    one, other = (make_clip(REQUEST, 4, renderer) for _ in range(2))
    assert {k: v for k, v in one.items() if k != "mp4"} == {
        k: v for k, v in other.items() if k != "mp4"
    }


@pytest.mark.slow
def test_a_clip_without_a_label_shows_only_what_is_possible(renderer: Renderer) -> None:
    kinds = set()
    for number in range(REQUEST.count):
        files = dict(make_clip(REQUEST, number, renderer))
        about, poses = json.loads(files["json"]), archive(files, "poses.npz")
        kinds.add(bool(about["violations"]))
        if not about["violations"]:
            cells = cells_of(about["level"], about["bodies"])
            film = [dict(zip(about["bodies"], frame, strict=True)) for frame in poses["poses"]]
            assert find_deepest_overlap(cells, film, 0.02) is None
    assert kinds == {True, False}


def test_chance_is_fair_to_families_and_looks() -> None:
    wide = ClipsRequest(400, (*LEVELS, "burr-half-lap", "burr-three-bars"), forged=0.25)
    recipes = [recipe_of(wide, number) for number in range(wide.count)]
    families = Counter(recipe.level.family for recipe in recipes)
    assert len(families) == 3 and min(families.values()) > 90
    finishes = Counter(recipe.scenery.finish for recipe in recipes)
    assert len(finishes) == 3 and min(finishes.values()) > 90
    assert 60 < sum(recipe.forged for recipe in recipes) < 140
    assert len({recipe.direction for recipe in recipes}) == wide.count


def test_shards_are_resumed_and_hold_every_clip_once(tmp_path: Path) -> None:
    out = tmp_path / "clips"
    assert make_clips(REQUEST, out).clips == 6
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    (out / shard_name(1)).unlink()
    again = make_clips(REQUEST, out, executor=Processes(2))
    assert (again.clips, again.resumed) == (6, 4)
    assert sorted(path.name for path in out.iterdir()) == sorted(before)
    found = []
    for shard in range(3):
        with tarfile.open(out / shard_name(shard)) as tar:
            names = [name.partition(".") for name in tar.getnames()]
        keys = [key for key, _, _ in names]
        assert keys == sorted(keys)  # WebDataset wants the files of a sample side by side.
        found += list(dict.fromkeys(keys))
    assert found == [f"{number:06d}" for number in range(6)]


def test_a_folder_of_other_clips_or_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ABOUT).write_text("{}")
    with pytest.raises(DatasetError, match="other options"):
        make_clips(REQUEST, tmp_path)
    (tmp_path / ABOUT).rename(tmp_path / "mine")
    with pytest.raises(DatasetError, match="holds no clips"):
        make_clips(REQUEST, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_full_disk_leaves_no_half_of_a_shard(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with full_disk(30_000), pytest.raises(OSError):
            make_clips(REQUEST, tmp_path / "clips")
    finally:
        signal.signal(signal.SIGXFSZ, before)
    assert [path.name for path in (tmp_path / "clips").iterdir()] == [ABOUT]


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": 0},
        {"seconds": 0.0},
        {"forged": 1.5},
        {"shard": 0},
        {"levels": ()},
        {"fps": 0},
        {"size": (63, 48)},
    ],
)
def test_what_can_not_be_made_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(DatasetError):
        ClipsRequest(**{"count": 1, "levels": LEVELS, **wrong})
