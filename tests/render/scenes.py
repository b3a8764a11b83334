"""Scenes to draw in tests."""

import itertools
import random

import numpy as np

from pysim.geometry import Bounds, Pose, Rotation, Voxels
from pysim.render.palette import PALETTE
from pysim.scene import Body, Colour, Scene
from pysim.trajectory import Transform

NAMES = tuple(PALETTE)


def body(
    name: str, shape: Voxels, corner: tuple[int, int, int], turn: int = 0, loose: bool = False
) -> Body:
    """A body painted like its name, with ``corner`` as the low corner of its bounds."""
    pose = Pose.place_corner(shape, Rotation(turn), corner)
    return Body(name, shape, pose, Colour(name), loose)


def notched_stick(seed: int) -> Voxels:
    """A 2x2x6 stick with some cells of its inner half cut out."""
    choice = random.Random(seed)
    cells = set(Voxels.make_block((2, 2, 6)).cells)
    cells -= {(x, 0, z) for x in (0, 1) for z in range(1, 5) if choice.random() < 0.45}
    return Voxels.from_cells(cells)


def lock() -> Scene:
    """Six crossed sticks, slid apart by two, over a table with three notched sticks."""
    stick = Voxels.make_block((2, 2, 6))
    turns = [Rotation.parse(name).index for name in ("+X+Y+Z", "+Y+Z+X", "+Z+X+Y")]
    corners = [(-2, -1, -3), (0, -1, -3), (-3, -2, -1), (-3, 0, -1), (-1, -3, -2), (-1, -3, 0)]
    away = [(-2, 0, 0), (2, 0, 0), (0, -2, 0), (0, 2, 0), (0, 0, -2), (0, 0, 2)]
    held = [
        body(name, notched_stick(i) if i % 2 else stick, tuple(np.add(corner, step)), turns[i // 2])
        for i, (name, corner, step) in enumerate(zip(NAMES[:6], corners, away, strict=True))
    ]
    lying = [
        body(name, notched_stick(20 + i), (-8 + 7 * i, -17 + 2 * (i % 2), -9), turn, loose=True)
        for i, (name, turn) in enumerate(zip(NAMES[6:9], (turns[2], turns[1], 6), strict=True))
    ]
    table = Bounds((-9, -18, -9), (9, -9, -6))
    return Scene((*held, *lying), Bounds((-5, -5, -5), (4, 4, 4)), table)


def random_scene(seed: int, count: int = 5) -> tuple[Scene, dict[str, Transform]]:
    """Bodies of random cells, every second one at a random, not integer, transform."""
    choice = random.Random(seed)
    bodies = []
    transforms: dict[str, Transform] = {}
    slots = list(itertools.product((-5, -2, 1), repeat=3))
    for name, corner in zip(NAMES, choice.sample(slots, count), strict=False):
        cells = [(choice.randrange(3), choice.randrange(3), choice.randrange(3)) for _ in range(9)]
        bodies.append(body(name, Voxels.from_cells(cells), corner, choice.randrange(24)))
        if choice.random() < 0.5:
            transforms[name] = random_transform(choice)
    return Scene(tuple(bodies), Bounds((-5, -5, -5), (5, 5, 5))), transforms


def random_transform(choice: random.Random) -> Transform:
    """A random turn, about the origin, and a random shift of up to 3 along each axis."""
    q, r = np.linalg.qr(np.array([[choice.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
    q = q * np.sign(np.diag(r))
    transform = np.eye(4)
    transform[:3, :3] = q * np.linalg.det(q)
    transform[:3, 3] = [choice.uniform(-3, 3) for _ in range(3)]
    return transform
