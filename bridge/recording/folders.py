"""Folders of runs: one for each episode."""

import re
from pathlib import Path

from bridge.recording.errors import RecordingError
from pysim.errors import InputError

__all__ = ["new_run_folder"]


def new_run_folder(runs: Path, name: str) -> Path:
    """A new folder called ``name`` under ``runs``, or ``name-2`` and so on if that is taken.

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
        for number in range(1, 1_000_000):
            folder = runs / (name if number == 1 else f"{name}-{number}")
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise RecordingError(f"{runs}: {error.strerror}") from None
    raise RecordingError(f"{runs}: too many runs called {name}")
