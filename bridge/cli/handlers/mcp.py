"""``luban mcp``: one episode as an MCP server."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bridge.cli.commands.mcp import McpRequest
from bridge.cli.errors import CommandError
from bridge.cli.permissions import make_files_private
from bridge.episode.episode import Episode
from bridge.episode.records import Feedback, Obs, Options
from bridge.episode.rendering import SharedRenderer
from bridge.operations.engines import open_engines
from bridge.recording.folders import new_run_folder
from bridge.recording.log import EpisodeLog
from pysim.level_selection import load_level
from pysim.viewpoints import Views

__all__ = ["run_mcp"]


@make_files_private()
def run_mcp(request: McpRequest) -> None:
    """Serve one episode; nothing but the protocol goes to stdout.

    Raises:
        CommandError: the extra is not installed, or there can't be a log.
        InputError, OSError: something that was asked for does not exist or can't be used.
    """
    try:
        from bridge.adapters import mcp
    except ImportError as error:
        raise CommandError(f"MCP needs the extra: pip install 'luban[mcp]' ({error})") from None
    level = load_level(request.level)
    seen = Obs(request.observation)
    options = Options(
        seen,
        request.history,
        request.image_size,
        request.budget,
        agent="mcp",
        feedback=Feedback(request.feedback),
        views=Views(request.views),
    )
    with ExitStack() as stack:
        with _stdout_kept_clean():
            listening = None if request.port is None else mcp.listen(request.port)
            names = (request.world, request.renderer)
            engines = stack.enter_context(open_engines(request.unity_player, *names))
            renderer = SharedRenderer(request.renderer, engines)
            stack.callback(renderer.close)
            log = stack.enter_context(EpisodeLog(_log_path(request, level.id)))
            pictures = renderer if seen.has_images else None
            try:
                episode = Episode(level, request.world, pictures, options, log, engines=engines)
            except BaseException:
                if request.log is None:
                    with suppress(OSError):  # There may be a log in it.
                        log.path.parent.rmdir()
                raise
            stack.enter_context(episode)
        # Hosts may show stderr to the model, which is not to know the level.
        lines = [f"the episode's log is {log.path}"] if request.verbose else []
        if listening is None:
            mcp.serve_stdio(episode, lambda: _say("serves one episode", *lines))
        else:
            address = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
            mcp.serve_http(episode, listening, lambda: _say(*lines, f"listens on {address}"))


def _log_path(request: McpRequest, level_id: str) -> Path:
    if request.log is not None:
        request.log.parent.mkdir(parents=True, exist_ok=True)
        return request.log
    return new_run_folder(request.runs, f"{level_id[:48]}-mcp-{request.world}") / "episode.jsonl"


@contextmanager
def _stdout_kept_clean() -> Iterator[None]:
    """Redirect what engines print while they start to stderr, since stdout is the client's."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _say(*lines: str) -> None:
    for line in lines:
        print(f"luban: {line}", file=sys.stderr, flush=True)
