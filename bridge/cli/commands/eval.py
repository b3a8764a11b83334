"""``luban eval``: the options that every bench shares, and those of the bench that is meant."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import typer
from typer.core import TyperCommand

from bridge.cli.dataclass_options import derive_options
from bridge.cli.errors import CommandError
from bridge.cli.former_options import replace_bench_words
from bridge.cli.lazy import make_single_command
from bridge.cli.requests import SharedRequest

__all__ = ["RawCommand", "bench_commands", "evaluate", "find_bench_manifest"]


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
    words: list[str] = context.meta[_WORDS]
    target = _find_target(words)
    if target is None:
        _make_overview()(words, prog_name=_NAME)
        return
    manifest = find_bench_manifest(target)
    words = replace_bench_words(words, manifest.former_options)
    command = make_bench_command(manifest)
    _refuse_foreign_options(words, target, manifest.name, command)
    command([*_preset(manifest, command, words), *words], prog_name=_NAME)


_NAME = "luban eval"


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
    from bridge.cli.handlers.eval.presets import expand_preset
    from bridge.runs.protocol import load_benches

    given = {n: v for n, v in context.params.items() if _is_given(context, n)}
    return expand_preset(load_benches()[manifest.name], name, given)


def _is_given(context: Any, name: str) -> bool:
    """Return whether an option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def bench_commands() -> dict[str, Any]:
    """Return the command of each bench: the options that all share, and its own."""
    from bridge.runs.manifests import list_manifests

    return {name: make_bench_command(one) for name, one in list_manifests().items()}


def make_bench_command(manifest: Any) -> Any:
    """Return the command of a bench, whose own code is loaded when the command runs."""

    def run(*, shared: SharedRequest, options: Any) -> None:
        from bridge.cli.handlers.eval.benches import run_bench
        from bridge.runs.protocol import load_benches

        run_bench(load_benches()[manifest.name], shared, options)

    run.__doc__ = f"{manifest.title}."
    own = manifest.options.load()
    return make_single_command(derive_options(run, shared=SharedRequest, options=own))


def _make_overview() -> Any:
    """Return the command without a suite, whose help lists shared options and all benches."""
    from bridge.runs.manifests import list_manifests

    def run(*, shared: SharedRequest) -> None:
        raise AssertionError("there is always a suite")

    run.__doc__ = evaluate.__doc__
    known = "; ".join(
        f"{m.name} ({', '.join(m.suites.values())})" for m in list_manifests().values()
    )
    epilog = f"A bench has more options: luban eval BENCH --help. There are {known}."
    return make_single_command(derive_options(run, shared=SharedRequest), epilog=epilog)


def _find_target(words: Sequence[str]) -> str | None:
    """Return the first word that is neither an option nor an option's value.

    The benches are loaded only where an option that not all of them share comes before it.
    """
    shared = {"-h": False, "--help": False, **_options(_make_overview())}
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
    if all(word in (*own, "-h", "--help") for word in written):
        return
    commands = bench_commands()
    for word in (word.partition("=")[0] for word in _bare(words, commands.values())):
        owners = [other for other, one in commands.items() if word in _options(one)]
        if word not in own and owners:
            raise CommandError(
                f"{word} means nothing here: {target} is of the bench {name}, and this is an "
                f"option of {', '.join(owners)}"
            )
