"""``luban replay``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    JsonFlag,
    RendererName,
    UnityPlayer,
)

__all__ = ["replay"]


def replay(
    log: Annotated[Path, typer.Argument(help="An episode's log, episode.jsonl.")],
    video: Annotated[Path | None, typer.Option(help="Video to write.")] = None,
    world: Annotated[str, typer.Option(help="World to replay in, instead of the log's.")] = "",
    image_size: Annotated[int, typer.Option(help="Edge of the video in pixels.")] = 512,
    codec: Annotated[
        str, typer.Option(help="web, lossless, or png for a folder with a file for each frame.")
    ] = "web",
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
) -> None:
    """Play a log again, check every state hash, and make the video from the log alone."""
    from bridge.cli.handlers.replay import run_replay
    from bridge.recording.video import Codec

    run_replay(log, video, world, image_size, Codec(codec), renderer, unity_player, as_json)
