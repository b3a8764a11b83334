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
    film_size: Annotated[
        str, typer.Option(metavar="WxH", help="Width and height of the film in pixels.")
    ] = "832x480",
    fps: Annotated[int, typer.Option(help="Frames per second.")] = 24,
    speed: Annotated[float, typer.Option(help="How many times as fast as usual.")] = 1.0,
    look: Annotated[
        str, typer.Option(help="Finish of the pieces: diagram, plain or wood.")
    ] = "diagram",
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Make bundles: what video models are given, and the true films that score them."""
    from bridge.cli.errors import exit_on_interrupt
    from bridge.cli.handlers.video.bundle import BundleOptions, run_bundle

    options = BundleOptions(
        levels=tuple(levels),
        out=out,
        first_steps=first_steps,
        film_size=film_size,
        fps=fps,
        speed=speed,
        look=look,
        renderer=renderer,
    )
    with exit_on_interrupt():
        run_bundle(options, as_json)
