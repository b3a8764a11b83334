"""Random pushes of pieces of locks: sets of cells alone tell whether each is lawful."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import count as count_from
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.tracking.course import Course
from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.violations import Violation, ViolationKind
from pysim.catalog import find_family
from tests.sampling import more
from tests.video.verdict.test_track_judging import course_of, film, track

LOCKS = ("burr-piston", "burr-chinese-cross", "burr-generated-sticks-4")
PER_UNIT = 4
"""Frames in which a piece goes one unit, as in films."""
REST = 6
"""Frames after a push."""
FITTING = {ViolationKind.INTERPENETRATION, ViolationKind.ILLEGAL, ViolationKind.ORDER}
"""Kinds of a push through others; a piece that a later step moves so comes too early."""

_Array = NDArray[np.float64]
_Cells = set[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Push:
    """Steps of a film, and then a push of pieces.

    Attributes:
        course: what is pushed.
        poses: (F, B, 4, 4) frame by frame.
        first: its first frame.
        pieces, way: the bodies that are pushed, and by how much.
        is_lawful: whether their cells meet no others on their way.
    """

    course: Course
    poses: _Array
    first: int
    pieces: Set[int]
    way: _Array
    is_lawful: bool

    def judge(self) -> tuple[Violation, ...]:
        return rule_on(self.course, track(self.course, self.poses)).violations

    def is_judged_right(self) -> bool:
        """Whether there is no violation of a lawful one, and one that fits of another."""
        found = self.judge()
        if self.is_lawful or len(found) != 1:
            return self.is_lawful and not found
        (one,), names = found, {self.course.names[body] for body in self.pieces}
        return one.kind in FITTING and bool({*one.pieces} & names) and one.first >= self.first

    def __str__(self) -> str:
        names = ", ".join(sorted(self.course.names[body] for body in self.pieces))
        kind = "lawful" if self.is_lawful else "unlawful"
        return f"{self.course.level.id}: {kind}, {names} by {self.way} after {self.first} frames"


def find_cells(course: Course, poses: _Array, body: int) -> _Cells:
    there = course.cells[body] @ poses[body, :3, :3].T + poses[body, :3, 3]
    return {(x, y, z) for x, y, z in np.round(there).astype(int).tolist()}


def reaches_into(some: _Cells, others: _Cells) -> bool:
    """Whether the boxes around two sets of cells overlap: the pieces still hold each other."""
    one, other = np.array(sorted(some)), np.array(sorted(others))
    return bool(((one.min(0) <= other.max(0)) & (other.min(0) <= one.max(0))).all())


def draw_push(random: Random) -> Push | None:
    """Draw one; None if the pieces would leave the lock, after which they are not held."""
    course = course_of(random.choice(LOCKS))
    step = random.randrange(len(course.steps))
    end = course.steps[step - 1].last_frame + 1 if step else 1
    frames = film(course)[: end + REST]
    places = frames[-1]
    state = course.find_state(step)
    held = list_held(course, state)
    if len(held) < 2:
        return None
    pieces = set(random.sample(held, min(random.choice([1, 1, 1, 2]), len(held) - 1)))
    way, units = np.zeros(3, int), random.randint(1, 4)
    way[random.randrange(3)] = random.choice([-1, 1])
    mine = set[tuple[int, int, int]]().union(*(find_cells(course, places, b) for b in pieces))
    rest = [b for b in held if b not in pieces]
    beside = [find_cells(course, places, b) for b in rest]
    others = set[tuple[int, int, int]]().union(*beside)
    lawful = True
    for _ in range(units):
        mine = {(x + way[0], y + way[1], z + way[2]) for x, y, z in mine}
        lawful = lawful and not mine & others
        # What has left the lock together with another piece lies beside it, in no one's way.
        if not any(reaches_into(mine, cells) for cells in beside):
            return None
    share = np.minimum(np.arange(1, PER_UNIT * units + REST + 1) / PER_UNIT, units)
    pushed = np.repeat(places[None], len(share), axis=0)
    for body in pieces:
        pushed[:, body, :3, 3] += share[:, None] * way
    poses = np.concatenate([frames, pushed])
    return Push(course, poses, len(frames), pieces, units * way, lawful)


def list_held(course: Course, state: object) -> list[int]:
    """Return the bodies that are still held by others after a step: those that don't lie."""
    scene = find_family(course.level).rules.scene(course.level, state)
    return [course.names.index(body.name) for body in scene.bodies if not body.loose]


def draw_pushes(count: int, seed: int) -> Iterator[Push]:
    """Draw so many, every other one lawful: few are, of all."""
    random = Random(seed)
    for number in range(count):
        drawn = (draw_push(random) for _ in count_from(0))
        yield next(push for push in drawn if push and push.is_lawful == (number % 2 == 0))


@pytest.mark.slow
def test_lawful_pushes_break_nothing_and_others_are_one_violation() -> None:
    wrong = [push for push in draw_pushes(more(10), 7) if not push.is_judged_right()]
    assert not wrong, "\n".join(f"{push}: {push.judge()}" for push in wrong)


@pytest.mark.slow
def test_ten_thousand_pushes_are_judged_right() -> None:
    wrong = [push for push in draw_pushes(10_000, 8) if not push.is_judged_right()]
    assert not wrong, "\n".join(f"{push}: {push.judge()}" for push in wrong)
