"""Folders of runs: one for each episode."""

import os
import re
from itertools import count
from pathlib import Path

from bridge.recording.errors import RecordingError
from pysim.errors import InputError

__all__ = ["format_folder_name", "new_run_folder"]


def format_folder_name(*parts: str) -> str:
    """Return a plain file name made of any texts, joined by ``-``; at most 90 characters."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(parts)).strip("-.")[:90]


def new_run_folder(runs: Path, name: str) -> Path:
    """Return a new folder called ``name`` under ``runs``, or ``name-2`` and so on if that is taken.

    Others can't look into it, nor into ``runs`` if that is made: logs hold levels with their plans.

    Raises:
        InputError: ``name`` is no plain file name.
        RecordingError: it can't be made.
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}", name):
        raise InputError(
            f"a run name is made of a-z, A-Z, 0-9, '.', '_' and '-', unlike {name[:100]!r}"
        )
    try:
        runs.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Another process may take a number between the look and the making; then the next is ours.
        for number in count(_first_free(runs, name)):
            try:
                folder = _numbered(runs, name, number)
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise RecordingError(f"{runs}: {error.strerror}") from None
    raise AssertionError("numbers do not end")


def _first_free(runs: Path, name: str) -> int:
    """A number that is free, next to one that is taken; the first where numbers have no gaps.

    Found in steps that double and are then halved, so that the ten thousandth run of a name looks
    at thirty others, not at all of them.
    """
    taken, free = 0, 1
    while _is_taken(runs, name, free):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if _is_taken(runs, name, middle) else (taken, middle)
    return free


def _is_taken(runs: Path, name: str, number: int) -> bool:
    return os.path.lexists(_numbered(runs, name, number))


def _numbered(runs: Path, name: str, number: int) -> Path:
    return runs / (name if number == 1 else f"{name}-{number}")
