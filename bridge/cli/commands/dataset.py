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
            help="Folders of runs, or logs; for chat also levels, which the oracle plays, and for "
            "clips only levels.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to make.")],
    format: Annotated[
        str, typer.Option("--format", help="lerobot, parquet, chat or clips.")
    ] = "lerobot",
    fps: Annotated[
        int | None,
        typer.Option(
            help="Frames per second; each step is one frame, but for clips.",
            show_default="4; clips: 24",
        ),
    ] = None,
    image_size: Annotated[
        int | None,
        typer.Option(help="Edge of pictures in pixels.", show_default="256; chat: the agent's"),
    ] = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(help="stage (all there is), +x-y+z, ..., table; may be given several times."),
    ] = None,
    observation: Annotated[
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
    count: Annotated[int, typer.Option(help="clips: how many.", min=1)] = 100,
    film_size: Annotated[
        str, typer.Option(metavar="WxH", help="clips: width and height in pixels.")
    ] = "832x480",
    look: Annotated[
        list[str] | None,
        typer.Option(help="clips: finishes of pieces, diagram, plain or wood.", show_default="all"),
    ] = None,
    seconds: Annotated[float, typer.Option(help="clips: length of each.")] = 5.0,
    violations: Annotated[
        float, typer.Option(help="clips: share with a labelled violation.")
    ] = 0.0,
    blur: Annotated[float, typer.Option(help="clips: share with motion blur.")] = 0.0,
    shard: Annotated[int, typer.Option(help="clips: number in each file.")] = 100,
    seed: Annotated[int, typer.Option(help="clips: seed.", min=0)] = 0,
    workers: Annotated[int, typer.Option(help="clips: processes.", min=1, max=256)] = 1,
    renderer: RendererName = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a dataset of episodes: LeRobot v3, Parquet and MP4, chats, or clips for video models."""
    from bridge.cli.errors import exit_on_interrupt
    from bridge.cli.handlers.chats import run_chats
    from bridge.cli.handlers.dataset import run_dataset
    from bridge.episode.records import Obs
    from bridge.recording.dataset.request import DatasetRequest, Format
    from bridge.runs.chats.export import ChatRequest

    if format == "clips":
        from bridge.cli.handlers.video.clips import ClipsOptions, run_clips

        clips = ClipsOptions(
            count, film_size, fps or 24, look or (), seconds, violations, blur, shard, seed, workers
        )
        with exit_on_interrupt():
            run_clips([str(source) for source in sources], out, clips, renderer, as_json=as_json)
        return
    if format == "chat":
        chats = ChatRequest(
            None if observation is None else Obs(observation), image_size, only_solved=solved
        )
        with exit_on_interrupt():
            run_chats(sources, out, chats, mode, renderer, family, force=force, as_json=as_json)
        return
    request = DatasetRequest(
        format=Format(format),
        fps=4 if fps is None else fps,
        size=256 if image_size is None else image_size,
        cameras=tuple(camera or ("stage",)),
        obs=Obs(observation or "image+state"),
        only_solved=solved,
    )
    with exit_on_interrupt():
        run_dataset(sources, out, request, renderer, family, force=force, as_json=as_json)
