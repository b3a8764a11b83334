"""What worlds did, frame by frame, as pictures."""

from collections.abc import Sequence

import numpy as np
import pytest

from pysim.geometry import HOME, Bounds, Direction, Pose, Rotation, Voxels
from pysim.motion import Carry, Motion, Sweep
from pysim.physics.factory import create_world
from pysim.render.camera import make_camera_set, measure_bounds
from pysim.render.renderer import Pass, Renderer
from pysim.scene import Body, Colour, Scene
from pysim.trajectory import Keyframe, Trajectory, Transform, sample_frames
from tests.physics import scenes

FPS = 12
L_SHAPE = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1)])
PIECES = (
    Body("red", L_SHAPE, HOME, Colour("red")),
    Body("blue", Voxels.make_block((1, 1, 1)), Pose(Rotation(0), (0, 3, 0)), Colour("blue")),
)
SCENE = Scene(PIECES, Bounds((0, 0, 0), (5, 5, 5)), Bounds((-9, -9, 0), (9, 9, 3)))


def moments(world: str, motions: Sequence[Motion]) -> list[dict[str, Transform]]:
    made = create_world(world)
    try:
        made.reset(SCENE)
        report = made.execute(motions)
        assert report.completed
        return list(sample_frames(report.trajectory, FPS))
    finally:
        made.close()


def brought(name: str, pose: Pose, *, loose: bool = False) -> Carry:
    world = create_world("lattice")
    world.reset(SCENE)
    return scenes.brought(world, SCENE, name, pose, loose)


def pictures(renderer: Renderer, frames: Sequence[dict[str, Transform]]) -> np.ndarray:
    cameras = make_camera_set("iso4", measure_bounds(SCENE))[:1]
    scenes = [SCENE] * len(frames)
    return renderer.render_batch(scenes, cameras, 64, [Pass.IDS], frames).ids[:, 0]


@pytest.mark.parametrize("world", ["lattice", "bullet"])
def test_a_slide_goes_straight_and_ends_at_its_goal(egl: Renderer, world: str) -> None:
    frames = moments(world, [Sweep(frozenset({"red"}), Direction.PLUS_X, 3)])
    places = np.array([frame["red"][:3, 3] for frame in frames])
    assert places[0] == pytest.approx([0, 0, 0], abs=0.02)
    assert places[-1] == pytest.approx([3, 0, 0], abs=0.02)
    assert (np.diff(places[:, 0]) > -1e-6).all()
    assert np.abs(places[:, 1:]).max() < 0.02
    ids = pictures(egl, frames)
    assert len({picture.tobytes() for picture in ids}) > len(frames) // 2


@pytest.mark.parametrize("world", ["lattice", "bullet"])
def test_a_piece_that_is_turned_stays_rigid_on_its_way(egl: Renderer, world: str) -> None:
    pose = Pose.place_corner(L_SHAPE, Rotation(9), (4, 0, 0))
    frames = moments(world, [brought("red", pose)])
    for frame in frames:
        turn = frame["red"][:3, :3]
        assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-6)
    assert frames[-1]["red"] == pytest.approx(pose.transform(), abs=0.02)
    assert (pictures(egl, frames) == 1).any(axis=(1, 2)).all()


def test_a_piece_that_is_let_go_falls_and_comes_to_rest() -> None:
    upright = Pose.place_corner(L_SHAPE, Rotation(0), (3, -6, 0))
    pytest.importorskip("pybullet")
    fallen = moments("bullet", [brought("red", upright.translate((0, 0, 2)), loose=True)])
    heights = [frame["red"][2, 3] for frame in fallen]
    assert max(heights) > heights[-1] + 1.5, "it is let go in the air"
    assert fallen[-1]["red"] == pytest.approx(upright.transform(), abs=0.05)


def test_the_cubes_of_a_layer_stay_together_while_it_turns() -> None:
    """A quarter turn told by its two ends only."""
    centres = [np.array((x, y, 1.0)) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    start, end = {}, {}
    for index, centre in enumerate(centres):
        start[str(index)], end[str(index)] = np.eye(4), np.eye(4)
        start[str(index)][:3, 3] = centre
        end[str(index)][:3, :3], end[str(index)][:3, 3] = turn, turn @ centre
    for frame in sample_frames(Trajectory([Keyframe(0.0, start), Keyframe(0.5, end)]), FPS):
        for index, centre in enumerate(centres):
            at = frame[str(index)]
            assert np.linalg.norm(at[:3, 3]) == pytest.approx(np.linalg.norm(centre))
            assert at[:3, :3] @ centre == pytest.approx(at[:3, 3], abs=1e-6)
