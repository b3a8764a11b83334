"""``luban serve``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    JsonFlag,
    RendererName,
    Runs,
    UnityPlayer,
)

__all__ = ["serve"]


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 picks a free port.")] = 0,
    idle_timeout: Annotated[
        float, typer.Option(help="Seconds after which an untouched episode is closed.")
    ] = 600.0,
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    operator_key: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            envvar="LUBAN_OPERATOR_KEY",
            help="Key that opens every episode; other clients reach only their own.",
        ),
    ] = "",
    max_episodes: Annotated[
        int, typer.Option(min=1, help="Episodes that may be open at once.")
    ] = 1024,
    max_bullet_episodes: Annotated[
        int, typer.Option(min=1, help="Those among them in the world bullet.")
    ] = 128,
    as_json: JsonFlag = False,
) -> None:
    """Serve episodes over gRPC until interrupted."""
    from bridge.cli.handlers.serve import run_server

    limits = (max_episodes, max_bullet_episodes)
    run_server(
        host, port, idle_timeout, runs, renderer, unity_player, operator_key, as_json, limits
    )
