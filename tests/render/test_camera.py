import itertools

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.geometry import Bounds, Direction, Voxels
from pysim.render.camera import (
    Camera,
    fit,
    list_cameras,
    make_camera_set,
    make_stage_camera,
    measure_bounds,
)
from pysim.scene import Scene
from tests.render.scenes import body, lock

corner = st.tuples(*[st.integers(-40, 40)] * 3)
extent = st.tuples(*[st.integers(0, 30)] * 3)
blocks = st.builds(
    lambda low, size: Bounds(low, (low[0] + size[0], low[1] + size[1], low[2] + size[2])),
    corner,
    extent,
)


def corners(bounds: Bounds) -> np.ndarray:
    ends = zip(np.array(bounds.low) - 0.5, np.array(bounds.high) + 0.5, strict=True)
    return np.array(list(itertools.product(*ends)))


def assert_in_frame(camera: Camera, bounds: Bounds) -> None:
    column, row, depth = camera.project(corners(bounds), 1000).T
    assert (depth > camera.near).all() and (depth < camera.far).all()
    assert column.min() > 10 and column.max() < 990
    assert row.min() > 10 and row.max() < 990


@given(work=blocks, table=blocks, place=corner)
def test_every_view_has_its_whole_block_in_frame(
    work: Bounds, table: Bounds, place: tuple[int, int, int]
) -> None:
    loose = body("red", Voxels.make_block((2, 3, 4)), place, turn=7, loose=True)
    cameras = list_cameras(Scene((loose,), work, table))
    assert [camera.name for camera in cameras[:4]] == ["+x-y+z", "+x+y+z", "-x+y+z", "-x+y-z"]
    for camera in cameras[:4]:
        assert_in_frame(camera, work)
    assert_in_frame(cameras[4], loose.place().bounds)
    stage = make_stage_camera(work, table)
    assert_in_frame(stage, work)
    assert_in_frame(stage, table)


@given(work=blocks, direction=st.tuples(*[st.floats(-1, 1)] * 3))
def test_a_fitted_camera_is_as_close_as_it_can_be(
    work: Bounds, direction: tuple[float, float, float]
) -> None:
    if np.linalg.norm(direction) < 0.1:
        return
    column, row, _ = fit("any", direction, work).project(corners(work), 1000).T
    assert max(np.ptp(column), np.ptp(row)) == pytest.approx(950, abs=1)


def test_a_view_is_named_after_the_corner_where_its_camera_stands() -> None:
    scene = lock()
    middle = (np.array(scene.work.low) + np.array(scene.work.high)) / 2
    for camera in list_cameras(scene)[:4]:
        signs = ["+" if d > 0 else "-" for d in np.array(camera.eye) - middle]
        assert camera.name == "{}x{}y{}z".format(*signs)


def test_the_table_is_shown_only_if_something_lies_loose() -> None:
    held, loose = body("red", Voxels.make_block((1, 1, 1)), (0, 0, 0)), lock().bodies[-1]
    table = lock().table
    assert len(list_cameras(Scene((held,), lock().work, table))) == 4
    assert len(list_cameras(Scene((loose,), lock().work, None))) == 4
    cameras = list_cameras(Scene((held, loose), lock().work, table))
    assert cameras[4].name == "table"
    assert cameras[4].eye[1] < cameras[4].target[1] and cameras[4].eye[2] > cameras[4].target[2]


def test_straight_up_and_down_work() -> None:
    for z in (1.0, -1.0):
        assert_in_frame(fit("top", (0.0, 0.0, z), lock().work), lock().work)


def test_the_view_matrix_is_a_rotation_that_looks_at_the_target() -> None:
    camera = Camera("any", (3.0, -4.0, 5.0), (1.0, 1.0, 1.0))
    view = camera.compute_view()
    assert np.allclose(view[:3, :3] @ view[:3, :3].T, np.eye(3))
    assert np.linalg.det(view[:3, :3]) == pytest.approx(1.0)
    seen = camera.project(np.array([camera.target]), 100)[0]
    assert seen == pytest.approx([50.0, 50.0, np.sqrt(45.0)])
    above = camera.project(np.array([(1.0, 1.0, 2.0)]), 100)[0]
    assert above[1] < 50.0


@pytest.mark.parametrize(
    "change",
    [
        {"fov_deg": 0.0},
        {"fov_deg": 180.0},
        {"near": 0.0},
        {"near": 5.0, "far": 5.0},
        {"target": (0.0, 0.0, 0.0)},
        {"target": (0.0, 0.0, 3.0)},
        {"target": (0.0, float("nan"), 3.0)},
        {"eye": (float("inf"), 0.0, 0.0)},
        {"width": 0.0},
        {"width": float("nan")},
    ],
)
def test_an_impossible_camera_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="camera"):
        Camera(**{"name": "bad", "eye": (0.0, 0.0, 0.0), "target": (1.0, 0.0, 0.0), **change})


def test_nothing_to_look_at_is_refused() -> None:
    with pytest.raises(ValueError, match="block"):
        make_stage_camera()
    with pytest.raises(ValueError, match="zero"):
        fit("any", (0.0, 0.0, 0.0), lock().work)


@given(work=blocks, direction=st.tuples(*[st.floats(-1, 1)] * 3), size=st.integers(1, 900))
def test_opencv_sees_points_where_the_camera_does(
    work: Bounds, direction: tuple[float, float, float], size: int
) -> None:
    if np.linalg.norm(direction) < 0.1:
        return
    camera = fit("any", direction, work)
    outside = camera.compute_extrinsics()
    turn, _ = cv2.Rodrigues(outside[:3, :3])
    points = corners(work)
    seen, _ = cv2.projectPoints(points, turn, outside[:3, 3], camera.compute_intrinsics(size), None)
    ours = camera.project(points, size)
    # OpenCV counts pixels from the middle of the first one, `project` from its corner.
    assert np.allclose(seen[:, 0], ours[:, :2] - 0.5, atol=1e-4 * size)
    assert np.allclose((points @ outside[:3, :3].T + outside[:3, 3])[:, 2], ours[:, 2])


@given(work=blocks, direction=st.tuples(*[st.floats(-1, 1)] * 3))
def test_parallel_rays_show_the_whole_block_in_true_proportion(
    work: Bounds, direction: tuple[float, float, float]
) -> None:
    if np.linalg.norm(direction) < 0.1:
        return
    camera = fit("any", direction, work, orthographic=True)
    assert camera.width is not None
    assert_in_frame(camera, work)
    points = corners(work)
    column, row, _ = camera.project(points, 1000).T
    assert max(np.ptp(column), np.ptp(row)) == pytest.approx(950, abs=1)
    outside, inside = camera.compute_extrinsics(), camera.compute_intrinsics(1000)
    there = points @ outside[:3, :3].T + outside[:3, 3]
    flat = np.column_stack([there[:, :2], np.ones(len(there))]) @ inside.T
    assert np.allclose(flat[:, :2], np.column_stack([column, row]) - 0.5, atol=1e-6)


@given(work=blocks, orthographic=st.booleans(), place=corner)
def test_named_sets_have_the_whole_scene_in_frame(
    work: Bounds, orthographic: bool, place: tuple[int, int, int]
) -> None:
    piece = body("red", Voxels.make_block((2, 3, 4)), place, turn=7)
    scene = Scene((piece,), work)
    for name, count in (("iso4", 4), ("iso6", 6), ("faces6", 6), ("turntable5", 5)):
        cameras = make_camera_set(name, measure_bounds(scene), orthographic=orthographic)
        assert len(cameras) == len({camera.name for camera in cameras}) == count
        for camera in cameras:
            assert_in_frame(camera, work)
            assert_in_frame(camera, piece.place().bounds)


def test_each_of_the_six_faces_is_looked_at_straight() -> None:
    for camera in make_camera_set("faces6", lock().work):
        towards = np.subtract(camera.eye, camera.target)
        side = Direction(camera.name)
        assert np.allclose(towards / np.linalg.norm(towards), side.vector)


def test_a_turntable_starts_at_the_front_and_goes_around_evenly() -> None:
    cameras = make_camera_set("turntable(8)", lock().work)
    assert [camera.name for camera in cameras][:3] == ["0", "45", "90"]
    angles = [
        np.degrees(np.arctan2(*np.subtract(camera.eye, camera.target)[[0, 1]] * (1, -1))) % 360
        for camera in cameras
    ]
    assert np.allclose(angles, np.arange(8) * 45.0, atol=1e-6)
    assert all(camera.eye[2] > camera.target[2] for camera in cameras)


@pytest.mark.parametrize("name", ["", "iso5", "turntable", "turntable0", "turntable-1", "Iso4"])
def test_an_unknown_set_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="known: iso4, iso6, faces6, turntable8"):
        make_camera_set(name, lock().work)
