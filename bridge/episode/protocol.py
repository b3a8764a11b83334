"""Protocol of all episodes that programs play, in this process and over the wire."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, Self

from bridge.episode.observation import Observation
from bridge.episode.records import Ending, StepResult
from bridge.episode.tools import ActionSpace, ToolCall
from pysim.errors import LubanError
from pysim.field_types import Json
from pysim.puzzle import Action, Outcome
from pysim.scene import Colour

__all__ = ["Described", "EpisodeRunning", "PlayableEpisode", "PlayedEpisode"]


class EpisodeRunning(LubanError, RuntimeError):
    """The episode has not ended; its log, which names the plan, can't be had yet."""


class Described(Protocol):
    """Description of a level, whether or not it lies in this process."""

    @property
    def id(self) -> str:
        """Unique, lower case."""

    @property
    def family(self) -> str:
        """Name of its family."""

    @property
    def name(self) -> str:
        """Name for people."""

    @property
    def tier(self) -> str:
        """``easy``, ``medium``, ``hard`` or ``expert``."""

    @property
    def budget(self) -> int:
        """Steps that an agent has."""

    @property
    def hash(self) -> str:
        """See :attr:`pysim.puzzle.Level.hash`."""


class PlayableEpisode(Protocol):
    """An episode that an agent can play; a context manager, which ends it.

    Left by an exception, it stays without an end, as if it was cut off.
    """

    @property
    def level(self) -> Described:
        """Level that is played; not for agents."""

    @property
    def instruction(self) -> str:
        """The task in words."""

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Names of the pieces."""

    @property
    def tools(self) -> Sequence[dict[str, Json]]:
        """The actions as OpenAI function tools."""

    @property
    def actions(self) -> ActionSpace:
        """Parser and formatter of its actions."""

    @property
    def budget(self) -> int:
        """Steps allowed."""

    @property
    def budget_left(self) -> int:
        """Steps left."""

    @property
    def steps(self) -> int:
        """Steps made."""

    @property
    def state_hash(self) -> str:
        """Hash of the present state: 64 hexadecimal digits."""

    @property
    def outcome(self) -> Outcome | None:
        """Outcome; None until it has ended."""

    def observe(self, *, images: bool = True) -> Observation:
        """Return the observation; costs nothing."""

    def step(self, action: Action | ToolCall | str, /, **arguments: Json) -> StepResult:
        """Try an action; it costs a step whatever comes of it.

        Args:
            action: an action, a tool call, or an action's name followed by its arguments.

        Raises:
            InvalidAction: it means nothing; the state is as before.
            IllegalMove: it is not allowed now; the state is as before.
            EpisodeOver: the episode has ended; no step is counted.
        """

    def step_json(self, name: str, arguments: str) -> StepResult:
        """As :meth:`step`, with the arguments as JSON text, as models write them."""

    def end(self) -> Ending:
        """End the episode and free what it holds; gives up if it has not ended."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None: ...


class PlayedEpisode(PlayableEpisode, Protocol):
    """An episode of a user, in this process or on a server, with its log and its video."""

    def save_log(self, path: Path | str) -> None:
        """Write the log of the ended episode to a file."""

    def save_video(
        self,
        path: Path | str,
        *,
        size: int = 512,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Make the video of the ended episode.

        Args:
            path: the file, MP4; an older one is replaced.
            size: edge in pixels, 128 to 1080, even.
            progress: told of the number of frames made and in all.
        """
