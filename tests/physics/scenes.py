"""Scenes for the tests of worlds."""

import random
from itertools import pairwise

import numpy as np

from pysim.carrying import find_path
from pysim.geometry import (
    IDENTITY,
    Bounds,
    Cell,
    Direction,
    Pose,
    Rotation,
    Voxels,
    add,
    list_rotations,
    merge_boxes,
    subtract,
)
from pysim.motion import Carry, Sweep
from pysim.path import Path, Segment, Shift, Spin
from pysim.physics.world import World
from pysim.scene import Body, Colour, Scene
from pysim.trajectory import Trajectory, Transform

__all__ = [
    "WORK",
    "at",
    "bluntly",
    "brought",
    "farthest_jump",
    "interlocked",
    "named",
    "random_sweep",
    "random_way",
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


def interlocked(rng: random.Random) -> Scene:
    """A small block grown full of 3 to 7 winding bodies, turned in their own frames."""
    size = rng.choice([3, 4, 5])
    free = {(x, y, z) for x in range(size) for y in range(size) for z in range(size)}
    grown: list[list[Cell]] = []
    for _ in range(rng.randint(3, 7)):
        if free:
            cell = rng.choice(sorted(free))
            free.discard(cell)
            grown.append([cell])
    for _ in range(rng.randint(size**2, size**3)):
        body = rng.choice(grown)
        cell = add(rng.choice(body), rng.choice(list(Direction)).vector)
        if cell in free:
            free.discard(cell)
            body.append(cell)
    return scene_of(*(_turned(f"b{i}", cells, rng) for i, cells in enumerate(grown)), table=False)


def _turned(name: str, cells: list[Cell], rng: random.Random) -> Body:
    """A body that covers ``cells``, with any rotation and any origin."""
    rotation = rng.choice(list_rotations())
    offset = (rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-9, 9))
    there = Voxels.from_cells(cells).translate((-offset[0], -offset[1], -offset[2]))
    return named(name, there.rotate(rotation.inverse), offset, rotation)


def random_sweep(rng: random.Random, scene: Scene, farthest: int = 8) -> Sweep:
    names = [body.name for body in scene.bodies]
    group = rng.sample(names, rng.randint(1, max(1, len(names) - 1)))
    distance = rng.choice([1, 1, 1, 2, 2, 3, rng.randint(1, farthest)])
    return Sweep(frozenset(group), rng.choice(list(Direction)), distance)


def random_way(rng: random.Random, farthest: int = 8) -> Path:
    """Up to four legs, some of which turn what is carried about a point near the origin."""
    legs: list[Segment] = []
    for _ in range(rng.randint(0, 4)):
        if rng.random() < 0.2:
            offset = (rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-9, 30))
            legs.append(Spin(rng.choice(list_rotations()[1:]), offset))
        else:
            legs.append(Shift(rng.choice(list(Direction)), rng.randint(1, farthest)))
    return Path(legs)


def bluntly(body: Body, pose: Pose, loose: bool = False) -> Carry:
    """Bring a body from where the scene has it to ``pose`` without looking: turn, x, y, z."""
    legs: list[Segment] = []
    rotation = pose.rotation.compose(body.pose.rotation.inverse)
    turned = body.pose
    if rotation != IDENTITY:
        here = body.place().bounds.low
        turned = Pose.place_corner(body.shape, pose.rotation, here)
        legs.append(Spin(rotation, subtract(turned.offset, rotation.apply(body.pose.offset))))
    legs += _shifts(subtract(pose.offset, turned.offset))
    return Carry(frozenset({body.name}), Path(legs), loose)


def _shifts(way: Cell) -> list[Shift]:
    signed = zip("xyz", way, strict=True)
    return [Shift(Direction(("+" if n > 0 else "-") + a), abs(n)) for a, n in signed if n]


def brought(world: World, scene: Scene, name: str, pose: Pose, loose: bool = False) -> Carry:
    """Bring a body from where it is in a world to ``pose``, past all others."""
    places = {n: _pose_of(t) for n, t in world.transforms().items()}
    body = scene.find_body(name)
    legs = find_path(
        _blocks(body, places[name]),
        pose.find_corner(body.shape),
        tuple(b for o in scene.bodies if o.name != name for b in _blocks(o, places[o.name])),
        floor=None if scene.table is None else scene.table.low[2],
        rotation=pose.rotation.compose(places[name].rotation.inverse),
    )
    return Carry(frozenset({name}), Path(legs), loose)


def _blocks(body: Body, pose: Pose) -> tuple[Bounds, ...]:
    return merge_boxes(pose.place(body.shape))


def _pose_of(transform: Transform) -> Pose:
    rotation = max(list_rotations(), key=lambda r: float((transform[:3, :3] * r.matrix).sum()))
    x, y, z = (round(n) for n in transform[:3, 3].tolist())
    return Pose(rotation, (x, y, z))


def same(one: dict[str, Transform], other: dict[str, Transform], within: float = 0.0) -> bool:
    """Whether two sets of transforms are equal: bit for bit, or ``within`` a distance."""
    return one.keys() == other.keys() and all(
        np.array_equal(one[name], other[name])
        if not within
        else np.allclose(one[name], other[name], rtol=0.0, atol=within)
        for name in one
    )


def farthest_jump(film: Trajectory, scene: Scene) -> float:
    """The most that a cell of a body moves between two looks 1/30 s apart."""
    count = int(film.duration * 30.0) + 2
    looks = [film.sample(k / 30.0) for k in range(count)]
    cells = {b.name: np.array([(*cell, 1.0) for cell in b.shape.cells]) for b in scene.bodies}
    return max(
        float(np.linalg.norm(cells[name] @ (after[name] - before[name]).T, axis=1).max())
        for before, after in pairwise(looks)
        for name in after
    )
