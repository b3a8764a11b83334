"""``luban play``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    AgentName,
    FeedbackLevel,
    JsonFlag,
    LevelName,
    RendererName,
    Runs,
    UnityPlayer,
    VideoChoice,
    ViewsName,
)

__all__ = ["play"]


def play(
    level: LevelName,
    agent: AgentName = "oracle",
    world: Annotated[str, typer.Option(help="lattice (exact), bullet or unity.")] = "lattice",
    seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0,
    server: Annotated[
        str,
        typer.Option(
            metavar="ADDR", help="host:port of a running server; without it one is started."
        ),
    ] = "",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Number of steps, instead of the level's own."),
    ] = None,
    observation: Annotated[
        str, typer.Option(help="image, image+state, state or none.")
    ] = "image+state",
    image_size: Annotated[int, typer.Option(help="Edge of pictures and video in pixels.")] = 512,
    video: VideoChoice = "all",
    name: Annotated[str, typer.Option(help="Name of the episode's folder.")] = "",
    runs: Runs = Path("runs"),
    feedback: FeedbackLevel = "full",
    views: ViewsName = "composed",
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
) -> None:
    """Let an agent play one episode of a level."""
    from bridge.cli.handlers.play import PlayRequest, run_play
    from bridge.runs.options import VideoPolicy

    run_play(
        PlayRequest(
            level=level,
            agent=agent,
            world=world,
            seed=seed,
            server=server,
            budget=budget,
            observation=observation,
            feedback=feedback,
            views=views,
            image_size=image_size,
            video=VideoPolicy(video),
            name=name,
            runs=runs,
            renderer=renderer,
            unity_player=unity_player,
        ),
        as_json,
    )
