"""Folder of compiled code.

Numba keeps it beside the code or in the user's cache folder, and refuses to compile where it can
write to neither, as in a read-only image without a home.
"""

import os
import stat
import tempfile
from pathlib import Path

from pysim.machine import find_home

__all__ = ["cache_folder", "can_be_written", "keep_compiled_code"]

SETTING = "NUMBA_CACHE_DIR"


def keep_compiled_code() -> None:
    """Name a folder for compiled code if numba would find none; a folder that is named stays."""
    if SETTING in os.environ:
        return
    code = Path(__file__).resolve().parents[2] / "pysim" / "search" / "__pycache__"
    kept = os.environ.get("XDG_CACHE_HOME") or find_home() / ".cache"
    folder = cache_folder((code, Path(kept) / "numba"), Path(tempfile.gettempdir()))
    if folder is not None:
        os.environ[SETTING] = str(folder)


def cache_folder(usual: tuple[Path, ...], spare: Path) -> Path | None:
    """Return a folder of the user's own under ``spare``; None if one of the usual ones will do."""
    if any(map(can_be_written, usual)):
        return None
    folder = spare / f"luban-numba-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    # What is loaded from there is run: nobody else may have put it there.
    about = folder.lstat()
    if stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o022:
        return folder
    return Path(tempfile.mkdtemp(prefix="luban-numba-", dir=spare))


def can_be_written(folder: Path) -> bool:
    """Return whether a folder, or the nearest one around it that exists, can be written to."""
    try:
        nearest = next(path for path in (folder, *folder.parents) if path.exists())
        return nearest.is_dir() and os.access(nearest, os.W_OK)
    except PermissionError:  # A folder around it may not be entered.
        return False
