"""Commands and their options; what they do is imported when they run, so that help is quick."""

from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.failing import Commands, exit_on_errors
from bridge.cli.generate import generate
from bridge.cli.judging import judging
from bridge.cli.making import making
from bridge.cli.options import (
    AgentName,
    JsonFlag,
    LevelName,
    PackageKind,
    RendererName,
    Runs,
    UnityPlayer,
)

__all__ = ["app", "main"]

app = typer.Typer(
    name="luban",
    cls=Commands,
    help="Puts an agent in front of a 3D puzzle that can only be solved by acting on it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(judging)
app.add_typer(making)
app.add_typer(generate)


@app.command()
def demo(
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    video: Annotated[bool, typer.Option(help="Make videos of the episodes.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Start a server and take two real locks apart over gRPC, in the physical world."""
    from bridge.cli.demo import run_demo

    run_demo(runs, renderer, video, as_json)


@app.command()
def levels(
    family: Annotated[str, typer.Option(help="Only levels of this family.")] = "",
    suite: Annotated[str, typer.Option(help="The levels of this suite, in its order.")] = "",
    gallery: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Draw them all into one page.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a page that is there.")] = False,
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
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
        typer.Option(
            metavar="ADDR", help="host:port of a running server; without it one is started."
        ),
    ] = "",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Number of steps, instead of the level's own."),
    ] = None,
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    size: Annotated[int, typer.Option(help="Edge of pictures and video in pixels.")] = 512,
    video: Annotated[bool, typer.Option(help="Make a video at the end.")] = True,
    name: Annotated[str, typer.Option(help="Name of the episode's folder.")] = "",
    runs: Runs = Path("runs"),
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
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
            obs=obs,
            size=size,
            video=video,
            name=name,
            runs=runs,
            renderer=renderer,
            unity_player=unity_player,
        ),
        as_json,
    )


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
    operator_key: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            envvar="LUBAN_OPERATOR_KEY",
            help="Key that opens every episode; other clients reach only their own.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Serve episodes over gRPC until interrupted."""
    from bridge.cli.serving import run_server

    run_server(host, port, idle_timeout, runs, renderer, unity_player, operator_key, as_json)


@app.command()
def mcp(
    level: Annotated[str, typer.Option(help="Id of a level, or a level file.")],
    obs: Annotated[str, typer.Option(help="image, image+state or state.")] = "image+state",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Number of steps, instead of the level's own."),
    ] = None,
    world: Annotated[str, typer.Option(help="lattice (exact), bullet or unity.")] = "lattice",
    size: Annotated[int, typer.Option(help="Edge of pictures in pixels.")] = 512,
    window: Annotated[int, typer.Option(help="Number of past turns that observe repeats.")] = 5,
    log: Annotated[Path | None, typer.Option(help="Where the episode's log goes.")] = None,
    runs: Annotated[
        Path, typer.Option(help="Without --log: folder for the episodes, one folder each.")
    ] = Path("runs"),
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Serve HTTP on 127.0.0.1 instead of stdio; 0 picks a free port."
        ),
    ] = None,
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
) -> None:
    """Serve one episode over MCP: the puzzle's tools, and nothing else."""
    from bridge.cli.tooling import McpRequest, run_mcp

    run_mcp(
        McpRequest(level, obs, budget, world, size, window, log, runs, port, renderer, unity_player)
    )


@app.command()
def replay(
    log: Annotated[Path, typer.Argument(help="An episode's log, episode.jsonl.")],
    video: Annotated[Path | None, typer.Option(help="Video to write.")] = None,
    world: Annotated[str, typer.Option(help="World to replay in, instead of the log's.")] = "",
    size: Annotated[int, typer.Option(help="Edge of the video in pixels.")] = 512,
    renderer: RendererName = "auto",
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
) -> None:
    """Play a log again, check every state hash, and make the video from the log alone."""
    from bridge.cli.replaying import run_replay

    run_replay(log, video, world, size, renderer, unity_player, as_json)


@app.command()
def show(
    level: LevelName,
    views: Annotated[
        str,
        typer.Option(
            help="iso4, iso6, faces6, turntable8, or a picture that the family knows, as a cube's "
            "net; else those of an observation."
        ),
    ] = "",
    size: Annotated[int, typer.Option(help="Edge of each view in pixels.")] = 512,
    passes: Annotated[
        str, typer.Option(help="Some of rgb,ids,depth,normals; more than rgb fills a folder.")
    ] = "rgb",
    out: Annotated[
        Path | None, typer.Option(help="PNG or folder to write; by default named after the level.")
    ] = None,
    orthographic: Annotated[
        bool, typer.Option("--orthographic", help="Orthographic projection; needs --views.")
    ] = False,
    labels: Annotated[
        str, typer.Option(help="Labels on the pieces: none, letters or colours.")
    ] = "none",
    spread: Annotated[
        float, typer.Option(min=0.0, help="Exploded view: how far to move pieces apart.")
    ] = 0.0,
    through: Annotated[str, typer.Option(help="Pieces to draw translucent: red,blue.")] = "",
    cut: Annotated[
        str, typer.Option(help="Cut away what lies beyond a layer: +x:2 keeps x up to 2.")
    ] = "",
    palette: Annotated[str, typer.Option(help="standard or colour-blind.")] = "standard",
    renderer: RendererName = "auto",
    as_json: JsonFlag = False,
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
def verify(
    targets: Annotated[
        list[str],
        typer.Argument(metavar="LEVEL|SUITE|DIR...", help="Ids, patterns, files, suites, folders."),
    ],
    deep: Annotated[
        bool, typer.Option("--deep", help="Search ten times as far where a search has a limit.")
    ] = False,
    worlds: Annotated[
        str, typer.Option(help="Play the plans in these worlds only: lattice,bullet,unity.")
    ] = "",
    films: Annotated[bool, typer.Option(help="Check the films of the plans, too.")] = True,
    emit_proof: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write proofs for tools/check_proof.py here."),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep certificates here; levels in it are not checked again."
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Number of processes; 0 for one per core.")
    ] = 0,
    unity_player: UnityPlayer = "",
    as_json: JsonFlag = False,
) -> None:
    """Check every claim of a level with independent code."""
    from bridge.cli.verifying import VerifyRequest, run_verify

    run_verify(
        VerifyRequest(
            tuple(targets), deep, worlds, films, emit_proof, certificates, workers, unity_player
        ),
        as_json,
    )


@app.command()
def doctor(unity_player: UnityPlayer = "", as_json: JsonFlag = False) -> None:
    """Say what is installed, what is missing, and what to do about it."""
    from bridge.cli.doctor import run_doctor

    run_doctor(unity_player, as_json)


@app.command()
def init(
    kind: Annotated[PackageKind, typer.Argument(help="What the package is to offer.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Of the package and its folder, as toy-family.")
    ],
) -> None:
    """Write a package with a family, a bench or an agent of your own, which works at once."""
    from bridge.cli.init import run_init

    run_init(kind, name)


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
    """Run the command line; errors that users can do something about become one line."""
    import os

    from bridge.cli.caching import keep_compiled_code

    # gRPC's own log lines on stderr would stand beside the one line that says what is wrong.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    with exit_on_errors():
        keep_compiled_code()
        app()
