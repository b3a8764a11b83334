"""Scenes taken apart, cut open, seen through; and stickers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import HOME, Bounds, Direction, Pose, Voxels
from pysim.render.camera import fit, make_camera_set, measure_bounds
from pysim.render.exploded_views import cut_away, explode, make_translucent
from pysim.render.palette import PALETTE
from pysim.render.renderer import PASSES, Renderer
from pysim.scene import Body, Colour, Scene, Sticker
from tests.render.scenes import body, lock, random_scene

CUBE = Voxels.from_cells([(0, 0, 0)])
SIZE = 96


def cells(scene: Scene) -> set[tuple[int, int, int]]:
    return {cell for body in scene.bodies for cell in body.place().cells}


def test_bodies_of_an_exploded_scene_move_away_from_the_middle() -> None:
    scene = lock()
    apart = explode(scene, 2.0)
    assert explode(scene, 0.0) == scene
    held = [b for b in scene.bodies if not b.loose]
    ends = np.array([(b.place().bounds.low, b.place().bounds.high) for b in held])
    middle = (ends[:, 0].min(axis=0) + ends[:, 1].max(axis=0)) / 2
    for before, after in zip(scene.bodies, apart.bodies, strict=True):
        if before.loose:
            assert before == after
            continue
        own = np.add(before.place().bounds.low, before.place().bounds.high) / 2
        step = np.subtract(after.pose.offset, before.pose.offset)
        assert np.abs(step - 2.0 * (own - middle)).max() <= 0.5
        assert apart.work.has_block(after.place().bounds)


@pytest.mark.parametrize("spread", [-0.1, 1001.0, float("nan"), float("inf")])
def test_an_impossible_spread_is_refused(spread: float) -> None:
    with pytest.raises(ValueError, match="spread"):
        explode(lock(), spread)


@given(seed=st.integers(0, 30), side=st.sampled_from(Direction), at=st.integers(-7, 7))
def test_a_cut_takes_off_what_lies_beyond_the_plane(seed: int, side: Direction, at: int) -> None:
    scene = random_scene(seed)[0]
    axis = side.axis.number
    left = {cell for cell in cells(scene) if side.sign * cell[axis] <= side.sign * at}
    cut = cut_away(scene, side, at)
    assert cells(cut) == left
    names = [b.name for b in cut.bodies]
    assert names == [b.name for b in scene.bodies if b.name in names]


def test_a_translucent_body_shows_what_is_behind_it(renderer: Renderer) -> None:
    front, back = (
        body("red", Voxels.make_block((3, 1, 3)), (-1, -3, -1)),
        body("blue", CUBE, (0, 0, 0)),
    )
    scene = Scene((front, back), Bounds((-1, -3, -1), (1, 0, 1)))
    camera = fit("front", (0.0, -1.0, 0.01), scene.work)
    solid = renderer.render(scene, [camera], SIZE)
    assert not (solid.ids == 2).any()
    seen = renderer.render(make_translucent(scene, ["red"]), [camera], SIZE)
    bare = renderer.render(Scene((back,), scene.work), [camera], SIZE)
    assert np.array_equal(seen.ids, np.where(bare.ids == 1, 2, 0))
    assert np.array_equal(seen.depth, bare.depth)


def test_a_translucent_body_tints_what_is_behind_it(egl: Renderer) -> None:
    front, back = (
        body("red", Voxels.make_block((3, 1, 3)), (-1, -3, -1)),
        body("blue", CUBE, (0, 0, 0)),
    )
    scene = Scene((front, back), Bounds((-1, -3, -1), (1, 0, 1)))
    camera = fit("front", (0.0, -1.0, 0.01), scene.work)

    def face(shown: Scene) -> np.ndarray:
        # A little off the middle of the small cube's face, where no lines run.
        column, row, _ = camera.project(np.array([[0.2, -0.5, 0.2]]), SIZE)[0].astype(int)
        return egl.render(shown, [camera], SIZE).rgb[0, row, column].astype(float)

    blue, red = face(Scene((back,), scene.work)), face(scene)
    mixed = face(make_translucent(scene, ["red"]))
    assert np.abs(mixed - (blue + red) / 2).max() < 20


def test_a_body_that_is_not_there_can_not_be_seen_through() -> None:
    with pytest.raises(KeyError, match="ghost"):
        make_translucent(lock(), ["ghost"])


def stuck(*stickers: Sticker) -> Scene:
    return Scene(
        (Body("c", CUBE, HOME, Colour("black"), stickers=stickers),),
        Bounds((0, 0, 0), (0, 0, 0)),
    )


@pytest.mark.parametrize("side", list(Direction))
@pytest.mark.parametrize("turn", [0, 7, 22])
def test_a_sticker_is_seen_on_its_side_and_turns_with_its_body(
    renderer: Renderer, side: Direction, turn: int
) -> None:
    from pysim.geometry import Rotation

    pose = Pose(Rotation(turn), (0, 0, 0))
    made = Body(
        "c", CUBE, pose, Colour("black"), stickers=(Sticker((0, 0, 0), side, Colour("yellow")),)
    )
    scene = Scene((made,), Bounds((0, 0, 0), (0, 0, 0)))
    cameras = make_camera_set("faces6", measure_bounds(scene))
    pictures = renderer.render(scene, cameras, 64)
    there = pose.transform()[:3, :3] @ np.array(side.vector)
    for camera, rgb in zip(cameras, pictures.rgb, strict=True):
        towards = np.subtract(camera.eye, camera.target)
        shows = np.allclose(towards / np.linalg.norm(towards), there)
        middle, corner = rgb[32, 32].astype(int), rgb[6, 6].astype(int)
        hue = np.array(PALETTE["yellow"])
        assert (middle @ hue / np.linalg.norm(hue) > 150) == shows
        assert corner.max() < 140, "around the sticker the body is seen"


def test_stickers_change_colours_only(renderer: Renderer) -> None:
    with_one, without = stuck(Sticker((0, 0, 0), Direction.PLUS_Z, Colour("red"))), stuck()
    cameras = make_camera_set("iso4", measure_bounds(without))
    a, b = (renderer.render(scene, cameras, SIZE) for scene in (with_one, without))
    for kind in PASSES[1:]:
        assert np.array_equal(a.planes[kind], b.planes[kind])
    assert not np.array_equal(a.rgb, b.rgb)


def test_a_sticker_of_an_unknown_colour_is_refused(renderer: Renderer) -> None:
    scene = stuck(Sticker((0, 0, 0), Direction.PLUS_Z, Colour("gren")))
    with pytest.raises(ValueError, match="did you mean 'green'"):
        renderer.render(scene, make_camera_set("iso4", measure_bounds(scene)), SIZE)
