"""``luban demo``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    JsonFlag,
    RendererName,
    Runs,
)

__all__ = ["demo"]


def demo(
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    video: Annotated[bool, typer.Option(help="Make videos of the episodes.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Start a server and take two real locks apart over gRPC, in the physical world."""
    from bridge.cli.handlers.demo import run_demo

    run_demo(runs, renderer, video, as_json)
