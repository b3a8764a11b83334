"""The process of a player: started in a group of its own, watched, and never left behind."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from bridge.unity.errors import PlayerUnavailable

__all__ = ["PlayerProcess", "find_player"]

_TAIL = 2000
"""Bytes of its output that an error quotes, at most."""
_SEARCHED = 1 << 16
"""Bytes of its output in which its own last words are looked for: Unity logs much when it ends."""
_LAST_WORDS = b"Luban: "
"""What the line begins with in which our players say why they end."""


def find_player(name: str | Path) -> Path:
    """Return the executable called ``name``: a path, or a command on PATH.

    Raises:
        PlayerUnavailable: there is none, or it is not executable.
    """
    path = Path(name)
    if not path.is_file():
        found = shutil.which(str(name))
        if found is None:
            raise PlayerUnavailable(
                f"there is no player {str(name)!r}: give the executable that Unity built, or "
                "luban-player"
            )
        path = Path(found)
    if not os.access(path, os.X_OK):
        raise PlayerUnavailable(f"the player {path} is not executable: chmod +x {path}")
    return path.resolve()


class PlayerProcess:
    """A player's process.

    It leads a process group, which is killed at ``kill`` and when the interpreter ends. A thread
    waits for it, so that it is never a zombie.

    Args:
        command: what to run.
        on_exit: called in that thread once the process has ended.

    Raises:
        PlayerUnavailable: it can't be run.
    """

    def __init__(self, command: Sequence[str], on_exit: Callable[[], object]) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            self._log.close()
            raise PlayerUnavailable(f"can't start the player {command[0]}: {error}") from error
        self.pid = self._process.pid
        self._kill = weakref.finalize(self, _kill_group, self.pid, os.getpid())
        name, arguments = f"luban-player-{self.pid}", (self._process, on_exit)
        self._watch = threading.Thread(None, _watch, name, arguments, daemon=True)
        self._watch.start()

    @property
    def has_ended(self) -> bool:
        """Whether it has ended; it has been waited for, then."""
        return self._process.returncode is not None

    def kill(self) -> None:
        """Kill it, and whatever it has started; may be called twice."""
        self._kill()
        self._watch.join()
        self._log.close()

    def describe_end(self) -> str:
        """Describe its end, and its last words."""
        status = self._process.returncode
        if status is None:
            how = "still runs"
        elif status < 0:
            how = f"was ended by {signal.Signals(-status).name}"
        else:
            how = f"has ended with exit status {status}"
        words = self.read_last_output()
        return f"{how}; its last words: {words}" if words else how

    def read_last_output(self) -> str:
        """Return its last output, in one line; empty if none."""
        if self._log.closed:
            return ""
        # The process shares the file's position; pread leaves it alone.
        size = os.fstat(self._log.fileno()).st_size
        data = os.pread(self._log.fileno(), _SEARCHED, max(0, size - _SEARCHED))
        said = [line for line in data.split(b"\n") if line.startswith(_LAST_WORDS)]
        if said:
            return said[-1].removeprefix(_LAST_WORDS)[:_TAIL].decode(errors="replace").strip()
        return " | ".join(data[-_TAIL:].decode(errors="replace").split("\n")[-4:]).strip(" |")


def _watch(process: "subprocess.Popen[bytes]", on_exit: Callable[[], object]) -> None:
    process.wait()
    on_exit()


def _kill_group(group: int, owner: int) -> None:
    """Kill a process group, unless this is a fork of the process that ``owner`` names."""
    if os.getpid() == owner:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
