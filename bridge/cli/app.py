"""Commands and their options; what they do is imported when they run, so that help is quick."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app", "main"]

app = typer.Typer(
    name="luban",
    help="Puts an agent in front of a 3D puzzle that can only be solved by acting on it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

generate = typer.Typer(
    name="generate",
    help="Make levels without end, each with its certificate.",
    no_args_is_help=True,
)
app.add_typer(generate)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Runs = Annotated[Path, typer.Option(help="Folder that holds a folder for each episode.")]
RendererName = Annotated[str, typer.Option("--renderer", help="auto, egl, tiny or unity.")]
UnityPlayer = Annotated[
    str,
    typer.Option(
        "--unity-player",
        metavar="PATH",
        envvar="LUBAN_UNITY_PLAYER",
        help="Executable that Unity built, for the world or renderer unity.",
    ),
]
AgentName = Annotated[
    str,
    typer.Option(
        "--agent",
        "--model",
        help="oracle, noisy-oracle:P, greedy, random, first-legal, scripted:FILE, openai:MODEL, "
        "human, or one of another package.",
    ),
]
LevelName = Annotated[str, typer.Argument(metavar="LEVEL", help="Id of a level, or a level file.")]


@app.command()
def demo(runs: Runs = Path("runs"), renderer: RendererName = "auto", as_json: Json = False) -> None:
    """Start a server and take two real locks apart over gRPC, in the physical world."""
    from bridge.cli.demo import run_demo

    run_demo(runs, renderer, as_json)


@app.command()
def levels(
    family: Annotated[str, typer.Option(help="Only levels of this family.")] = "",
    suite: Annotated[str, typer.Option(help="The levels of this suite, in its order.")] = "",
    gallery: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Draw them all into one page.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a page that is there.")] = False,
    renderer: RendererName = "auto",
    as_json: Json = False,
) -> None:
    """List the levels that ship with Luban, or draw a page of them."""
    from bridge.cli.listing import list_levels

    if gallery is None:
        list_levels(family, suite, as_json)
        return
    from bridge.cli.gallery import make_gallery

    make_gallery(family, suite, gallery, renderer, force=force, as_json=as_json)


@app.command()
def play(
    level: LevelName,
    agent: AgentName = "oracle",
    world: Annotated[str, typer.Option(help="lattice (exact), bullet or unity.")] = "lattice",
    seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0,
    server: Annotated[
        str,
        typer.Option(metavar="ADDR", help="host:port of a running server; else one is started."),
    ] = "",
    budget: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Steps, in place of the level's own.")
    ] = None,
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    size: Annotated[int, typer.Option(help="Edge of pictures and video in pixels.")] = 512,
    video: Annotated[bool, typer.Option(help="Make a video at the end.")] = True,
    name: Annotated[str, typer.Option(help="Name of the episode's folder.")] = "",
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: Json = False,
) -> None:
    """Let an agent play one episode of a level."""
    from bridge.cli.playing import PlayRequest, run_play

    run_play(
        PlayRequest(
            level=level,
            agent=agent,
            world=world,
            seed=seed,
            server=server,
            budget=budget,
            mode=obs,
            size=size,
            video=video,
            name=name,
            runs=runs,
            renderer=renderer,
            unity_player=unity_player,
        ),
        as_json,
    )


@app.command(name="eval")
def eval_(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite, or levels separated by commas.")
    ],
    agent: AgentName = "oracle",
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Attempts at each level.")] = 1,
    workers: Annotated[
        int, typer.Option(min=0, max=1000, help="Episodes at once; 0: one for each core.")
    ] = 0,
    budget: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Steps, in place of each level's own.")
    ] = None,
    mode: Annotated[str, typer.Option(help="interactive or one-shot.")] = "interactive",
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    world: Annotated[str, typer.Option(help="lattice (exact), bullet or unity.")] = "lattice",
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 0,
    size: Annotated[int, typer.Option(help="Edge of pictures in pixels.")] = 512,
    window: Annotated[int, typer.Option(help="Turns that an agent is reminded of.")] = 5,
    options: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="For the agent.")
    ] = None,
    base_url: Annotated[
        str, typer.Option(metavar="URL", help="Of a model's server; short for --set base_url=URL.")
    ] = "",
    video: Annotated[str, typer.Option(help="Of which episodes: all, failed or none.")] = "none",
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; one that was begun is gone on with.")
    ] = None,
    runs: Annotated[Path, typer.Option(help="Where that folder is made without --out.")] = Path(
        "runs"
    ),
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: Json = False,
) -> None:
    """Let an agent play a whole suite, and score it."""
    from bridge.cli.evaluating import EvalRequest, run_eval

    request = EvalRequest(
        suite=suite,
        agent=agent,
        attempts=k,
        workers=workers,
        budget=budget,
        mode=mode,
        observation=obs,
        world=world,
        seed=seed,
        size=size,
        window=window,
        options=(*(options or ()), *([f"base_url={base_url}"] if base_url else [])),
        video=video,
        out=out,
        runs=runs,
        renderer=renderer,
        unity_player=unity_player,
    )
    run_eval(request, as_json)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option(help="Page to write, .html.")],
    prices: Annotated[
        Path | None,
        typer.Option(help='JSON: {MODEL: {"input", "output"}}, USD for a million tokens.'),
    ] = None,
    embed: Annotated[
        bool, typer.Option("--embed", help="Put pictures and videos into the page.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: Json = False,
) -> None:
    """Make a page with tables, plots and every episode of some runs."""
    from bridge.cli.reporting import run_report

    run_report(runs, out, prices, embed, force, as_json)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 picks a free port.")] = 0,
    idle_timeout: Annotated[
        float, typer.Option(help="Seconds after which an untouched episode is closed.")
    ] = 600.0,
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: Json = False,
) -> None:
    """Serve episodes over gRPC until interrupted."""
    from bridge.cli.serving import run_server

    run_server(host, port, idle_timeout, runs, renderer, unity_player, as_json)


@app.command()
def replay(
    log: Annotated[Path, typer.Argument(help="An episode's log, episode.jsonl.")],
    video: Annotated[Path | None, typer.Option(help="Make a video here.")] = None,
    world: Annotated[str, typer.Option(help="Another world than the log's.")] = "",
    size: Annotated[int, typer.Option(help="Edge of the video in pixels.")] = 512,
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: Json = False,
) -> None:
    """Play a log again, check every state hash, and make the video from the log alone."""
    from bridge.cli.replaying import run_replay

    run_replay(log, video, world, size, renderer, unity_player, as_json)


@app.command()
def show(
    level: LevelName,
    views: Annotated[
        str,
        typer.Option(help="iso4, iso6, faces6 or turntable8; else those of an observation."),
    ] = "",
    size: Annotated[int, typer.Option(help="Edge of each view in pixels.")] = 512,
    passes: Annotated[
        str, typer.Option(help="Some of rgb,ids,depth,normals; more than rgb fills a folder.")
    ] = "rgb",
    out: Annotated[
        Path | None, typer.Option(help="PNG to write, or the folder; else named after the level.")
    ] = None,
    orthographic: Annotated[
        bool, typer.Option("--orthographic", help="Parallel rays, with --views.")
    ] = False,
    labels: Annotated[str, typer.Option(help="On the pieces: none, letters or colours.")] = "none",
    spread: Annotated[
        float, typer.Option(min=0.0, help="Move pieces apart, by so many times their distance.")
    ] = 0.0,
    through: Annotated[str, typer.Option(help="Pieces to see through: red,blue.")] = "",
    cut: Annotated[
        str, typer.Option(help="Take off what lies beyond a layer: +x:2 keeps x up to 2.")
    ] = "",
    palette: Annotated[str, typer.Option(help="standard or colour-blind.")] = "standard",
    renderer: RendererName = "auto",
    as_json: Json = False,
) -> None:
    """Render the views of a level as it starts."""
    from bridge.cli.showing import ShowRequest, run_show

    request = ShowRequest(
        level,
        out,
        size,
        views,
        passes,
        orthographic,
        labels,
        spread,
        through,
        cut,
        palette,
        renderer,
    )
    run_show(request, as_json)


@app.command()
def solve(
    target: Annotated[str, typer.Argument(metavar="FILE|LEVEL", help=".xmpuzzle, .puz or level.")],
    problem: Annotated[int, typer.Option(help="Number of the problem in the file.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="All assemblies, not just the first solution.")
    ] = False,
    rotations: Annotated[
        bool, typer.Option("--rotations", help="Search those that stay together with turns too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find the assemblies of a lock, which of them come apart, and in how many moves."""
    from bridge.cli.solving import run_solve

    run_solve(target, problem, everything, rotations, as_json)


@app.command(name="import")
def import_(
    file: Annotated[Path, typer.Argument(help="A design: .xmpuzzle or .puz.")],
    out: Annotated[Path, typer.Option(help="Level file to write, .json.")],
    problem: Annotated[int, typer.Option(help="Number of the problem in the file.")] = 0,
    solution: Annotated[
        int, typer.Option(help="Number of the assembly among those that come apart.")
    ] = 0,
    stored: Annotated[
        bool, typer.Option("--stored", help="Number the assemblies that the file holds instead.")
    ] = False,
    goal: Annotated[str, typer.Option(help="disassemble, key or assemble.")] = "disassemble",
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


@app.command()
def export(
    level: LevelName,
    out: Annotated[Path, typer.Option(help="Design to write, .xmpuzzle.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: Json = False,
) -> None:
    """Write a lock as a file that designers' programs open."""
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
    as_json: Json = False,
) -> None:
    """Make interlocking locks, each with a plan, facts and a picture sheet."""
    from bridge.cli.generating import BatchRequest, LockRequest, generate_locks

    generate_locks(
        LockRequest(kind, pieces, level, size, thickness, sequential, reflections, seed),
        BatchRequest(count, out, workers, attempts, renderer, as_json),
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
    as_json: Json = False,
) -> None:
    """Make boxes to be filled with polycubes, each with a plan, facts and a picture sheet."""
    from bridge.cli.generating import BatchRequest, BoxRequest, generate_boxes

    generate_boxes(
        BoxRequest(size, mode, linear, seed),
        BatchRequest(count, out, workers, attempts, renderer, as_json, registry),
    )


@app.command()
def doctor(unity_player: UnityPlayer = "", as_json: Json = False) -> None:
    """Say what is installed, what is missing, and what to do about it."""
    from bridge.cli.doctor import run_doctor

    run_doctor(unity_player, as_json)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Options that come before a command."""
    if version:
        from importlib.metadata import version as version_of

        typer.echo(f"luban {version_of('luban')}")
        raise typer.Exit


def main() -> None:
    """Run the command line; known errors become one line and a non-zero exit status."""
    import os

    from bridge.cli.failing import exit_on_known_errors

    # gRPC's own log lines on stderr would stand beside the one line that says what is wrong.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    with exit_on_known_errors():
        app()
