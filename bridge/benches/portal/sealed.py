"""The mistakes of the chambers that are asked about: ``assets/portal/items/mistakes.json``.

``tools/build_portal.py`` finds and proves them; tests prove them again::

    {"format": "luban-portal-mistakes/1", "chambers": {id: {"hash", "mistakes": [{"step", "action":
    {"name", "arguments"}}]}}}

``hash`` is that of the level for which they hold.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bridge.benches.portal.mistakes import Mistake
from pysim.catalog import assets_root, family_of
from pysim.errors import InputError
from pysim.families.portal import Chamber
from pysim.fields import arguments_of, build_action
from pysim.puzzle import Action, Level
from pysim.suites import find_suite, levels_of

__all__ = ["CHAMBERS", "FORMAT", "AskedChamber", "asked", "mistakes_text"]

FORMAT = "luban-portal-mistakes/1"
CHAMBERS = "portal-16"
"""The suite that is asked about."""


@dataclass(frozen=True, slots=True)
class AskedChamber:
    """A chamber that is asked about, its plan and its five mistakes."""

    level: Level[Chamber]
    plan: tuple[Action, ...]
    mistakes: tuple[Mistake, ...]


@cache
def asked() -> tuple[AskedChamber, ...]:
    """All chambers that are asked about, in the order of their suite.

    Raises:
        InputError: the file of mistakes is about other chambers.
    """
    path = assets_root() / "portal/items/mistakes.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    return tuple(_asked(level, document["chambers"]) for level in levels_of(find_suite(CHAMBERS)))


def _asked(level: Level[Chamber], entries: Mapping[str, Any]) -> AskedChamber:
    entry = entries.get(level.id)
    if entry is None or entry["hash"] != level.hash or level.plan is None:
        raise InputError(f"the mistakes of {level.id} are those of another chamber")
    types = {kind.tool: kind for kind in family_of(level).actions}
    mistakes = (
        Mistake(one["step"], build_action(types[one["action"]["name"]], one["action"]["arguments"]))
        for one in entry["mistakes"]
    )
    return AskedChamber(level, level.plan.actions, tuple(mistakes))


def mistakes_text(found: Mapping[str, tuple[str, tuple[Mistake, ...]]]) -> str:
    """The file, from ids to hashes and mistakes."""
    chambers = {
        name: {
            "hash": hashed,
            "mistakes": [
                {
                    "step": m.step,
                    "action": {"name": m.action.tool, "arguments": arguments_of(m.action)},
                }
                for m in mistakes
            ],
        }
        for name, (hashed, mistakes) in found.items()
    }
    return json.dumps({"format": FORMAT, "chambers": chambers}, indent=1) + "\n"
