"""``luban report``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import BesideTables, JsonFlag, PricesFile

__all__ = ["report"]


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Page to write, .html, or file for the tables, .txt, .csv or .tex. By default "
            "the tables are printed."
        ),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only tables with this in their title, or number."),
    ] = None,
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
    """Print the tables of some runs, or write them or a page with plots and every episode."""
    from bridge.cli.handlers.report import ReportRequest, run_report

    request = ReportRequest(runs, out, prices, beside, table or (), embed, pictures, verify, force)
    run_report(request, as_json)
