"""Play streams: many calls, answered in order. An open stream holds no thread."""

import asyncio
import time

import grpc
from google.protobuf.message import DecodeError

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.errors import RequestError
from bridge.rpc.serving.event_loop import CallContext
from bridge.rpc.serving.handler import RequestHandler, report_error
from bridge.rpc.serving.limits import STREAM_IDLE, make_limit_error
from bridge.rpc.serving.sessions import Session

__all__ = ["PlayStream", "Streams"]

END: object = grpc.aio.EOF  # type: ignore[attr-defined]
"""Read after a client's last request."""


class PlayStream:
    """One stream of one client.

    Args:
        handler: answers.
        context: the stream itself.
    """

    def __init__(self, handler: RequestHandler, context: CallContext) -> None:
        self._handler = handler
        self._context = context
        self._operator = handler.access.is_operator(context)
        self._latest: Session | None = None
        self._held: set[Session] = set()
        self._asked = time.monotonic()
        self._answering = False
        self._task = asyncio.current_task()
        self._why: RequestError | None = None

    async def serve(self) -> None:
        """Answer until the client has no more requests.

        Raises:
            RequestError: the stream was ended from here.
        """
        try:
            while (request := await self._context.read()) is not END:
                self._answering = True
                response = await self._answer(request)
                self._asked, self._answering = time.monotonic(), False
                await self._context.write(response)
                if self._why is not None:
                    raise self._why
        except DecodeError as error:
            raise RequestError(
                grpc.StatusCode.INVALID_ARGUMENT,
                "UNREADABLE_REQUEST",
                f"a request is no message of this protocol: {error}",
            ) from None
        except asyncio.CancelledError:
            if self._why is None:
                raise
            raise self._why from None
        finally:
            for session in self._held:
                session.release(self)

    def is_silent(self) -> bool:
        """Return whether nothing has come for long, and no episode is open in it."""
        self._held = {s for s in self._held if s.episode is not None and s.holder is self}
        idle = time.monotonic() - self._asked > STREAM_IDLE
        return idle and not self._answering and not self._held

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
            return pb.PlayResponse(error=report_error(error, self._operator).to_play_error())

    async def _done(self, request: pb.PlayRequest) -> pb.PlayResponse:
        kind = request.WhichOneof("request")
        if kind == "start_episode":
            self._handler.access.require_operator(self._context)
            session, started = await self._handler.start(request.start_episode, self)
            self._latest = session
            self._held.add(session)
            return pb.PlayResponse(start_episode=started)
        session = await self._session(request, kind)
        if kind == "step":
            return pb.PlayResponse(
                step=await self._handler.step(session, request.step, self._operator)
            )
        if kind == "observe":
            return pb.PlayResponse(observe=await self._handler.observe(session, request.observe))
        return pb.PlayResponse(end_episode=await self._handler.end(session, self._operator))

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
        self._held.add(session)
        return session

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
        self._open: set[PlayStream] = set()

    async def serve(self, handler: RequestHandler, context: CallContext) -> None:
        """Answer what comes in a stream, until it ends.

        Raises:
            RequestError: there are too many, or it was ended from here.
        """
        if len(self._open) >= self._most:
            raise make_limit_error(
                "TOO_MANY_STREAMS",
                f"{self._most} streams are open, as many as this server takes: end some, or wait; "
                f"those without an episode are ended after {STREAM_IDLE:g} s",
            )
        stream = PlayStream(handler, context)
        self._open.add(stream)
        try:
            await stream.serve()
        finally:
            self._open.discard(stream)

    def close_silent(self) -> None:
        """End those without an episode in which nothing has come for long."""
        why = RequestError(
            grpc.StatusCode.DEADLINE_EXCEEDED,
            "STREAM_IDLE",
            f"a stream without an open episode is ended after {STREAM_IDLE:g} s without a request",
        )
        for stream in [stream for stream in self._open if stream.is_silent()]:
            stream.close(why)

    def close_all(self) -> None:
        """End all: the server stops."""
        why = RequestError(grpc.StatusCode.UNAVAILABLE, "STOPPED", "the server was stopped")
        for stream in list(self._open):
            stream.close(why)
