"""The thread in which all servers of a process answer, and those in which their work is done.

Connections and streams are served by one event loop: an open stream holds no thread. Whatever may
take long or wait for a disk is done in pools of a few threads each, so that nobody waits for what
others do in another pool, and health checks wait for nobody.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, ParamSpec, TypeVar

import uvloop

from bridge.rpc.errors import make_limit_error

__all__ = ["WorkerPool", "WorkerPools", "get_event_loop", "run_in_loop"]

P = ParamSpec("P")
T = TypeVar("T")


@cache
def get_event_loop() -> asyncio.AbstractEventLoop:
    """The loop of this process, which runs in a thread of its own for as long as the process does.

    There is one for all servers.
    """
    loop = uvloop.new_event_loop()
    threading.Thread(target=loop.run_forever, name="luban-loop", daemon=True).start()
    return loop


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Have something done in the loop, and wait for it; called from any other thread."""
    return asyncio.run_coroutine_threadsafe(work, get_event_loop()).result()


class WorkerPool:
    """A few threads, and how much may wait for them. Used in the loop's thread only.

    Args:
        name: of the threads.
        threads: how many.
        waiting: pieces of work that may wait.
        refusal: what a client is told beyond that.
    """

    def __init__(self, name: str, threads: int, waiting: int, refusal: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"luban-{name}")
        self._most = threads + waiting
        self._refusal = refusal
        self._under_way = 0

    def begin(
        self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs
    ) -> asyncio.Future[T]:
        """Have something done by one of the threads; it is done even if nobody waits for it.

        Raises:
            RequestError: too much is waiting.
        """
        if self._under_way >= self._most:
            raise make_limit_error("BUSY", self._refusal)
        self._under_way += 1
        done = asyncio.wrap_future(self._pool.submit(work, *arguments, **named))
        done.add_done_callback(self._finished)
        return done

    async def run(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """As :meth:`begin`, and wait for it."""
        return await asyncio.shield(self.begin(work, *arguments, **named))

    def close(self) -> None:
        """Take no more work; what is under way is finished."""
        self._pool.shutdown(wait=False)

    def _finished(self, done: asyncio.Future[Any]) -> None:
        self._under_way -= 1
        if not done.cancelled():
            done.exception()  # Looked at, or asyncio complains when nobody waits for it any more.


class WorkerPools:
    """The worker pools of a server.

    Attributes:
        steps: steps in the lattice world, and looking without pictures.
        engines: whatever an engine does that takes its time: Bullet, Unity.
        starts: levels that ship are read and begun.
        documents: level documents of clients are read and checked.
        pictures: pictures are drawn and encoded.
        files: logs are closed, files are read and leases looked up.
        films: videos are made.
    """

    def __init__(self) -> None:
        later = "the server is busy: {}; call again in some seconds"
        self.steps = WorkerPool("steps", 4, 16_384, later.format("too many steps wait"))
        self.engines = WorkerPool("engines", 4, 4096, later.format("too much waits for engines"))
        self.starts = WorkerPool("starts", 2, 4096, later.format("too many episodes begin"))
        self.documents = WorkerPool(
            "documents", 1, 8, later.format("too many levels are being read")
        )
        self.pictures = WorkerPool(
            "pictures", 4, 2048, later.format("too many pictures are being made")
        )
        self.files = WorkerPool("files", 4, 16_384, later.format("too many files are being read"))
        self.films = WorkerPool("films", 2, 32, later.format("too many videos are being made"))

    def close(self) -> None:
        """Take no more work."""
        for pool in vars(self).values():
            pool.close()
