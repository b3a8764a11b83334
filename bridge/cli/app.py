"""The command line: its commands, each of which is loaded when it is given."""

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

import click

from bridge.cli.completion import completion_options
from bridge.cli.dataclass_options import HELP_OPTIONS
from bridge.cli.errors import catch_errors, exit_on_errors
from bridge.cli.former_options import replace_former_words
from bridge.cli.groups import LazyGroup

__all__ = ["COMMANDS", "app", "main"]

COMMANDS = (
    "demo",
    "levels",
    "play",
    "web",
    "serve",
    "mcp",
    "replay",
    "show",
    "cite",
    "verify",
    "doctor",
    "init",
    "select",
    "report",
    "dataset",
    "bundle",
    "score-video",
    "solve",
    "level",
    "import",
    "export",
    "eval",
    "generate",
)
"""Names of the commands, in the order of the help; each is a module of ``bridge.cli.commands``."""


class _Commands(LazyGroup):
    """Commands whose errors are told here, also those that Click would end without a word."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the options that come before a command."""
        with catch_errors():
            return super().make_context(info_name, replace_former_words(args), parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with catch_errors():
            return super().invoke(ctx)


@cache
def _summarize() -> Mapping[str, str]:
    return {name: _load(name).get_short_help_str(limit=1000) for name in COMMANDS}


def _load(name: str) -> click.Command:
    module = {"import": "import_"}.get(name, name.replace("-", "_"))
    command: click.Command = import_module(f"bridge.cli.commands.{module}").command
    return command


app = _Commands(
    "luban",
    summaries=_summarize,
    load=_load,
    about="Puts an agent in front of a 3D puzzle that can only be solved by acting on it.",
    params=completion_options(),
    context_settings={"help_option_names": [*HELP_OPTIONS]},
)
app = click.version_option(package_name="luban", message="luban %(version)s")(app)


def main() -> None:
    """Run the command line; errors that users can do something about become one line."""
    from bridge.cli.caching import keep_compiled_code

    # gRPC's own log lines on stderr would stand beside the one line that says what is wrong.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    with exit_on_errors():
        keep_compiled_code()
        app(prog_name="luban")
