"""``luban eval --preset``: settings of a publication as options, and what a run changes of them."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from bridge.cli.dataclass_options import format_option
from bridge.cli.requests import SharedRequest
from bridge.operations.presets import OPTIONAL, find_agent_kind, find_preset, resolve_preset
from bridge.runs.presets import Preset, PresetNote, find_presets, write_preset_note
from bridge.runs.protocol import Bench

__all__ = [
    "OPTIONAL",
    "describe_preset",
    "expand_preset",
    "find_departures",
    "format_preset",
    "print_preset",
    "print_refused_settings",
]


def expand_preset(bench: Bench, name: str, chosen: Mapping[str, object]) -> list[str]:
    """Return the words of the command line that a preset stands for.

    Args:
        chosen: the options that the user has given, by name.

    Raises:
        InputError: the bench has no such preset.
    """
    agent = str(chosen.get("agent", _usual_agent()))
    options, settings = resolve_preset(bench, name, agent, chosen)
    words = [word for option, value in options.items() for word in _option(bench, option, value)]
    return [*words, *(word for item in settings.items() for word in ("--set", "=".join(item)))]


def _usual_agent() -> str:
    return next(str(field.default) for field in fields(SharedRequest) if field.name == "agent")


def _option(bench: Bench, name: str, value: str) -> Iterator[str]:
    field = next(f for f in (*fields(bench.options), *fields(SharedRequest)) if f.name == name)
    yield format_option(field)
    if value != "true":
        yield value


def describe_preset(bench: Bench, shared: SharedRequest, options: Any) -> PresetNote | None:
    """Return how a run stands to the publication of its bench.

    None if there is none, or if the levels are not the bench's own and no preset is asked for.
    """
    known = find_presets(bench)
    own = {bench.name, bench.name.replace("_", "-"), *bench.suites.values()}
    if not known or not (shared.preset or shared.suite in own):
        return None
    preset = find_preset(bench, shared.preset) if shared.preset else next(iter(known.values()))
    changed = tuple(find_departures(bench, preset, shared, options))
    return PresetNote(shared.preset, preset.source, changed, tuple(preset.remarks))


def find_departures(
    bench: Bench, preset: Preset, shared: SharedRequest, options: Any
) -> Iterator[str]:
    """Yield the settings of a run that differ from a preset, in a few words each."""
    chosen = {f.name: getattr(options, f.name) for f in fields(options)}
    chosen |= {f.name: getattr(shared, f.name) for f in fields(shared)}
    wanted, agent = preset.resolve(chosen)
    for name, value in wanted.items():
        if not _same(chosen[name], value):
            field = next(f for f in (*fields(options), *fields(shared)) if f.name == name)
            yield f"{format_option(field)} {_written(chosen[name])} (paper: {value})"
    given = shared.agent_options
    for name, value in find_agent_kind(shared.agent, bench).select_own(agent).items():
        if not _same(given.get(name), value):
            yield f"{name} {given.get(name, 'not set')} (paper: {value})"


def _same(actual: object, value: str) -> bool:
    written = _written(actual)
    try:
        return written == value or float(written) == float(value)
    except ValueError:
        return False


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ",".join(map(str, value)) or "usual"
    return "usual" if value is None else str(value)


def print_preset(note: PresetNote | None, folder: Path, *, quiet: bool) -> None:
    """Write the note of a run into its folder, and print it for whoever watches a terminal.

    Raises:
        OSError: it can't be written.
    """
    if note is None:
        return
    write_preset_note(folder, note)
    if not quiet and sys.stderr.isatty():
        print("\n".join(format_preset(note)), file=sys.stderr, flush=True)


def format_preset(note: PresetNote | None) -> list[str]:
    """Return how a run stands to the publication of its bench, as lines for people."""
    if note is None:
        return []
    return [
        f"paper: {text}"
        for text in (note.format_sentence(), *(note.remarks if note.preset else ()))
    ]


def print_refused_settings(shared: SharedRequest) -> None:
    """Print which optional settings the model's server has refused, if it has refused any."""
    from bridge.agents.provider import BASE_URL
    from bridge.agents.servers.dialects import find_dialect

    given = shared.agent_options
    optional = [name for name in given.get(OPTIONAL, "").split(",") if name]
    if not optional:
        return
    model = shared.agent.partition(":")[2]
    without = find_dialect(given.get("base_url", BASE_URL), model).without
    if refused := [name for name in optional if name in without]:
        print(f"luban: the server refuses {', '.join(refused)}: left out", file=sys.stderr)
