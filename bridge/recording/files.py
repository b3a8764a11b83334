"""Files that are whole whatever happens: replaced as a whole, or written line by line."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from bridge.recording.errors import RecordingError, reason_of
from pysim.untrusted import FileKind, read_untrusted

__all__ = [
    "append_line",
    "draft_of",
    "named",
    "new_file",
    "whole_lines",
    "write_all",
    "write_whole",
]


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Have the system's errors in the block name the file, which those of open files don't."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def new_file(path: Path) -> FileIO:
    """Return a log, made anew, for its owner alone; writes go straight to the operating system.

    Raises:
        RecordingError: it is there already, or can't be made.
    """
    try:
        return open(path, "xb", buffering=0, opener=_private)
    except FileExistsError:
        raise RecordingError(
            f"{path} exists already; a log is never overwritten, give it another name"
        ) from None
    except OSError as error:
        raise RecordingError(f"can't make {path}: {reason_of(error)}") from error


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_all(file: FileIO, data: bytes) -> None:
    """Write all of ``data``, of which the system may take less at a time.

    Raises:
        OSError: it can't be written; a part of it may have been.
    """
    left = memoryview(data)
    while left:
        done = file.write(left)
        if not done:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left = left[done:]


def draft_of(path: Path) -> Path:
    """Return the path at which :func:`write_whole` writes a file before it replaces the old one."""
    return path.with_name(f".{path.name}.part")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that after a crash the old one is there or the new one, and never half.

    Processes that write the same file at once take turns. What one that was killed has left of it
    beside its place is taken over.

    Raises:
        OSError: it can't be written; the error names the file.
    """
    draft = draft_of(path)
    with named(path), _alone(draft) as file:
        try:
            file.truncate(0)
            write_all(file, data)
            os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise


@contextmanager
def _alone(draft: Path) -> Iterator[FileIO]:
    """A file that is made, or was left by a killed process, and that no other process has."""
    while True:
        with open(draft, "ab", buffering=0, opener=_not_through_links) as file:
            with suppress(OSError):  # Some network drives have no locks.
                fcntl.flock(file, fcntl.LOCK_EX)
            if _is_at(file, draft):
                yield file
                return


def _not_through_links(path: str, flags: int) -> int:
    """Open a file to write to, but no other one by a link that somebody has left in its place."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _is_at(file: FileIO, path: Path) -> bool:
    """Return whether an open file is still in its place, and not put into another one meanwhile."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def append_line(path: Path, line: bytes) -> None:
    """Add a line to a file of lines; it is with the operating system when this returns.

    Whole or not at all, if nobody else writes at the same time. A last line that was cut off
    before, by a full disk or a crash, is taken away.

    Raises:
        OSError: it can't be written; the error names the file.
    """
    with named(path), path.open("ab+", buffering=0) as file:
        size = _mended(file)
        try:
            write_all(file, line)
        except BaseException:
            with suppress(OSError):
                file.truncate(size)
            raise


def _mended(file: FileIO) -> int:
    """Take away a last line that was cut off; the bytes that are left."""
    size = file.seek(0, os.SEEK_END)
    if size == 0 or os.pread(file.fileno(), 1, size - 1) == b"\n":
        return size
    return file.truncate(os.pread(file.fileno(), size, 0).rfind(b"\n") + 1)


def whole_lines(path: Path, kind: FileKind) -> list[bytes]:
    """Return the lines of a file, but for a last one that was cut off.

    Raises:
        OSError: there is no file, or it is refused.
    """
    return read_untrusted(path, kind).split(b"\n")[:-1]
