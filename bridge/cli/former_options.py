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
    "eval mcube": {"--arm": "--observation", "--items": "--item-seed"},
    "eval portal": {"--shown": "--observation"},
    "eval euclifold": {"--shown": "--observation"},
    "eval cube_bench": {"--mode": "--observation", "--with": "--task-setting"},
    "generate packing": {"--mode": "--tier"},
}
"""Former options by command, and today's."""

_FORMER_VALUES = {("generate packing", "--tier"): {"mid": "medium"}}
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
        rest = list(_replace_flags(rest, changes))
    rest = list(_replace_options(rest, options, changes))
    if command == "generate" and rest:
        name = f"{command} {rest[0]}"
        rest = list(_replace_options(rest, FORMER_OPTIONS.get(name, {}), changes))
        rest = list(_replace_values(rest, name))
    _print_changes(changes)
    return [command, *rest]


def replace_bench_words(words: Sequence[str], bench: str) -> list[str]:
    """Return the words after ``luban eval`` in today's spelling of a bench's own options."""
    changes: dict[str, str] = {}
    replaced = list(_replace_options(words, FORMER_OPTIONS.get(f"eval {bench}", {}), changes))
    _print_changes(changes)
    return replaced


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


def _replace_flags(words: Sequence[str], changes: dict[str, str]) -> Iterator[str]:
    """Yield words with ``--video all`` for ``--video``, and ``--video none`` for ``--no-video``."""
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        if word == "--no-video":
            changes[word] = "--video none"
            yield from ("--video", "none")
        elif word == "--video" and following not in _VIDEO_POLICIES:
            changes[word] = "--video all"
            yield from ("--video", "all")
        else:
            yield word


def _replace_values(words: Sequence[str], command: str) -> Iterator[str]:
    before = ""
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            yield f"{name}={_FORMER_VALUES.get((command, name), {}).get(value, value)}"
        else:
            yield _FORMER_VALUES.get((command, before), {}).get(word, word)
        before = word


def _print_changes(changes: Mapping[str, str]) -> None:
    if changes:
        told = ", ".join(f"{former} is now {today}" for former, today in changes.items())
        print_notice(f"{told}; the next version refuses former spellings")
