"""A module of tests is compiled by one of the tests' processes; the others wait and load it.

In a new checkout no module is compiled yet, and each process would do the same for a quarter of a
minute, with all that pytest makes of asserts.
"""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["import_once"]


@contextmanager
def import_once(module: Path) -> Iterator[None]:
    """Wait for whoever imports the same module of tests, who compiles what it needs."""
    if sys.dont_write_bytecode or not os.access(module.parent, os.W_OK):
        yield  # Nothing is kept that others could load.
        return
    folder = module.parent / "__pycache__"
    folder.mkdir(exist_ok=True)
    with (folder / f"{module.stem}.importing").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # A fork may have the file as well.
