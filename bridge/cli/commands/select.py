"""``luban select``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import BaseUrl, JsonFlag, PricesFile, RendererName, UnityPlayer
from bridge.cli.requests import parse_settings

__all__ = ["select"]


def select(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCORER",
            help="Who chooses, once or more: verifier (the default), progress, random, "
            "judge:openai:MODEL, pairwise:openai:MODEL, file:PATH, or one of another package.",
        ),
    ] = None,
    k: Annotated[
        int, typer.Option("--k", min=0, max=1000, help="Attempts to choose from; 0 for all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the scorers.")] = 0,
    workers: Annotated[
        int, typer.Option(min=1, max=1000, help="Number of levels judged at once.")
    ] = 1,
    options: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Setting of a judge.")
    ] = None,
    base_url: BaseUrl = "",
    prices: PricesFile = None,
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
) -> None:
    """Measure what choosing among several attempts gives, and what it costs."""
    from bridge.cli.handlers.select import SelectRequest, run_select

    request = SelectRequest(
        runs=runs,
        by=by or ["verifier"],
        k=k,
        seed=seed,
        workers=workers,
        options=parse_settings(options, base_url),
        prices=prices,
        renderer=renderer,
        unity_player=unity_player,
    )
    run_select(request, as_json)
