"""Films as numbers: what is seen, and where everything is."""

import numpy as np
import pytest

from bridge.recording.blur import draw_blurred
from bridge.recording.frames import Filming, FilmPicture, film_frames
from bridge.recording.layout import Phase
from bridge.recording.log import Log
from bridge.video.reference.bundle_making import play_plan
from pysim.catalog import find_level
from pysim.errors import InputError
from pysim.render.camera import list_cameras
from pysim.render.pinhole import Pinhole
from pysim.render.renderer import Renderer

SIZE = (104, 60)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return play_plan(find_level("burr-half-lap"), tmp_path_factory.mktemp("log") / "log.jsonl")


@pytest.fixture(scope="module")
def frames(log: Log, renderer: Renderer) -> list[FilmPicture]:
    return list(film_frames(log, None, 12, renderer=renderer, size=SIZE))


@pytest.mark.slow
def test_the_phases_of_a_film_come_in_order(frames: list[FilmPicture]) -> None:
    phases = [frame.phase for frame in frames]
    told = [p for k, p in enumerate(phases) if not k or phases[k - 1] is not p]
    assert told == [Phase.OPENING, Phase.MOVE, Phase.CARRY, Phase.REST, Phase.CLOSING]
    assert [frame.step for frame in frames if frame.phase is Phase.OPENING][-1] == 0
    assert {frame.step for frame in frames if frame.phase is not Phase.OPENING} == {1}


def test_a_frame_is_of_one_moment(frames: list[FilmPicture]) -> None:
    """Where ids say that a body is, depth says so, too, and its pose puts it there."""
    for frame in frames[:: len(frames) // 6]:
        assert frame.rgb.shape == (60, 104, 3) and frame.ids.shape == frame.depth.shape
        assert (np.isfinite(frame.depth) == (frame.ids > 0)).all()
        assert frame.intrinsics.shape == (3, 3) and frame.extrinsics.shape == (4, 4)
        rows, columns = np.nonzero(frame.ids)
        inside = np.linalg.inv(frame.intrinsics)
        rays = np.column_stack([columns + 0.5, rows + 0.5, np.ones(len(rows))]) @ inside.T
        at = np.column_stack([rays * frame.depth[rows, columns, None], np.ones(len(rows))])
        world = at @ np.linalg.inv(frame.extrinsics).T
        for number, (name, pose) in enumerate(frame.poses.items(), start=1):
            own = world[frame.ids[rows, columns] == number] @ np.linalg.inv(pose).T
            level = find_level("burr-half-lap")
            (shape,) = (piece.shape for piece in level.puzzle.pieces if piece.colour == name)
            cells = np.array(shape.cells)
            near = np.abs(own[:, None, :3] - cells).max(axis=2).min(axis=1)
            assert len(own) and near.max() < 0.51


@pytest.mark.slow
def test_a_film_twice_as_fast_is_half_as_long(log: Log) -> None:
    usual, slow, fast = (Filming.of(log, fps=24, speed=speed).frames for speed in (1.0, 0.5, 2.0))
    assert abs(slow - 2 * usual) < 8 and abs(2 * fast - usual) < 8


@pytest.mark.slow
def test_any_camera_films(log: Log, renderer: Renderer) -> None:
    start = Filming.of(log, size=SIZE)
    camera = list_cameras(start.timeline[0].scene)[1]
    square = next(film_frames(log, camera, renderer=renderer, size=SIZE))
    assert square.rgb.shape == (60, 60, 3)
    assert np.array_equal(square.rgb, renderer.render(start.timeline[0].scene, [camera], 60).rgb[0])
    part = Pinhole.from_camera(camera, 60).crop(10, 20, 40, 30)
    seen = next(film_frames(log, part, renderer=renderer))
    assert (seen.ids == square.ids[20:50, 10:50]).mean() > 0.99
    assert np.array_equal(seen.intrinsics, part.intrinsics)


@pytest.mark.parametrize(("fps", "speed"), [(0, 1.0), (241, 1.0), (24, 0.0), (24, float("nan"))])
def test_other_rates_and_speeds_are_refused(
    log: Log, renderer: Renderer, fps: int, speed: float
) -> None:
    with pytest.raises(InputError):
        next(film_frames(log, None, fps, speed, renderer=renderer))


@pytest.mark.slow
def test_only_what_moves_is_blurred(
    log: Log, frames: list[FilmPicture], renderer: Renderer
) -> None:
    film = Filming.of(log, fps=12, size=SIZE)
    blurred = list(draw_blurred(film, renderer))
    assert len(blurred) == len(frames)
    changed = 0
    for sharp, soft, later in zip(frames, blurred, [*frames[1:], None], strict=True):
        assert np.array_equal(sharp.ids, soft.ids) and sharp.step == soft.step
        moves = later is not None and any(
            not np.array_equal(sharp.poses[name], later.poses[name]) for name in sharp.poses
        )
        if not moves:
            assert np.array_equal(sharp.rgb, soft.rgb)
        changed += not np.array_equal(sharp.rgb, soft.rgb)
    assert changed > 10
