"""Pushes of pieces by poses alone: legal or not is said by sets of cells, and by nothing else."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import true_tracks
from bridge.video.verdict.violations import ViolationKind
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.geometry import Direction
from pysim.motion import Carry, Sweep

__all__ = ["Push", "is_refused", "missed_pushes", "pushes"]

Places = dict[str, NDArray[np.float64]]

LEVELS = ("burr-piston", "burr-chinese-cross", "burr-generated-sticks-4")
PER_UNIT = 3
"""Frames in which a piece goes one unit."""
IN_THE_WAY = (ViolationKind.ILLEGAL, ViolationKind.INTERPENETRATION)


class Push:
    """Some steps of a plan, and then a push.

    Attributes:
        level: of which puzzle.
        frames: the poses, frame by frame.
        before: frames before the push.
        pieces, direction, units: who is pushed, and how far.
        way: units until their cells meet others'.
    """

    def __init__(self, level: AnyLevel, random: Random) -> None:
        self.level = level
        rules = find_family(level).rules
        shapes = {b.name: b.shape for b in rules.scene(level, rules.initial(level)).bodies}
        steps = 0 if level.plan is None else max(1, len(level.plan) // 2)
        self.frames = _walked(level, random.randrange(steps))
        self.before = len(self.frames)
        self.pieces = set(random.sample(sorted(shapes), random.choice([1, 1, 1, 2])))
        self.direction, self.units = random.choice(list(Direction)), random.randint(1, 4)
        self.way = _way(shapes, self.frames[-1], self.pieces, self.direction, self.units)
        self.frames += _slid(self.frames[-1], self.pieces, self.direction, self.units)
        self.frames += [self.frames[-1]] * 3

    @property
    def legal(self) -> bool:
        """Whether nothing is in the way."""
        return self.way == self.units


def pushes(count: int, seed: int) -> Iterator[Push]:
    """So many random pushes."""
    random, known = Random(seed), [find_level(name) for name in LEVELS]
    for _ in range(count):
        yield Push(random.choice(known), random)


def is_refused(push: Push) -> bool:
    """Return whether the judge says that something is where it can't be."""
    subject = Subject.of(push.level, speed=1000.0)  # Who is carried leaps here.
    poses = np.array([[frame[name] for name in subject.names] for frame in push.frames])
    ruling = rule_on(subject, true_tracks(subject.names, poses, 24.0))
    return any(v.kind in IN_THE_WAY and {*v.pieces} & push.pieces for v in ruling.violations)


def missed_pushes(count: int, seed: int) -> tuple[int, int]:
    """Illegal pushes that the judge takes for legal ones, and legal ones that it refuses."""
    missed = refused = 0
    for push in pushes(count, seed):
        said = is_refused(push)
        missed += not said and not push.legal
        refused += said and push.legal
    return missed, refused


def _walked(level: AnyLevel, steps: int) -> list[Places]:
    """Return frames of the first steps of a plan; sweeps are smooth, who is carried leaps."""
    rules = find_family(level).rules
    state: Any = rules.initial(level)
    frames = [{b.name: b.pose.transform() for b in rules.scene(level, state).bodies}]
    for action in level.plan.actions[:steps] if level.plan is not None else ():
        done = rules.apply(level, state, action)
        for motion in done.motions:
            if isinstance(motion, Sweep):
                frames += _slid(frames[-1], motion.bodies, motion.direction, motion.distance)
        state = done.state
        after = {b.name: b.pose.transform() for b in rules.scene(level, state).bodies}
        carried = {n for m in done.motions if isinstance(m, Carry) for n in m.bodies}
        frames.append({n: after[n] if n in carried else frames[-1][n] for n in after})
    return frames


def _slid(places: Places, names: Any, direction: Direction, units: int) -> list[Places]:
    frames = []
    for k in range(1, units * PER_UNIT + 1):
        moved = dict(places)
        for name in names:
            moved[name] = places[name].copy()
            moved[name][:3, 3] += np.array(direction.vector) * (k / PER_UNIT)
        frames.append(moved)
    return frames


def _way(
    shapes: dict[str, Any], places: Places, moving: set[str], direction: Direction, units: int
) -> int:
    others = set().union(*(_cells(shapes[n], places[n]) for n in places if n not in moving))
    mine = set().union(*(_cells(shapes[n], places[n]) for n in moving))
    x, y, z = direction.vector
    for gone in range(1, units + 1):
        mine = {(a + x, b + y, c + z) for a, b, c in mine}
        if mine & others:
            return gone - 1
    return units


def _cells(shape: Any, place: NDArray[np.float64]) -> set[tuple[int, int, int]]:
    there = np.round(np.array(shape.cells) @ place[:3, :3].T + place[:3, 3]).astype(int)
    return {(a, b, c) for a, b, c in there.tolist()}
