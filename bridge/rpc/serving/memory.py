"""Giving memory back to the system."""

import ctypes
import gc
from functools import cache

__all__ = ["release_memory"]


def release_memory(*, thoroughly: bool) -> None:
    """Give back what many small things have left, which the allocator would keep for others.

    Args:
        thoroughly: look for garbage first, which keeps everybody waiting for a moment.
    """
    if thoroughly:
        gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> "ctypes._NamedFuncPointer | None":
    """Return the C library's function for it; None if it has none."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
