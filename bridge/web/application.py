"""The pages of a server, and the WebSocket over which people play."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bridge.web.connections import OpenPages
from bridge.web.guarding import Guard, GuardMiddleware
from bridge.web.library import Library
from bridge.web.messages import JsonObject
from bridge.web.players import Message, PlayingPage
from bridge.web.static_page import build_static_page
from pysim.errors import LubanError
from pysim.render.renderer import Renderer

__all__ = ["STATIC", "OpenPage", "build_application", "build_study_application"]

STATIC = Path(__file__).parent / "static"
MAX_REQUEST = 256 * 1024
"""Bytes of a message of a page."""
_FILES = {"app.js": "text/javascript", "app.css": "text/css"}
_THREADS = 4
T = TypeVar("T")


OpenPage = Callable[[Callable[[Message], None]], PlayingPage]
"""Makes a page that plays, given how it is sent messages."""


def build_application(
    library: Library, open_page: OpenPage, guard: Guard, most: int, renderer: Renderer
) -> Starlette:
    """Return the application that serves a library, and games of its levels.

    Args:
        most: pages that may play at once.
        renderer: draws the pictures of replays; any thread may use it.
    """
    pages = _LibraryPages(library, open_page, most, renderer)
    routes: list[BaseRoute] = [
        Route("/api/lists", pages.send_lists),
        Route("/api/levels/{number:int}", pages.send_level),
        Route("/api/levels/{number:int}/plan", pages.send_plan),
        Route("/api/replays/{number:int}", pages.send_replay),
        Route("/api/replays/{number:int}/pictures", pages.send_pictures),
        Route("/api/replays/{number:int}/page", pages.send_replay_page),
    ]
    return _assemble(pages, guard, routes)


def build_study_application(open_page: OpenPage, guard: Guard, most: int) -> Starlette:
    """Return the application of a study: its participants see no level but those they play."""
    return _assemble(_Pages(Library(), open_page, most, is_study=True), guard, [])


def _assemble(pages: "_Pages", guard: Guard, more: list[BaseRoute]) -> Starlette:
    return Starlette(
        routes=[
            Route("/", _send_index),
            Route("/static/{name}", _send_static),
            Route("/api/home", pages.send_home),
            WebSocketRoute("/api/play", pages.play),
            *more,
        ],
        middleware=[
            Middleware(GuardMiddleware, guard=guard),
            Middleware(GZipMiddleware, minimum_size=1024),
        ],
        lifespan=pages.live,
    )


async def _send_index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _send_static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return Response(status_code=404)
    headers = {"cache-control": "no-cache", "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(STATIC / name, media_type=_FILES[name], headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(_compress_file(name), media_type=_FILES[name], headers=headers)


@cache
def _compress_file(name: str) -> bytes:
    """Return a file of the pages as it is sent: compressed once, not for every page."""
    return gzip.compress((STATIC / name).read_bytes(), mtime=0)


class _Pages:
    """Answers requests; whatever takes time is done in threads."""

    def __init__(
        self, library: Library, open_page: OpenPage, most: int, *, is_study: bool = False
    ) -> None:
        self._library = library
        self._is_study = is_study
        self._open_page = open_page
        self._open = OpenPages(most)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="luban-web")

    @asynccontextmanager
    async def live(self, app: Starlette) -> AsyncIterator[None]:
        """Keep the threads while the application lives."""
        try:
            yield
        finally:
            self._threads.shutdown()

    async def send_home(self, request: Request) -> Response:
        """Send how many levels and episodes there are."""
        return await self._send(lambda: {**self._library.count(), "study": self._is_study})

    async def play(self, socket: WebSocket) -> None:
        """Serve the games of one page, one after another."""
        await socket.accept()
        with self._open.hold(socket):
            await self._play(socket)

    async def _play(self, socket: WebSocket) -> None:
        loop = asyncio.get_running_loop()

        def notify(message: Message) -> None:
            asyncio.run_coroutine_threadsafe(_send_message(socket, message), loop)

        player = self._open_page(notify)
        try:
            while True:
                text = await socket.receive_text()
                self._open.note(socket)
                for message in await self._work(partial(player.answer, text)):
                    await _send_message(socket, message)
        except (WebSocketDisconnect, KeyError):  # Bytes in place of text are no request.
            pass
        finally:
            player.leave()

    async def _send(self, work: Callable[[], JsonObject]) -> Response:
        try:
            return JSONResponse(await self._work(work), headers={"cache-control": "no-store"})
        except IndexError:
            return JSONResponse({"words": "there is no such level or episode"}, 404)
        except LubanError as error:
            return JSONResponse({"words": str(error)}, 422)

    async def _work(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class _LibraryPages(_Pages):
    """Answers requests for levels and episodes, too."""

    def __init__(
        self, library: Library, open_page: OpenPage, most: int, renderer: Renderer
    ) -> None:
        super().__init__(library, open_page, most)
        self._renderer = renderer

    async def send_lists(self, request: Request) -> Response:
        """Send the lists of levels and episodes."""
        return await self._send(self._library.describe)

    async def send_level(self, request: Request) -> Response:
        """Send a level as it stands at its beginning."""
        number = request.path_params["number"]
        return await self._send(lambda: self._library.describe_level(number))

    async def send_plan(self, request: Request) -> Response:
        """Send the plan of a level."""
        number = request.path_params["number"]
        return await self._send(lambda: self._library.show_plan(number))

    async def send_replay(self, request: Request) -> Response:
        """Send an episode step by step."""
        number = request.path_params["number"]
        return await self._send(lambda: self._library.show_replay(number))

    async def send_pictures(self, request: Request) -> Response:
        """Send the pictures that the agent of an episode was shown."""
        number = request.path_params["number"]
        return await self._send(lambda: self._library.draw_pictures(number, self._renderer))

    async def send_replay_page(self, request: Request) -> Response:
        """Send an episode as one file, which opens from a disk."""
        number = request.path_params["number"]
        page = await self._work(
            lambda: build_static_page(self._library.show_whole_replay(number, self._renderer))
        )
        headers = {"content-disposition": 'attachment; filename="episode.html"'}
        return Response(page, media_type="text/html", headers=headers)


async def _send_message(socket: WebSocket, message: Message) -> None:
    """Send a message, if the page is still there."""
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(message.to_json())
