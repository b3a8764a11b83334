"""Turns of strangers: together they take a part of the loop's time, and no more."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

__all__ = ["Turns"]

SHARE = 4
"""For each second that strangers take, others have so many."""
SLICE = 0.002
"""Seconds for which strangers are served in a row; most of a queue may be gone by their turn."""


class Turns:
    """A queue of what strangers have sent. Used in the loop's thread only.

    As long as nobody waits, a stranger is served at once.
    """

    def __init__(self) -> None:
        self._queue: deque[Callable[[], None]] = deque()
        self._not_before = 0.0
        self._scheduled = False

    @property
    def is_free(self) -> bool:
        """Whether a stranger may be served now."""
        return not self._queue and time.monotonic() >= self._not_before

    def do(self, work: Callable[[], None]) -> None:
        """Serve a stranger now."""
        began = time.monotonic()
        work()
        self._rest(began)

    def queue(self, work: Callable[[], None]) -> None:
        """Serve a stranger when it is its turn."""
        self._queue.append(work)
        self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            wait = max(0.0, self._not_before - time.monotonic())
            asyncio.get_running_loop().call_later(wait, self._next)

    def _next(self) -> None:
        self._scheduled = False
        began = time.monotonic()
        while self._queue and time.monotonic() - began < SLICE:
            self._queue.popleft()()
        self._rest(began)
        if self._queue:
            self._schedule()

    def _rest(self, began: float) -> None:
        ended = time.monotonic()
        self._not_before = ended + SHARE * (ended - began)
