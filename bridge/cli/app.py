"""Commands and their options; what they do is imported when they run, so that help is quick."""

from typing import Annotated

import typer

from bridge.cli.commands.dataset import dataset
from bridge.cli.commands.demo import demo
from bridge.cli.commands.doctor import doctor
from bridge.cli.commands.eval import RawCommand, evaluate
from bridge.cli.commands.export import export
from bridge.cli.commands.generate import generate
from bridge.cli.commands.import_ import import_
from bridge.cli.commands.init import init
from bridge.cli.commands.levels import levels
from bridge.cli.commands.mcp import mcp
from bridge.cli.commands.play import play
from bridge.cli.commands.replay import replay
from bridge.cli.commands.report import report
from bridge.cli.commands.select import select
from bridge.cli.commands.serve import serve
from bridge.cli.commands.show import show
from bridge.cli.commands.solve import solve
from bridge.cli.commands.verify import verify
from bridge.cli.commands.video.bundle import bundle
from bridge.cli.commands.video.score_video import score_video
from bridge.cli.errors import Commands, exit_on_errors
from bridge.cli.lazy import choose_help_markup

__all__ = ["app", "main"]

app = typer.Typer(
    name="luban",
    cls=Commands,
    help="Puts an agent in front of a 3D puzzle that can only be solved by acting on it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(generate)
app.command(name="demo")(demo)
app.command(name="levels")(levels)
app.command(name="play")(play)
app.command(name="serve")(serve)
app.command(name="mcp")(mcp)
app.command(name="replay")(replay)
app.command(name="show")(show)
app.command(name="verify")(verify)
app.command(name="doctor")(doctor)
app.command(name="init")(init)
app.command(name="select")(select)
app.command(name="report")(report)
app.command(name="dataset")(dataset)
app.command(name="bundle")(bundle)
app.command(name="score-video")(score_video)
app.command(name="solve")(solve)
app.command(name="import")(import_)
app.command(name="export")(export)
app.command(name="eval", cls=RawCommand, add_help_option=False)(evaluate)


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
        app.rich_markup_mode = choose_help_markup()
        app()
