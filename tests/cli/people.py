"""People at terminals: real ones, in which ``luban`` runs with a keyboard of its own."""

import os
import pty
import re
import select
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["INTERRUPT", "Session", "answer_questions"]

INTERRUPT = "\x03"
"""Ctrl-C."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATIENCE = 60.0
"""Seconds without a sign of life after which a session has failed."""


@dataclass(frozen=True)
class Session:
    """A session at a terminal: exit status, text on the screen and its raw bytes."""

    status: int
    text: str
    raw: bytes


def answer_questions(
    arguments: list[object],
    reply: Callable[[str], str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
) -> Session:
    """Run a command of luban in a terminal; ``reply`` types at each prompt, given all text since
    the one before.
    """
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover - the other process
        os.chdir(folder)
        usual = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
        for name in ("COLUMNS", "DISPLAY", "WAYLAND_DISPLAY", "TERM_PROGRAM", "KITTY_WINDOW_ID"):
            usual.pop(name, None)
        code = "import sys; sys.argv[0] = 'luban'; import bridge.cli as c; c.main()"
        words = [sys.executable, "-c", code, *map(str, arguments)]
        os.execve(sys.executable, words, {**usual, **(environment or {})})
    seen, answered = b"", 0
    while piece := _read(terminal, process):
        seen += piece
        if seen.endswith(b"> "):
            typed = reply(_ESCAPES.sub("", seen[answered:].decode(errors="replace")))
            answered = len(seen)
            os.write(terminal, typed.encode(errors="surrogateescape"))
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return Session(
        status, _ESCAPES.sub("", seen.decode(errors="replace")).replace("\r\n", "\n"), seen
    )


def _read(terminal: int, process: int) -> bytes:
    if not select.select([terminal], [], [], _PATIENCE)[0]:
        os.kill(process, signal.SIGKILL)
        raise AssertionError("nothing happens in the terminal")
    try:
        return os.read(terminal, 65536)
    except OSError:  # Nobody is on the other side any more.
        return b""
