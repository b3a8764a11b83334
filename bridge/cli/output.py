"""Files that commands write: none is lost, none is left half written."""

from pathlib import Path

from bridge.cli.caching import can_be_written
from bridge.cli.errors import CommandError
from bridge.recording.files import write_whole

__all__ = ["check_ending", "check_output", "check_runs", "write_output"]


def check_ending(path: Path, suffix: str) -> None:
    """Refuse a name that promises another kind of file; a name without an ending promises none.

    Args:
        suffix: the ending of what is written; empty for a folder.

    Raises:
        CommandError: the message names the right ending.
    """
    given = path.suffix.lower()
    if suffix and given not in ("", suffix):
        raise CommandError(f"{path}: give a file whose name ends in {suffix}, not in {given}")
    if not suffix and given in _FILES:
        raise CommandError(f"{path}: several files are written; give a folder, not a {given} file")


_FILES = frozenset({".avi", ".gif", ".jpeg", ".jpg", ".mkv", ".mov", ".mp4", ".png", ".webm"})


def check_output(path: Path, suffix: str, *, force: bool) -> None:
    """Refuse a place where a file can't or must not be written, before any work is done for it.

    Args:
        path: the file.
        suffix: how its name has to end.
        force: whether a file that is there may be replaced.

    Raises:
        CommandError: the message says what to do.
    """
    if path.suffix.lower() != suffix:
        raise CommandError(f"{path}: give a file whose name ends in {suffix}")
    if path.is_dir():
        raise CommandError(f"{path} is a folder; give a file")
    if not path.parent.is_dir():
        raise CommandError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not force:
        raise CommandError(f"{path} exists; give --force to replace it")


def check_runs(runs: Path) -> None:
    """Refuse a folder for episodes that can't be written to, before anybody plays.

    Raises:
        CommandError: the message says what to do.
    """
    if not can_be_written(runs):
        raise CommandError(f"{runs} can't be written to; give another folder with --runs")


def write_output(path: Path, data: bytes, *, force: bool) -> None:
    """Write a file whole or not at all.

    Raises:
        CommandError: it exists by now, and ``force`` is not given.
        OSError: it can't be written; the error names the file.
    """
    if path.exists() and not force:
        raise CommandError(f"{path} exists; give --force to replace it")
    write_whole(path, data)
