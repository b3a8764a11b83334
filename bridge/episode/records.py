"""Records of an episode: options, observations, results and steps."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from bridge.episode.choices import MAX_BUDGET, MAX_PICTURE, MIN_PICTURE, Feedback, Obs
from bridge.episode.tools import ToolCall
from pysim.errors import InputError
from pysim.puzzle import Level, Outcome, format_reason
from pysim.scene import Scene
from pysim.trajectory import Trajectory
from pysim.viewpoints import Views

__all__ = [
    "Disagreement",
    "Ending",
    "Feedback",
    "Listener",
    "LiveStep",
    "Obs",
    "Options",
    "Start",
    "StepKind",
    "StepRecord",
    "StepResult",
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
    shown: Level[Any] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.history_window <= 1000:
            raise InputError(f"a history window has 0 to 1000 turns, not {self.history_window}")
        if not MIN_PICTURE <= self.picture_size <= MAX_PICTURE:
            raise InputError(
                f"a view is {MIN_PICTURE} to {MAX_PICTURE} pixels wide, not {self.picture_size}"
            )
        if self.budget is not None and not 1 <= self.budget <= MAX_BUDGET:
            raise InputError(f"a budget has 1 to {MAX_BUDGET} steps, not {self.budget}")
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
    """

    step: int
    message: str
    travel: int | None
    budget_left: int
    outcome: Outcome | None
    state_hash: str
    disagreement: Disagreement | None


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
        make_scene: makes the scene after it.
        trajectory: how bodies moved.
        ending: how the episode ends with it; None if it goes on.
    """

    line: str
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
