"""Films of as many seconds as a video model makes."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bridge.recording.frames import Filming
from bridge.recording.layout import Phase
from bridge.video.reference.bundle import BundleError, manifest_from_json, manifest_to_json
from bridge.video.reference.bundle_making import (
    BundleRequest,
    count_steps,
    fits,
    make_bundle,
    play_plan,
)
from pysim.catalog import find_level
from pysim.errors import InputError
from pysim.render.renderer import Renderer
from tests.commands import Luban

FAST = BundleRequest(size=(64, 48), fps=12, seconds=5.0)


def film(level: str, steps: int, folder: Path, seconds: float | None) -> Filming:
    log = play_plan(find_level(level), folder / f"{level}-{seconds}.jsonl", steps)
    return Filming.of(log, fps=24, seconds=seconds)


def greatest_step(filmed: Filming, phase: Phase) -> float:
    """Units that the origin of a body goes in a frame of a phase, at most."""
    frames = [held for held in filmed.timeline for _ in range(held.frames)]
    steps = [
        float(np.linalg.norm(after.transforms[name][:3, 3] - before.transforms[name][:3, 3]))
        for before, after in pairwise(frames)
        if after.phase is phase
        for name in before.transforms
    ]
    return max(steps, default=0.0)


@pytest.mark.parametrize(
    "level", ["burr-chinese-cross", "packing-easy-03", "jigsaw-medium-1", "nets-easy-02"]
)
def test_two_steps_fit_five_seconds_by_faster_carries_alone(level: str, tmp_path: Path) -> None:
    usual, fast = (film(level, 2, tmp_path, seconds) for seconds in (None, 5.0))
    assert usual.frames > 150 and 110 < fast.frames <= 120
    for place in (0, -1):
        for name, pose in usual.timeline[place].transforms.items():
            np.testing.assert_allclose(fast.timeline[place].transforms[name], pose)
    assert greatest_step(fast, Phase.CARRY) > 1.5 * greatest_step(usual, Phase.CARRY)
    # Frames of moves fall on other moments, so that one may show a little more.
    assert greatest_step(fast, Phase.MOVE) <= 1.1 * greatest_step(usual, Phase.MOVE)


def test_a_film_that_is_short_enough_stays_as_it_is(tmp_path: Path) -> None:
    usual, fast = (film("burr-piston", 2, tmp_path, seconds) for seconds in (None, 5.0))
    assert [held.frames for held in fast.timeline] == [held.frames for held in usual.timeline]


def test_seconds_without_steps_show_as_many_as_fit() -> None:
    level = find_level("burr-piston-key")
    steps = [count_steps(level, BundleRequest(seconds=s)) for s in (0.5, 3.0, 5.0, 60.0)]
    assert steps[0] == 1 and steps == sorted(steps) and steps[2] > 2 and steps[3] == len(level.plan)
    assert count_steps(level, BundleRequest(seconds=3.0, first_steps=4)) == 4


def test_steps_that_no_pace_can_show_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="9 steps can't be shown in 12 frames; give more seconds"):
        film("burr-piston-key", 9, tmp_path, 0.5)
    with pytest.raises(BundleError, match=r"0\.5 to 3600 seconds, not 0\.1"):
        BundleRequest(seconds=0.1)


def test_manifest_keeps_seconds_and_one_of_the_version_before_is_read(
    renderer: Renderer, tmp_path: Path
) -> None:
    level = find_level("burr-half-lap")
    manifest = make_bundle(level, tmp_path / "b", FAST, renderer)
    assert manifest.seconds == 5.0 and manifest.frames <= 60
    assert fits(manifest, level, FAST)
    assert not fits(manifest, level, BundleRequest(size=(64, 48), fps=12))
    document = manifest_to_json(manifest)
    del document["seconds"]
    before = manifest_from_json(json.dumps({**document, "version": 1}).encode())
    assert before.seconds is None and before.frames == manifest.frames
    with pytest.raises(BundleError, match="its version is 3; this version of Luban reads 1 to 2"):
        manifest_from_json(json.dumps({**document, "version": 3}).encode())


def test_command_makes_films_of_some_seconds(luban: Luban) -> None:
    small = ("bundle", "packing-easy-03", "--film-size", "64x48", "--fps", 12, "--out", "b")
    assert luban(*small, "--seconds", 3, "--json").json()["frames"] <= 36
    assert luban(*small, "--seconds", 3, "--json").json()["made"] == 0
    assert "other options" in luban(*small, "--seconds", 4).complaint()
