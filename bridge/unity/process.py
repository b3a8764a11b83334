"""Process of a player, in its own process group that is always killed in the end."""

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

_MAX_QUOTE = 2000
"""Maximum number of bytes of output that an error quotes."""
_TAIL_SIZE = 1 << 16
"""Last bytes of output that are searched for the exit reason: Unity logs much when it ends."""
_REASON_PREFIX = b"Luban: "
"""Prefix of the line in which a player logs why it ends."""


def find_player(name: str | Path) -> Path:
    """Return the executable ``name``, which is a path or a command on PATH.

    Raises:
        PlayerUnavailable: it does not exist, or it is not executable.
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
    """A player's process, the leader of a process group.

    The group is killed by ``kill`` and when the interpreter ends. A thread waits for the process,
    so that it never becomes a zombie.

    Args:
        command: program and arguments.
        on_exit: called in that thread after the process has ended.

    Raises:
        PlayerUnavailable: the process can't be started.
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
        self._watcher = threading.Thread(None, _wait_for_exit, name, arguments, daemon=True)
        self._watcher.start()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended and has been waited for."""
        return self._process.returncode is not None

    def kill(self) -> None:
        """Kill the process and its children; a second call does nothing."""
        self._kill()
        self._watcher.join()
        self._log.close()

    def describe_end(self) -> str:
        """Return the exit status and the last output of the process."""
        status = self._process.returncode
        if status is None:
            status_text = "still runs"
        elif status < 0:
            status_text = f"was ended by {signal.Signals(-status).name}"
        else:
            status_text = f"has ended with exit status {status}"
        output = self.read_last_output()
        return f"{status_text}; its last words: {output}" if output else status_text

    def read_last_output(self) -> str:
        """Return the exit reason that the player logged, else its last output, in one line."""
        if self._log.closed:
            return ""
        # The process shares the file's position, which pread does not move.
        size = os.fstat(self._log.fileno()).st_size
        data = os.pread(self._log.fileno(), _TAIL_SIZE, max(0, size - _TAIL_SIZE))
        reasons = [line for line in data.split(b"\n") if line.startswith(_REASON_PREFIX)]
        if reasons:
            reason = reasons[-1].removeprefix(_REASON_PREFIX)[:_MAX_QUOTE]
            return reason.decode(errors="replace").strip()
        return " | ".join(data[-_MAX_QUOTE:].decode(errors="replace").split("\n")[-4:]).strip(" |")


def _wait_for_exit(process: "subprocess.Popen[bytes]", on_exit: Callable[[], object]) -> None:
    process.wait()
    on_exit()


def _kill_group(group: int, owner: int) -> None:
    """Kill a process group, unless this process is a fork of ``owner``."""
    if os.getpid() == owner:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
