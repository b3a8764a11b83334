"""Going on with an episode that was cut off: its log is played again, and then written on."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, LiveStep, Start, StepResult
from bridge.recording.log import EpisodeLog, Log
from bridge.recording.replay import Checker, ReplayMismatch, make_step
from pysim.puzzle import ActionError
from pysim.render.renderer import Renderer

__all__ = ["Resumed", "resume"]


@dataclass(frozen=True, slots=True)
class Resumed:
    """An episode that goes on.

    Attributes:
        episode: as it was after its last step.
        last: what came of that step; None if none was made.
    """

    episode: Episode
    last: StepResult | ActionError | None


def resume(
    log: Log,
    renderer: Renderer | None = None,
    engines: Engines = LOCAL,
    sync: Callable[[int], None] = os.fsync,
) -> Resumed:
    """Play a log again, in its world, and go on writing it.

    Args:
        log: as it was read; if it has an end, the episode is over.
        renderer: makes the pictures of the episode, if it shows any.
        engines: make the world.
        sync: as for :class:`~bridge.recording.log.EpisodeLog`.

    Raises:
        ReplayMismatch: the rules of this version do not do what the log says.
        RecordingError: the log can't be written.
        InputError, WorldUnavailable, WorldError: there is no such world, or it fails.
    """
    world = engines.create_world(log.header.world[0])
    listener = _Onward(log, sync)
    last: StepResult | ActionError | None = None
    try:
        episode = Episode(
            log.header.level, world, renderer, log.header.options, listener, image_format="raw"
        )
        for line in log.steps:
            if episode.outcome is not None:
                raise ReplayMismatch(line.step, "outcome", None, episode.outcome)
            last = make_step(episode, line)
        if log.ending is not None and episode.outcome is None:
            # Without a step that ends it: it was given up, or closed.
            episode.ending = log.ending
    except BaseException:
        world.close()
        listener.close()
        raise
    return Resumed(episode, last)


class _Onward:
    """Compares with the log as far as it goes, and writes from there on."""

    def __init__(self, log: Log, sync: Callable[[int], None]) -> None:
        self._known = log
        self._checker = Checker(log, None)
        self._log = None if log.ending else EpisodeLog.reopened(log.path, sync)

    def record_start(self, start: Start) -> None:
        """Nothing is written: the beginning is there."""
        self._checker.record_start(start)

    def record_step(self, record: LiveStep) -> None:
        """Compare a step that is there, write any other."""
        if record.step <= len(self._known.steps):
            self._checker.record_step(record)
        elif self._log is not None:
            self._log.record_step(record)

    def record_end(self, ending: Ending) -> None:
        """Compare the end if it is there; if not, write it."""
        self._checker.record_end(ending)
        if self._log is not None:
            self._log.record_end(ending)

    def close(self) -> None:
        """Leave the log as it is."""
        if self._log is not None:
            self._log.close()
