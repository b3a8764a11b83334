"""Play in which the agent acts on the level itself, step by step or all at once."""

from dataclasses import dataclass, replace

from bridge.episode.records import Ending, Options
from bridge.runs.play import Mode, play_episode
from bridge.runs.protocol import Attempt
from pysim.catalog import AnyLevel
from pysim.viewpoints import Views

__all__ = ["DirectPlay"]


@dataclass(frozen=True, slots=True)
class DirectPlay:
    """See :class:`~bridge.runs.protocol.Play`."""

    mode: Mode

    def options(self, level: AnyLevel, options: Options) -> Options:
        """Return those of the run; in one shot everything that is to be seen is on one sheet."""
        if self.mode is Mode.ONE_SHOT and options.views is Views.COMPOSED:
            return replace(options, views=Views.SHEET)
        return options

    def perform(self, attempt: Attempt) -> Ending:
        """Let the agent act, once for every step or once for all of them."""
        return play_episode(attempt.episode, attempt.agent, mode=self.mode, stopped=attempt.stopped)
