"""The log of an episode that is kept in memory until somebody wants it as a file."""

from pathlib import Path

from bridge.episode.records import Ending, LiveStep, Start
from bridge.recording.files import write_whole
from bridge.recording.lines import end_line, start_lines, step_line

__all__ = ["LogInMemory"]


class LogInMemory:
    """Keeps the lines of a log; a :class:`~bridge.episode.records.Listener`.

    Raises (from ``started``, ``stepped`` and ``ended``):
        InputError: what happened can't be written as a line.
    """

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def record_start(self, start: Start) -> None:
        """Keep header and frame 0."""
        self._lines.append(start_lines(start))

    def record_step(self, record: LiveStep) -> None:
        """Keep a step."""
        self._lines.append(step_line(record))

    def record_end(self, ending: Ending) -> None:
        """Keep the end."""
        self._lines.append(end_line(ending))

    def save(self, path: Path) -> None:
        """Write the log as :class:`~bridge.recording.log.EpisodeLog` does, over what is there.

        Raises:
            OSError: it can't be written; what was there is as before.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, b"".join(self._lines))
