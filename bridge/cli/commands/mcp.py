"""``luban mcp``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    FeedbackLevel,
    RendererName,
    UnityPlayer,
    ViewsName,
)

__all__ = ["mcp"]


def mcp(
    level: Annotated[str, typer.Option(help="Id of a level, or a level file.")],
    observation: Annotated[
        str, typer.Option(help="image, image+state, state or none.")
    ] = "image+state",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Number of steps, instead of the level's own."),
    ] = None,
    world: Annotated[str, typer.Option(help="lattice (exact), bullet or unity.")] = "lattice",
    image_size: Annotated[int, typer.Option(help="Edge of pictures in pixels.")] = 512,
    history: Annotated[int, typer.Option(help="Number of past turns that observe repeats.")] = 5,
    log: Annotated[Path | None, typer.Option(help="Where the episode's log goes.")] = None,
    runs: Annotated[
        Path, typer.Option(help="Without --log: folder for the episodes, one folder each.")
    ] = Path("runs"),
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Serve HTTP on 127.0.0.1 instead of stdio; 0 picks a free port."
        ),
    ] = None,
    feedback: FeedbackLevel = "full",
    views: ViewsName = "composed",
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
) -> None:
    """Serve one episode over MCP: the puzzle's tools, and nothing else."""
    from bridge.cli.handlers.mcp import McpRequest, run_mcp

    run_mcp(
        McpRequest(
            level=level,
            observation=observation,
            feedback=feedback,
            views=views,
            budget=budget,
            world=world,
            image_size=image_size,
            history=history,
            log=log,
            runs=runs,
            port=port,
            renderer=renderer,
            unity_player=unity_player,
        )
    )
