"""Scenes for the tests of worlds."""

import random
from itertools import pairwise

import numpy as np

from pysim.geometry import (
    IDENTITY,
    Bounds,
    Cell,
    Direction,
    Pose,
    Rotation,
    Voxels,
    add,
    all_rotations,
)
from pysim.motion import Sweep, Trajectory, Transform
from pysim.scene import Body, Colour, Scene

__all__ = [
    "WORK",
    "at",
    "farthest_jump",
    "interlocked",
    "named",
    "random_sweep",
    "same",
    "scene_of",
]

WORK = Bounds((-8, -8, 0), (8, 8, 12))
TABLE = Bounds((20, -10, 0), (40, 10, 0))


def scene_of(*bodies: Body, table: bool = True) -> Scene:
    """A scene with the table's surface at z = -0.5."""
    return Scene(bodies, WORK, TABLE if table else None)


def named(
    name: str, shape: Voxels, offset: Cell, rotation: Rotation = IDENTITY, loose: bool = False
) -> Body:
    return Body(name, shape, Pose(rotation, offset), Colour(name), loose)


def at(x: int, y: int, z: int, rotation: Rotation = IDENTITY) -> Pose:
    return Pose(rotation, (x, y, z))


def interlocked(chance: random.Random) -> Scene:
    """A small block grown full of 3 to 7 winding bodies, turned in their own frames."""
    size = chance.choice([3, 4, 5])
    free = {(x, y, z) for x in range(size) for y in range(size) for z in range(size)}
    grown: list[list[Cell]] = []
    for _ in range(chance.randint(3, 7)):
        if free:
            cell = chance.choice(sorted(free))
            free.discard(cell)
            grown.append([cell])
    for _ in range(chance.randint(size**2, size**3)):
        body = chance.choice(grown)
        cell = add(chance.choice(body), chance.choice(list(Direction)).vector)
        if cell in free:
            free.discard(cell)
            body.append(cell)
    return scene_of(
        *(_turned(f"b{i}", cells, chance) for i, cells in enumerate(grown)), table=False
    )


def _turned(name: str, cells: list[Cell], chance: random.Random) -> Body:
    """A body that covers ``cells``, with any rotation and any origin."""
    rotation = chance.choice(all_rotations())
    offset = (chance.randint(-9, 9), chance.randint(-9, 9), chance.randint(-9, 9))
    there = Voxels.of(cells).moved((-offset[0], -offset[1], -offset[2]))
    return named(name, there.rotated(rotation.inverse), offset, rotation)


def random_sweep(chance: random.Random, scene: Scene, farthest: int = 8) -> Sweep:
    names = [body.name for body in scene.bodies]
    group = chance.sample(names, chance.randint(1, max(1, len(names) - 1)))
    distance = chance.choice([1, 1, 1, 2, 2, 3, chance.randint(1, farthest)])
    return Sweep(frozenset(group), chance.choice(list(Direction)), distance)


def same(one: dict[str, Transform], other: dict[str, Transform], within: float = 0.0) -> bool:
    """Whether two sets of transforms are equal: bit for bit, or ``within`` a distance."""
    return one.keys() == other.keys() and all(
        np.array_equal(one[name], other[name])
        if not within
        else np.allclose(one[name], other[name], rtol=0.0, atol=within)
        for name in one
    )


def farthest_jump(film: Trajectory) -> float:
    """The most that a body's origin moves between two looks 1/30 s apart."""
    count = int(film.duration * 30.0) + 2
    looks = [film.at(k / 30.0) for k in range(count)]
    return max(
        float(np.linalg.norm(after[name][:3, 3] - before[name][:3, 3]))
        for before, after in pairwise(looks)
        for name in after
    )
