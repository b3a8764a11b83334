"""An episode in this process that looks to an agent just like one over the wire."""

import copy
from functools import partial
from types import TracebackType
from typing import Any, Self

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.episode import Episode
from bridge.episode.observation import Observation
from bridge.episode.records import Ending, Listener, Options, StepResult
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.field_types import Json
from pysim.puzzle import Action, Level, Outcome
from pysim.render.renderer import Renderer
from pysim.scene import Colour

__all__ = ["LocalEpisode"]


class LocalEpisode:
    """Plays a level in this process; a context manager, which gives up what was not ended.

    Args:
        level: what is played.
        world: the world's name.
        renderer: makes the pictures; None if no pictures are shown.
        options: how it is run.
        listener: who writes it down; None for nobody.
        picture_format: ``png``, ``jpeg`` or ``raw``.
        engines: make the world.

    Raises:
        InputError: no world has that name.
    """

    def __init__(
        self,
        level: Level[Any],
        world: str = "lattice",
        renderer: Renderer | None = None,
        options: Options | None = None,
        listener: Listener | None = None,
        picture_format: str = "png",
        engines: Engines = LOCAL,
    ) -> None:
        self._renderer = renderer
        self._format = picture_format
        self._make_world = partial(engines.create_world, world)
        self._world = self._make_world()
        try:
            self._episode = Episode(level, self._world, renderer, options, listener)
        except BaseException:
            self._world.close()
            raise
        self.budget = self._episode.budget

    @property
    def level(self) -> Level[Any]:
        """Level that is played; not for agents."""
        return self._episode.level

    @property
    def instruction(self) -> str:
        """The task in words."""
        return self._episode.observe(images=False).instruction

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Names of the pieces."""
        return self.level.colours

    @property
    def tools(self) -> list[dict[str, Json]]:
        """The actions as OpenAI function tools."""
        return self._episode.build_schemas()

    @property
    def steps(self) -> int:
        """Steps made."""
        return self._episode.steps

    @property
    def budget_left(self) -> int:
        """Steps left."""
        return self._episode.budget_left

    @property
    def outcome(self) -> Outcome | None:
        """Outcome; None until it has ended."""
        return self._episode.outcome

    @property
    def state_hash(self) -> str:
        """The hash of the present state."""
        return self._episode.state_hash

    @property
    def actions(self) -> ActionSpace:
        """Parser and formatter of its actions."""
        return self._episode.actions

    def observe(self, *, images: bool = True) -> Observation:
        """Return the observation; costs nothing."""
        seen = self._episode.observe(images=images)
        return seen.encoded(self._format, self._made_by)

    def step(self, action: Action | ToolCall | str, /, **arguments: Json) -> StepResult:
        """Try an action; see :meth:`bridge.episode.episode.Episode.step`.

        Args:
            action: an action, a tool call, or an action's name followed by its arguments.
        """
        if isinstance(action, str):
            action = ToolCall(action, arguments)
        return self._episode.step(action)

    def step_json(self, name: str, arguments: str) -> StepResult:
        """As :meth:`step`, with the arguments as JSON text."""
        return self._episode.step_json(name, arguments)

    def end(self, note: str = "given up by the agent") -> Ending:
        """End the episode; gives up if it has not ended, with a note that says why."""
        self._episode.give_up(note)
        ending = self._episode.ending
        assert ending is not None
        return ending

    def fork(self) -> "LocalEpisode":
        """Return an independent copy from here, written down nowhere; it is to be left.

        See :meth:`bridge.episode.episode.Episode.fork`.
        """
        twin = copy.copy(self)
        twin._world = self._make_world()
        try:
            twin._episode = self._episode.fork(twin._world)
        except BaseException:
            twin._world.close()
            raise
        return twin

    def run_out(self, note: str) -> Ending:
        """End the episode at a limit; see :meth:`bridge.episode.episode.Episode.run_out`."""
        self._episode.run_out(note)
        return self.end()

    def leave(self) -> None:
        """Free the world and leave the episode without an end, as if it was cut off."""
        self._world.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._episode.close()
        else:
            self.leave()

    def _made_by(self) -> str:
        renderer = self._renderer
        return "" if renderer is None else f"{renderer.name}: {renderer.version}"
