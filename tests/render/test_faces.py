"""Faces of a scene: covered ones are left out, and flat ones are one piece."""

import random
from collections import Counter

import numpy as np
import pytest

from pysim.geometry import Direction, Pose, Rotation, Voxels, add
from pysim.render.faces import build_corners, find_covered, list_faces, merge_faces
from pysim.render.mesh import Model, Patch

Placed = list[tuple[Voxels, Pose]]


def pile(seed: int, bodies: int = 4) -> Placed:
    """Bodies of random cells that fill a block side by side, each in a random rotation."""
    choice = random.Random(seed)
    cells = [(x, y, z) for x in range(4) for y in range(3) for z in range(3)]
    owner = {cell: choice.randrange(bodies + 1) for cell in cells}
    placed = []
    for number in range(bodies):
        world = [cell for cell in cells if owner[cell] == number] or [(9, number, 0)]
        pose = Pose(Rotation(choice.randrange(24)), (choice.randrange(-3, 4), 2, -1))
        back = pose.rotation.inverse
        shape = Voxels.from_cells(
            back.apply((x - pose.offset[0], y - pose.offset[1], z - pose.offset[2]))
            for x, y, z in world
        )
        placed.append((shape, pose))
    return placed


def transforms(placed: Placed) -> np.ndarray:
    return np.array([pose.transform() for _, pose in placed])


def models(placed: Placed) -> tuple[Model, ...]:
    return tuple(Model(shape) for shape, _ in placed)


def is_covered(placed: Placed, body: int, cell: tuple[int, int, int], side: Direction) -> bool:
    """Whether another body fills the cell in front of a face."""
    _, pose = placed[body]
    here = pose.place(Voxels.from_cells([cell])).cells[0]
    front = add(here, pose.rotation.apply(side.vector))
    return any(
        front in other_pose.place(other).cells
        for number, (other, other_pose) in enumerate(placed)
        if number != body
    )


def cell_of(face: np.void) -> tuple[int, int, int]:
    """Cell behind a cell face."""
    side = list(Direction)[int(face["side"])]
    axis = int(face["side"]) // 2
    cell = [0, 0, 0]
    cell[axis] = (int(face["level"]) - side.sign) // 2
    cell[(axis + 1) % 3], cell[(axis + 2) % 3] = int(face["u"]), int(face["v"])
    return (cell[0], cell[1], cell[2])


@pytest.mark.parametrize("seed", range(6))
def test_face_is_covered_where_another_body_fills_the_cell_before_it(seed: int) -> None:
    placed = pile(seed)
    faces = list_faces(models(placed))
    covered = find_covered(faces, transforms(placed)[None], np.ones(4, dtype=bool))[0]
    for face, hidden in zip(faces, covered, strict=True):
        side = list(Direction)[int(face["side"])]
        assert hidden == is_covered(placed, int(face["body"]), cell_of(face), side)
    assert 0 < covered.sum() < len(faces)


def test_bodies_off_the_lattice_or_seen_through_cover_nothing() -> None:
    placed = pile(1)
    faces = list_faces(models(placed))
    moved = transforms(placed)
    moved[0, 0, 3] += 0.25
    covered = find_covered(faces, np.stack([transforms(placed), moved]), np.ones(4, dtype=bool))
    assert not covered[1, faces["body"] == 0].any()
    assert covered[1].sum() < covered[0].sum()
    clear = np.array([False, True, True, True])
    assert np.array_equal(find_covered(faces, transforms(placed)[None], clear)[0], covered[1])


def test_overlapping_bodies_keep_the_faces_that_look_the_same_way() -> None:
    cube = Voxels.make_block((1, 1, 1))
    faces = list_faces((Model(cube), Model(cube)))
    same = np.stack([np.eye(4), np.eye(4)])
    assert not find_covered(faces, same[None], np.ones(2, dtype=bool)).any()


@pytest.mark.parametrize("seed", range(6))
def test_merged_faces_cover_each_cell_face_once(seed: int) -> None:
    faces = list_faces(models(pile(seed)))
    merged = merge_faces(faces.copy())
    assert len(merged) < len(faces)
    seen: Counter[tuple[int, ...]] = Counter()
    for face in merged:
        for across in range(int(face["width"])):
            for up in range(int(face["height"])):
                place = (face["u"] + across, face["v"] + up)
                seen[(*(int(face[name]) for name in ("body", "side", "level")), *place)] += 1
    names = ("body", "side", "level", "u", "v")
    assert seen == Counter(tuple(int(face[name]) for name in names) for face in faces)


def test_block_has_six_faces_and_bends_at_all_their_sides() -> None:
    merged = merge_faces(list_faces((Model(Voxels.make_block((2, 3, 5))),)).copy())
    assert len(merged) == 6 and (merged["edges"] == 15).all()
    assert sorted(zip(merged["width"], merged["height"], strict=True)) == sorted(
        2 * [(3, 5), (5, 2), (2, 3)]
    )


def test_faces_with_a_sticker_or_in_a_corner_stay_alone() -> None:
    patch = Patch((0, 0, 0), Direction.PLUS_Z, (1, 2, 3))
    stuck = merge_faces(list_faces((Model(Voxels.make_block((2, 1, 1)), (patch,)),)).copy())
    assert sorted(stuck["width"] * stuck["height"]) == [1, 1, 1, 1, 2, 2, 2]
    step = merge_faces(
        list_faces((Model(Voxels.from_cells([(0, 0, 0), (1, 0, 0), (1, 0, 1)])),)).copy()
    )
    dark = step[step["openness"] < 255]
    assert len(dark) and (dark["width"] * dark["height"] == 1).all()


@pytest.mark.parametrize("seed", range(3))
def test_corners_are_those_of_the_cells_and_run_around_outwards(seed: int) -> None:
    faces = list_faces(models(pile(seed)))
    corners = build_corners(merge_faces(faces.copy()), 4)
    at = corners["position"].astype(np.float64)
    normal = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])
    area = np.linalg.norm(normal, axis=1)
    sides = np.array([side.vector for side in Direction])[corners["normal"][:, 0] & 7]
    assert np.allclose(normal / area[:, None], sides)
    assert area.sum() == len(faces)
    assert np.array_equal(area, corners["extent"][:, 0].astype(int).prod(axis=1))
