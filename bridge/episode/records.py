"""Records of an episode: its options, its steps, and what is reported of a step.

A step is held against the world, which confirms it or not. The log has everything of it; an agent
gets as much as the options' :class:`Feedback` allows. What pictures and the state in words show is
not feedback: :class:`Obs` says which of them there are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

from bridge.episode.choices import MAX_BUDGET, MAX_PICTURE, MIN_PICTURE, Feedback, Obs
from bridge.episode.tools import ToolCall
from pysim.errors import InputError
from pysim.motion import Motion
from pysim.options import check_whole
from pysim.physics.world import Report
from pysim.puzzle import (
    ActionError,
    IllegalMove,
    Level,
    Outcome,
    Reason,
    Transition,
    format_reason,
)
from pysim.render.camera import check_camera
from pysim.scene import Scene
from pysim.trajectory import Trajectory, Transform
from pysim.viewpoints import Views

__all__ = [
    "STAYS",
    "Disagreement",
    "Ending",
    "Feedback",
    "History",
    "Listener",
    "LiveStep",
    "Obs",
    "Options",
    "Start",
    "StepKind",
    "StepRecord",
    "StepResult",
    "compare_legal",
    "compare_poses",
    "compare_refused",
    "describe_refusal",
    "describe_travel",
    "describe_turn",
    "redact_attempt",
    "redact_refusal",
    "redact_result",
]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of an episode.

    Attributes:
        obs: what the agent sees.
        history_window: turns that it is reminded of.
        picture_size: edge of each view in pixels.
        budget: number of steps; None for the level's own.
        seed: the agent's seed, for the record; rules and worlds draw no random numbers.
        agent: who plays, for the record.
        feedback: how much the agent is told of what came of its actions.
        views: how pictures are composed.
        camera: text of a camera of one's own in place of all views; empty for none.
        shown: the level whose pictures are shown in place of the played one's; None unless ``obs``
            is ``wrong``.

    Raises:
        InputError: a value is out of range.
    """

    obs: Obs = Obs.IMAGE_STATE
    history_window: int = 5
    picture_size: int = 512
    budget: int | None = None
    seed: int = 0
    agent: str = ""
    feedback: Feedback = Feedback.FULL
    views: Views = Views.COMPOSED
    camera: str = ""
    shown: Level[Any] | None = None

    def __post_init__(self) -> None:
        check_whole("the number of turns in a history window", self.history_window, 0, 1000)
        check_whole("the width of a view in pixels", self.picture_size, MIN_PICTURE, MAX_PICTURE)
        if self.budget is not None:
            check_whole("a budget", self.budget, 1, MAX_BUDGET)
        if self.camera:
            check_camera(self.camera)
            if self.views is not Views.COMPOSED:
                raise InputError(f"a camera is a view of its own: leave out views {self.views}")
        if self.shown is not None and self.obs is not Obs.WRONG:
            raise InputError(f"another level is shown with obs wrong only, not with {self.obs}")


class StepKind(StrEnum):
    """Kind of result of an action."""

    OK = "ok"
    INVALID = "invalid"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The world did not confirm what the rules say.

    Attributes:
        rules: what the rules expect.
        world: what the world reports.
    """

    rules: str
    world: str


@dataclass(frozen=True, slots=True)
class StepResult:
    """Result of a legal action.

    Attributes:
        step: its number, from 1.
        message: the result in words.
        travel: whole units that the pieces moved; None if the action is no translation.
        budget_left: steps left.
        outcome: how the episode ended with this step, or None.
        state_hash: of the state after it.
        disagreement: what the world did not confirm, or None.
        motions: what the bodies did, in order; empty where feedback is less than full, and over the
            wire. Equal results may differ in it.
    """

    step: int
    message: str
    travel: int | None
    budget_left: int
    outcome: Outcome | None
    state_hash: str
    disagreement: Disagreement | None
    motions: tuple[Motion, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of an episode: everything that is needed to play it again.

    Attributes:
        level: what is played.
        options: how.
        budget: steps allowed.
        world: name and version of the world.
        renderer: name and version of the renderer, None if there is none.
        state_hash: of the initial state.
        scene: the initial scene.
    """

    level: Level[Any]
    options: Options
    budget: int
    world: tuple[str, str]
    renderer: tuple[str, str] | None
    state_hash: str
    scene: Scene


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step, legal or not, as it is written into a log and read from it.

    Attributes:
        step: its number, from 1.
        call: what the agent wrote.
        kind: what came of it.
        reason, culprits, message: why it was refused, or the result in words.
        travel: units moved, or for a blocked move units that were free; None if nothing was to
            move along a line.
        measured: the same as the world measured it, None if the world was not asked.
        contacts: what stood in the way in the world.
        disagreement: what the world did not confirm.
        budget_left: steps left.
        state_hash: of the state after it.
    """

    step: int
    call: ToolCall
    kind: StepKind
    reason: str | None
    culprits: tuple[str, ...]
    message: str
    travel: int | None
    measured: float | None
    contacts: tuple[str, ...]
    disagreement: Disagreement | None
    budget_left: int
    state_hash: str

    @property
    def brief(self) -> str:
        """Why it was refused, and by whom: ``BLOCKED by blue``; empty if it was not."""
        return format_reason(self.reason, self.culprits) if self.reason else ""

    @property
    def told(self) -> str:
        """Result in one line."""
        return self.message if self.reason is None else f"{self.kind}, {self.brief}: {self.message}"


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of an episode.

    Attributes:
        outcome: how it ended.
        note: why, where the outcome leaves it open (given up by the agent, left idle, ...).
        steps: steps made.
        disagreements: steps in which the world did not confirm the rules, and final poses that
            it did not.
        state_hash: of the final state.
    """

    outcome: Outcome
    note: str
    steps: int
    disagreements: int
    state_hash: str


@dataclass(frozen=True, slots=True)
class LiveStep(StepRecord):
    """A step that is being made, with what is not written down, for a replay makes it again.

    Attributes:
        line: the call as a line of text.
        motions: those that were made, or that the rules refused.
        make_scene: makes the scene after it.
        trajectory: how bodies moved.
        ending: how the episode ends with it; None if it goes on.
    """

    line: str
    motions: tuple[Motion, ...]
    make_scene: Callable[[], Scene]
    trajectory: Trajectory
    ending: Ending | None

    @property
    def scene(self) -> Scene:
        """The scene after the step, made anew."""
        return self.make_scene()

    def build_result(self) -> StepResult:
        """Build the result that the agent gets, if the action was legal."""
        return StepResult(
            step=self.step,
            message=self.message,
            travel=self.travel,
            budget_left=self.budget_left,
            outcome=None if self.ending is None else self.ending.outcome,
            state_hash=self.state_hash,
            disagreement=self.disagreement,
            motions=self.motions,
        )


class Listener(Protocol):
    """Recorder of an episode.

    An exception from ``stepped`` undoes the step, and one from ``ended`` where nothing but the end
    was to be written undoes the end: either may be tried again.
    """

    def record_start(self, start: Start) -> None:
        """The episode begins."""

    def record_step(self, record: LiveStep) -> None:
        """A step was made; the agent has not been told yet.

        If it ends the episode its ``ending`` says so, and :meth:`record_end` is called as well:
        whoever writes to a disk writes both now, so that there is never one without the other.
        """

    def record_end(self, ending: Ending) -> None:
        """The episode is over."""


# -- rules and world compared ----------------------------------------------------------------------

POSE_TOLERANCE = 0.1
"""Units by which a body may be off its lattice pose."""
TURN_TOLERANCE = 0.1
"""Largest difference of an entry of the rotation matrix, about 5 degrees."""
STAYS = "what is let go stays where it is"
"""What the rules say when something fell in the world."""


def compare_legal(transition: Transition[object], report: Report) -> Disagreement | None:
    """Return whether a world confirms a move that the rules allow."""
    if report.fallen:
        names = ", ".join(sorted(report.fallen))
        return Disagreement(STAYS, f"{names} fell")
    if report.completed and report.travel == (transition.travel or 0):
        return None
    return Disagreement(f"the move goes {transition.travel or 0} units", _describe_report(report))


def compare_refused(refusal: IllegalMove, report: Report) -> Disagreement | None:
    """Return whether a world is stopped where the rules say, by the same bodies."""
    if (
        not report.completed
        and report.travel == refusal.travel
        and report.contacts == frozenset(refusal.culprits)
    ):
        return None
    return Disagreement(
        f"{', '.join(refusal.culprits)} blocks after {refusal.travel} units",
        _describe_report(report),
    )


def compare_poses(scene: Scene, transforms: Mapping[str, Transform]) -> Disagreement | None:
    """Return whether every body is where the rules have it, within a tenth of a unit."""
    off = [
        body.name for body in scene.bodies if _is_off(body.pose.transform(), transforms[body.name])
    ]
    if not off:
        return None
    names = ", ".join(off)
    return Disagreement(
        f"{names} in lattice poses", f"{names} more than {POSE_TOLERANCE} units off"
    )


def _is_off(expected: Transform, found: Transform) -> bool:
    difference = np.abs(expected - found)
    return bool(
        difference[:3, 3].max() > POSE_TOLERANCE or difference[:3, :3].max() > TURN_TOLERANCE
    )


def _describe_report(report: Report) -> str:
    if report.completed:
        return f"it went {report.measured:.3f} units unhindered"
    return f"{', '.join(sorted(report.contacts))} in the way after {report.measured:.3f} units"


# -- feedback to an agent --------------------------------------------------------------------------

_DONE, _TRIED, _REFUSED = "done", "tried", "the action was refused"


def redact_result(feedback: Feedback, result: StepResult) -> StepResult:
    """Return the result of an accepted action, as far as it is told."""
    if feedback is Feedback.FULL:
        return result
    message = _TRIED if feedback is Feedback.NONE else _DONE
    return replace(result, message=message, travel=None, disagreement=None, motions=())


def redact_refusal(feedback: Feedback, error: ActionError) -> ActionError | None:
    """Return a refusal, as far as it is told; None if it is to look like an accepted action."""
    match feedback:
        case Feedback.FULL:
            return error
        case Feedback.REASON:
            return type(error)(error.reason, _REFUSED)
        case Feedback.LEGAL:
            return IllegalMove(Reason.REFUSED, _REFUSED)
        case Feedback.NONE:
            return None


def redact_attempt(
    feedback: Feedback, attempt: Callable[[], StepResult], unchanged: Callable[[], StepResult]
) -> StepResult:
    """Return the result of an attempt, as far as it is told.

    Args:
        feedback: how much that is.
        attempt: makes a step, or raises why it is refused.
        unchanged: the result of a step that has changed nothing.

    Raises:
        ActionError: the step was refused, and that is told.
    """
    try:
        return redact_result(feedback, attempt())
    except ActionError as error:
        told = redact_refusal(feedback, error)
        if told is error:
            raise
    if told is not None:
        raise told
    return redact_result(feedback, unchanged())


def describe_travel(travel: int | None) -> str:
    """Describe the result of an accepted action: how far it went, if it moved along a line."""
    return "done" if travel is None else f"moved {travel}"


def describe_turn(feedback: Feedback, record: StepRecord) -> str:
    """Describe the result of a step for those who get no more than its agent."""
    if feedback is Feedback.NONE:
        return _TRIED
    if record.reason is None:
        return record.message if feedback is Feedback.FULL else _DONE
    if feedback is Feedback.LEGAL:
        return _REFUSED
    if feedback is Feedback.REASON:
        return f"{record.kind}, {record.reason}"
    return f"{record.kind}, {record.brief}: {record.message}"


def describe_refusal(error: ActionError) -> str:
    """A refusal that was told, in words: its kind, its reason and by whom, and the sentence."""
    if error.reason is Reason.REFUSED:
        return error.message
    kind = "illegal" if isinstance(error, IllegalMove) else "invalid"
    return f"{kind}, {error.brief}: {error.message}"


@dataclass(frozen=True, slots=True)
class History:
    """The last turns as compact text.

    Attributes:
        window: turns that are kept, 0 or more.
        count: turns that there were.
        turns: a line for each that is kept, oldest first.
    """

    window: int
    count: int = 0
    turns: tuple[str, ...] = ()

    def append(self, action: str, result: str) -> "History":
        """Return the history one turn later: the action as a line of text, and what came of it."""
        number = self.count + 1
        turns = (*self.turns, f"{number}. {action} -> {result}")
        return History(self.window, number, turns[max(0, len(turns) - self.window) :])

    def format(self) -> str:
        """Return one line per turn, oldest first; empty if nothing was done yet."""
        hidden = self.count - len(self.turns)
        notice = f"({hidden} earlier turns are not shown)"
        return "\n".join([notice, *self.turns] if hidden and self.window else self.turns)
