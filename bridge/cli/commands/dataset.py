"""``luban dataset``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag, RendererName

__all__ = ["dataset"]


def dataset(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN|LOG|LEVELS...",
            help="Folders of runs, or logs; for chat also levels, which the oracle plays.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to make.")],
    format: Annotated[str, typer.Option("--format", help="lerobot, parquet or chat.")] = "lerobot",
    fps: Annotated[int, typer.Option(help="Frames per second; each step is one frame.")] = 4,
    size: Annotated[
        int | None,
        typer.Option(help="Edge of pictures in pixels.", show_default="256; chat: the agent's"),
    ] = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(help="stage (all there is), +x-y+z, ..., table; may be given several times."),
    ] = None,
    obs: Annotated[
        str | None,
        typer.Option(
            help="image, image+state or state.", show_default="image+state; chat: the agent's"
        ),
    ] = None,
    mode: Annotated[
        str, typer.Option(help="chat: interactive or one-shot, for levels that the oracle plays.")
    ] = "interactive",
    family: Annotated[str, typer.Option(help="Episodes of this family only.")] = "",
    solved: Annotated[bool, typer.Option("--solved", help="Solved episodes only.")] = False,
    renderer: RendererName = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a dataset of episodes: LeRobot v3, Parquet and MP4, or chats for fine-tuning."""
    from bridge.cli.errors import exit_on_interrupt
    from bridge.cli.handlers.chats import run_chats
    from bridge.cli.handlers.dataset import run_dataset
    from bridge.episode.records import Obs
    from bridge.recording.dataset.request import DatasetRequest, Format
    from bridge.runs.chats.export import ChatRequest

    if format == "chat":
        chats = ChatRequest(None if obs is None else Obs(obs), size, only_solved=solved)
        with exit_on_interrupt():
            run_chats(sources, out, chats, mode, renderer, family, force=force, as_json=as_json)
        return
    request = DatasetRequest(
        format=Format(format),
        fps=fps,
        size=256 if size is None else size,
        cameras=tuple(camera or ("stage",)),
        obs=Obs(obs or "image+state"),
        only_solved=solved,
    )
    with exit_on_interrupt():
        run_dataset(sources, out, request, renderer, family, force=force, as_json=as_json)
