"""Commands that play many episodes and judge them."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.eval import RawCommand, evaluate
from bridge.cli.options import BaseUrl, JsonFlag, PricesFile, RendererName

__all__ = ["judging"]

judging = typer.Typer()

judging.command(name="eval", cls=RawCommand, add_help_option=False)(evaluate)


@judging.command()
def select(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCORER",
            help="Who chooses, once or more: verifier (the default), progress, random, "
            "judge:openai:MODEL, or one of another package.",
        ),
    ] = None,
    k: Annotated[
        int, typer.Option("--k", min=0, max=1000, help="Attempts to choose from; 0 for all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the scorers.")] = 0,
    workers: Annotated[
        int, typer.Option(min=1, max=1000, help="Number of levels judged at once.")
    ] = 1,
    options: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Setting of a judge.")
    ] = None,
    base_url: BaseUrl = "",
    prices: PricesFile = None,
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Measure what choosing among several attempts gives, and what it costs."""
    from bridge.cli.selecting import SelectRequest, run_select

    request = SelectRequest(
        runs=runs,
        by=by or ["verifier"],
        k=k,
        seed=seed,
        workers=workers,
        options=_with_url(options, base_url),
        prices=prices,
        renderer=renderer,
    )
    run_select(request, as_json)


@judging.command()
def tables(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs of items.")],
    as_json: JsonFlag = False,
) -> None:
    """Print the tables of runs of items, one row per run."""
    from bridge.cli.tabling import run_tables

    run_tables(runs, as_json)


@judging.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option(help="Page to write, .html.")],
    prices: PricesFile = None,
    embed: Annotated[
        bool, typer.Option("--embed", help="Put pictures and videos into the page.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a page with tables, plots and every episode of some runs."""
    from bridge.cli.reporting import run_report

    run_report(runs, out, prices, embed, force, as_json)


@judging.command()
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
    solved: Annotated[bool, typer.Option("--solved", help="Solved episodes only.")] = False,
    renderer: RendererName = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a dataset of recorded episodes: LeRobot v3, or Parquet and MP4."""
    from bridge.cli.exporting import run_dataset
    from bridge.cli.failing import exit_on_interrupt
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
        run_dataset(sources, out, request, renderer, force=force, as_json=as_json)


def _with_url(options: list[str] | None, base_url: str) -> tuple[str, ...]:
    return (*(options or ()), *([f"base_url={base_url}"] if base_url else []))
