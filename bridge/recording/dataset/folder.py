"""A folder that appears whole or not at all."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.recording.dataset.errors import DatasetError
from bridge.recording.errors import RecordingError, reason_of

__all__ = ["MARKS", "check_folder", "new_folder"]

MARKS = ("dataset.json", "meta/info.json")
"""Files by which a folder is known to hold a dataset, which may then be replaced."""


def check_folder(out: Path, *, force: bool) -> None:
    """Refuse a place where a dataset can't or must not be put.

    Raises:
        DatasetError: there is something, and it may not be replaced.
    """
    if not out.exists():
        return
    if not force:
        raise DatasetError(f"{out} exists; give --force to replace it, or another folder")
    if not any((out / mark).is_file() for mark in MARKS):
        raise DatasetError(f"{out} holds no dataset, so it is not replaced; give another folder")


@contextmanager
def new_folder(out: Path, *, force: bool) -> Iterator[Path]:
    """An empty folder beside ``out``, put there at the end; removed if the block fails.

    Args:
        force: whether a dataset that is there is replaced; it stays until the new one is whole.

    Raises:
        DatasetError: as :func:`check_folder`.
        RecordingError: the folder can't be made or put there.
    """
    out = out.resolve()
    if not str(out).isprintable():  # pyarrow takes UTF-8 only.
        raise DatasetError(f"{str(out)!r}: give a folder whose name can be printed")
    check_folder(out, force=force)
    draft = out.with_name(f".{out.name}.{secrets.token_hex(4)}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        draft.mkdir()
    except OSError as error:
        raise RecordingError(f"can't make {out}: {reason_of(error)}") from error
    try:
        yield draft
        check_folder(out, force=force)
        _put(draft, out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put(draft: Path, out: Path) -> None:
    """Move a folder to its place; what is there is removed once it has moved away."""
    old = draft.with_suffix(".old")
    try:
        if out.exists():
            out.rename(old)
        try:
            draft.rename(out)
        except OSError:
            if old.exists():
                old.rename(out)
            raise
    except OSError as error:
        raise RecordingError(f"can't make {out}: {reason_of(error)}") from error
    shutil.rmtree(old, ignore_errors=True)
