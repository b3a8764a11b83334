"""What the folders of all runs have in common: how one is begun, locked and written to."""

import fcntl
import os
from pathlib import Path
from types import TracebackType

from pysim.errors import InputError

__all__ = ["RunError", "RunLock", "append_line", "begin_file", "whole_lines"]


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
        self._file = os.open(self._folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise RunError(f"{self._folder}: another process is at work on this run") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)


def begin_file(folder: Path, name: str, text: str) -> None:
    """Make a run's first file, whole or not at all, if it is not there.

    A folder that is made is its owner's alone.

    Raises:
        RunError: there is something else in the folder.
        OSError: it can't be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (folder / name).exists():
        return
    if any(entry.name != ".lock" for entry in folder.iterdir()):
        raise RunError(f"{folder} has other files in it; give --out an empty or new folder")
    draft = folder / f".{name}.part"
    draft.write_text(text, encoding="utf-8")
    draft.replace(folder / name)


def append_line(path: Path, line: str) -> None:
    """Add a line to a file of lines; it is with the operating system when this returns.

    Whole or not at all, if nobody else writes at the same time.

    Raises:
        OSError: it can't be written.
    """
    data = line.encode()
    with path.open("ab", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            if file.write(data) != len(data):
                raise OSError(f"{path}: the disk is full")
        except OSError:
            os.ftruncate(file.fileno(), size)
            raise


def whole_lines(path: Path, *, mend: bool = False) -> list[bytes]:
    """The lines of a file, but for a last one that was cut off.

    Args:
        mend: take that one away from the file, too.

    Raises:
        OSError: there is no file.
    """
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if mend and whole != content:
        os.truncate(path, len(whole))
    return whole.split(b"\n")[:-1]
