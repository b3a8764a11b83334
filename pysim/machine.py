"""Differences between machines and users: cores, memory, home folders and a noisy stderr."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctypes import _NamedFuncPointer

__all__ = ["count_cores", "find_cache", "find_home", "release_memory", "silence_stderr"]

_STDERR = 2


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def find_home() -> Path:
    """Return the user's home folder.

    Containers run with any user id, for which there may be neither a name nor a home; then it is
    ``/``, as Docker sets it, which can't be written to.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def find_cache(name: str) -> Path:
    """Return the folder of files that can be made again; it may not exist yet.

    It is ``$LUBAN_CACHE/NAME``, else ``$XDG_CACHE_HOME/luban/NAME``, else ``~/.cache/luban/NAME``.
    """
    if own := os.environ.get("LUBAN_CACHE"):
        return Path(own) / name
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else find_home() / ".cache") / "luban" / name


@contextmanager
def silence_stderr() -> Iterator[None]:
    """Discard the text that a library written in C prints on stderr while it is imported.

    Text of other threads is lost meanwhile, so this is for imports alone.
    """
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        kept = os.dup(_STDERR)
    except OSError:  # There is no stderr to silence.
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


def release_memory(*, thoroughly: bool) -> None:
    """Give back what many small things have left, which the allocator would keep for others.

    Args:
        thoroughly: look for garbage first, which keeps everybody waiting for a moment.
    """
    if thoroughly:
        gc.collect()
    trim = _load_trim()
    if trim is not None:
        trim(0)


@cache
def _load_trim() -> "_NamedFuncPointer | None":
    """Return the C library's function for it; None if it has none."""
    import ctypes

    return getattr(ctypes.CDLL(None), "malloc_trim", None)
