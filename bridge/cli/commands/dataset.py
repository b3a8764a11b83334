"""``luban dataset``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag, RendererName

__all__ = ["dataset"]


def dataset(
    sources: Annotated[
        list[Path], typer.Argument(metavar="RUN|LOG...", help="Folders of runs, or logs.")
    ],
    out: Annotated[Path, typer.Option(help="Folder to make.")],
    format: Annotated[str, typer.Option("--format", help="lerobot or parquet.")] = "lerobot",
    fps: Annotated[int, typer.Option(help="Frames per second; each step is one frame.")] = 4,
    size: Annotated[int, typer.Option(help="Edge of pictures in pixels.")] = 256,
    camera: Annotated[
        list[str] | None,
        typer.Option(help="stage (all there is), +x-y+z, ..., table; may be given several times."),
    ] = None,
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    family: Annotated[str, typer.Option(help="Episodes of this family only.")] = "",
    solved: Annotated[bool, typer.Option("--solved", help="Solved episodes only.")] = False,
    renderer: RendererName = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a dataset of recorded episodes: LeRobot v3, or Parquet and MP4."""
    from bridge.cli.failing import exit_on_interrupt
    from bridge.cli.handlers.dataset import run_dataset
    from bridge.episode.records import Obs
    from bridge.recording.dataset.request import DatasetRequest, Format

    request = DatasetRequest(
        format=Format(format),
        fps=fps,
        size=size,
        cameras=tuple(camera or ("stage",)),
        obs=Obs(obs),
        only_solved=solved,
    )
    with exit_on_interrupt():
        run_dataset(sources, out, request, renderer, family, force=force, as_json=as_json)
