"""``luban score-video``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag

__all__ = ["score_video"]


def score_video(
    bundle: Annotated[Path, typer.Argument(help="Folder of a bundle: the true film.")],
    videos: Annotated[
        list[Path],
        typer.Argument(metavar="VIDEO...", help="Videos; a folder is a model, its files seeds."),
    ],
    out: Annotated[
        Path, typer.Option(help="Folder for the scores. Videos already scored there are skipped.")
    ],
    tracks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File of tracks, .npz, to score instead of tracking the video."
        ),
    ] = None,
    annotate: Annotated[
        bool, typer.Option("--annotate", help="Write a page on which people annotate violations.")
    ] = False,
    annotations: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Annotations of a person; may be repeated, once per person."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score videos of a puzzle by its rules, against the true film of a bundle."""
    from bridge.cli.handlers.video.score_video import ScoreVideoRequest, run_score_video

    request = ScoreVideoRequest(bundle, videos, out, tracks, annotate, annotations or [])
    run_score_video(request, as_json)
