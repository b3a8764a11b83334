"""Commands that take designs in and out."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag, LevelName

__all__ = ["making"]

making = typer.Typer()


@making.command()
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
    from bridge.cli.solving import run_solve

    run_solve(target, problem, everything, rotations, as_json)


@making.command(name="import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file of a designer's program.")],
    out: Annotated[Path, typer.Option(help="Level file to write, .json.")],
    problem: Annotated[int, typer.Option(help="Number of the problem in the file.")] = 0,
    solution: Annotated[
        int, typer.Option(help="Number of the assembly among those that come apart.")
    ] = 0,
    stored: Annotated[
        bool, typer.Option("--stored", help="Count the assemblies stored in the file instead.")
    ] = False,
    goal: Annotated[
        str, typer.Option(help="Goal, as disassemble, key or assemble; else the usual one.")
    ] = "",
    level_id: Annotated[
        str, typer.Option("--id", help="Id; by default made from the file's name.")
    ] = "",
    name: Annotated[str, typer.Option(help="Name; by default the problem's or the file's.")] = "",
    tier: Annotated[
        str, typer.Option(help="easy, medium or hard; by default it follows from the plan.")
    ] = "",
    designer: Annotated[str, typer.Option(help="Who designed it.")] = "",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Number of steps; by default three per planned step."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a level from a designer's file."""
    from bridge.cli.failing import exit_on_interrupt
    from bridge.cli.importing import ImportRequest, run_import

    request = ImportRequest(
        file=file,
        out=out,
        problem=problem,
        solution=solution,
        stored=stored,
        goal=goal,
        id=level_id,
        name=name,
        tier=tier,
        designer=designer,
        budget=budget,
        force=force,
    )
    with exit_on_interrupt():
        run_import(request, as_json)


@making.command()
def export(
    level: LevelName,
    out: Annotated[Path, typer.Option(help="File to write, such as .xmpuzzle.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a level as a file that designers' programs open."""
    from bridge.cli.importing import run_export

    run_export(level, out, force, as_json)
