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
    pictures: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Draw what agents saw, at most so many observations: by default 3000, with "
            "--embed 300. 0 draws none.",
        ),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="First play every log again, and stop if one is false.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a page with tables, plots and every episode of some runs."""
    from bridge.cli.handlers.report import ReportRequest, run_report

    request = ReportRequest(runs, out, prices, beside, embed, pictures, verify, force)
    run_report(request, as_json)
