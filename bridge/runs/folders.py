"""Folders of all runs: beginning, locking and writing."""

import fcntl
import os
from pathlib import Path

from bridge.recording.files import draft_of, write_whole
from pysim.errors import InputError

__all__ = ["RunError", "RunLock", "begin_file"]

_LOCK = ".lock"


class RunError(InputError):
    """A run can't be begun, resumed or read; the message says why and what to do."""


class RunLock:
    """An advisory lock that ends with the process at the latest; a context manager.

    Args:
        folder: of the run.

    Raises (when it is entered):
        RunError: another process has it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = -1

    def __enter__(self) -> "RunLock":
        self._file = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise RunError(
                f"{self._folder}: another process is at work on this run; wait until it has "
                "ended, or give --out another folder"
            ) from None
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)


def begin_file(folder: Path, name: str, text: str) -> None:
    """Make a run's first file, whole or not at all, if it is not there.

    What a process that was killed while it did so has left behind is no hindrance. A folder that is
    made is its owner's alone.

    Raises:
        RunError: there is something else in the folder, or another process begins a run in it.
        OSError: it can't be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name
    if path.exists():
        return
    _require_empty(path)
    with RunLock(folder):
        if not path.exists():  # Another process may have made it since.
            write_whole(path, text.encode())


def _require_empty(first: Path) -> None:
    """Refuse a folder with anything in it but a run's first file, and what comes before it."""
    own = {first.name, draft_of(first).name, _LOCK}
    if any(entry.name not in own for entry in first.parent.iterdir()) and not first.exists():
        raise RunError(f"{first.parent} has other files in it; give --out an empty or new folder")
