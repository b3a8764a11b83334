"""Files that only their owner may read: runs, because their logs hold levels with their plans."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["make_files_private"]


@contextmanager
def make_files_private() -> Iterator[None]:
    """Create files for their owner alone, also in processes that are started meanwhile."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
