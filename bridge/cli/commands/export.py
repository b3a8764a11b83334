"""``luban export``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag, LevelName

__all__ = ["export"]


def export(
    level: LevelName,
    out: Annotated[Path, typer.Option(help="File to write, such as .xmpuzzle.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a level as a file that designers' programs open."""
    from bridge.cli.handlers.import_ import run_export

    run_export(level, out, force, as_json)
