"""``luban eval``: the options that every bench shares, and those of the bench that is meant."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperCommand

from bridge.cli.dataclass_options import derive_options
from bridge.cli.errors import CommandError
from bridge.cli.lazy import make_single_command
from bridge.cli.requests import SharedRequest

__all__ = ["RawCommand", "bench_commands", "evaluate"]


class RawCommand(TyperCommand):
    """A command that is given the words of its line as they are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words, which the command itself has to read."""
        ctx.meta[_WORDS] = list(args)
        return super().parse_args(ctx, [])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return options of all benches: which one is meant is not known yet."""
        found = (
            c for one in bench_commands().values() for c in one.shell_complete(ctx, incomplete)
        )
        return list({item.value: item for item in found}.values())


_WORDS = "luban.words"


def evaluate(context: typer.Context) -> None:
    """Let an agent play a whole suite, or answer the items of one, and score it."""
    from bridge.cli.handlers.eval.benches import resolve_bench

    words: list[str] = context.meta[_WORDS]
    commands = bench_commands()
    target = _target(words, commands)
    if target is None:
        _overview()(words, prog_name="luban eval")
        return
    bench = resolve_bench(target)
    _refuse_strange(words, target, bench.name, commands)
    commands[bench.name]([*_preset(bench, commands[bench.name], words), *words], prog_name=_NAME)


_NAME = "luban eval"


def _preset(bench: Any, command: Any, words: Sequence[str]) -> list[str]:
    """Return the options that ``--preset`` stands for; those of the user follow, and win."""
    context = command.make_context(_NAME, list(words), resilient_parsing=True)
    name = context.params.get("preset")
    if not name:
        return []
    from bridge.cli.handlers.eval.presets import expand_preset

    given = {n: v for n, v in context.params.items() if _is_given(context, n)}
    return expand_preset(bench, name, given)


def _is_given(context: Any, name: str) -> bool:
    """Return whether an option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def bench_commands() -> dict[str, Any]:
    """Return the command of each bench: the options that all share, and its own."""
    from bridge.runs.protocol import load_benches

    return {name: _command(bench) for name, bench in load_benches().items()}


def _command(bench: Any) -> Any:
    """Return the command of a bench."""

    def run(*, shared: SharedRequest, options: Any) -> None:
        from bridge.cli.handlers.eval.benches import run_bench

        run_bench(bench, shared, options)

    run.__doc__ = f"{bench.title}."
    return make_single_command(derive_options(run, shared=SharedRequest, options=bench.options))


def _overview() -> Any:
    """The command without a suite: its help says what every bench shares, and which there are."""
    from bridge.runs.protocol import load_benches

    def run(*, shared: SharedRequest) -> None:
        raise AssertionError("there is always a suite")

    run.__doc__ = evaluate.__doc__
    known = "; ".join(f"{b.name} ({', '.join(b.suites.values())})" for b in load_benches().values())
    epilog = f"A bench has more options: luban eval BENCH --help. There are {known}."
    return make_single_command(derive_options(run, shared=SharedRequest), epilog=epilog)


BenchCommands = Mapping[str, Any]


def _target(words: Sequence[str], commands: BenchCommands) -> str | None:
    """Return the first word that is neither an option nor an option's value."""
    return next((word for word in _bare(words, commands) if not word.startswith("-")), None)


def _bare(words: Sequence[str], commands: BenchCommands) -> Iterator[str]:
    """Yield the words without the values of options."""
    valued = {o for c in commands.values() for o, takes in _options(c).items() if takes}
    left = iter(words)
    for word in left:
        yield word
        if word in valued:
            next(left, None)


def _options(command: Any) -> dict[str, bool]:
    """Return the options of a command, and whether each takes a value."""
    return {
        name: not param.is_flag
        for param in command.params
        if param.param_type_name == "option"
        for name in (*param.opts, *param.secondary_opts)
    }


def _refuse_strange(words: Sequence[str], target: str, name: str, commands: BenchCommands) -> None:
    """Refuse options that another bench has.

    Raises:
        CommandError: the message names the option, and whose it is.
    """
    own = _options(commands[name])
    for word in (word.partition("=")[0] for word in _bare(words, commands)):
        owners = [other for other, command in commands.items() if word in _options(command)]
        if word not in own and owners:
            raise CommandError(
                f"{word} means nothing here: {target} is of the bench {name}, and this is an "
                f"option of {', '.join(owners)}"
            )
