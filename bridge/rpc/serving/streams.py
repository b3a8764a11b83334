"""Play streams: many calls, answered in order. An open stream holds no thread."""

import asyncio
import time

import grpc

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.errors import RequestError, make_limit_error
from bridge.rpc.http2.call import Call, parse_request
from bridge.rpc.serving.handler import RequestHandler, report_error
from bridge.rpc.serving.limits import FIRST_CALL, STREAM_IDLE
from bridge.rpc.serving.sessions import Session

__all__ = ["PlayStream", "Streams"]

REFUSALS = 8
"""Requests of a stranger that reach nothing before its stream is ended."""


class PlayStream:
    """One stream of one client.

    Args:
        handler: answers.
        call: the stream itself.

    Attributes:
        is_operators: whether an operator has opened it.
    """

    def __init__(self, handler: RequestHandler, call: Call) -> None:
        self._handler = handler
        self._call = call
        self.is_operators = handler.access.is_operator(call.metadata)
        self._latest: Session | None = None
        self._held: set[Session] = set()
        self._worked = time.monotonic()
        self._refusals = 0
        self._answering = False
        self._task = asyncio.current_task()
        self._why: RequestError | None = None

    async def serve(self) -> None:
        """Answer until the client has no more requests.

        Raises:
            RequestError: the stream was ended from here.
        """
        try:
            while (content := await self._call.read()) is not None:
                request = parse_request(pb.PlayRequest, content)
                self._answering = True
                response = await self._answer(request)
                self._answering = False
                sending = self._call.write(response)
                del response  # It may be large, and the client slow.
                await sending
                if self._refusals >= REFUSALS:
                    raise make_limit_error(
                        "TOO_MANY_REFUSALS",
                        f"{REFUSALS} requests of this stream had neither the operator's key nor "
                        "the lease of an episode",
                    )
                if self._why is not None:
                    raise self._why
        except asyncio.CancelledError:
            if self._why is None:
                raise
            raise self._why from None
        finally:
            self._task = None
            for session in self._held:
                session.release(self)

    def is_silent(self) -> bool:
        """Return whether nothing was done in it for long, and no episode is open in it."""
        idle = time.monotonic() - self._worked > (
            STREAM_IDLE if self._call.is_trusted else FIRST_CALL
        )
        return idle and self.is_free()

    def is_free(self) -> bool:
        """Return whether it may be ended without harm to an episode."""
        self._held = {s for s in self._held if s.episode is not None and s.holder is self}
        return not self._answering and not self._held

    def close(self, why: RequestError) -> None:
        """End the stream, once what is under way has been answered."""
        if self._why is None:
            self._why = why
            if self._task is not None and not self._answering:
                self._task.cancel()

    async def _answer(self, request: pb.PlayRequest) -> pb.PlayResponse:
        try:
            return await self._done(request)
        except Exception as error:
            self._refusals += not self._call.is_trusted
            return pb.PlayResponse(error=report_error(error, self.is_operators).to_play_error())

    async def _done(self, request: pb.PlayRequest) -> pb.PlayResponse:
        kind = request.WhichOneof("request")
        if kind == "start_episode":
            self._handler.access.require_operator(self._call.metadata)
            session, started = await self._handler.start(request.start_episode, self)
            self._latest = session
            self._hold(session)
            return pb.PlayResponse(start_episode=started)
        session = await self._session(request, kind)
        if kind == "step":
            return pb.PlayResponse(
                step=await self._handler.step(session, request.step, self.is_operators)
            )
        if kind == "observe":
            return pb.PlayResponse(observe=await self._handler.observe(session, request.observe))
        return pb.PlayResponse(end_episode=await self._handler.end(session, self.is_operators))

    async def _session(self, request: pb.PlayRequest, kind: str | None) -> Session:
        if kind is None:
            raise RequestError(
                grpc.StatusCode.INVALID_ARGUMENT, "EMPTY_REQUEST", "the request asks for nothing"
            )
        part = getattr(request, kind)
        if part.episode_id or part.lease:
            session = await self._handler.store.get(part.episode_id, part.lease, self)
        else:
            session = self._current()
        self._hold(session)
        return session

    def _hold(self, session: Session) -> None:
        """Something was done in an episode, which alone keeps a stream alive."""
        self._held.add(session)
        self._worked = time.monotonic()
        self._call.prove()

    def _current(self) -> Session:
        """Return the episode that was begun last in this stream."""
        if self._latest is None:
            raise RequestError(
                grpc.StatusCode.FAILED_PRECONDITION,
                "NO_EPISODE",
                "no episode was begun in this stream",
            )
        self._handler.store.require_known(self._latest)
        self._latest.touch(self)
        return self._latest


class Streams:
    """The open Play streams of a server. Used in the loop's thread only.

    Args:
        most: how many there may be.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[PlayStream, None] = {}

    async def serve(self, handler: RequestHandler, call: Call) -> None:
        """Answer what comes in a stream, until it ends.

        Raises:
            RequestError: there are too many, or it was ended from here.
        """
        if len(self._open) >= self._most and not self._make_room():
            raise self._make_full()
        stream = PlayStream(handler, call)
        self._open[stream] = None
        try:
            await stream.serve()
        finally:
            self._open.pop(stream, None)

    def _make_room(self) -> bool:
        """End the oldest stream without an episode, unless an operator has opened it."""
        victim = next((it for it in self._open if not it.is_operators and it.is_free()), None)
        if victim is None:
            return False
        del self._open[victim]
        victim.close(self._make_full())
        return True

    def _make_full(self) -> RequestError:
        return make_limit_error(
            "TOO_MANY_STREAMS",
            f"{self._most} streams are open, as many as this server takes: end some, or wait; "
            f"those without an episode are ended after {STREAM_IDLE:g} s",
        )

    def close_silent(self) -> None:
        """End those without an episode in which nothing has come for long."""
        why = RequestError(
            grpc.StatusCode.DEADLINE_EXCEEDED,
            "STREAM_IDLE",
            f"a stream without an open episode is ended after {STREAM_IDLE:g} s without a request, "
            f"after {FIRST_CALL:g} s without a key or a lease; empty requests don't count",
        )
        for stream in [stream for stream in self._open if stream.is_silent()]:
            stream.close(why)

    def close_all(self) -> None:
        """End all: the server stops."""
        why = RequestError(grpc.StatusCode.UNAVAILABLE, "STOPPED", "the server was stopped")
        for stream in list(self._open):
            stream.close(why)
