"""Real disks that are too small: file systems in memory, which only root may mount."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

__all__ = ["can_mount", "mounted"]


@cache
def can_mount() -> bool:
    """Whether this process may mount a file system; root may, but not in every container."""
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as folder:
        try:
            with mounted(Path(folder), 2**16):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


@contextmanager
def mounted(folder: Path, size: int) -> Iterator[Callable[[], None]]:
    """A disk of so many bytes on a folder while the block lasts; gives what makes it larger."""
    _mount(f"size={size}", folder)
    try:
        yield lambda: _mount("remount,size=1g", folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True, capture_output=True)


def _mount(options: str, folder: Path) -> None:
    command = ["mount", "-t", "tmpfs", "-o", options, "luban-test", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
