"""The controller: one attempt of one agent at one level."""

import copy
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

from bridge.episode.display import draw_episode, format_episode
from bridge.episode.engines import LOCAL, Engines
from bridge.episode.observation import Observation, View
from bridge.episode.records import (
    Disagreement,
    Ending,
    History,
    Listener,
    LiveStep,
    Options,
    Start,
    StepKind,
    StepResult,
    compare_legal,
    compare_poses,
    compare_refused,
    describe_travel,
    describe_turn,
    redact_attempt,
)
from bridge.episode.sanitize import sanitize_text
from bridge.episode.texts import build_instruction, describe_state
from bridge.episode.tools import (
    ToolCall,
    build_action_space,
    is_long,
    truncate_line,
    truncate_unread,
)
from bridge.episode.viewing import check_shown, draw_views, place_own_camera
from pysim import limits
from pysim.catalog import find_family
from pysim.errors import LubanError
from pysim.field_types import Json, label
from pysim.physics.world import World, WorldError
from pysim.puzzle import (
    Action,
    ActionError,
    Gesture,
    IllegalMove,
    InvalidAction,
    Level,
    Outcome,
    Rules,
    Transition,
)
from pysim.render.renderer import Renderer
from pysim.scene import Colour, Scene
from pysim.trajectory import Trajectory

__all__ = ["Episode", "EpisodeOver", "state_hash"]

NO_TRAJECTORY = Trajectory()


class EpisodeOver(LubanError, RuntimeError):
    """The episode has ended; it takes no more actions."""


def state_hash(level: Level[Any], state: object) -> str:
    """Return the hash of a state of a level: 64 hexadecimal digits, the same on every surface."""
    return _hash_state(level, find_family(level).rules, state)


def _hash_state(level: Level[Any], rules: Rules[Any, Any], state: object) -> str:
    text = f"{level.hash}\n{rules.encode(state)}"
    return hashlib.sha256(text.encode()).hexdigest()


class Episode:
    """Runs one level: takes actions, asks rules and world, keeps the budget, writes it down.

    Every action costs a step, refused ones too; observing is free. Used from one thread at a time.
    As a context manager it gives up if it was not ended; left by an exception, it stays without an
    end, as if it was cut off.

    Args:
        level: the level that is played.
        world: carries the moves out, or the name of such a world. The episode resets it, and closes
            it at its end.
        renderer: makes the pictures; None if no pictures will be asked for. It may serve several
            episodes and is not closed.
        options: how the episode is run.
        listener: who writes it down; None for nobody.
        image_format: format of pictures: ``png``, ``jpeg`` or ``raw``.
        engines: make worlds by their names.

    Raises:
        InputError: no world has that name.
    """

    def __init__(
        self,
        level: Level[Any],
        world: World | str = "lattice",
        renderer: Renderer | None = None,
        options: Options | None = None,
        listener: Listener | None = None,
        image_format: str = "png",
        engines: Engines = LOCAL,
    ) -> None:
        self.level = level
        self.options = options or Options()
        self.budget = self.options.budget or level.budget
        self.actions = build_action_space(level)
        self.steps = 0
        self.disagreements = 0
        self.ending: Ending | None = None
        self._rules = find_family(level).rules
        check_shown(level, self.options)
        self._cameras = place_own_camera(level, self.options)
        self._renderer = renderer
        self._listener = listener
        self._image_format = image_format
        self._engines = engines
        self._open = True
        self._history = History(self.options.history_window)
        self._state = self._rules.initial(level)
        self._hash = _hash_state(level, self._rules, self._state)
        self._world = engines.create_world(world) if isinstance(world, str) else world
        try:
            self._world.reset(self.scene)
            if listener is not None:
                listener.record_start(self._start())
        except BaseException:
            if isinstance(world, str):
                self._world.close()
            raise

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the episode; None until it has ended."""
        return None if self.ending is None else self.ending.outcome

    @property
    def state(self) -> Any:
        """State of the level now, of the family's own type, for whoever runs the episode."""
        return self._state

    @property
    def state_hash(self) -> str:
        """The hash of the present state."""
        return self._hash

    @property
    def budget_left(self) -> int:
        """Steps left."""
        return self.budget - self.steps

    @property
    def scene(self) -> Scene:
        """Scene in which every body stands as the rules have it now."""
        return self._rules.scene(self.level, self._state)

    @property
    def gestures(self) -> tuple[Gesture, ...]:
        """Actions that a person can make by pointing at the scene, allowed or not."""
        return tuple(find_family(self.level).gestures(self.level, self._state))

    @property
    def instruction(self) -> str:
        """The task in words."""
        return build_instruction(self.level, self.options, self.scene)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Names of the pieces."""
        return tuple(self.level.colours)

    @property
    def tools(self) -> list[dict[str, Json]]:
        """The actions as OpenAI function tools."""
        return self.actions.schemas()

    def observe(self, *, images: bool = True) -> Observation:
        """Return the observation of the agent; costs nothing and changes nothing.

        Args:
            images: False leaves the pictures out, even if they are part of what is shown.

        Raises:
            EpisodeOver: the episode was left.
        """
        self._require_open()
        scene = self.scene
        return Observation(
            step=self.steps,
            budget_left=self.budget_left,
            instruction=build_instruction(self.level, self.options, scene),
            history=self._history.format(),
            colours=self.colours,
            state=describe_state(self.level, self.options, self._state, scene),
            views=self._views() if images and self.options.obs.has_images else (),
            outcome=self.outcome,
        ).encoded(self._image_format, self._name_renderer)

    def _repr_png_(self) -> bytes | None:
        """Return what an agent sees now, for notebooks."""
        return draw_episode(self)

    def _repr_html_(self) -> str:
        """Return level, progress and what an agent sees now, for notebooks."""
        return format_episode(self)

    def step(self, action: Action | ToolCall | str, /, **arguments: Json) -> StepResult:
        """Try an action; what is told of it is what the options' ``feedback`` says.

        Args:
            action: an action, a tool call, or an action's name followed by its arguments.

        Raises:
            InvalidAction: it means nothing. Costs a step; the state is as before.
            IllegalMove: it is not allowed now. Costs a step; the state is as before.
            EpisodeOver: the episode has ended; nothing happens.
            WorldError: the world's engine failed; the step was never made.
        """
        self._require_running()
        if isinstance(action, str):
            action = ToolCall(action, arguments)
        call = self.actions.call(action) if isinstance(action, Action) else action
        return self._told(lambda: self._try(self._sanitize(call)))

    def step_json(self, name: str, arguments: str) -> StepResult:
        """As :meth:`step`, with the arguments as JSON text; text that is none costs a step too."""
        self._require_running()
        return self._told(lambda: self._try_json(name, arguments))

    def _told(self, attempt: Callable[[], StepResult]) -> StepResult:
        return redact_attempt(self.options.feedback, attempt, self._unchanged)

    def _unchanged(self) -> StepResult:
        """Return the result of a step that has changed nothing."""
        return StepResult(
            self.steps, "", None, self.budget_left, self.outcome, self.state_hash, None
        )

    def _try(self, call: ToolCall) -> StepResult:
        """As :meth:`step`, of a call that is harmless."""
        call, action = self._read(call)
        line = self.actions.line(action)
        try:
            transition = self._rules.apply(self.level, self._state, action)
        except ActionError as error:
            self._refuse(call, line, error)
            raise
        return self._accept(call, line, transition)

    def _try_json(self, name: str, arguments: str) -> StepResult:
        try:
            call = ToolCall.from_json(name, arguments)
        except InvalidAction as error:
            self.refuse(name, arguments, error)
            raise
        return self._try(call)

    def refuse(self, name: str, text: str, error: InvalidAction) -> None:
        """Charge a step for an action that could not even be read, and note it.

        Args:
            name, text: what the agent wrote.
            error: why it could not be read.
        """
        self._require_running()
        name = label(sanitize_text(name[: limits.MAX_ACTION_NAME + 1]))
        text = sanitize_text(text[: limits.MAX_NOTED])
        self._refuse(ToolCall(name, {"unreadable": text}), f"{name} {label(text)}".strip(), error)

    def give_up(self, note: str = "given up by the agent") -> None:
        """End the episode unsolved; does nothing if it has ended.

        If the end can't be written down the episode goes on, and it may be tried again.
        """
        if self.outcome is None:
            self._end(Outcome.GAVE_UP, note)

    def end(self, note: str = "given up by the agent") -> Ending:
        """End the episode; gives up if it has not ended, with a note that says why."""
        self.give_up(note)
        assert self.ending is not None
        return self.ending

    def fork(self) -> Self:
        """Return an independent copy from here, in a world of its own, written down nowhere.

        It is to be left. For searches by whoever runs the episode; no surface that an agent acts on
        has it.
        """
        twin = copy.copy(self)
        twin._world, twin._listener = self._engines.create_world(self._world.name), None
        twin._open = True
        try:
            twin._world.reset(self.scene)
        except BaseException:
            twin._world.close()
            raise
        return twin

    def run_out(self, note: str) -> Ending:
        """End the episode at a limit that it does not know itself, which ``note`` names."""
        if self.outcome is None:
            self._end(Outcome.OUT_OF_BUDGET, note)
        return self.end()

    def leave(self) -> None:
        """Free the world and leave the episode without an end, as if it was cut off."""
        self._open = False
        self._world.close()

    def close(self) -> None:
        """Free the world; gives up if it has not ended."""
        try:
            self.give_up("closed before the end")
        finally:
            self._world.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.leave()

    def _require_open(self) -> None:
        if not self._open:
            raise EpisodeOver("this episode was ended; start a new one")

    def _require_running(self) -> None:
        self._require_open()
        if self.outcome is not None:
            raise EpisodeOver(f"the episode is over ({self.outcome}); start a new one")

    def _sanitize(self, call: ToolCall) -> ToolCall:
        """Return a call with texts fit to be passed on; charges if it has none such."""
        try:
            return call.sanitize()
        except InvalidAction as error:
            self.refuse(call.name, truncate_unread(call, error), error)
            raise

    def _read(self, call: ToolCall) -> tuple[ToolCall, Action]:
        """Return the call as it is recorded, and its action; charges the budget if it is none."""
        try:
            action = self.actions.parse(call)
        except InvalidAction as error:
            self._refuse(call, truncate_line(call), error)
            raise
        # Blanks around a word are read over; a million of them are not written down.
        return (self.actions.call(action) if is_long(call) else call), action

    def _accept(self, call: ToolCall, line: str, transition: Transition[Any]) -> StepResult:
        make_scene = partial(self._rules.scene, self.level, transition.state)
        report = self._world.execute(transition.motions)
        with self._all_or_nothing():
            disagreement = compare_legal(transition, report)
            if disagreement is not None:
                self._world.reset(make_scene())
            outcome = self._rules.outcome(self.level, transition.state)
            after = _hash_state(self.level, self._rules, transition.state)
            record = LiveStep(
                step=self.steps + 1,
                call=call,
                line=line,
                motions=transition.motions,
                kind=StepKind.OK,
                reason=None,
                culprits=(),
                message=describe_travel(transition.travel),
                travel=transition.travel,
                measured=report.measured,
                contacts=tuple(sorted(report.contacts)),
                disagreement=disagreement,
                budget_left=self.budget_left - 1,
                state_hash=after,
                make_scene=make_scene,
                trajectory=report.trajectory,
                ending=self._ending_with(outcome, disagreement, after, make_scene),
            )
            result = record.build_result()
            self._make(record, transition.state)
        return result

    def _refuse(self, call: ToolCall, line: str, error: ActionError) -> None:
        illegal, report = isinstance(error, IllegalMove), None
        if isinstance(error, IllegalMove) and error.attempt:
            report = self._world.execute(error.attempt)
        with self._all_or_nothing():
            disagreement = None
            if isinstance(error, IllegalMove) and report is not None:
                disagreement = compare_refused(error, report)
                if report.completed:
                    self._world.reset(self.scene)
            make_scene = partial(self._rules.scene, self.level, self._state)
            record = LiveStep(
                step=self.steps + 1,
                call=call,
                line=line,
                motions=error.attempt if isinstance(error, IllegalMove) else (),
                kind=StepKind.ILLEGAL if illegal else StepKind.INVALID,
                reason=error.reason,
                culprits=error.culprits,
                message=error.message,
                travel=error.travel,
                measured=report.measured if report else None,
                contacts=tuple(sorted(report.contacts)) if report else (),
                disagreement=disagreement,
                budget_left=self.budget_left - 1,
                state_hash=self._hash,
                make_scene=make_scene,
                trajectory=report.trajectory if report else NO_TRAJECTORY,
                ending=self._ending_with(None, disagreement, self._hash, make_scene),
            )
            self._make(record, self._state)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """A step that fails between its motions and its being written down was never made."""
        try:
            yield
        except BaseException:
            self._world.reset(self.scene)
            raise

    def _make(self, record: LiveStep, state: object) -> None:
        """Make a step: write it down before anybody is told of it, and then count it.

        Nothing can fail between the two: what takes memory is made before.
        """
        history = self._history.append(record.line, describe_turn(self.options.feedback, record))
        ending = record.ending
        disagreements = self.disagreements + (record.disagreement is not None)
        if ending is not None:
            disagreements = ending.disagreements
        if self._listener is not None:
            self._listener.record_step(record)
        self._state, self._hash, self._history = state, record.state_hash, history
        self.steps, self.disagreements, self.ending = record.step, disagreements, ending
        if ending is not None and self._listener is not None:
            self._listener.record_end(ending)

    def _ending_with(
        self,
        outcome: Outcome | None,
        disagreement: Disagreement | None,
        after: str,
        make_scene: Callable[[], Scene],
    ) -> Ending | None:
        """Return the ending after a step that is not counted yet; None if the episode goes on."""
        if outcome is None and self.budget_left <= 1:
            outcome = Outcome.OUT_OF_BUDGET
        if outcome is None:
            return None
        wrong = (disagreement is not None) + (not self._confirms(make_scene()))
        return Ending(outcome, "", self.steps + 1, self.disagreements + wrong, after)

    def _end(self, outcome: Outcome, note: str) -> None:
        """Verify the final poses once more against the world, and close the book."""
        disagreements = self.disagreements + (not self._confirms(self.scene))
        ending = Ending(outcome, note, self.steps, disagreements, self._hash)
        if self._listener is not None:
            self._listener.record_end(ending)
        self.ending, self.disagreements = ending, disagreements

    def _confirms(self, scene: Scene) -> bool:
        """Whether the world has every body where the rules have it; a failed one can't say so."""
        try:
            return compare_poses(scene, self._world.transforms()) is None
        except WorldError:
            return False

    def _views(self) -> tuple[View, ...]:
        if self._renderer is None:
            raise RuntimeError("this episode was started without a renderer")
        return draw_views(
            self._renderer,
            self.level,
            self.scene,
            self._world.transforms,
            self.options,
            self._cameras,
        )

    def _name_renderer(self) -> str:
        renderer = self._renderer
        return "" if renderer is None else f"{renderer.name}: {renderer.version}"

    def _start(self) -> Start:
        renderer = self._renderer
        return Start(
            level=self.level,
            options=self.options,
            budget=self.budget,
            world=(self._world.name, self._world.version),
            renderer=None if renderer is None else (renderer.name, renderer.version),
            state_hash=self._hash,
            scene=self.scene,
        )
