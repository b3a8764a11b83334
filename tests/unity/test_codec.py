"""Scenes, motions, reports, cameras and pictures survive the wire, and nonsense is refused."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.rpc._pb.luban.v1 import scene_pb2, unity_pb2
from bridge.unity import codec, pictures, visuals
from pysim.catalog import AnyLevel, find_family, list_shipped_levels
from pysim.geometry import Axis, Direction, list_rotations
from pysim.glyphs import GLYPHS, Glyph
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Path, Shift, Spin
from pysim.physics.lattice import LatticeWorld
from pysim.render.camera import Camera, list_cameras, make_camera_set, measure_bounds
from pysim.render.palette import PALETTE
from pysim.render.renderer import PASSES, Pass, Pictures
from pysim.scene import Colour, Scene, Sticker
from tests.physics.scenes import interlocked, random_sweep, same
from tests.sampling import by_day

whole_numbers = st.integers(-(2**31), 2**31 - 1)
sweeps = st.builds(
    Sweep,
    st.frozensets(st.text(max_size=5), max_size=4),
    st.sampled_from(Direction),
    st.integers(-5, 2**31 - 1),
)
legs = st.builds(Shift, st.sampled_from(Direction), st.integers(-5, 2**31 - 1)) | st.builds(
    Spin,
    st.sampled_from(list_rotations()),
    st.tuples(whole_numbers, whole_numbers, whole_numbers),
)
carries = st.builds(
    Carry,
    st.frozensets(st.text(max_size=5), max_size=4),
    st.builds(Path, st.lists(legs, max_size=5)),
    st.booleans(),
)
turns = st.builds(
    Turn,
    st.frozensets(st.text(max_size=5), max_size=4),
    st.sampled_from(Axis),
    st.tuples(whole_numbers, whole_numbers, whole_numbers),
    whole_numbers,
    st.booleans(),
)
motions = sweeps | carries | turns


def scene_at_start(level: AnyLevel) -> Scene:
    rules = find_family(level).rules
    return rules.scene(level, rules.initial(level))


@given(motions)
def test_motions_survive(motion: Motion) -> None:
    data = codec.encode_motion(motion).SerializeToString()
    assert codec.decode_motion(scene_pb2.SceneMotion.FromString(data)) == motion


@pytest.mark.parametrize(
    "level",
    by_day(list_shipped_levels(), lambda v: (v.family, v.tier), each=2, name=lambda v: v.id),
)
def test_scenes_of_every_level_survive_but_for_what_only_pictures_need(level: AnyLevel) -> None:
    scene = scene_at_start(level)
    data = codec.encode_scene(scene).SerializeToString()
    found = codec.decode_scene(scene_pb2.LatticeScene.FromString(data))
    assert found == replace(scene, views=None, scenery=(), frames_loose=False)


@given(
    st.sampled_from(Direction),
    st.none() | st.builds(Glyph, st.sampled_from(list(GLYPHS)), st.integers(0, 3)),
    st.sampled_from(list(PALETTE)),
)
def test_stickers_survive_with_what_stands_on_them(
    side: Direction, glyph: Glyph | None, colour: str
) -> None:
    sticker = Sticker((1, -2, 3), side, Colour(colour), glyph)
    data = visuals.encode_sticker(sticker).SerializeToString()
    assert visuals.decode_sticker(scene_pb2.SceneSticker.FromString(data)) == sticker


@pytest.mark.parametrize("ink", [1, 2**64 - 1])
def test_a_sticker_with_a_sign_that_is_not_ours_is_refused(ink: int) -> None:
    message = scene_pb2.SceneSticker(side=scene_pb2.LATTICE_DIRECTION_PLUS_X, ink=ink)
    with pytest.raises(ValueError, match="none of the glyphs"):
        visuals.decode_sticker(message)


def test_reports_survive_with_their_trajectories() -> None:
    rng = random.Random(2)
    world = LatticeWorld()
    completed = []
    for _ in range(40):
        scene = interlocked(rng)
        world.reset(scene)
        report = world.execute([random_sweep(rng, scene)])
        message = codec.encode_report(report, [body.name for body in scene.bodies])
        data = message.SerializeToString()
        found = codec.decode_report(unity_pb2.PlayerReport.FromString(data))
        for field in ("completed", "travel", "measured", "contacts", "fallen"):
            assert getattr(found, field) == getattr(report, field)
        assert len(found.trajectory.keyframes) == len(report.trajectory.keyframes)
        for a, b in zip(found.trajectory.keyframes, report.trajectory.keyframes, strict=True):
            assert a.time == b.time and same(dict(a.transforms), dict(b.transforms))
        completed.append(report.completed)
    assert 5 < sum(completed) < 35


def _carry(*legs: scene_pb2.CarryLeg) -> scene_pb2.SceneMotion:
    return scene_pb2.SceneMotion(carry=scene_pb2.CarryMotion(bodies=["a"], way=legs))


@pytest.mark.parametrize(
    "motion",
    [
        scene_pb2.SceneMotion(),
        scene_pb2.SceneMotion(sweep=scene_pb2.SweepMotion(bodies=["a"], distance=1)),
        scene_pb2.SceneMotion(sweep=scene_pb2.SweepMotion(bodies=["a"], direction=9)),  # type: ignore[arg-type]
        scene_pb2.SceneMotion(turn=scene_pb2.TurnMotion(bodies=["a"], quarters=1)),
        _carry(scene_pb2.CarryLeg()),
        _carry(scene_pb2.CarryLeg(shift=scene_pb2.ShiftLeg(distance=1))),
        _carry(scene_pb2.CarryLeg(spin=scene_pb2.SpinLeg(rotation=24))),
    ],
)
def test_motions_without_sense_are_refused(motion: scene_pb2.SceneMotion) -> None:
    with pytest.raises(ValueError, match=r"neither|direction|rotation|axis"):
        codec.decode_motion(motion)


def test_numbers_that_do_not_fit_are_refused() -> None:
    turned = list_rotations()[1]
    with pytest.raises(ValueError):
        codec.encode_motion(Carry(frozenset({"a"}), Path([Spin(turned, (2**31, 0, 0))]), False))


@pytest.mark.parametrize("numbers", [[], [1.0] * 11, [float("nan")] * 12])
def test_matrices_that_are_none_are_refused(numbers: list[float]) -> None:
    with pytest.raises(ValueError, match="a matrix has"):
        codec.decode_transforms([unity_pb2.BodyTransform(name="a", matrix=numbers)])


@pytest.mark.parametrize("cells", [[], [1, 2], [0, 0, 0, 1]])
def test_bodies_without_whole_cells_are_refused(cells: list[int]) -> None:
    with pytest.raises(ValueError, match="cell"):
        codec.decode_scene(scene_pb2.LatticeScene(bodies=[scene_pb2.SceneBody(cells=cells)]))


@pytest.mark.parametrize(
    "level", by_day(list_shipped_levels()[::9], lambda v: (v.family, v.tier), name=lambda v: v.id)
)
def test_cameras_survive_as_matrices(level: AnyLevel) -> None:
    points = np.random.default_rng(1).uniform(-9.0, 9.0, (50, 3))
    straight, *others = list_cameras(scene_at_start(level))
    for camera in (straight, *(replace(other, shift=(0.4, -1.5)) for other in others)):
        message = pictures.encode_camera(camera)
        found = pictures.decode_camera(
            unity_pb2.PlayerCamera.FromString(message.SerializeToString())
        )
        assert found.name == camera.name
        assert np.allclose(found.eye, camera.eye, rtol=1e-9, atol=1e-9)
        assert np.allclose(found.project(points, 512), camera.project(points, 512), atol=1e-6)
        assert (found.near, found.far) == pytest.approx((camera.near, camera.far), rel=1e-6)
        assert found.shift == pytest.approx(camera.shift)


@pytest.mark.parametrize(
    "level", by_day(list_shipped_levels()[::9], lambda v: (v.family, v.tier), name=lambda v: v.id)
)
def test_cameras_with_parallel_rays_and_without_shades_survive(level: AnyLevel) -> None:
    scene = scene_at_start(level)
    points = np.random.default_rng(1).uniform(-9.0, 9.0, (50, 3))
    for fitted in make_camera_set("iso6", measure_bounds(scene), orthographic=True):
        camera = replace(fitted, shaded=False)
        found = pictures.decode_camera(pictures.encode_camera(camera))
        assert not found.shaded and found.width == pytest.approx(camera.width)
        assert np.allclose(found.project(points, 512), camera.project(points, 512), atol=1e-6)
        assert (found.near, found.far) == pytest.approx((camera.near, camera.far), rel=1e-6)
        assert np.allclose(found.compute_rays(), camera.compute_rays())


@pytest.mark.parametrize("numbers", [[], [0.0] * 16, [1.0] * 15, [float("inf")] * 16])
def test_matrices_of_no_camera_are_refused(numbers: list[float]) -> None:
    with pytest.raises(ValueError, match="camera's matrix"):
        pictures.decode_camera(unity_pb2.PlayerCamera(clip_from_world=numbers))


def random_pictures(size: int) -> Pictures:
    rng = np.random.default_rng(size)
    rgb = rng.integers(0, 256, (3, size, size, 3)).astype(np.uint8)
    ids = rng.integers(0, 65536, (3, size, size)).astype(np.uint16)
    depth = rng.random((3, size, size)).astype(np.float32)
    depth[0, 0, 0] = np.inf
    normals = rng.standard_normal((3, size, size, 3)).astype(np.float32)
    return Pictures({Pass.RGB: rgb, Pass.IDS: ids, Pass.DEPTH: depth, Pass.NORMALS: normals})


@pytest.mark.parametrize("png", [False, True])
@pytest.mark.parametrize("passes", [tuple(Pass), (Pass.RGB,), (Pass.DEPTH, Pass.IDS)])
def test_pictures_survive_raw_and_as_png(png: bool, passes: tuple[Pass, ...]) -> None:
    drawn = random_pictures(24)
    some = Pictures({kind: drawn.planes[kind] for kind in passes})
    data = pictures.encode_pictures(some, png=png, renderer="a test").SerializeToString()
    message = unity_pb2.PlayerPictures.FromString(data)
    found = pictures.decode_pictures(message, 3, 24, passes)
    assert set(found.planes) == set(passes)
    for kind in passes:
        assert found.planes[kind].dtype == kind.dtype
        assert np.array_equal(found.planes[kind], drawn.planes[kind])


def test_passes_survive_and_none_means_the_usual() -> None:
    for passes in (PASSES, (Pass.IDS,), (Pass.RGB, Pass.DEPTH), tuple(Pass)):
        assert pictures.decode_passes(pictures.encode_passes(passes)) == passes
    assert pictures.decode_passes([]) == PASSES


def test_other_pictures_than_were_asked_for_are_refused() -> None:
    message = pictures.encode_pictures(random_pictures(8), png=False, renderer="")
    for count, size in ((2, 8), (3, 16)):
        with pytest.raises(ValueError, match="asked for"):
            pictures.decode_pictures(message, count, size, PASSES)
    message.pictures[1].depth = b"123"
    with pytest.raises(ValueError):
        pictures.decode_pictures(message, 3, 8, PASSES)
    message.pictures[0].encoding = unity_pb2.PLAYER_ENCODING_PNG
    with pytest.raises(ValueError, match="PNG"):
        pictures.decode_pictures(message, 3, 8, (Pass.RGB,))


def test_a_camera_is_what_the_player_draws_with() -> None:
    camera = Camera("a", (3.0, -20.0, 7.0), (0.5, 0.0, 1.0), fov_deg=40.0, near=0.5, far=90.0)
    found = pictures.decode_camera(pictures.encode_camera(camera))
    assert np.allclose(
        found.compute_projection() @ found.compute_view(),
        camera.compute_projection() @ camera.compute_view(),
    )
