"""A folder for what a process of tests makes once and keeps until it ends."""

import atexit
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["make_scratch"]


@cache
def make_scratch() -> Path:
    """Make a folder that is removed when this process ends; the same one at each call."""
    folder = TemporaryDirectory(prefix="luban-test-")
    atexit.register(folder.cleanup)
    return Path(folder.name)
