"""What the camera, the close-up and the captions of a film owe to whoever watches it."""

import tempfile
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.recording.caption import draw_caption, lettered
from bridge.recording.frames import film_timeline, replay_timeline
from bridge.recording.framing import block_corners, closest_camera, unit_share
from bridge.recording.layout import HeldFrame, Layout, blocks_of, corners_of
from bridge.video.reference.bundle_making import play_plan
from pysim.catalog import AnyLevel, list_shipped_levels
from pysim.render.camera import fit, make_stage_camera
from pysim.render.overlay import draw_overlay, name_height
from pysim.render.renderer import Renderer
from tests.sampling import by_day, more

SIZE = 512


def sample() -> list[AnyLevel]:
    """Two levels of each family whose plans are short, spread over them."""
    chosen: list[AnyLevel] = []
    for _, family in groupby(list_shipped_levels(), key=lambda level: level.family):
        some = [level for level in family if level.plan and len(level.plan.actions) <= 12]
        chosen += some[:: max(1, len(some) // 2)][:2]
    return chosen


@cache
def film_of(level: AnyLevel) -> tuple[list[HeldFrame], Layout]:
    with tempfile.TemporaryDirectory() as folder:
        timeline = replay_timeline(play_plan(level, Path(folder) / "log.jsonl"), 24)
    return timeline, Layout.for_film(timeline, SIZE, level.name)


every_family = pytest.mark.parametrize(
    "level", by_day(sample(), lambda level: level.family, name=lambda level: level.id)
)


@pytest.mark.by_day(1)
@every_family
def test_every_body_is_in_every_frame_of_any_shape(level: AnyLevel) -> None:
    timeline, layout = film_of(level)
    cameras = [film_timeline(timeline, None, size).camera for size in ((832, 480), (480, 832))]
    for held in timeline[:: max(1, len(timeline) // more(8, night=100))]:
        for body in held.scene.bodies:
            corners = corners_of(body.shape.bounds, held.transforms[body.name])
            seen = layout.camera.project(corners, SIZE)[:, :2]
            assert seen.min() >= 0 and seen.max() <= SIZE
            for camera in cameras:
                inside = camera.project(corners)[:, :2]
                assert inside.min() >= 0.0
                assert (inside <= (camera.width, camera.height)).all()


@every_family
def test_a_unit_has_twelve_pixels_or_the_camera_could_not_come_closer(level: AnyLevel) -> None:
    """Where a unit is smaller, no side that is tried by hand does much better."""
    timeline, _ = film_of(level)
    blocks = blocks_of(timeline)
    corners = block_corners(blocks)
    share = unit_share(closest_camera(blocks), corners)
    assert share >= unit_share(make_stage_camera(*blocks), corners)
    if share * 480 < 12.0:
        for direction in ((0.0, -1.0, 0.6), (1.0, 0.0, 1.0), (-0.7, -0.7, 1.0)):
            assert share >= 0.85 * unit_share(fit("", direction, blocks), corners)


@every_family
def test_the_close_up_lies_on_no_piece_that_rests_and_not_on_the_title(level: AnyLevel) -> None:
    timeline, layout = film_of(level)
    for inset in (layout.close_up and layout.close_up[1], layout.seen):
        if inset is None:
            continue
        assert inset.top >= name_height(SIZE) and inset.left >= 0
        assert max(inset.top, inset.left) + inset.size <= SIZE
        for held in timeline:
            if held.frames > 1 and inset is not layout.seen:
                for body in held.scene.bodies:
                    corners = corners_of(body.shape.bounds, held.transforms[body.name])
                    low, high = np.sort(layout.camera.project(corners, SIZE)[:, :2], axis=0)[
                        [0, -1]
                    ]
                    begin = np.array([inset.left, inset.top])
                    assert (high <= begin).any() or (low >= begin + inset.size).any()


def test_a_title_is_no_higher_than_is_kept_free_for_it() -> None:
    """The rows that a name changes, in pictures of all sizes."""
    camera = make_stage_camera(*[held.scene.work for held in film_of(sample()[0])[0][:1]])
    for size in (64, 96, 128, 256, 512, 1024):
        bare: NDArray[np.uint8] = np.full((size, size, 3), 90, dtype=np.uint8)
        top = (draw_overlay(bare, replace(camera, name="Qgjpy |"))[: size // 2] != 90).any(
            axis=(1, 2)
        )
        assert np.flatnonzero(top).max(initial=-1) < max(1, name_height(size))


@every_family
def test_no_caption_of_a_plan_is_cut_off(level: AnyLevel) -> None:
    timeline, _ = film_of(level)
    for caption in {held.caption for held in timeline}:
        for size in (256, 512):
            corner, before, line, result = lettered(caption, size)
            said = (caption.corner, caption.before, caption.line, caption.result)
            for written, words in zip((corner, before, line, result), said, strict=True):
                assert written.words == " ".join(words.split())
            strip = draw_caption(caption, size)
            assert (strip[:, -2:] == strip[:, -1:]).all()


def test_the_film_of_a_camera_is_square_where_nothing_else_is_asked(renderer: Renderer) -> None:
    timeline, _ = film_of(sample()[0])
    film = film_timeline(timeline[:1], make_stage_camera(*blocks_of(timeline)), (64, 48))
    assert (film.camera.width, film.camera.height) == (48, 48)
    assert next(film.draw(renderer)).rgb.shape == (48, 48, 3)
