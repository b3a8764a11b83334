"""Turning many pictures into bytes at once."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from pysim.render.views import encode

__all__ = ["EncodingPool"]


class EncodingPool:
    """Threads that encode pictures; a context manager.

    OpenCV works outside of Python's lock, so that threads share the work among cores.

    Args:
        threads: how many; None for one to each core.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="luban-encode")

    def encode(
        self, pictures: Iterable[NDArray[np.uint8]], format: str, *, renderer: str | None = None
    ) -> list[bytes]:
        """Each picture (H, W, 3) as bytes, in their order; see :func:`pysim.render.views.encode`.

        Raises:
            InputError: an unknown format.
            RuntimeError: called after ``close``.
        """
        return list(self._pool.map(lambda rgb: encode(rgb, format, renderer=renderer), pictures))

    def close(self) -> None:
        """End the threads; may be called twice."""
        self._pool.shutdown()

    def __enter__(self) -> "EncodingPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
