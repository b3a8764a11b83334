"""``luban compare``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag

__all__ = ["compare"]


def compare(
    bundle: Annotated[Path, typer.Argument(help="Folder of a bundle: the true film.")],
    videos: Annotated[
        list[Path],
        typer.Argument(metavar="VIDEO...", help="Videos; a folder is a model, its files seeds."),
    ],
    out: Annotated[
        Path, typer.Option(help="Folder for the scores; what was scored in it is kept.")
    ],
    tracks: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Judge these tracks, .npz, instead of our own."),
    ] = None,
    annotate: Annotated[
        bool, typer.Option("--annotate", help="Write a page on which people mark what is wrong.")
    ] = False,
    annotations: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What a person marked; once for each person."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge videos of a puzzle by rule, and compare them with the true film of a bundle."""
    from bridge.cli.handlers.video.compare import CompareRequest, run_compare

    request = CompareRequest(bundle, videos, out, tracks, annotate, annotations or [])
    run_compare(request, as_json)
