"""The timeline of a film: what it shows of an episode, frame by frame."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bridge.episode.records import Ending, LiveStep, Start, StepKind
from bridge.recording.caption import Caption, Tone
from bridge.recording.layout import HeldFrame, Phase, corners_of
from pysim.geometry import Bounds
from pysim.puzzle import Outcome, Reason
from pysim.scene import Scene
from pysim.trajectory import Trajectory, Transform

__all__ = ["EpisodeRecording", "hold_scenes", "make_timeline"]

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


def make_timeline(recorded: EpisodeRecording, fps: int, speed: float = 1.0) -> list[HeldFrame]:
    """Return the whole film of an episode that has started, ``speed`` times as fast as usual.

    At the usual speed no point of a body goes faster than 12 units a second. The scenes of all
    frames have one work block and one table, so that ground and light stay put.
    """
    assert recorded.start is not None
    return _on_one_ground(list(_episode(recorded, recorded.start, fps / speed)))


def hold_scenes(scenes: Sequence[Scene]) -> list[HeldFrame]:
    """One of each scene, bodies in their poses and nothing said; ground and light stay put."""
    return _on_one_ground([HeldFrame(scene, _placed(scene), Caption(""), 1) for scene in scenes])


def _on_one_ground(film: Sequence[HeldFrame]) -> list[HeldFrame]:
    tables = [held.scene.table for held in film if held.scene.table is not None]
    work = Bounds.cover(held.scene.work for held in film)
    table = Bounds.cover(tables) if tables else None
    return [replace(held, scene=replace(held.scene, work=work, table=table)) for held in film]


def _episode(recorded: EpisodeRecording, start: Start, fps: float) -> Iterator[HeldFrame]:
    scene, places = start.scene, _placed(start.scene)
    caption = _opening(start)
    yield HeldFrame(scene, places, caption, _frames(_ENDS, fps), 0, Phase.OPENING)
    before, step = "", 0
    for record, after in zip(recorded.records, recorded.scenes, strict=True):
        step = record.step
        caption = Caption(
            line=f"{record.step}. {record.line}",
            before=before,
            corner=_steps(record.budget_left),
        )
        for moved, phase in _moments(record.trajectory, after, fps):
            places = {**places, **moved}
            yield HeldFrame(after, _of(after, places), caption, 1, step, phase)
        places = _settled(scene, after, places, record)
        hold = _hold(scene, after, record)
        scene = after
        result, tone = _result(record)
        caption = replace(caption, result=result, tone=tone)
        yield HeldFrame(scene, places, caption, _frames(hold, fps), step, Phase.REST)
        before = f"{caption.line} → {result}"
    closing = _closing(recorded, start, before)
    yield HeldFrame(scene, places, closing, _frames(_ENDS, fps), step, Phase.CLOSING)


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


def _moments(
    trajectory: Trajectory, scene: Scene, fps: float
) -> Iterator[tuple[dict[str, Transform], Phase]]:
    """The bodies that move in a step, frame by frame; the last frame is the end of the motion."""
    if not trajectory.keyframes:
        return
    times = np.array([keyframe.time for keyframe in trajectory.keyframes])
    shown = np.concatenate([[0.0], np.cumsum(_weights(scene, trajectory, times))])
    count = ceil(max(_SHORTEST, float(shown[-1])) * fps)
    for time in np.interp(np.arange(1, count + 1) / count * shown[-1], shown, times).tolist():
        yield trajectory.sample(time), Phase.CARRY if trajectory.is_carried(time) else Phase.MOVE


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
