"""Places of a server of pages: those who ask for nothing give way to those who do."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.websockets import WebSocket

__all__ = ["OpenPages", "Places", "QuietConnections"]

PATIENCE = 10.0
"""Seconds within which a connection makes its first request, and its next one."""
TRY_AGAIN = 1013
"""Status of a WebSocket whose server has no place for it now (RFC 6455, IANA's registry)."""
_RESERVED = 128
"""Descriptors for everything but connections and logs."""


@dataclass(frozen=True, slots=True)
class Places:
    """Limits of connections that are open at once.

    Attributes:
        pages: WebSockets of playing pages.
        others: connections over which no request is answered just now.
    """

    pages: int = 1024
    others: int = 512

    def limit_to(self, descriptors: int) -> "Places":
        """Return no more than a process may have files open: a page has its log open, too."""
        share = max(1, (descriptors - _RESERVED) // 5)
        return Places(min(self.pages, 2 * share), min(self.others, share))


class QuietConnections:
    """Connections over which no request is answered, as uvicorn would wait for ever for the first.

    Args:
        most: how many may be there.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._quiet: dict[Any, tuple[object, float]] = {}

    def close_some(self, connections: set[Any]) -> None:
        """Close those that were quiet for too long, and the oldest of too many.

        Args:
            connections: uvicorn's protocols of all that are open.
        """
        now = time.monotonic()
        quiet: dict[Any, tuple[object, float]] = {}
        for one in connections:
            if not hasattr(one, "cycle"):  # A WebSocket.
                continue
            cycle = one.cycle  # The last request, and its answer.
            if cycle is None or cycle.response_complete:
                known = self._quiet.get(one)
                quiet[one] = known if known and known[0] is cycle else (cycle, now)
        self._quiet = quiet
        oldest = sorted(quiet, key=lambda one: quiet[one][1])
        for place, one in enumerate(oldest):
            if place < len(quiet) - self._most or now - quiet[one][1] > PATIENCE:
                one.transport.abort()


class OpenPages:
    """The open WebSockets, of which the one that was quiet longest gives way. In one loop only.

    Args:
        most: how many may be there.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[WebSocket, None] = {}
        self._closing: set[asyncio.Task[None]] = set()

    @contextmanager
    def hold(self, socket: WebSocket) -> Iterator[None]:
        """Give a page a place until the block ends."""
        self._open[socket] = None
        while len(self._open) > self._most:
            quietest = next(iter(self._open))
            del self._open[quietest]
            task = asyncio.get_running_loop().create_task(quietest.close(TRY_AGAIN))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        try:
            yield
        finally:
            self._open.pop(socket, None)

    def note(self, socket: WebSocket) -> None:
        """A page has asked for something."""
        if socket in self._open:
            del self._open[socket]
            self._open[socket] = None
