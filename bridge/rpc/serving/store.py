"""All episodes of a server: how many there may be, whose they are, and closing what is left."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import grpc

from bridge.recording.errors import RecordingError
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.errors import RequestError, make_limit_error
from bridge.rpc.serving.episode_factory import EpisodeFactory, EpisodeSetup
from bridge.rpc.serving.event_loop import WorkerPool, WorkerPools
from bridge.rpc.serving.leases import Leases, hash_lease
from bridge.rpc.serving.limits import GRACE, MAX_LEASE, WAITING, ServerLimits
from bridge.rpc.serving.sessions import Session
from pysim.machine import release_memory
from pysim.puzzle import Level

__all__ = ["EpisodeStore"]

LATTICE = "lattice"
BULLET = "bullet"

T = TypeVar("T")


class EpisodeStore:
    """All episodes of a server. Used in the loop's thread only.

    Args:
        factory: makes them.
        leases: where those are written down that are open.
        pools: where the work is done.
        limits: how many there may be.
        idle_timeout: seconds after which an episode that nobody touches is closed and forgotten.
    """

    def __init__(
        self,
        factory: EpisodeFactory,
        leases: Leases,
        pools: WorkerPools,
        limits: ServerLimits,
        idle_timeout: float,
    ) -> None:
        self._factory = factory
        self._leases = leases
        self._pools = pools
        self._limits = limits
        self._idle_timeout = idle_timeout
        self._sessions: dict[str, Session] = {}
        self._ended: dict[str, Session] = {}
        self._resuming: dict[tuple[str, str], asyncio.Task[Session]] = {}
        self._open = Counter[str]()
        self._begun = time.monotonic()
        self._closed_since = 0
        self._dropping: set[asyncio.Future[None]] = set()

    def __len__(self) -> int:
        """Return the number of open episodes, those that are about to be open included."""
        return self._open.total()

    async def start(
        self, level: Level[Any], order: EpisodeSetup
    ) -> tuple[Session, pb.StartEpisodeResponse]:
        """Begin an episode.

        Raises:
            RequestError: too many are open.
            LubanError: see :meth:`bridge.rpc.serving.episode_factory.EpisodeFactory.begin`.
        """
        self._reserve(order.world)
        pool = self._pools.starts if order.world == LATTICE else self._pools.engines
        try:
            begun = pool.begin(self._factory.begin, level, order)
        except BaseException:
            self._free(order.world)
            raise
        begun.add_done_callback(partial(self._begin, order.world))
        return await asyncio.shield(begun)

    def start_at_once(
        self, level: Level[Any], order: EpisodeSetup
    ) -> tuple[Session, pb.StartEpisodeResponse]:
        """As :meth:`start`, here and now: for what takes no time."""
        self._reserve(order.world)
        try:
            session, response = self._factory.begin(level, order)
        except BaseException:
            self._free(order.world)
            raise
        self._take_in(session)
        return session, response

    async def get(self, episode_id: str, lease: str, holder: object | None = None) -> Session:
        """Return the session of a call, which counts as touching it.

        Args:
            holder: the stream in which it is called; None for a single call.

        Raises:
            RequestError: no such episode, or not the client's own.
        """
        session = await self.visit(episode_id, lease)
        session.touch(holder)
        return session

    async def visit(self, episode_id: str, lease: str) -> Session:
        """As :meth:`get`, for who does not play: the stream keeps it in which it is played.

        Raises:
            RequestError: no such episode, or not the client's own.
        """
        session = self._sessions.get(episode_id) or self._ended.get(episode_id)
        if session is None:
            session = await self._left(episode_id, lease)
        session.require_lease(lease)
        session.touched = time.monotonic()
        return session

    def require_known(self, session: Session) -> None:
        """A session may have been closed and forgotten.

        Raises:
            RequestError: it has.
        """
        if session.id not in self._sessions and session.id not in self._ended:
            raise self._unknown(session.id)

    async def run(self, session: Session, pool: WorkerPool, work: Callable[[], T]) -> T:
        """Do something with an episode, one thing at a time; it is done even if the call ends.

        Raises:
            RequestError: too much waits for it already.
        """
        return await asyncio.shield(await self._begin_work(session, pool, work))

    async def end(self, session: Session) -> None:
        """End an episode; gives up if it goes on.

        Raises:
            RecordingError: its log can't be finished; it stays open.
        """
        await self._shut(session, "given up by the agent", whatever_comes=False, keep=True)

    async def look_after(self, seconds: float) -> None:
        """Close what nobody touches, and forget what ended long ago; for ever."""
        while True:
            await asyncio.sleep(seconds)
            now = time.monotonic()
            for session in [s for s in self._sessions.values() if self._is_left(s, now)]:
                self._let_go(session)
            for session in [s for s in self._ended.values() if self._is_idle(s, now)]:
                del self._ended[session.id]
            if now - self._begun > self._idle_timeout:
                self._begun = now
                self._pools.files.begin(self._leases.forget_left)
            self._tidy()

    async def close(self, note: str) -> None:
        """Close every episode."""
        closing = [
            self._shut(session, note, whatever_comes=True, keep=False)
            for session in list(self._sessions.values())
        ]
        await asyncio.gather(*closing, return_exceptions=True)
        await asyncio.gather(*self._dropping, return_exceptions=True)
        await self._pools.files.run(self._leases.close)

    async def _left(self, episode_id: str, lease: str) -> Session:
        """Return the session of an episode that another server has left, which is no more."""
        if max(len(episode_id), len(lease)) > MAX_LEASE:
            raise self._unknown(episode_id)
        task = self._resuming.get((episode_id, lease))
        if task is None:
            task = asyncio.create_task(self._resume(episode_id, lease))
            self._resuming[episode_id, lease] = task
            task.add_done_callback(lambda _: self._resuming.pop((episode_id, lease)))
        return await asyncio.shield(task)

    async def _resume(self, episode_id: str, lease: str) -> Session:
        record = await self._pools.files.run(self._leases.find, episode_id)
        if record is None or record.lease != hash_lease(lease):
            raise self._unknown(episode_id)
        log = await self._pools.starts.run(self._factory.read, record)
        world = log.header.world[0]
        self._reserve(world)
        try:
            session = await self._pools.engines.run(self._factory.resume, episode_id, record, log)
        except BaseException:
            self._free(world)
            raise
        self._sessions[session.id] = session
        return session

    async def _begin_work(
        self, session: Session, pool: WorkerPool, work: Callable[[], T]
    ) -> asyncio.Future[T]:
        if session.waiting >= WAITING:
            raise make_limit_error(
                "EPISODE_BUSY",
                f"{WAITING} calls wait for this episode; wait for answers before the next call",
            )
        session.waiting += 1
        try:
            await session.lock.acquire()
        finally:
            session.waiting -= 1
        try:
            begun = pool.begin(work)
        except BaseException:
            session.lock.release()
            raise
        begun.add_done_callback(partial(self._worked, session))
        return begun

    def _worked(self, session: Session, done: asyncio.Future[Any]) -> None:
        """Finish the work, whatever its result and whether or not anybody waits for it."""
        session.touched = time.monotonic()
        session.lock.release()

    def _reserve(self, world: str) -> None:
        """Keep a place for one more episode.

        Raises:
            RequestError: there is none.
        """
        limits = self._limits
        if len(self) >= limits.episodes:
            raise self._full(f"{len(self)} episodes are open", "--max-episodes")
        if world == BULLET and self._open[BULLET] >= limits.bullet_episodes:
            open_here = f"{self._open[BULLET]} episodes in the world bullet are open"
            raise self._full(open_here, "--max-bullet-episodes")
        self._open[world] += 1

    def _full(self, what: str, option: str) -> RequestError:
        return make_limit_error(
            "TOO_MANY_EPISODES",
            f"{what}, as many as this server takes: end one, or wait until one is closed that "
            f"nobody touches, after {self._idle_timeout:g} s; `luban serve {option}` takes more",
        )

    def _free(self, world: str) -> None:
        self._open[world] -= 1

    def _begin(
        self, world: str, begun: asyncio.Future[tuple[Session, pb.StartEpisodeResponse]]
    ) -> None:
        """Take an episode in that was begun; whoever asked may have gone away."""
        if begun.cancelled() or begun.exception() is not None:
            self._free(world)
        else:
            self._take_in(begun.result()[0])

    def _take_in(self, session: Session) -> None:
        session.left = time.monotonic()
        self._sessions[session.id] = session

    async def _shut(self, session: Session, note: str, *, whatever_comes: bool, keep: bool) -> None:
        work = partial(session.shut, note, whatever_comes=whatever_comes)
        pool = self._pools.files if session.world == LATTICE else self._pools.engines
        shut = await self._begin_work(session, pool, work)
        shut.add_done_callback(partial(self._gone, session, keep))
        await asyncio.shield(shut)

    def _gone(self, session: Session, keep: bool, done: asyncio.Future[None]) -> None:
        """Forget an episode that was ended, but for what its files can be found by."""
        if session.episode is not None or self._sessions.pop(session.id, None) is None:
            return
        self._free(session.world)
        self._closed_since += 1
        if keep:
            self._ended[session.id] = session
            while len(self._ended) > self._limits.ended:
                del self._ended[next(iter(self._ended))]
        dropped = self._pools.files.begin(self._leases.drop, session.id)
        self._dropping.add(dropped)
        dropped.add_done_callback(self._dropping.discard)

    def _is_idle(self, session: Session, now: float) -> bool:
        return now - session.touched > self._idle_timeout

    def _is_left(self, session: Session, now: float) -> bool:
        """Return whether nobody uses an episode any more; a call under way does."""
        if session.lock.locked() or session.waiting:
            return False
        gone = session.left is not None and now - max(session.left, session.touched) > GRACE
        return gone or self._is_idle(session, now)

    def _let_go(self, session: Session) -> None:
        """Close an episode that nobody uses, without waiting for it."""
        note = f"nobody touched it for {self._idle_timeout:g} s"
        if session.left is not None and not self._is_idle(session, time.monotonic()):
            note = "its client went away"
        task = asyncio.create_task(self._shut(session, note, whatever_comes=True, keep=False))
        task.add_done_callback(partial(_look, session))

    def _tidy(self) -> None:
        """Give memory back after episodes have been closed."""
        if self._closed_since and (not self or self._closed_since >= _MANY):
            self._closed_since = 0
            with contextlib.suppress(RequestError):
                self._pools.files.begin(release_memory, thoroughly=not self)

    def _unknown(self, episode_id: str) -> RequestError:
        return RequestError(
            grpc.StatusCode.NOT_FOUND,
            "EPISODE_NOT_FOUND",
            f"there is no episode {episode_id[:40]!r}; it may have been closed after "
            f"{self._idle_timeout:g} s without a call",
        )


_MANY = 64
"""Episodes closed after which memory is given back even if others are open."""


def _look(session: Session, closed: asyncio.Task[None]) -> None:
    """Say what went wrong with an episode that nobody waits for."""
    error = None if closed.cancelled() else closed.exception()
    if isinstance(error, RecordingError):
        logging.getLogger(__name__).warning("%s", error)
    elif error is not None:
        logging.getLogger(__name__).error("an episode could not be closed", exc_info=error)
