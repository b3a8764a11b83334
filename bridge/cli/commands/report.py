"""``luban report``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import BesideTables, JsonFlag, PricesFile

__all__ = ["report"]


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option(help="Page to write, .html.")],
    prices: PricesFile = None,
    beside: BesideTables = None,
    embed: Annotated[
        bool, typer.Option("--embed", help="Put pictures and videos into the page.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="First play every log again, and stop if one is false.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a page with tables, plots and every episode of some runs."""
    from bridge.cli.handlers.report import run_report

    run_report(
        runs,
        out,
        prices,
        beside=beside,
        embed=embed,
        verify=verify,
        force=force,
        as_json=as_json,
    )
