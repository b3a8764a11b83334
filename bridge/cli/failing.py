"""Errors that a user can do something about: one clear line, no traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["CommandError", "exit_on_interrupt", "exit_on_known_errors"]


class CommandError(Exception):
    """A command can't do what it was asked; the message says why and what to do."""


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """Say that a command was interrupted, which Typer leaves out, and exit with status 130."""
    try:
        yield
    except KeyboardInterrupt:
        _stop("interrupted", 130)


@contextmanager
def exit_on_known_errors() -> Iterator[None]:
    """Print known errors on stderr and exit with status 1; an interrupt exits with 130."""
    try:
        with exit_on_interrupt():
            yield
    except Exception as error:
        if not _is_known(error):
            raise
        _stop(str(error), 1)


def _stop(message: str, status: int) -> None:
    print(f"luban: {message}", file=sys.stderr)
    raise SystemExit(status)


def _is_known(error: Exception) -> bool:
    """Whether the message alone tells a user what is wrong.

    By name for errors of rooms that not every command loads.
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(
        names
        & {
            "CommandError",
            "SandboxError",
            "LevelError",
            "LogError",
            "LubanError",
            "OSError",
            "RecordingError",
            "RendererUnavailable",
            "ReplayMismatch",
            "ValueError",
            "WorldError",
            "WorldUnavailable",
        }
    )
