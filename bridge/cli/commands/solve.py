"""``luban solve``: its options."""

from typing import Annotated

import typer

from bridge.cli.options import JsonFlag

__all__ = ["solve"]


def solve(
    target: Annotated[str, typer.Argument(metavar="FILE|LEVEL", help="A design, or a level.")],
    problem: Annotated[int, typer.Option(help="Number of the problem in the file.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="All assemblies, not just the first solution.")
    ] = False,
    rotations: Annotated[
        bool, typer.Option("--rotations", help="Also try turns where pieces don't slide apart.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Find the assemblies of a design, which of them come apart, and in how many moves."""
    from bridge.cli.handlers.solve import run_solve

    run_solve(target, problem, everything, rotations, as_json)
