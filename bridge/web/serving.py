"""The server of the pages."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from bridge.episode.rendering import SharedRenderer
from bridge.rpc.credentials import ServerTls
from bridge.rpc.keys import is_loopback
from bridge.rpc.serving.limits import raise_file_limit
from bridge.web.application import (
    MAX_REQUEST,
    build_application,
    build_study_application,
)
from bridge.web.connections import Places, QuietConnections
from bridge.web.guarding import Guard
from bridge.web.library import Library
from bridge.web.participants import ParticipantPage, StudyGames
from bridge.web.players import Player
from bridge.web.store import GameStore
from bridge.web.study import StudyFolder
from pysim.errors import InputError

__all__ = ["Site", "WebServer", "open_library_server", "open_study_server"]


@dataclass(frozen=True, slots=True)
class Site:
    """The place where a server listens, and for whom.

    Attributes:
        host: to listen on.
        port: 0 for a free one.
        key: what browsers have to show; empty for none.
        tls: files for TLS; None for plain HTTP.
    """

    host: str = "127.0.0.1"
    port: int = 0
    key: str = ""
    tls: ServerTls | None = None


class _Server(uvicorn.Server):
    """A server that SIGINT and SIGTERM stop, without ending the process after it."""

    def __init__(self, config: uvicorn.Config, quiet: QuietConnections) -> None:
        super().__init__(config)
        self._quiet = quiet

    async def on_tick(self, counter: int) -> bool:
        """Look after connections, ten times a second."""
        self._quiet.close_some(self.server_state.connections)
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle both signals until the block ends."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class WebServer:
    """Serves pages until it is interrupted.

    Args:
        site: where.
        build: makes the application, given how many pages may play at once.

    Raises:
        InputError: the port can't be had.
    """

    def __init__(self, site: Site, build: Callable[[Guard, int], Starlette]) -> None:
        self._socket = _listen(site.host, site.port)
        scheme = "https" if site.tls else "http"
        guard = Guard(scheme, site.key, only_loopback=is_loopback(site.host))
        places = Places().limit_to(raise_file_limit())
        config = _configure(build(guard, places.pages), site.tls)
        self._server = _Server(config, QuietConnections(places.others))
        query = f"/?key={site.key}" if site.key else "/"
        port = self._socket.getsockname()[1]
        self.address = f"{scheme}://{_bracket(site.host)}:{port}{query}"

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM."""
        self._server.run(sockets=[self._socket])


@contextmanager
def open_library_server(
    library: Library, runs: Path, site: Site, renderer: str = "auto"
) -> Iterator[WebServer]:
    """Open a server of levels and episodes; games that are open at its end go on in the next one.

    Args:
        runs: folder of the episodes that are played.
        renderer: draws the pictures for people who are shown an agent's.

    Raises:
        InputError: the port can't be had.
    """
    with ExitStack() as stack:
        drawing = stack.enter_context(closing(SharedRenderer(renderer)))
        store = stack.enter_context(closing(GameStore(runs, drawing)))
        yield WebServer(
            site,
            lambda guard, most: build_application(
                library, lambda notify: Player(library, store, notify), guard, most, drawing
            ),
        )


@contextmanager
def open_study_server(
    folder: StudyFolder, site: Site, renderer: str = "auto"
) -> Iterator[WebServer]:
    """Open the server of a study; arguments as for :func:`open_library_server`.

    Raises:
        InputError: the port can't be had.
    """
    with ExitStack() as stack:
        drawing = stack.enter_context(closing(SharedRenderer(renderer)))
        games = StudyGames(folder, drawing)
        stack.callback(games.close_all)
        yield WebServer(
            site,
            lambda guard, most: build_study_application(
                lambda notify: ParticipantPage(games, notify), guard, most
            ),
        )


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
    except OSError as error:
        listener.close()
        raise InputError(
            f"can't listen on {host}:{port}: {error.strerror}; give another --host or --port"
        ) from None
    return listener
