"""MCP servers over HTTP; needs the extra ``mcp``."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import uvicorn
from mcp.client.client import Client
from mcp_types import CallToolResult, ImageContent, TextContent

from bridge.adapters.mcp import OBSERVE, listen, puzzle_server
from bridge.episode.choices import Obs
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.operations.sight.playing import decode_base64, name_views, sum_rewards
from bridge.operations.sight.protocol import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Received,
    Route,
)
from pysim.catalog import AnyLevel
from pysim.puzzle import Outcome

__all__ = ["ADAPTER"]


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    with closing(SharedRenderer()) as renderer:

        def play(level: AnyLevel, observation: Obs, decide: Decide) -> Played:
            options = Options(observation, picture_size=IMAGE_SIZE)
            with (
                Episode(level, renderer=renderer, options=options) as episode,
                _serve(episode, route.port) as address,
            ):
                url = route.gateway.rstrip("/") or address
                hashes = asyncio.run(_play(episode, f"{url}/mcp", decide))
                solved = episode.outcome is Outcome.SOLVED
                return Played(solved, tuple(hashes), sum_rewards(level, hashes, solved=solved))

        yield play


@contextmanager
def _serve(episode: Episode, port: int) -> Iterator[str]:
    """Serve an episode, and return the URL."""
    listening = listen(port)
    settings = uvicorn.Config(puzzle_server(episode).streamable_http_app(), log_level="error")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


async def _play(episode: Episode, url: str, decide: Decide) -> list[str]:
    """Return the state hashes."""
    hashes = [episode.state_hash]
    async with Client(url) as client:
        result = await client.call_tool(OBSERVE, {})
        while episode.outcome is None:
            call = decide(_read(result))
            result = await client.call_tool(call.name, dict(call.arguments))
            hashes.append(episode.state_hash)
    return hashes


def _read(result: CallToolResult) -> Received:
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    images = [part.data for part in result.content if isinstance(part, ImageContent)]
    names = [*name_views(texts), *[""] * len(images)]
    views = tuple(decode_base64(*pair) for pair in zip(names, images, strict=False))
    return Received("\n\n".join(texts), views)


ADAPTER = Adapter("an MCP server and its client, over HTTP", _open, has_route=True)
