"""A clock that hides how long an answer took to be found."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from threading import Thread

__all__ = ["TICK", "Ticks"]

TICK = 0.005
"""Seconds between two moments at which answers leave."""


class Ticks:
    """Moments at which answers leave: the second tick after the question comes.

    Used in the loop's thread only. How long an answer took shows only if it took longer than a
    tick. The clock ticks as long as somebody waits.
    """

    def __init__(self) -> None:
        self._now = 0
        self._held = 0
        self._next: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Do something, and let neither its result nor its error out before its time."""
        self._held += 1
        if self._next is None:
            self._wind()
        due = self._now + 2
        try:
            yield
        finally:
            while self._now < due and self._next is not None:
                await asyncio.shield(self._next)
            self._held -= 1

    def _wind(self) -> None:
        """Let the next tick come at the next multiple of its length.

        A loop waits for whole milliseconds from when it is done with its work, which would tell how
        long that took. So a thread waits instead.
        """
        loop = asyncio.get_running_loop()
        self._next = loop.create_future()
        Thread(target=self._wait, args=(loop,), name="tick", daemon=True).start()

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        time.sleep(TICK - now % TICK)
        with suppress(RuntimeError):  # The loop may be closed by then.
            loop.call_soon_threadsafe(self._tick)

    def _tick(self) -> None:
        assert self._next is not None
        self._now += 1
        self._next.set_result(None)
        self._next = None
        if self._held:
            self._wind()
