"""The port of a server: its sockets, its connections, and what ends them."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Sequence

from bridge.rpc.http2.connection import Connection, Site, get_host

__all__ = ["Listener", "bind"]

BACKLOG = 1024
"""Connections that the system keeps until they are taken."""
BURST = 64
"""Connections that are taken before others have their turn."""


def bind(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets for all addresses of a host, with one port.

    Raises:
        OSError: the port is in use, or the address is not this machine's.
    """
    plain = host.removeprefix("[").removesuffix("]")
    found = socket.getaddrinfo(
        plain or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    sockets: list[socket.socket] = []
    for family, _, _, _, address in dict.fromkeys(found):
        chosen = (address[0], sockets[0].getsockname()[1] if sockets else port, *address[2:])
        try:
            sockets.append(_open_socket(family, chosen))
        except OSError:
            if not sockets:
                raise
    return sockets


def _open_socket(family: int, address: tuple[object, ...]) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            both = address[0] == "::"  # Every address of the machine, those of IPv4 too.
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, not both)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


class Listener:
    """Takes connections and looks after them. Used in the loop's thread only.

    Args:
        site: what the connections share.
        tls: for encrypted connections; None for plain ones.
    """

    def __init__(self, site: Site, tls: ssl.SSLContext | None) -> None:
        self._site = site
        self._tls = tls
        self._servers: list[asyncio.Server] = []
        self._sockets: list[socket.socket] = []

    async def listen(self, sockets: Sequence[socket.socket]) -> None:
        """Take connections from now on."""
        loop = asyncio.get_running_loop()
        for bound in sockets:
            if self._tls is None:
                made = await loop.create_server(
                    lambda: Connection(self._site), sock=bound, backlog=BACKLOG
                )
                self._servers.append(made)
            else:
                bound.setblocking(False)
                bound.listen(BACKLOG)
                self._sockets.append(bound)
                self._accept_from(bound)

    async def stop(self, seconds: float) -> None:
        """Take no more connections, and end those that there are, at once if they have no call.

        Args:
            seconds: that calls under way have.
        """
        for server in self._servers:
            server.close()
        for bound in self._sockets:
            asyncio.get_running_loop().remove_reader(bound)
            bound.close()
        peers = self._site.admission.peers
        for connection in list(peers):
            if isinstance(connection, Connection):
                connection.leave()
        until = asyncio.get_running_loop().time() + seconds
        while peers and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.01)
        for connection in list(peers):
            connection.shut()

    def look_after(self) -> None:
        """Close connections that are not used, and ask whether silent clients live."""
        admission = self._site.admission
        admission.look_after()
        quotas, now = admission.quotas, asyncio.get_running_loop().time()
        for peer in list(admission.peers):
            if not isinstance(peer, Connection):  # Its handshake has a time of its own.
                continue
            if peer.is_idle and now - peer.served > peer.get_patience():
                peer.leave()
            elif peer.asked is not None and now - peer.asked > quotas.keepalive:
                peer.shut()
            elif peer.asked is None and now - peer.heard > quotas.keepalive:
                peer.ask()

    def _accept_from(self, bound: socket.socket) -> None:
        if bound.fileno() >= 0:  # It may have been closed meanwhile.
            asyncio.get_running_loop().add_reader(bound, self._accept, bound)

    def _accept(self, bound: socket.socket) -> None:
        """Take clients with whom encryption has yet to be agreed on."""
        assert self._tls is not None
        loop = asyncio.get_running_loop()
        for _ in range(BURST):
            try:
                client, _ = bound.accept()
            except BlockingIOError:
                return
            except ConnectionError:
                continue
            except OSError:  # No descriptor is left: there may be one later.
                loop.remove_reader(bound)
                loop.call_later(1.0, self._accept_from, bound)
                return
            _Handshake(self._site, self._tls, client).begin()


class _Handshake:
    """A client that has yet to agree on encryption.

    Args:
        site: what it is to be a connection of.
        tls: how it is encrypted.
        client: its socket.
    """

    def __init__(self, site: Site, tls: ssl.SSLContext, client: socket.socket) -> None:
        self._site = site
        self._tls = tls
        self._client = client
        self._task: asyncio.Task[None] | None = None
        self.host = get_host(client)
        self.is_known = False
        self.is_quiet = True

    def begin(self) -> None:
        """Give the client a place, and agree with it."""
        self._client.setblocking(False)
        self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._task = asyncio.get_running_loop().create_task(self._agree())
        self._site.admission.enter(self)

    def shut(self) -> None:
        """Send it away."""
        self._site.admission.leave(self)
        if self._task is not None:
            self._task.cancel()

    async def _agree(self) -> None:
        admission, loop = self._site.admission, asyncio.get_running_loop()
        # Clients break off, or don't speak TLS, or not in time.
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            await loop.connect_accepted_socket(
                lambda: Connection(self._site),
                self._client,
                ssl=self._tls,
                ssl_handshake_timeout=admission.quotas.first_call,
            )
        admission.leave(self)
