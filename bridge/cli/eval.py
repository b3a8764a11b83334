"""``luban eval``: the options that every bench shares, and those of the bench that is meant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from bridge.cli.derived import with_options
from bridge.cli.failing import CommandError
from bridge.cli.options import (
    AgentName,
    AgentSettings,
    BaseUrl,
    JsonFlag,
    PricesFile,
    RayAddress,
    RendererName,
    UnityPlayer,
)

__all__ = ["RawCommand", "SharedRequest", "bench_commands", "evaluate", "read_option"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRequest:
    """What every ``luban eval`` is asked for."""

    suite: Annotated[
        str,
        typer.Argument(
            metavar="SUITE", help="A suite or bench, or levels separated by commas, or patterns."
        ),
    ]
    agent: AgentName = "oracle"
    limit: int = field(
        default=0,
        metadata={"help": "Use only the first levels or trials, this many; 0 for all.", "least": 0},
    )
    workers: int = field(
        default=0,
        metadata={
            "help": "Number of attempts at once; 0 for one per core.",
            "least": 0,
            "most": 1000,
        },
    )
    seed: int = field(default=0, metadata={"help": "Seed of the run."})
    size: int = field(default=512, metadata={"help": "Edge of pictures in pixels."})
    settings: AgentSettings = None
    base_url: BaseUrl = ""
    prices: PricesFile = None
    out: Path | None = field(
        default=None, metadata={"help": "Folder of the run; an unfinished run in it is resumed."}
    )
    runs: Path = field(
        default=Path("runs"), metadata={"help": "Without --out: where to make that folder."}
    )
    renderer: RendererName = "auto"
    unity_player: UnityPlayer = ""
    ray: RayAddress = ""
    as_json: JsonFlag = False

    @property
    def agent_options(self) -> dict[str, str]:
        """What the agent is given, name -> text.

        Raises:
            CommandError: one is not written as NAME=VALUE.
        """
        url = [f"base_url={self.base_url}"] if self.base_url else []
        return dict(map(read_option, [*(self.settings or ()), *url]))


def read_option(text: str, option: str = "--set") -> tuple[str, str]:
    """Name and value of a ``--set``, or of another option of its form.

    Raises:
        CommandError: it is not written so.
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise CommandError(f"{option} is written NAME=VALUE, not {text[:60]!r}")
    return name, value


class RawCommand(TyperCommand):
    """A command that is given the words of its line as they are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words, which the command itself has to read."""
        ctx.meta[_WORDS] = list(args)
        return super().parse_args(ctx, [])


_WORDS = "luban.words"


def evaluate(context: typer.Context) -> None:
    """Let an agent play a whole suite, or answer the items of one, and score it."""
    from bridge.cli.benches import bench_for

    words: list[str] = context.meta[_WORDS]
    commands = bench_commands()
    target = _target(words, commands)
    if target is None:
        _overview()(words, prog_name="luban eval")
        return
    bench = bench_for(target)
    _refuse_strange(words, target, bench.name, commands)
    commands[bench.name](words, prog_name="luban eval")


def bench_commands() -> dict[str, Any]:
    """The command of each bench: the options that all share, and its own."""
    from bridge.runs.protocol import benches

    return {name: _command(bench) for name, bench in benches().items()}


def _command(bench: Any) -> Any:
    """The command of a bench."""

    def run(*, shared: SharedRequest, options: Any) -> None:
        from bridge.cli.benches import run_bench

        run_bench(bench, shared, options)

    run.__doc__ = f"{bench.title}."
    return _made(with_options(run, shared=SharedRequest, options=bench.options))


def _overview() -> Any:
    """The command without a suite: its help says what every bench shares, and which there are."""
    from bridge.runs.protocol import benches

    def run(*, shared: SharedRequest) -> None:
        raise AssertionError("there is always a suite")

    run.__doc__ = evaluate.__doc__
    known = "; ".join(f"{b.name} ({', '.join(b.suites.values())})" for b in benches().values())
    epilog = f"A bench has more options: luban eval BENCH --help. There are {known}."
    return _made(with_options(run, shared=SharedRequest), epilog=epilog)


def _made(function: Any, **more: Any) -> Any:
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command(**more)(function)
    return typer.main.get_command(app)


Commands = Mapping[str, Any]


def _target(words: Sequence[str], commands: Commands) -> str | None:
    """The first word that is neither an option nor an option's value."""
    valued = {o for c in commands.values() for o, takes in _options(c).items() if takes}
    left = iter(words)
    for word in left:
        if word in valued:
            next(left, None)
        elif not word.startswith("-"):
            return word
    return None


def _options(command: Any) -> dict[str, bool]:
    """The options of a command, and whether each takes a value."""
    return {
        name: not param.is_flag
        for param in command.params
        if param.param_type_name == "option"
        for name in (*param.opts, *param.secondary_opts)
    }


def _refuse_strange(words: Sequence[str], target: str, name: str, commands: Commands) -> None:
    """Refuse options that another bench has.

    Raises:
        CommandError: the message names the option, and whose it is.
    """
    own = _options(commands[name])
    for word in _options_in(words, commands):
        owners = [other for other, command in commands.items() if word in _options(command)]
        if word not in own and owners:
            raise CommandError(
                f"{word} means nothing here: {target} is of the bench {name}, and this is an "
                f"option of {', '.join(owners)}"
            )


def _options_in(words: Sequence[str], commands: Commands) -> Iterator[str]:
    """The options among the words, without values."""
    valued = {o for c in commands.values() for o, takes in _options(c).items() if takes}
    left = iter(words)
    for word in left:
        option = word.partition("=")[0]
        if word.startswith("-"):
            yield option
        if word in valued:
            next(left, None)
