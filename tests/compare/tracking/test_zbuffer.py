"""Pieces in depth buffers, held against rays that are cut with each cell."""

import numpy as np
import pytest

from bridge.compare.tracking.posing import moved
from bridge.compare.tracking.search import (
    Sight,
)
from bridge.compare.tracking.zbuffer import PieceFaces, Scratch, draw_piece, faces_of
from pysim.geometry import Voxels
from pysim.render.camera import fit
from pysim.render.pinhole import Pinhole

SHAPE = Voxels.from_cells([(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1)])
SIZE = 60


def camera() -> Pinhole:
    return Pinhole.from_camera(
        fit("c", (0.6, -1.0, 0.7), SHAPE.bounds.expand((2, 2, 2), (2, 2, 2))), SIZE
    )


def lens_of(seen: Pinhole) -> np.ndarray:
    return np.array([seen.focal, seen.intrinsics[0, 2], seen.intrinsics[1, 2]])


def by_rays(seen: Pinhole, pose: np.ndarray) -> np.ndarray:
    """Inverse depth by cutting the ray of each pixel with each cell (slabs)."""
    rows, columns = np.mgrid[:SIZE, :SIZE] + 0.5
    x = (columns - seen.intrinsics[0, 2]) / seen.focal
    y = (rows - seen.intrinsics[1, 2]) / seen.focal
    back = np.linalg.inv(seen.extrinsics @ pose)
    way = np.stack([x, y, np.ones_like(x)], axis=-1) @ back[:3, :3].T
    nearest = np.zeros((SIZE, SIZE))
    for cell in SHAPE.cells:
        with np.errstate(divide="ignore"):
            cuts = np.stack([(np.array(cell) + s - back[:3, 3]) / way for s in (-0.5, 0.5)])
        enter, leave = cuts.min(axis=0).max(axis=-1), cuts.max(axis=0).min(axis=-1)
        nearest = np.maximum(nearest, np.where(leave > enter, 1.0 / enter, 0.0))
    return nearest


@pytest.mark.parametrize("degrees", [0.0, 25.0])
def test_depths_are_those_of_rays(degrees: float) -> None:
    seen, pose = camera(), np.eye(4)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    pose[:2, :2] = [[c, -s], [s, c]]
    faces = faces_of(SHAPE)
    depth = np.zeros((SIZE, SIZE), np.float32)
    labels = np.full((SIZE, SIZE), -1, np.int16)
    view = np.ascontiguousarray(seen.extrinsics)
    draw_piece(faces.corners, faces.normals, pose, view, lens_of(seen), 8, depth, labels)
    true = by_rays(seen, pose)
    same = (depth > 0) == (true > 0)
    assert same.mean() > 0.999 and (true > 0).sum() > 150
    both = (depth > 0) & (true > 0)
    assert np.abs(depth[both] / true[both] - 1.0).max() < 1e-3
    assert set(np.unique(labels)) <= {-1, 8, 9, 10}
    assert ((labels >= 0) == (depth > 0)).all()


def test_a_hypothesis_is_weighed_where_it_is_seen_and_leaves_its_buffers_empty() -> None:
    seen, faces = camera(), faces_of(SHAPE)
    scratch = Scratch.of(SIZE, SIZE)
    ones = np.ones((SIZE, SIZE), np.float32)
    costs = np.zeros((3, SIZE, SIZE), np.float32)
    true = by_rays(seen, np.eye(4))

    def sight(behind: np.ndarray) -> Sight:
        view = np.ascontiguousarray(seen.extrinsics)
        return Sight(
            PieceFaces(faces.corners, faces.normals),
            np.zeros(3),
            view,
            lens_of(seen),
            costs,
            behind.astype(np.float32),
            ones,
            scratch,
        )

    free = sight(np.zeros((SIZE, SIZE))).weigh(np.eye(4))
    assert free.cost == -free.seen and free.seen == free.covered == free.good
    assert abs(free.seen - (true > 0).sum()) <= 2
    hidden = sight(true + 1.0).weigh(np.eye(4))
    assert hidden.seen == 0 and hidden.cost == 0.0 and hidden.covered == free.covered
    assert not scratch.depth.any()
    assert sight(np.zeros((SIZE, SIZE))).weigh(moved(np.eye(4), np.full(3, 1e3))).covered == 0


def test_rectangles_cover_the_outside_of_a_shape_once() -> None:
    shape = Voxels.from_cells([*SHAPE.cells, (0, 1, 0), (1, 2, 0), (2, 2, 0)])
    faces = faces_of(shape)
    first, second, _, fourth = np.moveaxis(faces.corners, 1, 0)
    outward = np.cross(second - first, fourth - first)
    areas = np.abs(outward).sum(axis=1)
    assert (
        np.array_equal(np.sign(np.abs(outward)), np.abs(faces.normals)) and len(areas) < areas.sum()
    )
    squares = set()
    for low, high, normal in zip(
        faces.corners.min(axis=1), faces.corners.max(axis=1), faces.normals, strict=True
    ):
        # Middles of unit squares, doubled so that they are whole; the normal tells sides apart.
        spans = [np.arange(a + 0.5 * (a < b), b + 0.1) for a, b in zip(low, high, strict=True)]
        for x, y, z in np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 3):
            square = (round(2 * x), round(2 * y), round(2 * z), *normal.astype(int).tolist())
            assert square not in squares
            squares.add(square)
    bare = {
        (*(2 * np.array(cell) + way).tolist(), *way.tolist())
        for cell in shape.cells
        for way in np.concatenate([np.eye(3, dtype=int), -np.eye(3, dtype=int)])
        if tuple((np.array(cell) + way).tolist()) not in shape.cells
    }
    assert squares == bare
