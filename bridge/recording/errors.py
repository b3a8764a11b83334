"""Errors of files of recordings."""

from pathlib import Path

from pysim.errors import InputError, LubanError

__all__ = ["LogError", "RecordingError", "reason_of"]


class RecordingError(LubanError, OSError):
    """A log or a video can't be written; the message names the file and says why."""


class LogError(InputError):
    """A log can't be read.

    Attributes:
        path: the file.
        line: where the trouble is, from 1; 0 if it is with the file as a whole.
        problem: what is wrong there.
    """

    def __init__(self, path: Path, line: int, problem: str) -> None:
        where = f"{path}, line {line}" if line else str(path)
        super().__init__(f"{where}: {problem}")
        self.path = path
        self.line = line
        self.problem = problem


def reason_of(error: Exception) -> str:
    """Why the system refused, in its own words, without the file's name."""
    return getattr(error, "strerror", None) or str(error)
