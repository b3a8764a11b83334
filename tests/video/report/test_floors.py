"""Floors: what any program can make of a film ranks below everything that a model does."""

import csv
import json
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.report.floors import FloorKind, write_floor
from tests.commands import Luban

FPS = 6


def read(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def write(path: Path, frames: list[np.ndarray], fps: int = FPS) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt, stream.options = "yuv420p", {"crf": "20"}
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        container.mux(stream.encode())


def make_bundles(luban: Luban) -> list[Bundle]:
    small = ("--film-size", "128x112", "--fps", FPS, "--first-steps", 2)
    assert luban("bundle", "burr-piston", "burr-piston-key", *small, "--out", "bundles").status == 0
    return [read_bundle(path) for path in sorted(Path("bundles").iterdir())]


@pytest.mark.slow
def test_floors_are_as_long_as_the_film_and_show_what_they_say(luban: Luban) -> None:
    bundle = make_bundles(luban)[0]
    film, made = list(bundle.frames()), {}
    for kind in FloorKind:
        write_floor(bundle, kind, Path(f"{kind}.mp4"))
        made[kind] = read(Path(f"{kind}.mp4"))
        assert len(made[kind]) == len(film)

    # Compression changes colours a little, so it is asked which picture is nearest.
    ends = [film[0], *(film[step.last_frame] for step in bundle.manifest.steps)]
    mixed = (film[0].astype(float) + film[-1]) / 2.0
    known = [*ends, mixed]

    def find_nearest(frame: np.ndarray) -> int:
        return int(np.argmin([np.abs(frame - one.astype(float)).mean() for one in known]))

    middle, last = len(film) // 2, len(known) - 1
    assert {find_nearest(frame) for frame in made[FloorKind.STILL]} == {0}
    fade = [find_nearest(made[FloorKind.FADE][k]) for k in (0, middle, -1)]
    assert fade == [0, last, len(ends) - 1]
    slides = [find_nearest(frame) for frame in made[FloorKind.SLIDES]]
    assert slides == sorted(slides) and set(slides) == set(range(len(ends)))
    assert max(slides.count(k) for k in set(slides)) - slides.count(0) <= 1
    true = made[FloorKind.TRUE]
    assert all(np.abs(a - b.astype(float)).mean() < 8.0 for a, b in zip(true, film, strict=True))


def test_one_command_ranks_models_over_bundles_and_resumes(luban: Luban) -> None:
    bundles = make_bundles(luban)
    for bundle in bundles:
        film, level = list(bundle.frames()), bundle.manifest.level
        half = bundle.manifest.steps[0].last_frame + 1
        write(Path(f"models/true/{level}.mp4"), film)
        write(Path(f"models/half/{level}/0.mp4"), film[:half] + [film[half]] * (len(film) - half))
        write(Path(f"models/still/seed-0/{level}.mp4"), [film[0]] * len(film))
    first = bundles[0].manifest.level
    write(Path(f"models/lazy/{first}.mp4"), list(bundles[0].frames()))
    write(Path(f"models/lazy/{first}-2.mp4"), [np.zeros((96, 128, 3), np.uint8)] * 6)
    argv = ["score-video", "bundles", *sorted(map(str, Path("models").iterdir()))]
    argv += ["--out", "out", "--workers", "1", "--json"]
    done = luban(*argv)
    told = done.json()
    assert "lazy has no video of burr-piston-key; each counts as the worst" in done.err
    ranks = {row["model"]: row["rank"] for row in told["models"]}
    assert ranks == {"true": 1, "half": 2, "lazy": 3, "still": 4}
    rows = {row["model"]: row for row in told["models"] + told["floors"]}
    assert rows["true"]["score"]["value"] > 0.9
    assert rows["half"]["task"]["value"] == pytest.approx(0.5)
    # One of two seeds of one of two levels.
    assert rows["lazy"]["physics"]["value"] == pytest.approx(0.25, abs=0.01)
    assert rows["lazy"]["unscorable"] == 2
    assert rows["still"]["task"]["value"] == 0.0 and rows["still"]["physics"]["value"] == 1.0
    assert rows["true-film"]["score"]["value"] > 0.9
    for floor in ("still-picture", "cross-fade", "slideshow"):
        assert rows[floor]["score"]["value"] == 0.0 and rows[floor]["rank"] is None
    assert [row["level"] for row in told["levels"]] == ["burr-piston", "burr-piston-key"]
    assert {(row["model"], row["level"]) for row in told["unscorable"]} == {
        ("lazy", "burr-piston"),
        ("lazy", "burr-piston-key"),
    }
    table = list(csv.DictReader(Path("out/videos.csv").read_text().splitlines()))
    assert len(table) == 3 * 2 + 3 and sum(bool(row["unscorable_because"]) for row in table) == 2
    page = Path("out/index.html").read_text()
    assert "true/burr-piston.mp4" in page and "there is no video of burr-piston-key" in page
    kept = stamp(Path("out"))
    assert luban(*argv).json() == told
    assert stamp(Path("out")) == kept


def stamp(out: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in out.rglob("score.json")}


def test_command_without_a_video_that_can_be_scored_exits_with_3(luban: Luban) -> None:
    make_bundles(luban)
    write(Path("veo/burr-piston.mp4"), [np.zeros((96, 128, 3), np.uint8)] * 6)
    whole = Path("bundles/burr-piston/video.mp4").read_bytes()
    Path("veo/burr-piston-2.mp4").write_bytes(whole[: len(whole) // 2])
    write(Path("veo/burr-piston-3.mp4"), [np.zeros((48, 56, 3), np.uint8)] * 6)
    done = luban("score-video", "bundles/burr-piston", "veo", "--floors", "never", "--json")
    assert done.status == 3
    told: dict[str, Any] = json.loads(done.out)
    reasons = [row["reason"] for row in told["unscorable"]]
    assert [len(reason.splitlines()) for reason in reasons] == [1, 1, 1]
    for reason, said in zip(reasons, ("is truncated", "too small", "is stretched"), strict=True):
        assert said in reason
    (row,) = told["models"]
    assert (row["unscorable"], row["score"]["value"], row["physics"]["value"]) == (3, 0.0, 0.0)
    assert "none of the videos could be scored" in done.err
    assert told["out"] == "scores"
    assert "is truncated" in Path("scores/index.html").read_text()


def test_bundles_of_one_level_and_paths_without_either_are_refused(luban: Luban) -> None:
    make_bundles(luban)
    small = ("--film-size", "64x48", "--fps", 6, "--first-steps", 1, "--out", "more")
    assert luban("bundle", "burr-piston", *small).status == 0
    write(Path("veo/burr-piston.mp4"), [np.zeros((112, 128, 3), np.uint8)] * 6)
    for paths, said in (
        (("bundles", "more", "veo"), "both show burr-piston; give one of them"),
        (("bundles",), "there is no video to score"),
        (("veo", "bundles/nothing"), "veo is no bundle: there is no manifest.json"),
    ):
        assert said in luban("score-video", *paths, "--out", "out").complaint()


@pytest.mark.slow
def test_blurred_film_ranks_above_one_that_is_corrupted(luban: Luban) -> None:
    (bundle, _) = make_bundles(luban)
    film = list(bundle.frames())
    write(Path("models/blurred/v.mp4"), [cv2.GaussianBlur(f, (0, 0), 0.8) for f in film])
    first = bundle.manifest.steps[0].last_frame
    jumping = [*film[: first - 2], *film[first + 4 :]]
    write(Path("models/jumping/v.mp4"), jumping)
    argv = (
        "score-video",
        bundle.path,
        "models/blurred",
        "models/jumping",
        "--out",
        "out",
        "--json",
    )
    told = luban(*argv, "--floors", "never", "--workers", "1").json()
    assert [row["model"] for row in told["models"]] == ["blurred", "jumping"]
