"""``luban show``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    JsonFlag,
    LevelName,
    RendererName,
)

__all__ = ["show"]


def show(
    level: LevelName,
    views: Annotated[
        str,
        typer.Option(
            help="composed (as agents see it), sheet, single, classic; iso4, iso6, faces6, "
            "turntable8; or a picture that the family knows, as a cube's net."
        ),
    ] = "",
    image_size: Annotated[int, typer.Option(help="Edge of each view in pixels.")] = 512,
    passes: Annotated[
        str, typer.Option(help="Some of rgb,ids,depth,normals; more than rgb fills a folder.")
    ] = "rgb",
    out: Annotated[
        Path | None, typer.Option(help="PNG or folder to write; by default named after the level.")
    ] = None,
    orthographic: Annotated[
        bool, typer.Option("--orthographic", help="Orthographic projection; needs --views.")
    ] = False,
    labels: Annotated[
        str, typer.Option(help="Labels on the pieces: none, letters or colours.")
    ] = "none",
    spread: Annotated[
        float, typer.Option(min=0.0, help="Exploded view: how far to move pieces apart.")
    ] = 0.0,
    through: Annotated[str, typer.Option(help="Pieces to draw translucent: red,blue.")] = "",
    cut: Annotated[
        str, typer.Option(help="Cut away what lies beyond a layer: +x:2 keeps x up to 2.")
    ] = "",
    palette: Annotated[str, typer.Option(help="standard or colour-blind.")] = "standard",
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Render the views of a level as it starts."""
    from bridge.cli.handlers.show import ShowRequest, run_show

    request = ShowRequest(
        level,
        out,
        image_size,
        views,
        passes,
        orthographic,
        labels,
        spread,
        through,
        cut,
        palette,
        renderer,
    )
    run_show(request, as_json)
