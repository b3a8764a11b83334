"""An episode as an MCP server: the puzzle's actions as tools, ``observe``, and nothing else.

There are no resources and no prompts. A server plays one episode, which ends with it: whoever calls
the tools can't begin another. Needs the extra ``mcp``.

The tools are given to the package's low-level server, because their schemas are data, and because
arguments that do not fit have to reach the episode, where they cost a step; ``MCPServer`` makes
schemas of Python signatures and turns such calls away itself.
"""

import asyncio
import base64
import logging
import os
import signal
import socket
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ImageContent,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from bridge.adapters.toolbox import Reply, Toolbox
from bridge.episode.episode import Episode
from bridge.recording.errors import RecordingError
from pysim.physics.world import WorldError
from pysim.render.renderer import RendererUnavailable

__all__ = ["OBSERVE", "listen", "puzzle_server", "serve_http", "serve_stdio"]

OBSERVE = "observe"
"""The one tool that is no action."""
_TASK = (
    "A 3D puzzle that is solved by acting on it. Call observe for the task and its present state; "
    "it is free. Every other call is an action and costs a step, also one that is refused."
)
_OBSERVE = "Returns the task and its present state. Costs no step and changes nothing."
_FAILED = "The simulator failed; nothing was changed and no step was counted."
_CLIENT_LEFT = "the client left"
_STOPPED = "the server was stopped"
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 2
"""Seconds that calls under way have to finish when the server stops."""


def puzzle_server(episode: Episode) -> Server[Any]:
    """Return the server of an episode, without a transport. Calls are done one after another."""
    toolbox = Toolbox(episode)

    async def list_tools(
        context: ServerRequestContext[Any], request: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=_tools(toolbox))

    async def call_tool(
        context: ServerRequestContext[Any], request: CallToolRequestParams
    ) -> CallToolResult:
        return _result(_carried_out(toolbox, request))

    return Server(
        "luban",
        version=version("luban"),
        instructions=_TASK,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve_stdio(episode: Episode, ready: Callable[[], None] = lambda: None) -> None:
    """Serve on stdin and stdout until the client closes stdin, or SIGINT or SIGTERM comes.

    The episode has ended when this returns. A signal ends the process, with status 0.

    Args:
        ready: called once signals are heeded.
    """

    def stop() -> None:
        episode.end(_STOPPED)
        # A thread waits for the client's next line, and nothing but that line would end it.
        os._exit(0)

    _until_it_listens(stop)
    ready()

    async def serve() -> None:
        _on_signals(stop)
        server = puzzle_server(episode)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    try:
        asyncio.run(serve())
    finally:
        episode.end(_CLIENT_LEFT)


def listen(port: int) -> socket.socket:
    """Return a socket on a port of this machine that others can't reach; 0 picks a free one.

    Raises:
        OSError: the port is in use.
    """
    return socket.create_server(("127.0.0.1", port))


def serve_http(
    episode: Episode, listening: socket.socket, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve streamable HTTP under ``/mcp`` until SIGINT or SIGTERM comes.

    All clients play the same episode, which has ended when this returns.

    Args:
        ready: called once signals are heeded, before anybody is served.
    """
    app = puzzle_server(episode).streamable_http_app()
    settings = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=_GRACE)
    server = uvicorn.Server(settings)

    def stop() -> None:
        server.should_exit = True

    # uvicorn listens to them while it serves, and sends them once more when it has stopped.
    _until_it_listens(stop)
    try:
        ready()
        server.run(sockets=[listening])
    finally:
        episode.end(_STOPPED)


def _until_it_listens(stop: Callable[[], None]) -> None:
    """Heed signals from now on; who serves will listen to them instead while it does."""
    for number in _SIGNALS:
        signal.signal(number, lambda *_: stop())


def _on_signals(stop: Callable[[], None]) -> None:
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop)


def _tools(toolbox: Toolbox) -> list[Tool]:
    look = Tool(
        name=OBSERVE,
        description=_OBSERVE,
        input_schema={"type": "object", "properties": {}},
        annotations=ToolAnnotations(read_only_hint=True),
    )
    return [look, *(_tool(schema["function"]) for schema in toolbox.schemas)]


def _tool(function: Any) -> Tool:
    return Tool(
        name=function["name"],
        description=function["description"],
        input_schema=function["parameters"],
        annotations=ToolAnnotations(read_only_hint=False),
    )


def _carried_out(toolbox: Toolbox, request: CallToolRequestParams) -> Reply:
    try:
        if request.name == OBSERVE:
            return toolbox.look()
        return toolbox.call(request.name, request.arguments or {})
    except (RecordingError, RendererUnavailable, WorldError) as error:
        # Its words may name files; they are for who runs the server.
        logging.getLogger(__name__).error("%s", error)
        return Reply(_FAILED, refused=True)


def _result(reply: Reply) -> CallToolResult:
    pictures = [
        part
        for view in reply.views
        for part in (
            TextContent(type="text", text=f"View {view.name}:"),
            ImageContent(
                type="image",
                data=base64.b64encode(view.data).decode("ascii"),
                mime_type=f"image/{view.format}",
            ),
        )
    ]
    text = TextContent(type="text", text=reply.text)
    return CallToolResult(content=[text, *pictures], is_error=reply.refused)
