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
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than loopback need TLS.")
    ] = "127.0.0.1",
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
            help="Key of those who begin episodes, instead of one made up; agents get none.",
        ),
    ] = "",
    is_open: Annotated[
        bool, typer.Option("--open", help="No key: every client may do everything.")
    ] = False,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate of the server, PEM.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Its private key, PEM.")] = None,
    tls_client_ca: Annotated[
        Path | None, typer.Option(help="Who signs clients' certificates; clients need one then.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Let other machines in without TLS.")
    ] = False,
    max_episodes: Annotated[
        int, typer.Option(min=1, help="Episodes that may be open at once.")
    ] = 1024,
    max_bullet_episodes: Annotated[
        int, typer.Option(min=1, help="Those among them in the world bullet.")
    ] = 128,
    as_json: JsonFlag = False,
) -> None:
    """Serve episodes over gRPC until interrupted."""
    from bridge.cli.handlers.serve import ServeRequest, run_server

    run_server(
        ServeRequest(
            host=host,
            port=port,
            idle_timeout=idle_timeout,
            runs=runs,
            renderer=renderer,
            unity_player=unity_player,
            operator_key=operator_key,
            is_open=is_open,
            tls_cert=tls_cert,
            tls_key=tls_key,
            tls_client_ca=tls_client_ca,
            insecure=insecure,
            max_episodes=max_episodes,
            max_bullet_episodes=max_bullet_episodes,
        ),
        as_json,
    )
