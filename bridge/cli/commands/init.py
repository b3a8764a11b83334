"""``luban init``: its options."""

from typing import Annotated

import typer

from bridge.cli.options import (
    PackageKind,
)

__all__ = ["init"]


def init(
    kind: Annotated[PackageKind, typer.Argument(help="What the package is to offer.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Of the package and its folder, as toy-family.")
    ],
) -> None:
    """Write a package with a family, a bench or an agent of your own, which works at once."""
    from bridge.cli.handlers.init import run_init

    run_init(kind, name)
