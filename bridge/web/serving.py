"""The server of the pages."""

import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.rendering import SharedRenderer
from bridge.rpc.credentials import ServerTls
from bridge.rpc.keys import is_loopback
from bridge.web.application import MAX_REQUEST, build_application
from bridge.web.guarding import Guard
from bridge.web.library import Library
from bridge.web.store import GameStore

__all__ = ["WebServer"]


class WebServer:
    """Serves pages until it is interrupted.

    Args:
        library: what is shown.
        runs: folder of the episodes that are played.
        host: to listen on.
        port: 0 for a free one.
        key: what browsers have to show; empty for none.
        tls: files for TLS; None for plain HTTP.
        renderer: draws the pictures for people who are shown an agent's.
        engines: make it.

    Raises:
        OSError: the port can't be had.
    """

    def __init__(
        self,
        library: Library,
        runs: Path,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        key: str = "",
        tls: ServerTls | None = None,
        renderer: str = "auto",
        engines: Engines = LOCAL,
    ) -> None:
        self._socket = _listen(host, port)
        self._renderer = SharedRenderer(renderer, engines)
        self._store = GameStore(runs, self._renderer)
        guard = Guard("https" if tls else "http", key, only_loopback=is_loopback(host))
        application = build_application(library, self._store, guard)
        self._server = uvicorn.Server(_configure(application, tls))
        query = f"/?key={key}" if key else "/"
        self.address = f"{guard.scheme}://{_bracket(host)}:{self._socket.getsockname()[1]}{query}"

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM; open episodes can go on in the next server."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._store.close()
            self._renderer.close()


def _configure(application: Starlette, tls: ServerTls | None) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        log_level="warning",
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=MAX_REQUEST,
        server_header=False,
        ssl_certfile=tls.certificate if tls else None,
        ssl_keyfile=tls.key if tls else None,
        timeout_graceful_shutdown=3,
    )


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _listen(host: str, port: int) -> socket.socket:
    plain = host.strip("[]")
    family = socket.AF_INET6 if ":" in plain else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((plain, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener
