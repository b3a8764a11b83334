"""Former spellings of commands and options, which keep working for one version with a notice.

Words of a command line are rewritten before they are parsed, so that commands know today's
spellings only.
"""

from collections.abc import Iterator, Mapping, Sequence

from bridge.cli.notices import print_notice

__all__ = ["FORMER_COMMANDS", "FORMER_OPTIONS", "replace_bench_words", "replace_former_words"]

FORMER_COMMANDS = {"compare": "score-video", "tables": "report"}
"""Former names of commands."""

_EPISODE = {"--obs": "--observation", "--size": "--image-size"}
FORMER_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "play": _EPISODE,
    "show": {"--size": "--image-size"},
    "replay": {"--size": "--image-size"},
    "mcp": {**_EPISODE, "--window": "--history"},
    "dataset": _EPISODE,
    "bundle": {"--size": "--film-size"},
    "eval": {**_EPISODE, "--window": "--history"},
}
"""Former options by command, and today's; those of benches and families are in manifests."""

_VIDEO_COMMANDS = ("play", "demo")
_VIDEO_POLICIES = ("all", "failed", "none")


def replace_former_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command line in today's spelling, and print a notice of changes."""
    if not words or words[0].startswith("-"):
        return list(words)
    command, rest = FORMER_COMMANDS.get(words[0], words[0]), list(words[1:])
    changes = {} if command == words[0] else {words[0]: command}
    if command == "bundle" and any(word.partition("=")[0] == "--dataset" for word in rest):
        command, rest = "dataset", ["--format", "clips", *rest]
        changes["bundle --dataset"] = "dataset --format clips --count"
        options = {**FORMER_OPTIONS["bundle"], "--dataset": "--count"}
    else:
        options = dict(FORMER_OPTIONS.get(command, {}))
    if command in _VIDEO_COMMANDS:
        rest = list(_replace_flags(rest, changes, takes_level=command == "play"))
    rest = list(_replace_options(rest, options, changes))
    if command == "generate" and rest:
        rest = _replace_family_words(rest, changes)
    _print_changes(changes)
    return [command, *rest]


def replace_bench_words(words: Sequence[str], options: Mapping[str, str]) -> list[str]:
    """Return the words after ``luban eval`` with today's options of a bench.

    Args:
        words: of the command line.
        options: the bench's former ones, and today's.
    """
    changes: dict[str, str] = {}
    replaced = list(_replace_options(words, options, changes))
    _print_changes(changes)
    return replaced


def _replace_family_words(words: Sequence[str], changes: dict[str, str]) -> list[str]:
    """Return the words after ``luban generate`` with today's options and values of the family."""
    from pysim.manifests import list_family_manifests

    manifest = list_family_manifests().get(words[0])
    if manifest is None:
        return list(words)
    replaced = _replace_options(words, manifest.former_options, changes)
    return list(_replace_values(list(replaced), manifest.former_values))


def _replace_options(
    words: Sequence[str], options: Mapping[str, str], changes: dict[str, str]
) -> Iterator[str]:
    """Yield words with today's options, up to ``--``; adds to ``changes``."""
    is_past_end = False
    for word in words:
        is_past_end = is_past_end or word == "--"
        name, equals, value = word.partition("=")
        if name in options and not is_past_end:
            changes.setdefault(name, options[name])
            word = f"{options[name]}{equals}{value}"
        yield word


def _replace_flags(
    words: Sequence[str], changes: dict[str, str], *, takes_level: bool
) -> Iterator[str]:
    """Yield words with ``--video all`` for ``--video``, and ``--video none`` for ``--no-video``.

    What follows ``--video`` is a value, unless it may be the level, which else comes first.
    """
    is_level_late = takes_level and words[:1] != [] and words[0].startswith("-")
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        has_value = following in _VIDEO_POLICIES or not (
            is_level_late or not following or following.startswith("-")
        )
        if word == "--no-video":
            changes[word] = "--video none"
            yield from ("--video", "none")
        elif word == "--video" and not has_value:
            changes[word] = "--video all"
            yield from ("--video", "all")
        else:
            yield word


def _replace_values(words: Sequence[str], values: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield words with today's values of options."""
    before = ""
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            yield f"{name}={values.get(name, {}).get(value, value)}"
        else:
            yield values.get(before, {}).get(word, word)
        before = word


def _print_changes(changes: Mapping[str, str]) -> None:
    if changes:
        told = ", ".join(f"{former} is now {today}" for former, today in changes.items())
        print_notice(f"{told}; the next version refuses former spellings")
