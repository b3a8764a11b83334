"""Films: made from the log alone, smooth, with everything in the picture."""

import random
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.episode.tools import ToolCall
from bridge.recording.caption import Caption, Tone, draw_caption, strip_height
from bridge.recording.errors import RecordingError
from bridge.recording.film import FilmInfo, film_episode
from bridge.recording.layout import HeldFrame, Layout, corners_of
from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.recording.timeline import EpisodeRecording, make_timeline
from pysim.physics.factory import list_worlds
from pysim.render.renderer import Renderer
from pysim.render.views import observe
from tests.needs import needs_pybullet
from tests.recording.plays import attempt, play_plan, random_call, start, unwritable
from tests.sampling import these_by_day

Frames = list[NDArray[np.int16]]
SIZE = 128


def decoded(path: Path) -> Frames:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")
        return [f.to_ndarray(format="rgb24").astype(np.int16) for f in container.decode(video=0)]


@pytest.mark.slow
@needs_pybullet
def test_a_film_shows_the_whole_episode_without_jumps(tmp_path: Path, renderer: Renderer) -> None:
    play_plan(tmp_path / "log.jsonl", "burr-chinese-cross", "bullet")
    told: list[tuple[int, int]] = []
    out = tmp_path / "film.mp4"
    info = film_episode(
        read_log(tmp_path / "log.jsonl"),
        renderer,
        out,
        fps=12,
        size=SIZE,
        progress=lambda done, total: told.append((done, total)),
    )
    frames = decoded(out)
    assert info == FilmInfo(len(frames), len(frames) / 12)
    assert frames[0].shape == (SIZE + strip_height(SIZE), SIZE, 3)
    assert told[-1] == (len(frames), len(frames))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    pictures = [frame[:SIZE] for frame in frames]
    steps = [np.abs(b - a).mean() for a, b in pairwise(pictures)]
    assert max(steps) < 12
    assert np.abs(pictures[0] - pictures[-1]).mean() > 5
    assert 2.0 + 5 * 0.75 <= info.seconds <= 2.0 + 5 * 7.0


@pytest.mark.by_day(1)
@pytest.mark.parametrize("world", list_worlds())
@pytest.mark.parametrize("name", ["burr-piston", "burr-chinese-cross-assemble"])
def test_nothing_ever_leaves_the_picture_or_leaps(name: str, world: str, tmp_path: Path) -> None:
    play_plan(tmp_path / "log.jsonl", name, world)
    recorded = EpisodeRecording()
    replay(read_log(tmp_path / "log.jsonl"), listener=recorded)
    film = make_timeline(recorded, 24)
    layout = Layout.for_film(film, 512, name)
    before: dict[str, NDArray[np.float64]] = {}
    for held in film:
        for body in held.scene.bodies:
            corners = corners_of(body.shape.bounds, held.transforms[body.name])
            seen = layout.camera.project(corners, 512)[:, :2]
            assert seen.min() >= 0 and seen.max() <= 512
            if body.name in before:
                assert np.linalg.norm(corners - before[body.name], axis=1).max() <= 0.5
            before[body.name] = corners
    assert len({(held.scene.work, held.scene.table) for held in film}) == 1


def test_without_loose_pieces_the_camera_is_close(tmp_path: Path) -> None:
    episode = start(tmp_path / "log.jsonl", "burr-piston")
    for action in episode.level.plan.actions[:3]:
        episode.step(action)
    episode.close()
    recorded = EpisodeRecording()
    replay(read_log(tmp_path / "log.jsonl"), listener=recorded)
    layout = Layout.for_film(make_timeline(recorded, 24), 512, "")
    points = [corners_of(b.place().bounds, np.eye(4)) for b in episode.scene.bodies]
    seen = layout.camera.project(np.concatenate(points), 512)[:, :2]
    assert (seen.max(axis=0) - seen.min(axis=0)).max() > 380
    assert layout.close_up is None


def test_what_does_not_change_is_not_drawn_anew(tmp_path: Path, renderer: Renderer) -> None:
    class Counting:
        name, version = renderer.name, renderer.version
        calls = 0

        def render(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            Counting.calls += 1
            return renderer.render(*args, **kwargs)

        def close(self) -> None: ...

    path = tmp_path / "log.jsonl"
    episode = start(path, "burr-piston")
    attempt(episode, random_call(episode.level, random.Random(0)))
    attempt(episode, ToolCall("fly", {}))
    episode.step(episode.level.plan.actions[0])
    episode.close()
    info = film_episode(read_log(path), Counting(), tmp_path / "film.mp4", size=64, fps=24)
    assert Counting.calls <= 1 + 2 * 15 + 2 < info.frames


def test_an_unfinished_log_makes_a_film(tmp_path: Path, renderer: Renderer) -> None:
    path = tmp_path / "log.jsonl"
    episode = start(path, "burr-chinese-cross")
    empty = film_episode(read_log(path), renderer, tmp_path / "empty.mp4", size=64)
    assert empty.frames == len(decoded(tmp_path / "empty.mp4")) == 48
    episode.step(episode.level.plan.actions[0])
    path.write_bytes(path.read_bytes()[:-7])
    assert film_episode(read_log(path), renderer, tmp_path / "film.mp4", size=64).frames == 48
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty.mp4", "film.mp4", "log.jsonl"]
    episode.close()


def test_a_place_that_cannot_be_written_is_said_before_anything_is_drawn(
    tmp_path: Path, cross: bytes, renderer: Renderer
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(cross)
    for folder in unwritable(tmp_path):
        with pytest.raises(RecordingError, match="can't write"):
            film_episode(read_log(path), renderer, folder / "film.mp4", size=64)
    with pytest.raises(ValueError, match="even"):
        film_episode(read_log(path), renderer, tmp_path / "film.mp4", size=65)


@pytest.mark.parametrize("width", these_by_day([128, 256], [128, 256, 512, 1024]))
def test_a_caption_fits_its_strip_whatever_is_said(width: int) -> None:
    words = "slide 赤 \ud83e été " + "x" * 5000
    for caption in (
        Caption(""),
        Caption(words, words, Tone.BAD, words, words),
        Caption("1. slide red +x out", "blocked by blue", Tone.BAD, corner="44 steps left"),
    ):
        strip = draw_caption(caption, width)
        assert strip.shape == (strip_height(width), width, 3)
        assert strip_height(width) % 2 == 0
        assert (strip[-1] == strip[-1, 0]).all()


# -- what an agent sees --------------------------------------------------------------------------


def looked_at(path: Path, name: str, *actions: str) -> tuple[list[HeldFrame], Layout]:
    """The film of a level played by typed actions, and its stage."""
    episode = start(path, name)
    for action in actions:
        attempt(episode, episode.actions.parse_line(action))
    episode.close()
    recorded = EpisodeRecording()
    replay(read_log(path), listener=recorded)
    film = make_timeline(recorded, 24)
    return film, Layout.for_film(film, 400, name)


CHANGES = ("apply_view_transformation up", "make_move R")


def test_the_picture_that_an_agent_sees_is_shown_beside_the_scene(
    tmp_path: Path, renderer: Renderer
) -> None:
    film, layout = looked_at(tmp_path / "log.jsonl", "cubebench-d03-1-vertex-view", *CHANGES)
    inset = layout.seen
    assert inset is not None and layout.close_up is None
    for held in (film[0], film[-1]):
        picture = layout.draw(renderer, held)
        (view,) = observe(renderer, held.scene, inset.size, held.transforms)
        place = np.s_[inset.top : inset.top + inset.size, inset.left : inset.left + inset.size]
        assert np.array_equal(picture[place][2:-2, 2:-2], view.rgb[2:-2, 2:-2])
    for held in film:
        for body in held.scene.bodies:
            corners = corners_of(body.shape.bounds, held.transforms[body.name])
            seen = layout.camera.project(corners, 400)[:, :2]
            assert seen.min() >= 0 and seen.max() <= 400


def test_going_to_another_side_is_seen_for_a_while_though_nothing_moves(
    tmp_path: Path, renderer: Renderer
) -> None:
    film, layout = looked_at(tmp_path / "log.jsonl", "cubebench-d03-1-face-view", *CHANGES)
    before, after = film[0], film[1]
    assert not after.looks_like(before) and after.frames >= 12
    assert before.scene.bodies == after.scene.bodies
    assert not np.array_equal(layout.draw(renderer, before), layout.draw(renderer, after))


def test_where_an_agent_sees_no_picture_none_is_shown(tmp_path: Path) -> None:
    _, layout = looked_at(tmp_path / "log.jsonl", "cubebench-d03-1-full-symbolic", CHANGES[1])
    assert layout.seen is None and layout.close_up is None
