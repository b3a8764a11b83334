"""Courses: lawful sequences of actions, and where bodies are while they are shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.recording.layout import HeldFrame, Phase
from bridge.recording.timeline import EpisodeRecording, make_timeline
from bridge.video.reference.bundle import Bundle, BundleStep
from bridge.video.reference.film import TrueFilm
from bridge.video.thresholds import LIMITS
from pysim.catalog import AnyLevel, find_family
from pysim.field_types import build_action, encode_arguments
from pysim.physics.factory import create_world
from pysim.puzzle import Action, ActionError, Outcome
from pysim.render.palette import PALETTE, parse_color
from pysim.scene import Body, Colour, Scene

__all__ = [
    "Course",
    "build_step",
    "find_departure",
    "find_places",
    "list_branches",
    "list_colours",
    "list_others",
    "list_rest",
    "measure_poses",
    "measure_turns",
]

_Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Course:
    """A lawful sequence of actions, filmed.

    Attributes:
        level: the puzzle.
        names: its bodies.
        fps: frames a second.
        poses: (P, B, 4, 4) from body to world, one of each rest and all others in order; NaN where
            a body is not there.
        frames: (P,) the frame in which each is first seen.
        steps: the actions, with the frames in which their bodies move.
        solved: whether they solve the level.
        speed: times as fast as usual.
        planned: of a branch, the steps of the film that it leaves.
    """

    level: AnyLevel
    names: tuple[str, ...]
    fps: float
    poses: _Array
    frames: _Array
    steps: tuple[BundleStep, ...]
    solved: bool
    speed: float = 1.0
    planned: tuple[BundleStep, ...] = ()

    @staticmethod
    def of_film(film: TrueFilm) -> "Course":
        """Return the course of a film, with a pose for each of its pictures."""
        manifest = film.bundle.manifest
        return Course(
            film.bundle.level,
            film.bundle.names,
            manifest.fps,
            film.bundle.poses[film.frames],
            film.frames.astype(np.float64),
            manifest.steps,
            manifest.solved,
            manifest.speed,
        )

    @staticmethod
    def of_bundle(bundle: Bundle) -> "Course":
        """Return the course of a bundle's film."""
        manifest = bundle.manifest
        poses, frames = _drop_rests(bundle.poses)
        return Course(
            bundle.level,
            bundle.names,
            manifest.fps,
            poses,
            frames,
            manifest.steps,
            manifest.solved,
            manifest.speed,
        )

    @staticmethod
    def record(
        level: AnyLevel,
        actions: Sequence[Action],
        *,
        fps: float = 24,
        speed: float = 1.0,
        names: tuple[str, ...] | None = None,
    ) -> "Course":
        """Record actions from the start of a level, as films of them are made.

        Args:
            speed: times as fast as usual.
            names: the bodies; None for all.

        Raises:
            IllegalMove: an action is refused.
        """
        timeline, solved = _play(level, actions, fps, speed)
        shown = [held for held in timeline for _ in range(held.frames)]
        known = names or tuple(
            dict.fromkeys(body.name for held in timeline for body in held.scene.bodies)
        )
        steps = tuple(
            BundleStep(k, type(action).tool, encode_arguments(action), *_find_frames(shown, k))
            for k, action in enumerate(actions, 1)
        )
        poses, frames = _drop_rests(_stack_poses(shown, known))
        return Course(level, known, fps, poses, frames, steps, solved, speed)

    def branch(self, actions: Sequence[Action]) -> "Course":
        """Record other actions, as fast as this course.

        Raises:
            IllegalMove: an action is refused.
        """
        haste = self._measure_speed() / LIMITS.usual_speed / self.speed
        speed = self.speed * max(1.0, haste)
        course = Course.record(self.level, actions, fps=self.fps, speed=speed, names=self.names)
        return replace(course, speed=self.speed, planned=self.planned or self.steps)

    def _measure_speed(self) -> float:
        """Return the units a second that bodies go at most, but for leaps, as through a gate."""
        # Where all that moves is hidden, a film has one pose of many frames.
        rates = np.concatenate([[0.0], self.steps_sizes / np.diff(self.frames), [0.0]])
        beside = np.maximum(rates[:-2], rates[2:])
        return self.fps * float(np.minimum(rates[1:-1], beside).max(initial=0.0))

    @cached_property
    def scene(self) -> Scene:
        """Scene in which the level begins."""
        rules = find_family(self.level).rules
        return rules.scene(self.level, rules.initial(self.level))

    @cached_property
    def cells(self) -> tuple[_Array, ...]:
        """Cells (m, 3) of each body, in its own coordinates."""
        return tuple(
            np.array(self.scene.find_body(name).shape.cells, np.float64) for name in self.names
        )

    @cached_property
    def colors(self) -> tuple[_Array, ...]:
        """Colours (k, 3) of each body, sRGB from 0 to 255: those of its stickers if it has some."""
        bodies = (self.scene.find_body(name) for name in self.names)
        return tuple(
            np.array([parse_color(c, PALETTE) for c in list_colours(body)], np.float64)
            for body in bodies
        )

    @cached_property
    def boxes(self) -> _Array:
        """Frame (B, 4, 4) of the box around each body: its half edges as axes, and its middle."""
        return np.stack([_make_box(self.scene.find_body(name)) for name in self.names])

    @cached_property
    def steps_sizes(self) -> _Array:
        """Units (P - 1,) that the fastest body goes from each pose to the next."""
        far = measure_poses(self.poses[:-1], self.poses[1:], self.boxes)
        return np.asarray(np.nan_to_num(far).max(axis=1, initial=0.0))

    @cached_property
    def travel(self) -> _Array:
        """Units (P,) that the fastest bodies have gone until each pose."""
        return np.concatenate([[0.0], np.cumsum(self.steps_sizes)])

    @cached_property
    def step_ends(self) -> NDArray[np.int64]:
        """Positions at which the steps are over."""
        return self.find_position(np.array([step.last_frame for step in self.steps], np.int64))

    def find_position(self, frames: NDArray[np.int64] | _Array) -> NDArray[np.int64]:
        """Return the positions of the poses that are seen in frames."""
        return np.asarray(np.searchsorted(self.frames, frames, side="right") - 1)

    def find_before(self, position: int, slack: float, first: int) -> int:
        """Return the first position from which a motion has hardly anything to go.

        Args:
            position: the end of the motion.
            slack: units that are hardly anything, if the motion goes much farther.
            first: its first position; after its end if there is none.
        """
        if first > position:
            return position
        gone = self.travel[first - 1 : position + 1] - self.travel[first - 1]
        left = min(slack, LIMITS.hardly_any * float(gone[-1]))
        # Where nothing moves, it has all to go before its first position.
        over = int(np.searchsorted(gone, float(gone[-1]) - left, side="left"))
        return first - 1 + max(1, over)

    def list_ends(self, slack: float) -> list[tuple[int, int, int]]:
        """Return for each step its first position, the one from which it is over, and its end.

        Args:
            slack: as for :meth:`find_before`.
        """
        ends = self.step_ends.tolist()
        begins = [1, *(end + 1 for end in ends)]
        return [
            (begin, self.find_before(end, slack, begin), end)
            for begin, end in zip(begins, ends, strict=False)
        ]

    def list_actions(self) -> list[Action]:
        """Return the actions."""
        return [build_step(self.level, step) for step in self.steps]

    def list_states(self) -> Iterator[Any]:
        """Yield the state at first, and after each step."""
        rules = find_family(self.level).rules
        state = rules.initial(self.level)
        yield state
        for step in self.steps:
            state = rules.apply(self.level, state, build_step(self.level, step)).state
            yield state

    def find_state(self, steps: int) -> Any:
        """Return the state after so many steps."""
        return next(islice(self.list_states(), steps, None))

    def refine(self) -> "Course":
        """Return the course with poses between those that are far apart."""
        sizes = self.steps_sizes
        counts = np.clip(np.ceil(sizes / LIMITS.fine_step), 1, LIMITS.most_fine).astype(int)
        counts[~np.isfinite(self.poses[:-1]).all(axis=(1, 2, 3))] = 1
        counts[~np.isfinite(self.poses[1:]).all(axis=(1, 2, 3))] = 1
        start = np.repeat(np.arange(len(counts)), counts)
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        share = (np.arange(len(start)) - first[start]) / counts[start]
        gaps = np.minimum(np.diff(self.frames), 1.0)
        # A rest ends in the frame before the next pose.
        frames = np.where(
            share > 0.0, self.frames[start + 1] - gaps[start] * (1.0 - share), self.frames[start]
        )
        weight = share[:, None, None, None]
        poses = (1.0 - weight) * self.poses[start] + weight * self.poses[start + 1]
        poses = np.concatenate([poses, self.poses[-1:]])
        poses[..., :3, :3] = _make_rigid(poses[..., :3, :3])
        return replace(self, poses=poses, frames=np.append(frames, self.frames[-1]))


def build_step(level: AnyLevel, step: BundleStep) -> Action:
    """Return the action of a step.

    Raises:
        InputError, KeyError: the level has no such action.
    """
    types = {action.tool: action for action in find_family(level).actions}
    return build_action(types[step.action], step.arguments)


def list_colours(body: Body) -> list[Colour]:
    """Return the colours by which a body is told from others."""
    return list(dict.fromkeys(sticker.colour for sticker in body.stickers)) or [body.colour]


def find_places(course: Course, state: object) -> _Array:
    """Return where bodies (B, 4, 4) are in a state; NaN for one that is not there."""
    scene = find_family(course.level).rules.scene(course.level, state)
    poses = {body.name: body.pose.transform() for body in scene.bodies}
    nowhere = np.full((4, 4), np.nan)
    return np.stack([poses.get(name, nowhere) for name in course.names])


def find_departure(wrong: NDArray[np.bool_]) -> int:
    """Return the frame in which bodies (F, B) leave a course; the number of frames if never."""
    few, off = LIMITS.lasting_frames, np.asarray(wrong.any(axis=1))
    lasting = np.convolve(off, np.ones(few), "valid") >= few
    return int(lasting.argmax()) if lasting.any() else len(off)


def list_branches(course: Course, position: int, slack: float) -> Iterator[int]:
    """Yield after how many steps something else may have been done by a position, latest first.

    Args:
        slack: as for :meth:`Course.find_before`.
    """
    over = [over for _, over, _ in course.list_ends(slack)]
    done = int(np.searchsorted(over, position, side="right"))
    rules = find_family(course.level).rules
    for steps in range(done, max(-1, done - 2), -1):
        if rules.outcome(course.level, course.find_state(steps)) is not Outcome.SOLVED:
            yield steps


def list_others(course: Course, steps: int) -> Iterator[tuple[Action, _Array]]:
    """Yield lawful actions after some steps but the next step, and where bodies (B, 4, 4) are."""
    level, rules, state = course.level, find_family(course.level).rules, course.find_state(steps)
    own = build_step(level, course.steps[steps]) if steps < len(course.steps) else None
    for action in islice(rules.legal(level, state), LIMITS.most_actions):
        if action != own:
            yield action, find_places(course, rules.apply(level, state, action).state)


def list_rest(course: Course, actions: Sequence[Action]) -> Iterator[Action]:
    """Yield the steps of a film that are left and lawful after some actions, in its order.

    Args:
        course: the film's, or a branch of it.
    """
    level, rules = course.level, find_family(course.level).rules
    state = rules.initial(level)
    for action in actions:
        state = rules.apply(level, state, action).state
    left = [build_step(level, step) for step in course.planned or course.steps]
    for action in actions:
        if action in left:
            left.remove(action)
    for action in left:
        if rules.outcome(level, state) is Outcome.SOLVED:
            return
        try:
            state = rules.apply(level, state, action).state
        except ActionError:
            continue
        yield action


def measure_poses(one: _Array, other: _Array, boxes: _Array) -> _Array:
    """Return how far bodies (..., B) are apart at two poses (..., B, 4, 4): their corners' RMS."""
    off = ((one - other) @ boxes)[..., :3, :]
    return np.asarray(np.sqrt((off * off).sum(axis=(-2, -1))))


def measure_turns(one: _Array, other: _Array) -> _Array:
    """Return by how many degrees (...,) rotations (..., 3, 3) are turned against others."""
    traces = (one * other).sum(axis=(-2, -1))
    return np.asarray(np.degrees(np.arccos(np.clip((traces - 1.0) / 2.0, -1.0, 1.0))))


def _make_rigid(turns: _Array) -> _Array:
    """Return the rotations (..., 3, 3) nearest to matrices; NaN stays."""
    off = np.abs(turns @ np.swapaxes(turns, -1, -2) - np.eye(3)).max(axis=(-2, -1)) > 1e-9
    if off.any():
        left, _, right = np.linalg.svd(turns[off])
        turns = turns.copy()
        turns[off] = left @ right
    return turns


def _make_box(body: Body) -> _Array:
    bounds = body.shape.bounds
    low, high = np.array(bounds.low) - 0.5, np.array(bounds.high) + 0.5
    box = np.eye(4)
    box[:3, :3] = np.diag((high - low) / 2.0)
    box[:3, 3] = (low + high) / 2.0
    return box


def _drop_rests(poses: _Array) -> tuple[_Array, _Array]:
    """Return the poses (P, B, 4, 4) of frames that differ from those before, and these frames."""
    moved = ~((poses[1:] == poses[:-1]) | np.isnan(poses[1:])).all(axis=(1, 2, 3))
    frames = np.concatenate([[0], 1 + np.flatnonzero(moved)])
    return poses[frames], frames.astype(np.float64)


def _play(
    level: AnyLevel, actions: Sequence[Action], fps: float, speed: float
) -> tuple[list[HeldFrame], bool]:
    options = Options(agent="course", budget=max(level.budget, len(actions), 1))
    world, recording = create_world("lattice"), EpisodeRecording()
    try:
        episode = Episode(level, world, options=options, listener=recording)
        for action in actions:
            episode.step(action)
    finally:
        world.close()
    return make_timeline(recording, round(fps), speed), episode.outcome is Outcome.SOLVED


def _stack_poses(shown: Sequence[HeldFrame], names: Sequence[str]) -> _Array:
    nowhere = np.full((4, 4), np.nan)
    return np.array([[held.transforms.get(name, nowhere) for name in names] for held in shown])


def _find_frames(shown: Sequence[HeldFrame], step: int) -> tuple[int, int]:
    """Return the first and the last frame in which a step moves something."""
    here = [frame for frame, held in enumerate(shown) if held.step == step]
    moving = [frame for frame in here if shown[frame].phase in (Phase.MOVE, Phase.CARRY)] or here
    return moving[0], moving[-1]
