"""``luban eval``: the options that every bench shares, and those of the bench that is meant."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from bridge.cli.dataclass_options import HELP_OPTIONS, load_function, make_command
from bridge.cli.errors import CommandError
from bridge.cli.former_options import replace_bench_words
from bridge.cli.requests import SharedRequest

__all__ = ["bench_commands", "command", "find_bench_manifest"]


class _EvalCommand(click.Command):
    """The command of the bench that the words of its line mean."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words, which the bench's command has to read."""
        ctx.args = list(args)
        return ctx.args

    def invoke(self, ctx: click.Context) -> None:
        """Run the command of the bench."""
        _evaluate(ctx.args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return options of all benches: which one is meant is not known yet."""
        found = (
            c for one in bench_commands().values() for c in one.shell_complete(ctx, incomplete)
        )
        return list({item.value: item for item in found}.values())


def _evaluate(words: Sequence[str]) -> None:
    target = _find_target(words)
    if target is None:
        _run(_make_overview(), words)
        return
    manifest = find_bench_manifest(target)
    words = replace_bench_words(words, manifest.former_options)
    of_bench = make_bench_command(manifest)
    _refuse_foreign_options(words, target, manifest.name, of_bench)
    _run(of_bench, [*_preset(manifest, of_bench, words), *words])


def _run(command: click.Command, words: Sequence[str]) -> None:
    with command.make_context(_NAME, list(words)) as context:
        command.invoke(context)


_NAME = "luban eval"
_SUMMARY = "Let an agent play a whole suite, or answer the items of one, and score it."


def find_bench_manifest(target: str) -> Any:
    """Return the manifest of the bench that is meant by its name, by a suite or by levels."""
    from bridge.runs.manifests import find_manifest

    named = find_manifest(target)
    if named is not None:
        return named
    from bridge.operations.targets import find_manifest_of_levels

    return find_manifest_of_levels(target)


def _preset(manifest: Any, command: Any, words: Sequence[str]) -> list[str]:
    """Return the options that ``--preset`` stands for; those of the user follow, and win."""
    context = command.make_context(_NAME, list(words), resilient_parsing=True)
    name = context.params.get("preset")
    if not name:
        return []
    from bridge.runs.protocol import load_benches

    given = {n: v for n, v in context.params.items() if _is_given(context, n)}
    expand = load_function("bridge.cli.handlers.eval.presets:expand_preset")
    words_of_preset: list[str] = expand(load_benches()[manifest.name], name, given)
    return words_of_preset


def _is_given(context: Any, name: str) -> bool:
    """Return whether an option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def bench_commands() -> dict[str, click.Command]:
    """Return the command of each bench: the options that all share, and its own."""
    from bridge.runs.manifests import list_manifests

    return {name: make_bench_command(one) for name, one in list_manifests().items()}


def make_bench_command(manifest: Any) -> click.Command:
    """Return the command of a bench, whose own code is loaded when the command runs."""

    def run(shared: SharedRequest, options: Any) -> None:
        from bridge.runs.protocol import load_benches

        run_bench = load_function("bridge.cli.handlers.eval.benches:run_bench")
        run_bench(load_benches()[manifest.name], shared, options)

    own = manifest.options.load()
    return make_command(_NAME, SharedRequest, own, run=run, about=f"{manifest.title}.")


def _make_overview() -> click.Command:
    """Return the command without a suite, whose help lists shared options and all benches."""
    from bridge.runs.manifests import list_manifests

    def run(shared: SharedRequest) -> None:
        raise AssertionError("there is always a suite")

    known = "; ".join(
        f"{m.name} ({', '.join(m.suites.values())})" for m in list_manifests().values()
    )
    epilog = f"A bench has more options: luban eval BENCH --help. There are {known}."
    return make_command(_NAME, SharedRequest, run=run, about=_SUMMARY, epilog=epilog)


def _find_target(words: Sequence[str]) -> str | None:
    """Return the first word that is neither an option nor an option's value.

    The benches are loaded only where an option that not all of them share comes before it.
    """
    shared = {**dict.fromkeys(HELP_OPTIONS, False), **_options(_make_overview())}
    for place, word in enumerate(words):
        if word.startswith("-") and word.partition("=")[0] not in shared:
            break
        if not word.startswith("-") and (place == 0 or not shared.get(words[place - 1])):
            return word
    else:
        return None
    commands = bench_commands().values()
    from bridge.runs.manifests import list_manifests

    former = {name for one in list_manifests().values() for name in one.former_options}
    return next((word for word in _bare(words, commands, former) if not word.startswith("-")), None)


def _bare(words: Sequence[str], commands: Iterable[Any], more: Iterable[str] = ()) -> Iterator[str]:
    """Yield the words without the values of options, those of ``more`` among them."""
    valued = {*more} | {
        o for command in commands for o, takes in _options(command).items() if takes
    }
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


def _refuse_foreign_options(words: Sequence[str], target: str, name: str, command: Any) -> None:
    """Refuse options that another bench has.

    Raises:
        CommandError: the message names the option, and whose it is.
    """
    own = _options(command)
    written = [word.partition("=")[0] for word in words if word.startswith("-")]
    if all(word in (*own, *HELP_OPTIONS) for word in written):
        return
    commands = bench_commands()
    for word in (word.partition("=")[0] for word in _bare(words, commands.values())):
        owners = [other for other, one in commands.items() if word in _options(one)]
        if word not in own and owners:
            raise CommandError(
                f"{word} means nothing here: {target} is of the bench {name}, and this is an "
                f"option of {', '.join(owners)}"
            )


command = _EvalCommand("eval", help=_SUMMARY, add_help_option=False)
