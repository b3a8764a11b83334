"""A folder that appears whole or not at all."""

import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.errors import RecordingError, reason_of

__all__ = ["MARKS", "Seal", "check_folder", "new_folder", "write_nothing"]

Seal = Callable[[Path, Sequence[Recording]], None]
"""Writes what describes a dataset into its folder; receives the recordings that are in it."""

MARKS = ("dataset.json", "meta/info.json")
"""Files by which a folder is known to hold a dataset, which may then be replaced."""


def write_nothing(folder: Path, recordings: Sequence[Recording]) -> None:
    """Describe a dataset by nothing but its own files."""


def check_folder(
    out: Path, *, force: bool, marks: Sequence[str] = MARKS, content: str = "dataset"
) -> None:
    """Refuse a place where a dataset, or something else, can't or must not be put.

    Args:
        marks: files one of which is in a folder that may be replaced.
        content: what such a folder holds.

    Raises:
        DatasetError: there is something, and it may not be replaced.
    """
    if not out.exists():
        return
    if not force:
        raise DatasetError(f"{out} exists; give --force to replace it, or another folder")
    if not any((out / mark).is_file() for mark in marks):
        raise DatasetError(f"{out} holds no {content}, so it is not replaced; give another folder")


@contextmanager
def new_folder(
    out: Path, *, force: bool, marks: Sequence[str] = MARKS, content: str = "dataset"
) -> Iterator[Path]:
    """An empty folder beside ``out``, put there at the end; removed if the block fails.

    What a process that was killed has left of it is removed first.

    Args:
        force: whether a dataset that is there is replaced; it stays until the new one is whole.
        marks, content: as in :func:`check_folder`.

    Raises:
        DatasetError: as :func:`check_folder`, or another process makes a dataset there.
        RecordingError: the folder can't be made or put there.
    """
    out = out.resolve()
    if not str(out).isprintable():  # pyarrow takes UTF-8 only.
        raise DatasetError(f"{str(out)!r}: give a folder whose name can be printed")
    check = partial(check_folder, out, force=force, marks=marks, content=content)
    check()
    draft = out.with_name(f".{out.name}.part")
    handle = _begin(draft, out)
    try:
        check()
        yield draft
        check()
        _put(draft, out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        os.close(handle)


def _begin(draft: Path, out: Path) -> int:
    """Make an empty folder that no other process has as long as what is returned is open."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        while (handle := _locked(draft)) is None:
            pass
        _mend(out)
        _clear(draft)
    except BlockingIOError:
        raise DatasetError(
            f"another process is making {out}; wait until it has ended, or give another folder"
        ) from None
    except OSError as error:
        raise RecordingError(f"can't make {out}: {reason_of(error)}") from error
    return handle


def _locked(folder: Path) -> int | None:
    """A lock on a folder, which is made if need be; None if somebody moved it away meanwhile."""
    folder.mkdir(exist_ok=True)
    handle = -1
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(handle), folder.stat()):
            return handle
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(handle)
        raise
    if handle >= 0:
        os.close(handle)
    return None


def _clear(folder: Path) -> None:
    for left in folder.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        else:
            left.unlink()


def _put(draft: Path, out: Path) -> None:
    """Move a folder to its place; a dataset that is there is where the draft was then."""
    try:
        if out.exists():
            with _kept(out):
                _swap(draft, out)
                shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.rename(out)
    except OSError as error:
        raise RecordingError(f"can't make {out}: {reason_of(error)}") from error


@contextmanager
def _kept(folder: Path) -> Iterator[None]:
    """Nobody else may take a folder for a draft, wherever it is moved."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def _swap(one: Path, other: Path) -> None:
    """Let two folders change places; at no time is there none.

    Not every file system can do that: on those, the other one stands aside for a moment.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    done = libc.renameat2(
        _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
    )
    number = ctypes.get_errno() if done else 0
    if number in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        _swap_in_steps(one, other)
    elif number:
        raise OSError(number, os.strerror(number), str(other))


def _swap_in_steps(one: Path, other: Path) -> None:
    aside = _aside(other)
    other.rename(aside)
    try:
        one.rename(other)
    except BaseException:
        aside.rename(other)
        raise
    aside.rename(one)


def _aside(out: Path) -> Path:
    return out.with_name(f".{out.name}.old")


def _mend(out: Path) -> None:
    """Put back what stood aside when a process was killed; if its heir is there, remove it."""
    aside = _aside(out)
    if aside.exists():
        if out.exists():
            shutil.rmtree(aside)
        else:
            aside.rename(out)
