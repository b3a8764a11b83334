"""``luban bundle``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag, RendererName

__all__ = ["bundle"]


def bundle(
    levels: Annotated[
        list[str],
        typer.Argument(metavar="SUITE|LEVEL...", help="Suites, families, levels or patterns."),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the bundles; resumes what is in it.")],
    first_steps: Annotated[
        int, typer.Option(help="Film only this many steps of each plan; 0 for all.", min=0)
    ] = 0,
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Width and height of the film in pixels.")
    ] = "832x480",
    fps: Annotated[int, typer.Option(help="Frames per second.")] = 24,
    speed: Annotated[float, typer.Option(help="How many times as fast as usual.")] = 1.0,
    look: Annotated[
        list[str] | None,
        typer.Option(help="diagram, plain or wood; of a dataset any of those given."),
    ] = None,
    dataset: Annotated[
        int, typer.Option(help="Make this many varied clips instead, in shards.", min=0)
    ] = 0,
    seconds: Annotated[float, typer.Option(help="Length of each clip of a dataset.")] = 5.0,
    violations: Annotated[
        float, typer.Option(help="Share of a dataset's clips with a labelled violation.")
    ] = 0.0,
    blur: Annotated[
        float, typer.Option(help="Share of a dataset's clips in which motion is blurred.")
    ] = 0.0,
    shard: Annotated[int, typer.Option(help="Clips in each file of a dataset.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of a dataset.", min=0)] = 0,
    workers: Annotated[
        int, typer.Option(help="Processes that make a dataset.", min=1, max=256)
    ] = 1,
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Make what video models are given and compared with, or clips to train them on."""
    from bridge.cli.errors import exit_on_interrupt
    from bridge.cli.handlers.video.bundle import BundleOptions, run_bundle, run_clips

    options = BundleOptions(
        levels=tuple(levels),
        out=out,
        first_steps=first_steps,
        size=size,
        fps=fps,
        speed=speed,
        looks=tuple(look or ()),
        renderer=renderer,
        as_json=as_json,
    )
    with exit_on_interrupt():
        if dataset:
            chance = {"seconds": seconds, "forged": violations, "blurred": blur}
            run_clips(options, dataset, shard, seed, workers, chance)
        else:
            run_bundle(options)
