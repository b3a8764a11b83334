"""MCP servers over HTTP; needs the extra ``mcp``."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager

from mcp.client.client import Client
from mcp_types import CallToolResult, ImageContent, TextContent

from bridge.adapters.mcp import OBSERVE, puzzle_server
from bridge.episode.choices import Obs
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.operations.sight.playing import decode_base64, receive, serve_app, sum_rewards
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
                serve_app(puzzle_server(episode).streamable_http_app(), route.port) as address,
            ):
                url = route.gateway.rstrip("/") or address
                hashes = asyncio.run(_play(episode, f"{url}/mcp", decide))
                solved = episode.outcome is Outcome.SOLVED
                return Played(solved, tuple(hashes), sum_rewards(level, hashes, solved=solved))

        yield play


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
    return receive(texts, images, decode_base64)


ADAPTER = Adapter("an MCP server and its client, over HTTP", _open, has_route=True)
