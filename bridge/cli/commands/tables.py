"""``luban tables``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import BesideTables, JsonFlag

__all__ = ["tables"]


def tables(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    beside: BesideTables = None,
    as_json: JsonFlag = False,
) -> None:
    """Print the tables of runs: the former name of luban report without --out."""
    from bridge.cli.handlers.tables import run_tables

    run_tables(runs, beside, as_json)
