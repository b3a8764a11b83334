"""One client's connection: frames in, frames out."""

import asyncio
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

import grpc
import hpack

from bridge.rpc.errors import RequestError, WireError
from bridge.rpc.http2.admission import Admission
from bridge.rpc.http2.call import Call, Method
from bridge.rpc.http2.frames import (
    DEFAULT_WINDOW,
    MAX_FRAME,
    MAX_HEADERS,
    MAX_WINDOW,
    PREFACE,
    RESPONSE_HEADERS,
    ErrorCode,
    Flag,
    Kind,
    ProtocolError,
    Setting,
    encode_headers,
    encode_status,
    pack_frame,
    pack_settings,
    strip_padding,
)
from bridge.rpc.http2.messages import MessageReader
from bridge.rpc.http2.turns import Turns

__all__ = ["Connection", "Site", "get_host"]

FRAMES = 64
"""Frames that are read of one connection before others have their turn."""
STRANGE_FRAMES = 16
"""The same of a stranger."""
PATIENCE = 1000
"""Frames of a client that ask for nothing before its connection is closed, unless it also calls."""
PER_REQUEST = 20
"""Frames beside each request that are no nuisance: settings, pings, window updates."""
CONNECTION_WINDOW = 1 << 24
"""Bytes of requests that a connection may have on their way; each call has a window of its own."""
WRITE_BUFFER = 1 << 18
"""Bytes that wait in a socket before nothing more is written to it."""
LINGERING = 0.5
"""Seconds for which the rest of a client's data is thrown away before its connection is closed."""
MAX_TIMEOUT = 86_400.0 * 7
Work = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that the connections of a server share.

    Attributes:
        methods: by their paths.
        admission: their places.
        turns: those of strangers.
        is_operator: whether the headers of a call hold the key.
        is_open: whether there is no key.
        message_limit: bytes of a request.
        document_limit: bytes of a request of an operator with a level's document.
    """

    methods: Mapping[bytes, Method]
    admission: Admission
    turns: Turns
    is_operator: Callable[[Mapping[bytes, bytes]], bool]
    is_open: bool
    message_limit: int
    document_limit: int


class Connection(asyncio.Protocol):
    """A connection, whose calls are answered.

    Args:
        site: all that connections share.

    Attributes:
        admission: the places of the server.
        host: address of the client.
        is_known: whether it has shown a key or a lease.
        is_paused: whether the client takes nothing at the moment.
        served: when its last call ended, or when it began; seconds of the loop's clock.
        heard: when something came last.
        asked: when it was asked whether it lives; None if it has answered.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._loop = asyncio.get_running_loop()
        self.admission = site.admission
        self.host = ""
        self.is_known = False
        self.is_paused = False
        self.served = self.heard = self._loop.time()
        self.asked: float | None = None
        self._transport: asyncio.Transport | None = None
        self._calls: dict[int, Call] = {}
        self._rest = b""
        self._greeted = False
        self._is_waiting = False
        self._leaving = False
        self._is_deaf = False
        self._latest = 0
        self._decoder = hpack.Decoder(max_header_list_size=MAX_HEADERS)
        self._block: bytearray | None = None
        self._block_flags = 0
        self._block_stream = 0
        self._window = DEFAULT_WINDOW
        self._call_window = DEFAULT_WINDOW
        self._credit = 0
        self._patience = PATIENCE

    # -- the socket -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Give the client a place, and greet it."""
        transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class.
        self._transport = transport
        self.host = get_host(transport.get_extra_info("socket"))
        self.admission.enter(self)
        if transport.is_closing():
            return
        transport.set_write_buffer_limits(high=WRITE_BUFFER)
        settings = {
            Setting.MAX_CONCURRENT_STREAMS: self.admission.quotas.calls,
            Setting.MAX_HEADER_LIST_SIZE: MAX_HEADERS,
        }
        self.send(pack_settings(settings))
        self.send_window_update(0, CONNECTION_WINDOW - DEFAULT_WINDOW)

    def data_received(self, data: bytes) -> None:
        """Take what has come, a few frames at a time."""
        if self._is_deaf:
            return
        self.heard, self.asked = self._loop.time(), None
        self._rest = self._rest + data if self._rest else data
        if not self._is_waiting:
            self._go_on()

    def connection_lost(self, error: Exception | None) -> None:
        """Give up all calls."""
        self._transport = None
        self.admission.leave(self)
        for call in list(self._calls.values()):
            call.cancel()

    def pause_writing(self) -> None:
        """Write nothing for now."""
        self.is_paused = True

    def resume_writing(self) -> None:
        """Write on."""
        self.is_paused = False
        self.pump()

    def eof_received(self) -> bool:
        """Close: who says nothing more takes no answers either."""
        return False

    # -- what calls and the listener use --------------------------------------------------------

    def takes(self, size: int, window: int) -> bool:
        """Return whether a client takes so many bytes of an answer at once."""
        return size <= window and size <= self._window and not self.is_paused

    def send(self, data: bytes, size: int = 0) -> None:
        """Write frames; ``size`` bytes of them count for flow control."""
        self._window -= size
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        transport.write(data)
        if size:
            self._regain_patience()
        elif self.is_paused and transport.get_write_buffer_size() > 4 * WRITE_BUFFER:
            self.shut()  # It lets us answer pings without end and reads none of it.

    def send_window_update(self, stream: int, size: int) -> None:
        """Let the client send more."""
        self.send(pack_frame(Kind.WINDOW_UPDATE, 0, stream, size.to_bytes(4, "big")))

    def pump(self) -> None:
        """Send what the client takes, of one call after the other."""
        for call in [call for call in self._calls.values() if call.is_blocked]:
            if self._window <= 0 or self.is_paused:
                return
            self._window -= (sent := call.pump(self._window))
            self._patience = min(PATIENCE, self._patience + sent // 1024)

    def forget(self, call: Call) -> None:
        """A call has ended."""
        self._calls.pop(call.stream, None)
        self.served = self._loop.time()
        if self._leaving and not self._calls:
            self._say_goodbye(ErrorCode.NO_ERROR, "")

    @property
    def is_idle(self) -> bool:
        """Whether it has no call."""
        return not self._calls

    @property
    def is_quiet(self) -> bool:
        """Whether it has no call, nor anything that may become one."""
        return not self._calls and not self._is_waiting

    def get_patience(self) -> float:
        """Return the seconds for which it may have no call."""
        quotas = self.admission.quotas
        if not self._latest:
            return quotas.first_call
        return quotas.idle if self.is_known or self._site.is_open else quotas.strange_idle

    def ask(self) -> None:
        """Ask whether the client lives."""
        self.asked = self._loop.time()
        self.send(pack_frame(Kind.PING, 0, 0, bytes(8)))

    def leave(self) -> None:
        """Take no more calls, and close once those under way have been answered."""
        if not self._leaving:
            self._leaving = True
            if self._calls:
                self.send(pack_frame(Kind.GOAWAY, 0, 0, self._last_words(ErrorCode.NO_ERROR, "")))
            else:
                self._say_goodbye(ErrorCode.NO_ERROR, "")

    def shut(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()
        self.admission.leave(self)

    # -- frames ---------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Read some frames; the others wait for their turn."""
        turns = self._site.turns
        if self.is_known or self._site.is_open:
            self._read_on(FRAMES)
        elif turns.is_free:
            turns.do(self._read_strangely)
        else:
            self._wait(turns.queue, self._read_strangely)

    def _read_strangely(self) -> None:
        self._read_on(STRANGE_FRAMES)

    def _read_on(self, most: int) -> None:
        """Read up to ``most`` frames; if there are more, others come first."""
        if self._transport is None or self._transport.is_closing():
            return
        if self._take(most):
            self._wait(self._loop.call_soon, self._go_on)
        elif self._is_waiting:  # A deaf one reads on, or the client could not send the rest.
            self._is_waiting = False
            if self._transport is not None and not self._transport.is_closing():
                self._transport.resume_reading()

    def _wait(
        self, queue: Callable[[Callable[[], None]], object], work: Callable[[], None]
    ) -> None:
        """Have the rest read later, and take nothing more until then."""
        if not self._is_waiting and self._transport is not None:
            self._is_waiting = True
            self._transport.pause_reading()
        queue(work)

    def _take(self, most: int) -> bool:
        """Take up to ``most`` frames; return whether there may be more."""
        try:
            return self._parse(most)
        except ProtocolError as error:
            self._leave_angry(error)
            return False

    def _leave_angry(self, error: ProtocolError) -> None:
        """Say why, and close a little later: at once the client might not get the reason."""
        self._is_deaf = True
        self.send(pack_frame(Kind.GOAWAY, 0, 0, self._last_words(error.code, str(error))))
        for call in list(self._calls.values()):
            call.cancel()
        self._loop.call_later(LINGERING, self.shut)

    def _parse(self, most: int) -> bool:
        data, start = self._rest, 0
        if not self._greeted:
            if not PREFACE.startswith(data[: len(PREFACE)]):
                raise ProtocolError(ErrorCode.PROTOCOL_ERROR, "the client does not speak HTTP/2")
            if len(data) < len(PREFACE):
                return False
            self._greeted, start = True, len(PREFACE)
        end = len(data)
        more = False
        while end - start >= 9:
            length = int.from_bytes(data[start : start + 3], "big")
            if length > MAX_FRAME:
                raise ProtocolError(ErrorCode.FRAME_SIZE_ERROR, "a frame is too large")
            after = start + 9 + length
            if after > end:
                break
            if not most:
                more = True
                break
            most -= 1
            stream = int.from_bytes(data[start + 5 : start + 9], "big") & MAX_WINDOW
            self._handle(data[start + 3], data[start + 4], stream, data[start + 9 : after])
            start = after
            if self._transport is None or self._transport.is_closing():
                return False
        self._rest = data[start:]
        return more

    def _handle(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if self._block is not None and (kind, stream) != (Kind.CONTINUATION, self._block_stream):
            raise ProtocolError(ErrorCode.PROTOCOL_ERROR, "a header block is not finished")
        if kind == Kind.DATA:
            self._take_data(flags, stream, payload)
            return
        if kind == Kind.HEADERS:
            self._begin_block(flags, stream, strip_padding(kind, flags, payload))
        elif kind == Kind.CONTINUATION:
            self._continue_block(flags, payload)
        elif kind == Kind.RST_STREAM:
            self._require(len(payload) == 4 and 0 < stream <= self._latest, "RST_STREAM")
            if (call := self._calls.get(stream)) is not None:
                call.cancel()
        elif kind == Kind.SETTINGS:
            self._take_settings(flags, stream, payload)
        elif kind == Kind.PING:
            self._require(len(payload) == 8 and not stream, "PING")
            if not flags & Flag.ACK:
                self.send(pack_frame(Kind.PING, Flag.ACK, 0, payload))
        elif kind == Kind.WINDOW_UPDATE:
            self._take_window_update(stream, payload)
        elif kind == Kind.GOAWAY:
            self._require(not stream, "GOAWAY")
            self.leave()
        elif kind == Kind.PUSH_PROMISE:
            self._require(False, "PUSH_PROMISE")
        self._lose_patience()

    def _regain_patience(self) -> None:
        """Gain patience by a request that is finished, or an answer that is sent."""
        self._patience = min(PATIENCE, self._patience + PER_REQUEST)

    def _lose_patience(self) -> None:
        """Lose patience with frames that ask for nothing."""
        self._patience -= 1
        if self._patience < 0:
            raise ProtocolError(
                ErrorCode.ENHANCE_YOUR_CALM, "too many frames for so few finished requests"
            )

    def _require(self, holds: bool, name: str) -> None:
        if not holds:
            raise ProtocolError(ErrorCode.PROTOCOL_ERROR, f"a {name} frame is wrong")

    def _take_data(self, flags: int, stream: int, payload: bytes) -> None:
        self._require(0 < stream <= self._latest, "DATA")
        self._credit += len(payload)
        if self._credit > CONNECTION_WINDOW // 4:
            self.send_window_update(0, self._credit)
            self._credit = 0
        call = self._calls.get(stream)
        if call is None:  # It has ended, which the client may not have known.
            self._lose_patience()
            return
        content = strip_padding(Kind.DATA, flags, payload) if flags & Flag.PADDED else payload
        ended = bool(flags & Flag.END_STREAM)
        if call.feed(content, len(payload), ended):
            self._regain_patience()
        elif len(content) < MAX_FRAME // 16:
            self._lose_patience()

    def _take_settings(self, flags: int, stream: int, payload: bytes) -> None:
        self._require(not stream and len(payload) % 6 == 0, "SETTINGS")
        if flags & Flag.ACK:
            return
        for at in range(0, len(payload), 6):
            value = int.from_bytes(payload[at + 2 : at + 6], "big")
            if int.from_bytes(payload[at : at + 2], "big") == Setting.INITIAL_WINDOW_SIZE:
                if value > MAX_WINDOW:
                    raise ProtocolError(ErrorCode.FLOW_CONTROL_ERROR, "a window is too large")
                change, self._call_window = value - self._call_window, value
                for call in self._calls.values():
                    call.window += change
        self.send(pack_frame(Kind.SETTINGS, Flag.ACK, 0))
        self.pump()

    def _take_window_update(self, stream: int, payload: bytes) -> None:
        self._require(len(payload) == 4 and stream <= self._latest, "WINDOW_UPDATE")
        size = int.from_bytes(payload, "big") & MAX_WINDOW
        self._require(size > 0, "WINDOW_UPDATE")
        call = self._calls.get(stream)
        if not stream:
            self._window += size
        elif call is not None:
            call.window += size
        if max(self._window, 0 if call is None else call.window) > MAX_WINDOW:
            raise ProtocolError(ErrorCode.FLOW_CONTROL_ERROR, "a window is too large")
        self.pump()

    def _begin_block(self, flags: int, stream: int, payload: bytes) -> None:
        self._require(stream % 2 == 1, "HEADERS")
        self._block, self._block_flags, self._block_stream = bytearray(), flags, stream
        self._continue_block(flags, payload)

    def _continue_block(self, flags: int, payload: bytes) -> None:
        block = self._block
        if block is None:
            raise ProtocolError(ErrorCode.PROTOCOL_ERROR, "a CONTINUATION continues nothing")
        block += payload
        if len(block) > MAX_HEADERS:
            raise ProtocolError(ErrorCode.ENHANCE_YOUR_CALM, "a header block is too large")
        if flags & Flag.END_HEADERS:
            self._block = None
            self._take_headers(bytes(block))

    # -- calls ----------------------------------------------------------------------------------

    def _take_headers(self, block: bytes) -> None:
        try:
            headers = self._decoder.decode(block, raw=True)
        except hpack.HPACKError as error:
            raise ProtocolError(ErrorCode.COMPRESSION_ERROR, str(error)) from None
        stream, ended = self._block_stream, bool(self._block_flags & Flag.END_STREAM)
        if stream <= self._latest:  # Trailers, or headers of a call that has ended.
            if (call := self._calls.get(stream)) is not None:
                call.feed(b"", 0, True)
            return
        self._latest = stream
        if self._leaving:
            code = ErrorCode.REFUSED_STREAM.to_bytes(4, "big")
            self.send(pack_frame(Kind.RST_STREAM, 0, stream, code))
            return
        metadata = dict(headers)
        path = metadata.get(b":path", b"")
        method = self._site.methods.get(path)
        if method is None or metadata.get(b":method") != b"POST":
            self._turn_away(
                stream,
                RequestError(
                    grpc.StatusCode.UNIMPLEMENTED,
                    "UNKNOWN_METHOD",
                    f"there is no method {path[:80].decode('utf-8', 'replace')}",
                ),
                ended,
            )
            return
        try:
            self._open(stream, method, metadata, ended)
        except RequestError as error:
            self._turn_away(stream, error, ended)

    def _open(self, stream: int, method: Method, metadata: dict[bytes, bytes], ended: bool) -> None:
        """Open a call.

        Raises:
            RequestError: there is no place for it, or a header is no good.
        """
        site = self._site
        deadline = _parse_timeout(metadata.get(b"grpc-timeout"))
        is_operator = site.is_operator(metadata)
        if is_operator and not site.is_open:
            self.admission.prove(self)
        document = method.document if is_operator else None
        encoding = metadata.get(b"grpc-encoding", b"identity")
        reader = MessageReader(site.message_limit, site.document_limit, document, encoding)
        trusted = is_operator or self.is_known
        call = Call(self, stream, method, metadata, reader, self._call_window, is_trusted=trusted)
        self.admission.open_call(call, len(self._calls))
        self._calls[stream] = call
        call.start(deadline)
        if document is not None:
            call.widen()
        if ended:
            call.feed(b"", 0, True)

    def _turn_away(self, stream: int, error: RequestError, ended: bool) -> None:
        """Refuse a call before it has begun."""
        wire = WireError(error.code, error.reason, str(error), error.metadata)
        block = RESPONSE_HEADERS + encode_headers(encode_status(wire.to_status()))
        flags = Flag.END_HEADERS | Flag.END_STREAM
        frames = pack_frame(Kind.HEADERS, flags, stream, block)
        if not ended:
            code = ErrorCode.NO_ERROR.to_bytes(4, "big")
            frames += pack_frame(Kind.RST_STREAM, 0, stream, code)
        self.send(frames)

    def _last_words(self, code: ErrorCode, why: str) -> bytes:
        return self._latest.to_bytes(4, "big") + code.to_bytes(4, "big") + why.encode()

    def _say_goodbye(self, code: ErrorCode, why: str) -> None:
        """Say why, and close."""
        self.send(pack_frame(Kind.GOAWAY, 0, 0, self._last_words(code, why)))
        if self._transport is None:
            return
        if self.is_paused:
            self.shut()
        else:
            self._transport.close()
            self.admission.leave(self)


def get_host(client: socket.socket) -> str:
    """Return the address of a client without its port; empty if it is gone already."""
    try:
        return str(client.getpeername()[0])
    except OSError:
        return ""


def _parse_timeout(text: bytes | None) -> float | None:
    """Return the seconds of a ``grpc-timeout``; None if there is none.

    Raises:
        RequestError: it is none of gRPC's.
    """
    if text is None:
        return None
    match = _TIMEOUT.fullmatch(text)
    if match is None:
        raise RequestError(
            grpc.StatusCode.INVALID_ARGUMENT, "BAD_TIMEOUT", "the header grpc-timeout is no time"
        )
    return min(int(match[1]) * _UNITS[match[2]], MAX_TIMEOUT)


_TIMEOUT = re.compile(rb"(\d{1,8})([HMSmun])")
_UNITS = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}
