"""Sanitized output to a terminal, since others have written part of it.

Names of levels, runs and pieces, what an agent calls and says last, what files hold: any of it may
hold an escape sequence, which moves the cursor or colours words, an override of the reading
direction, or what Rich takes for markup. In place of each sign that does more than stand where it
is, there is U+FFFD.

- While a command runs, ``sys.stdout`` and ``sys.stderr`` take nothing but such text
  (:func:`filter_output`), whoever prints it. So no ``print`` has to think of it.
- Rich writes escape sequences of its own, and goes past that. It is used through
  :func:`make_console` only, and what it shows is made by :func:`build_plain_text`.
- What has to stay on one line, such as a cell of a table, is made by :func:`join_lines`.
- Lines that are wider than the terminal are wrapped at blanks, so that it breaks no word in two.
  Elsewhere, in a file or a pipe, lines stay whole.
"""

import os
import re
import select
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, TextIO, cast

from bridge.episode.sanitize import REPLACEMENT, sanitize_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = [
    "UNREDIRECTED",
    "TimedText",
    "build_plain_text",
    "drop_output",
    "filter_output",
    "find_raw_stream",
    "join_lines",
    "make_console",
    "make_visible",
    "measure_terminal",
    "outlast_reader",
    "show_status",
    "wrap_text",
]

UNREDIRECTED: dict[str, Any] = {"redirect_stdout": False, "redirect_stderr": False}
"""For what Rich shows live: it would else take over what is printed meanwhile, escapes and all."""
_MOVING = re.compile("[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029\u061c\u200e\u200f]")
"""White space that a terminal does more with than to go on, and marks of the reading direction."""
_ENDS = re.compile("\r\n|[\n\t\r]")
_SHOWN_AFTER_S = 2
"""Seconds after which a status shows how long it has taken."""


def measure_terminal() -> int:
    """Return the characters of a line: those of the terminal, or 80 where there is none."""
    return shutil.get_terminal_size().columns


def wrap_text(text: str, width: int) -> str:
    """Wrap lines at blanks; a word that is wider than ``width`` stands on a line of its own.

    What begins like JSON stays as it is, for somebody may copy it.
    """
    return "\n".join(_fitted(line, width) for line in text.split("\n"))


def _fitted(line: str, width: int) -> str:
    body = line.lstrip(" ")
    if len(line) <= width or body.startswith(("{", "[", '"', "]", "}")):
        return line
    indent = " " * min(len(line) - len(body), width // 2)
    wrapper = TextWrapper(
        width, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(wrapper.wrap(line)) or line


def make_visible(text: str) -> str:
    """Return a text that a terminal shows as it is; lines and tabs stay."""
    return _MOVING.sub(REPLACEMENT, sanitize_text(text))


def join_lines(text: object) -> str:
    """Return the same, with blanks in place of ends of lines and tabs."""
    return make_visible(_ENDS.sub(" ", str(text)))


def build_plain_text(text: object) -> "Text":
    """Return a line for Rich, in which nothing is markup."""
    from rich.text import Text

    return Text(join_lines(text))


def make_console(*, stderr: bool = False) -> "Console":
    """Rich on the terminal itself."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


@contextmanager
def show_status(text: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what goes on, while this lasts; a function that changes it.

    After some seconds it says how many there were, so that a long search is seen to go on.
    """
    from rich.live import Live
    from rich.spinner import Spinner

    words = TimedText(text)
    spinner = Spinner("dots", cast(Any, words))
    with Live(spinner, console=make_console(stderr=True), transient=True, **UNREDIRECTED):
        yield words.set_text


class TimedText:
    """A line for Rich with the time that has passed since it was first shown."""

    def __init__(self, text: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._text = text
        self._clock = clock
        self._began = clock()

    def set_text(self, text: str) -> None:
        """Show other words."""
        self._text = text

    def __rich__(self) -> "Text":
        seconds = int(self._clock() - self._began)
        passed = f" ({timedelta(seconds=seconds)})" if seconds >= _SHOWN_AFTER_S else ""
        return build_plain_text(self._text + passed)


@contextmanager
def outlast_reader() -> Iterator[None]:
    """While this lasts, work goes on when whoever read its output has left, as ``head`` does.

    For commands that write files; others have nothing to do any more.
    """
    _outlasting.append(True)
    try:
        yield
    finally:
        _outlasting.pop()


_outlasting: list[bool] = []


@contextmanager
def _lost_reader(stream: TextIO) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        if not _outlasting or not drop_output(stream.fileno()):
            raise


def drop_output(descriptor: int) -> bool:
    """Let a stream go if it is a pipe that its reader has closed; return whether it is.

    What is still to be written would else make the interpreter complain at its end.
    """
    pipe = select.poll()
    pipe.register(descriptor, 0)
    if not any(event & select.POLLERR for _, event in pipe.poll(0)):
        return False
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return True


@contextmanager
def filter_output() -> Iterator[None]:
    """While this lasts, all that is printed is :func:`make_visible`."""
    out, err = sys.stdout, sys.stderr
    # A process may have been started without them.
    sys.stdout, sys.stderr = (one and _Visible(one) for one in (out, err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def find_raw_stream(stream: TextIO) -> TextIO:
    """Return the stream below one that shows visible text only, for pictures of our own."""
    found: TextIO = getattr(stream, "rich_proxied_file", stream)
    return found


class _Visible:
    """A stream of text that passes on what is visible, and for a terminal in lines that fit."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream  # As Rich asks for what it writes to.
        self._is_terminal = stream.isatty()

    def write(self, text: str) -> int:
        shown = make_visible(text)
        with _lost_reader(self.rich_proxied_file):
            self.rich_proxied_file.write(
                wrap_text(shown, measure_terminal()) if self._is_terminal else shown
            )
        return len(text)

    def flush(self) -> None:
        with _lost_reader(self.rich_proxied_file):
            self.rich_proxied_file.flush()

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)
