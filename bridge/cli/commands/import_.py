"""``luban import``: its options."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import JsonFlag

__all__ = ["import_"]


def import_(
    file: Annotated[Path, typer.Argument(help="A designer's file; with --bench authors' files.")],
    out: Annotated[Path, typer.Option(help="Level or suite file to write, .json.")],
    bench: Annotated[
        str, typer.Option(help="Make a suite of files that authors of this bench publish.")
    ] = "",
    levels: Annotated[
        Path | None, typer.Option(help="With --bench: folder for its levels as files, too.")
    ] = None,
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
        str, typer.Option(help="easy, medium, hard or expert; by default it follows from the plan.")
    ] = "",
    designer: Annotated[str, typer.Option(help="Who designed it.")] = "",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Number of steps; by default three per planned step."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a level from a designer's file, or a suite from authors' files."""
    from bridge.cli.errors import CommandError, exit_on_interrupt
    from bridge.cli.handlers.import_ import ImportRequest, run_import

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
        if bench:
            from bridge.cli.handlers.import_suite import run_import_suite

            run_import_suite(request, bench, levels, as_json)
        elif levels is not None:
            raise CommandError("--levels requires --bench: a designer's file makes one level")
        else:
            run_import(request, as_json)
