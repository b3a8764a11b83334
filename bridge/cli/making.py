"""Commands that make levels, and take designs in and out."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import Json, LevelName, RayAddress, RendererName

__all__ = ["making"]

making = typer.Typer()
generate = typer.Typer(
    name="generate",
    help="Make levels without end, each with its certificate.",
    no_args_is_help=True,
)
making.add_typer(generate)


@making.command()
def solve(
    target: Annotated[str, typer.Argument(metavar="FILE|LEVEL", help="A design, or a level.")],
    problem: Annotated[int, typer.Option(help="Number of the problem in the file.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="All assemblies, not just the first solution.")
    ] = False,
    rotations: Annotated[
        bool, typer.Option("--rotations", help="Search those that stay together with turns too.")
    ] = False,
    as_json: Json = False,
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
        bool, typer.Option("--stored", help="Number the assemblies that the file holds instead.")
    ] = False,
    goal: Annotated[
        str, typer.Option(help="Goal, as disassemble, key or assemble; else the usual one.")
    ] = "",
    level_id: Annotated[str, typer.Option("--id", help="Id; else made of the file's name.")] = "",
    name: Annotated[str, typer.Option(help="Name; else the problem's or the file's.")] = "",
    tier: Annotated[str, typer.Option(help="easy, medium or hard; else by the plan.")] = "",
    designer: Annotated[str, typer.Option(help="Who designed it.")] = "",
    budget: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Steps; else three per planned one.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: Json = False,
) -> None:
    """Make a level of a designer's file."""
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
    as_json: Json = False,
) -> None:
    """Write a level as a file that designers' programs open."""
    from bridge.cli.importing import run_export

    run_export(level, out, force, as_json)


@generate.command("burr")
def generate_burr(
    kind: Annotated[str, typer.Option(help="six-piece, board, cube or rods.")],
    out: Annotated[Path, typer.Option(help="Folder for the levels; a batch in it goes on.")],
    pieces: Annotated[int, typer.Option(min=0, help="How many pieces; 0 for what is usual.")] = 0,
    level: Annotated[int, typer.Option(help="Least moves up to the first separation.")] = 1,
    size: Annotated[
        str, typer.Option(help="Length of sticks, or edges of a box as in 4 or 4x4x5.")
    ] = "",
    thickness: Annotated[int, typer.Option(help="Of boards: 1 or 2.")] = 1,
    sequential: Annotated[
        bool, typer.Option("--sequential", help="A box that comes apart in one order only.")
    ] = False,
    reflections: Annotated[
        bool, typer.Option("--reflections", help="Mirror images count as the same lock.")
    ] = False,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many levels.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Number of processes.")] = 1,
    attempts: Annotated[int, typer.Option(min=0, help="Where to give up; 0 for nowhere.")] = 0,
    renderer: RendererName = "auto",
    ray: RayAddress = "",
    as_json: Json = False,
) -> None:
    """Make interlocking locks, each with a plan, facts and a picture sheet."""
    from bridge.cli.generating import BatchRequest, LockRequest, generate_locks

    generate_locks(
        LockRequest(kind, pieces, level, size, thickness, sequential, reflections, seed),
        BatchRequest(count, out, workers, attempts, renderer, as_json, ray=ray),
    )


@generate.command("packing")
def generate_packing(
    size: Annotated[str, typer.Option(help="Cells of the box along x, y and z, as in 3x3x4.")],
    mode: Annotated[str, typer.Option(help="easy, mid or hard.")],
    out: Annotated[Path, typer.Option(help="Folder for the levels; a batch in it goes on.")],
    linear: Annotated[
        bool,
        typer.Option(
            "--linear/--no-linear",
            help="Built from the open top, under gravity; or from all sides, without.",
        ),
    ] = True,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many levels.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Number of processes.")] = 1,
    attempts: Annotated[int, typer.Option(min=0, help="Where to give up; 0 for nowhere.")] = 0,
    registry: Annotated[
        Path | None, typer.Option(help="Folder shared by batches that are to have no puzzle twice.")
    ] = None,
    renderer: RendererName = "auto",
    ray: RayAddress = "",
    as_json: Json = False,
) -> None:
    """Make boxes to be filled with polycubes, each with a plan, facts and a picture sheet."""
    from bridge.cli.generating import BatchRequest, BoxRequest, generate_boxes

    generate_boxes(
        BoxRequest(size, mode, linear, seed),
        BatchRequest(count, out, workers, attempts, renderer, as_json, registry, ray),
    )
