"""One call of a client, as its handler sees it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from bridge.rpc.errors import RequestError, WireError
from bridge.rpc.http2.admission import Admission, Peer
from bridge.rpc.http2.frames import (
    DEFAULT_WINDOW,
    MAX_FRAME,
    RESPONSE_HEADERS,
    SUCCESS,
    ErrorCode,
    Flag,
    Kind,
    encode_headers,
    encode_status,
    pack_frame,
)
from bridge.rpc.http2.messages import MessageReader, make_unreadable, pack_message

__all__ = ["Answer", "Call", "Link", "Method", "Report", "parse_request"]

M = TypeVar("M", bound=Message)

_CREDITED = 8192
"""Bytes that have been read before a client is told that it may send as many more."""
_WIDE_WINDOW = 1 << 20
"""Bytes of a level's document that may be on their way."""
_DEADLINE = RequestError(
    grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE", "the client's deadline has passed"
)


class Link(Peer, Protocol):
    """The connection of a call."""

    admission: Admission
    is_paused: bool

    def takes(self, size: int, window: int) -> bool:
        """Return whether the client takes so many bytes of an answer at once."""

    def send(self, data: bytes, size: int = 0) -> None:
        """Write frames; ``size`` bytes of them count for flow control."""

    def send_window_update(self, stream: int, size: int) -> None:
        """Let the client send more."""

    def pump(self) -> None:
        """Send what the client takes, of one call after the other."""

    def forget(self, call: "Call") -> None:
        """A call has ended."""


Answer = Callable[["Call", Message | None], Awaitable[None]]
Report = Callable[[Exception, "Call"], WireError]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a service.

    Attributes:
        request: type of its requests.
        streaming: whether it reads any number of requests itself.
        answer: reads and answers; its request is None if it reads requests itself.
        report: turns what it raises into the error that a client is told.
        document: first bytes of requests that may hold a level's document; None if none may.
    """

    request: type[Message]
    streaming: bool
    answer: Answer
    report: Report
    document: bytes | None


class Call:
    """A call under way.

    Args:
        connection: over which it came.
        stream: number of its HTTP/2 stream.
        method: what it asks for.
        metadata: its headers.
        reader: its requests.
        window: bytes of an answer that the client takes now.

    Attributes:
        metadata: its headers.
        is_trusted: whether it has shown the operator's key or the lease of an episode.
        held: bytes of its requests that are kept.
        unsent: bytes of its answers that are kept.
        window: bytes of an answer that the client takes now.
    """

    __slots__ = (
        "_connection",
        "_credit",
        "_drained",
        "_ended",
        "_headed",
        "_method",
        "_pending",
        "_reader",
        "_receivable",
        "_task",
        "_timer",
        "_trailers",
        "_waiter",
        "held",
        "is_open",
        "is_trusted",
        "metadata",
        "stream",
        "unsent",
        "window",
    )

    def __init__(
        self,
        connection: Link,
        stream: int,
        method: Method,
        metadata: dict[bytes, bytes],
        reader: MessageReader,
        window: int,
        *,
        is_trusted: bool,
    ) -> None:
        self._connection = connection
        self.stream = stream
        self._method = method
        self.metadata = metadata
        self._reader = reader
        self.window = window
        self.is_trusted = is_trusted
        self.is_open = True
        self.held = 0
        self.unsent = 0
        self._receivable = DEFAULT_WINDOW
        self._credit = 0
        self._ended = False
        self._headed = False
        self._pending: deque[memoryview] = deque()
        self._trailers: bytes | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def peer(self) -> Peer:
        """The connection."""
        return self._connection

    # -- what handlers use ----------------------------------------------------------------------

    def get_text(self, name: str) -> str:
        """Return a header; empty if there is none, or if it is no text."""
        return self.metadata.get(name.encode(), b"").decode("utf-8", "replace")

    def prove(self) -> None:
        """Note that the call has shown the lease of an episode."""
        self._connection.admission.trust(self)

    async def read(self) -> bytes | None:
        """Return the next request; None after the last."""
        reader = self._reader
        while not reader:
            if self._ended:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        content = reader.pop()
        self._note_held()
        return content

    async def read_messages(self, kind: type[M]) -> AsyncIterator[M]:
        """Yield all requests."""
        while (content := await self.read()) is not None:
            yield parse_request(kind, content)

    async def write(self, message: Message) -> None:
        """Send an answer, and wait until the client has taken it."""
        data = pack_message(message.SerializeToString())
        del message
        self._send(data)
        del data
        while self._pending:
            self._drained = asyncio.get_running_loop().create_future()
            await self._drained

    # -- the course of a call -------------------------------------------------------------------

    def start(self, deadline: float | None) -> None:
        """Begin to answer; a call with one request waits for it first."""
        admission = self._connection.admission
        admission.hold(self, 0, waits=True)
        if self._method.streaming:
            self._run()
        if deadline is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(deadline, self.refuse, _DEADLINE)

    def widen(self) -> None:
        """Let the client send more at once, for a document."""
        self._connection.send_window_update(self.stream, _WIDE_WINDOW - self._receivable)
        self._receivable = _WIDE_WINDOW

    def feed(self, data: bytes, size: int, ended: bool) -> bool:
        """Take bytes of requests; return whether a request is there as a whole.

        Args:
            size: of the frame, which counts for flow control.
        """
        self._receivable -= size
        if self._receivable < 0:
            self._reset(ErrorCode.FLOW_CONTROL_ERROR)
            return False
        self._credit += size
        try:
            if data:
                self._reader.feed(data)
        except RequestError as error:
            self.refuse(error)
            return False
        self._ended = ended
        self._note_held()
        if not self.is_open or not (self._reader or ended):
            return False
        if self._task is None:
            self._run()
        elif self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        return True

    def refuse(self, error: RequestError) -> None:
        """End it with an error."""
        self._fail(WireError(error.code, error.reason, str(error), error.metadata))

    def abandon(self) -> None:
        """End it without a word: the client takes none."""
        if self._connection.is_paused:
            self._connection.shut()
        else:
            self._reset(ErrorCode.CANCEL)

    def cancel(self) -> None:
        """The client has given it up, or is gone."""
        self._close()

    def pump(self, allowed: int) -> int:
        """Send what the client takes of an answer; return how many bytes of ``allowed`` it was."""
        pending, sent = self._pending, 0
        while pending:
            chunk = pending[0]
            size = min(len(chunk), self.window, allowed - sent, MAX_FRAME)
            if size <= 0:
                break
            self._connection.send(pack_frame(Kind.DATA, 0, self.stream, bytes(chunk[:size])))
            self.window -= size
            sent += size
            if size == len(chunk):
                pending.popleft()
            else:
                pending[0] = chunk[size:]
            if self._connection.is_paused:
                break
        if sent:
            self._connection.admission.send(self, self.unsent - sent)
        if not pending:
            if self._drained is not None and not self._drained.done():
                self._drained.set_result(None)
            if self._trailers is not None:
                self._finish(self._trailers)
        return sent

    @property
    def is_blocked(self) -> bool:
        """Whether there is something to send."""
        return bool(self._pending)

    # -- inside ---------------------------------------------------------------------------------

    def _run(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._serve())

    async def _serve(self) -> None:
        try:
            if self._method.streaming:
                await self._method.answer(self, None)
            else:
                await self._answer_one()
        except Exception as error:
            self._fail(self._method.report(error, self))
        else:
            self._end(SUCCESS)

    async def _answer_one(self) -> None:
        """Answer a call with one request."""
        if not self._reader:
            raise RequestError(
                grpc.StatusCode.INVALID_ARGUMENT, "NO_REQUEST", "the call has no request"
            )
        content = self._reader.pop()
        self._connection.admission.hold(self, self._reader.held, waits=False)
        await self._method.answer(self, parse_request(self._method.request, content))

    def _send(self, data: bytes) -> None:
        """Send an answer, as much of it as the client takes now."""
        if not self.is_open:
            raise asyncio.CancelledError
        connection, head = self._connection, b""
        if not self._headed:
            self._headed = True
            head = pack_frame(Kind.HEADERS, Flag.END_HEADERS, self.stream, RESPONSE_HEADERS)
        size = len(data)
        if size <= MAX_FRAME and not self._pending and connection.takes(size, self.window):
            self.window -= size  # Nearly always.
            connection.send(head + pack_frame(Kind.DATA, 0, self.stream, data), size)
            return
        if head:
            connection.send(head)
        self._pending.append(memoryview(data))
        connection.admission.send(self, self.unsent + size)
        if self.is_open:
            connection.pump()

    def _fail(self, error: WireError) -> None:
        self._pending.clear()
        self._end(encode_headers(encode_status(error.to_status())))

    def _end(self, trailers: bytes) -> None:
        """End the call once its answers are sent."""
        if not self.is_open:
            return
        if self._pending:
            self._trailers = trailers
        else:
            self._finish(trailers)

    def _finish(self, trailers: bytes) -> None:
        if not self._headed:
            trailers = RESPONSE_HEADERS + trailers
        flags = Flag.END_HEADERS | Flag.END_STREAM
        frames = pack_frame(Kind.HEADERS, flags, self.stream, trailers)
        if not self._ended:
            code = ErrorCode.NO_ERROR.to_bytes(4, "big")
            frames += pack_frame(Kind.RST_STREAM, 0, self.stream, code)
        self._connection.send(frames)
        self._close()

    def _reset(self, code: ErrorCode) -> None:
        payload = code.to_bytes(4, "big")
        self._connection.send(pack_frame(Kind.RST_STREAM, 0, self.stream, payload))
        self._close()

    def _close(self) -> None:
        """Give up all that the call holds."""
        if not self.is_open:
            return
        self.is_open = False
        self._pending.clear()
        self._reader.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._connection.forget(self)
        self._connection.admission.close_call(self)
        task, self._task = (
            self._task,
            None,
        )  # Or its traceback would keep what it was about to send.
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    def _note_held(self) -> None:
        """Count the bytes that are kept, and let the client send more if all have been read."""
        if not self.is_open:
            return
        reader = self._reader
        waits = reader.is_partial or (self._task is None and not reader)
        self._connection.admission.hold(self, reader.held, waits=waits)
        if self._credit >= _CREDITED and not reader and not self._ended and self.is_open:
            self._receivable += self._credit
            self._connection.send_window_update(self.stream, self._credit)
            self._credit = 0


def parse_request(kind: type[M], content: bytes) -> M:
    """Return the message in the bytes of a request.

    Raises:
        RequestError: there is none.
    """
    try:
        return kind.FromString(content)
    except DecodeError as error:
        raise make_unreadable(str(error)) from None
