"""The files of ended episodes."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import BinaryIO

import grpc

from bridge.recording.film import film_episode
from bridge.recording.log import read_log
from bridge.rpc.errors import RequestError
from bridge.rpc.serving.handler import RequestHandler
from bridge.rpc.serving.sessions import Session

__all__ = ["read_chunks", "render_video"]

CHUNK = 1 << 20
"""Bytes of a file in one message."""


async def read_chunks(
    handler: RequestHandler, episode_id: str, lease: str, *, video: bool = False
) -> AsyncIterator[bytes]:
    """Yield the log or the video of an ended episode.

    Raises:
        RequestError: it goes on, or the file is gone.
    """
    session = await _ended(handler, episode_id, lease)
    path = session.video_path if video else session.log_path
    try:
        file: BinaryIO = await handler.pools.files.run(path.open, "rb")
        with file:
            while chunk := await handler.pools.files.run(file.read, CHUNK):
                await _ended(handler, episode_id, lease)
                yield chunk
    except OSError as error:
        raise RequestError(
            grpc.StatusCode.NOT_FOUND, "FILE_GONE", f"{path.name}: {error.strerror}"
        ) from None


async def render_video(
    handler: RequestHandler, episode_id: str, lease: str, size: int
) -> AsyncIterator[tuple[int, int]]:
    """Make the video; frames made and in all, as they are made.

    Raises:
        RequestError: the episode goes on, or too many videos are being made.
        LubanError: it can't be made.
    """
    session = await _ended(handler, episode_id, lease)
    loop = asyncio.get_running_loop()
    news: asyncio.Queue[tuple[int, int] | None] = asyncio.Queue()
    gone = threading.Event()

    def tell(done: int, total: int) -> None:
        if gone.is_set():
            raise ConnectionAbortedError("the client went away")
        loop.call_soon_threadsafe(news.put_nowait, (done, total))

    made = handler.pools.films.begin(partial(_film, handler, session, size, tell))
    made.add_done_callback(lambda _: news.put_nowait(None))
    try:
        while (step := await news.get()) is not None:
            await handler.store.visit(episode_id, lease)
            yield step
        made.result()
    finally:
        gone.set()


def _film(
    handler: RequestHandler, session: Session, size: int, tell: Callable[[int, int], None]
) -> None:
    log = read_log(session.log_path)
    film_episode(
        log, handler.renderer, session.video_path, size=size, engines=handler.engines, progress=tell
    )


async def _ended(handler: RequestHandler, episode_id: str, lease: str) -> Session:
    """Return the session, if its files may be had: a log tells what an agent must not know."""
    session = await handler.store.visit(episode_id, lease)
    if session.episode is not None and session.episode.outcome is None:
        raise RequestError(
            grpc.StatusCode.FAILED_PRECONDITION,
            "EPISODE_RUNNING",
            "the log and the video can be had once the episode has ended",
        )
    return session
