"""The timeline of a film: what it shows of an episode, frame by frame."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bridge.episode.records import Ending, LiveStep, Start, StepKind
from bridge.recording.caption import Caption, Tone
from bridge.recording.layout import HeldFrame, Phase, corners_of
from pysim.errors import InputError
from pysim.geometry import Bounds
from pysim.puzzle import Outcome, Reason
from pysim.scene import Scene
from pysim.trajectory import Trajectory, Transform

__all__ = ["EpisodeRecording", "count_steps_within", "hold_scenes", "make_timeline"]

_ENDS = 1.0
"""Seconds that the film rests at its start and at its end."""
_HOLD, _REFUSED_HOLD, _LOOK_HOLD = 0.25, 0.7, 0.7
"""Seconds of rest after a step; longer if there is a refusal to read, or another side to see."""
_SHORTEST = 0.5
"""Seconds in which a step is shown, at least; nothing is shown faster than it went."""
_SLOW = 1.5
"""Units a second: what goes slower than this is not worth watching at its true speed."""
_HURRY = 6.0
"""How many times as fast what hardly moves may be shown."""
_CARRIES_ALONE = 4.0
"""Pace of carries and rests above which moves are shown faster, too."""
_FASTEST = 32.0
"""Pace of carries and rests, at most, so that a film fits a time."""
_HALVINGS = 24
"""Number of times that the range of paces is halved, to find one."""


@dataclass(frozen=True, slots=True)
class _Pace:
    """Pace of a film: times as fast as usual at which moves are shown, and carries and rests."""

    moves: float = 1.0
    others: float = 1.0

    @staticmethod
    def of(haste: float) -> "_Pace":
        """Return a pace; ``haste`` is that of carries and rests, which go faster first."""
        return _Pace(max(1.0, haste / _CARRIES_ALONE), haste)


@dataclass(frozen=True, slots=True, eq=False)
class _Motion:
    """Motion of a step, cut at its keyframes.

    Attributes:
        trajectory: of the bodies.
        times: (K + 1,) of the keyframes.
        weights: (K,) seconds for which each stretch between them deserves to be seen.
        carried: (K,) whether bodies are just being carried in each.
    """

    trajectory: Trajectory
    times: NDArray[np.float64]
    weights: NDArray[np.float64]
    carried: NDArray[np.bool_]

    @staticmethod
    def of(trajectory: Trajectory, scene: Scene) -> "_Motion":
        """Return the motion of a trajectory; ``scene`` has its bodies."""
        times = np.array([keyframe.time for keyframe in trajectory.keyframes])
        carried = np.array([keyframe.carried for keyframe in trajectory.keyframes[1:]], bool)
        weights = _weights(scene, trajectory, times) if len(times) else times
        return _Motion(trajectory, times, weights, carried)

    def show(self, pace: _Pace) -> NDArray[np.float64]:
        """Return the seconds (K + 1,) after which each keyframe is shown."""
        seconds = self.weights / np.where(self.carried, pace.others, pace.moves)
        return np.concatenate([[0.0], np.cumsum(seconds)])

    def count(self, fps: float, pace: _Pace) -> int:
        """Return the frames that it takes."""
        if not len(self.times):
            return 0
        return ceil(max(_SHORTEST / pace.moves, float(self.show(pace)[-1])) * fps)

    def sample(self, fps: float, pace: _Pace) -> Iterator[tuple[dict[str, Transform], Phase]]:
        """Yield the bodies that move, frame by frame; the last frame is the end of the motion."""
        if not len(self.times):
            return
        count, shown = self.count(fps, pace), self.show(pace)
        for time in np.interp(
            np.arange(1, count + 1) / count * shown[-1], shown, self.times
        ).tolist():
            is_carried = self.trajectory.is_carried(time)
            yield self.trajectory.sample(time), Phase.CARRY if is_carried else Phase.MOVE


@dataclass
class EpisodeRecording:
    """An episode as it was seen from the outside; a :class:`~bridge.episode.records.Listener`."""

    start: Start | None = None
    records: list[LiveStep] = field(default_factory=list)
    scenes: list[Scene] = field(default_factory=list)
    ending: Ending | None = None

    def record_start(self, start: Start) -> None:
        self.start = start

    def record_step(self, record: LiveStep) -> None:
        self.records.append(record)
        self.scenes.append(record.scene)

    def record_end(self, ending: Ending) -> None:
        self.ending = ending


def make_timeline(
    recorded: EpisodeRecording, fps: int, speed: float = 1.0, seconds: float | None = None
) -> list[HeldFrame]:
    """Return the whole film of an episode that has started, ``speed`` times as fast as usual.

    At the usual speed no point of a body goes faster than 12 units a second. The scenes of all
    frames have one work block and one table, so that ground and light stay put.

    Args:
        seconds: how long the film may be; None for as long as it takes. What is too long has
            shorter rests and faster carries, and only where that is not enough faster moves, too.

    Raises:
        InputError: so many steps can't be shown in so many seconds.
    """
    assert recorded.start is not None
    pace = _Pace()
    if seconds is not None:
        pace = _find_pace(_Frames.of(recorded, fps / speed), round(seconds * fps, 6))
    return _on_one_ground(list(_episode(recorded, recorded.start, fps / speed, pace)))


def count_steps_within(
    recorded: EpisodeRecording, fps: int, speed: float = 1.0, *, seconds: float
) -> int:
    """Return how many first steps fit a film of some seconds with moves as fast as usual.

    At least one: the first step has to go faster if it takes longer.
    """
    frames, pace = _Frames.of(recorded, fps / speed), _Pace.of(_CARRIES_ALONE)
    fitting = [
        steps
        for steps in range(1, len(recorded.records) + 1)
        if frames.count(pace, steps) <= seconds * fps
    ]
    return max(fitting, default=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Frames:
    """Frames that the film of an episode takes, step by step.

    Attributes:
        fps: frames a second at the usual speed.
        motions: of the steps.
        holds: seconds of rest after each.
    """

    fps: float
    motions: Sequence[_Motion]
    holds: Sequence[float]

    @staticmethod
    def of(recorded: EpisodeRecording, fps: float) -> "_Frames":
        """Return those of an episode that has started."""
        assert recorded.start is not None
        scenes = [recorded.start.scene, *recorded.scenes]
        steps = list(zip(recorded.records, scenes, recorded.scenes, strict=False))
        motions = [_Motion.of(record.trajectory, after) for record, _, after in steps]
        return _Frames(
            fps, motions, [_hold(before, after, record) for record, before, after in steps]
        )

    def count(self, pace: _Pace, steps: int | None = None) -> int:
        """Return the frames of the first steps, with those before and after them."""
        ends = 2 * _frames(_ENDS / pace.others, self.fps)
        moved = sum(motion.count(self.fps, pace) for motion in self.motions[:steps])
        return (
            ends + moved + sum(_frames(hold / pace.others, self.fps) for hold in self.holds[:steps])
        )


def _find_pace(frames: _Frames, most: float) -> _Pace:
    """Return the slowest pace at which a film has at most so many frames.

    Raises:
        InputError: there is none.
    """
    if frames.count(_Pace()) <= most:
        return _Pace()
    slow, fast = 1.0, _FASTEST
    if frames.count(_Pace.of(fast)) > most:
        steps = len(frames.motions)
        raise InputError(
            f"{steps} steps can't be shown in {most:g} frames; give more seconds, or fewer steps"
        )
    for _ in range(_HALVINGS):
        middle = (slow + fast) / 2.0
        slow, fast = (slow, middle) if frames.count(_Pace.of(middle)) <= most else (middle, fast)
    return _Pace.of(fast)


def hold_scenes(scenes: Sequence[Scene]) -> list[HeldFrame]:
    """One of each scene, bodies in their poses and nothing said; ground and light stay put."""
    return _on_one_ground([HeldFrame(scene, _placed(scene), Caption(""), 1) for scene in scenes])


def _on_one_ground(film: Sequence[HeldFrame]) -> list[HeldFrame]:
    tables = [held.scene.table for held in film if held.scene.table is not None]
    work = Bounds.cover(held.scene.work for held in film)
    table = Bounds.cover(tables) if tables else None
    return [replace(held, scene=replace(held.scene, work=work, table=table)) for held in film]


def _episode(
    recorded: EpisodeRecording, start: Start, fps: float, pace: _Pace
) -> Iterator[HeldFrame]:
    scene, places = start.scene, _placed(start.scene)
    caption = _opening(start)
    yield HeldFrame(scene, places, caption, _frames(_ENDS / pace.others, fps), 0, Phase.OPENING)
    before, step = "", 0
    for record, after in zip(recorded.records, recorded.scenes, strict=True):
        step = record.step
        caption = Caption(
            line=f"{record.step}. {record.line}",
            before=before,
            corner=_steps(record.budget_left),
        )
        for moved, phase in _Motion.of(record.trajectory, after).sample(fps, pace):
            places = {**places, **moved}
            yield HeldFrame(after, _of(after, places), caption, 1, step, phase)
        places = _settled(scene, after, places, record)
        hold = _hold(scene, after, record) / pace.others
        scene = after
        result, tone = _result(record)
        caption = replace(caption, result=result, tone=tone)
        yield HeldFrame(scene, places, caption, _frames(hold, fps), step, Phase.REST)
        before = f"{caption.line} → {result}"
    closing = _closing(recorded, start, before)
    yield HeldFrame(scene, places, closing, _frames(_ENDS / pace.others, fps), step, Phase.CLOSING)


def _frames(seconds: float, fps: float) -> int:
    """Return frames that a rest takes."""
    return max(1, round(seconds * fps))


def _hold(before: Scene, after: Scene, record: LiveStep) -> float:
    """Return seconds for which the film rests after a step."""
    if record.kind is not StepKind.OK:
        return _REFUSED_HOLD
    return _HOLD if before.views == after.views else _LOOK_HOLD


def _placed(scene: Scene) -> dict[str, Transform]:
    return {body.name: body.pose.transform() for body in scene.bodies}


def _of(scene: Scene, places: Mapping[str, Transform]) -> dict[str, Transform]:
    """Return places of the bodies of a scene; one that has no place yet is in its pose."""
    return {
        body.name: places[body.name] if body.name in places else body.pose.transform()
        for body in scene.bodies
    }


def _settled(
    before: Scene, after: Scene, places: Mapping[str, Transform], record: LiveStep
) -> dict[str, Transform]:
    """Return the transforms of bodies after a step.

    A body stays where its motion ended, which for a loose one may be a little off its pose. One
    that the rules moved without a motion, or a world that did not confirm the rules, is corrected.
    """
    if record.disagreement is not None:
        return _placed(after)
    moved = {name for key in record.trajectory.keyframes for name in key.transforms}
    was = {body.name: body.pose for body in before.bodies}
    return {
        body.name: places[body.name]
        if body.name in places and (body.name in moved or was.get(body.name) == body.pose)
        else body.pose.transform()
        for body in after.bodies
    }


def _weights(
    scene: Scene, trajectory: Trajectory, times: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return seconds for which each stretch between two keyframes deserves to be seen."""
    frames = [trajectory.sample(float(time)) for time in times]
    boxes = {body.name: body.shape.bounds for body in scene.bodies}
    ways = np.zeros(len(times) - 1)
    for name in frames[0].keys() & boxes.keys():
        corners = np.stack([corners_of(boxes[name], frame[name]) for frame in frames])
        steps = np.linalg.norm(np.diff(corners, axis=0), axis=2)
        ways = np.maximum(ways, steps.max(axis=1))
    spans = np.diff(times)
    weights: NDArray[np.float64] = spans * np.clip(ways / (spans * _SLOW), 1.0 / _HURRY, 1.0)
    return weights


def _opening(start: Start) -> Caption:
    pieces = len(start.level.colours)
    return Caption(
        line=f"{start.level.name}: {pieces} piece{'s' if pieces != 1 else ''}",
        before=f"{start.world[0]} world, {start.world[1]}",
        corner=_steps(start.budget),
    )


def _closing(recorded: EpisodeRecording, start: Start, before: str) -> Caption:
    made = len(recorded.records)
    steps = f"{made} step{'s' if made != 1 else ''}"
    left = _steps(start.budget - made)
    if recorded.ending is None:
        return Caption(f"The log stops here, after {steps}", before=before, corner=left)
    plan = f", plan {len(start.level.plan)}" if start.level.plan is not None else ""
    solved = recorded.ending.outcome is Outcome.SOLVED
    return Caption(
        line=recorded.ending.outcome.value.replace("_", " "),
        result=f"{'in' if solved else 'after'} {steps}{plan}",
        tone=Tone.GOOD if solved else Tone.BAD,
        before=before if not recorded.ending.note else recorded.ending.note,
        corner=left,
    )


def _steps(left: int) -> str:
    return f"{left} step{'s' if left != 1 else ''} left"


def _result(record: LiveStep) -> tuple[str, Tone]:
    if record.kind is StepKind.OK:
        return record.message, Tone.GOOD
    if record.reason is Reason.BLOCKED:
        return record.brief.lower(), Tone.BAD
    words = (record.reason or record.kind).lower().replace("_", " ")
    return ": ".join((words, ", ".join(record.culprits)) if record.culprits else (words,)), Tone.BAD
