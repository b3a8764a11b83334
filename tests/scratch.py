"""A folder for what a process of tests makes once and keeps until it ends.

It is one of pytest's, which removes those of earlier runs, also where a run was killed.
"""

from pathlib import Path

__all__ = ["find_scratch", "set_scratch"]

_folder: list[Path] = []


def set_scratch(folder: Path) -> None:
    """Name the folder."""
    _folder[:] = [folder]


def find_scratch() -> Path:
    """Return the folder; the same one at each call."""
    (folder,) = _folder
    return folder
