"""Poses of played plans, frame by frame, and moves that cells alone allow or forbid."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.catalog import AnyLevel, family_of
from pysim.geometry import Direction
from pysim.motion import Carry, Sweep

Places = dict[str, NDArray[np.float64]]

PER_UNIT = 3
"""Frames in which a piece goes one unit."""


def walk(level: AnyLevel, steps: int) -> tuple[list[Places], Places]:
    """The frames of the first steps of a plan, and where everything is after them.

    Sweeps go smoothly; who is carried is there in one frame.
    """
    rules = family_of(level).rules
    state: Any = rules.initial(level)
    places = {b.name: b.pose.transform() for b in rules.scene(level, state).bodies}
    frames = [dict(places)]
    for action in level.plan.actions[:steps]:
        done = rules.apply(level, state, action)
        for motion in done.motions:
            if isinstance(motion, Sweep):
                frames += slid(frames[-1], motion.bodies, motion.direction, motion.distance)
        state = done.state
        after = {b.name: b.pose.transform() for b in rules.scene(level, state).bodies}
        carried = {n for m in done.motions if isinstance(m, Carry) for n in m.bodies}
        frames.append({n: after[n] if n in carried else frames[-1][n] for n in after})
    return frames, frames[-1]


def slid(places: Places, names: Any, direction: Direction, units: int) -> list[Places]:
    frames = []
    for k in range(1, units * PER_UNIT + 1):
        moved = dict(places)
        for name in names:
            moved[name] = places[name].copy()
            moved[name][:3, 3] += np.array(direction.vector) * (k / PER_UNIT)
        frames.append(moved)
    return frames


def stacked(names: tuple[str, ...], frames: list[Places]) -> NDArray[np.float64]:
    return np.array([[frame[name] for name in names] for frame in frames])


def cells_at(shape: Any, place: NDArray[np.float64]) -> set[tuple[int, ...]]:
    there = np.array(shape.cells) @ place[:3, :3].T + place[:3, 3]
    return {tuple(int(v) for v in row) for row in np.round(there)}


def free_way(
    shapes: dict[str, Any], places: Places, moving: set[str], direction: Direction, units: int
) -> int:
    """Units that pieces can go before their cells meet those of others: by sets, and no more."""
    others = set().union(*(cells_at(shapes[n], places[n]) for n in places if n not in moving))
    mine = set().union(*(cells_at(shapes[n], places[n]) for n in moving))
    for gone in range(1, units + 1):
        step = direction.vector
        mine = {(x + step[0], y + step[1], z + step[2]) for x, y, z in mine}
        if mine & others:
            return gone - 1
    return units


def draws(levels: list[AnyLevel], count: int, seed: int) -> Iterator[Any]:
    """Random pushes after random steps of plans: level, frames, pieces, direction, units, way."""
    random = Random(seed)
    for _ in range(count):
        level = random.choice(levels)
        rules = family_of(level).rules
        scene = rules.scene(level, rules.initial(level))
        shapes = {b.name: b.shape for b in scene.bodies}
        frames, places = walk(level, random.randrange(max(1, len(level.plan) // 2)))
        names = sorted(shapes)
        moving = set(random.sample(names, random.choice([1, 1, 1, 2])))
        direction, units = random.choice(list(Direction)), random.randint(1, 4)
        way = free_way(shapes, places, moving, direction, units)
        yield level, frames, moving, direction, units, way
