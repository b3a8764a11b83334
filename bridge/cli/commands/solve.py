"""``luban solve``: its options."""

from typing import Annotated

import typer

from bridge.cli.options import JsonFlag

__all__ = ["solve"]


def solve(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE|LEVEL|MOVES|STATE",
            help="A design or a level; of a cube also moves from solved, or its 54 letters.",
        ),
    ],
    problem: Annotated[int, typer.Option(help="Number of the problem in the file.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="All assemblies or shortest solutions, not just one.")
    ] = False,
    rotations: Annotated[
        bool, typer.Option("--rotations", help="Also try turns where pieces don't slide apart.")
    ] = False,
    metric: Annotated[
        str, typer.Option(help="How a cube's moves are counted: htm (face turns) or qtm.")
    ] = "",
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Of a cube: most seconds; then what is known.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Find the assemblies of a design and how they come apart, or a cube's shortest solutions."""
    from bridge.cli.handlers.solve.shortest import parse_shortest_request, run_shortest

    if (asked := parse_shortest_request(target)) is not None:
        run_shortest(asked, metric, seconds, everything, as_json)
        return
    from bridge.cli.handlers.solve.assemblies import run_solve

    run_solve(target, problem, everything, rotations, as_json)
