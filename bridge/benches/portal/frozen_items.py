"""The plans that are asked about, and their mistakes: ``assets/portal/items/*.json``.

``tools/build_portal.py`` finds and proves the mistakes; tests prove them again::

    {"format": "luban-portal-mistakes/1", "chambers": {id: {"hash", "mistakes": [{"step", "action":
    {"name", "arguments"}}]}}}

``hash`` is that of the level for which they hold. In ``luban-portal-mistakes/2`` a chamber has
``sets`` of such mistakes, in different steps of its plan.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any

from bridge.benches.portal.mistakes import Mistake
from pysim.catalog import AnyLevel, find_assets, find_family
from pysim.errors import InputError
from pysim.families.portal.chamber import Chamber
from pysim.field_types import Json, build_action, encode_arguments
from pysim.puzzle import Action, Level
from pysim.suites import find_suite, load_levels

__all__ = [
    "CHAMBERS",
    "FORMAT",
    "GENERATED",
    "AskedChamber",
    "format_mistake_sets",
    "format_mistakes",
    "interleave_difficulties",
    "load_chambers",
    "load_generated_chambers",
]

FORMAT = "luban-portal-mistakes/1"
SETS_FORMAT = "luban-portal-mistakes/2"
CHAMBERS = "portal-16"
"""The suite that is asked about."""
GENERATED = "portal-100"
"""The suite of generated chambers, of which those are asked about whose plans are long enough."""


@dataclass(frozen=True, slots=True)
class AskedChamber:
    """A chamber that is asked about, its plan and its five mistakes.

    Attributes:
        number: which of the chamber's sets of mistakes it is, from 0.
    """

    level: Level[Chamber]
    plan: tuple[Action, ...]
    mistakes: tuple[Mistake, ...]
    number: int = 0


@cache
def load_chambers() -> tuple[AskedChamber, ...]:
    """Return all chambers that are asked about, in the order of their suite.

    Raises:
        InputError: the file of mistakes is about other chambers.
    """
    entries = _entries("mistakes.json")
    levels = load_levels(find_suite(CHAMBERS))
    return tuple(_asked(level, _own(level, entries)["mistakes"]) for level in levels)


@cache
def load_generated_chambers() -> tuple[AskedChamber, ...]:
    """Return the questions about generated chambers, chambers in turns.

    Raises:
        InputError: the file of mistakes is about other chambers.
    """
    entries = _entries("mistakes-100.json")
    levels = [level for level in load_levels(find_suite(GENERATED)) if level.id in entries]
    rows = [
        list(_sets(level, _own(level, entries)["sets"]))
        for level in interleave_difficulties(levels)
    ]
    return tuple(one for turn in zip_longest(*rows) for one in turn if one is not None)


def interleave_difficulties(levels: Sequence[AnyLevel]) -> list[AnyLevel]:
    """Return levels with difficulties in turns, so that the first ones are of all difficulties."""
    return sorted(levels, key=lambda level: level.id.rsplit("-", 1)[::-1])


def _entries(name: str) -> Mapping[str, Any]:
    path = find_assets() / "portal/items" / name
    chambers: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))["chambers"]
    return chambers


def _own(level: AnyLevel, entries: Mapping[str, Any]) -> Mapping[str, Any]:
    entry: Mapping[str, Any] | None = entries.get(level.id)
    if entry is None or entry["hash"] != level.hash or level.plan is None:
        raise InputError(f"the mistakes of {level.id} are those of another chamber")
    return entry


def _sets(level: AnyLevel, sets: Sequence[Any]) -> Iterator[AskedChamber]:
    for number, entries in enumerate(sets):
        yield _asked(level, entries, number)


def _asked(level: AnyLevel, entries: Sequence[Any], number: int = 0) -> AskedChamber:
    types = {kind.tool: kind for kind in find_family(level).actions}
    mistakes = (
        Mistake(one["step"], build_action(types[one["action"]["name"]], one["action"]["arguments"]))
        for one in entries
    )
    assert level.plan is not None
    return AskedChamber(level, level.plan.actions, tuple(mistakes), number)


def format_mistakes(found: Mapping[str, tuple[str, tuple[Mistake, ...]]]) -> str:
    """Return the file, from ids to hashes and mistakes."""
    chambers = {
        name: {"hash": hashed, "mistakes": _documents(mistakes)}
        for name, (hashed, mistakes) in found.items()
    }
    return json.dumps({"format": FORMAT, "chambers": chambers}, indent=1) + "\n"


def format_mistake_sets(found: Mapping[str, tuple[str, Sequence[tuple[Mistake, ...]]]]) -> str:
    """Return the file of several sets of mistakes of each chamber, a line for each chamber."""
    lines = (
        f"{json.dumps(name)}:"
        + json.dumps({"hash": hashed, "sets": list(map(_documents, sets))}, separators=(",", ":"))
        for name, (hashed, sets) in found.items()
    )
    chambers = ",\n".join(lines)
    return f'{{"format":{json.dumps(SETS_FORMAT)},"chambers":{{\n{chambers}\n}}}}\n'


def _documents(mistakes: Sequence[Mistake]) -> list[dict[str, Json]]:
    return [
        {"step": m.step, "action": {"name": m.action.tool, "arguments": encode_arguments(m.action)}}
        for m in mistakes
    ]
