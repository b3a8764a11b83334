"""``luban levels``."""

import json
from typing import Any

from bridge.cli.failing import CommandError
from pysim.catalog import families
from pysim.catalog import levels as all_levels
from pysim.puzzle import Level

__all__ = ["list_levels"]


def list_levels(family: str, as_json: bool) -> None:
    """Print the levels as a table or as JSON."""
    if family and family not in families():
        raise CommandError(f"there is no family {family!r}; there are {', '.join(families())}")
    chosen = [level for level in all_levels() if family in ("", level.family)]
    if as_json:
        print(json.dumps([_row(level) for level in chosen], indent=1))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("id", "tier", "pieces", "plan", "budget", "name", "designer", box=None)
    # An id that is cut off can't be played.
    table.columns[0].min_width = max(len(level.id) for level in all_levels())
    for level in chosen:
        plan = "-" if level.plan is None else f"{len(level.plan)} {level.plan.proof.lower()}"
        table.add_row(
            level.id,
            level.tier.value,
            str(len(level.colours)),
            plan,
            str(level.budget),
            level.name,
            level.source.designer,
        )
    Console().print(table)


def _row(level: Level[Any]) -> dict[str, object]:
    return {
        "id": level.id,
        "family": level.family,
        "tier": level.tier.value,
        "pieces": len(level.colours),
        "plan": None if level.plan is None else len(level.plan),
        "plan_proof": None if level.plan is None else level.plan.proof.value,
        "budget": level.budget,
        "hash": level.hash,
        "source": {
            "designer": level.source.designer,
            "reference": level.source.reference,
            "seed": level.source.seed,
        },
    }
