"""``luban levels``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    JsonFlag,
    RendererName,
)

__all__ = ["levels"]


def levels(
    family: Annotated[str, typer.Option(help="Only levels of this family.")] = "",
    suite: Annotated[str, typer.Option(help="The levels of this suite, in its order.")] = "",
    gallery: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Draw them all into one page.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a page that is there.")] = False,
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
) -> None:
    """List the levels that ship with Luban, or draw a page of them."""
    from bridge.cli.handlers.levels import list_levels

    if gallery is None:
        list_levels(family, suite, as_json)
        return
    from bridge.cli.handlers.gallery import make_gallery

    make_gallery(family, suite, gallery, renderer, force=force, as_json=as_json)
