"""Importing a library that talks to the terminal by itself."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["silence_stderr"]

_STDERR = 2


@contextmanager
def silence_stderr() -> Iterator[None]:
    """Keep what a library written in C says on stderr away, such as when it was built.

    What other threads say meanwhile is lost too, so this is for imports alone.
    """
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        kept = os.dup(_STDERR)
    except OSError:  # Nobody can hear it anyway.
        yield
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)
        os.close(nothing)
