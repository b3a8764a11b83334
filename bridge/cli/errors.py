"""Failures of commands: one clear line for those that a user can mend, else a traceback.

- A :class:`~pysim.errors.LubanError` says in one line what to do.
- An ``OSError`` is the environment's: a disk that is full, a file that is not there or not to be
  read. The system's words, with the file's name, make one line, too. So does a lack of memory.
- Anything else is a bug, Luban's or of a package that adds to it. It keeps its traceback, and ends
  with status :data:`BUG` and a line that asks to report it.
"""

import errno
import os
import platform
import shlex
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import NoReturn

import click

from bridge.cli.terminal import drop_output, filter_output, join_lines, make_visible
from pysim.errors import LubanError
from pysim.limits import clip_text

__all__ = ["BUG", "CommandError", "catch_errors", "exit_on_errors", "exit_on_interrupt"]

BUG = 70
"""Exit status of a bug: ``EX_SOFTWARE`` in ``sysexits.h``."""
_AGAIN_S = 0.05
"""Seconds after which an interrupt is raised again that was lost in a callback."""
_STDOUT, _STDERR = 1, 2
_SECRET = ("--operator-key",)
"""Options whose values are not to be found in a report."""


class CommandError(LubanError):
    """A command can't do what it was asked; the message says why and what to do."""


@contextmanager
def catch_errors() -> Iterator[None]:
    """Tell errors of a command that Click would end without a word, and sanitize those of usage.

    A word on the command line may come from somebody else.
    """
    try:
        with exit_on_interrupt():
            yield
    except (EOFError, OSError) as error:
        _end(error)
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message = make_visible(clip_text(error.format_message()))
        raise click.UsageError(message, error.ctx) from None


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """Say that a command was interrupted, and exit with status 130."""
    before, sys.unraisablehook = sys.unraisablehook, _unraisable
    try:
        yield
    except KeyboardInterrupt:
        _stop("interrupted", 130)
    finally:
        sys.unraisablehook = before


@contextmanager
def exit_on_errors() -> Iterator[None]:
    """End the program as its error demands; an interrupt exits with status 130."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # Names of files may be any bytes.
    try:
        with filter_output(), exit_on_interrupt():
            yield
    except SystemExit:
        _flush()
        raise
    except Exception as error:
        _end(error)


def _unraisable(lost: "sys.UnraisableHookArgs") -> None:
    """Raise an interrupt again that a callback swallowed, as those of the compiler do."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        threading.Timer(_AGAIN_S, os.kill, (os.getpid(), signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(lost)


def _flush() -> None:
    """Find out while it can be said that the output can't be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if not _is_unread(error):
            _end(error)


def _is_unread(error: Exception) -> bool:
    """Whether whoever read the output has left; if so, it is let go."""
    return isinstance(error, BrokenPipeError) and any([*map(drop_output, (_STDOUT, _STDERR))])


def _end(error: Exception) -> NoReturn:
    if _is_unread(error):
        raise SystemExit(0)  # The reader has seen enough.
    if isinstance(error, LubanError | OSError):
        _stop(_in_one_line(error), 1)
    if isinstance(error, MemoryError):
        _stop("there is not enough memory; free some, or use fewer --workers", 1)
    with filter_output():
        traceback.print_exception(error)
    _stop(_plea(), BUG)


def _stop(message: str, status: int) -> NoReturn:
    with filter_output():
        print(f"luban: {message}", file=sys.stderr)
    raise SystemExit(status)


def _in_one_line(error: Exception) -> str:
    message = str(error)
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        # Of two files the second one is the place; the first is what was to be put there.
        message = f"{os.fsdecode(error.filename2 or error.filename)}: {error.strerror}"
    return clip_text(join_lines(message) + _advice(error, message)) or type(error).__name__


_ROOM = "; make room on that disk, and give the same command again"
_MAY = "; give another place, or have the right to it"
_ADVICE = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EROFS: "; that disk can only be read: give another folder",
    errno.EIO: "; that disk may be failing: the system's log says more",
    errno.ELOOP: "; a link is in its place: remove it",
    errno.EACCES: _MAY,
    errno.EPERM: _MAY,
    errno.EISDIR: "; that is a folder: give a file",
    errno.ENOENT: "; check the name",
    errno.ENOTDIR: "; a file is in the place of a folder: give another place",
    errno.ENOMEM: "; there is not enough memory: free some, and give the same command again",
}


def _advice(error: Exception, message: str) -> str:
    """Return advice about a file or its disk, if the message ends with the system's words."""
    system: BaseException | None = error
    while system is not None and not (isinstance(system, OSError) and system.errno is not None):
        system = system.__cause__
    if system is None:  # The system's words may have come from a server.
        said = (advice for code, advice in _ADVICE.items() if message.endswith(os.strerror(code)))
        return next(said, "")
    if not isinstance(system, OSError) or (system is error and system.filename is None):
        return ""
    ends = (system.strerror or "", repr(system.filename))
    return _ADVICE.get(system.errno or 0, "") if message.endswith(ends) else ""


def _plea() -> str:
    from importlib.metadata import version

    versions = f"luban {version('luban')}, Python {platform.python_version()}"
    command = shlex.join(["luban", *_without_secrets(sys.argv[1:])])
    return (
        "this is a bug; please report it to Luban's issue tracker, "
        f"with the lines above and this one: {versions}, {command}"
    )


def _without_secrets(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with ``...`` for the values of secret options."""
    shown = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        name, equals, _ = argument.partition("=")
        if before in _SECRET:
            argument = "..."
        elif name in _SECRET and equals:
            argument = f"{name}=..."
        shown.append(argument)
    return shown
