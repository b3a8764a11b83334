"""Memory for pictures, which come in blocks of megabytes."""

import ctypes
from typing import Final

__all__ = ["keep_large_blocks"]

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_BYTES: Final = 2**30


def keep_large_blocks() -> None:
    """Let the C library keep large blocks that were freed, for the next picture.

    By default glibc hands them back at once, and touching fresh ones costs twice as much as all
    else that is done with a picture. It concerns the whole process. Where there is no ``mallopt``
    (see mallopt(3)) nothing happens.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _BYTES)
        mallopt(_M_TRIM_THRESHOLD, _BYTES)
